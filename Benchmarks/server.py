#!/usr/bin/env python3
"""Measures the thumbnail server in Examples/thumbnails with wrk, and checks its deadline and its memory.

    cold     each request names a new image of 1.2 Mpx at a fast origin
    large    each request names a new progressive image of 12 Mpx, which needs memory to decode
    warm     100 images in two sizes, all in the memory of the server
    slow     each request names a new image at an origin that responds after 2 s
    hanging  an origin that accepts connections and never responds
    dead     an origin that refuses connections

Each measurement uses a new server with an empty cache. The script fails if p99 exceeds the deadline by more than
--grace, or if the memory of the server exceeds its limits.

All connections start at once, so a hundred deadlines end at once, and their responses need 80 ms of CPU time. If other
programs use the processors at that moment, the responses are late. The column "CPU wait" shows this: the time for which
runnable threads of the server waited for a processor, per response. --priority excludes other programs.

Needs nginx, wrk, cjpeg (libjpeg-turbo-progs) and the server: `swift build -c release` in Examples/thumbnails.
"""
import argparse
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SERVER_PORT, NGINX_PORT = 8132, 8133
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
# The limits of the service for values and for decoding, and 100 MB for its code, its threads and bodies in transfer.
BUDGET = (256 << 20) + (256 << 20) + 100_000_000

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--server", type=Path, default=HERE.parent / "Examples/thumbnails/.build/release/thumbnails",
                    help="path of the server")
parser.add_argument("--deadline", type=int, default=5, help="deadline of the server in seconds (default: 5)")
parser.add_argument("--grace", type=float, default=0.5, help="what p99 may exceed it by, in seconds (default: 0.5)")
parser.add_argument("--seconds", type=int, default=10, help="duration of each measurement with a fast origin (default: 10)")
parser.add_argument("--only", nargs="+", metavar="NAME", help="measure only these rows")
parser.add_argument("--priority", type=int, metavar="NICE",
                    help="nice level of the sessions of the server, of wrk and of the origins, such as -10; needs root "
                    "and Linux with sched_autogroup_enabled")
options = parser.parse_args()


def prioritize(pid, level):
    """Sets the nice level of the session of process `pid`, and returns the previous level."""
    autogroup = Path(f"/proc/{pid}/autogroup")
    previous = int(autogroup.read_text().split("nice")[1])
    autogroup.write_text(str(level))
    return previous


def start(command):
    """Starts a program in a separate session, as a service does."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    if options.priority is not None:
        prioritize(process.pid, options.priority)
    return process


def picture(path, width, height, *arguments):
    """Writes a JPEG of a synthetic image: waves, so that it has details everywhere."""
    wave = bytes(abs(index % 128 - 64) * 3 for index in range(3 * width + 3 * height))
    rows = b"".join(wave[3 * row:3 * row + 3 * width] for row in range(height))
    subprocess.run(["cjpeg", "-quality", "85", *arguments, "-outfile", path], check=True,
                   input=b"P6 %d %d 255\n" % (width, height) + rows)


def start_nginx(root):
    """Starts an origin that responds to every path below /small and /large with one image."""
    (root / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error;
        events {{ worker_connections 1024; }}
        http {{ access_log off; keepalive_requests 100000000; types {{ image/jpeg jpg; }}
          server {{ listen 127.0.0.1:{NGINX_PORT}; root {root}; add_header Cache-Control max-age=86400;
            location /small/ {{ rewrite ^ /small.jpg break; }}
            location /large/ {{ rewrite ^ /large.jpg break; }} }} }}""")
    nginx = start([NGINX, "-c", root / "nginx.conf"])
    wait_for(NGINX_PORT)
    return nginx


def start_origin(respond):
    """Starts an origin in a thread that calls `respond` for each request, and returns its port."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)

    async def connection(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await respond(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run():
        async with await asyncio.start_server(connection, sock=listener) as server:
            await server.serve_forever()

    threading.Thread(target=asyncio.run, args=(run(),), daemon=True).start()
    return listener.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"the server at port {port} did not start")


def wrk(connections, seconds, origin, images, *sizes):
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", f"--timeout={options.deadline + 10}s",
               "-s", HERE / "Server/requests.lua", f"http://127.0.0.1:{SERVER_PORT}",
               "--", origin, str(images), *map(str, sizes)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])


def fill(origin, images, sizes):
    """Requests every thumbnail once, so that the server has all of them in memory."""
    def load(query):
        urllib.request.urlopen(f"http://127.0.0.1:{SERVER_PORT}/thumbnail?{query}", timeout=60).read()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(load, [f"size={size}&url={origin}/{image}.jpg" for image in range(images) for size in sizes]))


def processor_wait(pid):
    """Returns the seconds for which the threads of a process were runnable, but waited for a processor."""
    return sum(int(path.read_text().split()[1]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def measure(name, connections, seconds, origin, images, *sizes):
    """Runs wrk against a new server, prints a row, and returns whether the deadline and the budget held."""
    with tempfile.TemporaryDirectory() as cache:
        server = start([options.server, "--port", str(SERVER_PORT), "--cache", cache, "--deadline",
                        str(options.deadline), "--allow-loopback"])
        try:
            wait_for(SERVER_PORT)
            if images:
                fill(origin, images, sizes)
            waited = processor_wait(server.pid)
            result = wrk(connections, seconds, origin, images, *sizes)
            waited = (processor_wait(server.pid) - waited) / max(1, result["requests"])
            status = Path(f"/proc/{server.pid}/status").read_text()
            memory = int(status.split("VmHWM:")[1].split()[0]) * 1024
        finally:
            server.terminate()
            try:
                server.wait(options.deadline + 10)
            except subprocess.TimeoutExpired:
                server.kill()
                sys.exit(f"{name}: the server did not end after SIGTERM")
    statuses = ", ".join(f"{status}: {number}" for status, number in sorted(result["statuses"].items()))
    if result["broken"]:
        statuses += f", broken: {result['broken']}"
    print(f"| {name} | {connections} | {result['requests'] / result['seconds']:.0f} | {result['p50'] * 1000:.1f} ms "
          f"| {result['p99'] * 1000:.0f} ms | {waited * 1000:.1f} ms | {statuses} | {memory / 1e6:.0f} MB |",
          flush=True)
    return result["p99"] <= options.deadline + options.grace and memory <= BUDGET


async def hang(_):
    await asyncio.sleep(3600)

with tempfile.TemporaryDirectory() as folder, socket.socket() as refusing:
    root = Path(folder)
    root.chmod(0o755)  # nginx's workers run as another user
    picture(root / "small.jpg", 1280, 960)
    picture(root / "large.jpg", 4000, 3000, "-progressive")
    body = (root / "small.jpg").read_bytes()

    async def respond_late(writer):
        await asyncio.sleep(2)
        writer.write(b"HTTP/1.1 200 OK\r\ncache-control: max-age=86400\r\ncontent-type: image/jpeg\r\n"
                     b"content-length: %d\r\n\r\n" % len(body) + body)

    refusing.bind(("127.0.0.1", 0))  # no listen(): connections are refused
    fast, patient = options.seconds, 3 * options.deadline + 1
    local = "http://127.0.0.1:"
    rows = [
        ("cold", 16, fast, f"{local}{NGINX_PORT}/small", 0, 256),
        ("cold", 100, fast, f"{local}{NGINX_PORT}/small", 0, 256),
        ("large", 100, fast, f"{local}{NGINX_PORT}/large", 0, 256),
        ("warm", 16, fast, f"{local}{NGINX_PORT}/small", 100, 128, 256),
        ("warm", 100, fast, f"{local}{NGINX_PORT}/small", 100, 128, 256),
    ]
    late, hanging = start_origin(respond_late), start_origin(hang)
    for name, port in [("slow", late), ("hanging", hanging), ("dead", refusing.getsockname()[1])]:
        rows += [(name, connections, patient, f"{local}{port}", 0, 256) for connections in (16, 100)]
    nginx = start_nginx(root)
    previous = None if options.priority is None else prioritize("self", options.priority)
    try:
        print("| origin | connections | responses/s | p50 | p99 | CPU wait | statuses | peak memory |")
        print("|---" * 8 + "|")
        failed = [row[:2] for row in rows if not options.only or row[0] in options.only if not measure(*row)]
    finally:
        nginx.terminate()
        nginx.wait()
        if previous is not None:
            prioritize("self", previous)
if failed:
    sys.exit(f"deadline of {options.deadline} s or budget of {BUDGET / 1e6:.0f} MB exceeded: {failed}")
