"""The columns that a list gives to the output."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa

Opener = Callable[[], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True)
class Column:
    """A column of the list, and its name in the output."""

    source: str
    name: str
    parameter: str
    """The parameter of `download` that names the column."""

    is_text: bool = True
    """True if every value is read as text. Otherwise the values decide the type."""


def input_columns(
    url_col: str, caption_col: str | None, verify_hash: Sequence[str] | None, additional: Sequence[str] | None,
) -> list[Column]:
    """Returns the columns in the order of the output."""
    columns = [Column(name, name, "save_additional_columns", is_text=False) for name in additional or ()]
    if caption_col is not None:
        columns.append(Column(caption_col, "caption", "caption_col"))
    if verify_hash is not None:
        columns.append(Column(verify_hash[0], verify_hash[1], "verify_hash"))
    columns.append(Column(url_col, "url", "url_col"))
    return columns


def require(columns: Sequence[Column], present: Iterable[str], file: str) -> None:
    """Raises `ValueError` if a column is missing, or if two columns have its name."""
    names = list(present)
    for column in columns:
        if column.source not in names:
            raise ValueError(f"{file} has no column {column.source!r}, which {column.parameter} names; "
                             f"use one of: {', '.join(names)}")
        if names.count(column.source) > 1:
            raise ValueError(f"{file} has more than one column {column.source!r}; rename or remove the others")


def text(value: object) -> str | None:
    """Returns a value as text: a text unchanged, and another value as JSON."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return json.dumps(value, ensure_ascii=False, default=str)


def as_text(values: pa.Array) -> pa.Array:
    """Returns a column as text. Bytes that are not UTF-8 become the replacement character."""
    if pa.types.is_string(values.type):
        return values
    try:
        return values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        return pa.array([text(value) for value in values.to_pylist()], pa.string())


def array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Returns values of JSON as a column of this type."""
    if pa.types.is_string(kind):
        try:
            return pa.array(values, kind)
        except (UnicodeError, pa.ArrowInvalid, pa.ArrowTypeError):
            # JSON may have halves of surrogate pairs, which UTF-8 cannot encode.
            safe = (text(value) for value in values)
            return pa.array([one and one.encode("utf-8", "replace").decode() for one in safe], kind)
    return pa.array(values, kind)
