"""The function `download`."""

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import closing

from . import arguments
from .columns import input_columns
from .distributors import DISTRIBUTORS, Distributor
from .failures import ShardError
from .lists import UrlList, is_remote, shards
from .locks import new_run
from .process import path_of_tool, require_tool
from .progress import Progress
from .shard import Job, Task
from .storage import complete_shards, storage
from .validation import check, check_overwriting


def download(
    url_list: str,
    image_size: int = 256,
    output_folder: str = "images",
    processes_count: int = 1,
    resize_mode: str = "border",
    resize_only_if_bigger: bool = False,
    upscale_interpolation: str = "lanczos",
    downscale_interpolation: str = "area",
    encode_quality: int = 95,
    encode_format: str = "jpg",
    skip_reencode: bool = False,
    output_format: str = "files",
    input_format: str = "txt",
    url_col: str = "url",
    caption_col: str | None = None,
    bbox_col: str | None = None,
    thread_count: int = 256,
    number_sample_per_shard: int = 10000,
    extract_exif: bool = True,
    save_additional_columns: list[str] | None = None,
    timeout: float = 10,
    enable_wandb: bool = False,
    wandb_project: str = "img2dataset",
    oom_shard_count: int = 5,
    compute_hash: str | None = "sha256",
    verify_hash: list[str] | None = None,
    distributor: str = "multiprocessing",
    subjob_size: int = 1000,
    retries: int = 0,
    disable_all_reencoding: bool = False,
    min_image_size: int = 0,
    max_image_area: float = math.inf,
    max_aspect_ratio: float = math.inf,
    incremental_mode: str = "incremental",
    max_shard_retry: int = 1,
    user_agent_token: str | None = None,
    disallowed_header_directives: list[str] | None = None,
    *,
    tool: str | None = None,
    tool_options: Sequence[str] = (),
) -> None:
    """Loads the images of a list, and writes them in shards with their metadata.

    The parameters have the names and defaults of img2dataset's. The README has a table of their effects. In addition:

    - `tool`: The path of the binary. The default is the environment variable CELLOPHANE, or `cellophane` in PATH.
    - `tool_options`: More options of `cellophane prefetch`, such as `["--per-host", "8"]`.

    Raises `ValueError` for a parameter that is not supported, and `ShardError` if a shard is incomplete after
    `max_shard_retry` more attempts. The same call then loads only the shards that are missing."""
    check(dict(locals()))
    job = Job(
        command=[
            path_of_tool(tool), "prefetch", "-", "--format", "jsonl", "--column", "url", "--jsonl", "-", "--quiet",
            "--no-cache", "--names", "{index}",
            *arguments.transfer_arguments(
                thread_count=thread_count, timeout=timeout, retries=retries, user_agent_token=user_agent_token,
                disallowed_header_directives=disallowed_header_directives),
            *arguments.image_arguments(
                image_size=image_size, resize_mode=resize_mode, resize_only_if_bigger=resize_only_if_bigger,
                downscale_interpolation=downscale_interpolation, encode_format=encode_format,
                encode_quality=encode_quality, disable_all_reencoding=disable_all_reencoding),
            *arguments.filter_arguments(
                min_image_size=min_image_size, max_image_area=max_image_area, max_aspect_ratio=max_aspect_ratio,
                disable_all_reencoding=disable_all_reencoding),
            *arguments.result_arguments(compute_hash, extract_exif), *tool_options,
        ],
        output_folder=_absolute(output_folder), run=new_run(), output_format=output_format, extension=encode_format,
        rows_per_shard=number_sample_per_shard, shard_digits=oom_shard_count, has_captions=caption_col is not None,
        has_exif=extract_exif, compute_hash=compute_hash, is_verified=verify_hash is not None)
    if distributor == "multiprocessing":
        require_tool(job.command[0])
    urls = UrlList(_absolute(url_list), input_format, input_columns(
        "url" if input_format.startswith("txt") else url_col, caption_col, verify_hash, save_additional_columns))
    download = Download(job, urls, DISTRIBUTORS[distributor], processes_count, subjob_size)
    download.run(incremental_mode, max_shard_retry)


def _absolute(path: str) -> str:
    """Returns an absolute path. Other processes may have another working folder."""
    return path if is_remote(path) else os.path.abspath(path)


class Download:
    """The work on the shards of a list."""

    def __init__(
        self, job: Job, urls: UrlList, distributor: Distributor, processes_count: int, subjob_size: int,
    ) -> None:
        self.job = job
        self.urls = urls
        self.distributor = distributor
        self.processes_count = processes_count
        self.subjob_size = subjob_size
        self.folder = storage(job.output_folder, job.run)
        self.progress = Progress()

    def run(self, incremental_mode: str, max_shard_retry: int) -> None:
        """Makes all shards, and those that fail again, up to `max_shard_retry` times."""
        files = self.urls.files()
        if incremental_mode == "overwrite":
            check_overwriting(self.job.output_folder, files)
        self.folder.prepare()
        try:
            complete, first = self._existing(incremental_mode, files)
            failed = self._attempt(self._tasks(files, complete, first))
            for _ in range(max_shard_retry if failed else 0):
                failed = self._attempt(iter(failed))
        finally:
            self.folder.release()
        print(self.progress, flush=True)
        if failed:
            numbers = ", ".join(str(task.shard) for task in failed[:20])
            raise ShardError(f"{len(failed)} shards are incomplete: {numbers}; the lines above have the reasons. "
                             "Run the same download again to load them")

    def _existing(self, incremental_mode: str, files: list[str]) -> tuple[set[int], int]:
        """Returns the shards that are complete, and the number of the first shard of the list."""
        if incremental_mode == "overwrite":
            # The first rows show an error in the format or in the names of columns before anything is removed.
            with closing(self.urls.batches(files[0])) as batches:
                next(batches, None)
            self.folder.clear()
            return set(), 0
        complete = complete_shards(self.folder)
        if incremental_mode == "extend":
            return set(), max(complete, default=-1) + 1
        return complete, 0

    def _tasks(self, files: list[str], complete: set[int], first: int) -> Iterator[Task]:
        """Generates the shards that are missing. The rows of each are written to a file first."""
        number = first
        for file in files:
            for rows in shards(self.urls.batches(file), self.job.rows_per_shard):
                if number not in complete:
                    task = Task(number)
                    task.save(self.folder, rows)
                    yield task
                number += 1

    def _attempt(self, tasks: Iterator[Task]) -> list[Task]:
        """Works on shards and returns those that failed."""
        failed = []
        with closing(self.distributor(self.job, tasks, self.processes_count, self.subjob_size)) as outcomes:
            for outcome in outcomes:
                self.progress.add(outcome)
                if outcome.statistics is None:
                    failed.append(outcome.task)
                else:
                    # Not in the task: Spark may run a complete task again, for example after the loss of a worker.
                    self.folder.remove(outcome.task.file)
        return failed
