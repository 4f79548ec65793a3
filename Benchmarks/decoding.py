#!/usr/bin/env python3
"""Compares decoding with the C libraries: CPU time per image, in interleaved rounds, as a Markdown table.

Run `Benchmarks/Decoding/make-set.py DIR OUT` once with a folder of photographs. Then run `Benchmarks/decoding.py OUT`.
Needs a C compiler and pkg-config. Also measures Pillow, pyvips and OpenCV if they are installed
(`pip install Pillow 'pyvips[binary]' opencv-python-headless`).

Each program is a separate process that reads all files into memory before the measurement. The programs take turns with
a few images each, and the order changes, so that a disturbance of the machine affects all of them.
"""
import argparse
import contextlib
import importlib.metadata
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS, C = "cellophane", "C"
PEERS = ("pillow", "pyvips", "opencv")

# Name, folder, operation, images per turn, and the goal: the minimum ratio of the speed to that of C.
ROWS = [
    ("JPEG, full size", "photos", "whole", 10, 0.95),
    ("JPEG to 256 px", "photos", "256", 20, 0.90),
    ("small JPEG, 320 to 256 px", "small", "256", 100, 0.90),
    ("progressive JPEG to 256 px", "progressive", "256", 10, 0.97),  # equal, minus the noise of an idle machine
    ("PNG, photographs", "png", "whole", 5, 1.4),
    ("PNG, graphics", "graphics", "whole", 5, 1.4),
    ("PNG through libpng: interlaced or large", "slow-png", "whole", 3, 0.95),
    ("WebP, full size", "webp", "whole", 5, 0.95),
    ("WebP to 256 px", "webp", "256", 5, 0.90),
    ("lossless WebP, full size", "webp-lossless", "whole", 3, 0.95),
    ("GIF, first frame", "gif", "whole", 5, 0.95),
    ("AVIF, full size", "avif", "whole", 3, 0.95),
    ("AVIF to 256 px", "avif", "256", 3, 0.90),
]
TWO_THREADS = 1.85
MOST_DIFFERENCE = 2  # levels. Two ways to round one average differ less; a larger difference means another scale or offset
PEAK = 40_000_000  # bytes, for an image of 12 Mpx to 256 px

arguments = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
arguments.add_argument("set", type=Path, metavar="OUT", help="the folder that make-set.py wrote")
arguments.add_argument("--rounds", type=int, default=11, help="number of rounds (default: 11)")
arguments.add_argument("--only", default="", metavar="TEXT", help="measure only rows whose name contains TEXT")
arguments.add_argument("--no-peers", action="store_true", help="do not measure Pillow, pyvips and OpenCV")
arguments.add_argument(
    "--also", action="append", default=[], metavar="NAME=COMMAND", help="measure one more program with the same"
    " commands, such as decoding-times of another branch",
)
arguments.add_argument("--strict", action="store_true", help="exit with code 1 if a goal is missed")
options = arguments.parse_args()


class Program:
    """A process that reads decoding commands."""

    def __init__(self, name, command, errors=None):
        self.name, self.command, self.errors = name, command, errors
        self.process, self.first = None, {}

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, bufsize=1
        )
        self.first = {}  # folder: number of its first file
        self.count = 0
        return self

    def ask(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.process.stdout.readline()
        if not answer:
            raise EOFError(f"{self.name} ended at the command '{command}'")
        return answer.split()

    def load(self, folder, files):
        if folder in self.first:
            return
        self.first[folder] = self.count
        for file in files:
            self.ask(f"load {file}")
        self.count += len(files)

    def run(self, folder, operation, start, end, threads=1):
        """Returns the CPU and wall-clock seconds for the files `start` to `end` of a folder."""
        first = self.first[folder]
        cpu, wall = self.ask(f"run {operation} {first + start} {first + end} {threads}")
        return float(cpu), float(wall)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def build():
    """Builds both programs. Returns the command of the program with Cellophane and of the one in C."""
    subprocess.run(
        ["swift", "build", "-c", "release", "--product", "decoding-times"], cwd=HERE, check=True, stdout=sys.stderr
    )
    baseline = HERE / ".build/decoding-baseline"
    flags = command_output("pkg-config", "--cflags", "--libs", "libpng", "libjpeg", "libwebp", "libavif").split()
    compiler = [os.environ.get("CC", "cc"), "-O3", HERE / "Decoding/baseline.c", "-o", baseline]
    subprocess.run([*compiler, *flags, "-lgif", "-lpthread"], check=True)
    return [HERE / ".build/release/decoding-times"], [baseline]


def compare(ours, c, folder, operation, count):
    """Returns the largest difference between the pixels of the two programs, over all images of a row."""
    most = 0
    with tempfile.TemporaryDirectory() as directory:
        paths = [Path(directory) / program.name for program in (ours, c)]
        for number in range(count):
            sizes = [
                program.ask(f"save {operation} {program.first[folder] + number} {path}")
                for program, path in zip((ours, c), paths)
            ]
            mine, theirs = (path.read_bytes() for path in paths)
            if sizes[0] != sizes[1]:
                sys.exit(f"{folder}, image {number}: the programs decode to different sizes, {sizes}")
            if mine != theirs:
                most = max(most, max(abs(x - y) for x, y in zip(mine, theirs)))
    return most


def measure(programs, folder, operation, count, at_a_time):
    """Returns the CPU seconds per image of every program, one number per round."""
    rounds = {program.name: [] for program in programs}
    for turn in range(options.rounds):
        spent = dict.fromkeys(rounds, 0.0)
        for index, start in enumerate(range(0, count, at_a_time)):
            shift = (turn + index) % len(programs)
            for program in programs[shift:] + programs[:shift]:
                spent[program.name] += program.run(folder, operation, start, min(start + at_a_time, count))[0]
        for name, seconds in spent.items():
            rounds[name].append(seconds / count)
    return rounds


def ratio(mine, theirs):
    """Returns the ratio of the speeds, the median with both quartiles over the rounds."""
    ratios = [there / here for here, there in zip(mine, theirs)]
    lower, median, upper = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return median, lower, upper


def threads(programs, folder, operation, count):
    """Returns the wall-clock speed of two threads relative to one thread, with the quartiles over the rounds."""
    walls = {program.name: ([], []) for program in programs}
    for turn in range(options.rounds):
        for program in programs[turn % 2 :] + programs[: turn % 2]:
            for number in (1, 2):
                walls[program.name][number - 1].append(program.run(folder, operation, 0, count, number)[1])
    return {name: ratio(two, one) for name, (one, two) in walls.items()}


def peak(program, file):
    """Returns the peak memory of one decoding to 256 px, minus the memory of the process with the file loaded."""
    program.start()
    program.load("large", [file])
    held = int(program.ask("peak 256 0")[0])
    program.stop()
    return held


def is_there(program):
    try:
        program.start().ask(f"load {files_of('small')[0]}")
        program.stop()
        return True
    except EOFError:
        print(f"{program.name} is not installed for {sys.executable}; not measured", file=sys.stderr)
        return False


def files_of(folder):
    return sorted((options.set / folder).glob("*.*"))


def versions():
    found = [f"{name} {command_output('pkg-config', '--modversion', name)}" for name in ("libjpeg", "libpng", "libwebp")]
    for name in ("Pillow", "pyvips-binary", "pyvips", "opencv-python-headless"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{name} {importlib.metadata.version(name)}")
    return ", ".join(found)


def command_output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if not files_of("small"):
    sys.exit(f"{options.set} is not a set of images; run Benchmarks/Decoding/make-set.py to make one")
our_command, c_command = build()
ours, c = Program(OURS, our_command), Program(C, c_command)
others = [Program(name, shlex.split(command)) for name, command in (text.split("=", 1) for text in options.also)]
peers = [
    # Discards the libraries' warnings about single images.
    Program(name, [sys.executable, HERE / "Decoding/peers.py", name], errors=subprocess.DEVNULL)
    for name in ([] if options.no_peers else PEERS)
]
others += [peer for peer in peers if is_there(peer)]
programs = [program.start() for program in (ours, c, *others)]
missed = []

names = [program.name for program in others]
print(versions() + "\n")
print("| CPU time per image | " + " | ".join(["images", C, OURS, "speed, ratio to C", "goal", *names]) + " |")
print("|---|" + "---|" * (5 + len(names)))
differences = []
for name, folder, operation, at_a_time, goal in ROWS:
    files = files_of(folder)
    if options.only not in name or not files:
        continue
    for program in programs:
        program.load(folder, files)
    difference = compare(ours, c, folder, operation, len(files))
    differences.append((name, difference))
    if operation == "whole" and difference > 0 or difference > MOST_DIFFERENCE:
        missed.append(f"{name}: pixels differ, so the speeds cannot be compared")
    rounds = measure(programs, folder, operation, len(files), at_a_time)
    milliseconds = [f"{statistics.median(rounds[program]) * 1e3:.2f} ms" for program in (C, OURS)]
    median, lower, upper = ratio(rounds[OURS], rounds[C])
    if median < goal:
        missed.append(name)
    print(
        f"| {name} | {len(files)} | {' | '.join(milliseconds)} | {median:.2f} ({lower:.2f}-{upper:.2f}) | {goal:.2f} | "
        + "".join(f"{ratio(rounds[other], rounds[C])[0]:.2f} | " for other in names),
        flush=True,
    )
print("\nLargest difference from C's pixels: " + ", ".join(f"{name} {most}" for name, most in differences))

for name, operation in (("full size", "whole"), ("to 256 px", "256")):
    if options.only not in f"two threads, JPEG {name}":
        continue
    for program in (ours, c):
        program.load("photos", files_of("photos"))
    gains = threads([ours, c], "photos", operation, len(files_of("photos")))
    if gains[OURS][0] < TWO_THREADS:
        missed.append(f"two threads, JPEG {name}")
    print(
        f"\nSpeed of two threads, ratio to one thread, JPEG {name}: "
        + ", ".join(f"{program} %.2f (%.2f-%.2f)" % gain for program, gain in gains.items())
        + f"; goal {TWO_THREADS}"
    )
for program in programs:
    program.stop()

if options.only in "peak memory":
    peaks = {program.name: peak(program, options.set / "large/large.jpg") for program in programs}
    if peaks[OURS] > PEAK:
        missed.append("peak memory")
    print(
        "\nPeak memory in excess of the file, 12 Mpx to 256 px: "
        + ", ".join(f"{program} {held / 1e6:.1f} MB" for program, held in peaks.items())
        + f"; goal {PEAK / 1e6:.0f} MB"
    )
if missed:
    print("\nGoals missed: " + ", ".join(missed))
sys.exit(1 if missed and options.strict else 0)
