#!/usr/bin/env python3
"""Compares the Python package with img2dataset, on the same lists from one local origin.

    clean   JPEG photographs of 0.2 to 2.5 Mpx (--images, 5 000)
    mixed   as many rows: also 404, connections without an answer, redirects, wrong Content-Types, opt-outs, WebP, PNG with
            alpha, 24 Mpx, truncated files, HTML, and URLs that five rows with five captions share

Both programs get the same parameters and run in turns. The script prints medians, and it compares the outputs of the last
round sample by sample. Needs nginx, curl, the tool (`make build`), and this Python needs the package with its requirements
for tests (`pip install './Python[test]'`).
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyarrow.parquet

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Datasets"))
from comparison import DataSet, check_readers, compare  # noqa: E402
from origin import Lists, served  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--python", required=True, help="a Python with img2dataset 1.47")
parser.add_argument("--tool", type=Path, default=HERE.parent / ".build/release/cellophane", help="path of the tool")
parser.add_argument("--images", type=int, default=5000, help="rows of each list (default: 5000)")
parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: 5)")
parser.add_argument("--threads", type=int, default=64, help="concurrent transfers per process (default: 64)")
parser.add_argument("--processes", type=int, default=os.cpu_count(), help="processes_count (default: the processors)")
parser.add_argument("--size", type=int, default=256, help="image_size (default: 256)")
parser.add_argument("--mode", default="border", help="resize_mode (default: border)")
parser.add_argument("--timeout", type=int, default=10, help="timeout in seconds (default: 10)")
parser.add_argument("--only", choices=["clean", "mixed"], help="measure only this list")
options = parser.parse_args()
FORMATS = ["webdataset", "files"]


def resident(process: int) -> int:
    """Returns the resident memory of a process and its descendants, in bytes."""
    parents, pages = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # the process ended
            parents[int(name)], pages[int(name)] = int(fields[1]), int(fields[21])
    total, tree = 0, {process}
    for one in sorted(parents):
        ancestor = one
        while ancestor in parents and ancestor not in tree:
            ancestor = parents[ancestor]
        if ancestor in tree:
            total += pages[one]
    return total * os.sysconf("SC_PAGE_SIZE")


class Run:
    """One complete process with its children: its duration, CPU time, peak memory and successes."""

    def __init__(self, command: list[str], folder: Path) -> None:
        environment = os.environ | {"NO_ALBUMENTATIONS_UPDATE": "1", "PYTHONWARNINGS": "ignore"}
        with open(folder.with_suffix(".log"), "wb") as log:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
            self.memory, ended = 0, threading.Event()
            sampler = threading.Thread(target=self._sample, args=(process.pid, ended))
            sampler.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            finally:
                ended.set()
                sampler.join()
            self.wall = time.monotonic() - start
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[:3]} exited with code {process.returncode}: {folder.with_suffix('.log').read_text()[-2000:]}")
        self.cpu = usage.ru_utime + usage.ru_stime
        counts = [json.loads(file.read_text()) for file in folder.glob("*_stats.json")]
        self.rows = sum(one["count"] for one in counts)
        self.successes = sum(one["successes"] for one in counts)

    def _sample(self, process: int, ended: threading.Event) -> None:
        while not ended.wait(0.1):
            self.memory = max(self.memory, resident(process))


def commands(listed: Path, form: str, root: Path) -> dict[str, list[str]]:
    """Returns the commands of both programs, which have the same parameters."""
    def parameters(name: str) -> list[str]:
        return [f"--url_list={listed}", "--input_format=parquet", "--caption_col=caption", f"--output_format={form}",
                f"--output_folder={root / name}", f"--processes_count={options.processes}",
                f"--thread_count={options.threads}", f"--image_size={options.size}", f"--resize_mode={options.mode}",
                f"--timeout={options.timeout}", "--number_sample_per_shard=1000", "--enable_wandb=False"]
    return {
        "img2dataset": [options.python, "-m", "img2dataset.main", *parameters("img2dataset")],
        "cellophane-dataset": [sys.executable, "-m", "cellophane_dataset.command", *parameters("cellophane-dataset"),
                               f"--tool={options.tool.resolve()}"],
    }


def measure(name: str, listed: Path, form: str, root: Path) -> None:
    """Runs both programs in turns and prints the medians, then the comparison of the outputs."""
    runs: dict[str, list[Run]] = {}
    for number in range(options.rounds):
        both = list(commands(listed, form, root).items())
        for program, command in both if number % 2 else reversed(both):
            shutil.rmtree(root / program, ignore_errors=True)
            runs.setdefault(program, []).append(Run(command, root / program))
    print(f"\n### {name}, {form}\n\n| | images/s | ratio | success | CPU per row | memory |\n|---|---|---|---|---|---|")
    for program, done in runs.items():
        wall = statistics.median(run.wall for run in done)
        ratio = statistics.median(one.wall / ours.wall for one, ours in zip(done, runs["cellophane-dataset"]))
        cpu = statistics.median(run.cpu for run in done) / done[0].rows * 1e3
        memory = statistics.median(run.memory for run in done) / 1e6
        print(f"| {program} | {done[0].rows / wall:.0f} | {ratio:.2f} | {done[-1].successes / done[-1].rows:.2%} | "
              f"{cpu:.2f} ms | {memory:.0f} MB |")
    rows = pyarrow.parquet.read_table(listed).to_pylist()
    compare(DataSet(root / "img2dataset"), DataSet(root / "cellophane-dataset"), rows)
    if form == "webdataset":
        check_readers(root / "cellophane-dataset", runs["cellophane-dataset"][-1].successes)


# The servers and the programs are in other sessions, and do not receive the signals that end this script.
for ending in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(ending, lambda number, _: sys.exit(128 + number))

# In memory, so that the measurement excludes the file system.
with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
    place = Path(folder)
    place.chmod(0o755)  # nginx's workers run as another user
    lists = Lists(place, options.images)
    with served(place):
        for name, listed in ("clean", lists.clean), ("mixed", lists.mixed):
            if options.only in (None, name):
                for form in FORMATS:
                    measure(name, listed, form, place)
