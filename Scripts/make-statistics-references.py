#!/usr/bin/env python3
"""Writes Tests/CellophaneResultsTests/Statistics/expected.json: replicas of two loaders, with the statistics of
lifelines and scipy.

Intervals of means and of paired differences come from scipy's percentile bootstrap, with many more resamples than in
Cellophane. Quantiles come from lifelines' Kaplan-Meier estimate of all replicas together. Their intervals come from
numpy, which estimates resampled replicas; some of the resamples are compared with lifelines. The script uses no code of
the package.

Needs Python 3.9, numpy, scipy and lifelines. Run it from the root of the repository. The output is deterministic.
"""

import json
import pathlib

import numpy
from lifelines import KaplanMeierFitter
from scipy.stats import bootstrap

TARGET = pathlib.Path("Tests/CellophaneResultsTests/Statistics/expected.json")
SHARES = [0.5, 0.75, 0.9, 0.95]
DRAWS = 20_000
CHECKED = 20


def quantiles(replicas):
    """Returns the quantiles of the waits of all replicas together, or None where the estimate does not reach them."""
    ticks = numpy.concatenate([replica["ticks"] for replica in replicas])
    over = numpy.concatenate([replica["over"] for replica in replicas])
    cut = numpy.concatenate([replica["cut"] for replica in replicas])
    times = numpy.concatenate([ticks[over > 0], ticks[cut > 0]])
    ended = numpy.concatenate([numpy.ones((over > 0).sum()), numpy.zeros((cut > 0).sum())])
    weights = numpy.concatenate([over[over > 0], cut[cut > 0]])
    curve = KaplanMeierFitter().fit(times, ended, weights=weights).survival_function_["KM_estimate"]
    reached = [curve.index[curve.to_numpy() <= 1 - share + 1e-9] for share in SHARES]
    return [int(times[0]) if len(times) else None for times in reached]


def drawn_quantiles(replicas, draws):
    """Returns the quantiles of each resample of the replicas, or infinity where the estimate does not reach them."""
    ticks = numpy.unique(numpy.concatenate([replica["ticks"] for replica in replicas]))
    over, cut = numpy.zeros((2, len(replicas), len(ticks)))
    for i, replica in enumerate(replicas):
        places = numpy.searchsorted(ticks, replica["ticks"])
        over[i, places], cut[i, places] = replica["over"], replica["cut"]
    weights = numpy.array([numpy.bincount(draw, minlength=len(replicas)) for draw in draws])
    ended, gone = weights @ over, weights @ (over + cut)
    waiting = gone.sum(axis=1, keepdims=True) - gone.cumsum(axis=1) + gone
    curve = numpy.cumprod(1 - ended / numpy.maximum(waiting, 1), axis=1)
    found = []
    for share in SHARES:
        reached = curve <= 1 - share + 1e-9
        found.append(numpy.where(reached.any(axis=1), ticks[reached.argmax(axis=1)], numpy.inf))
    found = numpy.array(found).T
    for draw, row in list(zip(draws, found))[:CHECKED]:
        expected = [numpy.inf if q is None else q for q in quantiles([replicas[i] for i in draw])]
        assert list(row) == expected, f"{row} differs from lifelines: {expected}"
    return found


def quantile_intervals(replicas, others, random):
    """Returns the intervals of the quantiles, and of their differences from the same resamples of `others`."""
    draws = random.integers(0, len(replicas), (DRAWS, len(replicas)))
    own, other = drawn_quantiles(replicas, draws), drawn_quantiles(others, draws)
    with numpy.errstate(invalid="ignore"):
        differences = own - other

    def interval(samples):
        if numpy.isnan(samples).any():
            return None
        ends = numpy.percentile(samples, [2.5, 97.5], method="lower")
        return [None if numpy.isinf(end) else float(end) for end in ends]

    return ([interval(samples) for samples in own.T], [interval(samples) for samples in differences.T])


def mean_interval(values, random):
    result = bootstrap(
        (numpy.array(values),), numpy.mean, n_resamples=200_000, batch=20_000, method="percentile",
        random_state=random)
    return [float(result.confidence_interval.low), float(result.confidence_interval.high)]


def replica(random, scale, patience):
    """Returns the waits of one replica, counted by length. Some are censored."""
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
        case("six replicas, no difference", 2, 6, 50, 1.0, 300),
        case("twelve replicas, many cut short", 3, 12, 80, 0.8, 60),
    ]
    TARGET.write_text(json.dumps(cases, separators=(",", ":")) + "\n")


main()
