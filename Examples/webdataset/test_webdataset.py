#!/usr/bin/env python3
"""Reads archives of `cellophane prefetch --webdataset` with the WebDataset library.

    python3 Examples/webdataset/test_webdataset.py path/to/cellophane
"""

import csv
import http.server
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib
from pathlib import Path

import webdataset

TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellophane"
COUNT, PER_SHARD = 25, 10


def png(width, height):
    """Returns a gray image of this size."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(range(width))) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


PICTURES = [png(10 + number, 20) for number in range(COUNT)]


class Origin(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PICTURES[int(self.path.strip("/"))]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Archives(unittest.TestCase):
    def test_each_sample_has_its_image_and_its_result(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        urls = [f"http://127.0.0.1:{server.server_address[1]}/{number}" for number in range(COUNT)]
        with tempfile.TemporaryDirectory() as folder:
            with open(Path(folder, "list.csv"), "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["url", "caption"])
                writer.writerows((url, f'row {number}, "quoted"') for number, url in enumerate(urls))
            subprocess.run(
                [TOOL, "prefetch", "list.csv", "--webdataset", "-o", "set", "--per-shard", str(PER_SHARD), "--no-cache",
                 "--quiet"], cwd=folder, check=True)
            shards = f"{folder}/set/{{000000..{(COUNT - 1) // PER_SHARD:06}}}.tar"
            samples = list(webdataset.WebDataset(shards, shardshuffle=False))
        self.assertEqual(len(samples), COUNT)
        for sample in samples:
            result = json.loads(sample["json"])
            number = urls.index(result["url"])
            self.assertEqual(sample["png"], PICTURES[number])
            self.assertEqual((result["width"], result["height"]), (10 + number, 20))
            self.assertEqual(result["fields"], {"caption": f'row {number}, "quoted"'})
            self.assertEqual(int(sample["__key__"]), number + 2)  # the line number in the list, which has a header
        self.assertEqual({result["url"] for result in (json.loads(sample["json"]) for sample in samples)}, set(urls))


if __name__ == "__main__":
    # The library does not close its files, for which Python would print warnings.
    unittest.main(verbosity=2, warnings="ignore")
