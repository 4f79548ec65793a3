#!/usr/bin/env python3
"""Writes files and archives of `cellophane prefetch` to an object store, and kills it in between.

    python3 Examples/s3/test_s3.py path/to/cellophane
"""

import csv
import http.server
import io
import json
import os
import random
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
from urllib.parse import quote

from store import ACCESS, SECRET, TOKEN, Store

TOOL = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellophane"
# The number of killed runs in each test of kills.
KILLS = int(os.environ.get("CELLOPHANE_KILLS", "12"))


def png(seed, width, height):
    """Returns an image of noise, which cannot be compressed."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    noise = random.Random(seed)
    rows = b"".join(b"\0" + noise.randbytes(3 * width) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class Origin(http.server.ThreadingHTTPServer):
    """Serves `/SIZE/SEED` as an image of noise, and counts the requests."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), OriginHandler)
        self.pictures, self.requests = {}, []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # the tool was killed

    def picture(self, path):
        if path not in self.pictures:
            side, seed = path.strip("/").split("/")
            self.pictures[path] = png(seed, int(side), int(side))
        return self.pictures[path]

    def urls(self, side, count, start=0):
        return [f"{self.url}/{side}/{number}" for number in range(start, start + count)]

    def body(self, url):
        return self.picture(url[len(self.url):])


class OriginHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.requests.append(self.path)
        body = self.server.picture(self.path)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


STORE, ORIGIN = Store(), Origin()


class Case(unittest.TestCase):
    def setUp(self):
        STORE.reset()
        ORIGIN.requests.clear()
        self.bucket = "bucket-" + self._testMethodName.replace("_", "-")[:50].strip("-")
        STORE.client.create_bucket(Bucket=self.bucket)
        self.directory = tempfile.TemporaryDirectory()
        self.folder = Path(self.directory.name)

    def tearDown(self):
        self.directory.cleanup()
        self.assertEqual(STORE.refused, [], "requests with a wrong signature")

    def environment(self, **changes):
        names = ("AWS_", "XDG_")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        environment.update(
            HOME=str(self.folder), AWS_ACCESS_KEY_ID=ACCESS, AWS_SECRET_ACCESS_KEY=SECRET, AWS_REGION="us-east-1",
            AWS_ENDPOINT_URL_S3=STORE.url)
        environment.update(changes)
        return {name: value for name, value in environment.items() if value is not None}

    def command(self, urls, output, *options):
        (self.folder / "list.txt").write_text("\n".join(urls) + "\n")
        return [TOOL, "prefetch", "list.txt", "--output", output, "--cache-dir", "cache", *options]

    def start(self, urls, output, *options, **changes):
        return subprocess.Popen(
            self.command(urls, output, "--quiet", *options), cwd=self.folder, env=self.environment(**changes),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_tool(self, urls, output, *options, status=0, **changes):
        """Runs the tool to its end and returns the results of its records."""
        process = self.start(urls, output, "--jsonl", "results.jsonl", *options, **changes)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, status, err)
        for text in (out, err):
            for secret in (ACCESS, SECRET, TOKEN):
                self.assertNotIn(secret, text)
        self.messages = err
        path = self.folder / "results.jsonl"
        text = path.read_text() if path.exists() else ""
        self.assertNotIn(SECRET, text)
        return [json.loads(line) for line in text.splitlines()]

    def samples(self, prefix):
        """Returns the images of all archives by their URLs, with checks of the indexes."""
        objects = STORE.objects(self.bucket, prefix)
        images = {}
        for key, content in objects.items():
            if not key.endswith(".tar"):
                continue
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                files = {member.name: archive.extractfile(member).read() for member in archive}
            index = [json.loads(line) for line in objects[key[:-4] + ".jsonl"].splitlines()]
            self.assertEqual({line["file"] for line in index}, {name for name in files if name.endswith(".png")})
            for line in index:
                self.assertEqual(content[line["offset"]:line["offset"] + line["bytes"]], files[line["file"]])
                self.assertNotIn(line["url"], images, "a sample is there twice")
                images[line["url"]] = files[line["file"]]
        return images

    def expect_samples(self, prefix, urls):
        images = self.samples(prefix)
        self.assertEqual(set(images), set(urls))
        for url in urls:
            self.assertEqual(images[url], ORIGIN.body(url))

    def expect_clean(self, prefix):
        self.assertEqual(STORE.incomplete_uploads(self.bucket), [])
        self.assertEqual(list(STORE.objects(self.bucket, prefix + ".cellophane/claims/")), [])
        staged = [path for path in self.folder.glob("cache/staging/*/*") if path.name != ".cellophane-id"]
        self.assertEqual(staged, [])


class Files(Case):
    def test_files_are_written_once(self):
        urls = ORIGIN.urls(8, 30)
        results = self.run_tool(urls, f"s3://{self.bucket}/a", "--no-cache")
        objects = STORE.objects(self.bucket)
        for number, url in enumerate(urls, 1):
            self.assertEqual(objects[f"a/{number:08}.png"], ORIGIN.body(url))
        self.assertEqual({result["file"] for result in results}, {f"{number:08}.png" for number in range(1, 31)})
        self.assertEqual(len([key for key in objects if not key.startswith("a/.cellophane/")]), 30)
        ORIGIN.requests.clear()
        STORE.client.delete_object(Bucket=self.bucket, Key="a/00000003.png")
        STORE.client.put_object(Bucket=self.bucket, Key="a/00000005.png", Body=b"other content")
        results = self.run_tool(urls, f"s3://{self.bucket}/a", "--no-cache")
        self.assertEqual(sorted(ORIGIN.requests), ["/8/2", "/8/4"])
        self.assertEqual([result["outcome"] for result in results].count("fresh"), 28)
        self.assertEqual(STORE.objects(self.bucket)["a/00000005.png"], ORIGIN.body(urls[4]))

    def test_another_request_or_other_options_replace_a_file(self):
        urls = ORIGIN.urls(8, 3)
        self.run_tool(urls, f"s3://{self.bucket}", "--no-cache")
        self.run_tool([urls[0], urls[2], urls[1]], f"s3://{self.bucket}", "--no-cache")
        objects = STORE.objects(self.bucket)
        self.assertEqual(objects["00000002.png"], ORIGIN.body(urls[2]))
        self.assertEqual(objects["00000003.png"], ORIGIN.body(urls[1]))
        ORIGIN.requests.clear()
        self.run_tool([urls[0], urls[2], urls[1]], f"s3://{self.bucket}", "--output-format", "jpeg", "--no-cache")
        self.assertEqual(len(ORIGIN.requests), 3)
        files = [key for key in STORE.objects(self.bucket) if not key.startswith(".cellophane/")]
        self.assertEqual(files, ["00000001.jpg", "00000002.jpg", "00000003.jpg"])

    def test_names_by_content(self):
        urls = ORIGIN.urls(8, 5)
        options = ("--names", "{hash:2}/{hash}", "--no-cache")
        first = self.run_tool(urls, f"s3://{self.bucket}/h", *options)
        ORIGIN.requests.clear()
        second = self.run_tool(urls, f"s3://{self.bucket}/h", *options)
        self.assertEqual(ORIGIN.requests, [])
        files = lambda results: sorted((result["url"], result["file"]) for result in results)
        self.assertEqual(files(first), files(second))
        objects = STORE.objects(self.bucket, "h/")
        for url, file in files(first):
            self.assertEqual(objects["h/" + file], ORIGIN.body(url))

    def test_keys_are_encoded(self):
        urls = ORIGIN.urls(8, 4)
        names = ["with space+plus", "grün & <x>", "100%25=?#", "日本語'()*!~"]
        with open(self.folder / "list.csv", "w", newline="") as file:
            csv.writer(file).writerows([("url", "id"), *zip(urls, names)])
        command = self.command(urls, f"s3://{self.bucket}/a b+c/ü", "--names", "{id}-{index}", "--jsonl", "results.jsonl")
        command[2] = "list.csv"
        for outcome in ("fetched", "fresh"):
            subprocess.run(command + ["--quiet"], cwd=self.folder, env=self.environment(), check=True)
            results = [json.loads(line) for line in (self.folder / "results.jsonl").read_text().splitlines()]
            self.assertEqual({result["outcome"] for result in results}, {outcome})
            objects = STORE.objects(self.bucket, "a b+c/ü/")
            for result in results:
                self.assertEqual(objects["a b+c/ü/" + result["file"]], ORIGIN.body(result["url"]))

    def test_many_files_take_several_pages_of_the_list(self):
        urls = ORIGIN.urls(1, 1200)
        self.run_tool(urls, f"s3://{self.bucket}/m", "--no-cache", "-j", "16")
        keys = STORE.objects(self.bucket, "m/.cellophane/contents/")
        self.assertEqual(sum(content.count(b"\n") for content in keys.values()), 1200)
        ORIGIN.requests.clear()
        self.run_tool(urls, f"s3://{self.bucket}/m", "--no-cache")
        self.assertEqual(ORIGIN.requests, [])

    def test_failures_of_the_store_are_repeated(self):
        STORE.failures = 0.2
        urls = ORIGIN.urls(8, 40)
        self.run_tool(urls, f"s3://{self.bucket}/f", "--no-cache")
        STORE.failures = 0
        objects = STORE.objects(self.bucket, "f/")
        for number, url in enumerate(urls, 1):
            self.assertEqual(objects[f"f/{number:08}.png"], ORIGIN.body(url))

    def test_killed_runs_lose_and_claim_no_file(self):
        moments = random.Random(7)
        urls = ORIGIN.urls(16, 60)
        hits = 0
        for _ in range(KILLS):
            process = self.start(urls, f"s3://{self.bucket}/k", "--no-cache", "-j", "4")
            time.sleep(moments.uniform(0.05, 0.4))
            process.kill()
            process.communicate()
            hits += process.returncode == -9
            urls = urls[1:] + urls[:1]  # each name gets another request
        self.assertGreater(hits, KILLS // 2, "most runs ended before they were killed")
        results = self.run_tool(urls, f"s3://{self.bucket}/k", "--no-cache")
        objects = STORE.objects(self.bucket, "k/")
        for result in results:
            self.assertEqual(objects["k/" + result["file"]], ORIGIN.body(result["url"]))
        self.assertEqual(len([key for key in objects if ".cellophane" not in key]), 60)


class Archives(Case):
    def test_archives_have_all_samples(self):
        urls = ORIGIN.urls(700, 30)  # 1.5 MB each
        output = f"s3://{self.bucket}/set"
        results = self.run_tool(urls, output, "--webdataset", "--per-shard", "12", "--no-cache")
        self.expect_samples("set/", urls)
        self.expect_clean("set/")
        tars = [key for key in STORE.objects(self.bucket, "set/") if key.endswith(".tar")]
        self.assertEqual(tars, ["set/000000.tar", "set/000001.tar", "set/000002.tar"])
        self.assertEqual({result["file"].split("/")[0] for result in results}, {key[4:] for key in tars})
        self.assertGreater(len(STORE.parts_sent()), 6)
        ORIGIN.requests.clear()
        results = self.run_tool(urls + ORIGIN.urls(700, 2, 100), output, "--webdataset", "--per-shard", "12")
        self.assertEqual(sorted(ORIGIN.requests), ["/700/100", "/700/101"])
        self.expect_samples("set/", urls + ORIGIN.urls(700, 2, 100))
        self.expect_clean("set/")

    def test_processes_share_a_location(self):
        urls = ORIGIN.urls(200, 60)
        processes = []
        for number in range(3):
            # Two of them share a staging folder.
            cache = f"cache-{min(number, 1)}"
            processes.append(self.start(
                urls, f"s3://{self.bucket}/p", "--webdataset", "--per-shard", "5", "--shard", f"{number + 1}/3",
                "--cache-dir", cache))
        for process in processes:
            self.assertEqual((process.communicate()[1], process.returncode), ("", 0))
        self.expect_samples("p/", urls)
        self.expect_clean("p/")

    def test_failures_of_the_store_are_repeated(self):
        STORE.failures = 0.15
        urls = ORIGIN.urls(700, 24)
        self.run_tool(urls, f"s3://{self.bucket}/f", "--webdataset", "--per-shard", "8")
        STORE.failures = 0
        self.expect_samples("f/", urls)
        self.expect_clean("f/")

    def test_an_interrupted_run_completes_its_archive(self):
        urls = ORIGIN.urls(300, 200)
        process = self.start(urls, f"s3://{self.bucket}/i", "--webdataset", "-j", "2", "--rate", "20/s")
        time.sleep(2)
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        self.assertGreater(len(self.samples("i/")), 0)
        self.expect_clean("i/")
        self.run_tool(urls, f"s3://{self.bucket}/i", "--webdataset")
        self.expect_samples("i/", urls)

    def test_a_killed_run_resumes_its_parts(self):
        urls = ORIGIN.urls(700, 40)  # 60 MB, eight parts
        STORE.delay = 0.3
        process = self.start(urls, f"s3://{self.bucket}/r", "--webdataset")
        while not STORE.incomplete_uploads(self.bucket) or len(STORE.parts_sent()) < 7:
            time.sleep(0.02)
        process.kill()
        process.communicate()
        time.sleep(1)
        before = STORE.parts_sent()
        ORIGIN.requests.clear()
        self.run_tool(urls, f"s3://{self.bucket}/r", "--webdataset")
        self.assertEqual(ORIGIN.requests, [])
        self.assertLess(len(STORE.parts_sent()) - len(before), 7)
        self.expect_samples("r/", urls)
        self.expect_clean("r/")

    def test_killed_runs_end_as_an_undisturbed_run(self):
        urls = ORIGIN.urls(500, 144)  # 0.75 MB each
        options = ("--webdataset", "--per-shard", "12", "-j", "6")  # 9 MB and two parts each
        moments = random.Random(11)
        STORE.failures, STORE.delay = 0.03, 0.4
        hits = 0
        for number in range(KILLS):
            process = self.start(urls, f"s3://{self.bucket}/killed", *options)
            time.sleep(moments.uniform(0.2, 1.3))
            process.kill()
            process.communicate()
            hits += bool(STORE.incomplete_uploads(self.bucket))
        self.assertGreater(hits, KILLS // 3, "few kills hit an upload")
        self.run_tool(urls, f"s3://{self.bucket}/killed", *options)
        STORE.failures = STORE.delay = 0
        self.expect_clean("killed/")
        self.run_tool(urls, f"s3://{self.bucket}/calm", *options)
        self.expect_samples("killed/", urls)
        self.assertEqual(self.samples("killed/"), self.samples("calm/"))
        names = lambda prefix: [key[len(prefix):] for key in STORE.objects(self.bucket, prefix) if key.endswith(".tar")]
        self.assertEqual(names("killed/"), names("calm/"))


class Errors(Case):
    def expect_error(self, *texts, output=None, status=1, options=(), **changes):
        self.run_tool(ORIGIN.urls(8, 1), output or f"s3://{self.bucket}/e", *options, status=status, **changes)
        for text in texts:
            self.assertIn(text, self.messages)

    def test_no_credentials(self):
        self.expect_error(
            "there are no S3 credentials", "AWS_ACCESS_KEY_ID", AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
        self.expect_error("AWS_ACCESS_KEY_ID is not set", AWS_ACCESS_KEY_ID=None)

    def test_a_missing_bucket(self):
        for options in ((), ("--webdataset",)):
            self.expect_error("404 NoSuchBucket", "create the bucket", output="s3://missing-bucket/e", options=options)

    def test_a_wrong_secret(self):
        for options in ((), ("--webdataset",)):
            self.expect_error(
                "403 SignatureDoesNotMatch", "check AWS_ACCESS_KEY_ID", options=options,
                AWS_SECRET_ACCESS_KEY="wrong")
        STORE.refused.clear()

    def test_no_server(self):
        self.expect_error("check the endpoint", options=("--s3-endpoint", "http://127.0.0.1:1"))

    def test_credentials_of_a_file_and_a_token(self):
        (self.folder / ".aws").mkdir()
        (self.folder / ".aws/credentials").write_text(
            f"[default]\naws_access_key_id = other\n[work]\naws_access_key_id={ACCESS}\n"
            f"aws_secret_access_key = {SECRET}\naws_session_token = {TOKEN}\n")
        self.run_tool(
            ORIGIN.urls(8, 1), f"s3://{self.bucket}/e", AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None,
            AWS_PROFILE="work")
        self.assertEqual(STORE.tokens, {TOKEN})
        self.assertEqual(len(STORE.objects(self.bucket, "e/0")), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
