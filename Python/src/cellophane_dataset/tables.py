"""Rows of Parquet lists."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet

from .columns import Column, Opener, as_text, require

BATCH = 10_000

_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)


def rows(opener: Opener, columns: list[Column], file: str) -> Iterator[pa.RecordBatch]:
    """Generates the rows of a Parquet file. URLs, and captions and hashes in bytes, become text."""
    with opener() as stream:
        table = pa.parquet.ParquetFile(stream)
        require(columns, table.schema_arrow.names, file)
        for batch in table.iter_batches(BATCH, columns=list({column.source for column in columns})):
            yield pa.record_batch({column.name: _values(batch, column) for column in columns})


def _values(batch: pa.RecordBatch, column: Column) -> pa.Array:
    values = batch.column(column.source)
    if pa.types.is_dictionary(values.type):
        # The row groups of a file may have different dictionaries. A file of Arrow has one.
        values = values.dictionary_decode()
    is_bytes = any(test(values.type) for test in _BYTES)
    return as_text(values) if column.name == "url" or (column.is_text and is_bytes) else values
