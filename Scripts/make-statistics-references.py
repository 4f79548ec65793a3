#!/usr/bin/env python3
"""Writes Tests/CellophaneResultsTests/Statistics/expected.json: replicas of two loaders, with the statistics of
numpy and scipy.

Intervals of means and of paired differences are beta bootstrap-t intervals (Owen, arXiv:2508.10083, 2025), with many more
resamples than in Cellophane. Quantiles come from the sorted waits of all replicas, in which a wait that was cut short is
infinite. Their intervals are expanded percentile intervals (Hesterberg 2015) over the same kind of weights. The script
uses no code of the package.

Needs Python 3.9, numpy and scipy. Run it from the root of the repository. The output is deterministic.
"""

import json
import pathlib

import numpy
import scipy.stats

TARGET = pathlib.Path("Tests/CellophaneResultsTests/Statistics/expected.json")
SHARES = [0.5, 0.75, 0.9, 0.95]
DRAWS = 20_000
MEAN_DRAWS = 400_000


def columns(replicas):
    """Returns the lengths that occur, and the number of waits of each replica and length that ended, and in all."""
    ticks = numpy.unique(numpy.concatenate([replica["ticks"] for replica in replicas]))
    over, cut = numpy.zeros((2, len(replicas), len(ticks)))
    for i, replica in enumerate(replicas):
        places = numpy.searchsorted(ticks, replica["ticks"])
        over[i, places], cut[i, places] = replica["over"], replica["cut"]
    return ticks, over, (over + cut).sum(axis=1)


def quantiles(replicas):
    """Returns the quantiles of the waits of all replicas together, or None where too few waits ended."""
    ticks, over, totals = columns(replicas)
    waits = numpy.repeat(ticks.astype(float), over.sum(axis=0).astype(int))
    waits = numpy.concatenate([waits, numpy.full(int(totals.sum()) - len(waits), numpy.inf)])
    found = [numpy.quantile(waits, share, method="inverted_cdf") for share in SHARES]
    return [None if numpy.isinf(wait) else int(wait) for wait in found]


def drawn_quantiles(replicas, weights):
    """Returns the quantiles for each row of weights of the replicas, or infinity where too few waits ended."""
    ticks, over, totals = columns(replicas)
    shares = (weights @ over).cumsum(axis=1) / (weights @ totals)[:, None]
    found = []
    for share in SHARES:
        reached = shares >= share * (1 - 1e-12)
        found.append(numpy.where(reached.any(axis=1), ticks[reached.argmax(axis=1)], numpy.inf))
    return numpy.array(found)


def quantile_intervals(replicas, others, random):
    """Returns the intervals of the quantiles, and of their differences from the same weights of `others`."""
    count = len(replicas)
    weights = random.beta(0.5, 1.5, (DRAWS, count))
    own, other = drawn_quantiles(replicas, weights), drawn_quantiles(others, weights)
    with numpy.errstate(invalid="ignore"):
        differences = own - other
    tail = 100 * scipy.stats.norm.sf(numpy.sqrt(count / (count - 1)) * scipy.stats.t.isf(0.025, count - 1))

    def interval(samples):
        if numpy.isnan(samples).any():
            return None
        ends = numpy.percentile(samples, [tail, 100 - tail], method="lower")
        return [None if numpy.isinf(end) else float(end) for end in ends]

    return ([interval(samples) for samples in own], [interval(samples) for samples in differences])


def mean_interval(values, random):
    values = numpy.array(values)
    weights = random.beta(0.5, 1.5, (MEAN_DRAWS, len(values)))
    totals = weights.sum(axis=1)
    means = weights @ values / totals
    deviations = numpy.sqrt(weights @ values**2 / totals - means**2)
    low, high = numpy.quantile((means - values.mean()) / deviations, [0.025, 0.975])
    return [float(values.mean() - high * values.std(ddof=1)), float(values.mean() - low * values.std(ddof=1))]


def replica(random, scale, patience):
    """Returns the waits of one replica, counted by length. Some are cut short."""
    waits = random.gamma(2, scale, 300) * random.lognormal(0, 0.3)
    patience = random.exponential(patience, 300)
    lengths = numpy.ceil(numpy.minimum(waits, patience)).astype(int)
    ended = waits <= patience
    ticks = numpy.unique(lengths)
    return {"ticks": ticks, "over": numpy.array([(ended & (lengths == t)).sum() for t in ticks]),
            "cut": numpy.array([(~ended & (lengths == t)).sum() for t in ticks])}


def case(name, seed, count, scale, factor, patience):
    random = numpy.random.default_rng(seed)
    values = [float(v) for v in random.lognormal(-2, 0.5, count)]
    others = [float(v * factor * random.lognormal(0, 0.1)) for v in values]
    waits = [[replica(random, s, patience) for _ in range(count)] for s in (scale, scale * factor)]
    own, differences = quantile_intervals(waits[0], waits[1], random)
    pairs = [a - b for a, b in zip(values, others)]
    return {
        "name": name, "values": values, "others": others,
        "waits": [[{k: v.tolist() for k, v in replica.items()} for replica in side] for side in waits],
        "meanInterval": mean_interval(values, random), "pairInterval": mean_interval(pairs, random),
        "quantiles": quantiles(waits[0]), "quantileIntervals": own, "differenceIntervals": differences,
    }


def main():
    cases = [
        case("twenty replicas, the other a fifth worse", 1, 20, 30, 1.2, 400),
        case("ten replicas, no difference", 2, 10, 50, 1.0, 300),
        case("twelve replicas, many cut short", 3, 12, 80, 0.8, 60),
    ]
    TARGET.write_text(json.dumps(cases, separators=(",", ":")) + "\n")


main()
