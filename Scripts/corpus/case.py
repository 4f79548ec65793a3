"""One file of the corpus and what is known about it before any program has decoded it."""

from dataclasses import dataclass
from typing import Optional


@dataclass
class Case:
    """`error` is the kind of the failure, or empty for a picture. `rgba` is what the rules of the format give,
    where this script computes that itself. `orientation` is what the file states, 1 when it states nothing valid.
    `by_header` marks failures that are ours alone: libpng and libjpeg were not asked, or decode the file.
    `pillow` is false where Pillow is known to differ; the reason stands beside the case. `smoothed` marks progressive
    pictures without their last refinements: libjpeg-turbo smooths their blocks, since 3.0 in another way than before,
    so that both results are kept."""

    name: str
    covers: str
    data: bytes
    error: str = ""
    says: str = ""
    size: Optional[tuple] = None
    rgba: Optional[bytes] = None
    orientation: int = 1
    by_header: bool = False
    pillow: bool = True
    smoothed: bool = False


def fnv1a(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def splitmix64(state):
    """The numbers of SplitMix64 (Steele, Lea and Flood 2014) from `state` on."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        value = state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        value = (value ^ value >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        yield value ^ value >> 31
