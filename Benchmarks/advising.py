#!/usr/bin/env python3
"""Compares the recommendations of `cellophane advise` with exhaustive sweeps, as a Markdown table.

For each of ten scenarios, the script runs `advise`. It then simulates all combinations of prefetch policy, memory and
concurrency under seeds that the advice has not used. The regret of a setting is its blank share minus the lowest one of the
sweep, in points. A recommendation also considers variations of the scenario, so it need not be the best setting of the sweep.

The script needs the tool built by `make build`. It takes about half an hour on two cores. The same tool gives the same
tables on every machine, except the times.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCENARIOS = [
    "",
    "--layout thumbnails --memory 4MB",
    "--layout cards --memory 16MB",
    "--layout cards --memory 16MB --network lh-slow4g --profile browser",
    "--layout grid --network wpt-4g --profile browser",
    "--layout mixed --memory 8MB --network down=50000,rtt=150 --profile reader",
    "--network wpt-3gslow --profile reader --prefetch none",
    "--physics ios --http 1 --prefetch asdk",
    "--layout cards --memory 16MB --density 2 --bytes bpp:1.5,0.6 --http 2",
    "--suite-case thumbnails/lh-slow4g/browser --concurrency 2",
]
POLICIES = ["none", "rows:4", "rows:8", "rows:12", "rows:16", "rows:24", "rows:32", "rows:8,2.5", "asdk", "landing"]
CONCURRENCY = [2, 6, 12]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--tool", default=HERE.parent / ".build/release/cellophane")
arguments.add_argument("--replicas", default=10, type=int, help="the replicas of each setting of a sweep (default: 10)")
arguments.add_argument("--seed", default=1001, type=int, help="the first seed of the sweeps (default: 1001)")
arguments.add_argument("--only", type=int, help="the number of one scenario, from 1 on")
options = arguments.parse_args()
scratch = tempfile.TemporaryDirectory()


def run(*words):
    """Runs the tool and returns its JSON."""
    file = Path(scratch.name) / "result.json"
    subprocess.run([options.tool, *words, "--quiet", "--json", file], check=True)
    return json.loads(file.read_text())


def without(words, *names):
    """Returns the words without the options of these names and their values."""
    return [word for index, word in enumerate(words)
            if word not in names and (index == 0 or words[index - 1] not in names)]


def setting(prefetch, memory, concurrency):
    """Returns a setting as a key; `asdk` is the name of a rule."""
    return ("screens:2.5,1.5" if prefetch == "asdk" else prefetch, memory, concurrency)


def sweep(words, advice):
    """Returns the blank share and the MB per minute of all combinations."""
    configured, best = advice["config"]["cache"]["memory_bytes"], advice["recommendation"]
    memory = sorted({configured // 4, configured, 4 * configured, best["memory_bytes"]})
    policies = POLICIES + [name for name in [advice["config"]["loader"]["prefetch"], best["prefetch"]]
                           if name not in POLICIES and name != "screens:2.5,1.5"]
    minutes = advice["config"]["duration_ms"] / 60_000
    found = {}
    for concurrency in sorted({*CONCURRENCY, advice["config"]["loader"]["concurrency"], best["concurrency"]}):
        study = run("simulate", *without(words, "--memory", "--prefetch", "--concurrency"), "--seed", str(options.seed),
                    "--replicas", str(options.replicas), "--concurrency", str(concurrency),
                    "--sweep", "prefetch=" + ";".join([*policies, ""]),
                    "--sweep", "memory=" + ",".join(map(str, memory)))
        for one in study["cases"]:
            prefetch, size = one["values"]
            found[setting(prefetch, int(size), concurrency)] = (
                100 * one["metrics"]["blank_ratio"]["mean"], one["metrics"]["bytes_down"]["mean"] / 1e6 / minutes)
    return found


print("| scenario | advice, s | recommended | best of the sweep | blank, %: best, recommended, configured, worst "
      "| regret: recommended, configured | MB/min: recommended, best |\n|---|---|---|---|---|---|---|", flush=True)
for index, scenario in enumerate(SCENARIOS):
    if options.only not in (None, index + 1):
        continue
    words = scenario.split()
    advice = run("advise", *words)
    found = sweep(words, advice)
    chosen, config = advice["recommendation"], advice["config"]
    own = found[setting(chosen["prefetch"], chosen["memory_bytes"], chosen["concurrency"])]
    before = found[setting(config["loader"]["prefetch"], config["cache"]["memory_bytes"], config["loader"]["concurrency"])]
    best = min(found, key=lambda key: found[key])
    worst = max(value[0] for value in found.values())
    text = "{}, {:.1f} MB, {}".format
    print(f"| `{scenario or '(defaults)'}` | {advice['wall_s']:.0f} "
          f"| {text(chosen['prefetch'], chosen['memory_bytes'] / 1e6, chosen['concurrency'])} "
          f"| {text(best[0], best[1] / 1e6, best[2])} "
          f"| {found[best][0]:.1f}, {own[0]:.1f}, {before[0]:.1f}, {worst:.1f} "
          f"| {own[0] - found[best][0]:.2f}, {before[0] - found[best][0]:.2f} | {own[1]:.1f}, {found[best][1]:.1f} |", flush=True)
