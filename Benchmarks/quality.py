#!/usr/bin/env python3
"""Compares thumbnails with thumbnails that are made from the full image, as a Markdown table.

The tool decodes every photograph to a target size, in every mode and with every filter. For the reference, Pillow decodes
the full image and resizes the same part of it to the same size with its own resampler: BOX for area, LANCZOS for lanczos3,
without a reducing gap. The tool decodes a JPEG at a reduced scale first; the table shows the loss of quality.

  python3 Benchmarks/quality.py PHOTOS --tool .build/release/cellophane [--sizes 256x256,800x600] [--sheet sheet.png]

Needs numpy, Pillow and scikit-image.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy
from PIL import Image
from skimage.metrics import structural_similarity

FILTERS = {"area": Image.Resampling.BOX, "lanczos3": Image.Resampling.LANCZOS}


def kept_part(size, target, mode):
    """Returns the part of an image that a mode keeps, as a box for Pillow."""
    width, height = size
    if mode != "fill":
        return (0, 0, width, height)
    scale = max(target[0] / width, target[1] / height)
    across, down = min(target[0] / scale, width), min(target[1] / scale, height)
    return ((width - across) / 2, (height - down) / 2, (width + across) / 2, (height + down) / 2)


def decoded(tool, photo, target, mode, name, directory):
    output = pathlib.Path(directory) / "thumbnail.png"
    command = [tool, "decode", photo, "--no-orient", "--size", f"{target[0]}x{target[1]}"]
    command += ["--mode", mode, "--filter", name, "--output", output]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return Image.open(output).convert("RGB")


def compared(a, b):
    """Returns the PSNR in dB, the SSIM and the largest difference."""
    one, other = numpy.asarray(a, dtype=float), numpy.asarray(b, dtype=float)
    error = ((one - other) ** 2).mean()
    psnr = 99.0 if error == 0 else 10 * numpy.log10(255**2 / error)
    return psnr, structural_similarity(one, other, channel_axis=2, data_range=255), abs(one - other).max()


def sheet(pairs, path):
    """Writes an image with each thumbnail above its reference."""
    width, height = max(a.width for a, _ in pairs), max(a.height for a, _ in pairs)
    picture = Image.new("RGB", (width * len(pairs), height * 2), "white")
    for index, pair in enumerate(pairs):
        for row, thumbnail in enumerate(pair):
            picture.paste(thumbnail, (index * width, row * height))
    picture.save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("photos", type=pathlib.Path, help="a folder of JPEG files")
    parser.add_argument("--tool", required=True, type=pathlib.Path, help="path of the tool")
    parser.add_argument("--sizes", default="256x256", help="target sizes, separated by commas (default: 256x256)")
    parser.add_argument("--sheet", type=pathlib.Path,
                        help="write a PNG with the eight worst thumbnails above their references")
    arguments = parser.parse_args()
    photos = sorted(path for path in arguments.photos.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))
    if not photos:
        sys.exit(f"{arguments.photos} contains no JPEG file; name a folder of photographs")
    results, pairs = {}, []
    with tempfile.TemporaryDirectory() as directory:
        for photo in photos:
            whole = Image.open(photo)
            if whole.mode not in ("RGB", "L"):
                continue  # Pillow converts CMYK differently
            whole = whole.convert("RGB")
            for size in arguments.sizes.split(","):
                target = tuple(map(int, size.split("x")))
                if whole.width <= target[0] or whole.height <= target[1]:
                    continue
                for mode in ("fit", "fill", "exact"):
                    for name, resample in FILTERS.items():
                        thumbnail = decoded(arguments.tool, photo, target, mode, name, directory)
                        box = kept_part(whole.size, target, mode)
                        reference = whole.resize(thumbnail.size, resample, box=box, reducing_gap=None)
                        measured = compared(thumbnail, reference)
                        results.setdefault((size, mode, name), []).append(measured)
                        pairs.append((measured[0], thumbnail, reference))
    print("| size | mode | filter | photographs | PSNR dB, median | minimum | SSIM, median | minimum | largest difference |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (size, mode, name), values in results.items():
        psnr, ssim, most = zip(*values)
        print(
            f"| {size} | {mode} | {name} | {len(values)} | {statistics.median(psnr):.1f} | {min(psnr):.1f} "
            f"| {statistics.median(ssim):.4f} | {min(ssim):.4f} | {max(most):.0f} |"
        )
    if arguments.sheet and pairs:
        pairs.sort(key=lambda pair: pair[0])
        sheet([(a, b) for _, a, b in pairs[:8]], arguments.sheet)


if __name__ == "__main__":
    main()
