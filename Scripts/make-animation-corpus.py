#!/usr/bin/env python3
"""Writes Tests/CellophaneAnimationTests/Corpus: small animations as PNG, GIF and WebP, with the expected frames.

The script encodes PNG and GIF itself, and WebP with cwebp and webpmux (Debian: webp). It computes the expected frames by the
rules of the PNG specification, and compares them with Pillow where Pillow follows these rules. Needs Python 3.9 and Pillow. Run
it from the root of the repository.
"""
import io
import json
import pathlib
import random
import struct
import subprocess
import tempfile
import zlib

from PIL import Image, ImageSequence, __version__ as pillow_version

from corpus.case import fnv1a

TARGET = pathlib.Path("Tests/CellophaneAnimationTests/Corpus")
CANVAS = (40, 30)
KEEP, CLEAR, RESTORE = 0, 1, 2


class Frame:
    """A frame of random pixels: `alphas` are their values of alpha."""

    def __init__(self, place, size, seed, alphas=(0, 255, 255), disposal=KEEP, blends=True, delay=80):
        numbers = random.Random(seed)
        colors = [tuple(numbers.randrange(256) for _ in range(3)) for _ in range(7)]
        self.place, self.size, self.disposal, self.blends, self.delay = place, size, disposal, blends, delay
        self.pixels = []
        for _ in range(size[0] * size[1]):
            alpha = numbers.choice(alphas)
            self.pixels.append(numbers.choice(colors) + (alpha,) if alpha else (0, 0, 0, 0))

    def image(self):
        image = Image.new("RGBA", self.size)
        image.putdata(self.pixels)
        return image


def over(source, backdrop):
    """Returns straight-alpha `source` over `backdrop`, rounded."""
    if source[3] == 0:
        return backdrop
    above, below = source[3] * 255, (255 - source[3]) * backdrop[3]
    alpha = above + below
    return tuple((s * above + b * below + alpha // 2) // alpha for s, b in zip(source[:3], backdrop[:3])) + (
        (alpha + 127) // 255,)


def composed(frames):
    """Returns the canvas after each frame."""
    width, height = CANVAS
    canvas = [(0, 0, 0, 0)] * (width * height)
    results = []
    for frame in frames:
        before = list(canvas)
        places = [(x, y) for y in range(frame.size[1]) for x in range(frame.size[0])
                  if x + frame.place[0] < width and y + frame.place[1] < height]
        for x, y in places:
            index = (y + frame.place[1]) * width + x + frame.place[0]
            pixel = frame.pixels[y * frame.size[0] + x]
            canvas[index] = over(pixel, canvas[index]) if frame.blends else pixel
        results.append(b"".join(bytes(pixel) for pixel in canvas))
        if frame.disposal == RESTORE:
            canvas = before
        elif frame.disposal == CLEAR:
            for x, y in places:
                canvas[(y + frame.place[1]) * width + x + frame.place[0]] = (0, 0, 0, 0)
    return results


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(frames, plays, hidden=False):
    """Returns an animated PNG. The image of a `hidden` one is no frame."""
    head = struct.pack(">IIBBBBB", *CANVAS, 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"acTL", struct.pack(">II", len(frames), plays))
    number = 0

    def rows(pixels, width):
        return zlib.compress(b"".join(
            b"\0" + b"".join(bytes(pixel) for pixel in pixels[start:start + width]) for start in range(0, len(pixels), width)))

    if hidden:
        data += chunk(b"IDAT", rows([(1, 2, 3, 255)] * (CANVAS[0] * CANVAS[1]), CANVAS[0]))
    for index, frame in enumerate(frames):
        data += chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, *frame.size, *frame.place, frame.delay, 1000,
                                           frame.disposal, int(frame.blends)))
        number += 1
        packed = rows(frame.pixels, frame.size[0])
        if index == 0 and not hidden:
            data += chunk(b"IDAT", packed)
            continue
        # Two chunks, as large frames have.
        for part in (packed[:20], packed[20:]):
            data += chunk(b"fdAT", struct.pack(">I", number) + part)
            number += 1
    return data + chunk(b"IEND", b"")


def codes(indices):
    """Returns the data blocks of palette indices below 8, with a clear code before each two, so that no table is needed."""
    stream = filled = 0
    out = []
    for index in range(0, len(indices), 2):
        for code in [8, *indices[index:index + 2]]:
            stream |= code << filled
            filled += 4
    stream |= 9 << filled
    data = stream.to_bytes((filled + 4 + 7) // 8, "little")
    for start in range(0, len(data), 255):
        out.append(bytes([len(data[start:start + 255])]) + data[start:start + 255])
    return b"\x03" + b"".join(out) + b"\0"


def gif(frames, loops):
    """Returns a GIF with local palettes; `loops` is the number of the Netscape extension, or None without it."""
    data = b"GIF89a" + struct.pack("<HHBBB", *CANVAS, 0, 0, 0)
    if loops is not None:
        data += b"\x21\xFF\x0BNETSCAPE2.0\x03\x01" + struct.pack("<H", loops) + b"\0"
    for frame in frames:
        colors = sorted({pixel[:3] for pixel in frame.pixels if pixel[3]})
        indices = [colors.index(pixel[:3]) if pixel[3] else 7 for pixel in frame.pixels]
        entries = b"".join(bytes(color) for color in colors + [(0, 0, 0)] * (8 - len(colors)))
        disposal = {KEEP: 1, CLEAR: 2, RESTORE: 3}[frame.disposal]
        data += b"\x21\xF9\x04" + struct.pack("<BHB", disposal << 2 | 1, frame.delay // 10, 7) + b"\0"
        data += b"\x2C" + struct.pack("<HHHHB", *frame.place, *frame.size, 0x82) + entries + codes(indices)
    return data + b"\x3B"


def webp(frames, plays, lossless=True):
    with tempfile.TemporaryDirectory() as folder:
        command = ["webpmux"]
        for index, frame in enumerate(frames):
            frame.image().save(f"{folder}/{index}.png")
            options = ["-lossless", "-exact"] if lossless else ["-q", "90"]
            subprocess.run(["cwebp", "-quiet", *options, f"{folder}/{index}.png", "-o", f"{folder}/{index}.webp"], check=True)
            command += ["-frame", f"{folder}/{index}.webp", f"+{frame.delay}+{frame.place[0]}+{frame.place[1]}"
                        f"+{int(frame.disposal == CLEAR)}{'+b' if frame.blends else '-b'}"]
        subprocess.run([*command, "-loop", str(plays), "-o", f"{folder}/out.webp"], check=True, capture_output=True)
        return pathlib.Path(f"{folder}/out.webp").read_bytes()


def frames(disposals, alphas=(0, 255, 255), blends=True):
    places = [((0, 0), CANVAS), ((6, 4), (13, 11)), ((20, 10), (14, 16)), ((2, 8), (30, 12)), ((0, 0), (10, 10))]
    return [Frame(place, size, seed, alphas, disposal, blends if seed else False, delay)
            for seed, ((place, size), disposal, delay) in enumerate(zip(places, disposals, [80, 0, 10, 20, 1000]))]


def cases():
    """Returns (file, bytes, frames, plays)."""
    mixed = [KEEP, CLEAR, RESTORE, KEEP, KEEP]
    for name, disposals in [("keep", [KEEP] * 5), ("clear", [CLEAR] * 5), ("restore", [KEEP] + [RESTORE] * 4), ("mixed", mixed),
                            ("restore-first", [RESTORE, KEEP, CLEAR, KEEP, KEEP])]:
        for blends in (True, False):
            made = frames(disposals, blends=blends)
            word = name if blends else name + "-replace"
            yield f"{word}.png", png(made, 0), made, None
            if blends:
                yield f"{word}.gif", gif(made, 0), made, None
            if RESTORE not in disposals:
                yield f"{word}.webp", webp(made, 0), made, None
    made = frames(mixed, alphas=(0, 60, 128, 200, 255))
    yield "alpha.png", png(made, 3), made, 3
    yield "hidden.png", png(made, 1, hidden=True), made, 1
    opaque = frames([KEEP] * 5, alphas=(255,))
    yield "once.gif", gif(opaque, None), opaque, 1
    yield "thrice.gif", gif(opaque, 2), opaque, 3
    yield "five.webp", webp(opaque, 5), opaque, 5
    beyond = [opaque[0], Frame((30, 20), (13, 14), 9)]
    yield "beyond.gif", gif(beyond, 0), beyond, None


def seen(data):
    """Returns the frames of Pillow, with transparent black for transparent pixels."""
    image = Image.open(io.BytesIO(data))
    return [b"".join(bytes(one) if one[3] else b"\0\0\0\0" for one in struct.iter_unpack("4B", one.convert("RGBA").tobytes()))
            for one in ImageSequence.Iterator(image)]


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for old in TARGET.iterdir():
        old.unlink()
    table, equal = [], 0
    for name, data, made, plays in cases():
        results = composed(made)
        is_equal = seen(data) == results
        equal += is_equal
        print(name, len(data), "equal to Pillow" if is_equal else "differs from Pillow")
        (TARGET / name).write_bytes(data)
        delays = [frame.delay // 10 * 10 if name.endswith(".gif") else frame.delay for frame in made]
        table.append({"file": name, "plays": plays, "delays": delays, "pillow": is_equal,
                      "frames": [f"{fnv1a(one):016X}" for one in results]})
    text = ",\n    ".join(json.dumps(one) for one in table)
    (TARGET / "expected.json").write_text(
        f'{{\n  "madeWith": "Pillow {pillow_version}",\n  "width": {CANVAS[0]}, "height": {CANVAS[1]},\n'
        f'  "files": [\n    {text}\n  ]\n}}\n')


main()
