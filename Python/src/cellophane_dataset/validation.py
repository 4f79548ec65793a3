"""Checks of the parameters of `download`."""

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from .lists import FORMATS, is_remote

DIRECTIVES = {"noai", "noimageai", "noindex", "noimageindex"}

# The names of columns that the package writes.
RESERVED = {
    "key", "caption", "url", "width", "height", "original_width", "original_height", "status", "error_message", "exif",
    "md5", "sha256", "sha512",
}

INTERPOLATIONS = ("upscale_interpolation", "downscale_interpolation")

VALUES: dict[str, Sequence[object]] = {
    "resize_mode": ("no", "border", "keep_ratio", "keep_ratio_largest", "center_crop"),
    "upscale_interpolation": ("lanczos", "lanczos4", "linear", "bilinear"),
    "downscale_interpolation": ("area", "lanczos", "lanczos4"),
    "encode_format": ("jpg", "png", "webp"),
    "output_format": ("webdataset", "parquet", "files", "dummy"),
    "input_format": FORMATS,
    "compute_hash": (None, "md5", "sha256", "sha512"),
    "distributor": ("multiprocessing", "pyspark", "ray"),
    "incremental_mode": ("incremental", "overwrite", "extend"),
}

# The least and the greatest number of each parameter. The first ones are whole numbers.
WHOLE: dict[str, tuple[float, float]] = {
    "image_size": (1, 65_535),
    "processes_count": (1, math.inf),
    "thread_count": (1, 1024),
    "number_sample_per_shard": (1, math.inf),
    "oom_shard_count": (1, 20),
    "subjob_size": (1, math.inf),
    "retries": (0, 99),
    "max_shard_retry": (0, math.inf),
    "min_image_size": (0, math.inf),
}
REAL: dict[str, tuple[float, float]] = {"max_image_area": (1, math.inf), "max_aspect_ratio": (1, math.inf)}
QUALITIES = {"jpg": (0, 100), "png": (0, 9), "webp": (1, 100)}

# Options of the tool that decide which rows the package gives to it, and where it finds the results.
OWN_OPTIONS = ("--jsonl", "--output", "-o", "--names", "--shard", "--format", "--column")


def check(given: Mapping[str, Any]) -> None:
    """Raises `ValueError` for the first parameter whose value is not supported."""
    _check_unsupported(given)
    for name, values in VALUES.items():
        # img2dataset ignores the case of the names of interpolations.
        value = given[name].lower() if name in INTERPOLATIONS and isinstance(given[name], str) else given[name]
        if value not in values:
            choice = ", ".join(str(value) for value in values)
            raise ValueError(f"{name}={given[name]!r} is not supported; use one of: {choice}")
    for name, (least, greatest) in WHOLE.items():
        _check_range(name, given[name], least, greatest, Integral)
    for name, (least, greatest) in REAL.items():
        _check_range(name, given[name], least, greatest, Real)
    if not isinstance(given["timeout"], (int, float)) or not 0 < given["timeout"] < math.inf:
        raise ValueError(f"timeout={given['timeout']!r} is not a time; give a positive number of seconds")
    _check_range("encode_quality", given["encode_quality"], *QUALITIES[given["encode_format"]], Integral)
    _check_columns(given)
    _check_options(given["tool_options"])
    _check_verification(given)


def _check_range(name: str, value: Any, least: float, greatest: float, kind: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, kind) or not least <= value <= greatest:
        limits = f"from {least} to {greatest}" if greatest < math.inf else f"of at least {least}"
        number = "a whole number" if kind is Integral else "a number"
        raise ValueError(f"{name}={value!r} is not supported; give {number} {limits}")


def _check_unsupported(given: Mapping[str, Any]) -> None:
    if given["bbox_col"] is not None:
        raise ValueError("bbox_col is not supported, because the tool does not blur; "
                         "blur the images after the download")
    if given["enable_wandb"]:
        raise ValueError("enable_wandb is not supported; set it to False, and send the members of *_stats.json instead")
    if given["output_format"] == "tfrecord":
        raise ValueError("output_format='tfrecord' is not supported; use webdataset or parquet")
    directives = given["disallowed_header_directives"]
    if directives and {str(one).strip().lower() for one in directives} != DIRECTIVES:
        raise ValueError(
            "disallowed_header_directives supports only None, which is noai, noimageai, noindex and noimageindex, "
            "and [], which loads every image; use one of them")


def _check_columns(given: Mapping[str, Any]) -> None:
    names = given["save_additional_columns"]
    if isinstance(names, str):
        raise ValueError(f"save_additional_columns={names!r} is a text; give a list of names")
    if taken := RESERVED.intersection(names or ()):
        raise ValueError(f"save_additional_columns has names that the package writes: {', '.join(sorted(taken))}; "
                         "rename these columns in the list")
    if given["output_format"] == "parquet" and given["encode_format"] in (names or ()):
        raise ValueError(f"save_additional_columns has the name {given['encode_format']!r}, which is that of the "
                         "images with output_format='parquet'; rename this column in the list")
    if given["input_format"] in ("txt", "txt.gz"):
        for name in "caption_col", "save_additional_columns", "verify_hash":
            if given[name]:
                raise ValueError(f"{name} needs columns, and input_format={given['input_format']!r} has none; "
                                 "use csv, tsv, json, jsonl or parquet")


def _check_options(options: Sequence[str]) -> None:
    if isinstance(options, str):
        raise ValueError(f"tool_options={options!r} is a text; give a list, such as ['--per-host', '8']")
    for option in options:
        name = "-o" if option.startswith("-o") else option.partition("=")[0]
        if name in OWN_OPTIONS:
            raise ValueError(f"tool_options has {name}, which would change the rows or the results "
                             "that the package expects; remove it")


def _check_verification(given: Mapping[str, Any]) -> None:
    pair = given["verify_hash"]
    if pair is None:
        return
    if isinstance(pair, str) or len(pair) != 2:
        raise ValueError(f"verify_hash={pair!r} is not supported; give a list of a column and a hash, "
                         "such as ['sum', 'sha256']")
    if pair[1] != given["compute_hash"]:
        raise ValueError(f"verify_hash has the hash {pair[1]!r}, and compute_hash is {given['compute_hash']!r}; "
                         "give both the same hash")


def check_overwriting(folder: str, files: list[str]) -> None:
    """Raises `ValueError` if the removal of the content of the output folder would remove the list, or a link to it."""
    if is_remote(folder):
        is_inside = any(file.startswith(folder.rstrip("/") + "/") for file in files)
    else:
        real = Path(folder).resolve()
        # A file is inside if it, or a folder on the way to it, is.
        steps = {step for file in files if not is_remote(file) for step in (Path(file), *Path(file).parents)}
        is_inside = any(step.resolve().is_relative_to(real) for step in steps)
    if is_inside:
        raise ValueError(f"incremental_mode='overwrite' would remove the list, which is inside {folder}; "
                         "use another output_folder")
