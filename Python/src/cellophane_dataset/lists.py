"""The files of a list of URLs, and their rows."""

import glob
import gzip
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, cast

import pyarrow as pa

from . import delimited, jsonlists, tables
from .columns import Column
from .failures import shortened

FORMATS = (
    "txt", "txt.gz", "csv", "csv.gz", "tsv", "tsv.gz", "json", "json.gz", "jsonl", "jsonl.gz", "parquet",
)


def is_remote(path: str) -> bool:
    """Returns whether the path has a scheme such as s3://."""
    return "://" in path


def filesystem(path: str) -> tuple[Any, str]:
    """Returns the file system of fsspec for a path with a scheme, and the path in it."""
    try:
        import fsspec
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{path} needs the package fsspec; install cellophane-dataset[remote]") from error
    system, inner = fsspec.core.url_to_fs(path)
    return system, str(inner)


@dataclass(frozen=True)
class UrlList:
    """The rows of the files of a list, in batches. Every file begins with a new shard."""

    path: str
    format: str
    columns: list[Column]

    def files(self) -> list[str]:
        """Returns the files of a folder, of a glob, or the only file."""
        pattern = f"/*.{self.format}"
        if is_remote(self.path):
            system, inner = filesystem(self.path)
            found = system.glob(inner.rstrip("/") + pattern) if system.isdir(inner) else system.glob(inner)
            names = [str(system.unstrip_protocol(name)) for name in found]
        elif os.path.isdir(self.path):
            names = glob.glob(glob.escape(self.path.rstrip("/")) + pattern)
        else:
            names = [self.path] if os.path.exists(self.path) else glob.glob(self.path)
        if not names:
            raise ValueError(f"url_list={self.path!r} has no file of the format {self.format}; "
                             "check the path and input_format")
        return sorted(names)

    def batches(self, file: str) -> Generator[pa.RecordBatch, None, None]:
        """Generates the rows of a file under the names of the output.

        Raises `ValueError` if the content does not have the format."""
        try:
            yield from self._batches(file)
        except (pa.ArrowException, OSError, EOFError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the file cannot be opened or read at all
            raise ValueError(f"{file} cannot be read as {self.format} ({shortened(str(error))}); "
                             "repair it, or check input_format") from None

    def _batches(self, file: str) -> Iterator[pa.RecordBatch]:
        kind = self.format.removesuffix(".gz")
        if kind == "txt":
            yield from delimited.lines(lambda: self._open(file))
        elif kind in ("csv", "tsv"):
            yield from delimited.rows(lambda: self._open(file), "," if kind == "csv" else "\t", self.columns, file)
        elif kind == "jsonl":
            yield from jsonlists.rows(lambda: self._open(file), self.columns, file)
        elif kind == "json":
            yield from jsonlists.document(lambda: self._open(file), self.columns, file)
        else:
            yield from tables.rows(lambda: self._open(file), self.columns, file)

    @contextmanager
    def _open(self, file: str) -> Iterator[IO[bytes]]:
        with (filesystem(file)[0].open(file, "rb") if is_remote(file) else open(file, "rb")) as stream:
            if self.format.endswith(".gz"):
                with gzip.open(stream, "rb") as plain:
                    yield cast(IO[bytes], plain)
            else:
                yield stream


def shards(batches: Iterator[pa.RecordBatch], size: int) -> Iterator[pa.Table]:
    """Generates tables of `size` rows, and a last one of the rest."""
    parts: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, size - count)
            parts.append(part)
            count += part.num_rows
            batch = batch.slice(part.num_rows)
            if count == size:
                yield pa.Table.from_batches(parts)
                parts, count = [], 0
    if parts:
        yield pa.Table.from_batches(parts)
