#!/usr/bin/env python3
"""This package's eviction policies beside libCacheSim's, on the same requests: how often each hits, as a Markdown table.

The requests are what a simulated list asks its memory for (`simulate --export-requests`) and a draw from a Zipf
distribution. Every thing counts as one, so that a cache is as many things. libCacheSim's S3-FIFO is another variant than
the paper's, which is ours: it is written down below, and must hit where the library does. W-TinyLFU is compared with
Caffeine 2.6 (Debian's `libcaffeine-java`), whose window stays at 1 %: ours without its hill climber, as
Scripts/eviction/policies.py has it. Caffeine draws its hash anew for each cache and counts nothing until that is half
full, so that two numbers of it are given, the fewest and the most hits of twenty runs; ours must lie between them, or
within a hundredth of the requests. Exit code 1 when anything that should agree does not.

Needs the tool, built by `make build`, and `pip install libcachesim`; without that it says so and ends. Without Java or
Caffeine that column stays empty.
"""
import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import OrderedDict
from pathlib import Path

try:
    import libcachesim
except ImportError:
    print("skipped: libCacheSim's Python binding is not there; pip install libcachesim", file=sys.stderr)
    sys.exit(0)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Scripts/eviction"))
from policies import WTinyLFU  # noqa: E402

CAFFEINE = Path("/usr/share/java/caffeine.jar")
CAPACITIES = [20, 50, 100, 200]
SAME = {"lru": libcachesim.LRU, "sieve": libcachesim.Sieve, "arc": libcachesim.ARC}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
options = arguments.parse_args()


class OtherS3FIFO:
    """S3-FIFO as libCacheSim has it (S3FIFO.c, 2024). Unlike the paper's algorithm 1, the main queue takes newcomers, too,
    until the cache is full for the first time; and it gives way only when it is larger than its share, not whenever the
    small queue is smaller than its own."""

    def __init__(self, capacity):
        self.capacity, self.small_share, self.ghost_share = capacity, int(capacity * 0.1), int(capacity * 0.9)
        self.small, self.main, self.ghost = OrderedDict(), OrderedDict(), OrderedDict()
        self.was_full = False

    def get(self, key):
        for queue in (self.small, self.main):
            if key in queue:
                queue[key] += 1
                return True
        comes_back = self.ghost.pop(key, None) is not None
        while len(self.small) + len(self.main) >= self.capacity:
            self.evict()
        is_filling = not self.was_full and len(self.small) >= self.small_share
        (self.main if comes_back or is_filling else self.small)[key] = 0
        return False

    def evict(self):
        self.was_full = True
        if len(self.main) > self.capacity - self.small_share or not self.small:
            while self.main:
                key, uses = self.main.popitem(last=False)
                if not uses:
                    return
                self.main[key] = min(uses, 3) - 1
        while self.small:
            key, uses = self.small.popitem(last=False)
            if uses < 2:
                while len(self.ghost) >= self.ghost_share:
                    self.ghost.popitem(last=False)
                self.ghost[key] = True
                return
            self.main[key] = 0


def list_requests(case, folder):
    """What the rows of an hour ask for that a list shows."""
    layout, profile = case.split("/")
    file = folder / "requests.csv"
    subprocess.run([options.tool, "simulate", "--layout", layout, "--profile", profile, "--duration", "1h",
                    "--replicas", "1", "--quiet", "--export-requests", file], check=True)
    return [int(line.split(",")[1]) for line in file.read_text().splitlines()[1:]]


def zipf():
    draw = random.Random(1)
    return draw.choices(range(2_000), [1 / (rank + 1) ** 0.8 for rank in range(2_000)], k=50_000)


def ours(requests, folder):
    """The hits of every policy, by capacity."""
    (folder / "requests.txt").write_text("".join(f"{one}\n" for one in requests))
    command = [options.tool, "simulate", "--requests", folder / "requests.txt", "--requests-format", "txt", "--policy",
               "all", "--sizes", ",".join(map(str, CAPACITIES)), "--quiet", "--json", folder / "result.json"]
    subprocess.run(command, check=True)
    return {
        size["bytes"]: {name: round(one["hit_ratio"] * len(requests)) for name, one in size["policies"].items()}
        for size in json.loads((folder / "result.json").read_text())["sizes"]
    }


def theirs(cache, requests):
    request, hits = libcachesim.Request(), []
    request.obj_size = 1
    for one in requests:
        # 0 is no id there.
        request.obj_id = one + 1
        hits.append(bool(cache.get(request)))
    return hits


class FixedWindow(WTinyLFU):
    def climb(self):
        pass


def caffeine(folder):
    """The fewest and the most hits of Caffeine by capacity, on the requests that `ours` wrote; nothing when it is not there."""
    if not (shutil.which("java") and CAFFEINE.exists()):
        return {}
    command = ["java", "-cp", CAFFEINE, HERE / "CaffeineHits.java", folder / "requests.txt", *map(str, CAPACITIES)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {size: tuple(map(int, line.split())) for size, line in zip(CAPACITIES, lines)}


failures = 0
print("| requests | things kept | lru | sieve | arc | s3-fifo | libCacheSim's s3-fifo | w-tinylfu | with a fixed window |"
      " Caffeine's |")
print("|---|---|---|---|---|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    traces = {"Zipf 0.8 of 2 000": zipf()}
    for case in ("thumbnails/browser", "thumbnails/skimmer", "cards/browser", "cards/skimmer"):
        traces[case] = list_requests(case, folder)
    for trace, requests in traces.items():
        found, of_caffeine = ours(requests, folder), caffeine(folder)
        for capacity in CAPACITIES:
            hits, cells = found[capacity], []
            for policy, other in SAME.items():
                beside = sum(theirs(other(capacity), requests))
                failures += hits[policy] != beside
                cells.append(f"{hits[policy]}" if hits[policy] == beside else f"{hits[policy]}, there {beside}")
            other, mine = theirs(libcachesim.S3FIFO(capacity), requests), OtherS3FIFO(capacity)
            failures += other != [mine.get(one) for one in requests]
            fixed = FixedWindow(capacity)
            fixed_hits = sum(fixed.request(one, 1, 0, 0) for one in requests)
            fewest, most = of_caffeine.get(capacity, (fixed_hits, fixed_hits))
            margin = 0.01 * len(requests)
            failures += not fewest - margin <= fixed_hits <= most + margin
            cells += [f"{hits['s3-fifo']}", f"{sum(other)}", f"{hits['w-tinylfu']}", f"{fixed_hits}"]
            cells.append(f"{fewest} to {most}" if of_caffeine else "")
            print(f"| {trace}, {len(requests)} | {capacity} | " + " | ".join(cells) + " |", flush=True)
print(f"\n{failures} disagreements." if failures else "\nlru, sieve and arc hit as often as libCacheSim's."
      + (" w-tinylfu with a fixed window hits as often as Caffeine." if of_caffeine else ""))
sys.exit(1 if failures else 0)
