"""Rows of lists in JSON: one object per line, or one document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa

from .columns import Column, Opener, array, require

BATCH = 10_000


def rows(opener: Opener, columns: list[Column], file: str) -> Iterator[pa.RecordBatch]:
    """Generates the rows of a list with one JSON object per line."""
    types: dict[str, pa.DataType] = {}
    known: dict[str, None] = {}
    if open_columns := [column for column in columns if not column.is_text]:
        for block in _objects(opener, file):
            known.update((name, None) for one in block for name in one)
            _widen(types, block, open_columns)
    is_checked = False
    for block in _objects(opener, file):
        if block and not is_checked:
            known.update((name, None) for one in block for name in one)
            require(columns, known, file)
            is_checked = True
        yield _batch(block, columns, types)


def document(opener: Opener, columns: list[Column], file: str) -> Iterator[pa.RecordBatch]:
    """Generates the rows of a document: an array of objects, or an object of columns."""
    with opener() as stream:
        try:
            content = json.load(stream)
        except ValueError as error:
            raise ValueError(f"{file} is not JSON ({error}); repair it, or check input_format") from None
    objects = _from_columns(content, file) if isinstance(content, dict) else content
    if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
        raise ValueError(f"{file} is neither an array of objects nor an object of columns; "
                         "convert it, or set input_format to jsonl")
    if objects:
        require(columns, dict.fromkeys(name for one in objects for name in one), file)
    types: dict[str, pa.DataType] = {}
    _widen(types, objects, [column for column in columns if not column.is_text])
    for start in range(0, len(objects), BATCH):
        yield _batch(objects[start : start + BATCH], columns, types)


def _from_columns(content: Mapping[str, Any], file: str) -> list[dict[str, Any]] | None:
    """Returns the rows of columns. All columns are arrays of the same length, or objects with the names of the rows."""
    if all(isinstance(values, dict) for values in content.values()):
        names = dict.fromkeys(name for values in content.values() for name in values)
        return [{column: values.get(name) for column, values in content.items()} for name in names]
    if not all(isinstance(values, list) for values in content.values()):
        return None
    lengths = {name: len(values) for name, values in content.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise ValueError(f"the columns of {file} have different lengths ({counts}); add the missing values as null")
    return [dict(zip(content, row)) for row in zip(*content.values())]


def _objects(opener: Opener, file: str) -> Iterator[list[dict[str, Any]]]:
    with opener() as stream:
        numbered = enumerate(stream, 1)
        while block := list(islice(numbered, BATCH)):
            objects = [(number, _parsed(line, number, file)) for number, line in block if line.strip()]
            for number, one in objects:
                if not isinstance(one, dict):
                    raise ValueError(f"line {number} of {file} is not a JSON object; repair or remove it")
            yield [one for _, one in objects]


def _parsed(line: bytes, number: int, file: str) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig", "replace"))
    except ValueError as error:
        raise ValueError(f"line {number} of {file} is not JSON ({error}); repair or remove it") from None


def _widen(types: dict[str, pa.DataType], objects: Sequence[Mapping[str, Any]], columns: list[Column]) -> None:
    """Extends the types for the values of these objects. Values without a common type become text."""
    for column in columns:
        known = types.get(column.source, pa.null())
        try:
            found = pa.array([one.get(column.source) for one in objects]).type
            both = [pa.schema([(column.source, kind)]) for kind in (known, found)]
            types[column.source] = pa.unify_schemas(both, promote_options="permissive").field(0).type
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeError):
            types[column.source] = pa.string()


def _batch(
    objects: Sequence[Mapping[str, Any]], columns: list[Column], types: Mapping[str, pa.DataType],
) -> pa.RecordBatch:
    return pa.record_batch({
        column.name: array([one.get(column.source) for one in objects],
                           pa.string() if column.is_text else types[column.source])
        for column in columns
    })
