#!/usr/bin/env python3
"""Compares the blank share on networks of constant and of varying rate with the same mean, as a Markdown table.

Each cell has the constant and the varying network, and the difference in points, in pairs of replicas under the same seeds.
Intervals have 95 % (Student's t). Needs the tool, built by `make build`, scipy, and the traces ATT-LTE-driving.down and
TMobile-LTE-driving.down of Mahimahi (https://github.com/ravinet/mahimahi, folder traces). Takes about ten minutes on two cores.
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

from scipy import stats

HERE = Path(__file__).resolve().parent
# The bytes of one delivery opportunity of a trace.
PACKET = 1504

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("traces", type=Path, help="the folder of the traces")
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
arguments.add_argument("--replicas", default=200, type=int)
arguments.add_argument("--seed", default=1001, type=int, help="the first seed (default: 1001)")
options = arguments.parse_args()


def trace(name):
    """Returns the mean rate of a trace in kbit/s, its constant network and the network of the trace."""
    path = options.traces / name
    times = [int(line) for line in path.read_text().split()]
    rate = round(len(times) * PACKET * 8 / times[-1])
    return rate, f"down={rate},rtt=70", f"trace:{path},rtt=70"


def blank(layout, profile, network):
    """Returns the blank shares of the replicas, in percent."""
    text = subprocess.run(
        [options.tool, "simulate", "--layout", layout, "--profile", profile, "--network", network, "--replicas",
         str(options.replicas), "--seed", str(options.seed), "--sweep", "loader=cellophane;", "--quiet", "--json", "-"],
        capture_output=True, text=True, check=True).stdout
    return [100 * one for one in json.loads(text)["cases"][0]["metrics"]["blank_ratio"]["replicas"]]


def interval(values):
    """Returns the mean and its interval."""
    mean = statistics.fmean(values)
    half = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return f"{mean:.1f} ± {half:.1f}"


networks = {}
for carrier, file in [("AT&T LTE", "ATT-LTE-driving.down"), ("T-Mobile LTE", "TMobile-LTE-driving.down")]:
    rate, *pair = trace(file)
    networks[f"{carrier}, {rate / 1000:.1f} Mbit/s: constant, trace"] = pair
networks["`wpt-lte`, `vary-lte`"] = ["wpt-lte", "vary-lte"]
networks["70 Mbit/s and 40 ms: constant, `vary-5g`"] = ["down=70000,rtt=40", "vary-5g"]
print("| list, reader | " + " | ".join(networks) + " |\n|---|" + "---|" * len(networks))
for layout, profile in [("cards", "reader"), ("cards", "browser"), ("thumbnails", "skimmer")]:
    cells = []
    for pair in networks.values():
        constant, varying = (blank(layout, profile, network) for network in pair)
        difference = interval([b - a for a, b in zip(constant, varying)])
        cells.append(f"{interval(constant)}, {interval(varying)}: +{difference}".replace("+-", "-"))
    print(f"| {layout}, {profile} | " + " | ".join(cells) + " |", flush=True)
