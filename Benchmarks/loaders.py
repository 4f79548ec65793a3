#!/usr/bin/env python3
"""Plays the cases of suite v1 with Cellophane and with the rules of Nuke, Kingfisher, Coil and Glide, and prints a
Markdown table with the mean of each metric over the cases.

The seeds begin at 1001, which were not used to choose the defaults of Cellophane. A cell of a case is the mean over the
replicas; a number of the table is the mean over the cases. "better" and "worse" count the cases with a confirmed
difference of the blank share from that of Cellophane: the probability of any false one in the table is 5 % (Holm, 1979),
and it is at least 0.05 points. Needs the tool, built by `make build`.
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

LOADERS = ["cellophane", "nuke", "kingfisher", "coil", "glide"]
HERE = Path(__file__).resolve().parent

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", default=HERE.parent / ".build/release/cellophane", type=Path, help="path of the tool")
parser.add_argument("--seed", type=int, default=1001, help="first seed (default: 1001)")
parser.add_argument("--replicas", type=int, default=20, help="seeds of each case (default: 20)")
parser.add_argument("--prefetch", default="rows:8,2.5",
                    help="prefetch policy of all loaders; with rows:8,2.5, each library has its own (default: rows:8,2.5)")
parser.add_argument("--cases", default="", help="play only cases whose names contain this text (default: all)")
parser.add_argument("--json", type=Path, help="write the numbers of each case to this file")
options = parser.parse_args()

METRICS = {
    "blank": lambda run: run["blank_ratio"].get("mean"),
    "seen within 0.4 s": lambda run: run["seen_within.400ms"].get("mean"),
    "bytes": lambda run: run["bytes_down"].get("mean"),
    "wasted": lambda run: run["wasted_bytes"].get("mean"),
}


def tool(*arguments):
    return subprocess.run([options.tool, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


# The names of suite v1 have three parts.
cases = [case for case in tool("simulate", "--list", "cases").split() if case.count("/") == 2 and options.cases in case]
numbers = {}
for case in cases:
    result = json.loads(tool(
        "simulate", "--suite-case", case, "--seed", options.seed, "--replicas", options.replicas, "--quiet", "--json", "-",
        # The suite sets rows:8. With the default of Cellophane, each loader has its own policy.
        "--prefetch", options.prefetch, "--sweep", "loader=" + ",".join(LOADERS)))
    numbers[case] = {one["values"][0]: one["metrics"] for one in result["cases"]}
    print(f"{len(numbers)} of {len(cases)}: {case}", flush=True)
if options.json:
    options.json.write_text(json.dumps(numbers))


def mean(loader, metric):
    values = [METRICS[metric](numbers[case][loader]) for case in cases]
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def difference(case, loader):
    return numbers[case][loader]["blank_ratio"].get("less_first") or {}


def largest_confirmed():
    """Returns the largest p-value that Holm's method confirms among all cases and loaders; -1 without one."""
    known = sorted(p for case in cases for loader in LOADERS[1:] if (p := difference(case, loader).get("p")) is not None)
    largest = -1
    for index, p in enumerate(known):
        if p > 0.05 / (len(known) - index):
            break
        largest = p
    return largest


def verdicts(loader):
    """Returns the numbers of cases in which the loader is better and worse than Cellophane."""
    means = [one["mean"] for case in cases if (one := difference(case, loader)).get("p") is not None
             and one["p"] <= limit and abs(one["mean"]) >= 0.0005]
    return sum(mean < 0 for mean in means), sum(mean > 0 for mean in means)


limit = largest_confirmed()
print("\n| Loader | Blank | Better, worse (cases) | Seen within 0.4 s | Bytes | Wasted |")
print("|---|---|---|---|---|---|")
for loader in LOADERS:
    blank, seen, received, wasted = (mean(loader, metric) for metric in METRICS)
    better, worse = verdicts(loader)
    compared = "–" if loader == "cellophane" else f"{better}, {worse}"
    print(f"| {loader} | {blank:.1%} | {compared} | {seen:.1%} | {received / 1e6:.2f} MB | {wasted / 1e6:.2f} MB |")
