"""Rows of text lists: one URL per line, CSV and TSV."""

import re
from collections.abc import Iterator
from itertools import islice

import pyarrow as pa
import pyarrow.csv

from .columns import Column, Opener, as_text, require
from .failures import shortened

BATCH = 10_000

# The type that follows if a column has a value that the type does not allow. Text follows any other type.
WIDER = {pa.null(): pa.int64(), pa.int64(): pa.float64()}


def lines(opener: Opener) -> Iterator[pa.RecordBatch]:
    """Generates the URLs of a list with one URL per line. Blank lines are skipped."""
    with opener() as stream:
        while block := [_unquoted(line) for line in islice(stream, BATCH)]:
            yield pa.record_batch({"url": pa.array([line for line in block if line], pa.string())})


def _unquoted(line: bytes) -> str:
    """Returns a line without white space at its ends. A quoted line is a CSV field, in which quotes are doubled."""
    url = line.decode("utf-8", "replace").strip("\ufeff \t\r\n")
    is_quoted = len(url) > 1 and url.startswith('"') and url.endswith('"')
    return url[1:-1].replace('""', '"').strip() if is_quoted else url


def rows(opener: Opener, delimiter: str, columns: list[Column], file: str) -> Iterator[pa.RecordBatch]:
    """Generates the rows of a list with a header row."""
    types = _types(opener, delimiter, columns, file)
    for batch in _read(opener, delimiter, types):
        yield pa.record_batch({
            column.name: as_text(values) if pa.types.is_binary(values.type) else values
            for column in columns for values in [batch.column(column.source)]
        })


def _types(opener: Opener, delimiter: str, columns: list[Column], file: str) -> dict[str, pa.DataType]:
    """Returns the types that all values of the columns allow.

    The reader infers types from the first block. Without additional columns, which are rare, all columns are text, and
    the list is read once. Otherwise it is read twice."""
    with opener() as stream:
        inferred = _stream(stream, delimiter, None).schema
    require(columns, inferred.names, file)
    # The reader takes any bytes for binary columns, and `rows` decodes them.
    types = {column.source: pa.binary() if column.is_text else inferred.field(column.source).type for column in columns}
    types = {name: pa.binary() if pa.types.is_string(kind) else kind for name, kind in types.items()}
    while any(not pa.types.is_binary(kind) for kind in types.values()):
        try:
            for _ in _read(opener, delimiter, types):
                pass
            break
        except pa.ArrowInvalid as error:
            wrong = _converted_column(str(error), inferred.names)
            if wrong is None or pa.types.is_binary(types[wrong]):
                raise ValueError(f"{file} cannot be read as text in columns ({shortened(str(error))}); "
                                 "repair it, or check input_format") from None
            types[wrong] = WIDER.get(types[wrong], pa.binary())
    return types


def _converted_column(message: str, names: list[str]) -> str | None:
    """Returns the column of a conversion error, which the message names by its number in the file."""
    found = re.search(r"In CSV column #(\d+): .*conversion error", message)
    return names[int(found[1])] if found else None


def _read(opener: Opener, delimiter: str, types: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    with opener() as stream:
        yield from _stream(stream, delimiter, types)


def _stream(stream: object, delimiter: str, types: dict[str, pa.DataType] | None) -> pa.csv.CSVStreamingReader:
    return pa.csv.open_csv(
        stream,
        # A single thread keeps at most one block in memory.
        read_options=pa.csv.ReadOptions(use_threads=False, block_size=8 << 20),
        parse_options=pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=pa.csv.ConvertOptions(
            column_types=types, include_columns=list(types) if types else None, strings_can_be_null=False))
