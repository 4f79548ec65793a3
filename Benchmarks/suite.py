#!/usr/bin/env python3
"""Plays the suite v2 with one loader and prints its line of Documentation/results-v2.md.

By default, the seeds are 1001 to 1020, of the half that is not for tuning. A number of the line is the mean over the cases of the mean
over the replicas. An interval is the 95 % interval of the mean over the seeds (Student's t), where the value of a seed is the mean over
the cases. The fingerprint is that of the events of all cases, so that anybody can check the line with the same
version of the tool. Needs the tool, built by `make build`, and scipy.
"""
import argparse
import hashlib
import json
import statistics
import subprocess
from pathlib import Path

from scipy import stats

HERE = Path(__file__).resolve().parent

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", default=HERE.parent / ".build/release/cellophane", type=Path, help="path of the tool")
parser.add_argument("--loader", default="cellophane", help="loader under test (default: cellophane)")
parser.add_argument("--seed", type=int, default=1001, help="first seed (default: 1001)")
parser.add_argument("--replicas", type=int, default=20, help="seeds of each case (default: 20)")
parser.add_argument("--cases", action="store_true", help="print a table of the cases, too")
parser.add_argument("--json", type=Path, help="read the result from this file if it exists, otherwise write it there")
parser.add_argument("--against", type=Path, metavar="JSON",
                    help="fill the column of differences, in pairs of runs of the same seed, from this result of Cellophane")
parser.add_argument("options", nargs="*", help="options of simulate for the loader, behind --, such as --prefetch rows:16")
options = parser.parse_args()


def played():
    """Returns the study, from the file of --json or played now."""
    if options.json and options.json.exists():
        return json.loads(options.json.read_text())
    text = subprocess.run(
        [options.tool, "simulate", "--suite", "v2", "--loader", options.loader, "--seed", str(options.seed),
         "--replicas", str(options.replicas), *options.options, "--quiet", "--json", "-"],
        capture_output=True, text=True, check=True).stdout
    if options.json:
        options.json.write_text(text)
    return json.loads(text)


study = played()


def value(case, metric):
    return case["metrics"][metric].get("mean")


def mean(metric):
    return statistics.fmean(known for case in study["cases"] if (known := value(case, metric)) is not None)


def by_seed(study, metric):
    """Returns the mean over the cases, by seed."""
    replicas = zip(*(case["metrics"][metric]["replicas"] for case in study["cases"]))
    return [statistics.fmean(one for one in values if one is not None) for values in replicas]


def half_width(values):
    """Returns half the width of the 95 % interval of the mean (Student's t)."""
    return stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5


def difference():
    """Returns the warm blank share less that of the other result, in points."""
    if not options.against:
        return "–"
    other = json.loads(options.against.read_text())
    assert (other["config"]["seed"], other["replicas"]) == (seed, study["replicas"]), "the seeds differ"
    pairs = [a - b for a, b in zip(by_seed(study, "blank_ratio_warm"), by_seed(other, "blank_ratio_warm"))]
    return f"{100 * statistics.fmean(pairs):+.2f} ± {100 * half_width(pairs):.2f}"


def share(metric, digits):
    return f"{100 * mean(metric):.{digits}f} ± {100 * half_width(by_seed(study, metric)):.{digits}f}%"


fingerprints = "".join(case["fingerprint"] for case in study["cases"])
seed = study["config"]["seed"]
print("| " + " | ".join([
    options.loader, " ".join(options.options) or "–", study["tool"]["version"],
    f"{seed}–{seed + study['replicas'] - 1}",
    share("blank_ratio_cold", 1), share("blank_ratio_warm", 2), difference(), share("seen_within.400ms", 1),
    f"{mean('bytes_down') / 1e6:.2f} MB", f"{mean('wasted_bytes') / 1e6:.2f} MB",
    hashlib.sha256(fingerprints.encode()).hexdigest()[:12]]) + " |")
if options.cases:
    print("\n| Case | Blank, cold | Blank, warm | Warm part of the blank area |\n|---|---|---|---|")
    for case in study["cases"]:
        ratios = [case["metrics"]["blank_ratio" + suffix]["replicas"] for suffix in ("", "_cold", "_warm")]
        # The area before the first movement follows from the three ratios of a replica.
        # A replica without movement has no warm share.
        known = [one for one in zip(*ratios) if None not in one]
        warm = sum(w if c == w else w * (b - c) / (w - c) for b, c, w in known)
        print(f"| {'/'.join(case['values'])} | {value(case, 'blank_ratio_cold'):.1%} | "
              f"{value(case, 'blank_ratio_warm'):.1%} | {warm / sum(b for b, _, _ in known):.0%} |")
