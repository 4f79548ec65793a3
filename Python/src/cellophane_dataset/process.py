"""One process of the tool, which loads the URLs of a shard."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, Any

from .failures import ToolError

# Exit code 2 means that some records failed. Their results say why.
COMPLETE = (0, 2)

# The share of the rows of a shard that may be in progress when another shard starts. The last rows often wait for slow
# origins, and leave the processors idle.
TAIL = 0.05


class Processes:
    """The running processes of a download, of which `count` have more than a tail of rows to load."""

    def __init__(self, count: int = 1) -> None:
        self._slots = threading.Semaphore(count)
        self._lock = threading.Lock()
        self._running: set["subprocess.Popen[bytes]"] = set()
        self._is_stopping = False

    @contextmanager
    def slot(self) -> Iterator[Callable[[], None]]:
        """Waits for a slot. Gives a function that releases it before the end."""
        self._slots.acquire()
        with ExitStack() as held:
            held.callback(self._slots.release)
            yield held.close

    def start(self, command: Sequence[str], errors: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Starts the tool, with pipes for its input and its output."""
        with self._lock:
            if self._is_stopping:
                raise ToolError("the download was interrupted; run it again")
            try:
                # A new process group: Ctrl-C reaches only this process, which then ends the others.
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                           process_group=0)
            except OSError as error:
                raise ToolError(f"{command[0]} does not start ({error}); check the parameter tool") from error
            self._running.add(process)
            return process

    def end(self, process: "subprocess.Popen[bytes]") -> None:
        """Ends a process if it still runs."""
        if process.poll() is None:
            process.kill()
            process.wait()
        with self._lock:
            self._running.discard(process)

    def stop(self) -> None:
        """Ends all processes, and lets no other start."""
        with self._lock:
            self._is_stopping = True
            processes = list(self._running)
        for process in processes:
            process.kill()
        # Threads that wait for a slot continue, and fail to start.
        self._slots.release(1_000_000)


def path_of_tool(tool: str | os.PathLike[str] | None) -> str:
    """Returns the given path of the tool, that of the environment, or the name to look up in PATH."""
    path = os.fspath(tool or os.environ.get("CELLOPHANE") or "cellophane")
    # Workers may have another working folder.
    return os.path.abspath(path) if os.sep in path else path


def require_tool(tool: str) -> None:
    """Raises `ToolError` if the tool cannot be started here."""
    if shutil.which(tool) is None:
        raise ToolError(f"{tool!r} is not an executable file; install cellophane, or give its path with the parameter "
                        "tool or the environment variable CELLOPHANE")


def results(
    command: Sequence[str], urls: Sequence[str | None], processes: Processes, on_tail: Callable[[], None],
) -> Generator[dict[str, Any], None, None]:
    """Starts the tool and generates one result for each URL, in their order. Calls `on_tail` when few are missing.

    Raises `ToolError` if the process fails, or if a result is missing."""
    with tempfile.TemporaryFile() as errors:
        process = processes.start(command, errors)
        feeder = threading.Thread(target=_feed, args=(process, urls), daemon=True)
        feeder.start()
        count = 0
        assert process.stdout is not None
        try:
            for result in _ordered(process.stdout, len(urls), on_tail):
                count += 1
                yield result
            code = process.wait()
        finally:
            processes.end(process)
            feeder.join()
            process.stdout.close()
        if code not in COMPLETE or count != len(urls):
            errors.seek(0)
            said = errors.read()[-2000:].decode("utf-8", "replace").strip()
            raise ToolError(f"{command[0]} ended with the code {code} after {count} of {len(urls)} results; "
                            f"run the same download again. It printed: {said or 'nothing'}")


def _ordered(lines: Iterable[bytes], expected: int, on_tail: Callable[[], None]) -> Iterator[dict[str, Any]]:
    """Generates the results in the order of the list, and calls `on_tail` when few are missing."""
    waiting: dict[int, dict[str, Any]] = {}
    following = 1
    for received, line in enumerate(lines, 1):
        result = json.loads(line)
        result.pop("timings_ms", None)  # results may wait, and no column has these
        waiting[result["index"]] = result
        if expected - received <= TAIL * expected:
            on_tail()
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _feed(process: "subprocess.Popen[bytes]", urls: Sequence[str | None]) -> None:
    assert process.stdin is not None
    try:
        with process.stdin as pipe:
            for url in urls:
                pipe.write(json.dumps({} if url is None else {"url": url}).encode() + b"\n")
    except BrokenPipeError:
        pass  # the exit code has the reason
