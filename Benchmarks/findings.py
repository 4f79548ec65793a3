#!/usr/bin/env python3
"""Compares prefetch policies, eviction policies and cache sizes over every case of the suite v1, as Markdown tables.

Each setting is compared with the first one in pairs of replicas under the same seeds. A value is bold where it is
confirmed to be better and struck out where it is confirmed to be worse, by at least 0.05 points and with an error probability
of 5 % for the whole table (Holm, 1979). The script needs the tool built by `make build` and takes more than an hour on two cores;
--results resumes an interrupted run. The same tool gives the same tables on every machine.
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
PREFETCH = ["rows:8", "none", "rows:16", "rows:8,2.5", "asdk", "landing"]
EVICTION = ["lru", "sieve", "s3-fifo", "arc", "w-tinylfu", "farthest-row"]
MEMORY = ["50MB", "0", "4MB", "16MB", "100MB", "200MB"]
CONDITIONS = [("Android", "--physics", "android"), ("HTTP/2", "--http", "2")]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
arguments.add_argument("--replicas", default=200, type=int)
arguments.add_argument("--seed", default=1001, type=int, help="the first seed (default: 1001)")
arguments.add_argument("--only", choices=["prefetch", "conditions", "ablation", "eviction", "memory"])
arguments.add_argument("--results", type=Path, help="a folder for results; results that it already has are reused")
options = arguments.parse_args()
scratch = tempfile.TemporaryDirectory()
options.results = options.results or Path(scratch.name)
options.results.mkdir(exist_ok=True)


def sweep(name, case, parameter, values, *others):
    """Returns the metrics of a sweep by value."""
    file = options.results / ("-".join([name, *case.split("/")]) + ".json")
    # An interrupted sweep writes a result of its finished cases.
    if not file.exists() or "incomplete" in json.loads(file.read_text()):
        command = [options.tool, "simulate", "--suite-case", case, "--replicas", str(options.replicas), "--seed",
                   str(options.seed), "--quiet",
                   "--sweep", f"{parameter}={';'.join(values)};", *others, "--json", file]
        subprocess.run(command, check=True)
    return {one["values"][0]: one["metrics"] for one in json.loads(file.read_text())["cases"]}


class Family:
    """The comparisons of one table, which share an error probability of 5 % (Holm, 1979)."""

    def __init__(self, numbers):
        known = sorted(p for p in (self.p(number) for number in numbers) if p is not None)
        self.largest = -1
        for index, p in enumerate(known):
            if p > 0.05 / (len(known) - index):
                break
            self.largest = p

    @staticmethod
    def p(number):
        return (number.get("less_first") or {}).get("p")

    def better(self, number, lower=True):
        """Returns 1 if the number is better than the first, -1 if it is worse, and 0 if neither is confirmed."""
        p = self.p(number)
        if p is None or p > self.largest or abs(number["less_first"]["mean"]) < 0.0005:
            return 0
        return 1 if (number["less_first"]["mean"] < 0) == lower else -1

    def cell(self, number, lower=True):
        text = f"{100 * number['mean']:.1f}"
        return {1: f"**{text}**", -1: f"~~{text}~~", 0: text}[self.better(number, lower)]


def difference(number):
    """Returns the difference from the first value, with its interval."""
    less = number["less_first"]
    low, high = less["ci95"]
    return f"{100 * less['mean']:+.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def head(first, values):
    print(f"| {first} | " + " | ".join(values) + " |\n|---|" + "---|" * len(values))


def table(title, name, parameter, values, metric, lower, cases, *others):
    """Prints a metric by case and value; returns all metrics by case. The name is that of the files of results."""
    print(f"\n### {title}\n")
    everything = {case: sweep(name, case, parameter, values, *others) for case in cases}
    family = Family(found[value][metric] for found in everything.values() for value in values)
    head("case, in %", values)
    tally = {value: [0, 0, 0.0] for value in values}
    for case, found in everything.items():
        print(f"| {case} | " + " | ".join(family.cell(found[value][metric], lower) for value in values) + " |")
        for value in values:
            number = found[value][metric]
            tally[value][0] += family.better(number, lower) == 1
            tally[value][1] += family.better(number, lower) == -1
            tally[value][2] += number["mean"] / len(cases)
    print("| mean | " + " | ".join(f"{100 * tally[value][2]:.1f}" for value in values) + " |")
    print("| better, worse | | " + " | ".join(f"{tally[v][0]}, {tally[v][1]}" for v in values[1:]) + " |")
    return everything


def differences(found, values, metric):
    print("\nDifference from the first in points, with 95 % intervals:\n")
    head("case", values[1:])
    for case, one in found.items():
        print(f"| {case} | " + " | ".join(difference(one[value][metric]) for value in values[1:]) + " |")


def costs(found, values):
    print("\nMB per minute over the network, then the MB of images that were never shown:\n")
    head("list, network", values)
    for network in dict.fromkeys(case.rsplit("/", 1)[0] for case in found):
        ones = [one for case, one in found.items() if case.startswith(network + "/")]
        cells = []
        for value in values:
            down, wasted = (sum(one[value][metric]["mean"] for one in ones) / len(ones) / 1e6
                            for metric in ("bytes_down", "wasted_bytes"))
            cells.append(f"{down:.2f}, {wasted:.2f}")
        print(f"| {network} | " + " | ".join(cells) + " |")


def cases(networks=NETWORKS, lists=LISTS):
    return [f"{a}/{b}/{c}" for a in lists for b in networks for c in PROFILES]


if options.only in (None, "prefetch"):
    found = table("Blank share by prefetch policy", "prefetch", "prefetch", PREFETCH, "blank_ratio", True, cases())
    differences(found, PREFETCH, "blank_ratio")
    costs(found, PREFETCH)
if options.only in (None, "conditions"):
    # On wpt-fios most cases measure the first screen, and on wpt-3gslow the cards stay blank.
    for name, *others in CONDITIONS:
        chosen = [policy for policy in PREFETCH if policy != "none"]
        found = table(f"Blank share by prefetch policy, {name}", name.lower().replace("/", ""), "prefetch", chosen,
                      "blank_ratio", True, cases(["wpt-lte", "lh-slow4g"]), *others)
        differences(found, chosen, "blank_ratio")
if options.only in (None, "ablation"):
    # At rest, `landing` loads twelve thumbnails, so its difference from `rows:12` is the gain from knowing the fling.
    chosen = ["rows:12", "rows:8", "landing", "rows:16"]
    found = table("Blank share of thumbnails with and without knowledge of the fling", "ablation", "prefetch", chosen,
                  "blank_ratio", True, cases(NETWORKS[1:], LISTS[:1]))
    differences(found, chosen, "blank_ratio")
if options.only in (None, "eviction"):
    # The cache holds several screens, but not every image of a run.
    for name, memory in [("thumbnails", "1MB"), ("cards", "8MB")]:
        found = table(
            f"Memory hit rate by eviction policy, {name}, memory of {memory}", "eviction", "policy", EVICTION,
            "hit_ratio.memory", False, cases(["wpt-lte", "lh-slow4g"], [name]), "--memory", memory)
        differences(found, EVICTION, "hit_ratio.memory")
if options.only in (None, "memory"):
    for density in ["2", "3"]:
        chosen = [f"{a}/{b}/{c}" for a in LISTS for b in ["wpt-fios", "wpt-lte"] for c in ["browser", "skimmer"]]
        found = table(f"Blank share by memory size, {density} pixels per point", f"memory{density}", "memory", MEMORY,
                      "blank_ratio", True, chosen, "--density", density)
        differences(found, MEMORY, "blank_ratio")
