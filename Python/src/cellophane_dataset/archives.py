"""Tar archives of small files."""

from typing import IO

BLOCK = 512
# The same for all members, because archives of the same samples must be equal. It is 2000-01-01.
MODIFIED = 946_684_800


class Archive:
    """Writes members in the format ustar. Names have at most 100 bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._size = 0

    def add(self, name: str, data: bytes) -> None:
        """Appends a file."""
        padding = -len(data) % BLOCK
        self._stream.write(header(name, len(data)))
        self._stream.write(data)
        self._stream.write(bytes(padding))
        self._size += BLOCK + len(data) + padding

    def finish(self) -> None:
        """Writes the end of the archive, which fills a record of 20 blocks."""
        end = 2 * BLOCK
        self._stream.write(bytes(end + -(self._size + end) % (20 * BLOCK)))


def header(name: str, size: int) -> bytes:
    """Returns the header of a regular file that all users may read."""
    before = name.encode().ljust(100, b"\0") + b"0000444\0" + b"0000000\0" * 2 + b"%011o\0%011o\0" % (size, MODIFIED)
    after = b"0".ljust(101, b"\0") + b"ustar\0" + b"00" + bytes(64) + b"0000000\0" * 2 + bytes(167)
    checksum = sum(before) + sum(after) + 8 * ord(" ")
    return before + b"%06o\0 " % checksum + after
