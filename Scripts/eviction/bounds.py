"""The results of optimal caches that know the trace, and upper bounds for all caches."""


def next_requests(trace):
    """Returns the position of the next request of the same key, or None, for each request."""
    following, latest = [None] * len(trace), {}
    for number in reversed(range(len(trace))):
        following[number] = latest.get(trace[number][0])
        latest[trace[number][0]] = number
    return following


def belady(trace, capacity, refuses=True):
    """Returns the hits of Belady's algorithm (1966) for equal costs of 1. With `refuses`, it may evict the new object."""
    following, kept, hits = next_requests(trace), {}, []
    for number, (key, *_) in enumerate(trace):
        hits.append(key in kept)
        kept[key] = following[number] if following[number] is not None else len(trace)
        if len(kept) > capacity:
            del kept[max((other for other in kept if refuses or other != key), key=kept.get)]
    return hits


def pfoo_l(trace, capacity):
    """Returns upper bounds for the hits and the bytes hit, from the volume of the cache (PFOO-L; Berger, Beckmann,
    Harchol-Balter 2018)."""
    following = next_requests(trace)
    spans = [(trace[i][1], j - i) for i, j in enumerate(following) if j is not None and trace[i][1] <= capacity]
    volume = capacity * (len(trace) - 1)
    left, hits = volume, 0
    for area in sorted(cost * length for cost, length in spans):
        if area > left:
            break
        left, hits = left - area, hits + 1
    left, hit_bytes = volume, 0
    for cost, length in sorted(spans, key=lambda span: span[1]):
        if cost * length > left:
            hit_bytes += left // length
            break
        left, hit_bytes = left - cost * length, hit_bytes + cost
    return hits, hit_bytes


def exhaustive(trace, capacity):
    """Returns the maximum of the hits and of the bytes hit, by a search over all sets of keys after each request."""
    best = {frozenset(): (0, 0)}
    for key, cost, *_ in trace:
        costs = {k: c for k, c, *_ in trace}
        after = {}
        for kept, (hits, hit_bytes) in best.items():
            gain = (hits + 1, hit_bytes + cost) if key in kept else (hits, hit_bytes)
            pool = list(kept | {key})
            for bits in range(1 << len(pool)):
                chosen = frozenset(k for n, k in enumerate(pool) if bits >> n & 1)
                if sum(costs[k] for k in chosen) <= capacity:
                    old = after.get(chosen, (0, 0))
                    after[chosen] = (max(old[0], gain[0]), max(old[1], gain[1]))
        best = after
    return max(hits for hits, _ in best.values()), max(hit_bytes for _, hit_bytes in best.values())
