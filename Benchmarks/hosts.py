#!/usr/bin/env python3
"""Compares `cellophane prefetch` with img2dataset on lists in which some URLs or hosts do not answer.

    hanging   60 URLs of one host. 20 of them accept the connection and never answer
    failing   4 800 URLs of three hosts. 600 of them answer 404, 410, 503 or a redirect, or send HTML or truncated images
    mixed     5 000 URLs of four hosts. One of them has 34 URLs that never answer, 33 that send an image within 3 s, and 33 of
              60 MB; the others are the hosts of the list `failing`

All images have 1 024x768 pixels. Both programs write JPEG of 256 pixels with 16 transfers at once and a limit of 10 s for
each URL. The script measures complete processes in turn and counts the images that they write. Needs the tool, built by
`make build`, and a Python with img2dataset and Pillow (--python); this script itself needs Pillow, too.
"""
import argparse
import asyncio
import io
import multiprocessing
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
PORT, JOBS, LIMIT, SIDE = 8133, 16, 10, 256
HOSTS = [f"127.0.0.{last}" for last in range(2, 6)]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tool", type=Path, default=HERE.parent / ".build/release/cellophane", help="path of the tool")
parser.add_argument("--python", default=sys.executable, help="a Python with img2dataset")
parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
parser.add_argument("--only", choices=["hanging", "failing", "mixed"], help="measure only this list")
options = parser.parse_args()
options.tool = options.tool.resolve()  # the programs run in another folder


def image():
    noise = random.Random(1).randbytes(3 * 40 * 30)
    out = io.BytesIO()
    Image.frombytes("RGB", (40, 30), noise).resize((1024, 768), Image.BICUBIC).save(out, "JPEG", quality=85)
    return out.getvalue()


class Origin:
    """An HTTP/1.1 origin. The first word of the path selects the response."""

    def __init__(self):
        self.image = image()

    async def connection(self, reader, writer):
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                await self.respond(request.split(b" ", 2)[1].split(b"/")[1].decode(), writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def respond(self, kind, writer):
        status, body, fields, declared = "200 OK", self.image, "Content-Type: image/jpeg\r\n", None
        if kind.isdigit():
            status, body, fields = f"{kind} Status", b"<p>no image</p>", "Content-Type: text/html\r\n"
        elif kind == "hang":
            await asyncio.sleep(3600)
        elif kind == "page":
            body = b"<!doctype html><p>This is not an image.</p>"
        elif kind == "cut":
            body = body[: len(body) // 2]
        elif kind == "moved":
            status, body, fields = "302 Found", b"", "Location: /good/moved.jpg\r\n"
        elif kind == "huge":
            declared = 60_000_000
        length = len(body) if declared is None else declared
        writer.write(f"HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\n\r\n".encode())
        if kind == "slow":
            for start in range(0, length, length // 6):
                writer.write(body[start : start + length // 6])
                await writer.drain()
                await asyncio.sleep(0.5)
        elif declared is None:
            writer.write(body)
        else:
            for _ in range(declared // 600_000):
                writer.write(bytes(600_000))
                await writer.drain()
        await writer.drain()


def serve(ready):
    async def main():
        origin = Origin()
        servers = [await asyncio.start_server(origin.connection, host, PORT, backlog=512) for host in HOSTS]
        ready.set()
        await asyncio.gather(*(server.serve_forever() for server in servers))

    asyncio.run(main())


def urls(host, **counts):
    return [f"http://{host}:{PORT}/{kind.strip('_')}/{number}.jpg"
            for kind, count in counts.items() for number in range(count)]


def lists():
    hanging = urls(HOSTS[0], good=40, hang=20)
    failing = []
    for host in HOSTS[:3]:
        failing += urls(host, good=1400, _404=100, _410=20, _503=20, page=20, cut=20, moved=20)
    mixed = urls(HOSTS[3], good=100, hang=34, slow=33, huge=33) + failing
    for one in (hanging, mixed, failing):
        random.Random(1).shuffle(one)
    return {"hanging": hanging, "failing": failing, "mixed": mixed}


def run(command, out):
    """Returns the duration of a complete process and the number of images that it wrote."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    with open(out.parent / "output", "wb") as output:
        start = time.monotonic()
        code = subprocess.run(command, stdout=output, stderr=output, cwd=out.parent).returncode
        wall = time.monotonic() - start
    if code not in (0, 2):  # 2: some records failed
        sys.exit(f"{command[0]} exited with code {code}: {(out.parent / 'output').read_text()[-2000:]}")
    return wall, sum(1 for _ in out.rglob("*.jpg"))


def compare(title, urls, root):
    listed, out = root / "list.txt", root / "out"
    listed.write_text("\n".join(urls) + "\n")
    contenders = {
        "cellophane": [options.tool, "prefetch", listed, "--output", out, "--size", f"{SIDE}x{SIDE}", "--no-cache",
                       "-j", str(JOBS), "--timeout", str(LIMIT), "--quiet"],
        "img2dataset": [options.python, "-m", "img2dataset.main", f"--url_list={listed}", f"--output_folder={out}/set",
                        f"--image_size={SIDE}", "--resize_mode=keep_ratio", "--resize_only_if_bigger=True",
                        f"--processes_count={os.cpu_count()}", f"--thread_count={JOBS // os.cpu_count()}",
                        "--output_format=files", f"--timeout={LIMIT}", "--number_sample_per_shard=2500",
                        "--enable_wandb=False"],
    }
    runs = {name: [] for name in contenders}
    for _ in range(options.rounds):
        for name, command in contenders.items():
            runs[name].append(run([str(part) for part in command], out))
    ratio = statistics.median(theirs[0] / ours[0] for theirs, ours in zip(runs["img2dataset"], runs["cellophane"]))
    print(f"\n### {title}: {len(urls)} URLs\n\n| | seconds | images written |\n|---|---|---|")
    for name, done in runs.items():
        print(f"| {name} | {statistics.median(wall for wall, _ in done):.1f} | {min(images for _, images in done)} |")
    print(f"\nimg2dataset takes {ratio:.2f} times as long.", flush=True)


if __name__ == "__main__":
    ready = multiprocessing.Event()
    server = multiprocessing.Process(target=serve, args=(ready,), daemon=True)
    server.start()
    if not ready.wait(10):
        sys.exit(f"the origin cannot use port {PORT}; stop the program that listens there")
    with tempfile.TemporaryDirectory() as folder:
        for title, listed in lists().items():
            if options.only in (None, title):
                compare(title, listed, Path(folder))
