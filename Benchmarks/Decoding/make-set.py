#!/usr/bin/env python3
"""Makes the set of images for `Benchmarks/decoding.py` from photographs.

    make-set.py DIR OUT

DIR contains about a hundred or more JPEG files of at least 1 Mpx from cameras and phones, and optionally PNG graphics
such as screenshots and drawings. The same DIR gives the same set. Needs Pillow 11.3 or
later and NumPy.

    photos/       JPEG of 1-4 Mpx: some unchanged, the others reduced or cropped from larger files
    progressive/  the same images as progressive JPEG
    small/        500 JPEG of 320x320, cropped from them
    png/          PNG of the first photographs (RGB)
    graphics/     PNG graphics, unchanged
    slow-png/     PNG that Cellophane decodes row by row through libpng: interlaced, or with more than 32 MB of rows
    large/        JPEG of 12 Mpx
    webp/         WebP of the first photographs, quality 80
    webp-lossless/  lossless WebP of the first photographs, reduced to 1 Mpx
    gif/          GIF of the same, with 256 colors
    avif/         AVIF of the first photographs, quality 60
"""
import argparse
import hashlib
import io
import random
import struct
import sys
import zlib
from pathlib import Path

import numpy
from PIL import Image, ImageOps

MEGAPIXEL = 1_000_000
LARGE = (4000, 3000)  # 12 Mpx; as PNG 36 MB of rows
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
ORIENTATION = 0x0112

arguments = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
arguments.add_argument("source", type=Path, metavar="DIR")
arguments.add_argument("output", type=Path, metavar="OUT")
arguments.add_argument("--photos", type=int, default=100, help="number of photographs (default: 100)")
arguments.add_argument("--small", type=int, default=500, help="number of small JPEG files (default: 500)")
arguments.add_argument("--png", type=int, default=20, help="number of PNG files made from photographs (default: 20)")


def folder(name):
    path = options.output / name
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        sys.exit(f"{path} is not empty; name a new folder for OUT")
    return path


def sources(patterns):
    """Returns one file per distinct content, in an order that depends only on the contents."""
    files = (file for pattern in patterns for file in options.source.rglob(pattern))
    by_content = {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in files}
    return [by_content[content] for content in sorted(by_content)]


def opened(file):
    """Returns the upright image and whether its file can be used unchanged, or None if it cannot be used."""
    try:
        picture = Image.open(file)
        picture.load()
    except Exception as error:  # Pillow raises many types of exceptions for damaged files
        print(f"skipped: {file.name}: {error}", file=sys.stderr)
        return None
    area = picture.width * picture.height
    if picture.mode != "RGB" or area < MEGAPIXEL:
        return None
    is_plain = picture.getexif().get(ORIENTATION, 1) == 1 and not picture.info.get("progressive")
    keeps = picture.format == "JPEG" and is_plain and area <= 4 * MEGAPIXEL
    return ImageOps.exif_transpose(picture), keeps


def reduced(picture, area, crops):
    scale = (area / (picture.width * picture.height)) ** 0.5
    width, height = round(picture.width * scale), round(picture.height * scale)
    if not crops:
        return picture.resize((width, height), Image.Resampling.LANCZOS)
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height))


def write_photographs(draw):
    """Writes the photographs. Half of the files are unchanged. Of the others, every second is cropped instead of reduced,
    and every fifth has no chroma subsampling."""
    path, photographs, kept, made = folder("photos"), [], 0, 0
    large = None
    for file in sources(["*.jpg", "*.jpeg", "*.JPG", "*.JPEG"]):
        if len(photographs) == options.photos:
            break
        entry = opened(file)
        if entry is None:
            continue
        picture, keeps = entry
        target = path / f"{len(photographs):03}.jpg"
        if keeps and kept < options.photos // 2:
            kept += 1
            target.write_bytes(file.read_bytes())
        else:
            area = min(picture.width * picture.height, draw.uniform(1.2, 3.6) * MEGAPIXEL)
            made += 1
            reduced(picture, area, crops=made % 2 == 0).save(
                target, quality=draw.randint(85, 92), subsampling="4:4:4" if made % 5 == 0 else "4:2:0"
            )
        large = large or (picture if picture.width * picture.height > 11 * MEGAPIXEL else None)
        photographs.append(target)
    print(f"photos: {len(photographs)}, {kept} of them unchanged")
    if not photographs:
        sys.exit(f"{options.source} contains no photograph of at least 1 Mpx; name a folder of JPEG files")
    return photographs, large or Image.open(photographs[0])


def write_progressive(photographs):
    path = folder("progressive")
    for file in photographs:
        Image.open(file).save(path / file.name, quality="keep", progressive=True)


def write_small(photographs, draw):
    path = folder("small")
    for number in range(options.small):
        picture = Image.open(photographs[number % len(photographs)])
        side = draw.randint(320, min(picture.size))
        left, top = draw.randint(0, picture.width - side), draw.randint(0, picture.height - side)
        part = picture.resize(
            (320, 320), Image.Resampling.LANCZOS, box=(left, top, left + side, top + side)
        )
        part.save(path / f"{number:03}.jpg", quality=85)


def write_png(photographs):
    path = folder("png")
    for file in photographs[: options.png]:
        Image.open(file).save((path / file.name).with_suffix(".png"))


def write_graphics():
    path = folder("graphics")
    for number, file in enumerate(sources(["*.png", "*.PNG"])):
        with Image.open(file) as picture:
            if MEGAPIXEL / 2 <= picture.width * picture.height <= 8 * MEGAPIXEL:
                (path / f"{number:02}.png").write_bytes(file.read_bytes())


def interlaced(picture):
    """Returns an interlaced PNG. Pillow does not write interlaced files, but it can filter each of the seven passes as an
    image."""
    pixels, rows = numpy.asarray(picture), b""
    for x, y, across, down in ADAM7:
        file = io.BytesIO()
        Image.fromarray(pixels[y::down, x::across]).save(file, "PNG", compress_level=1)
        rows += zlib.decompress(b"".join(data for kind, data in chunks(file.getvalue()) if kind == b"IDAT"))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 1)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def chunks(file):
    offset = 8
    while offset < len(file):
        length, kind = struct.unpack_from(">I4s", file, offset)
        yield kind, file[offset + 8 : offset + 8 + length]
        offset += 12 + length


def write_slow_png(photographs, large):
    path = folder("slow-png")
    for file in photographs[: max(options.png // 4, 1)]:
        (path / f"interlaced-{file.stem}.png").write_bytes(interlaced(Image.open(file)))
    large.save(path / "large.png")


def write_others(photographs):
    lossy, lossless, gif, avif = folder("webp"), folder("webp-lossless"), folder("gif"), folder("avif")
    for file in photographs[: options.png]:
        picture = Image.open(file)
        picture.save((lossy / file.name).with_suffix(".webp"), quality=80)
        picture.save((avif / file.name).with_suffix(".avif"), quality=60)
        small = reduced(picture, MEGAPIXEL, crops=False)
        small.save((lossless / file.name).with_suffix(".webp"), lossless=True)
        small.quantize(256).save((gif / file.name).with_suffix(".gif"), interlace=0)


options = arguments.parse_args()
draw = random.Random(1)
photographs, found = write_photographs(draw)
write_progressive(photographs)
write_small(photographs, draw)
write_png(photographs)
write_graphics()
large = found.resize(LARGE, Image.Resampling.LANCZOS)
large.save(folder("large") / "large.jpg", quality=90)
write_slow_png(photographs, large)
write_others(photographs)
for path in sorted(options.output.iterdir()):
    files = list(path.iterdir())
    print(f"{path}: {len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB")
