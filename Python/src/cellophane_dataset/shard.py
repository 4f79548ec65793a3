"""The work on one shard, in any process or on any machine."""

import json
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from .failures import shortened
from .process import Processes, results
from .samples import NOT_DOWNLOADED, NOT_RESIZED, SIZES, SUCCESS, Sample, SampleMaker, key_of
from .storage import Storage, scratch_folder, storage
from .writers import WRITERS

# The folder of the files that are published, in the scratch folder of a shard.
WRITTEN = "written"


@dataclass(frozen=True)
class Job:
    """What all shards of a download share."""

    command: list[str]
    output_folder: str
    run: str
    """The name of the folder for the temporary files of the download."""

    output_format: str
    extension: str
    rows_per_shard: int
    shard_digits: int
    has_captions: bool
    has_exif: bool
    compute_hash: str | None
    is_verified: bool

    def name(self, shard: int) -> str:
        """Returns the number of a shard as the names of its files have it."""
        return f"{shard:0{self.shard_digits}d}"


@dataclass(frozen=True)
class Task:
    """A shard, whose rows are in a file of the folder for temporary files."""

    shard: int

    @property
    def file(self) -> str:
        """The name of the file with the rows."""
        return f"{self.shard}.arrow"

    def save(self, folder: Storage, rows: pa.Table) -> None:
        """Writes the rows."""
        with folder.open(self.file, "wb") as stream, pa.ipc.new_file(stream, rows.schema) as writer:
            writer.write_table(rows)

    def load(self, folder: Storage) -> pa.Table:
        """Reads the rows."""
        with folder.open(self.file, "rb") as stream:
            return pa.ipc.open_file(stream).read_all()


@dataclass
class Statistics:
    """The content of NNNNN_stats.json."""

    count: int
    successes: int
    failed_to_download: int
    failed_to_resize: int
    duration: float
    start_time: float
    end_time: float
    status_dict: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The end of an attempt: the statistics of a complete shard, or the reason of the failure."""

    task: Task
    statistics: Statistics | None
    failure: str | None = None


def attempt(job: Job, task: Task, processes: Processes | None = None) -> Outcome:
    """Makes a shard. A failure is part of the outcome, because another attempt may succeed."""
    try:
        return Outcome(task, make(job, task, processes or Processes()))
    except Exception as error:
        return failed(task, error)


def failed(task: Task, error: Exception) -> Outcome:
    """Returns the outcome of a shard that an error ended."""
    return Outcome(task, None, shortened(f"{type(error).__name__}: {error}"))


def make(job: Job, task: Task, processes: Processes) -> Statistics:
    """Loads the rows of a shard and publishes its files. The statistics come last, and mark the shard as complete."""
    folder = storage(job.output_folder, job.run)
    with processes.slot() as release, scratch_folder(folder) as scratch:
        written = scratch / WRITTEN
        written.mkdir()
        start = time.time()
        rows = task.load(folder)
        writer = WRITERS[job.output_format](
            written, job.name(task.shard), schema(job, rows.schema), job.extension, job.has_captions)
        counts: Counter[tuple[str, str]] = Counter()
        with closing(_samples(job, task.shard, rows, scratch / "files", processes, release)) as samples:
            for sample in samples:
                writer.write(sample)
                counts[sample.metadata["status"], sample.metadata["error_message"] or SUCCESS] += 1
        names = writer.finish()
        statistics = _statistics(counts, rows.num_rows, start)
        for one in names:
            folder.publish(written / one, one)
        (written / "stats").write_text(json.dumps(asdict(statistics), indent=4))
        folder.publish(written / "stats", f"{job.name(task.shard)}_stats.json")
    return statistics


def _samples(
    job: Job, shard: int, rows: pa.Table, files: Path, processes: Processes, on_tail: Callable[[], None],
) -> Generator[Sample, None, None]:
    """Loads the rows of a shard and generates their samples, whose images are in the folder `files`."""
    maker = SampleMaker(files, job.compute_hash, job.is_verified, job.has_exif)
    values: list[dict[str, Any]] = rows.to_pylist()
    found = results([*job.command, "--output", str(files)], [row["url"] for row in values], processes, on_tail)
    with closing(found):
        for index, (row, result) in enumerate(zip(values, found, strict=True)):
            yield maker.sample(key_of(shard, index, job.rows_per_shard, job.shard_digits), row, result)


def _statistics(counts: Counter[tuple[str, str]], count: int, start: float) -> Statistics:
    end = time.time()
    totals: Counter[str] = Counter()
    messages: Counter[str] = Counter()
    for (status, message), number in counts.items():
        totals[status] += number
        messages[message] += number
    return Statistics(count, totals[SUCCESS], totals[NOT_DOWNLOADED], totals[NOT_RESIZED], end - start, start, end,
                      dict(messages.most_common()))


def schema(job: Job, rows: pa.Schema) -> pa.Schema:
    """Returns the columns of the metadata: those of the list, then those of the results."""
    texts = ["key", "status", "error_message"]
    result = rows
    for name in texts:
        result = result.append(pa.field(name, pa.string()))
    for name in SIZES:
        result = result.append(pa.field(name, pa.int32()))
    if job.has_exif:
        result = result.append(pa.field("exif", pa.string()))
    if job.compute_hash and job.compute_hash not in rows.names:
        result = result.append(pa.field(job.compute_hash, pa.string()))
    return result
