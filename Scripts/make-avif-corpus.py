#!/usr/bin/env python3
"""Writes Tests/CellophaneAVIFTests/Corpus: small AVIF files, valid and damaged, with the expected results.

The expected pixels come from avifdec. Needs Python 3.9, Pillow, avifenc and avifdec (Debian: libavif-bin). Run it from the root of
the repository. The same versions of these tools write the same bytes; the table contains the versions.
"""
import json
import pathlib
import random
import subprocess
import tempfile

from PIL import Image, ImageCms, ImageOps, __version__ as pillow_version

from corpus.case import fnv1a

TARGET = pathlib.Path("Tests/CellophaneAVIFTests/Corpus")


def picture(size, mode="RGB", seed=1):
    """Returns gradients with noise."""
    numbers = random.Random(seed)
    image = Image.new("RGBA", size)
    for y in range(size[1]):
        for x in range(size[0]):
            noise = numbers.randrange(24)
            image.putpixel((x, y), (x * 255 // size[0], y * 255 // size[1], (x * y + noise * 4) % 256,
                                    (x * 37 + y * 11 + noise) % 256 if mode == "RGBA" else 255))
    return image.convert(mode)


def run(*command):
    return subprocess.run([str(one) for one in command], check=True, capture_output=True).stdout


def avifenc(images, *options):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, image in enumerate(images):
            paths.append(f"{folder}/{number}.png")
            image.save(paths[-1])
        run("avifenc", "--jobs", "1", "--speed", "8", *options, *paths, f"{folder}/out.avif")
        return pathlib.Path(f"{folder}/out.avif").read_bytes()


def avifdec(file):
    """Returns the size and the pixels; None for an error."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(f"{folder}/in.avif")
        source.write_bytes(file)
        done = subprocess.run(["avifdec", "--depth", "8", "--codec", "dav1d", "--no-strict", source, f"{folder}/out.png"], capture_output=True)
        if done.returncode != 0:
            return None
        image = Image.open(f"{folder}/out.png")
        return image.size, image.convert("RGBA").tobytes()


def files():
    """Returns (name, what it covers, bytes, model, depth, orientation)."""
    for width, height in [(1, 1), (3, 5), (13, 11), (16, 16), (64, 48)]:
        image = picture((width, height))
        yield f"420-{width}x{height}", f"4:2:0 {width}x{height}", avifenc([image], "-y", "420"), "rgb", 8, 1
    image = picture((40, 30))
    yield "422", "4:2:2", avifenc([image], "-y", "422"), "rgb", 8, 1
    yield "444", "4:4:4", avifenc([image], "-y", "444"), "rgb", 8, 1
    yield "lossless", "lossless", avifenc([image], "--lossless"), "rgb", 8, 1
    yield "gray", "gray", avifenc([image], "-y", "400"), "gray", 8, 1
    yield "limited", "limited range", avifenc([image], "-y", "420", "-r", "limited"), "rgb", 8, 1
    for depth in (10, 12):
        yield f"depth-{depth}", f"{depth} bits", avifenc([image], "-y", "420", "-d", depth), "rgb", depth, 1
    clear = picture((40, 30), "RGBA")
    yield "alpha", "alpha", avifenc([clear], "-y", "420"), "rgba", 8, 1
    yield "alpha-premultiplied", "premultiplied alpha", avifenc([clear], "-y", "444", "--premultiply"), "rgba", 8, 1
    yield "alpha-gray", "gray with alpha", avifenc([clear], "-y", "400"), "gray-alpha", 8, 1
    yield "grid", "a grid of four tiles", avifenc([picture((128, 128))], "-y", "420", "--grid", "2x2"), "rgb", 8, 1
    # avifenc 0.11 gives every sequence an alpha track.
    yield "sequence", "a sequence", avifenc([picture((40, 30), seed=one) for one in range(3)], "-y", "420"), "rgba", 8, 1
    for turn, options in {2: ("--imir", 1), 3: ("--irot", 2), 4: ("--imir", 0), 5: ("--irot", 1, "--imir", 0), 6: ("--irot", 3),
                          7: ("--irot", 3, "--imir", 0), 8: ("--irot", 1)}.items():
        yield f"turned-{turn}", f"orientation {turn}", avifenc([image], "-y", "444", *options), "rgb", 8, turn


def broken():
    whole = avifenc([picture((64, 48))], "-y", "420")
    yield "bad-head", "an incomplete header", whole[:100], "truncated"
    yield "bad-cut", "a file without its last byte", whole[:-1], "truncated"
    yield "bad-box", "a damaged box", whole[:40] + b"\xFF" * 12 + whole[52:], None
    start = whole.index(b"mdat") + 4
    yield "bad-pixels", "zeros instead of data", whole[:start] + bytes(len(whole) - start), "corrupt"


def upright(size, pixels, orientation):
    """Returns the orientation, unless it is 1, and the hash of the upright pixels."""
    if orientation == 1:
        return {}
    image = Image.frombytes("RGBA", size, pixels)
    image.getexif()[0x0112] = orientation
    return {"orientation": orientation, "upright": f"{fnv1a(ImageOps.exif_transpose(image).tobytes()):016X}"}


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for old in TARGET.iterdir():
        old.unlink()
    table = []
    for name, covers, data, model, depth, orientation in files():
        size, pixels = avifdec(data)
        (TARGET / f"{name}.avif").write_bytes(data)
        table.append({"file": f"{name}.avif", "covers": covers, "width": size[0], "height": size[1],
                      "pixels": f"{fnv1a(pixels):016X}", "model": model, "bits": depth, "progressive": False,
                      **upright(size, pixels, orientation)})
    for name, covers, data, kind in broken():
        assert avifdec(data) is None, name
        (TARGET / f"{name}.avif").write_bytes(data)
        table.append({"file": f"{name}.avif", "covers": covers, "error": kind or "corrupt"})
    version = run("avifdec", "--version").decode().split()[1]
    text = ",\n    ".join(json.dumps(one) for one in table)
    (TARGET / "expected.json").write_text(
        f'{{\n  "madeWith": "libavif {version}, Pillow {pillow_version}",\n  "files": [\n    {text}\n  ],\n  "damaged": []\n}}\n')


main()
