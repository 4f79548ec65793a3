#!/usr/bin/env python3
"""Writes Tests/CellophaneResultsTests/Eviction/expected.json: seeded traces of requests to a cache, with the hits of
each eviction policy.

The policies are those of eviction/policies.py, which share no code with the package. On traces with equal costs, LRU,
SIEVE, ARC and Belady must have the same hits as libCacheSim; on the other traces, LRU and SIEVE. An exhaustive search on
small traces checks the bounds. The script fails if two results differ.

Needs Python 3.9 and libCacheSim's Python binding. Run it from the root of the repository. The output is deterministic.
"""

import json
import pathlib
import random

import libcachesim

from eviction.bounds import belady, exhaustive, next_requests, pfoo_l
from eviction.policies import POLICIES
from eviction.traces import all_traces

TARGET = pathlib.Path("Tests/CellophaneResultsTests/Eviction/expected.json")


def hits(policy, trace):
    return [policy.request(*request) for request in trace]


def hits_of_libcachesim(cache, trace):
    following, result = next_requests(trace), []
    for number, (key, cost, *_) in enumerate(trace):
        request = libcachesim.Request()
        request.obj_id, request.obj_size, request.clock_time = key + 1, cost, number
        # libCacheSim uses the largest number for "no further request".
        request.next_access_vtime = (1 << 63) - 1 if following[number] is None else following[number]
        result.append(cache.get(request))
    return result


def compare(name, ours, theirs):
    if ours != theirs:
        first = next(n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b)
        raise SystemExit(f"{name}: {sum(ours)} hits, libCacheSim {sum(theirs)}; the first difference is request {first}")


def check_by_libcachesim(name, trace, capacity):
    is_equal = all(cost == 1 for _, cost, *_ in trace)
    others = {"lru": libcachesim.LRU, "sieve": libcachesim.Sieve}
    if is_equal:
        others["arc"] = libcachesim.ARC
        compare(f"{name} {capacity} Belady", belady(trace, capacity, refuses=False), hits_of_libcachesim(libcachesim.Belady(cache_size=capacity), trace))
    for policy, other in others.items():
        compare(f"{name} {capacity} {policy}", hits(POLICIES[policy](capacity), trace), hits_of_libcachesim(other(cache_size=capacity), trace))


def check_bounds():
    for seed in range(400):
        draw = random.Random(seed)
        costs = [1 if seed % 2 else 1 + int(4 * draw.random()) for _ in range(5)]
        trace = [(key, costs[key], 0, 0) for key in (int(5 * draw.random()) for _ in range(14))]
        for capacity in range(0, 7):
            best_hits, best_bytes = exhaustive(trace, capacity)
            bound_hits, bound_bytes = pfoo_l(trace, capacity)
            if best_hits > bound_hits or best_bytes > bound_bytes:
                raise SystemExit(f"seed {seed}, capacity {capacity}: the exhaustive search exceeds the bound")
            if seed % 2 and sum(belady(trace, capacity)) != best_hits:
                raise SystemExit(f"seed {seed}, capacity {capacity}: Belady differs from the exhaustive search")


def bits(flags):
    """Returns the flags in hexadecimal. The first flag is the highest bit of the first digit."""
    padded = flags + [False] * (-len(flags) % 4)
    return "".join(f"{sum(flag << (3 - n) for n, flag in enumerate(padded[i:i + 4])):X}" for i in range(0, len(padded), 4))


def expected(name, covers, trace, capacities):
    keys = sorted({key for key, *_ in trace})
    number = {key: n for n, key in enumerate(keys)}
    costs = {key: cost for key, cost, *_ in trace}
    entry = {"name": name, "covers": covers, "keys": [number[key] for key, *_ in trace], "costs": [costs[key] for key in keys]}
    # The policies get the same numbers as the tests, because a sketch hashes the value of the key.
    trace = [(number[key], *rest) for key, *rest in trace]
    if any(row for _, _, row, _ in trace):
        entry["rows"] = [row for _, _, row, _ in trace]
        entry["positions"] = [position for *_, position in trace]
    entry["runs"] = []
    for capacity in capacities:
        check_by_libcachesim(name, trace, capacity)
        runs = {rule: hits(policy(capacity), trace) for rule, policy in POLICIES.items()}
        is_equal = all(cost == 1 for _, cost, *_ in trace)
        best = sum(belady(trace, capacity)) if is_equal else None
        bound_hits, bound_bytes = pfoo_l(trace, capacity)
        print(f"{name:13} {capacity:9}", *(f"{rule} {sum(run)}" for rule, run in runs.items()), f"belady {best} bound {bound_hits}")
        entry["runs"].append({
            "capacity": capacity, "belady": best, "boundHits": bound_hits, "boundBytes": bound_bytes,
            "hits": {rule: bits(run) for rule, run in runs.items()},
        })
    return entry


def main():
    check_bounds()
    traces = [expected(name, *rest) for name, rest in all_traces().items()]
    lines = ",\n".join(json.dumps(trace, separators=(",", ":")) for trace in traces)
    TARGET.write_text('{"traces": [\n' + lines + "\n]}\n")


main()
