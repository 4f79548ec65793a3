#!/usr/bin/env python3
"""Writes Tests/TestSupport/Corpus: small image files, valid and damaged, with the expected results.

The expected pixels come from reference-decode.c, a simple use of libpng and libjpeg-turbo that shares no code with the
package. They must equal the pixels by the rules of PNG, which this script computes, and the pixels of Pillow where they
are comparable. Each case states its warnings or which error is expected. The script fails if two of these results
differ.

Needs Python 3.9, Pillow, a C compiler, libpng, libjpeg-turbo and its jpegtran. Run it from the root of the repository.
The same versions of these tools write the same bytes; the table contains the versions.
"""

import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings

from PIL import Image, ImageFile, ImageOps, __version__ as pillow_version, features

from corpus import deviation_cases, exif, foreign_cases, jpeg_bad_cases, jpeg_cases, png_cases
from corpus.case import fnv1a, splitmix64

TARGET = pathlib.Path("Tests/TestSupport/Corpus")
# The files to damage, and the number of variants of each.
DAMAGED = [
    "png/gray-1.png", "png/gray-16-tRNS-Adam7.png", "png/rgb-8.png", "png/indexed-4-tRNS.png", "png/rgba-8-Adam7.png",
    "png-odd/deflate-level-0.png", "png-odd/IDAT-every-byte.png", "turned/5-little.png", "turned/6-big.jpg",
    "jpeg/gray.jpg", "jpeg/420.jpg", "jpeg/444.jpg", "jpeg/progressive.jpg", "jpeg/progressive-gray.jpg",
    "jpeg/restart-markers.jpg", "jpeg/CMYK.jpg", "jpeg/arithmetic.jpg", "jpeg/progressive-arithmetic.jpg",
    "jpeg-odd/420-35x27.jpg", "jpeg-odd/411-apart.jpg", "jpeg-odd/scans-successive-restart.jpg",
    "jpeg-odd/inks-2112-YCCK-progressive.jpg", "jpeg-odd/restart-1.jpg", "jpeg-odd/scans-mixed.jpg",
]
DAMAGES = 60


class Reference:
    """The compiled reference-decode.c."""

    def __init__(self, folder):
        self.program = os.path.join(folder, "reference-decode")
        source = pathlib.Path(__file__).with_name("reference-decode.c")
        subprocess.run(["cc", "-O2", "-o", self.program, source, "-lpng", "-lz", "-ljpeg"], check=True)
        self.version = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def decode(self, files, **environment):
        """Returns (size, pixels, warnings) or (kind, message) for each file."""
        data = b"".join(struct.pack(">I", len(file)) + file for file in files)
        out = subprocess.run([self.program], input=data, stdout=subprocess.PIPE, check=True, env={**os.environ, **environment}).stdout
        stream = io.BytesIO(out)
        results = []
        for _ in files:
            words = stream.readline().decode().rstrip("\n").split(" ", 2)
            if words[0] == "ok":
                width = int(words[1])
                height, _, *found = words[2].split()
                results.append(((width, int(height)), stream.read(width * int(height) * 4), tuple(found)))
            else:
                results.append((words[1], words[2]))
        return results

    def decode_twice(self, files):
        """Decodes again without SIMD and with different contents of fresh memory. Neither may change a pixel."""
        return zip(self.decode(files), self.decode(files, JSIMD_FORCENONE="1", MALLOC_PERTURB_="165"))


def check(case, result, again, whole):
    """Returns an error message for a case, or None if all results agree. `whole` is the result of `case.whole`."""
    if result != again:
        return "decodes differently the second time"
    if isinstance(result[0], str):
        if not case.error:
            return f"must be an image, but the reference returns {result}"
        if result[0] != case.error and not case.by_header:
            return f"must fail with {case.error}, but the reference returns {result}"
        return None
    if case.error:
        return None if case.by_header else f"must fail with {case.error}, but the reference decodes it"
    size, pixels, found = result
    if found != case.warnings:
        return f"must have the warnings {case.warnings}, but has {found}"
    if case.whole and (size, pixels) != whole[:2]:
        return "differs from the file without the deviation"
    if case.rgba is not None and (case.size, case.rgba) != (size, pixels):
        return "differs from the pixels by the rules of the format"
    if not case.pillow:
        return None
    same = by_pillow(case.data, tolerant=bool(case.warnings))
    if isinstance(same, str):
        return f"is rejected by Pillow: {same}"
    return None if case.smoothed or same == result[:2] else "is decoded differently by Pillow"


def by_pillow(data, tolerant=False):
    """Returns (size, pixels) of Pillow, or its error message. If it is `tolerant`, Pillow skips damaged chunks and does
    not need the end of the file."""
    ImageFile.LOAD_TRUNCATED_IMAGES = tolerant
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            opaque = picture.format in ("JPEG", "MPO")
            same = (picture.convert("RGB") if opaque else picture).convert("RGBA")
            return same.size, same.tobytes()
    except (OSError, SyntaxError, ValueError) as error:
        return str(error)


def turned(size, pixels, orientation):
    clean = Image.frombytes("RGBA", size, pixels)
    clean.getexif()[0x0112] = orientation
    upright = ImageOps.exif_transpose(clean)
    return upright.size, upright.tobytes()


def facts(data):
    """Returns the facts in the header: color model, bits, and whether the image is progressive or interlaced."""
    if data.startswith(b"\x89PNG"):
        models = {0: "gray", 2: "rgb", 3: "indexed", 4: "gray-alpha", 6: "rgba"}
        return {"model": models[data[25]], "bits": data[24], "progressive": data[28] == 1}
    frame, scan, marker = b"", b"", 0
    at = 2
    while not scan:
        at = data.index(b"\xff", at)
        while data[at] == 0xFF:
            at += 1
        marker, at = data[at], at + 1
        if marker in (1, *range(0xD0, 0xD8)):
            continue
        length = struct.unpack(">H", data[at : at + 2])[0]
        if marker in (0xC0, 0xC1, 0xC2, 0xC9, 0xCA):
            frame, kind = data[at + 2 : at + length], marker
        if marker == 0xDA:
            scan = data[at + 2 : at + length]
        at += length
    models = {1: "gray", 3: "rgb", 4: "cmyk"}
    return {"model": models[frame[5]], "bits": 8, "progressive": kind in (0xC2, 0xCA) or scan[0] < frame[5]}


def entry(case, result):
    """Returns the entry of the table for a case."""
    line = {"file": case.name, "covers": case.covers}
    if case.error:
        return {**line, "error": case.error, **({"says": case.says} if case.says else {})}
    size, pixels, found = result
    line.update(width=size[0], height=size[1], pixels=f"{fnv1a(pixels):016X}", **facts(case.data))
    if warned := [*found, *case.profile_warnings]:
        line["warnings"] = warned
    if case.smoothed:
        line["smoothedLater"] = f"{fnv1a(by_pillow(case.data)[1]):016X}"
    if case.orientation != 1:
        line.update(orientation=case.orientation, upright=f"{fnv1a(turned(size, pixels, case.orientation)[1]):016X}")
    return line


def damaged(data, seed):
    """Generates the damaged variants of a file. Every fourth is truncated; the others have one inverted bit."""
    for n, number in zip(range(DAMAGES), splitmix64(seed)):
        if n % 4 == 3:
            yield data[: number % len(data)]
        else:
            bit = number % (len(data) * 8)
            yield data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def outcome(result, again):
    """Returns a word for the table: "-" for an error, "?" for an image whose pixels depend on the processor because its
    coefficients exceed the limits of the format, otherwise the low half of the hash."""
    if isinstance(result[0], str):
        return "-"
    return f"{fnv1a(result[1]) & 0xFFFFFFFF:08X}" if result == again else "?"


def damages(reference, cases):
    for seed, name in enumerate(DAMAGED, 1):
        variants = list(damaged(cases[name].data, seed))
        words = [outcome(*pair) for pair in reference.decode_twice(variants)]
        yield {"file": name, "seed": seed, "outcomes": " ".join(words)}


def lines(entries):
    return ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in entries)


def main():
    warnings.simplefilter("ignore")  # Pillow warns about invalid EXIF
    cases = {}
    for part in (png_cases, jpeg_cases, jpeg_bad_cases, exif, foreign_cases, deviation_cases):
        for case in part.cases():
            if case.name in cases:
                sys.exit(f"two cases have the name {case.name}; rename one")
            cases[case.name] = case
    with tempfile.TemporaryDirectory() as folder:
        reference = Reference(folder)
        results = list(reference.decode_twice([case.data for case in cases.values()]))
        wholes = reference.decode([case.whole for case in cases.values()])
        checked = zip(cases.values(), results, wholes)
        wrong = [f"{case.name} {what}" for case, pair, whole in checked if (what := check(case, *pair, whole))]
        if wrong:
            sys.exit("\n".join(wrong))
        entries = [entry(case, pair[0]) for case, pair in zip(cases.values(), results)]
        damage = list(damages(reference, cases))
    for old in TARGET.iterdir() if TARGET.exists() else []:
        if old.is_dir():
            shutil.rmtree(old)
    for case in cases.values():
        path = TARGET / case.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.data)
    tools = f"{reference.version}, Pillow {pillow_version} with libjpeg-turbo {features.version('libjpeg_turbo')}"
    table = f'{{\n  "madeWith": {json.dumps(tools)},\n  "files": [\n{lines(entries)}\n  ],\n  "damaged": [\n{lines(damage)}\n  ]\n}}\n'
    (TARGET / "expected.json").write_text(table, encoding="utf-8")
    print(f"{len(cases)} files, {sum(len(case.data) for case in cases.values())} bytes; {len(damage) * DAMAGES} damaged; {tools}")


main()
