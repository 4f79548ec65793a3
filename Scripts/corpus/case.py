"""A file of the corpus, with the facts that are known before it is decoded."""

from dataclasses import dataclass
from typing import Optional


@dataclass
class Case:
    """A file with its expected result.

    - `covers` is a description, and `says` a part of the expected error message.
    - `error` is the kind of the expected error, or empty for an image.
    - `warnings` are the expected warnings about an image, without those about its color profile, which the reference does
      not read: these are `profile_warnings`.
    - `rgba` has the pixels by the rules of the format, if this script computes them. `whole` is a file without the
      deviation and with the same pixels.
    - `orientation` is the orientation in the file, or 1 without a valid one.
    - `by_header` marks errors of Cellophane only: libpng and libjpeg are not called, or decode the file.
    - `pillow` is false where Pillow is known to differ. A comment at the case has the reason.
    - `smoothed` marks progressive images without their last refinements. libjpeg-turbo smooths their blocks, since
      version 3.0 with another algorithm. So the table has both results."""

    name: str
    covers: str
    data: bytes
    error: str = ""
    says: str = ""
    warnings: tuple = ()
    profile_warnings: tuple = ()
    size: Optional[tuple] = None
    rgba: Optional[bytes] = None
    whole: bytes = b""
    orientation: int = 1
    by_header: bool = False
    pillow: bool = True
    smoothed: bool = False


def fnv1a(data):
    """Returns the FNV-1a hash of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def splitmix64(state):
    """Generates the numbers of SplitMix64 (Steele, Lea and Flood 2014) after `state`."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        value = state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        value = (value ^ value >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        yield value ^ value >> 31
