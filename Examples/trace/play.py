#!/usr/bin/env python3
"""Scrolls the list of a script in real time with a naive loader, and writes the trace of its events.

    cellophane simulate --time real --duration 10s --script script.jsonl
    cellophane origin --port 8080 --rows 1000 --network wpt-lte &
    python3 Examples/trace/play.py script.jsonl http://127.0.0.1:8080 run.jsonl
    cellophane score run.jsonl --baselines

The loader starts a download for each row that enters the screen, over six connections. It neither caches, shares nor
cancels downloads, and it does not decode: replace the class Loader by the loader that you want to measure.
"""

import http.client
import json
import math
import queue
import sys
import threading
import time
import urllib.parse


class Trace:
    """The events of a run, in the order of their times."""

    def __init__(self, scenario):
        self.lock = threading.RLock()
        self.lines = [json.dumps({"schema": "cellophane.run/1", "loader": "python", "scenario": scenario})]
        self.start = time.monotonic()
        self.ended = False

    def now(self):
        return time.monotonic() - self.start

    def add(self, event, **fields):
        with self.lock:
            if not self.ended:
                self.ended = event == "end"
                line = {"t_ms": round(self.now() * 1000, 3), "event": event}
                self.lines.append(json.dumps(line | fields))


class Loader:
    """Downloads in the order of the requests, over a number of connections."""

    def __init__(self, origin, rows, trace, slots, connections=6):
        self.address = urllib.parse.urlsplit(origin)
        self.rows, self.trace, self.slots = rows, trace, slots
        self.waiting = queue.SimpleQueue()
        self.count = 0
        for _ in range(connections):
            threading.Thread(target=self.work, daemon=True).start()

    def load(self, slot, row):
        self.waiting.put((slot, row))

    def work(self):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=10)
        while True:
            slot, row = self.waiting.get()
            with self.trace.lock:
                number, self.count = self.count, self.count + 1
            self.trace.add("start", transfer=number, row=row)
            try:
                connection.request("GET", self.rows[row]["path"])
                response = connection.getresponse()
                body = response.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                self.trace.add("error", transfer=number, bytes=0)
                continue
            if response.status != 200:
                self.trace.add("error", transfer=number, bytes=len(body))
                continue
            self.trace.add("finish", transfer=number, bytes=len(body))
            # The cell may have another row by now. A loader that shows the image anyway shows a wrong one.
            with self.trace.lock:
                if self.slots.row(slot) == row:
                    self.trace.add("show", slot=slot, row=row)


class Slots:
    """The reused cells of the list: those of rows that left the screen get the rows that enter it."""

    def __init__(self, count):
        self.rows = [None] * count

    def row(self, slot):
        return self.rows[slot]

    def show(self, visible):
        """Returns the slots that were bound to another row, with these rows."""
        changes = []
        for row in visible:
            if row not in self.rows:
                free = next((slot for slot, old in enumerate(self.rows) if old not in visible), None)
                if free is None:
                    free = len(self.rows)
                    self.rows.append(None)
                self.rows[free] = row
                changes.append((free, row))
        return changes


def play(script, origin):
    """Plays the lines of a script; returns the lines of the trace."""
    header, *lines = [json.loads(line) for line in script]
    if header.get("schema") != "cellophane.script/1":
        raise SystemExit("the script must be written by cellophane simulate --script")
    rows = {line["row"]: line for line in lines if "row" in line}
    frames = [line for line in lines if "vsync" in line]
    slots = Slots(header["slots"])
    trace = Trace(header["scenario"])
    loader = Loader(origin, rows, trace, slots)
    vsync, hz, visible = 0, header["hz"], range(0)
    while vsync < header["frames"]:
        due = vsync / hz
        time.sleep(max(0, due - trace.now()))
        while frames and frames[0]["vsync"] <= vsync:
            frame = frames.pop(0)
            visible = range(frame["first"], frame["first"] + frame["count"])
        with trace.lock:
            for slot, row in slots.show(visible):
                trace.add("bind", slot=slot, row=row)
                loader.load(slot, row)
        # A frame is on time if it is ready by the vsync after its own.
        late = max(0, math.ceil((trace.now() - due) * hz) - 1)
        trace.add("draw", vsync=vsync, late=late)
        vsync += 1 + late
    time.sleep(max(0, vsync / hz - trace.now()))
    trace.add("end")
    return trace.lines


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit("usage: play.py SCRIPT ORIGIN OUTPUT")
    with open(sys.argv[1]) as script:
        trace = play(script, sys.argv[2])
    with open(sys.argv[3], "w") as output:
        output.write("\n".join(trace) + "\n")
