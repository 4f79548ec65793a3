"""Downloads that share an output folder: the lock of a folder, and the names of folders for temporary files."""

import fcntl
import os
import re
import secrets
import time
from pathlib import Path

from .failures import FolderInUseError

LOCK = "lock"
_RUN = re.compile(r"(\d+)-[0-9a-f]{8}")

# A run that began this many seconds ago counts as ended if the folder has no lock.
LONGEST_RUN = 30 * 24 * 3600


def new_run() -> str:
    """Returns a name for a run. It begins with the time in seconds."""
    return f"{int(time.time())}-{secrets.token_hex(4)}"


def is_leftover(name: str, is_locked: bool) -> bool:
    """Returns whether a file or folder for temporary files belongs to a run that has ended."""
    if name == LOCK:
        return False
    found = _RUN.fullmatch(name)
    return is_locked or found is None or int(found[1]) < time.time() - LONGEST_RUN


def lock(folder: Path) -> int | None:
    """Makes and locks a folder for temporary files. Returns the descriptor of the lock, which ends with the process.

    Returns None if the file system has no locks. Raises `FolderInUseError` if another process has the lock."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:
            continue  # another download ended and removed the folder
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FolderInUseError(f"{folder.parent} is in use by another download; "
                                   "wait for its end, or use another output_folder") from None
        except OSError:
            os.close(descriptor)
            (folder / LOCK).unlink(missing_ok=True)
            return None
        if _is_same(folder / LOCK, descriptor):
            return descriptor
        os.close(descriptor)  # the file was removed between the two calls


def unlock(folder: Path, descriptor: int | None) -> None:
    """Removes the lock, and the folder if it is empty."""
    if descriptor is not None:
        (folder / LOCK).unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:
        pass  # another download uses it
    if descriptor is not None:
        os.close(descriptor)


def _is_same(file: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(file), os.fstat(descriptor))
    except FileNotFoundError:
        return False
