#!/usr/bin/env python3
"""Plays random scenarios over real sockets and in virtual time, and prints how well the model predicts the blank share.

Each scenario is one command, `cellophane simulate SCENARIO --validate`: it draws the kind of the list, the network, the
reader, the physics, the prefetch policy, the memory, the number of transfers, TLS, the density and the duration from its
number. A run in real time counts only if at most one frame in a hundred was late, because a busy machine delays frames and
transfers alike. Otherwise it is repeated. Real time is not reproducible, so each scenario runs several times, and the model
is compared with the mean. The differences between two real runs are the least error that a model can have. Needs the tool,
built by `make build`, and about 15 s for each run.
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
parser.add_argument("--runs", type=int, default=2, help="real runs of each scenario (default: 2)")
parser.add_argument("--tries", type=int, default=5, help="attempts at a run while frames are late (default: 5)")
parser.add_argument("--jobs", type=int, default=1, help="simultaneous scenarios (default: 1)")
parser.add_argument("--priority", type=int, metavar="NICE",
                    help="nice level of the session of the tool, such as -15; needs root and Linux with sched_autogroup_enabled")
parser.add_argument("--results", type=Path, help="a folder for the output of each run; output that it has is reused")
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


def run(number, repetition):
    """Runs a scenario in real and in virtual time."""
    file = options.results and options.results / f"{number}-{repetition}.json"
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


def merged(runs):
    """Returns a scenario with the mean and the differences of its real runs; None if frames were late in one."""
    if any(one["late"] > MOST_LATE or not one["blank"] for one in runs):
        return None
    real = [one["blank"]["real"] for one in runs]
    return {**runs[0], "real": statistics.fmean(real), "virtual": runs[0]["blank"]["virtual"], "runs": real}


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


def errors(pairs):
    """Returns the median and the 95th percentile of the absolute and of the relative errors of pairs, as cells."""
    absolute = [100 * abs(a - b) for a, b in pairs]
    relative = [100 * abs(a - b) / a for a, b in pairs if a > 0]
    return (f"{statistics.median(absolute):.2f}, {percentile(absolute, .95):.2f} | "
            f"{statistics.median(relative):.1f} %, {percentile(relative, .95):.1f} %")


def correlation(pairs):
    return f"{statistics.correlation(*(ranks(side) for side in zip(*pairs))):.3f}"


def row(name, found):
    pairs = [(one["real"], one["virtual"]) for one in found]
    bias = 100 * statistics.fmean(b - a for a, b in pairs)
    return f"| {name} | {len(found)} | {correlation(pairs)} | {errors(pairs)} | {bias:+.2f} |"


if options.results:
    options.results.mkdir(parents=True, exist_ok=True)
numbers = range(options.first, options.first + options.scenarios)
with ThreadPoolExecutor(options.jobs) as pool:
    repetitions = [list(pool.map(run, numbers, [repetition] * len(numbers))) for repetition in range(1, options.runs + 1)]
calm = [one for one in map(merged, zip(*repetitions)) if one]
print(f"\n{len(calm)} of {len(numbers)} scenarios; the others had late frames in each of {options.tries} runs.\n")
print("| lists | scenarios | rank correlation | error in points: median, p95 | relative error: median, p95 | mean "
      "difference in points |\n|---|---|---|---|---|---|")
print(row("all", calm))
for layout in LAYOUTS:
    found = [one for one in calm if one["layout"] == layout]
    if len(found) > 2:
        print(row(layout, found))
if options.runs > 1:
    repeated = [(one["runs"][0], one["runs"][1]) for one in calm]
    print(f"| two real runs | {len(calm)} | {correlation(repeated)} | {errors(repeated)} | – |")
print("\nThe largest errors:")
for one in sorted(calm, key=lambda one: -abs(one["real"] - one["virtual"]))[:8]:
    print(f"{one['number']}: {', '.join(f'{100 * real:.2f}' for real in one['runs'])} % real, {100 * one['virtual']:.2f} % "
          f"virtual, transfers {one['transfers']}: {one['arguments']}")
