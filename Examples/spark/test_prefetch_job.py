#!/usr/bin/env python3
"""Runs the job on a local Spark cluster with several worker processes. The test origin fails in every way that the job
must report.

    python3 Examples/spark/test_prefetch_job.py path/to/cellophane
"""

import collections
import http.server
import json
import os
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellophane"

# Loopback addresses. The workers treat each as a separate host.
HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"]
GOOD, PER_HOST = 50, 3


def png(gray):
    """Returns an image of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes([0, gray]))) + chunk(b"IEND", b""))


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    requests = collections.Counter()
    running = collections.Counter()
    most = collections.Counter()

    def do_GET(self):
        host, target = self.headers["Host"].split(":")[0], self.path
        with self.lock:
            self.requests[host, target] += 1
            asked = self.requests[host, target]
            self.running[host] += 1
            self.most[host] = max(self.most[host], self.running[host])
        time.sleep(0.005)  # long enough for concurrent transfers of one host to overlap
        status, fields, body = 200, {"Cache-Control": "max-age=3600"}, f"{host}{target}".encode() * 100
        if target.startswith("/picture/"):
            body = png(int(target.removeprefix("/picture/")))
        elif target.startswith("/gone/"):
            status = 404
        elif target.startswith("/busy/") and asked <= 4:
            # Longer than the tool waits, so that the job has to retry.
            status, fields = 503, {"Retry-After": "11"}
        elif target.startswith("/short/"):
            fields = {"Content-Length": str(len(body) + 1), "Connection": "close"}
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | fields).items():
            self.send_header(name, value)
        self.close_connection = "Connection" in fields
        with self.lock:
            self.running[host] -= 1
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # clients close the connection when a body is too short


class PrefetchJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(("0.0.0.0", 0), Origin)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.port = cls.server.server_address[1]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for counter in (Origin.requests, Origin.running, Origin.most):
            counter.clear()

    def job(self, *arguments, exit, master="local[2]", others=()):
        import pyspark
        command = [sys.executable, HERE / "prefetch_job.py", *arguments]
        command += ["--tool", TOOL, "--", "--as", "bytes", "--per-host", str(PER_HOST), "--cache-dir", self.folder / "cache", *others]
        environment = os.environ | {
            "PYSPARK_SUBMIT_ARGS": f"--master {master} --conf spark.ui.enabled=false pyspark-shell",
            "SPARK_HOME": os.path.dirname(pyspark.__file__), "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        ended = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(ended.returncode, exit, ended.stdout + ended.stderr[-8000:])
        return json.loads(ended.stdout.splitlines()[-1])

    def rows(self, name):
        import pyarrow.parquet
        return pyarrow.parquet.read_table(self.folder / name).to_pylist()

    def test_every_row_has_one_result(self):
        import pyarrow
        import pyarrow.parquet
        rows = []
        for host in HOSTS:
            base = f"http://{host}:{self.port}"
            rows += [(f"{base}/good/{number}", "good") for number in range(GOOD)]
            rows += [(f"{base}/good/{number}", "again") for number in range(0, GOOD, 5)]
            rows += [(f"{base}/gone/{number}", "gone") for number in range(5)]
            rows += [(f"{base}/short/{number}", "short") for number in range(3)]
        rows += [(f"http://{HOSTS[0]}:{self.port}/busy/1", "busy")]
        rows += [("no url at all", "junk"), ("ftp://127.0.0.1/x", "junk"), ("", "junk"), (None, "junk")]
        table = {"picture": [url for url, _ in rows], "id": list(range(len(rows))), "label": [kind for _, kind in rows]}
        pyarrow.parquet.write_table(pyarrow.table(table), self.folder / "list.parquet")

        # Three workers, each with its own Java virtual machine, as on a cluster.
        summary = self.job("list.parquet", "results", "--format", "parquet", "--column", "picture", exit=2,
                           master="local-cluster[3,1,1024]")
        results = self.rows("results")

        self.assertEqual((summary["rows"], summary["results"]), (len(rows), len(rows)))
        self.assertEqual(sorted(row["fields"]["id"] for row in results), list(range(len(rows))))
        outcomes = collections.Counter((row["fields"]["label"], row["outcome"]) for row in results)
        goods = GOOD * len(HOSTS)
        # The order of two equal rows depends on the shuffle.
        self.assertEqual(outcomes["good", "fetched"] + outcomes["again", "fetched"], goods)
        self.assertEqual(outcomes["good", "duplicate"] + outcomes["again", "duplicate"], goods // 5)
        self.assertEqual(outcomes["gone", "failed"], 5 * len(HOSTS))
        self.assertEqual(outcomes["short", "failed"], 3 * len(HOSTS))
        self.assertEqual(outcomes["junk", "failed"], 4)
        self.assertEqual(outcomes["busy", "fetched"], 1)
        for row in results:
            if row["fields"]["label"] == "good" and row["outcome"] == "fetched":
                self.assertEqual(row["tries"], 1)
                self.assertGreater(row["timings_ms"]["firstByte"], 0)
        self.assertGreaterEqual(summary["rounds"], 2)
        for host in HOSTS:
            for number in range(GOOD):
                self.assertEqual(Origin.requests[host, f"/good/{number}"], 1)
            # All rows of a host are in one partition, so the limit applies to all workers together.
            self.assertLessEqual(Origin.most[host], PER_HOST)
        self.assertFalse((self.folder / "results.rounds").exists())

        # A second run requests only the rows that failed.
        before = sum(count for (_, target), count in Origin.requests.items() if target.startswith(("/good/", "/busy/")))
        self.job("list.parquet", "results", "--format", "parquet", "--column", "picture", "--retries", "0", exit=2)
        after = sum(count for (_, target), count in Origin.requests.items() if target.startswith(("/good/", "/busy/")))
        self.assertEqual(before, after)

    def test_a_text_list_without_failures_exits_with_0(self):
        urls = [f"http://{host}:{self.port}/good/{number}" for host in HOSTS for number in range(10)]
        (self.folder / "list.txt").write_text("\n".join(urls) + "\n\n")
        summary = self.job("list.txt", "results", "--partitions", "2", exit=0)
        self.assertEqual(summary["counts"], [{"outcome": "fetched", "error": None, "rows": 40,
                                              "bytes": sum(row["bytes"] for row in self.rows("results"))}])

    def test_files_belong_to_their_rows_and_are_reused(self):
        urls = [f"http://{host}:{self.port}/good/{number}" for host in HOSTS for number in range(10)]
        (self.folder / "list.txt").write_text("\n".join(urls) + "\n")
        pictures = self.folder / "pictures"
        for _ in range(2):
            self.job("list.txt", "results", "--partitions", "3", exit=0,
                     others=["--no-cache", "--output", pictures, "--names", "{key:2}/{key}"])
            for row in self.rows("results"):
                host, target = row["url"].removeprefix("http://").split(":")[0], row["url"].split(str(self.port))[1]
                self.assertEqual((pictures / row["file"]).read_text(), f"{host}{target}" * 100)
                self.assertEqual(Origin.requests[host, target], 1)

    def test_archives_contain_each_row_once(self):
        urls = [f"http://{host}:{self.port}/picture/{number}" for host in HOSTS for number in range(10)]
        (self.folder / "list.txt").write_text("\n".join(urls) + "\n")
        pictures = self.folder / "pictures"
        for _ in range(2):
            self.job("list.txt", "results", "--partitions", "3", exit=0, others=[
                "--as", "image", "--no-cache", "--output", pictures, "--webdataset", "--names", "{key}", "--per-shard", "4"])
            found = collections.Counter()
            for archive in pictures.glob("*.tar"):
                with tarfile.open(archive) as samples:
                    files = {file.name: samples.extractfile(file).read() for file in samples}
                for name in files:
                    if name.endswith(".json"):
                        url = json.loads(files[name])["url"]
                        self.assertEqual(files[name.removesuffix("json") + "png"], png(int(url.rsplit("/")[-1])))
                        found[url] += 1
            self.assertEqual(found, collections.Counter(urls))
        self.assertEqual(set(Origin.requests.values()), {1})

    def test_relative_folders_are_rejected(self):
        (self.folder / "list.txt").write_text(f"http://{HOSTS[0]}:{self.port}/good/1\n")
        for folder in ["--output", "pictures", "--names", "{key}"], ["--output=./pictures"], ["--cache-dir", "cache"]:
            with self.assertRaisesRegex(AssertionError, "needs an absolute path"):
                self.job("list.txt", "results", exit=0, others=folder)

    def test_names_with_the_record_number_are_rejected(self):
        (self.folder / "list.txt").write_text(f"http://{HOSTS[0]}:{self.port}/good/1\n")
        for names in [], ["--names", "{index:4}"], ["--names={host}/{index}"]:
            with self.assertRaisesRegex(AssertionError, "--output needs --names without {index}"):
                self.job("list.txt", "results", exit=0, others=["--output", self.folder / "pictures", *names])
        self.assertFalse((self.folder / "pictures").exists())

    def test_a_table_without_the_column_is_rejected(self):
        (self.folder / "list.csv").write_text("address,id\nhttp://127.0.0.1/,1\n")
        with self.assertRaisesRegex(AssertionError, "has no column 'url'; --column names one of: address, id"):
            self.job("list.csv", "results", "--format", "csv", exit=0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
