#!/usr/bin/env python3
"""Compares the eviction policies of this package with libCacheSim and Caffeine on the same requests, as a Markdown table
of hit counts.

The requests are those of simulated lists to the memory cache (`simulate --export-requests`), and a sample from a Zipf
distribution. Every object has the size 1, so the capacity is a number of objects.

- libCacheSim's S3-FIFO is a variant of the algorithm in the paper; Cellophane implements the paper. The class
  OtherS3FIFO below implements the variant and must have the same hits as the library.
- W-TinyLFU is compared with Caffeine 2.6 (Debian's `libcaffeine-java`), which has a fixed window of 1 %. So the
  comparison uses Scripts/eviction/policies.py without the hill climber. Caffeine uses a new random hash for each cache
  and starts to count when the cache is half full. The table shows the minimum and maximum of 20 runs. The result must
  lie between them, with a tolerance of 1 % of the requests.

Exits with code 1 if results that must agree differ. Needs the tool, built by `make build`, and `pip install libcachesim`;
without libCacheSim it prints a message and exits with code 0. Without Java or Caffeine, its column is empty.
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
    print("skipped: libCacheSim is not installed; run `pip install libcachesim`", file=sys.stderr)
    sys.exit(0)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Scripts/eviction"))
from policies import WTinyLFU  # noqa: E402

CAFFEINE = Path("/usr/share/java/caffeine.jar")
CAPACITIES = [20, 50, 100, 200]
SAME = {"lru": libcachesim.LRU, "sieve": libcachesim.Sieve, "arc": libcachesim.ARC}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane", help="path of the tool")
options = arguments.parse_args()


class OtherS3FIFO:
    """S3-FIFO as in libCacheSim (S3FIFO.c, 2024). It differs from the paper's algorithm 1 in two points. The main queue also
    accepts new objects until the cache is full for the first time. The main queue evicts only if it exceeds its share,
    not whenever the small queue is below its share."""

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
    """Returns the requests of the rows that a list shows in an hour of scrolling."""
    layout, profile = case.split("/")
    file = folder / "requests.csv"
    subprocess.run([options.tool, "simulate", "--layout", layout, "--profile", profile, "--duration", "1h",
                    "--replicas", "1", "--quiet", "--export-requests", file], check=True)
    return [int(line.split(",")[1]) for line in file.read_text().splitlines()[1:]]


def zipf():
    draw = random.Random(1)
    return draw.choices(range(2_000), [1 / (rank + 1) ** 0.8 for rank in range(2_000)], k=50_000)


def ours(requests, folder):
    """Returns the hits of every policy by capacity."""
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
        # libCacheSim does not accept 0 as an id.
        request.obj_id = one + 1
        hits.append(bool(cache.get(request)))
    return hits


class FixedWindow(WTinyLFU):
    def climb(self):
        pass


def caffeine(folder):
    """Returns the minimum and maximum of Caffeine's hits by capacity, on the requests that `ours` wrote. The result is
    empty if Java or Caffeine is not installed."""
    if not (shutil.which("java") and CAFFEINE.exists()):
        return {}
    command = ["java", "-cp", CAFFEINE, HERE / "CaffeineHits.java", folder / "requests.txt", *map(str, CAPACITIES)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {size: tuple(map(int, line.split())) for size, line in zip(CAPACITIES, lines)}


failures = 0
print("| requests | capacity | lru | sieve | arc | s3-fifo | libCacheSim's s3-fifo | w-tinylfu | w-tinylfu, fixed window |"
      " Caffeine |")
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
                cells.append(f"{hits[policy]}" if hits[policy] == beside else f"{hits[policy]}, libCacheSim {beside}")
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
print(f"\n{failures} differences." if failures else "\nlru, sieve and arc have the same hits as libCacheSim."
      + (" w-tinylfu with a fixed window agrees with Caffeine." if of_caffeine else ""))
sys.exit(1 if failures else 0)
