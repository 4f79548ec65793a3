#!/usr/bin/env python3
"""Reads the commands of `baseline.c` from standard input and decodes with Pillow, pyvips or OpenCV.

    peers.py NAME

Each library is used as its documentation recommends, with one thread. If NAME is not installed, the program prints a
message on standard error and exits.
"""
import os
import re
import sys
import time
from pathlib import Path

os.environ["VIPS_CONCURRENCY"] = "1"


def pillow():
    import io

    from PIL import Image

    def decode(file, side):
        picture = Image.open(io.BytesIO(file))
        if side:
            picture.thumbnail((side, side))
        picture.load()
        return picture

    return decode


def pyvips():
    import pyvips

    pyvips.cache_set_max(0)

    def decode(file, side):
        if side:
            return pyvips.Image.thumbnail_buffer(file, side, height=side, size="down").write_to_memory()
        return pyvips.Image.new_from_buffer(file, "", access="sequential").write_to_memory()

    return decode


def opencv():
    import cv2
    import numpy

    cv2.setNumThreads(1)
    reduced = ((8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))

    def decode(file, side):
        file = numpy.frombuffer(file, numpy.uint8)
        if not side:
            return cv2.imdecode(file, cv2.IMREAD_UNCHANGED)
        width, height = size_of_jpeg(file)
        longer = max(width, height)
        # OpenCV cannot read the size in advance, so this code reads it from the file and selects the scale.
        flags = next((flag for by, flag in reduced if longer >= by * 2 * side), cv2.IMREAD_COLOR)
        size = (max(round(width * side / longer), 1), max(round(height * side / longer), 1))
        return cv2.resize(cv2.imdecode(file, flags), size, interpolation=cv2.INTER_AREA)

    def size_of_jpeg(file):
        offset = 2
        while offset + 9 < len(file):
            marker, length = file[offset + 1], int(file[offset + 2]) << 8 | int(file[offset + 3])
            if marker in (0xC0, 0xC1, 0xC2):
                return (
                    int(file[offset + 7]) << 8 | int(file[offset + 8]),
                    int(file[offset + 5]) << 8 | int(file[offset + 6]),
                )
            offset += 2 + length
        raise ValueError("no frame header")

    return decode


def memory(name):
    """Returns a value of /proc/self/status in bytes."""
    return int(re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024


try:
    decode = {"pillow": pillow, "pyvips": pyvips, "opencv": opencv}[sys.argv[1]]()
except (ImportError, OSError) as error:
    sys.exit(f"{sys.argv[1]} is not installed: {error}")

files = []
for line in sys.stdin:
    command, *words = line.split()
    if command == "load":
        files.append(Path(line.removeprefix("load ").rstrip("\n")).read_bytes())
        print("ok", flush=True)
        continue
    side = 0 if words[0] == "whole" else int(words[0])
    if command == "run":
        cpu, wall = time.process_time(), time.monotonic()
        for file in files[int(words[1]) : int(words[2])]:
            decode(file, side)
        print(time.process_time() - cpu, time.monotonic() - wall, flush=True)
    elif command == "peak":
        Path("/proc/self/clear_refs").write_text("5")
        before = memory("VmRSS")
        decode(files[int(words[1])], side)
        print(memory("VmHWM") - before, flush=True)
