#!/usr/bin/env python3
"""Writes Tests/CellophaneWebPTests/Corpus: small WebP files, valid and damaged, with the expected results.

The expected pixels come from dwebp, and those of animations from Pillow. Needs Python 3.9, Pillow, and cwebp, dwebp and webpmux
(Debian: webp). Run it from the root of the repository. The same versions of these tools write the same bytes; the table
contains the versions.
"""
import io
import json
import pathlib
import random
import struct
import subprocess
import tempfile

from PIL import Image, ImageCms, ImageOps, __version__ as pillow_version

from corpus.case import fnv1a, splitmix64

TARGET = pathlib.Path("Tests/CellophaneWebPTests/Corpus")
SIZES = [(1, 1), (3, 5), (13, 11), (16, 16), (17, 33), (64, 48)]
# The files to damage, and the number of variants of each.
DAMAGED = ["lossy-64x48.webp", "lossless-64x48.webp", "alpha-64x48.webp", "partitions.webp", "profile.webp"]
DAMAGES = 60


def picture(size, alpha=False, seed=1):
    """Returns gradients with noise."""
    numbers = random.Random(seed)
    image = Image.new("RGBA", size)
    for y in range(size[1]):
        for x in range(size[0]):
            noise = numbers.randrange(24)
            image.putpixel((x, y), (x * 255 // size[0], y * 255 // size[1], (x * y + noise * 4) % 256,
                                    (x * 37 + y * 11 + noise) % 256 if alpha else 255))
    return image if alpha else image.convert("RGB")


def run(*command):
    return subprocess.run([str(one) for one in command], check=True, capture_output=True).stdout


def cwebp(image, *options):
    with tempfile.TemporaryDirectory() as folder:
        image.save(f"{folder}/in.png")
        run("cwebp", "-quiet", *options, f"{folder}/in.png", "-o", f"{folder}/out.webp")
        return pathlib.Path(f"{folder}/out.webp").read_bytes()


def dwebp(file):
    """Returns the size and the pixels; None for an error."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(f"{folder}/in.webp")
        source.write_bytes(file)
        done = subprocess.run(["dwebp", "-quiet", "-pam", source, "-o", f"{folder}/out.pam"], capture_output=True)
        if done.returncode != 0:
            return None
        data = pathlib.Path(f"{folder}/out.pam").read_bytes()
    head, pixels = data.split(b"ENDHDR\n", 1)
    words = dict(line.split(b" ", 1) for line in head.splitlines() if b" " in line)
    return (int(words[b"WIDTH"]), int(words[b"HEIGHT"])), pixels


def pillow(image, **options):
    out = io.BytesIO()
    image.save(out, "WEBP", **options)
    return out.getvalue()


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data.tobytes()


def files():
    """Returns (name, what it covers, bytes, further expectations)."""
    for width, height in SIZES:
        size = f"{width}x{height}"
        yield f"lossy-{size}.webp", f"lossy {size}", cwebp(picture((width, height)), "-q", "80"), {}
        yield f"lossless-{size}.webp", f"lossless {size}", cwebp(picture((width, height)), "-lossless"), {}
        yield f"alpha-{size}.webp", f"lossy with alpha {size}", cwebp(picture((width, height), True), "-q", "80"), {}
        yield (f"lossless-alpha-{size}.webp", f"lossless with alpha {size}",
               cwebp(picture((width, height), True), "-lossless", "-exact"), {})
    image, clear = picture((64, 48)), picture((64, 48), True)
    yield "partitions.webp", "eight token partitions", cwebp(image, "-q", "90", "-partition_limit", "0", "-mt"), {}
    yield "fast.webp", "the simple filter", cwebp(image, "-q", "40", "-m", "0", "-nostrong"), {}
    yield "worst.webp", "quality 0", cwebp(image, "-q", "0"), {}
    yield "near-lossless.webp", "near-lossless", cwebp(image, "-near_lossless", "40"), {}
    yield "alpha-plain.webp", "uncompressed alpha", cwebp(clear, "-alpha_method", "0"), {}
    yield "alpha-reduced.webp", "alpha of fewer levels", cwebp(clear, "-alpha_q", "30", "-alpha_filter", "best"), {}
    yield "alpha-hidden.webp", "red transparent pixels around blue ones", cwebp(hidden(), "-q", "90", "-exact"), {}
    yield "palette.webp", "a palette of four colors", cwebp(image.quantize(4).convert("RGB"), "-lossless"), {}
    yield "one-color.webp", "one color", cwebp(Image.new("RGB", (300, 200), (9, 200, 77)), "-lossless"), {}
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    yield "profile.webp", "a color profile of sRGB", pillow(image, icc_profile=profile, quality=80), {"extended": True}
    for turn in range(1, 9):
        yield (f"turned-{turn}.webp", f"orientation {turn}", pillow(picture((13, 11)), exif=exif(turn), lossless=True),
               {"orientation": turn})
    frames = [picture((40, 30), True, seed) for seed in range(3)]
    yield ("animation.webp", "an animation",
           pillow(frames[0], save_all=True, append_images=frames[1:], duration=80, lossless=True), {"animated": True})
    yield "animation-lossy.webp", "a lossy animation", pillow(
        frames[0], save_all=True, append_images=frames[1:], duration=80, quality=80), {"animated": True}
    yield "animation-inset.webp", "an animation whose first frame is smaller than the canvas", inset(), {"animated": True}


def hidden():
    """Returns an opaque blue disc on transparent red."""
    image = Image.new("RGBA", (160, 160), (255, 0, 0, 0))
    for y in range(160):
        for x in range(160):
            if (x - 80) ** 2 + (y - 80) ** 2 < 2500:
                image.putpixel((x, y), (0, 0, 255, 255))
    return image


def inset():
    """Returns an animation of 40x30 pixels whose first frame has 13x11 at (6, 4)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, size in enumerate([(13, 11), (40, 30)]):
            path = pathlib.Path(f"{folder}/{index}.webp")
            path.write_bytes(cwebp(picture(size, True, index), "-lossless", "-exact"))
            paths.append(path)
        run("webpmux", "-frame", paths[0], "+100+6+4+0-b", "-frame", paths[1], "+100+0+0+0-b", "-o", f"{folder}/out.webp")
        return pathlib.Path(f"{folder}/out.webp").read_bytes()


def broken():
    """Returns (name, what it covers, bytes, kind of the error)."""
    whole = cwebp(picture((64, 48)), "-q", "80")
    yield "bad-empty-head.webp", "the head alone", whole[:12], "truncated"
    yield "bad-head.webp", "an incomplete frame header", whole[:26], "truncated"
    yield "bad-cut.webp", "a file without its last byte of pixels", whole[:len(whole) - 9], "truncated"
    yield "bad-start-code.webp", "a wrong start code", whole[:23] + b"\0" + whole[24:], "corrupt"
    yield "bad-chunk.webp", "an unknown first chunk", whole[:12] + b"ABCD" + whole[16:], "corrupt"
    huge = bytearray(cwebp(picture((16, 16)), "-lossless"))
    huge[21:25] = struct.pack("<I", 0x3FFF | 0x3FFF << 14)
    yield "bad-size.webp", "more pixels than the limit", bytes(huge), "image-too-large"
    canvas = bytearray(pillow(picture((13, 11)), exif=exif(1), lossless=True))
    canvas[24:27] = b"\x20\0\0"
    yield "bad-canvas.webp", "a canvas of another size than the image", bytes(canvas), "corrupt"
    frame = bytearray(inset())
    start = frame.index(b"ANMF") + 8
    frame[start:start + 3] = b"\x13\0\0"
    yield "bad-frame.webp", "a first frame that exceeds the canvas", bytes(frame), "corrupt"
    claim = bytearray(inset())
    start = claim.index(b"ANMF") + 8
    claim[start + 6:start + 9] = b"\x0d\0\0"
    yield "bad-frame-size.webp", "a first frame of another size than its pixels", bytes(claim), "corrupt"


def damaged(file, variant, draw):
    """Returns a variant as `DamagedFile.damaged` in the tests does."""
    if variant % 4 == 3:
        return file[:draw % len(file)]
    bit = draw % (len(file) * 8)
    copy = bytearray(file)
    copy[bit // 8] ^= 1 << bit % 8
    return bytes(copy)


def upright(image, orientation):
    """Returns the orientation, unless it is 1, and the hash of the upright pixels."""
    if orientation == 1:
        return {}
    image.getexif()[0x0112] = orientation
    return {"orientation": orientation, "upright": f"{fnv1a(ImageOps.exif_transpose(image).tobytes()):016X}"}


def word(result):
    return "-" if result is None else f"{fnv1a(result[1]) & 0xFFFFFFFF:08X}"


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for old in TARGET.iterdir():
        old.unlink()
    table = []
    written = {}
    for name, covers, data, expectations in files():
        if expectations.get("animated"):
            first = Image.open(io.BytesIO(data)).convert("RGBA")
            size, pixels = first.size, first.tobytes()
        else:
            size, pixels = dwebp(data)
        has_alpha = data[12:16] == b"VP8X" and bool(data[20] & 0x10) or data[12:16] == b"VP8L" and bool(data[24] & 0x10)
        written[name] = data
        table.append({"file": name, "covers": covers, "width": size[0], "height": size[1], "pixels": f"{fnv1a(pixels):016X}",
                      "model": "rgba" if has_alpha or expectations.get("animated") else "rgb", "bits": 8, "progressive": False,
                      **upright(Image.frombytes("RGBA", size, pixels), expectations.get("orientation", 1))})
    for name, covers, data, kind in broken():
        written[name] = data
        table.append({"file": name, "covers": covers, "error": kind})
    for name, data in written.items():
        (TARGET / name).write_bytes(data)
    variants = []
    for seed, name in enumerate(DAMAGED, 1):
        numbers = splitmix64(seed)
        outcomes = [word(dwebp(damaged(written[name], variant, next(numbers)))) for variant in range(DAMAGES)]
        variants.append({"file": name, "seed": seed, "outcomes": " ".join(outcomes)})
    version = run("dwebp", "-version").decode().split()[0]
    text = ",\n    ".join(json.dumps(one) for one in table)
    more = ",\n    ".join(json.dumps(one) for one in variants)
    (TARGET / "expected.json").write_text(
        f'{{\n  "madeWith": "libwebp {version}, Pillow {pillow_version}",\n  "files": [\n    {text}\n  ],\n'
        f'  "damaged": [\n    {more}\n  ]\n}}\n')


main()
