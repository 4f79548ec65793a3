#!/usr/bin/env python3
"""Compares the transport with `curl --parallel`: 2 000 files of 27 KB from a local nginx, 64 at once.

    transfers.py [PAIRS]

Both programs are complete processes that drop the bodies and run in turn, so each number includes the start of the
process. The default is 15 pairs. Needs nginx and curl (`apt-get install nginx-light curl`) and, once,
`swift build -c release --product transfers` in `Benchmarks`.
"""
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES, SIZE, IN_FLIGHT, PORT = 2000, 27 * 1024, 64, 8127
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
HERE = Path(__file__).resolve().parent
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


def measure(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu / FILES * 1e6


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    root.chmod(0o755)  # nginx's workers run as another user
    (root / "www").mkdir()
    random.seed(1)
    urls = [f"http://127.0.0.1:{PORT}/{number}" for number in range(FILES)]
    for number in range(FILES):
        (root / "www" / str(number)).write_bytes(random.randbytes(SIZE))
    (root / "list").write_text("\n".join(urls))
    (root / "curl").write_text("".join(f"url={url}\noutput=/dev/null\n" for url in urls))
    (root / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error;
        events {{ worker_connections 1024; }}
        http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
          server {{ listen 127.0.0.1:{PORT}; root {root}/www; }} }}"""
    )
    server = subprocess.Popen([NGINX, "-c", root / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        while subprocess.run(["curl", "-sfo", os.devnull, urls[0]]).returncode:
            time.sleep(0.05)
        ours = [HERE / ".build/release/transfers", root / "list", str(IN_FLIGHT)]
        curl = ["curl", "-s", "--parallel", "--parallel-max", str(IN_FLIGHT), "-K", root / "curl"]
        measure(ours), measure(curl)
        rounds = [(measure(ours), measure(curl)) for _ in range(ROUNDS)]
    finally:
        server.terminate()
        server.wait()

for name, index in ("cellophane", 0), ("curl --parallel", 1):
    walls, cpus = zip(*(pair[index] for pair in rounds))
    print(
        f"{name:16} wall median {statistics.median(walls) * 1000:6.1f} ms, minimum {min(walls) * 1000:6.1f} ms"
        f"   CPU per file median {statistics.median(cpus):5.1f} us, minimum {min(cpus):5.1f} us"
    )
ratio = statistics.median(theirs[0] / mine[0] for mine, theirs in rounds)
print(f"files per second, ratio to curl: {ratio:.2f} (median of {ROUNDS} pairs)")
