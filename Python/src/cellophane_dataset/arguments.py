"""The arguments of the tool for the parameters of `download`."""

import math
from collections.abc import Sequence

from . import __name__ as package

FORMATS = {"jpg": "jpeg", "png": "png", "webp": "webp"}
MODES = {"border": "border", "keep_ratio": "shortest-side", "keep_ratio_largest": "fit", "center_crop": "fill"}


def image_arguments(
    *, image_size: int, resize_mode: str, resize_only_if_bigger: bool, downscale_interpolation: str,
    encode_format: str, encode_quality: int, disable_all_reencoding: bool,
) -> list[str]:
    """Returns the options that select the pixels and the format of written images."""
    if disable_all_reencoding:
        return []
    options = ["--output-format", FORMATS[encode_format]]
    if encode_format != "png":
        options += ["--quality", str(max(encode_quality, 1))]
    if resize_mode != "no":
        options += ["--size", str(image_size), "--mode", MODES[resize_mode]]
        options += ["--filter", "area" if downscale_interpolation.lower() == "area" else "lanczos3"]
        if not resize_only_if_bigger:
            options.append("--enlarge")
    return options


def filter_arguments(
    *, min_image_size: int, max_image_area: float, max_aspect_ratio: float, disable_all_reencoding: bool,
) -> list[str]:
    """Returns the options that leave out images by their size. img2dataset has no filters for unchanged bodies."""
    if disable_all_reencoding:
        return []
    options = ["--min-size", str(int(min_image_size))] if min_image_size > 0 else []
    if max_image_area < math.inf:
        options += ["--max-area", str(int(max_image_area))]
    if max_aspect_ratio < math.inf:
        options += ["--max-aspect", str(max_aspect_ratio)]
    return options


def transfer_arguments(
    *, thread_count: int, timeout: float, retries: int, user_agent_token: str | None,
    disallowed_header_directives: Sequence[str] | None,
) -> list[str]:
    """Returns the options that concern requests."""
    options = ["-j", str(thread_count), "--timeout", str(timeout), "--tries", str(retries + 1)]
    if user_agent_token:
        # X-Robots-Tag may address the first product of the field.
        options += ["--user-agent", f"{user_agent_token.strip()} (compatible; {package.replace('_', '-')})"]
    if disallowed_header_directives is not None and not disallowed_header_directives:
        options.append("--ignore-opt-out")
    return options


def result_arguments(compute_hash: str | None, extract_exif: bool) -> list[str]:
    """Returns the options that add members to the results."""
    options = ["--hash", compute_hash] if compute_hash else []
    return options + (["--exif"] if extract_exif else [])
