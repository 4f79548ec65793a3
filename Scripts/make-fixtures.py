#!/usr/bin/env python3
"""Writes Tests/CellophaneTests/Decoding/PictureFixtures.swift: small pictures and what they decode to.

The PNGs are written here, bit by bit, from samples whose RGBA is computed by the rules of ISO/IEC 15948; Pillow
decodes them too, and where it delivers 8-bit RGBA the two must agree. The JPEGs are written and decoded by
Pillow (libjpeg-turbo). Needs Python 3.9 and Pillow; run from the root of the repository. Deterministic for one
version of Pillow.
"""

import base64
import io
import random
import struct
import zlib

from PIL import Image, ImageOps

TARGET = "Tests/CellophaneTests/Decoding/PictureFixtures.swift"


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def packed_row(samples, depth):
    """Samples of one row, most significant bits first."""
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    bits, out, used = 0, bytearray(), 0
    for sample in samples:
        bits, used = bits << depth | sample, used + depth
        if used == 8:
            out.append(bits)
            bits, used = 0, 0
    if used:
        out.append(bits << 8 - used)
    return bytes(out)


def filtered(rows, step, rng):
    """Rows with filters chosen at random, so that each kind occurs."""
    out, before = bytearray(), None
    for row in rows:
        before = before or bytes(len(row))
        kind = rng.randrange(5)
        out.append(kind)
        for i, byte in enumerate(row):
            a = row[i - step] if i >= step else 0
            b = before[i]
            c = before[i - step] if i >= step else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out.append(byte - (0, a, b, (a + b) // 2, nearest)[kind] & 255)
        before = row
    return bytes(out)


def png(width, height, depth, color, pixels, interlaced=False, before=(), after=(), idat=0):
    """`pixels[y][x]` is a tuple of samples."""
    rng = random.Random(7)
    step = max(1, CHANNELS[color] * depth // 8)

    def image(x0, y0, dx, dy):
        rows = [[s for x in range(x0, width, dx) for s in pixels[y][x]] for y in range(y0, height, dy)]
        rows = [packed_row(row, depth) for row in rows if row]
        return filtered(rows, step, rng)

    raw = b"".join(image(*p) for p in ADAM7) if interlaced else image(0, 0, 1, 1)
    data = zlib.compress(raw, 9)
    parts = [data[i : i + idat] for i in range(0, len(data), idat)] if idat else [data]
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    body = [chunk(b"IHDR", header), *before, *(chunk(b"IDAT", p) for p in parts), *after, chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def eight(sample, depth):
    return sample >> 8 if depth == 16 else sample * 255 // ((1 << depth) - 1)


def rgba(pixel, depth, color, palette=None, alphas=None, key=None):
    if color == 3:
        index = pixel[0]
        return (*palette[index], alphas[index] if alphas and index < len(alphas) else 255)
    values = [eight(s, depth) for s in pixel]
    if color in (0, 4):
        values = [values[0]] * 3 + values[1:]
    if len(values) == 3:
        values.append(0 if key is not None and tuple(pixel) == tuple(key) else 255)
    return tuple(values)


def png_cases():
    rng = random.Random(1)
    width, height = 13, 11
    for color, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))):
        for depth in depths:
            for transparent in (False, True) if color in (0, 2, 3) else (False,):
                for interlaced in (False, True):
                    top = (1 << depth) - 1
                    pixels = [
                        [tuple(rng.randint(0, top) for _ in range(CHANNELS[color])) for _ in range(width)]
                        for _ in range(height)
                    ]
                    before, palette, alphas, key = [], None, None, None
                    if color == 3:
                        palette = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(top + 1)]
                        before.append(chunk(b"PLTE", bytes(v for entry in palette for v in entry)))
                        if transparent:
                            alphas = [rng.randrange(256) for _ in range(max(1, len(palette) // 2))]
                            before.append(chunk(b"tRNS", bytes(alphas)))
                    elif transparent:
                        key = pixels[3][5]
                        before.append(chunk(b"tRNS", b"".join(struct.pack(">H", s) for s in key)))
                        if depth == 16:  # the same high byte must not be transparent
                            pixels[4][4] = tuple(s ^ 1 for s in key)
                    name = f"{ {0: 'gray', 2: 'rgb', 3: 'indexed', 4: 'gray-alpha', 6: 'rgba'}[color]} {depth}"
                    name += " tRNS" * transparent + " Adam7" * interlaced
                    data = png(width, height, depth, color, pixels, interlaced, before, idat=40)
                    flat = [rgba(p, depth, color, palette, alphas, key) for row in pixels for p in row]
                    expected = bytes(v for p in flat for v in p)
                    check_with_pillow(name, data, expected, depth)
                    yield name, data, (width, height), expected


def check_with_pillow(name, data, expected, depth):
    if depth == 16 or name.startswith(("gray 2 tRNS", "gray 4 tRNS")):
        return  # Pillow keeps 16 bits of grey, and compares the key with samples it has already scaled
    with Image.open(io.BytesIO(data)) as picture:
        if picture.convert("RGBA").tobytes() != expected:
            raise SystemExit(f"Pillow decodes {name} differently")


def extra_png_cases():
    one = [[(200, 100, 50)]]
    yield "1x1", png(1, 1, 8, 2, one), (1, 1), bytes((200, 100, 50, 255))
    profile = chunk(b"gAMA", struct.pack(">I", 100000)) + chunk(b"iCCP", b"x\0\0" + zlib.compress(b"not a profile"))
    yield "gamma and profile", png(1, 1, 8, 2, one, before=(profile,)), (1, 1), bytes((200, 100, 50, 255))
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000), 9))
    yield "compressed text", png(1, 1, 8, 2, one, before=(bomb,)), (1, 1), bytes((200, 100, 50, 255))
    short = chunk(b"PLTE", bytes((9, 8, 7)))
    pixels = [[(0,), (1,)]]
    yield "index beyond palette", png(2, 1, 8, 3, pixels, before=(short,)), (2, 1), bytes((9, 8, 7, 255, 0, 0, 0, 255))


def scene(mode, width, height):
    """Smooth shades, an edge, and some noise."""
    rng = random.Random(3)
    bands = len(mode) if mode != "L" else 1
    data = bytearray()
    for y in range(height):
        for x in range(width):
            for band in range(bands):
                value = (x * 5 + y * 3 * (band + 1) + (90 if x > y else 0)) % 256
                data.append(min(255, max(0, value + rng.randint(-6, 6))))
    return Image.frombytes(mode, (width, height), bytes(data))


def jpeg_cases():
    variants = [
        ("gray", "L", {}),
        ("4:4:4", "RGB", {"subsampling": 0}),
        ("4:2:2", "RGB", {"subsampling": 1}),
        ("4:2:0", "RGB", {"subsampling": 2}),
        ("stored as RGB", "RGB", {"keep_rgb": True}),
        ("progressive", "RGB", {"progressive": True, "subsampling": 2}),
        ("progressive gray", "L", {"progressive": True}),
        ("restart markers", "RGB", {"restart_marker_blocks": 2}),
        ("CMYK", "CMYK", {}),
        ("progressive CMYK", "CMYK", {"progressive": True}),
    ]
    for name, mode, options in variants:
        stream = io.BytesIO()
        scene(mode, 43, 37).save(stream, "JPEG", quality=88, **options)
        data = stream.getvalue()
        with Image.open(io.BytesIO(data)) as picture:
            yield name, data, picture.size, picture.convert("RGB").convert("RGBA").tobytes()
            if mode == "CMYK" and not options:
                at = data.index(b"Adobe") - 4  # the inks are complemented without the marker, too
                plain = data[:at] + data[at + 2 + struct.unpack(">H", data[at + 2 : at + 4])[0] :]
    with Image.open(io.BytesIO(plain)) as picture:
        yield "CMYK without Adobe marker", plain, picture.size, picture.convert("RGB").convert("RGBA").tobytes()


def exif(orientation, order, padding=0):
    entries = [(0x0100, 4, 1, 7)] * padding + [(0x0112, 3, 1, orientation)]
    out = {"<": b"II*\0", ">": b"MM\0*"}[order] + struct.pack(order + "IH", 8, len(entries))
    for tag, kind, count, value in entries:
        out += struct.pack(order + "HHI", tag, kind, count)
        out += struct.pack(order + ("HH" if kind == 3 else "I"), *((value, 0) if kind == 3 else (value,)))
    return out + struct.pack(order + "I", 0)


def orientation_cases():
    rng = random.Random(5)
    pixels = [[tuple(rng.randrange(256) for _ in range(4)) for _ in range(5)] for _ in range(3)]
    picture = scene("RGB", 24, 16)
    for value in range(1, 9):
        block = exif(value, "<>"[value % 2], padding=value % 3)
        place = {"before": (chunk(b"eXIf", block),)} if value % 2 else {"after": (chunk(b"eXIf", block),)}
        data = png(5, 3, 8, 6, pixels, **place)
        plain = Image.frombytes("RGBA", (5, 3), bytes(v for row in pixels for p in row for v in p))
        yield f"PNG {value}", data, *transposed(plain, value)
        stream = io.BytesIO()
        picture.save(stream, "JPEG", exif=b"Exif\0\0" + block, subsampling=0)
        with Image.open(io.BytesIO(stream.getvalue())) as decoded:
            yield f"JPEG {value}", stream.getvalue(), *transposed(decoded.convert("RGBA"), value)


def transposed(picture, orientation):
    clean = Image.frombytes("RGBA", picture.size, picture.tobytes())
    clean.getexif()[0x0112] = orientation
    turned = ImageOps.exif_transpose(clean)
    return turned.size, turned.tobytes()


def swift_table(name, comment, cases):
    lines = [f"  /// {comment}", f"  static let {name}: [PictureFixture] = ["]
    for title, data, (width, height), expected in cases:
        lines.append(f'    PictureFixture("{title}", {width}, {height}, 0x{fnv1a(expected):016X},')
        lines.append(f'      "{base64.b64encode(data).decode()}"),')
    return lines + ["  ]"]


def main():
    out = [
        "// swift-format-ignore-file",
        "// Written by Scripts/make-fixtures.py; do not edit.",
        "",
        "extension PictureFixture {",
        *swift_table("png", "Every colour type and depth, with and without tRNS and interlacing.", png_cases()),
        "",
        *swift_table("oddPNG", "Unusual, but to be decoded.", extra_png_cases()),
        "",
        *swift_table("jpeg", "Every way to store colours that is supported.", jpeg_cases()),
        "",
        *swift_table("turned", "The EXIF orientations 1...8; size and pixels are those after turning.", orientation_cases()),
        "}",
    ]
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
