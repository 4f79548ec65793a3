#!/usr/bin/env python3
"""Plays a script in real time against the origin of the tool, and scores the trace.

    python3 Examples/trace/test_play.py path/to/cellophane
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from play import play

TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellophane"
NETWORK = "wpt-lte"


def tool(*arguments, exit=0):
    ended = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    assert ended.returncode == exit, (ended.returncode, ended.stdout, ended.stderr)
    return ended


class TraceOfAnotherLoader(unittest.TestCase):
    def test_a_run_in_real_time_is_scored(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            tool("simulate", "--time", "real", "--duration", "3s", "--network", NETWORK, "--script", folder / "script.jsonl")
            origin = subprocess.Popen(
                [TOOL, "origin", "--port", "0", "--rows", "300", "--network", NETWORK],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                base = origin.stdout.readline().split()[0]
                with open(folder / "script.jsonl") as script:
                    lines = play(script, base)
            finally:
                origin.terminate()
                origin.wait()
                origin.stdout.close()
            (folder / "run.jsonl").write_text("\n".join(lines) + "\n")

            table = tool("score", folder / "run.jsonl", "--json", folder / "run.json").stdout
            self.assertIn("python", table)
            result = json.loads((folder / "run.json").read_text())
            self.assertEqual((result["loader"], result["time"]), ("python", "real"))
            metrics = result["metrics"]
            events = [json.loads(line) for line in lines[1:]]
            binds = sum(event["event"] == "bind" for event in events)
            self.assertGreater(binds, 5)
            self.assertEqual(metrics["slot_requests"]["mean"], binds)
            received = sum(event.get("bytes", 0) for event in events if event["event"] == "finish")
            self.assertEqual(metrics["bytes_down"]["mean"], received)
            self.assertEqual(metrics["misplaced_events"]["mean"], 0)
            self.assertTrue(0 < metrics["blank_ratio"]["mean"] < 1)
            # The report and the comparison with models are the same as those of simulate.
            beside = tool("score", folder / "run.jsonl", "--baselines", "--html", folder / "run.html").stdout
            self.assertIn("cellophane", beside)
            self.assertIn("<svg", (folder / "run.html").read_text())

    def test_an_invalid_line_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder, "run.jsonl")
            run.write_text('{"schema": "cellophane.run/1", "loader": "python", "scenario": {}}\n'
                           '{"t_ms": 0, "event": "show", "slot": 0, "row": 0}\n')
            ended = tool("score", run, exit=1)
            self.assertIn("line 2: show of slot 0, which no bind has bound to a row", ended.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
