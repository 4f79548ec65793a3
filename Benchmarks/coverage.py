#!/usr/bin/env python3
"""Measures how often a 95 % interval of few replicas contains the mean, as a Markdown table.

Reads the results of `Benchmarks/findings.py --only prefetch --results RESULTS`. The 200 values of a number in a case are the
population, so its mean is known. Each experiment draws 10, 20 or 50 of them with replacement and computes two intervals: the
bootstrap-t interval with random weights that `simulate` prints (Owen, arXiv:2508.10083, 2025), here computed by numpy, and
Student's t. The table shows the share of the experiments whose interval contains the mean: the mean over the cases, and the
lowest and the highest case. Cases in which a number hardly varies are left out.

Needs numpy. The same results and the same seed give the same table.
"""
import argparse
import json
from pathlib import Path

import numpy

# Student's t for 0.975, by the number of replicas.
QUANTILES = {10: 2.2622, 20: 2.0930, 50: 2.0096}
NUMBERS = {
    "blank share": lambda case: case["rows:8"],
    "`rows:16` minus `rows:8`": lambda case: case["rows:16"] - case["rows:8"],
    "`none` minus `rows:8`": lambda case: case["none"] - case["rows:8"],
}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("results", type=Path, help="the folder of results")
arguments.add_argument("--experiments", type=int, default=1000, help="the number of experiments (default: 1000)")
arguments.add_argument("--resamples", type=int, default=1000, help="the resamples of an interval (default: 1000)")
arguments.add_argument("--seed", type=int, default=1, help="the seed of the draws (default: 1)")
options = arguments.parse_args()
draw = numpy.random.default_rng(options.seed)


def covered(population, count):
    """Returns the shares of the intervals of `simulate` and of Student's t that contain the mean of the population."""
    # All experiments share these weights; only their samples differ.
    weights = draw.beta(0.5, 1.5, (options.resamples, count))
    weights /= weights.sum(axis=1, keepdims=True)
    hits = numpy.zeros(2)
    for _ in range(options.experiments):
        sample = draw.choice(population, count)
        error = sample.std(ddof=1) / count**0.5
        distance = population.mean() - sample.mean()
        if error == 0:
            hits += distance == 0
            continue
        values = sample - sample.mean()
        shifts = weights @ values
        spread = numpy.sqrt(numpy.maximum(weights @ values**2 - shifts**2, 0) / count)
        ratios = numpy.divide(shifts, spread, out=numpy.zeros_like(shifts), where=shifts != 0)
        low, high = numpy.quantile(ratios, [0.025, 0.975])
        hits += [-high * error <= distance <= -low * error, abs(distance) <= QUANTILES[count] * error]
    return hits / options.experiments


cases = {}
for file in sorted(options.results.glob("prefetch-*.json")):
    study = json.loads(file.read_text())
    values = {one["values"][0]: numpy.array(one["metrics"]["blank_ratio"]["replicas"]) for one in study["cases"]}
    if {"none", "rows:8", "rows:16"} <= values.keys():
        cases[file.stem] = values
print("| number | cases | interval | " + " | ".join(f"{count} replicas" for count in QUANTILES) + " |")
print("|---|---|---|" + "---|" * len(QUANTILES))
for name, number in NUMBERS.items():
    # Differences below 0.05 points count as none, so numbers that vary less are left out.
    populations = [values for values in map(number, cases.values()) if values.std() > 0.0005]
    found = [[covered(values, count) for values in populations] for count in QUANTILES]
    for index, kind in enumerate(["simulate", "Student's t"]):
        cells = [[100 * one[index] for one in shares] for shares in found]
        print(f"| {name} | {len(populations)} | {kind} | " + " | ".join(
            f"{sum(cell) / len(cell):.1f} % ({min(cell):.1f} to {max(cell):.1f})" for cell in cells) + " |")
