"""Interrupted, repeated and extended downloads."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from cellophane_dataset import ShardError
from cellophane_dataset.locks import LOCK, LONGEST_RUN, is_leftover, new_run

from .conftest import Load, Origin, Output, picture

SEEDS = int(os.environ.get("CELLOPHANE_DATASET_SEEDS", "4"))

# Ends the process at the call of `os.replace` with the number of the second argument.
KILLED_AT_RENAME = """
import os, signal, sys
from cellophane_dataset import storage
rest, replace = int(sys.argv[1]), os.replace
def count(*arguments):
    global rest
    rest -= 1
    if rest < 0: os.kill(os.getpid(), signal.SIGKILL)
    replace(*arguments)
storage.os.replace = count
from cellophane_dataset.command import main
main(sys.argv[2:])
"""


def state(output: Output) -> dict[str, Any]:
    """Returns the content of the output, without the times in the statistics."""
    content: dict[str, Any] = {}
    for file in output.path.rglob("*"):
        name = str(file.relative_to(output.path))
        if name.endswith("_stats.json"):
            content[name] = {key: value for key, value in output.stats(int(name[:5])).items() if "time" not in key and key != "duration"}
        elif name.endswith(".parquet"):
            content[name] = pa.parquet.read_table(file).to_pylist()
        else:
            content[name] = file.read_bytes() if file.is_file() else None
    return content


def command(urls: Path, folder: Path, tool: str, form: str) -> list[str]:
    return [f"--url_list={urls}", f"--output_folder={folder}", f"--output_format={form}", "--image_size=16",
            "--number_sample_per_shard=5", "--processes_count=2", f"--tool={tool}"]


@pytest.mark.parametrize("form", ["webdataset", "files", "parquet"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_killed_download_continues_to_the_same_end(
    load: Load, origin: Origin, tool: str, tmp_path: Path, form: str, seed: int,
) -> None:
    urls = origin.pictures(28) + [origin.base + "/missing", origin.base + "/0.jpg"]
    expected = load(urls, output_format=form, number_sample_per_shard=5, output_folder=str(tmp_path / "expected"))
    choice = random.Random(seed)
    arguments = command(tmp_path / "list.txt", tmp_path / "out", tool, form)
    for _ in range(3):
        if choice.random() < 0.5:
            renames = choice.randrange(18)
            subprocess.run([sys.executable, "-c", KILLED_AT_RENAME, str(renames), *arguments], capture_output=True)
        else:
            kill_at_request(origin, choice.randrange(1, 20), arguments)
    output = load(urls, output_format=form, number_sample_per_shard=5)
    assert state(output) == state(expected)


def kill_at_request(origin: Origin, number: int, arguments: list[str]) -> None:
    """Runs the command and kills it at a request. Ends normally if there are fewer requests."""
    process = subprocess.Popen([sys.executable, "-m", "cellophane_dataset.command", *arguments],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    limit = origin.requests.total() + number
    origin.on_request = lambda path: process.kill() if origin.requests.total() >= limit else None
    process.wait()
    origin.on_request = lambda path: None


def test_only_missing_shards_are_loaded(load: Load, origin: Origin) -> None:
    urls = origin.pictures(10)
    output = load(urls, number_sample_per_shard=5)
    before = state(output)
    (output.path / "00001_stats.json").unlink()
    origin.requests.clear()
    assert state(load(urls, number_sample_per_shard=5)) == before
    assert origin.requests == {f"/{number}.jpg": 1 for number in range(5, 10)}
    origin.requests.clear()
    load(urls, number_sample_per_shard=5)
    assert origin.requests == {}


def test_overwrite_begins_again(load: Load, origin: Origin) -> None:
    urls = origin.pictures(4)
    output = load(urls, number_sample_per_shard=2)
    (output.path / "other").write_text("")
    assert len(load(urls[:1], incremental_mode="overwrite").rows()) == 1
    assert output.names == ["00000.parquet", "00000.tar", "00000_stats.json"]


def test_overwrite_keeps_a_list_in_the_folder(load: Load, origin: Origin, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/list.txt").write_text(origin.base)
    with pytest.raises(ValueError, match="would remove the list"):
        load(tmp_path / "out/list.txt", incremental_mode="overwrite")
    assert (tmp_path / "out/list.txt").exists()


@pytest.mark.parametrize("content, more", [
    (b"link\nhttp://h/\n", {"input_format": "csv"}), (b"no Parquet", {"input_format": "parquet"}),
])
def test_overwrite_keeps_the_output_if_the_list_is_broken(
    load: Load, origin: Origin, tmp_path: Path, content: bytes, more: dict[str, Any],
) -> None:
    output = load(origin.pictures(1))
    before = state(output)
    (tmp_path / "broken").write_bytes(content)
    with pytest.raises(ValueError, match="broken"):
        load(tmp_path / "broken", incremental_mode="overwrite", **more)
    assert state(output) == before


@pytest.mark.parametrize("target, link, path", [
    ("out/list.txt", "link.txt", "link.txt"), ("out", "link", "link/list.txt"), ("list.txt", "out/link.txt", "out/link.txt"),
    ("lists", "out/link", "out/link/list.txt"),
])
def test_overwrite_refuses_a_list_behind_a_link(load: Load, tmp_path: Path, target: str, link: str, path: str) -> None:
    for folder in "out", "lists":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "list.txt").write_text("http://h/")
    (tmp_path / "list.txt").write_text("http://h/")
    (tmp_path / link).symlink_to(tmp_path / target)
    with pytest.raises(ValueError, match="would remove the list"):
        load(tmp_path / path, incremental_mode="overwrite")
    assert (tmp_path / path).exists()


def test_overwrite_keeps_a_linked_folder(load: Load, origin: Origin, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk/old").write_text("")
    (tmp_path / "out").symlink_to(tmp_path / "disk")
    load(origin.pictures(1), incremental_mode="overwrite")
    assert (tmp_path / "out").is_symlink()
    assert sorted(os.listdir(tmp_path / "disk")) == ["00000.parquet", "00000.tar", "00000_stats.json"]


def test_two_downloads_do_not_share_a_folder(load: Load, origin: Origin, tmp_path: Path) -> None:
    urls = origin.pictures(4)
    errors: list[BaseException] = []

    def second(path: str) -> None:
        origin.on_request = lambda path: None
        try:
            load(tmp_path / "list.txt", incremental_mode="overwrite")
        except RuntimeError as error:
            errors.append(error)

    origin.on_request = second
    output = load(urls)
    assert [str(error) for error in errors] == [
        f"{output.path} is in use by another download; wait for its end, or use another output_folder"]
    assert [row["status"] for row in output.rows()] == ["success"] * 4
    assert output.names == ["00000.parquet", "00000.tar", "00000_stats.json"]
    assert len(load(urls, incremental_mode="overwrite").rows()) == 4


def test_downloads_into_a_remote_folder_keep_the_files_of_each_other(load: Load, origin: Origin, tmp_path: Path) -> None:
    import fsspec
    urls = origin.pictures(4)
    (tmp_path / "other.txt").write_text(urls[0])

    def second(path: str) -> None:
        origin.on_request = lambda path: None
        load(tmp_path / "other.txt", output_folder="memory://shared", incremental_mode="extend")

    origin.on_request = second
    load(urls, output_folder="memory://shared", number_sample_per_shard=1)
    system = fsspec.filesystem("memory")
    assert len(system.glob("/shared/*_stats.json")) == 4 and not system.exists("/shared/_tmp")


def test_extend_adds_shards(load: Load, origin: Origin) -> None:
    urls = origin.pictures(5)
    load(urls[:3], number_sample_per_shard=2)
    output = load(urls[3:], number_sample_per_shard=2, incremental_mode="extend")
    assert [row["key"] for row in output.rows()] == ["000000", "000001", "000010", "000020", "000021"]
    assert [row["url"] for row in output.rows()] == urls


def failing_tool(tmp_path: Path, tool: str, failures: int) -> str:
    """Returns a script that fails for a number of times before it is the tool."""
    script = tmp_path / "tool"
    script.write_text(f"#!/bin/sh\nif [ $(ls {tmp_path}/failed-* 2>/dev/null | wc -l) -lt {failures} ]; then\n"
                      f"mktemp {tmp_path}/failed-XXXXXX >&2; echo broken >&2; exit 1; fi\nexec {tool} \"$@\"\n")
    script.chmod(0o755)
    return str(script)


def test_a_failed_shard_is_attempted_again(load: Load, origin: Origin, tmp_path: Path, tool: str) -> None:
    output = load(origin.pictures(4), tool=failing_tool(tmp_path, tool, 1), number_sample_per_shard=2)
    assert len(output.rows()) == 4 and output.names[-1] == "00001_stats.json"


def test_shards_that_fail_every_time_are_an_error(
    load: Load, origin: Origin, tmp_path: Path, tool: str, capsys: pytest.CaptureFixture[str],
) -> None:
    urls = origin.pictures(4)
    with pytest.raises(ShardError, match="1 shards are incomplete: 0"):
        load(urls, tool=failing_tool(tmp_path, tool, 3), max_shard_retry=2)
    assert "ended with the code 1 after 0 of 4 results" in capsys.readouterr().out
    assert Output(tmp_path / "out").names == []
    assert len(load(urls).rows()) == 4


def test_an_image_that_cannot_be_written_fails_the_shard(
    load: Load, origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    script = tmp_path / "tool"
    result = {"index": 1, "url": "u", "outcome": "failed", "error": {"stage": "output", "message": "no space"}}
    script.write_text(f"#!/bin/sh\necho '{json.dumps(result)}'\nexit 2\n")
    script.chmod(0o755)
    with pytest.raises(ShardError):
        load(origin.pictures(1), tool=str(script))
    assert "an image cannot be written: no space" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_the_tool_and_removes_temporary_files(
    origin: Origin, tmp_path: Path, tool: str, number: signal.Signals,
) -> None:
    import threading
    script, release = tmp_path / "tool", threading.Event()
    script.write_text(f"#!/bin/sh\necho $$ >>{tmp_path}/pids\nexec {tool} \"$@\"\n")
    script.chmod(0o755)
    (tmp_path / "list.txt").write_text("\n".join(origin.put(f"/{n}", picture()) for n in range(20)))
    process = subprocess.Popen(
        [sys.executable, "-m", "cellophane_dataset.command",
         *command(tmp_path / "list.txt", tmp_path / "out", str(script), "webdataset")],
        # A shell that starts the tests in the background lets them ignore SIGINT, which child processes inherit.
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    sent = threading.Event()

    def wait(path: str) -> None:
        if not sent.is_set():
            sent.set()
            process.send_signal(number)
        release.wait()

    origin.on_request = wait
    try:
        said, _ = process.communicate()
    finally:
        release.set()
    assert process.returncode == 130, said
    assert os.listdir(tmp_path / "out") == []
    for one in (tmp_path / "pids").read_text().split():
        assert not os.path.exists(f"/proc/{one}")


def test_leftovers_of_an_earlier_run_are_removed(load: Load, origin: Origin, tmp_path: Path) -> None:
    (tmp_path / "out/_tmp/shard-x").mkdir(parents=True)
    (tmp_path / "out/_tmp/7.arrow").write_bytes(b"")
    (tmp_path / "out/00000").mkdir()
    (tmp_path / "out/00000/000000009.jpg").write_bytes(b"")
    output = load(origin.pictures(1), output_format="files")
    assert output.names == ["00000", "00000.parquet", "00000_stats.json"]
    assert sorted(os.listdir(output.path / "00000")) == ["000000000.jpg", "000000000.json"]


@pytest.mark.parametrize("is_locked", [True, False])
def test_without_a_lock_only_old_runs_are_leftovers(is_locked: bool) -> None:
    old = f"{int(time.time()) - LONGEST_RUN - 1}-01234567"
    found = [is_leftover(name, is_locked) for name in (LOCK, old, "7.arrow", new_run())]
    assert found == [False, True, True, is_locked]
