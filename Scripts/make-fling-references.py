#!/usr/bin/env python3
"""Writes Tests/CellophaneTests/Prefetch/expected.json: flings on Android and in Flutter for Android.

The script derives both in another way than Cellophane does, and uses no code of the package:

- Android: a table of 101 samples of a Bézier curve, each found by bisection, and lines between the samples, as on a
  phone. Cellophane inverts the curve in closed form.
- Flutter: a Runge-Kutta integration of the deceleration. Cellophane uses its solution.

Needs Python 3.9. Run it from the root of the repository. The output is deterministic. The script prints the largest
distances between the forms, which the documentation names.
"""

import json
import math
import pathlib

TARGET = pathlib.Path("Tests/CellophaneTests/Prefetch/expected.json")
SPEEDS = [60, 500, 1000, 1800, 2000, 3500, 4000, 8000]
SHARES = [0.005, 0.055, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.905, 0.99]

# The constants of android.widget.OverScroller, and the friction of android.view.ViewConfiguration.
RATE = math.log(0.78) / math.log(0.9)
INFLEXION = 0.35
START_TENSION, END_TENSION = 0.5, 1.0
SAMPLES = 100
FRICTION = 0.015 * 9.80665 * 39.37 * 160 * 0.84


def bezier(first, second, parameter):
    """Returns one coordinate of a cubic Bézier curve from 0 to 1, by de Casteljau's construction."""
    points = [0.0, first, second, 1.0]
    while len(points) > 1:
        points = [a + (b - a) * parameter for a, b in zip(points, points[1:])]
    return points[0]


def sample(time):
    """Returns the share of the way after a share of the time, by bisection of the curve's parameter."""
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        passed = bezier(START_TENSION * INFLEXION, 1 - END_TENSION * (1 - INFLEXION), middle)
        low, high = (middle, high) if passed < time else (low, middle)
    return bezier(START_TENSION, END_TENSION, low)


TABLE = [sample(index / SAMPLES) for index in range(SAMPLES + 1)]


def interpolated(time):
    """Returns the share of the way after a share of the time, on the line between two samples."""
    index = min(int(time * SAMPLES), SAMPLES - 1)
    return TABLE[index] + (TABLE[index + 1] - TABLE[index]) * (time * SAMPLES - index)


def android(speed):
    """Returns the distance in px, the duration in s, and the distance after a share of the duration."""
    logarithm = math.log(INFLEXION * speed / FRICTION)
    distance = FRICTION * math.exp(RATE / (RATE - 1) * logarithm)
    return distance, math.exp(logarithm / (RATE - 1)), lambda share: distance * interpolated(share)


def flutter(speed):
    """Returns the same for the deceleration k * v^a. One k holds for all speeds and leads to Android's distances."""
    power = (RATE - 2) / (RATE - 1)
    # The integral of v / (k * v^a) from 0 to the speed is the distance, that of 1 / (k * v^a) the duration.
    distance = android(speed)[0]
    factor = speed ** (2 - power) / ((2 - power) * distance)
    duration = speed ** (1 - power) / ((1 - power) * factor)

    def travelled(share, steps=4000):
        step = share * duration / steps
        place, now = 0.0, speed
        for _ in range(steps):
            # The stages of the velocity; the place is its integral (Simpson's rule is the same method).
            first = -factor * now**power
            second = -factor * (now + step / 2 * first) ** power
            third = -factor * (now + step / 2 * second) ** power
            fourth = -factor * (now + step * third) ** power
            place += step * now + step**2 / 6 * (first + second + third)
            now += step / 6 * (first + 2 * second + 2 * third + fourth)
        return place

    return distance, duration, travelled


def references():
    for name, form in [("android", android), ("flutter-android", flutter)]:
        for speed in SPEEDS:
            distance, duration, travelled = form(speed)
            way = [[share, travelled(share)] for share in SHARES]
            yield {"physics": name, "speed": speed, "distance": distance, "duration": duration, "travelled": way}


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return {key: rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


def line(value):
    return json.dumps(rounded(value), sort_keys=True)


def main():
    flings = list(references())
    text = ",\n  ".join(line(fling) for fling in flings)
    TARGET.write_text('{"table": ' + line(TABLE) + ',\n "flings": [\n  ' + text + "]}\n")

    between = max(abs(interpolated(step / 10_000) - sample(step / 10_000)) for step in range(10_001))
    print(f"lines between samples: {between:.6f} of the way from the curve")
    distance, duration, phone = android(8000)
    shorter, apart = flutter(8000)[1], []
    for step in range(1, 101):
        time = duration * step / 100
        way = flutter(8000)[2](time / shorter, 400) if time < shorter else distance
        apart.append(abs(way - phone(step / 100)))
    print(f"8000 px/s: {distance:.0f} px in {duration:.3f} s, in Flutter {shorter:.3f} s; {max(apart):.0f} px apart")


if __name__ == "__main__":
    main()
