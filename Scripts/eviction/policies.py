"""Reference implementations of the eviction policies: the pseudocode of the papers with plain lists. They are slow, and
easy to compare with the papers.

`request(key, cost, row, position)` returns whether the request is a hit. Lists are ordered from oldest to newest. The
papers count pages; these implementations count bytes, as the comments describe.
"""

MASK = (1 << 64) - 1


class Lines:
    """Named queues of keys, with the cost of each key."""

    def __init__(self, *names):
        self.costs = {}
        for name in names:
            setattr(self, name, [])

    def size(self, *lines):
        return sum(self.costs[key] for line in lines for key in line)


class LRU(Lines):
    """Least recently used."""

    def __init__(self, capacity):
        super().__init__("line")
        self.capacity = capacity

    def request(self, key, cost, row, position):
        self.costs[key] = cost
        if key in self.line:
            self.line.remove(key)
            self.line.append(key)
            return True
        if cost <= self.capacity:
            self.line.append(key)
            while self.size(self.line) > self.capacity:
                del self.line[0]
        return False


class SIEVE(Lines):
    """Zhang, Yang, Yue, Vigfusson, Rashmi: NSDI 2024, algorithm 1."""

    def __init__(self, capacity):
        super().__init__("line")
        self.capacity, self.visited, self.hand = capacity, {}, None

    def request(self, key, cost, row, position):
        self.costs[key] = cost
        if key in self.line:
            self.visited[key] = True
            return True
        if cost > self.capacity:
            return False
        while self.size(self.line) + cost > self.capacity:
            o = self.line[0] if self.hand is None else self.hand
            while self.visited[o]:
                self.visited[o] = False
                o = self.previous(o)
                if o is None:
                    o = self.line[0]
            self.hand = self.previous(o)
            self.line.remove(o)
        self.line.append(key)
        self.visited[key] = False
        return False

    def previous(self, key):
        """Returns the next key towards the head, which is the newest."""
        place = self.line.index(key) + 1
        return self.line[place] if place < len(self.line) else None


class S3FIFO(Lines):
    """Yang, Zhang, Qiu, Yue, Rashmi: SOSP 2023, algorithm 1. The ghost queue has the capacity of M in bytes. It is queried
    before the evictions."""

    def __init__(self, capacity):
        super().__init__("S", "M", "G")
        self.capacity, self.small, self.freq = capacity, max(1, capacity // 10), {}
        self.main = capacity - self.small

    def request(self, key, cost, row, position):
        self.costs[key] = cost
        if key in self.S or key in self.M:
            self.freq[key] = min(self.freq[key] + 1, 3)
            return True
        if cost > self.capacity:
            return False
        remembered = key in self.G
        if remembered:
            self.G.remove(key)
        while self.size(self.S, self.M) + cost > self.capacity:
            if self.size(self.S) >= self.small or not self.M:
                self.evict_small()
            else:
                self.evict_main()
        (self.M if remembered else self.S).append(key)
        self.freq[key] = 0
        return False

    def evict_small(self):
        evicted = False
        while not evicted and self.S:
            t = self.S.pop(0)
            if self.freq[t] > 1:
                # From the text of the paper: access bits are cleared during the move.
                self.freq[t] = 0
                self.M.append(t)
                while self.size(self.M) > self.main:
                    self.evict_main()
            else:
                self.G.append(t)
                while self.size(self.G) > self.main:
                    del self.G[0]
                evicted = True

    def evict_main(self):
        evicted = False
        while not evicted and self.M:
            t = self.M.pop(0)
            if self.freq[t] > 0:
                self.freq[t] -= 1
                self.M.append(t)
            else:
                evicted = True


class ARC(Lines):
    """Megiddo, Modha: FAST 2003, figure 4. A step of one page is a step of the cost of the request."""

    def __init__(self, capacity):
        super().__init__("T1", "T2", "B1", "B2")
        self.c, self.p = capacity, 0.0

    def request(self, x, cost, row, position):
        self.costs[x] = cost
        if x in self.T1 or x in self.T2:
            (self.T1 if x in self.T1 else self.T2).remove(x)
            self.T2.append(x)
            return True
        if cost > self.c:
            return False
        if x in self.B1:
            delta = max(1, self.size(self.B2) / self.size(self.B1))
            self.p = min(self.p + delta * cost, self.c)
            self.B1.remove(x)
            self.replace(cost, False)
            self.T2.append(x)
        elif x in self.B2:
            delta = max(1, self.size(self.B1) / self.size(self.B2))
            self.p = max(self.p - delta * cost, 0)
            self.B2.remove(x)
            self.replace(cost, True)
            self.T2.append(x)
        else:
            while self.size(self.T1, self.B1) + cost > self.c:
                if self.B1:
                    del self.B1[0]
                else:
                    del self.T1[0]
            while self.B2 and self.size(self.T1, self.T2, self.B1, self.B2) + cost > 2 * self.c:
                del self.B2[0]
            self.replace(cost, False)
            self.T1.append(x)
        return False

    def replace(self, cost, is_in_b2):
        while self.size(self.T1, self.T2) + cost > self.c:
            t1 = self.size(self.T1)
            if self.T1 and (t1 > self.p or (is_in_b2 and t1 == self.p) or not self.T2):
                self.B1.append(self.T1.pop(0))
            else:
                self.B2.append(self.T2.pop(0))


def mixed(value):
    """One step of SplitMix64."""
    z = (value + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Sketch:
    """A count-min sketch with four rows of counters up to 15, and four counters per entry in each row. The counters are
    halved after ten requests per entry. The size is a power of two of at least 16 entries, and grows with the cache."""

    def __init__(self):
        self.start(16)

    def start(self, entries):
        self.entries, self.rows, self.counted = entries, [[0] * 4 * entries for _ in range(4)], 0

    def places(self, key):
        return [(row, mixed(mixed(number) ^ key) % len(row)) for number, row in enumerate(self.rows)]

    def count(self, key, entries):
        while entries > self.entries:
            self.start(2 * self.entries)
        places = self.places(key)
        if all(row[place] == 15 for row, place in places):
            return
        for row, place in places:
            row[place] = min(15, row[place] + 1)
        self.counted += 1
        if self.counted == 10 * self.entries:
            self.rows = [[value // 2 for value in row] for row in self.rows]
            self.counted //= 2

    def estimate(self, key):
        return min(row[place] for row, place in self.places(key))


class WTinyLFU(Lines):
    """Einziger, Friedman, Manes: ToS 2017. The size of the window follows from hill climbing (Einziger, Eytan, Friedman,
    Manes: Middleware 2018). Admission compares aggregated victims (the same authors, ToS 2022)."""

    def __init__(self, capacity):
        super().__init__("window", "probation", "protected")
        self.capacity = capacity
        self.window_size = min(capacity, max(1, capacity // 100))
        self.probation_size = (capacity - self.window_size) // 5
        self.sketch = Sketch()
        self.step, self.ratio, self.hits, self.requests = -0.0625, 0.0, 0, 0

    def protected_size(self):
        return self.capacity - self.window_size - self.probation_size

    def main_size(self):
        return self.capacity - self.window_size

    def request(self, key, cost, row, position):
        self.costs[key] = cost
        entries = len(self.window) + len(self.probation) + len(self.protected)
        self.sketch.count(key, entries)
        self.requests += 1
        if key in self.window:
            self.hits += 1
            self.window.remove(key)
            self.window.append(key)
            return True
        if key in self.probation or key in self.protected:
            self.hits += 1
            (self.probation if key in self.probation else self.protected).remove(key)
            self.protected.append(key)
            self.demote()
            return True
        if cost > self.capacity:
            return False
        self.climb()
        if cost > self.window_size:
            self.admit(key)
        else:
            self.window.append(key)
        while self.size(self.window) > self.window_size:
            self.admit(self.window.pop(0))
        return False

    def demote(self):
        while self.size(self.protected) > self.protected_size():
            self.probation.append(self.protected.pop(0))

    def admit(self, candidate):
        cost = self.costs[candidate]
        if cost > self.main_size():
            return
        free, victims = self.main_size() - self.size(self.probation, self.protected), []
        for victim in self.probation + self.protected:
            if free >= cost:
                break
            victims.append(victim)
            free += self.costs[victim]
        worth = sum(self.sketch.estimate(victim) for victim in victims)
        if victims and self.sketch.estimate(candidate) <= worth:
            return
        for line in (self.probation, self.protected):
            line[:] = [key for key in line if key not in victims]
        self.probation.append(candidate)

    def climb(self):
        if self.requests < 10 * self.sketch.entries:
            return
        ratio = self.hits / self.requests
        change = ratio - self.ratio
        amount = self.step if change >= 0 else -self.step
        if abs(change) >= 0.05:
            self.step = 0.0625 if amount >= 0 else -0.0625
        else:
            self.step = 0.98 * amount
        self.ratio, self.hits, self.requests = ratio, 0, 0
        self.window_size += int(amount * self.capacity)
        self.window_size = min(max(self.window_size, 1), self.capacity - self.probation_size)
        self.demote()
        while self.size(self.probation, self.protected) > self.main_size():
            self.window.append((self.probation or self.protected).pop(0))
        while self.size(self.window) > self.window_size:
            if self.costs[self.window[0]] + self.size(self.probation, self.protected) > self.main_size():
                break
            self.probation.append(self.window.pop(0))


class FarthestRow(Lines):
    """Evicts the row that is farthest from the current position."""

    def __init__(self, capacity):
        super().__init__("line")
        self.capacity, self.rows = capacity, {}

    def request(self, key, cost, row, position):
        self.costs[key] = cost
        if key in self.line:
            self.rows[key] = row
            self.line.remove(key)
            self.line.append(key)
            return True
        if cost <= self.capacity:
            self.rows[key] = row
            self.line.append(key)
            while self.size(self.line) > self.capacity:
                # max() returns the first of equal values, which is the oldest.
                self.line.remove(max(self.line, key=lambda other: abs(self.rows[other] - position)))
        return False


POLICIES = {"lru": LRU, "sieve": SIEVE, "s3-fifo": S3FIFO, "arc": ARC, "w-tinylfu": WTinyLFU, "farthest-row": FarthestRow}
