"""Ways to work on several shards at the same time."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import Any

from .process import Processes
from .shard import Job, Outcome, Task, attempt, failed

# Shards in progress for each process of `processes_count`. Those beyond one wait for a slot, or for their last rows.
SHARDS_PER_SLOT = 3

Distributor = Callable[[Job, Iterable[Task], int, int], Generator[Outcome, None, None]]


def in_threads(job: Job, tasks: Iterable[Task], count: int, _: int) -> Generator[Outcome, None, None]:
    """Works on `count` shards, each in a process of the tool, and on others that wait for their last rows.

    Threads suffice: the work in this process takes 0.1 to 0.3 ms per sample. The work of the tool on a photograph takes
    about 3 ms of a processor, so the limit of this process is that of 10 to 30 processors."""
    processes = Processes(count)
    threads = SHARDS_PER_SLOT * count
    pool = ThreadPoolExecutor(threads)
    running: set[Future[Outcome]] = set()
    try:
        source = iter(tasks)
        while True:
            taken = islice(source, threads - len(running))
            running.update(pool.submit(attempt, job, task, processes) for task in taken)
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        # Without an interruption, nothing runs any more.
        processes.stop()
        pool.shutdown(cancel_futures=True)


def on_spark(job: Job, tasks: Iterable[Task], _: int, batch: int) -> Generator[Outcome, None, None]:
    """Works on shards as tasks of the active Spark session, `batch` of them in a Spark job."""
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("distributor='pyspark' needs the package pyspark; "
                                  "install cellophane-dataset[spark]") from error
    spark = SparkSession.builder.appName("cellophane-dataset").getOrCreate()
    source = iter(tasks)
    while part := list(islice(source, batch)):
        try:
            outcomes = spark.sparkContext.parallelize(part, len(part)).map(partial(attempt, job)).collect()
        except Exception as error:  # for example, Spark gave up a worker that was lost several times
            outcomes = [failed(task, error) for task in part]
        yield from outcomes


def on_ray(job: Job, tasks: Iterable[Task], _: int, batch: int) -> Generator[Outcome, None, None]:
    """Works on shards as remote tasks of Ray, at most `batch` of them submitted at once."""
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("distributor='ray' needs the package ray; install cellophane-dataset[ray]") from error
    remote = ray.remote(attempt)
    source = iter(tasks)
    running: dict[Any, Task] = {}
    while True:
        running |= {remote.remote(job, task): task for task in islice(source, batch - len(running))}
        if not running:
            return
        done, _ = ray.wait(list(running))
        for reference in done:
            task = running.pop(reference)
            try:
                outcome = ray.get(reference)
            except Exception as error:  # for example, the worker was lost
                outcome = failed(task, error)
            yield outcome


DISTRIBUTORS: dict[str, Distributor] = {"multiprocessing": in_threads, "pyspark": on_spark, "ray": on_ray}
