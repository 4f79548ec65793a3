#!/usr/bin/env python3
"""Writes Tests/CellophaneImagesTests/Placeholders/expected.json: placeholders of generated images, and their pixels.

Independent implementations from PyPI compute all values: thumbhash-python 1.0.1 and blurhash 1.1.5. The images are
formulas in integers, which the tests repeat. The package blurhash-python installs a module of the same name as blurhash
and must be absent.

Needs Python 3.9. Run it from the root of the repository. The output is deterministic.
"""

import base64
import json
import pathlib

import blurhash
from thumbhash.decode import thumbhash_to_rgba
from thumbhash.encode import rgba_to_thumbhash
from thumbhash.hash import Hash

TARGET = pathlib.Path("Tests/CellophaneImagesTests/Placeholders/expected.json")
MASK = (1 << 64) - 1
# The longer side of a decoded picture. All frequencies influence all pixels, so a few pixels suffice.
SIDE = 6


def numbers(seed):
    """Yields the numbers of SplitMix64 (Steele, Lea and Flood, 2014)."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        value = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        yield value ^ (value >> 31)


def gradient(x, y, width, height):
    return x * (y + 3) * 255 // (width * (height + 3)), y * y * 255 // (height * height), (7 * x + 3 * y) % 256, 255


def fading(x, y, width, height):
    alpha = (x + y) * 255 // max(width + height - 2, 1)
    return 255 - x * 200 // width, y * 220 // height, 90, alpha


def disc(x, y, width, height):
    inside = (3 * x - width) ** 2 + (3 * y - 2 * height) ** 2 <= min(width, height) ** 2
    return (230, 3 * x % 256, 40, 255) if inside else (0, 0, 255, 0)


def checks(x, y, width, height):
    return (250, 220, 10, 255) if (x // 13 + y // 11) % 2 else (20, 40, 160, 255)


def split(x, y, width, height, left, right):
    """Two colors with a slanted edge near the middle. Their channel has nearly the greatest coefficient possible."""
    return left if (9 * x + 2 * y) * 2 < 9 * width + 2 * height + 5 else right


def yellow_blue(*position):
    return split(*position, (255, 255, 0, 255), (0, 0, 255, 255))


def red_green(*position):
    return split(*position, (255, 0, 0, 255), (0, 255, 0, 255))


def white_black(*position):
    return split(*position, (255, 255, 255, 255), (0, 0, 0, 255))


def visible_clear(*position):
    return split(*position, (250, 128, 7, 255), (250, 128, 7, 0))


def uniform(x, y, width, height):
    return 200, 120, 33, 255


def clear(x, y, width, height):
    return 90, 50, 10, 0


def noise(width, height):
    """Returns the image of the function `noise` of the tests, with the seed 1."""
    words = numbers(1)
    pixels = [next(words) for _ in range(width * height)]
    return [value for word in pixels for value in (word & 255, word >> 8 & 255, word >> 16 & 255, 255)]


FUNCTIONS = [
    gradient, fading, disc, checks, yellow_blue, red_green, white_black, visible_clear, uniform, clear,
]
PATTERNS = {function.__name__: function for function in FUNCTIONS}
CASES = [
    ("gradient", 100, 100), ("gradient", 64, 40), ("gradient", 40, 64), ("gradient", 31, 30), ("gradient", 1, 1),
    ("gradient", 100, 3), ("gradient", 1, 100), ("fading", 64, 40), ("fading", 37, 100), ("fading", 100, 2),
    ("disc", 50, 50), ("disc", 90, 37), ("checks", 100, 66), ("checks", 41, 97), ("uniform", 60, 45),
    ("uniform", 1, 1), ("yellow_blue", 60, 50), ("red_green", 61, 40), ("white_black", 45, 60),
    ("visible_clear", 50, 31), ("clear", 20, 16), ("noise", 32, 24), ("noise", 99, 100), ("noise", 3, 2),
]
# The numbers of components are assigned to the cases in turn.
COMPONENTS = [(4, 3), (1, 1), (9, 9), (3, 4), (5, 1), (2, 7)]


def pixels(pattern, width, height):
    if pattern == "noise":
        return noise(width, height)
    return [
        value for y in range(height) for x in range(width) for value in PATTERNS[pattern](x, y, width, height)
    ]


def text(values):
    return base64.b64encode(bytes(values)).decode()


def thumb(rgba, width, height):
    encoded, is_exact = encode(rgba, width, height)
    columns, rows, decoded = thumbhash_to_rgba(encoded, SIDE)
    return {
        "hash": text(encoded), "isExact": is_exact, "width": columns, "height": rows, "pixels": text(decoded),
    }


def encode(rgba, width, height):
    """Returns the bytes, and whether rounding errors of cosines cannot change them.

    A coefficient that is 0 is exactly between two levels. Then the last bit of the system's cosines decides, as it does
    for all coefficients of a uniform channel.
    """
    fields = []
    original = Hash.encode
    Hash.encode = lambda self: fields.append(self) or original(self)
    encoded = rgba_to_thumbhash(width, height, rgba)
    Hash.encode = original
    values = fields[0].l_ac + fields[0].p_ac + fields[0].q_ac + fields[0].a_ac
    scales = [fields[0].l_scale, fields[0].p_scale, fields[0].q_scale, fields[0].a_scale]
    return encoded, min(scales) > 1e-9 and all(abs(15 * value % 1 - 0.5) > 1e-6 for value in values)


def random_hash(words, has_alpha):
    """Returns random bytes of the length that their header implies. No image has such large coefficients."""
    values = [next(words) & 255 for _ in range(32)]
    values[2] = values[2] & 0x7F | has_alpha << 7
    values[3] |= 1
    count = next(count for count in range(5, 33) if is_complete(values[:count]))
    columns, rows, decoded = thumbhash_to_rgba(bytes(values[:count]), SIDE)
    return {"hash": text(values[:count]), "width": columns, "height": rows, "pixels": text(decoded)}


def is_complete(values):
    try:
        Hash.decode(bytes(values), 1.25)
    except ValueError:
        return False
    return True


def blur(rgba, width, height, components, punch):
    rows = [
        [rgba[offset : offset + 3] for offset in range(y * width * 4, (y + 1) * width * 4, 4)] for y in range(height)
    ]
    encoded = blurhash.encode(rows, *components)
    decoded = blurhash.decode(encoded, SIDE, SIDE - 2, punch=punch)
    return {
        "hash": encoded, "width": SIDE, "height": SIDE - 2, "x": components[0], "y": components[1], "punch": punch,
        "pixels": text(value for row in decoded for pixel in row for value in pixel),
    }


def case(index, pattern, width, height):
    rgba = pixels(pattern, width, height)
    result = {"pattern": pattern, "width": width, "height": height, "thumbHash": thumb(rgba, width, height)}
    # BlurHash has no alpha.
    if all(alpha == 255 for alpha in rgba[3::4]):
        punch = [1, 1, 2, 0.5][index % 4]
        result["blurHash"] = blur(rgba, width, height, COMPONENTS[index % len(COMPONENTS)], punch)
    return result


def main():
    cases = [case(index, *parameters) for index, parameters in enumerate(CASES)]
    words = numbers(2)
    hashes = [random_hash(words, has_alpha) for has_alpha in (0, 0, 0, 1, 1, 1)]
    lines = [
        ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries) for entries in (cases, hashes)
    ]
    TARGET.write_text('{"images":[\n%s\n],"thumbHashes":[\n%s\n]}\n' % tuple(lines))
    print(f"{len(cases)} images, {TARGET.stat().st_size} bytes")


main()
