#!/usr/bin/env python3
"""Writes two files to Tests/CellophaneImagesTests/Color. ColorReferences.swift has small ICC profiles with the sRGB
values of their colors. InkReferences.swift has CMYK JPEG files with their sRGB values.

The script writes the profiles tag by tag from published primaries and curves. Pillow, with its own lcms2, converts the
colors with the rendering intent and the black point compensation of the library. Needs Python 3.9 and Pillow. Run it from
the root of the repository. The output is deterministic for one version of Pillow.
"""

import base64
import io
import struct

from PIL import Image, ImageCms

FOLDER = "Tests/CellophaneImagesTests/Color/"

P3 = [(0.5151, 0.2412, -0.0011), (0.2920, 0.6922, 0.0419), (0.1571, 0.0666, 0.7841)]
ADOBE = [(0.6097, 0.3111, 0.0195), (0.2053, 0.6257, 0.0609), (0.1492, 0.0632, 0.7446)]
PROPHOTO = [(0.7977, 0.2880, 0), (0.1352, 0.7119, 0), (0.0313, 0.0001, 0.8249)]
SRGB = [(0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)]


def fixed(*values):
    return b"".join(struct.pack(">i", round(v * 65536)) for v in values)


def xyz(values):
    return b"XYZ \0\0\0\0" + fixed(*values)


def gamma(value):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(value * 256))


def srgb_curve():
    return b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def text(value):
    utf16 = value.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(utf16), 28) + utf16


def table():
    """Returns a table from RGB to Lab with two points per axis: a desaturated color space without primaries."""
    nodes = bytes(
        round(v)
        for r in (0, 1)
        for g in (0, 1)
        for b in (0, 1)
        for v in (30 + 60 * r + 120 * g + 40 * b, 128 + 50 * r - 50 * g + 20 * b, 128 + 30 * r + 40 * g - 60 * b)
    )
    line = bytes(range(256))
    matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    return b"mft1\0\0\0\0" + bytes([3, 3, 2, 0]) + matrix + line * 3 + nodes + line * 3


def ink_table():
    """Returns a table from CMYK to Lab with two points per axis: an invented printing process."""
    nodes = b""
    for c in (0, 1):
        for m in (0, 1):
            for y in (0, 1):
                for k in (0, 1):
                    light = 245 * (1 - 0.4 * c) * (1 - 0.45 * m) * (1 - 0.08 * y) * (1 - 0.85 * k)
                    chroma = 1 - 0.8 * k
                    a = 128 + chroma * (-40 * c + 70 * m - 6 * y - 10 * c * m)
                    b = 126 + chroma * (-45 * c - 5 * m + 85 * y - 25 * c * y)
                    nodes += bytes(round(v) for v in (light, a, b))
    # Dot gain: 50 % of ink covers more than 50 % of the paper.
    spread = bytes(round(255 * (v / 255) ** 0.8) for v in range(256))
    line = bytes(range(256))
    matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    return b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + matrix + spread * 4 + nodes + line * 3


def profile(space, tags, pcs=b"XYZ ", intent=0, kind=b"mntr"):
    tags = [(b"desc", text("test")), (b"wtpt", xyz((0.9642, 1, 0.8249))), *tags]
    offset = 132 + 12 * len(tags)
    entries, content = b"", b""
    for name, data in tags:
        entries += name + struct.pack(">II", offset + len(content), len(data))
        content += data + bytes(-len(data) % 4)
    head = struct.pack(">I4sI4s4s4s12s4s", offset + len(content), b"", 0x04300000, kind, space, pcs, b"", b"acsp")
    head += bytes(24) + struct.pack(">I", intent) + fixed(0.9642, 1, 0.8249)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + entries + content


def matrix(primaries, curve):
    points = [(name, xyz(values)) for name, values in zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries)]
    return profile(b"RGB ", points + [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")])


PROFILES = [
    ("Display P3", matrix(P3, srgb_curve())),
    ("Adobe RGB", matrix(ADOBE, gamma(563 / 256))),
    ("ProPhoto RGB", matrix(PROPHOTO, gamma(1.8))),
    ("sRGB with gamma 1.8", matrix(SRGB, gamma(1.8))),
    ("gray with gamma 1.8", profile(b"GRAY", [(b"kTRC", gamma(1.8))])),
    ("table, perceptual", profile(b"RGB ", [(b"A2B0", table())], pcs=b"Lab ")),
    ("table, relative", profile(b"RGB ", [(b"A2B0", table())], pcs=b"Lab ", intent=1)),
]


def colors(gray):
    """Returns the colors to convert. Gray: all levels. RGB: all combinations of six levels, and the darkest grays."""
    if gray:
        return [(v, v, v) for v in range(256)]
    steps = [0, 51, 102, 153, 204, 255]
    return [(r, g, b) for r in steps for g in steps for b in steps] + [(v, v, v) for v in range(40)]


def converted(data, picture):
    profile = ImageCms.getOpenProfile(io.BytesIO(data))
    intent = struct.unpack(">I", data[64:68])[0]
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return ImageCms.profileToProfile(
        picture, profile, ImageCms.createProfile("sRGB"), renderingIntent=intent, outputMode="RGB", flags=flags
    )


def literal(data):
    encoded = base64.b64encode(data).decode()
    lines = [encoded[i : i + 100] for i in range(0, len(encoded), 100)]
    return '"""\n' + "".join(f"        {line}\n" for line in lines) + '        """'


def write(name, type, entries):
    with open(FOLDER + name, "w") as file:
        file.write(
            "// swift-format-ignore-file\n// Written by Scripts/make-color-references.py; do not edit.\n\n"
            f"extension {type} {{\n  static let all: [{type}] = [\n" + "".join(entries) + "  ]\n}\n"
        )


entries = []
for name, data in PROFILES:
    gray = data[16:20] == b"GRAY"
    source = colors(gray)
    picture = Image.new("RGB", (len(source), 1))
    picture.putdata(source)
    result = converted(data, picture.convert("L") if gray else picture)
    entries.append(
        f'    ColorReference(\n      "{name}",\n      profile: {literal(data)},\n'
        f"      stored: {literal(picture.tobytes())},\n      sRGB: {literal(result.tobytes())}),\n"
    )
write("ColorReferences.swift", "ColorReference", entries)

entries = []
LEVELS = (0, 80, 170, 255)
INKS = [(c, m, y, k) for c in LEVELS for m in LEVELS for y in LEVELS for k in LEVELS]
for name, intent, progressive in (("perceptual", 0, False), ("relative", 1, True)):
    data = profile(b"CMYK", [(b"A2B0", ink_table()), (b"A2B1", ink_table())], b"Lab ", intent, b"prtr")
    # Each color fills a block of 8x8 pixels, so that it stays uniform, also in a reduced image.
    picture = Image.new("CMYK", (16, 16))
    picture.putdata(INKS)
    picture = picture.resize((128, 128), Image.Resampling.NEAREST)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=100, subsampling=0, progressive=progressive, icc_profile=data)
    decoded = Image.open(file).resize((16, 16), Image.Resampling.NEAREST)
    result = converted(data, decoded)
    entries.append(
        f'    InkReference(\n      "{name}",\n      file: {literal(file.getvalue())},\n'
        f"      sRGB: {literal(result.tobytes())}),\n"
    )
write("InkReferences.swift", "InkReference", entries)
