#!/usr/bin/env python3
"""Runs the script on a local Spark cluster with two workers. The test origin of the tool serves the images.

    python3 Examples/spark/test_make_dataset.py path/to/cellophane
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pyspark

HERE = Path(__file__).resolve().parent
TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellophane"
ROWS, PER_SHARD = 50, 20


class OnACluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        origin = subprocess.Popen([TOOL, "origin", "--port", "0", "--rows", str(ROWS)], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        self.addCleanup(origin.stdout.close)
        self.addCleanup(origin.wait)
        self.addCleanup(origin.kill)
        self.base = next(found[0] for line in origin.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))

    def run_script(self):
        environment = os.environ | {
            "PYSPARK_SUBMIT_ARGS": "--master local-cluster[2,1,1024] --conf spark.ui.enabled=false pyspark-shell",
            "SPARK_HOME": os.path.dirname(pyspark.__file__), "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        ended = subprocess.run(
            [sys.executable, HERE / "make_dataset.py", "list.parquet", "set", "--tool", TOOL, "--rows", str(PER_SHARD)],
            env=environment, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr[-8000:])
        return ended.stdout

    def test_each_row_has_its_sample(self):
        listed = subprocess.run([TOOL, "fetch", f"{self.base}/list.txt", "--as", "bytes", "--no-cache", "-o", "-"],
                                check=True, capture_output=True, text=True).stdout
        urls = [*listed.split(), f"{self.base}/row/0.png", f"{self.base}/missing", None]
        pa.parquet.write_table(pa.table({"url": urls, "caption": [f"caption {n}" for n in range(len(urls))]}),
                               self.folder / "list.parquet")
        said = self.run_script()
        self.assertIn(f"total: {ROWS + 3} rows", said)

        output = self.folder / "set"
        self.assertEqual(sorted(os.listdir(output)), [
            f"{shard:05}{end}" for shard in range(3) for end in (".parquet", ".tar", "_stats.json")])
        rows = [row for file in sorted(output.glob("*.parquet")) for row in pa.parquet.read_table(file).to_pylist()]
        self.assertEqual([row["url"] for row in rows], urls)
        self.assertEqual([row["status"] for row in rows], ["success"] * (ROWS + 1) + ["failed_to_download"] * 2)
        samples = {}
        for file in output.glob("*.tar"):
            with tarfile.open(file) as archive:
                samples |= {member.name: archive.extractfile(member).read() for member in archive}
        self.assertEqual(len(samples), 3 * (ROWS + 1))
        for row in rows[: ROWS + 1]:
            self.assertEqual(samples[f"{row['key']}.txt"].decode(), row["caption"])
            self.assertEqual(json.loads(samples[f"{row['key']}.json"])["url"], row["url"])
        self.assertEqual(samples["0000000.jpg"], samples[f"00002{ROWS - 2 * PER_SHARD:02}.jpg"])

        # A second run finds all shards.
        self.assertIn("total: 0 rows", self.run_script())


if __name__ == "__main__":
    unittest.main(verbosity=2)
