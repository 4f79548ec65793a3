"""Rows of Parquet lists."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet

from .columns import Column, Opener, as_text, require

BATCH = 10_000


def rows(opener: Opener, columns: list[Column], file: str) -> Iterator[pa.RecordBatch]:
    """Generates the rows of a Parquet file. Only the URLs are converted to text."""
    with opener() as stream:
        table = pa.parquet.ParquetFile(stream)
        require(columns, table.schema_arrow.names, file)
        for batch in table.iter_batches(BATCH, columns=list({column.source for column in columns})):
            yield pa.record_batch({
                column.name: as_text(values) if column.name == "url" else values
                for column in columns for values in [batch.column(column.source)]
            })
