#!/usr/bin/env python3
"""Makes a data set of the images of a list on an Apache Spark cluster.

    spark-submit Examples/spark/make_dataset.py urls.parquet /shared/set --tool /usr/local/bin/cellophane
"""

import argparse

from cellophane_dataset import download
from pyspark.sql import SparkSession

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("list", help="Parquet file or folder with the columns url and caption")
parser.add_argument("output", help="folder that all workers share, or an address such as s3://bucket/set")
parser.add_argument("--tool", default="cellophane", help="path of the tool on every worker (default: cellophane)")
parser.add_argument("--rows", type=int, default=10_000, help="rows per shard (default: 10000)")
options = parser.parse_args()

# Without speculation: a second copy of a slow task would send the same requests again.
session = SparkSession.builder.appName("images").config("spark.speculation", "false").getOrCreate()
download(
    options.list,
    input_format="parquet",
    caption_col="caption",
    output_folder=options.output,
    output_format="webdataset",
    image_size=256,
    number_sample_per_shard=options.rows,
    distributor="pyspark",
    tool=options.tool,
)
session.stop()
