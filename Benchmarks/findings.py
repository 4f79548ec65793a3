#!/usr/bin/env python3
"""Which prefetch, which eviction, which cache size: every case of the simulator's suite v1 under each, as Markdown tables.

Each setting is compared with the first one by pairs of replicas under the same seeds: bold where it is shown to be
better, struck out where it is shown to be worse, by a 95 % interval that does not cover 0. Needs the tool, built by
`make build`; takes some minutes on two cores. The same tool gives the same tables on every machine.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LISTS = ["thumbnails", "cards"]
NETWORKS = ["wpt-fios", "wpt-lte", "lh-slow4g", "wpt-3gslow"]
PROFILES = ["reader", "browser", "skimmer"]
PREFETCH = ["none", "rows:2", "rows:8", "screens:1,0", "asdk", "compose", "flutter", "deadline", "landing"]
EVICTION = ["lru", "sieve", "s3-fifo", "arc", "w-tinylfu", "farthest-row"]
MEMORY = ["50MB", "0", "1MB", "4MB", "16MB", "200MB"]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
arguments.add_argument("--replicas", default=20, type=int)
arguments.add_argument("--only", choices=["prefetch", "eviction", "memory"])
options = arguments.parse_args()


def sweep(case, parameter, values, *others):
    """The cases of a sweep, by value."""
    with tempfile.NamedTemporaryFile() as file:
        command = [options.tool, "simulate", "--suite-case", case, "--replicas", str(options.replicas), "--quiet",
                   "--sweep", f"{parameter}={';'.join(values)};", *others, "--json", file.name]
        subprocess.run(command, check=True)
        return {one["values"][0]: one["metrics"] for one in json.load(open(file.name))["cases"]}


def better(number, lower=True):
    """1 where it is shown to be better than the first, -1 where worse, else 0."""
    interval = (number.get("less_first") or {}).get("ci95")
    if not interval or interval[0] <= 0 <= interval[1]:
        return 0
    return 1 if (interval[1] < 0) == lower else -1


def cell(number, lower=True):
    text = f"{100 * number['mean']:.1f}"
    return {1: f"**{text}**", -1: f"~~{text}~~", 0: text}[better(number, lower)]


def table(title, parameter, values, metric, lower, cases, *others):
    print(f"\n### {title}\n")
    print("| case, in % | " + " | ".join(values) + " |\n|---|" + "---|" * len(values))
    tally = {value: [0, 0, 0.0] for value in values}
    for case in cases:
        found = sweep(case, parameter, values, *others)
        print(f"| {case} | " + " | ".join(cell(found[value][metric], lower) for value in values) + " |", flush=True)
        for value in values:
            number = found[value][metric]
            tally[value][0] += better(number, lower) == 1
            tally[value][1] += better(number, lower) == -1
            tally[value][2] += number["mean"] / len(cases)
    print("| mean | " + " | ".join(f"{100 * tally[value][2]:.1f}" for value in values) + " |")
    print("| better, worse | | " + " | ".join(f"{tally[v][0]}, {tally[v][1]}" for v in values[1:]) + " |")


def cases(networks=NETWORKS, lists=LISTS):
    return [f"{a}/{b}/{c}" for a in lists for b in networks for c in PROFILES]


if options.only in (None, "prefetch"):
    table("Blank share by prefetch policy", "prefetch", PREFETCH, "blank_ratio", True, cases())
if options.only in (None, "eviction"):
    # Room for some screens, and not for all that is seen.
    for name, memory in [("thumbnails", "1MB"), ("cards", "8MB")]:
        table(f"Memory hit ratio by eviction policy, {name} and a memory of {memory}", "policy", EVICTION,
              "hit_ratio.memory", False, cases(["wpt-lte", "lh-slow4g"], [name]), "--memory", memory)
if options.only in (None, "memory"):
    table("Blank share by memory cache", "memory", MEMORY, "blank_ratio", True, cases(["wpt-lte", "lh-slow4g"]))
