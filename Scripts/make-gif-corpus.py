#!/usr/bin/env python3
"""Writes Tests/CellophaneGIFTests/Corpus: small GIF files, valid and damaged, with the expected results.

The script encodes the files itself. The expected pixels are those that it encoded, and must equal those of Pillow where these
are comparable. Needs Python 3.9 and Pillow. Run it from the root of the repository.
"""
import io
import json
import pathlib
import random
import struct

from PIL import Image, __version__ as pillow_version

from corpus.case import fnv1a

TARGET = pathlib.Path("Tests/CellophaneGIFTests/Corpus")


def lzw(indices, bits):
    """Returns the code size and the data blocks of palette indices (GIF89a, appendix F)."""
    clear, end = 1 << bits, (1 << bits) + 1
    stream, filled, width = 0, 0, bits + 1
    codes = []

    def put(code):
        nonlocal stream, filled
        stream |= code << filled
        filled += width
        while filled >= 8:
            codes.append(stream & 0xFF)
            stream, filled = stream >> 8, filled - 8

    table = {(index,): index for index in range(clear)}
    following = end + 1
    put(clear)
    string = ()
    for index in indices:
        if string + (index,) in table:
            string += (index,)
            continue
        put(table[string])
        if following < 4096:
            table[string + (index,)] = following
            # A decoder adds the entry one code later.
            if following == 1 << width and width < 12:
                width += 1
            following += 1
        else:
            put(clear)
            table = {(one,): one for one in range(clear)}
            following, width = end + 1, bits + 1
        string = (index,)
    put(table[string])
    put(end)
    if filled:
        codes.append(stream & 0xFF)
    blocks = b"".join(bytes([len(codes[start:start + 255])]) + bytes(codes[start:start + 255])
                      for start in range(0, len(codes), 255))
    return bytes([bits]) + blocks + b"\0"


def palette(count, seed=1):
    numbers = random.Random(seed)
    return [tuple(numbers.randrange(256) for _ in range(3)) for _ in range(count)]


def colors(entries):
    return b"".join(bytes(entry) for entry in entries)


def lines(height, interlaced):
    """Returns the rows in file order."""
    if not interlaced:
        return range(height)
    return [row for first, distance in ((0, 8), (4, 8), (2, 4), (1, 2)) for row in range(first, height, distance)]


class Frame:
    """A frame with random indices."""

    def __init__(self, size, place=(0, 0), bits=3, local=None, transparent=None, interlaced=False, seed=1):
        numbers = random.Random(seed)
        self.size, self.place, self.bits, self.local = size, place, bits, local
        self.transparent, self.interlaced = transparent, interlaced
        # Runs, so that the table of strings is used.
        self.indices = []
        while len(self.indices) < size[0] * size[1]:
            self.indices += [numbers.randrange(1 << bits)] * numbers.randrange(1, 9)
        del self.indices[size[0] * size[1]:]

    def bytes(self, delay=0):
        control = b"\x21\xF9\x04" + struct.pack(
            "<BHB", 0 if self.transparent is None else 1, delay, self.transparent or 0) + b"\0"
        flags = (0x80 | (self.bits - 1) if self.local else 0) | (0x40 if self.interlaced else 0)
        head = b"\x2C" + struct.pack("<HHHHB", *self.place, *self.size, flags) + (colors(self.local) if self.local else b"")
        order = lines(self.size[1], self.interlaced)
        data = [index for row in order for index in self.indices[row * self.size[0]:(row + 1) * self.size[0]]]
        return control + head + lzw(data, max(2, self.bits))


def gif(canvas, entries, *frames, version=b"GIF89a", extensions=b""):
    bits = (len(entries) - 1).bit_length() if entries else 1
    flags = 0x80 | (bits - 1) if entries else 0
    return (version + struct.pack("<HHBBB", *canvas, flags, 0, 0) + colors(entries) + extensions
            + b"".join(frame.bytes(8) for frame in frames) + b"\x3B")


def expected(canvas, entries, frame):
    """Returns the size and the pixels of the canvas with the first frame."""
    width, height = canvas
    if width == 0 or height == 0:
        width, height = frame.place[0] + frame.size[0], frame.place[1] + frame.size[1]
    pixels = bytearray(width * height * 4)
    known = frame.local or entries
    for y in range(frame.size[1]):
        for x in range(frame.size[0]):
            index = frame.indices[y * frame.size[0] + x]
            column, row = x + frame.place[0], y + frame.place[1]
            if column < width and row < height and index != frame.transparent:
                color = known[index] if index < len(known) else (0, 0, 0)
                pixels[(row * width + column) * 4:(row * width + column) * 4 + 4] = bytes(color) + b"\xFF"
    return (width, height), bytes(pixels)


def cases():
    """Returns (name, what it covers, canvas, palette, frames, further options, whether Pillow is comparable)."""
    for width, height in [(1, 1), (3, 5), (13, 11), (16, 16), (64, 48)]:
        yield f"plain-{width}x{height}", f"{width}x{height}", (width, height), palette(8), [Frame((width, height))], {}, True
        yield (f"interlaced-{width}x{height}", f"interlaced {width}x{height}", (width, height), palette(8),
               [Frame((width, height), interlaced=True)], {}, True)
    for bits in range(1, 9):
        yield f"bits-{bits}", f"a palette of {1 << bits} colors", (31, 17), palette(1 << bits), [Frame((31, 17), bits=bits)], {}, True
    yield "clear-codes", "a full table of strings", (120, 90), palette(256), [Frame((120, 90), bits=8)], {}, True
    yield "old", "version 87a", (13, 11), palette(8), [Frame((13, 11))], {"version": b"GIF87a"}, True
    yield "local", "a local palette", (13, 11), palette(8), [Frame((13, 11), local=palette(8, 9))], {}, True
    yield "only-local", "a local palette alone", (13, 11), [], [Frame((13, 11), local=palette(8, 9))], {}, True
    yield "transparent", "a transparent color", (13, 11), palette(8), [Frame((13, 11), transparent=3)], {}, True
    yield "inset", "a frame within the canvas", (40, 30), palette(8), [Frame((13, 11), (6, 4), transparent=1)], {}, True
    yield "beyond", "a frame that exceeds the canvas", (16, 12), palette(8), [Frame((13, 11), (6, 4))], {}, False
    yield ("beyond-interlaced", "an interlaced frame that exceeds the canvas", (16, 12), palette(8),
           [Frame((13, 11), (6, 4), interlaced=True)], {}, False)
    yield "outside", "a frame outside of the canvas", (6, 4), palette(8), [Frame((13, 11), (6, 4))], {}, False
    yield "no-canvas", "a canvas without size", (0, 0), palette(8), [Frame((13, 11), (2, 1))], {}, False
    yield "few-colors", "indices beyond the palette", (13, 11), palette(4), [Frame((13, 11))], {}, False
    yield ("animation", "an animation", (13, 11), palette(8), [Frame((13, 11), seed=one) for one in range(3)],
           {"extensions": b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"}, True)
    yield ("comment", "a comment and XMP", (13, 11), palette(8), [Frame((13, 11))],
           {"extensions": b"\x21\xFE\x06secret\0\x21\xFF\x0BXMP DataXMP\x06secret\0"}, True)


def broken():
    whole = gif((64, 48), palette(8), Frame((64, 48)))
    yield "bad-head.gif", "an incomplete header", whole[:12], "truncated"
    yield "bad-palette.gif", "an incomplete palette", whole[:20], "truncated"
    yield "bad-cut.gif", "half of the pixels", whole[:len(whole) // 2], "truncated"
    yield "bad-empty.gif", "no image", whole[:37] + b"\x3B", "corrupt"
    yield "bad-code-size.gif", "a code size of 12", (lambda start: whole[:start] + b"\x0C" + whole[start + 1:])(
        whole.index(b"\x2C", 37) + 10), "corrupt"
    yield "bad-size.gif", "more pixels than the limit", whole[:6] + b"\xFF\xFF\xFF\xFF" + whole[10:], "image-too-large"


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for old in TARGET.iterdir():
        old.unlink()
    table = []
    for name, covers, canvas, entries, frames, options, is_comparable in cases():
        data = gif(canvas, entries, *frames, **options)
        size, pixels = expected(canvas, entries, frames[0])
        if is_comparable:
            image = Image.open(io.BytesIO(data)).convert("RGBA")
            # Pillow keeps the color of transparent pixels.
            seen = b"".join(bytes(one) if one[3] else b"\0\0\0\0" for one in struct.iter_unpack("4B", image.tobytes()))
            assert (image.size, seen) == (size, pixels), name
        (TARGET / f"{name}.gif").write_bytes(data)
        table.append({"file": f"{name}.gif", "covers": covers, "width": size[0], "height": size[1],
                      "pixels": f"{fnv1a(pixels):016X}", "model": "indexed", "bits": 8, "progressive": False})
    for name, covers, data, kind in broken():
        (TARGET / name).write_bytes(data)
        table.append({"file": name, "covers": covers, "error": kind})
    text = ",\n    ".join(json.dumps(one) for one in table)
    (TARGET / "expected.json").write_text(
        f'{{\n  "madeWith": "Pillow {pillow_version}",\n  "files": [\n    {text}\n  ],\n  "damaged": []\n}}\n')


main()
