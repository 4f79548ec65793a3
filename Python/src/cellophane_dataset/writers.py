"""Writers of the samples of a shard, by output format."""

import json
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from .archives import Archive
from .samples import Sample

# Rows that are in memory before they are written, without and with images.
ROWS, ROWS_WITH_IMAGES = 10_000, 100


def caption_text(sample: Sample) -> str:
    """Returns the content of the text file of a sample."""
    caption = sample.metadata.get("caption")
    return "" if caption is None else str(caption)


def json_text(sample: Sample) -> bytes:
    """Returns the content of the JSON file of a sample."""
    return json.dumps(sample.metadata, default=str).encode()


class TableWriter:
    """Writes rows to a Parquet file, in groups."""

    def __init__(self, file: Path, schema: pa.Schema, group: int) -> None:
        self._schema = schema
        self._group = group
        self._rows: list[dict[str, Any]] = []
        self._writer = pa.parquet.ParquetWriter(file, schema)

    def write(self, row: dict[str, Any]) -> None:
        """Appends a row."""
        self._rows.append(row)
        if len(self._rows) == self._group:
            self._flush()

    def finish(self) -> None:
        """Completes the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
            self._rows = []


class Writer(ABC):
    """Writes the samples of a shard into a folder, under the names that they have in the output."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema, extension: str, has_captions: bool) -> None:
        self.folder = folder
        self.name = name
        self.extension = extension
        self.has_captions = has_captions
        self.table = self.make_table(folder / f"{name}.parquet", schema)

    def make_table(self, file: Path, schema: pa.Schema) -> TableWriter:
        """Returns the writer of the metadata."""
        return TableWriter(file, schema, ROWS)

    def write(self, sample: Sample) -> None:
        """Writes a row, and its image if it succeeded."""
        if sample.image is not None:
            self.write_image(sample, sample.image)
        self.table.write(sample.metadata)

    @abstractmethod
    def write_image(self, sample: Sample, image: Path) -> None:
        """Writes the files of a sample that succeeded."""

    def finish(self) -> list[str]:
        """Completes the files and returns their names, in the order in which they are published."""
        self.table.finish()
        return [f"{self.name}.parquet"]


class ArchiveWriter(Writer):
    """Writes an archive with KEY.jpg, KEY.txt and KEY.json for each sample."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema, extension: str, has_captions: bool) -> None:
        super().__init__(folder, name, schema, extension, has_captions)
        self._stream = open(folder / f"{name}.tar", "wb", buffering=1 << 20)
        self._archive = Archive(self._stream)

    def write_image(self, sample: Sample, image: Path) -> None:
        self._archive.add(f"{sample.key}.{self.extension}", image.read_bytes())
        if self.has_captions:
            self._archive.add(f"{sample.key}.txt", caption_text(sample).encode("utf-8", "replace"))
        self._archive.add(f"{sample.key}.json", json_text(sample))

    def finish(self) -> list[str]:
        self._archive.finish()
        self._stream.close()
        return [f"{self.name}.tar", *super().finish()]


class FolderWriter(Writer):
    """Writes the same files as an archive has, into a folder."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema, extension: str, has_captions: bool) -> None:
        super().__init__(folder, name, schema, extension, has_captions)
        self._files = folder / name
        self._files.mkdir()
        self._taken: set[Path] = set()

    def write_image(self, sample: Sample, image: Path) -> None:
        target = self._files / f"{sample.key}.{self.extension}"
        if image in self._taken or not _linked(target, image):
            shutil.copyfile(image, target)
        self._taken.add(image)
        if self.has_captions:
            (self._files / f"{sample.key}.txt").write_bytes(caption_text(sample).encode("utf-8", "replace"))
        (self._files / f"{sample.key}.json").write_bytes(json_text(sample))

    def finish(self) -> list[str]:
        return [self.name, *super().finish()]


def _linked(target: Path, image: Path) -> bool:
    """Makes a hard link, and returns whether the file system allows it.

    The scratch folder is removed afterwards, so the link is then the only name."""
    try:
        target.hardlink_to(image)
    except OSError:
        return False
    return True


class ParquetWriter(Writer):
    """Writes the images as a column of the metadata."""

    def make_table(self, file: Path, schema: pa.Schema) -> TableWriter:
        return TableWriter(file, schema.append(pa.field(self.extension, pa.binary())), ROWS_WITH_IMAGES)

    def write(self, sample: Sample) -> None:
        image = None if sample.image is None else sample.image.read_bytes()
        self.table.write(sample.metadata | {self.extension: image})

    def write_image(self, sample: Sample, image: Path) -> None:
        raise NotImplementedError


class NoWriter(Writer):
    """Writes nothing, for measurements."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema, extension: str, has_captions: bool) -> None:
        pass

    def write(self, sample: Sample) -> None:
        pass

    def write_image(self, sample: Sample, image: Path) -> None:
        pass

    def finish(self) -> list[str]:
        return []


WRITERS: dict[str, type[Writer]] = {
    "webdataset": ArchiveWriter, "files": FolderWriter, "parquet": ParquetWriter, "dummy": NoWriter,
}
