#!/usr/bin/env python3
"""Counts what `cellophane prefetch` makes of a list of 5 000 URLs in the formats that people have.

The script generates photographs in JPEG, PNG, WebP, AVIF and GIF, also animated, and bodies that are no image that the tool
can decode: SVG, BMP, HTML with the type of an image, a cut JPEG, an empty body, and 404. It serves them from this process,
loads the list with `--output --size 256x256`, and prints a table of outcomes by kind. It exits with 1 if an image of a format
that is built in fails, or if another body succeeds. Needs Pillow 11.3 or later, and the tool, built by `make build`.
"""
import argparse
import collections
import http.server
import io
import json
import random
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from PIL import Image, ImageFilter

HERE = Path(__file__).resolve().parent
VARIANTS = 12
# The share of each kind in the list, of 100.
SHARES = {
    "jpeg": 44, "progressive jpeg": 6, "png": 16, "webp": 10, "lossless webp": 2, "animated webp": 2, "avif": 4,
    "gif": 5, "animated gif": 4, "animated png": 1, "svg": 1, "bmp": 1, "html": 1, "cut jpeg": 1, "empty": 1, "404": 1,
}
NOT_IMAGES = {"svg", "bmp", "html", "cut jpeg", "empty", "404"}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", type=Path, default=HERE.parent / ".build/release/cellophane", help="path of the tool")
parser.add_argument("--urls", type=int, default=5_000, help="number of URLs (default: 5000)")
options = parser.parse_args()


def photograph(seed, width, height):
    """Returns an image with smooth areas, edges and noise."""
    choice = random.Random(seed)
    noise = Image.frombytes("RGB", (24, 16), choice.randbytes(24 * 16 * 3)).resize((width, height), Image.BICUBIC)
    grain = Image.frombytes("RGB", (width, height), choice.randbytes(width * height * 3))
    return Image.blend(noise, grain.filter(ImageFilter.GaussianBlur(1)), 0.15)


def file(kind, seed):
    """Returns the body of one variant of a kind."""
    width, height = random.Random(seed).choice([(640, 480), (480, 640), (300, 200), (96, 96)])
    image, more = photograph(seed, width, height), [photograph(seed + 1000 + one, width, height) for one in range(3)]
    output = io.BytesIO()
    animated = {"save_all": True, "append_images": more, "duration": 80}
    match kind:
        case "jpeg" | "cut jpeg": image.save(output, "JPEG", quality=82)
        case "progressive jpeg": image.save(output, "JPEG", quality=82, progressive=True)
        case "png": image.save(output, "PNG")
        case "webp": image.save(output, "WEBP", quality=80)
        case "lossless webp": image.save(output, "WEBP", lossless=True)
        case "animated webp": image.save(output, "WEBP", **animated)
        case "avif": image.save(output, "AVIF", quality=60)
        case "gif": image.quantize().save(output, "GIF")
        case "animated gif":
            image.quantize().save(output, "GIF", **{**animated, "append_images": [one.quantize() for one in more]})
        case "animated png": image.save(output, "PNG", **animated)
        case "bmp": image.save(output, "BMP")
        case "svg": output.write(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>')
        case "html": output.write(b"<!DOCTYPE html><title>Not found</title><p>There is no such image.")
    body = output.getvalue()
    return body[: len(body) // 2] if kind == "cut jpeg" else body


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    files = {}

    def do_GET(self):
        kind, variant = self.path.split("/")[1].replace("_", " "), int(self.path.split("/")[2]) % VARIANTS
        body = self.files.get((kind, variant), b"")
        self.send_response(404 if kind == "404" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "image/jpeg")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def main():
    Handler.files = {(kind, variant): file(kind, variant) for kind in SHARES if kind != "404" for variant in range(VARIANTS)}
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    choice = random.Random(1)
    kinds = choice.choices(list(SHARES), list(SHARES.values()), k=options.urls)
    urls = [f"http://127.0.0.1:{server.server_port}/{kind.replace(' ', '_')}/{number}" for number, kind in enumerate(kinds)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "list.txt").write_text("\n".join(urls) + "\n")
        start = time.monotonic()
        run = subprocess.run(
            [options.tool, "prefetch", root / "list.txt", "--output", root / "images", "--size", "256x256", "-j", "16",
             "--no-cache", "--jsonl", root / "results.jsonl", "--quiet"])
        elapsed = time.monotonic() - start
        results = [json.loads(line) for line in (root / "results.jsonl").read_text().splitlines()]
        written = sum(1 for one in (root / "images").rglob("*") if one.is_file())
    outcomes = collections.defaultdict(collections.Counter)
    for one in results:
        kind = one["url"].split("/")[3].replace("_", " ")
        outcomes[kind][one.get("error", {}).get("kind", "loaded")] += 1
    print(f"{len(results)} results in {elapsed:.1f} s, {written} files, exit code {run.returncode}\n")
    print("| kind | URLs | outcomes |\n|---|---|---|")
    wrong = 0
    for kind in SHARES:
        counts = outcomes[kind]
        print(f"| {kind} | {counts.total()} | {', '.join(f'{name} {count}' for name, count in counts.most_common())} |")
        wrong += counts["loaded"] if kind in NOT_IMAGES else counts.total() - counts["loaded"]
    sys.exit(f"{wrong} wrong outcomes" if wrong or len(results) != options.urls else 0)


main()
