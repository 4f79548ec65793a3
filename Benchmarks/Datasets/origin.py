"""The origin and the lists of `datasets.py`: nginx for all files, and a server that never answers."""

import asyncio
import io
import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from PIL import Image

PORT, SILENT_PORT = 8151, 8152
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
BASES = 48

# The shares of a mixed list. The rest are photographs.
SHARES = {
    "missing": 0.10, "silent": 0.005, "huge": 0.005, "moved": 0.04, "mislabelled": 0.05, "optedout": 0.04, "webp": 0.05,
    "alpha": 0.02, "truncated": 0.03, "text": 0.02, "repeated": 0.05,
}


def photograph(choice: random.Random, size: tuple[int, int]) -> Image.Image:
    """Returns an image with soft areas, edges and noise."""
    coarse = Image.frombytes("RGB", (12, 9), choice.randbytes(12 * 9 * 3)).resize(size, Image.Resampling.BICUBIC)
    edges = Image.frombytes("L", (40, 30), choice.randbytes(1200)).resize(size, Image.Resampling.NEAREST)
    noise = Image.effect_noise(size, 25).convert("RGB")
    return Image.blend(Image.composite(coarse, coarse.rotate(180), edges), noise, 0.15)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """Returns the bytes of an image file."""
    image.save(stream := io.BytesIO(), kind, **options)
    return stream.getvalue()


def numbered(jpeg: bytes, number: int) -> bytes:
    """Returns a JPEG with the number in a comment, so that no two files are equal."""
    text = f"{number:08}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


class Lists:
    """Writes the files of the origin, and the lists as Parquet with the columns url, caption and kind."""

    def __init__(self, root: Path, count: int) -> None:
        self.www = root / "www"
        self.www.mkdir()
        self.choice = random.Random(1)
        self.photos = []
        for _ in range(BASES):
            width = self.choice.randrange(500, 1400)
            image = photograph(self.choice, (width, int(width * self.choice.choice([0.66, 0.75, 1, 1.33]))))
            self.photos.append(encoded(image, "JPEG", quality=88))
        self.files: dict[str, int] = {}
        self.clean = self._write(root / "clean.parquet", ["photo"] * count)
        kinds = [kind for kind, share in SHARES.items() for _ in range(round(share * count))]
        kinds += ["photo"] * (count - len(kinds))
        self.choice.shuffle(kinds)
        self.mixed = self._write(root / "mixed.parquet", kinds)

    def _write(self, file: Path, kinds: list[str]) -> Path:
        urls = []
        for number, kind in enumerate(kinds):
            # Five rows have each repeated URL.
            urls.append(self._url(kind, sum(one == kind for one in kinds[:number]) // 5 if kind == "repeated" else number))
        captions = [f"caption {number}, of a {kind}" for number, kind in enumerate(kinds)]
        pa.parquet.write_table(pa.table({"url": urls, "caption": captions, "kind": kinds}), file)
        return file

    def _url(self, kind: str, number: int) -> str:
        if kind == "silent":
            return f"http://127.0.0.1:{SILENT_PORT}/{number}.jpg"
        name = f"{kind}/{number}.jpg"
        body = self._body(kind, number)
        if body is not None:
            (self.www / kind).mkdir(exist_ok=True)
            (self.www / name).write_bytes(body)
        return f"http://127.0.0.1:{PORT}/{name}"

    def _body(self, kind: str, number: int) -> bytes | None:
        jpeg = self.photos[number % BASES]
        if kind in ("missing", "moved"):
            return None  # a photograph of the clean list is the target of a redirect
        if kind == "huge":
            return numbered(encoded(photograph(self.choice, (6000, 4000)), "JPEG", quality=85), number)
        if kind in ("webp", "alpha"):
            image = Image.open(io.BytesIO(jpeg))
            if kind == "webp":
                return encoded(image, "WEBP", quality=80, method=0)
            image.putalpha(Image.linear_gradient("L").resize(image.size))
            return encoded(image, "PNG", compress_level=1)
        if kind == "text":
            return b"<!DOCTYPE html><title>Not an image</title>" * 100
        jpeg = numbered(jpeg, number)
        return jpeg[: len(jpeg) // 2] if kind == "truncated" else jpeg


@contextmanager
def served(root: Path) -> Iterator[None]:
    """Runs both servers."""
    (root / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error;
        events {{ worker_connections 4096; }}
        http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
          types {{ image/jpeg jpg; }}
          server {{ listen 127.0.0.1:{PORT} backlog=4096; root {root}/www;
            location /moved/ {{ rewrite ^/moved/(.*)$ /photo/$1 redirect; }}
            location /mislabelled/ {{ types {{ }} default_type text/html; }}
            location /optedout/ {{ add_header X-Robots-Tag noai; }} }} }}""")
    loop = asyncio.new_event_loop()
    threading.Thread(target=_be_silent, args=(loop,), daemon=True).start()
    server = subprocess.Popen([NGINX, "-c", root / "nginx.conf"], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while subprocess.run(["curl", "-so", os.devnull, f"http://127.0.0.1:{PORT}/"]).returncode:
            if server.poll() is not None:
                raise SystemExit(f"nginx exited with code {server.returncode}; is port {PORT} in use?")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()
        loop.call_soon_threadsafe(loop.stop)


def _be_silent(loop: asyncio.AbstractEventLoop) -> None:
    """Accepts connections, reads requests and never answers."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.read(65_536):
                pass
        except ConnectionError:
            pass
        writer.close()

    asyncio.set_event_loop(loop)
    loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", SILENT_PORT, backlog=1024))
    loop.run_forever()
