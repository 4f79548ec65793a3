#!/usr/bin/env python3
"""Measures the cost per record of `cellophane prefetch` for lists of 10 000, 1 000 000 and 10 000 000 records.

One record of a hundred has a new URL, whose response is in the cache. The others are duplicates of random earlier
records. The script writes each list to a pipe while it generates it, so the list is not on a disk. It measures complete
processes, all lengths in turn, so each number includes the start of the process; the shortest list shows its cost. Needs
nginx to fill the cache, and the tool, built by `make build`.
"""
import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORT = 8131
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
# Records per generated block, and records per write to the pipe. Large pieces keep the generator faster than the tool.
BLOCK, PIECE = 100, 10_000

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", type=Path, default=HERE.parent / ".build/release/cellophane", help="path of the tool")
parser.add_argument("--lines", type=int, nargs="+", default=[10_000, 1_000_000, 10_000_000],
                    help="lengths of the lists, multiples of 10 000 (default: 10000 1000000 10000000)")
parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
parser.add_argument("--in-flight", type=int, default=16, help="concurrent transfers (default: 16)")
options = parser.parse_args()


def block(number):
    """Returns a hundred URLs that are in no earlier block."""
    return "".join(f"http://127.0.0.1:{PORT}/gallery/pictures/{one:08}.jpg\n"
                   for one in range(number * BLOCK, (number + 1) * BLOCK)).encode()


def pieces(lines):
    """Generates the list. Each piece has one new block and 99 of the blocks so far."""
    choice, blocks = random.Random(1), []
    for number in range(lines // PIECE):
        blocks.append(block(number))
        yield b"".join([blocks[-1]] + choice.choices(blocks, k=PIECE // BLOCK - 1))


class Run:
    """One complete process: its duration, CPU time and peak memory."""

    def __init__(self, pieces, root, *arguments):
        command = [options.tool, "prefetch", "-", "--as", "bytes", "--cache-dir", root / "cache", "--cache-limit", "8GB",
                   "-j", str(options.in_flight), "--quiet", *arguments]
        with open(root / "output", "wb") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output)
            feeder = threading.Thread(target=self.feed, args=(process.stdin, pieces))
            feeder.start()
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
        feeder.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"the tool exited with code {process.returncode}: {(root / 'output').read_text()[-2000:]}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024

    @staticmethod
    def feed(pipe, pieces):
        try:
            with pipe:
                for piece in pieces:
                    pipe.write(piece)
        except BrokenPipeError:
            pass  # the exit code of the process has the reason


def serve(root):
    (root / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error;
        events {{ worker_connections 1024; }}
        http {{ access_log off; keepalive_requests 100000000;
          server {{ listen 127.0.0.1:{PORT};
            location / {{ add_header Cache-Control max-age=864000; return 200 {'x' * 200}; }} }} }}""")
    server = subprocess.Popen([NGINX, "-c", root / "nginx.conf"], stderr=subprocess.DEVNULL)
    while subprocess.run(["curl", "-so", os.devnull, f"http://127.0.0.1:{PORT}/"]).returncode:
        time.sleep(0.05)
    return server


def fill(root):
    server = serve(root)
    try:
        Run((block(number) for number in range(max(options.lines) // PIECE)), root)
    finally:
        server.terminate()
        server.wait()


# In memory, so that the measurement excludes the file system.
with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
    root = Path(folder)
    root.chmod(0o755)  # nginx's workers run as another user
    fill(root)
    # The server is stopped. A URL that is not in the cache would fail.
    runs = {lines: [] for lines in options.lines}
    for _ in range(options.rounds):
        for lines in options.lines:
            runs[lines].append(Run(pieces(lines), root, "--jsonl", os.devnull))
    print("| records | µs per record | CPU | memory |\n|---|---|---|---|")
    for lines, done in runs.items():
        wall, cpu = (statistics.median(values) / lines * 1e6 for values in
                     ([run.wall for run in done], [run.cpu for run in done]))
        memory = statistics.median(run.memory for run in done) / 1e6
        print(f"| {lines:,} | {wall:.2f} | {cpu:.2f} | {memory:.0f} MB |".replace(",", " "))
