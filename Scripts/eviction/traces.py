"""Seeded traces: requests as (key, cost, row, position)."""

import bisect
import math
import random


def zipf(count, alpha):
    """Returns a function from 0..<1 to 0..<count. The k-th number has the weight k^-alpha."""
    total, sums = 0.0, []
    for k in range(1, count + 1):
        total += k**-alpha
        sums.append(total)
    return lambda u: min(bisect.bisect_left(sums, u * total), count - 1)


def plain(keys, cost=lambda key: 1):
    return [(key, cost(key), 0, 0) for key in keys]


def sizes(seed, median, sigma):
    """Returns a function with a lognormal cost per key."""
    drawn = {}

    def cost(key):
        if key not in drawn:
            draw = random.Random(seed * 1_000_003 + key)
            normal = math.sqrt(-2 * math.log(1 - draw.random())) * math.cos(2 * math.pi * draw.random())
            drawn[key] = max(1, round(median * math.exp(sigma * normal)))
        return drawn[key]

    return cost


def popular(seed, count, keys, alpha):
    draw, pick = random.Random(seed), zipf(keys, alpha)
    return [pick(draw.random()) for _ in range(count)]


def scans_and_loops(seed, count):
    """Returns popular keys, with scans over keys that never repeat and loops over 60 keys in between."""
    draw, pick, keys, fresh = random.Random(seed), zipf(200, 0.9), [], 10_000
    while len(keys) < count:
        choice = draw.random()
        if choice < 0.5:
            keys += [pick(draw.random()) for _ in range(100)]
        elif choice < 0.75:
            keys += range(fresh, fresh + 80)
            fresh += 80
        else:
            keys += list(range(1000, 1060)) * 3
    return keys[:count]


def phases(seed, count):
    """Returns alternating phases: one repeats recent keys, the other repeats popular keys."""
    draw, pick, keys, recent = random.Random(seed), zipf(600, 1.0), [], [0]
    for number in range(count):
        if number // 1000 % 2:
            keys.append(pick(draw.random()))
        elif draw.random() < 0.3:
            keys.append(20_000 + number)
        else:
            back = int(-40 * math.log(1 - draw.random()))
            keys.append(recent[max(0, len(recent) - 1 - back)])
        recent.append(keys[-1])
    return keys


def scrolling(seed, count, visible=8, rows=300, avatars=0, cost=lambda key: 1):
    """Returns the requests of a list that scrolls up and down and sometimes jumps to the top. A row is requested when it
    becomes visible. With avatars, the image of its author, who has several rows, is requested too. Sometimes the next
    three rows are requested in advance."""
    draw, pick = random.Random(seed), zipf(max(1, avatars), 0.8)
    author = [1_000_000 + pick(draw.random()) for _ in range(rows)]
    requests, top, shown = [], 0, set()

    def ask(row, position):
        requests.append((row, cost(row), row, position))
        if avatars:
            requests.append((author[row], cost(author[row]), row, position))

    while len(requests) < count:
        choice = draw.random()
        if choice < 0.06:
            path = [0]
        else:
            way = -1 if choice < 0.4 else 1
            length = int(3 + 40 * draw.random() ** 2)
            path = [min(max(top + way * step, 0), rows - visible) for step in range(1, length + 1)]
        for top in path:
            now = set(range(top, top + visible))
            position = top + visible // 2
            for row in sorted(now - shown):
                ask(row, position)
            shown = now
        if draw.random() < 0.3:
            for row in range(top + visible, min(rows, top + visible + 3)):
                ask(row, top + visible // 2)
    return requests[:count]


def all_traces():
    """Returns the traces by name: a description, the requests and the capacities."""
    small = sizes(5, 20_000, 1.0)
    mixed = sizes(6, 60_000, 1.6)
    return {
        "zipf": ("popular keys, equal costs", plain(popular(1, 2000, 400, 0.9)), [1, 7, 40, 150]),
        "scans": ("popular keys between scans and loops", plain(scans_and_loops(2, 2500)), [20, 90]),
        "phases": ("recency and frequency by turns", plain(phases(3, 6000)), [16, 60]),
        "list": ("a list, equal costs", scrolling(4, 2500), [10, 20, 60]),
        "list-avatars": ("a list with repeated avatars, costs in bytes", scrolling(7, 2500, avatars=60, cost=small), [200_000, 600_000, 3_000_000]),
        "mixed": ("popular keys whose costs differ much", plain(popular(8, 2500, 500, 0.8), mixed), [150_000, 1_500_000, 12_000_000]),
    }
