"""Rows of the output, made of the rows of the list and the results of the tool."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import messages
from .failures import ToolError

SUCCESS, NOT_DOWNLOADED, NOT_RESIZED = "success", "failed_to_download", "failed_to_resize"


@dataclass(frozen=True)
class Sample:
    """A row of the output, with the file of its image if it succeeded."""

    key: str
    metadata: dict[str, Any]
    image: Path | None


def key_of(shard: int, row: int, rows_per_shard: int, shard_digits: int) -> str:
    """Returns the number of the shard, then that of the row, with the digits that img2dataset uses."""
    digits = len(str(rows_per_shard - 1)) if rows_per_shard > 1 else 0
    return f"{10**digits * shard + row:0{digits + shard_digits}d}"


class SampleMaker:
    """Makes the samples of a shard, in the order of its rows."""

    def __init__(self, folder: Path, compute_hash: str | None, is_verified: bool, has_exif: bool) -> None:
        self.folder = folder
        self.compute_hash = compute_hash
        self.is_verified = is_verified
        self.has_exif = has_exif
        # Results by file. A duplicate names the file of the first record with its URL, and has no other members.
        self._firsts: dict[str, Mapping[str, Any]] = {}

    def sample(self, key: str, row: Mapping[str, Any], result: Mapping[str, Any]) -> Sample:
        """Returns the sample of a row and its result.

        Raises `ToolError` if the tool cannot write."""
        if "error" in result and result["error"]["stage"] == "output":
            # The row is not at fault: for example, the disk is full. Another attempt of the shard may succeed.
            raise ToolError(f"an image cannot be written: {result['error']['message']}")
        if result["outcome"] == "duplicate":
            result = self._firsts[result["file"]]
        elif "file" in result:
            self._firsts[result["file"]] = result
        status, error = self._status(row, result)
        metadata = {name: value for name, value in row.items() if not (self.is_verified and name == self.compute_hash)}
        metadata |= {"key": key, "status": status, "error_message": error}
        is_success = status == SUCCESS
        for name, member in SIZES.items():
            metadata[name] = result.get(member) if is_success else None
        if self.has_exif:
            metadata["exif"] = json.dumps(result.get("exif") or {}) if is_success else None
        if self.compute_hash:
            metadata[self.compute_hash] = self._hash(result) if is_success else None
        return Sample(key, metadata, self.folder / result["file"] if is_success else None)

    def _status(self, row: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[str, str | None]:
        if self.is_verified and self.compute_hash and (found := self._hash(result)):
            # The package compares, so that rows with one URL share a request even if they expect different hashes.
            if str(row[self.compute_hash]).strip().lower() != found:
                return NOT_DOWNLOADED, messages.MISMATCH
        if "error" not in result:
            return SUCCESS, None
        is_resizing = result["outcome"] == "filtered" or result["error"]["stage"] in ("decode", "resize")
        return NOT_RESIZED if is_resizing else NOT_DOWNLOADED, messages.message(result)

    def _hash(self, result: Mapping[str, Any]) -> str | None:
        kind, _, value = str(result.get("contentHash", "")).partition(":")
        return value if kind == self.compute_hash else None


# The columns of sizes, and the members of results with their values.
SIZES: Mapping[str, str] = {
    "width": "width", "height": "height", "original_width": "originalWidth", "original_height": "originalHeight",
}
