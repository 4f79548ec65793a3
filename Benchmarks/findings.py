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
PREFETCH = ["rows:8", "none", "rows:16", "screens:1,0", "asdk", "compose", "flutter", "deadline", "landing"]
EVICTION = ["lru", "sieve", "s3-fifo", "arc", "w-tinylfu", "farthest-row"]
MEMORY = ["50MB", "0", "1MB", "4MB", "16MB", "200MB"]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
arguments.add_argument("--replicas", default=20, type=int)
arguments.add_argument("--only", choices=["prefetch", "eviction", "memory"])
arguments.add_argument("--results", type=Path, help="a folder where results are kept, and taken from when they are there")
options = arguments.parse_args()
scratch = tempfile.TemporaryDirectory()
options.results = options.results or Path(scratch.name)
options.results.mkdir(exist_ok=True)


def sweep(case, parameter, values, *others):
    """The metrics of a sweep, by value."""
    file = options.results / ("-".join([parameter, *case.split("/"), *others]).replace("--", "") + ".json")
    if not file.exists():
        command = [options.tool, "simulate", "--suite-case", case, "--replicas", str(options.replicas), "--quiet",
                   "--sweep", f"{parameter}={';'.join(values)};", *others, "--json", file]
        subprocess.run(command, check=True)
    return {one["values"][0]: one["metrics"] for one in json.loads(file.read_text())["cases"]}


def better(number, lower=True):
    """1 where it is shown to be better than the first, -1 where worse, else 0."""
    interval = (number.get("less_first") or {}).get("ci95")
    if not interval or interval[0] <= 0 <= interval[1]:
        return 0
    return 1 if (interval[1] < 0) == lower else -1


def cell(number, lower=True):
    text = f"{100 * number['mean']:.1f}"
    return {1: f"**{text}**", -1: f"~~{text}~~", 0: text}[better(number, lower)]


def difference(number):
    """What it is more than under the first value, with its interval."""
    less = number["less_first"]
    low, high = less["ci95"]
    return f"{100 * less['mean']:+.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def head(first, values):
    print(f"| {first} | " + " | ".join(values) + " |\n|---|" + "---|" * len(values))


def table(title, parameter, values, metric, lower, cases, *others):
    """Prints a number by case and value; returns everything by case."""
    print(f"\n### {title}\n")
    head("case, in %", values)
    tally = {value: [0, 0, 0.0] for value in values}
    everything = {}
    for case in cases:
        found = everything[case] = sweep(case, parameter, values, *others)
        print(f"| {case} | " + " | ".join(cell(found[value][metric], lower) for value in values) + " |", flush=True)
        for value in values:
            number = found[value][metric]
            tally[value][0] += better(number, lower) == 1
            tally[value][1] += better(number, lower) == -1
            tally[value][2] += number["mean"] / len(cases)
    print("| mean | " + " | ".join(f"{100 * tally[value][2]:.1f}" for value in values) + " |")
    print("| better, worse | | " + " | ".join(f"{tally[v][0]}, {tally[v][1]}" for v in values[1:]) + " |")
    return everything


def differences(found, values, metric):
    print("\nMore than under the first, with 95 % intervals, in points:\n")
    head("case", values[1:])
    for case, one in found.items():
        print(f"| {case} | " + " | ".join(difference(one[value][metric]) for value in values[1:]) + " |")


def costs(found, values):
    print("\nMB a minute over the line, and of these for pictures that were never shown:\n")
    head("list, line", values)
    for line in dict.fromkeys(case.rsplit("/", 1)[0] for case in found):
        ones = [one for case, one in found.items() if case.startswith(line + "/")]
        cells = []
        for value in values:
            down, wasted = (sum(one[value][metric]["mean"] for one in ones) / len(ones) / 1e6
                            for metric in ("bytes_down", "wasted_bytes"))
            cells.append(f"{down:.2f}, {wasted:.2f}")
        print(f"| {line} | " + " | ".join(cells) + " |")


def cases(networks=NETWORKS, lists=LISTS):
    return [f"{a}/{b}/{c}" for a in lists for b in networks for c in PROFILES]


if options.only in (None, "prefetch"):
    found = table("Blank share by prefetch policy", "prefetch", PREFETCH, "blank_ratio", True, cases())
    differences(found, PREFETCH, "blank_ratio")
    costs(found, PREFETCH)
if options.only in (None, "eviction"):
    # Room for some screens, and not for all that is seen.
    for name, memory in [("thumbnails", "1MB"), ("cards", "8MB")]:
        found = table(
            f"Memory hit ratio by eviction policy, {name} and a memory of {memory}", "policy", EVICTION,
            "hit_ratio.memory", False, cases(["wpt-lte", "lh-slow4g"], [name]), "--memory", memory)
        differences(found, EVICTION, "hit_ratio.memory")
if options.only in (None, "memory"):
    found = table("Blank share by memory cache", "memory", MEMORY, "blank_ratio", True, cases())
    differences(found, MEMORY, "blank_ratio")
