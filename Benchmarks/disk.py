#!/usr/bin/env python3
"""Compares the disk cache with a C program that uses plain files, in interleaved rounds, as a Markdown table.

Each round has 10 000 entries of 20 KB in a new directory, with a warm page cache, and takes 800 MB. The programs take
turns with 1 000 entries each, so that a disturbance of the machine affects both. The script deletes all directories at
the end, because ext4 is slow to reuse blocks that were freed in the last minutes. Needs a C compiler and, once,
`swift build -c release --product disk-times` in `Benchmarks`.
"""
import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENTRIES, TURN, MANY = 10_000, 1_000, 200_000

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
arguments.add_argument("--directory", help="folder to write to; /dev/shm excludes the device")
arguments.add_argument("--no-first", action="store_true", help="skip the directory of 200 000 entries")
options = arguments.parse_args()


class Program:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return tuple(map(float, self.process.stdout.readline().split()))


def row(name, ours, theirs, unit=1e6 / TURN):
    ours, theirs = [[[value * unit for value in turn] for turn in turns] for turns in (ours, theirs)]
    ratio = statistics.median(a[1] / b[1] for a, b in zip(ours, theirs))
    cells = [f"{statistics.median(turn[index] for turn in turns):.1f}" for index in (1, 0) for turns in (ours, theirs)]
    print(f"| {name} | {cells[0]} | {cells[1]} | {ratio:.2f} | {cells[2]} | {cells[3]} |")


with tempfile.TemporaryDirectory(dir=options.directory) as folder:
    root = Path(folder)
    subprocess.run(["cc", "-O2", "-o", root / "baseline", HERE / "Disk/baseline.c", "-lxxhash"], check=True)
    c = Program(root / "baseline")
    swift = Program(HERE / ".build/release/disk-times")
    times = {}
    for number in range(options.rounds):
        # Sequential operations, and 16 concurrent ones as in a loader.
        for tasks in 1, 16:
            pair = [(swift, root / f"ours-{number}-{tasks}"), (c, root / f"c-{number}-{tasks}")]
            for operation in "put", "get":
                for first in range(0, ENTRIES, TURN):
                    for program, place in pair:
                        answer = program.ask(operation, place, first, TURN, tasks)
                        times.setdefault((operation, tasks, program), []).append(answer)
                    pair.reverse()
    print("| µs per operation | wall | C | ratio | CPU | C |")
    print("|---|---|---|---|---|---|")
    for (operation, tasks, program), ours in times.items():
        if program is swift:
            name = f"{operation}, {'1 task' if tasks == 1 else f'{tasks} tasks'}"
            row(name, ours, times[operation, tasks, c])
    if not options.no_first:
        swift.ask("fill", root / "many", 0, MANY, 16)
        first = []
        for number in range(21):
            program = Program(HERE / ".build/release/disk-times")
            first.append(program.ask("first", root / "many", number * 9_001, 1, 1)[1] * 1e3)
            program.process.stdin.close()
            program.process.wait()
        print(f"\nfirst load of a new process, {MANY} entries: median {statistics.median(first):.2f} ms,"
              f" maximum {max(first):.2f} ms")
