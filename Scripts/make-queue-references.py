#!/usr/bin/env python3
"""Writes Tests/CellophaneSimulationTests/Network/queue-expected.json: transfers over a link with a buffer, packet by packet.

The script is independent of Cellophane. It keeps one event for each packet in a heap, counts windows in packets, and uses
floating-point times. It models TCP with ten initial packets, slow start, CUBIC in its region of small windows (RFC 9438,
section 4.3), and a buffer that drops at its end or by CoDel (RFC 8289).

Needs Python 3.9. Run it from the root of the repository. The output is deterministic.
"""

import heapq
import itertools
import json
import math
import pathlib

TARGET = pathlib.Path("Tests/CellophaneSimulationTests/Network/queue-expected.json")
SEGMENT = 1460


class Codel:
    """CoDel as in the pseudocode of RFC 8289, section 5."""

    target, interval, limit = 0.005, 0.1, 1000 * SEGMENT

    def __init__(self):
        self.above = self.next = 0.0
        self.count = self.previous = 0
        self.dropping = False

    def drops(self, now, arrival, waiting):
        if now - arrival < self.target or waiting <= SEGMENT:
            self.above, low = 0.0, True
        elif self.above == 0:
            self.above, low = now + self.interval, True
        else:
            low = now < self.above
        if self.dropping:
            if low:
                self.dropping = False
            elif now >= self.next:
                self.count += 1
                self.next += self.interval / math.sqrt(self.count)
                return True
            return False
        if low:
            return False
        self.dropping = True
        delta = self.count - self.previous
        self.count = delta if delta > 1 and now - self.next < 16 * self.interval else 1
        self.next = now + self.interval / math.sqrt(self.count)
        self.previous = self.count
        return True


class Flow:
    """A download over its own connection."""

    def __init__(self, size, start):
        self.start, self.window, self.slow_start = start, 10.0, True
        # The offset and the size of each packet.
        self.unsent = [(at, min(SEGMENT, size - at)) for at in range(0, size, SEGMENT)]
        self.missing = len(self.unsent)
        self.unsent.reverse()
        self.again, self.flight, self.era = [], 0, 0
        self.first = self.end = None


class Link:
    def __init__(self, rates, trip, queue, flows):
        self.rates, self.trip, self.flows = rates, trip, flows
        self.codel = Codel() if queue == "codel" else None
        mean = sum(rate for _, rate in rates) / len(rates)
        self.limit = Codel.limit if self.codel else max(SEGMENT, queue * mean / 8)
        self.events, self.order, self.queue, self.waiting, self.busy = [], itertools.count(), [], 0, False

    def rate(self, now):
        span = self.rates[0][0]
        return self.rates[int(now / span + 1e-9) % len(self.rates)][1]

    def duration(self, size, now):
        """Returns the time that the link needs for a packet, from now on."""
        span, bits, time = self.rates[0][0], size * 8.0, now
        while True:
            end = (math.floor(time / span + 1e-9) + 1) * span
            rate = self.rate(time)
            if rate > 0 and time + bits / rate <= end + 1e-12:
                return time + bits / rate - now
            bits -= rate * (end - time)
            time = end

    def at(self, time, action, *arguments):
        heapq.heappush(self.events, (time, next(self.order), action, arguments))

    def run(self):
        for flow in self.flows:
            self.at(flow.start, self.send, flow)
        while self.events:
            self.now, _, action, arguments = heapq.heappop(self.events)
            action(*arguments)

    def send(self, flow):
        while (flow.again or flow.unsent) and (flow.flight == 0 or flow.flight + 1 <= flow.window):
            data = flow.again.pop(0) if flow.again else flow.unsent.pop()
            size = data[1]
            flow.flight += 1
            fits = self.waiting + size <= self.limit
            self.waiting += size if fits else 0
            self.queue.append((flow, data, flow.era, self.now, fits))
            self.serve()

    def serve(self):
        while not self.busy and self.queue:
            packet = self.queue.pop(0)
            flow, data, era, arrival, fits = packet
            if fits:
                self.waiting -= data[1]
            if not fits or (self.codel and self.codel.drops(self.now, arrival, self.waiting)):
                self.at(self.now + self.trip, self.loss, flow, data, era)
                continue
            self.busy = True
            self.at(self.now + self.duration(data[1], self.now), self.arrive, packet)

    def arrive(self, packet):
        flow, data, era, _, _ = packet
        self.busy = False
        if data[0] == 0:
            # Later data is delivered after it.
            flow.first = self.now
        flow.missing -= 1
        if flow.missing == 0:
            flow.end = self.now
        self.at(self.now + self.trip, self.acknowledge, flow, era)
        self.serve()

    def acknowledge(self, flow, era):
        full = flow.flight + 1 > flow.window or (flow.slow_start and 2 * flow.flight >= flow.window)
        flow.flight -= 1
        if full and era == flow.era:
            flow.window += 1 if flow.slow_start else 3 * 0.3 / 1.7 / flow.window
        self.send(flow)

    def loss(self, flow, data, era):
        flow.flight -= 1
        flow.again.append(data)
        if era == flow.era:
            flow.window = max(2.0, 0.7 * flow.window)
            flow.slow_start, flow.era = False, flow.era + 1
        self.send(flow)


def cases():
    """Returns the links with their flows: downloads of a megabyte, and a picture that is requested later."""
    links = {
        "lte": ([[3600, 12e6]], 0.07),
        "slow4g": ([[3600, 1.6384e6]], 0.15),
        "varying": ([[0.2, rate] for rate in (9e6, 2e6, 0, 12e6, 5e6, 30e6)], 0.06),
    }
    for (name, (rates, trip)), queue, long in itertools.product(links.items(), (0.05, 0.2, 1, "codel"), (0, 1, 4)):
        flows = [(1_000_000, 0.01 * index) for index in range(long)] + [(48_000, 1.5), (14_000, 2.5), (300_000, 2.6)]
        yield {"link": name, "rates": rates, "trip": trip, "queue": queue, "flows": flows}


def main():
    results = []
    for case in cases():
        flows = [Flow(size, start) for size, start in case["flows"]]
        Link(case["rates"], case["trip"], case["queue"], flows).run()
        ends = [[round(flow.first, 6), round(flow.end, 6)] for flow in flows]
        results.append({**case, "arrivals": ends})
    TARGET.write_text("[\n" + ",\n".join(json.dumps(result) for result in results) + "\n]\n")
    for result in results[:12]:
        print(result["queue"], len(result["flows"]) - 3, result["arrivals"][-3:])


if __name__ == "__main__":
    main()
