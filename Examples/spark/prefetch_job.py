#!/usr/bin/env python3
"""Fetches every URL of a table on an Apache Spark cluster; `cellophane prefetch` does the work in each worker.

Reads a text list or a Parquet, CSV or JSON table, writes one row for each row as Parquet, asks again for what failed
and may succeed, and prints what became of everything. Rows are given to workers by host, so that the limit of
transfers for one host, its Retry-After and its pauses hold for the whole cluster, and a URL that comes twice is
fetched once. Exit code 0: all fetched, 2: some failed, 1: rows were lost or the job failed.
"""

import argparse
import json
import os
import shlex
import sys
import time

from pyspark.sql import DataFrame, SparkSession, functions as F, types as T

# Exit code 2 says that some lines failed, which is a result and no failure of the task; after any other, Spark runs
# the partition again, and what is in the cache by then costs nothing.
WORKER = """sh -c '"$@"; code=$?; [ $code -eq 2 ] || exit $code' worker"""

# The longest that a round waits for hosts that said when to come back, in seconds.
LONGEST_PAUSE = 60


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="What follows -- goes to `cellophane prefetch`: -- --size 256x256 --cache-dir /data/cache")
    parser.add_argument("input", help="a file or folder that every worker can read")
    parser.add_argument("output", help="a folder for the results, as Parquet; replaced")
    parser.add_argument("--format", default="text", choices=["text", "parquet", "csv", "json"])
    parser.add_argument("--column", default="url", help="the column with the URLs [url]")
    parser.add_argument("--partitions", type=int, help="workers' processes in all [as many as the cluster has cores]")
    parser.add_argument("--retries", type=int, default=2, help="rounds for what failed and may succeed [2]")
    parser.add_argument("--tool", default="cellophane", help="the tool, on every worker [cellophane]")
    own, others = sys.argv[1:], []
    if "--" in own:
        own, others = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    if defect := defect_of_folders(others):
        parser.error(defect)
    return options, others


def defect_of_folders(others):
    """What is wrong with where files go. Every worker starts in a folder of its own; and every worker, and every round,
    counts its lines from 1, so that a number is that of many rows, whose files would pass for one another."""
    writer = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    writer.add_argument("-o", "--output")
    writer.add_argument("--names", default="{index:8}")
    writer.add_argument("--cache-dir")
    known, _ = writer.parse_known_args(others)
    for name, folder in ("--output", known.output), ("--cache-dir", known.cache_dir):
        if folder is not None and not os.path.isabs(folder):
            return f"{name} needs an absolute path: {folder!r} would be a different folder in each worker"
    if known.output is not None and "{index" in known.names:
        return "--output needs --names by what is the same in every worker, such as --names '{key:2}/{key}'"
    return None


def table(spark: SparkSession, options) -> DataFrame:
    """The rows of the input; the column of URLs is `url`, whatever it was called."""
    if options.format == "text":
        # `prefetch` passes over blank lines as well.
        return spark.read.text(options.input).select(F.trim("value").alias("url")).where("url != ''")
    rows = spark.read
    if options.format == "csv":
        rows = rows.option("header", True).option("multiLine", True).option("escape", '"')
    rows = rows.format(options.format).load(options.input)
    if options.column not in rows.columns:
        raise SystemExit(f"{options.input} has no column {options.column!r}; --column names one of: "
                         + ", ".join(rows.columns))
    if options.column == "url":
        return rows
    if "url" in rows.columns:
        raise SystemExit(f"{options.input} has a column 'url' beside {options.column!r}; rename it")
    return rows.withColumnRenamed(options.column, "url")


def result_schema(rows: DataFrame) -> T.StructType:
    """A line of `prefetch --jsonl`, but for its number, which is the worker's; columns other than the URL come back under
    `fields`."""
    carried = T.StructType([field for field in rows.schema.fields if field.name != "url"])
    schema = T.StructType.fromDDL("""
        url STRING, outcome STRING, status INT, bytes LONG, contentType STRING, width INT, height INT,
        contentHash STRING, cacheKey STRING, file STRING, stale BOOLEAN, notKept STRING, tries INT, duration_ms DOUBLE,
        timings_ms STRUCT<queue: DOUBLE, dns: DOUBLE, connect: DOUBLE, tls: DOUBLE, firstByte: DOUBLE, transfer: DOUBLE,
            decode: DOUBLE>,
        error STRUCT<kind: STRING, stage: STRING, retryable: BOOLEAN, message: STRING, attempts: INT, retryAfter_s: DOUBLE>
    """)
    return schema.add("fields", carried) if carried.fields else schema


def round_of(rows: DataFrame, schema: T.StructType, options, others, partitions: int) -> DataFrame:
    """The results of `rows`, by one process for each partition."""
    # What has no host fails without a transfer; such rows go anywhere.
    host = F.lower(F.regexp_extract(F.col("url"), r"^\s*[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)", 1))
    host = F.when(F.coalesce(host, F.lit("")) == "", F.col("url")).otherwise(host)
    lines = rows.repartition(partitions, host).toJSON()
    command = [options.tool, "prefetch", "-", "--format", "jsonl", "--column", "url", "--jsonl", "-", "--quiet"]
    # A piped process gets no environment but this.
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    results = lines.pipe(f"{WORKER} {shlex.join(command + others)}", environment, checkCode=True)
    return rows.sparkSession.read.schema(schema).json(results)


def pause(failed: DataFrame) -> float:
    """How long the hosts that failed want to be left alone, in seconds."""
    wanted = failed.agg(F.max("error.retryAfter_s")).first()[0]
    return min(wanted or 0, LONGEST_PAUSE)


def main() -> int:
    options, others = arguments()
    # A second copy of a slow task would ask one host from two workers at once.
    spark = SparkSession.builder.appName("cellophane prefetch").config("spark.speculation", "false").getOrCreate()
    partitions = options.partitions or spark.sparkContext.defaultParallelism
    rows = table(spark, options)
    schema = result_schema(rows)
    expected = rows.count()

    # Each round is written before it is read again, since a round that is computed twice is fetched twice.
    rounds = f"{options.output.rstrip('/')}.rounds"
    settled, current = [], rows
    for number in range(options.retries + 1):
        place = f"{rounds}/{number}"
        round_of(current, schema, options, others, partitions).withColumn("round", F.lit(number)).write.mode(
            "overwrite").parquet(place)
        results = spark.read.parquet(place)
        again = F.coalesce((F.col("outcome") == "failed") & F.col("error.retryable"), F.lit(False))
        failed = results.where(again)
        if number == options.retries or failed.isEmpty():
            settled.append(results)
            break
        settled.append(results.where(~again))
        time.sleep(pause(failed))
        carried = ["fields.*"] if "fields" in results.columns else []
        current = failed.select("url", *carried)

    final = settled[0]
    for others_settled in settled[1:]:
        final = final.unionByName(others_settled)
    final.write.mode("overwrite").parquet(options.output)

    written = spark.read.parquet(options.output)
    counts = written.groupBy("outcome", F.col("error.kind").alias("error")).agg(
        F.count("*").alias("rows"), F.sum("bytes").alias("bytes")).orderBy("outcome", "error")
    counts = [row.asDict() for row in counts.collect()]
    total = sum(row["rows"] for row in counts)
    for row in counts:
        print(f"{row['outcome']:10} {row['error'] or '':18} {row['rows']:>10} rows {row['bytes'] or 0:>16} bytes")
    print(json.dumps({"rows": expected, "results": total, "rounds": len(settled), "counts": counts}))
    remove(spark, rounds)
    spark.stop()
    if total != expected:
        print(f"{expected} rows went in and {total} came out", file=sys.stderr)
        return 1
    return 2 if any(row["outcome"] == "failed" for row in counts) else 0


def remove(spark: SparkSession, folder: str):
    """Removes a folder wherever Spark keeps it: on a disk, in HDFS, in an object store."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


if __name__ == "__main__":
    sys.exit(main())
