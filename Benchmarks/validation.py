#!/usr/bin/env python3
"""Plays random scenarios over real sockets and in virtual time, and prints how well the model predicts the blank share.

Each scenario is one command, `cellophane simulate SCENARIO --validate`: it draws the kind of the list, the network, the
reader, the physics, the prefetch policy, the memory, the number of transfers, TLS, the density and the duration from its
number. A run in real time counts only if at most one frame in a hundred was late, because a busy machine delays frames and
transfers alike. Otherwise it is repeated. Needs the tool, built by `make build`, and for each scenario about 15 s.
"""
import argparse
import json
import random
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAYOUTS = ["rows", "thumbnails", "cards", "grid", "mixed", "sections"]
# Real time refuses loss, rates that vary and queues, and has HTTP/1.1 only.
NETWORKS = ["wpt-fios", "wpt-cable", "wpt-dsl", "wpt-lte", "wpt-4g", "wpt-4gfast", "wpt-3g", "wpt-3gfast", "wpt-3gslow",
            "lh-3g", "lh-slow4g", "lh-dense4g", "dt-slow4g", "dt-fast4g"]
PROFILES = ["reader", "browser", "skimmer", "constant:300", "constant:1500"]
POLICIES = ["none", "rows:4", "rows:8", "rows:8,2.5", "rows:24", "asdk", "landing", "deadline"]
# A frame that is late by chance is no reason to repeat a run.
MOST_LATE = 0.01

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", default=HERE.parent / ".build/release/cellophane", type=Path, help="path of the tool")
parser.add_argument("--scenarios", type=int, default=120, help="number of scenarios (default: 120)")
parser.add_argument("--first", type=int, default=1, help="number of the first scenario (default: 1)")
parser.add_argument("--tries", type=int, default=5, help="runs of a scenario while frames are late (default: 5)")
parser.add_argument("--jobs", type=int, default=1, help="simultaneous scenarios (default: 1)")
parser.add_argument("--priority", type=int, metavar="NICE",
                    help="nice level of the session of the tool, such as -15; needs root and Linux with sched_autogroup_enabled")
parser.add_argument("--results", type=Path, help="a folder for the output of each scenario; output that it has is reused")
options = parser.parse_args()


def arguments(number):
    """Returns the arguments of a scenario and its duration in s."""
    draw = random.Random(number)
    seconds = draw.randint(8, 12)
    return seconds, [
        "--layout", LAYOUTS[number % len(LAYOUTS)], "--network", draw.choice(NETWORKS), "--profile", draw.choice(PROFILES),
        "--physics", draw.choice(["ios", "android"]), "--prefetch", draw.choice(POLICIES),
        "--memory", draw.choice(["0", "1MB", "8MB", "50MB"]), "--concurrency", str(draw.randint(2, 8)),
        "--density", draw.choice(["1", "2"]), draw.choice(["--tls", "--no-tls"]), "--duration", f"{seconds}s",
        "--seed", str(number)]


def without_effect(given):
    """Returns the arguments without those that the tool refuses because they do nothing."""
    if given[given.index("--profile") + 1].startswith("constant"):
        position = given.index("--physics")
        given = given[:position] + given[position + 2:]
    return given


def prioritized(command):
    """Runs a command in a session of its own and returns its output."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    if options.priority is not None:
        Path(f"/proc/{process.pid}/autogroup").write_text(f"{options.priority}\n")
    output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(map(str, command))}")
    return output


def run(number):
    file = options.results and options.results / f"{number}.json"
    if file and file.exists():
        return json.loads(file.read_text())
    seconds, given = arguments(number)
    given = without_effect(given)
    best = None
    for _ in range(options.tries):
        command = [options.tool, "simulate", "--validate", *given, "--quiet", "--json", "-"]
        result = json.loads(prioritized(command))
        one = {"number": number, "arguments": " ".join(given), "layout": given[1], "network": given[3],
               "blank": result.get("blank_ratio"), "late": result["late_frames"] / (60 * seconds),
               "transfers": result["transfers"]}
        if best is None or one["late"] < best["late"]:
            best = one
        if best["late"] <= MOST_LATE:
            break
    if file:
        file.write_text(json.dumps(best))
    blank = best["blank"]
    print(f"{number}: {100 * blank['real']:.2f} % real, {100 * blank['virtual']:.2f} % virtual, "
          f"{best['late']:.1%} of the frames late: {best['arguments']}", flush=True)
    return best


def ranks(values):
    """Returns the ranks, equal values with their mean rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            result[index] = (start + end - 1) / 2
        start = end
    return result


def percentile(values, share):
    """Returns a quantile by the nearest rank."""
    return sorted(values)[max(0, -(-int(share * 1000 * len(values)) // 1000) - 1)]


def row(name, found):
    real, virtual = ([one["blank"][side] for one in found] for side in ("real", "virtual"))
    absolute = [abs(a - b) for a, b in zip(real, virtual)]
    relative = [abs(a - b) / a for a, b in zip(real, virtual) if a > 0]
    bias = statistics.fmean(b - a for a, b in zip(real, virtual))
    return (f"| {name} | {len(found)} | {statistics.correlation(ranks(real), ranks(virtual)):.3f} | "
            f"{100 * statistics.median(absolute):.2f}, {100 * percentile(absolute, .95):.2f} | "
            f"{100 * statistics.median(relative):.1f} %, {100 * percentile(relative, .95):.1f} % | {100 * bias:+.2f} |")


if options.results:
    options.results.mkdir(parents=True, exist_ok=True)
with ThreadPoolExecutor(options.jobs) as pool:
    scenarios = list(pool.map(run, range(options.first, options.first + options.scenarios)))
calm = [one for one in scenarios if one["late"] <= MOST_LATE and one["blank"]]
print(f"\n{len(calm)} of {len(scenarios)} scenarios; the others had late frames in each of {options.tries} runs.\n")
print("| lists | scenarios | rank correlation | error in points: median, p95 | relative error: median, p95 | mean "
      "difference in points |\n|---|---|---|---|---|---|")
print(row("all", calm))
for layout in LAYOUTS:
    found = [one for one in calm if one["layout"] == layout]
    if len(found) > 2:
        print(row(layout, found))
print("\nThe largest errors:")
for one in sorted(calm, key=lambda one: -abs(one["blank"]["real"] - one["blank"]["virtual"]))[:8]:
    print(f"{one['number']}: {100 * one['blank']['real']:.2f} and {100 * one['blank']['virtual']:.2f} %, "
          f"transfers {one['transfers']}: {one['arguments']}")
