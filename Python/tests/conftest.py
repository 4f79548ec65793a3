"""The origin, the lists and the calls that the tests share.

    pytest Python/tests --tool path/to/cellophane
"""

import io
import json
import os
import tarfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from PIL import Image

from cellophane_dataset import download


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tool", default=os.environ.get("CELLOPHANE", "cellophane"), help="path of the tool")


@pytest.fixture(scope="session")
def tool(request: pytest.FixtureRequest) -> str:
    path = str(request.config.getoption("--tool"))
    return os.path.abspath(path) if "/" in path else path


def picture(width: int = 40, height: int = 20, kind: str = "JPEG", color: Any = (200, 30, 30), mode: str = "RGB",
            **more: Any) -> bytes:
    """Returns an image of one color."""
    stream = io.BytesIO()
    Image.new(mode, (width, height), color).save(stream, kind, **more)
    return stream.getvalue()


@dataclass
class Origin:
    """A server of this process. Paths without a response are answered with 404."""

    base: str = ""
    responses: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)
    fields: list[Message] = field(default_factory=list)
    on_request: Callable[[str], None] = lambda path: None

    def put(self, path: str, body: bytes, status: int = 200, **fields: str) -> str:
        """Adds a response and returns its URL."""
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        self.responses[path] = (status, named, body)
        return self.base + path

    def pictures(self, count: int) -> list[str]:
        """Adds images of different sizes, and returns their URLs."""
        return [self.put(f"/{number}.jpg", picture(20 + number, 30)) for number in range(count)]


@pytest.fixture
def origin() -> Iterator[Origin]:
    world = Origin()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with lock:
                world.requests[self.path] += 1
                world.fields.append(self.headers)
            world.on_request(self.path)
            status, fields, body = world.responses.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | fields).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, *_: Any) -> None:
            pass  # some clients are killed

    server = Server(("127.0.0.1", 0), Handler)
    world.base = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield world
    server.shutdown()
    server.server_close()


class Output:
    """The output folder of a download."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def names(self) -> list[str]:
        return sorted(os.listdir(self.path))

    def rows(self) -> list[dict[str, Any]]:
        """Returns the metadata of all shards."""
        files = sorted(self.path.glob("*.parquet"))
        return [row for file in files for row in pa.parquet.read_table(file).to_pylist()]

    def row(self, name: str = "url", **values: Any) -> dict[str, Any]:
        """Returns the only row with these values."""
        found = [row for row in self.rows() if all(row[name] == value for name, value in values.items())]
        assert len(found) == 1
        return found[0]

    def stats(self, shard: int = 0) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.path / f"{shard:05}_stats.json").read_text())
        return content

    def members(self) -> dict[str, bytes]:
        """Returns the files in the archives of all shards."""
        found = {}
        for file in sorted(self.path.glob("*.tar")):
            with tarfile.open(file) as archive:
                for member in archive:
                    stream = archive.extractfile(member)
                    assert stream is not None and member.name not in found
                    found[member.name] = stream.read()
        return found


@pytest.fixture
def load(tool: str, tmp_path: Path) -> Callable[..., Output]:
    """Returns `download` with the tool, an output folder, and a list of URLs or a file."""

    def run(urls: list[str] | Path, **parameters: Any) -> Output:
        if isinstance(urls, list):
            file = tmp_path / "list.txt"
            file.write_text("\n".join(urls) + "\n")
            urls = file
        given = {"output_folder": str(tmp_path / "out"), "output_format": "webdataset", "image_size": 16,
                 "tool": tool} | parameters
        download(str(urls), **given)
        return Output(Path(given["output_folder"]))

    return run


Load = Callable[..., Output]


def opened(data: bytes) -> Image.Image:
    """Returns a decoded image."""
    return Image.open(io.BytesIO(data))
