#!/usr/bin/env python3
"""Fetches every URL of a table on an Apache Spark cluster, with `cellophane prefetch` on each worker.

Reads a text list or a Parquet, CSV or JSON table and writes one result per row as Parquet. Loads retryable failures
again, and prints a summary. Partitions the rows by host. So the limits per host, Retry-After and the pauses after
failures apply to the cluster, and a URL that occurs twice is fetched once.

Exit codes: 0 all rows were fetched, 1 the job failed or rows were lost, 2 some rows failed.
"""

import argparse
import json
import os
import shlex
import sys
import time

from pyspark.sql import DataFrame, SparkSession, functions as F, types as T

# Exit code 2 means that some records failed. That is a result, not a failure of the task. After any other exit code, Spark
# runs the partition again, and cached responses are not transferred again.
WORKER = """sh -c '"$@"; code=$?; [ $code -eq 2 ] || exit $code' worker"""

# The maximum time to wait for Retry-After before a round, in seconds.
LONGEST_PAUSE = 60


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Options after -- are passed to `cellophane prefetch`: -- --size 256x256 --cache-dir /data/cache")
    parser.add_argument("input", help="file or folder that every worker can read")
    parser.add_argument("output", help="folder for the results as Parquet; existing results are replaced")
    parser.add_argument("--format", default="text", choices=["text", "parquet", "csv", "json"],
                        help="format of the input (default: text)")
    parser.add_argument("--column", default="url", help="column with the URLs (default: url)")
    parser.add_argument("--partitions", type=int, help="number of worker processes (default: the cores of the cluster)")
    parser.add_argument("--retries", type=int, default=2, help="rounds for retryable failures (default: 2)")
    parser.add_argument("--tool", default="cellophane", help="path of the tool on every worker (default: cellophane)")
    own, others = sys.argv[1:], []
    if "--" in own:
        own, others = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    if defect := defect_of_folders(others):
        parser.error(defect)
    return options, others


def defect_of_folders(others):
    """Returns an error message if the output options do not work on a cluster, otherwise None.

    Each worker starts in a different folder, so paths must be absolute. Each worker counts its records from 1 in every
    round, so several rows have the same number, and files named by the number would replace one another."""
    writer = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    writer.add_argument("-o", "--output")
    writer.add_argument("--names", default="{index:8}")
    writer.add_argument("--cache-dir")
    known, _ = writer.parse_known_args(others)
    for name, folder in ("--output", known.output), ("--cache-dir", known.cache_dir):
        if folder is not None and not os.path.isabs(folder):
            return f"{name} needs an absolute path: {folder!r} is a different folder on each worker"
    if known.output is not None and "{index" in known.names:
        return "--output needs --names without {index}, which repeats on each worker; use --names '{key:2}/{key}'"
    return None


def table(spark: SparkSession, options) -> DataFrame:
    """Returns the rows of the input. The column of the URLs is renamed to `url`."""
    if options.format == "text":
        # `prefetch` also skips blank lines.
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
        raise SystemExit(f"{options.input} has a column 'url' in addition to {options.column!r}; rename the column 'url'")
    return rows.withColumnRenamed(options.column, "url")


def result_schema(rows: DataFrame) -> T.StructType:
    """Returns the schema of a result of `prefetch --jsonl`, without the record number, which is local to a worker. The
    other columns of the input are under `fields`."""
    carried = T.StructType([field for field in rows.schema.fields if field.name != "url"])
    schema = T.StructType.fromDDL("""
        url STRING, outcome STRING, status INT, bytes LONG, contentType STRING, width INT, height INT,
        contentHash STRING, cacheKey STRING, file STRING, stale BOOLEAN, notKept STRING, tries INT, duration_ms DOUBLE,
        timings_ms STRUCT<queue: DOUBLE, dns: DOUBLE, connect: DOUBLE, tls: DOUBLE, firstByte: DOUBLE, transfer: DOUBLE,
            decode: DOUBLE>,
        error STRUCT<kind: STRING, stage: STRING, retryable: BOOLEAN, message: STRING, retryAfter_s: DOUBLE>
    """)
    return schema.add("fields", carried) if carried.fields else schema


def round_of(rows: DataFrame, schema: T.StructType, options, others, partitions: int) -> DataFrame:
    """Returns the results of `rows`, from one process per partition."""
    # A row without a host fails without a transfer, so its partition does not matter.
    host = F.lower(F.regexp_extract(F.col("url"), r"^\s*[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)", 1))
    host = F.when(F.coalesce(host, F.lit("")) == "", F.col("url")).otherwise(host)
    lines = rows.repartition(partitions, host).toJSON()
    command = [options.tool, "prefetch", "-", "--format", "jsonl", "--column", "url", "--jsonl", "-", "--quiet"]
    # A piped process has no other environment variables.
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    results = lines.pipe(f"{WORKER} {shlex.join(command + others)}", environment, checkCode=True)
    return rows.sparkSession.read.schema(schema).json(results)


def pause(failed: DataFrame) -> float:
    """Returns the longest Retry-After of the failed rows, at most LONGEST_PAUSE, in seconds."""
    wanted = failed.agg(F.max("error.retryAfter_s")).first()[0]
    return min(wanted or 0, LONGEST_PAUSE)


def main() -> int:
    options, others = arguments()
    # Without speculation: a second copy of a slow task would send requests to one host from two workers.
    spark = SparkSession.builder.appName("cellophane prefetch").config("spark.speculation", "false").getOrCreate()
    partitions = options.partitions or spark.sparkContext.defaultParallelism
    rows = table(spark, options)
    schema = result_schema(rows)
    expected = rows.count()

    # Writes each round before it is read, because Spark would fetch again a round that it computes twice.
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
        print(f"the input has {expected} rows, but there are {total} results; run the job again", file=sys.stderr)
        return 1
    return 2 if any(row["outcome"] == "failed" for row in counts) else 0


def remove(spark: SparkSession, folder: str):
    """Removes a folder from the file system that Spark uses: a disk, HDFS or an object store."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


if __name__ == "__main__":
    sys.exit(main())
