"""The output folder: a folder of this machine, or one of a file system of fsspec."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from .lists import filesystem, is_remote
from .locks import is_leftover, lock, unlock

SCRATCH = "_tmp"
_STATISTICS = re.compile(r"(\d+)_stats\.json")


class Storage(Protocol):
    """What the package does with an output folder."""

    def prepare(self) -> None:
        """Makes and locks the folder, and removes the leftovers of earlier runs.

        Raises `FolderInUseError` if another download uses it. Remote folders have no lock."""

    def clear(self) -> None:
        """Removes the content of the folder, without the temporary files."""

    def names(self) -> list[str]:
        """Returns the names in the folder."""

    def publish(self, source: Path, name: str) -> None:
        """Moves a complete file or folder into the output folder, where it replaces an earlier one."""

    def open(self, name: str, mode: str) -> IO[bytes]:
        """Opens a temporary file of this run."""

    def remove(self, name: str) -> None:
        """Removes a temporary file of this run."""

    def release(self) -> None:
        """Removes the temporary files of this run, and the lock."""

    def scratch_parent(self) -> str | None:
        """Returns the folder of this machine for the scratch folders of shards; None for the system's."""


class LocalFolder:
    """A folder of this machine. A rename publishes a file."""

    def __init__(self, path: str, run: str) -> None:
        self.path = Path(path)
        self._parent = self.path / SCRATCH
        self._scratch = self._parent / run
        self._lock: int | None = None

    def prepare(self) -> None:
        self._lock = lock(self._parent)
        try:
            self._remove_leftovers()
            self._scratch.mkdir()
        except BaseException:
            unlock(self._parent, self._lock)
            raise

    def clear(self) -> None:
        # Not the folder itself, which may be a mount point or a symbolic link.
        for name in self.names():
            file = self.path / name
            if name == SCRATCH:
                continue
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink()

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

    def release(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._remove_leftovers()
        unlock(self._parent, self._lock)
        self._lock = None

    def _remove_leftovers(self) -> None:
        # A process of a killed run may still write here for a moment. The end of this run removes the rest.
        for file in self._parent.iterdir():
            if is_leftover(file.name, is_locked=self._lock is not None):
                if file.is_dir() and not file.is_symlink():
                    shutil.rmtree(file, ignore_errors=True)
                else:
                    file.unlink(missing_ok=True)

    def scratch_parent(self) -> str | None:
        return str(self._scratch)


class RemoteFolder:
    """A folder of a file system of fsspec. A complete upload publishes a file."""

    def __init__(self, path: str, run: str) -> None:
        self._system, inner = filesystem(path)
        self._path = inner.rstrip("/")
        self._parent = f"{self._path}/{SCRATCH}"
        self._scratch = f"{self._parent}/{run}"

    def prepare(self) -> None:
        for name in self._names(self._parent):
            if is_leftover(name, is_locked=False):
                self._system.rm(f"{self._parent}/{name}", recursive=True)
        self._system.makedirs(self._scratch, exist_ok=True)

    def clear(self) -> None:
        for name in self.names():
            if name != SCRATCH:
                self._system.rm(f"{self._path}/{name}", recursive=True)

    def names(self) -> list[str]:
        return self._names(self._path)

    def _names(self, folder: str) -> list[str]:
        self._system.invalidate_cache()
        if not self._system.exists(folder):
            return []
        names = [str(name).rstrip("/").rsplit("/", 1)[-1] for name in self._system.ls(folder, detail=False)]
        return [name for name in names if name and name != folder.rsplit("/", 1)[-1]]

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

    def release(self) -> None:
        self._system.invalidate_cache()
        if self._system.exists(self._scratch):
            self._system.rm(self._scratch, recursive=True)
        if self._system.exists(self._parent) and not self._names(self._parent):
            with suppress(OSError):
                self._system.rmdir(self._parent)

    def scratch_parent(self) -> str | None:
        return None


def storage(path: str, run: str) -> Storage:
    """Returns the output folder with this path, with the temporary files of a run."""
    return RemoteFolder(path, run) if is_remote(path) else LocalFolder(path, run)


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
