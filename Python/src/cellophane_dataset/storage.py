"""The output folder: a folder of this machine, or one of a file system of fsspec."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from .lists import filesystem, is_remote

SCRATCH = "_tmp"
_STATISTICS = re.compile(r"(\d+)_stats\.json")


class Storage(Protocol):
    """What the package does with an output folder."""

    def prepare(self) -> None:
        """Makes the folder, and removes the leftovers of an earlier run."""

    def clear(self) -> None:
        """Removes the folder with its content."""

    def names(self) -> list[str]:
        """Returns the names in the folder."""

    def publish(self, source: Path, name: str) -> None:
        """Moves a complete file or folder into the output folder, where it replaces an earlier one."""

    def open(self, name: str, mode: str) -> IO[bytes]:
        """Opens a file of the folder for temporary files."""

    def remove(self, name: str) -> None:
        """Removes a file of the folder for temporary files."""

    def remove_scratch(self) -> None:
        """Removes the folder for temporary files."""

    def scratch_parent(self) -> str | None:
        """Returns the folder of this machine for the scratch folders of shards; None for the system's."""


class LocalFolder:
    """A folder of this machine. A rename publishes a file."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._scratch = self.path / SCRATCH

    def prepare(self) -> None:
        self.remove_scratch()
        self._scratch.mkdir(parents=True, exist_ok=True)

    def clear(self) -> None:
        shutil.rmtree(self.path, ignore_errors=False)

    def names(self) -> list[str]:
        return os.listdir(self.path) if self.path.is_dir() else []

    def publish(self, source: Path, name: str) -> None:
        target = self.path / name
        if target.is_dir():
            shutil.rmtree(target)
        os.replace(source, target)

    def open(self, name: str, mode: str) -> IO[bytes]:
        return open(self._scratch / name, mode)

    def remove(self, name: str) -> None:
        (self._scratch / name).unlink(missing_ok=True)

    def remove_scratch(self) -> None:
        # A process of a killed run may still write here for a moment. The end of the run removes the rest.
        shutil.rmtree(self._scratch, ignore_errors=True)

    def scratch_parent(self) -> str | None:
        return str(self._scratch)


class RemoteFolder:
    """A folder of a file system of fsspec. A complete upload publishes a file."""

    def __init__(self, path: str) -> None:
        self._system, inner = filesystem(path)
        self._path = inner.rstrip("/")
        self._scratch = f"{self._path}/{SCRATCH}"

    def prepare(self) -> None:
        self.remove_scratch()
        self._system.makedirs(self._scratch, exist_ok=True)

    def clear(self) -> None:
        self._system.rm(self._path, recursive=True)

    def names(self) -> list[str]:
        self._system.invalidate_cache()
        if not self._system.exists(self._path):
            return []
        return [str(name).rstrip("/").rsplit("/", 1)[-1] for name in self._system.ls(self._path, detail=False)]

    def publish(self, source: Path, name: str) -> None:
        target = f"{self._path}/{name}"
        if not source.is_dir():
            self._system.put_file(str(source), target)
            return
        if self._system.exists(target):
            self._system.rm(target, recursive=True)
        self._system.makedirs(target, exist_ok=True)
        for file in sorted(source.iterdir()):
            self._system.put_file(str(file), f"{target}/{file.name}")

    def open(self, name: str, mode: str) -> IO[bytes]:
        stream: IO[bytes] = self._system.open(f"{self._scratch}/{name}", mode)
        return stream

    def remove(self, name: str) -> None:
        if self._system.exists(f"{self._scratch}/{name}"):
            self._system.rm(f"{self._scratch}/{name}")

    def remove_scratch(self) -> None:
        if self._system.exists(self._scratch):
            self._system.rm(self._scratch, recursive=True)

    def scratch_parent(self) -> str | None:
        return None


def storage(path: str) -> Storage:
    """Returns the output folder with this path."""
    return RemoteFolder(path) if is_remote(path) else LocalFolder(path)


def complete_shards(folder: Storage) -> set[int]:
    """Returns the numbers of the shards that have statistics."""
    return {int(found[1]) for name in folder.names() if (found := _STATISTICS.fullmatch(name))}


@contextmanager
def scratch_folder(folder: Storage) -> Iterator[Path]:
    """Makes a folder for one attempt of a shard, and removes it at the end."""
    path = tempfile.mkdtemp(dir=folder.scratch_parent(), prefix="shard-")
    try:
        yield Path(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)
