#!/usr/bin/env python3
"""Compares `cellophane prefetch` with other programs, on the same lists from a local nginx, in one run.

    download     2 000 files of 27 KB (--files, --kilobytes), bodies dropped: `curl --parallel`, aria2, wget2, aiohttp.
                 aria2 and wget2 cannot drop bodies. They, and a second run of Cellophane, write to a file system in memory
    written      the same files, written to a folder on a disk (--disk). The measurement is not meaningful on ext4 without a
                 journal, where allocation searches for minutes behind removed files
    thumbnails   2 000 JPEG of 320x320 to 256 pixels: a C program with libcurl and libjpeg-turbo, aiohttp with Pillow,
                 img2dataset
    photographs  400 JPEG of 1-4 Mpx to 256 pixels: the same programs

Without --disk the script skips `written`. Without SET, the folder that `Benchmarks/Decoding/make-set.py` made, it skips
`thumbnails` and `photographs`. It measures complete processes in turn, so each number includes the start of the process.
The reported memory of a process is at least the memory of this script, which each table states.

Needs nginx, curl, a C compiler with the headers of libcurl, libjpeg-turbo and libpng, and the tool, built by `make build`.
Optional: aria2, wget2, and a Python with aiohttp, Pillow and img2dataset (--python). The script lists the programs that
are not installed and skips them.
"""
import argparse
import os
import random
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORT, CORES = 8129, os.cpu_count()
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
MOST_IN_FLIGHT = 300  # the limit of `curl --parallel-max`, which uses 50 for larger numbers


def positive(text):
    if (number := int(text)) < 1:
        raise ValueError
    return number


def in_flight(text):
    if (number := positive(text)) > MOST_IN_FLIGHT:
        raise argparse.ArgumentTypeError(f"the limit of curl is {MOST_IN_FLIGHT}; give a smaller number")
    return number


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("set", type=Path, metavar="SET", nargs="?", help="folder of images, made by make-set.py")
parser.add_argument("--disk", type=Path, metavar="FOLDER", help="folder on the file system to write to")
parser.add_argument("--tool", type=Path, default=HERE.parent / ".build/release/cellophane", help="path of the tool")
parser.add_argument("--rounds", type=positive, default=11, help="number of rounds (default: 11)")
parser.add_argument("--in-flight", type=in_flight, default=64, help="concurrent transfers (default: 64)")
parser.add_argument("--files", type=positive, default=2000, help="files to download or write (default: 2000)")
parser.add_argument("--kilobytes", type=positive, default=27, help="size of each file in KB (default: 27)")
parser.add_argument("--one-session", action="store_true", help="run nginx in the session of its clients")
parser.add_argument("--python", default=sys.executable, help="a Python with aiohttp, Pillow and img2dataset")
parser.add_argument("--only", choices=["download", "written", "thumbnails", "photographs"],
                    help="measure only this part")
options = parser.parse_args()
JOBS = str(options.in_flight)
FILES = f"{options.files} files of {options.kilobytes} KB"
BYTES = options.files * options.kilobytes * 1024


class Run:
    """One complete process: its duration, CPU time and peak memory, or that of its largest child process."""

    def __init__(self, command, folder):
        with open(folder / "output", "wb") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[0]} exited with code {process.returncode}: {(folder / 'output').read_text()[-2000:]}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def serve(root):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as nginx does
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError as error:
            sys.exit(f"nginx cannot use port {PORT}: {error}; stop the program that listens there")
    (root / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error;
        events {{ worker_connections 1024; }}
        http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
          server {{ listen 127.0.0.1:{PORT}; root {root}/www; }} }}""")
    # A new session, as for a service. Linux with sched_autogroup_enabled divides the processors between sessions first.
    # In the session of its clients, nginx would be one process against all threads of a client.
    with open(root / "nginx.said", "wb") as said:
        server = subprocess.Popen(
            [NGINX, "-c", root / "nginx.conf"], stderr=said, start_new_session=not options.one_session)
    while subprocess.run(["curl", "-so", os.devnull, f"http://127.0.0.1:{PORT}/"]).returncode:
        if server.poll() is not None:
            sys.exit(f"nginx exited with code {server.returncode}: {(root / 'nginx.said').read_text()[-2000:]}")
        time.sleep(0.05)
    return server


def warm(size):
    """Touches memory before a run, at most half of the available memory.

    The host of a virtual machine reclaims unused memory. The first process that writes to reclaimed memory waits for it,
    which can double the time to write and depends on earlier runs. A separate process touches the memory, because the
    reported peak of a child process includes that of its parent."""
    pages = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    subprocess.run([sys.executable, "-c", f"b'1' * {min(size, pages // 2)}"], check=True)


def compare(title, urls, written, contenders, root, out):
    """Prints the medians, and the ratio of the rates to each peer: the median over the rounds. Each round has a new random
    order. The programs write up to `written` bytes to `out`, which is emptied before each run."""
    names = list(contenders)
    runs = {name: [] for name in names}
    order = random.Random()
    for number in range(options.rounds + 1):
        for name in order.sample(names, len(names)):
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            os.sync()
            # Twice the bytes, because the disk may be an image in memory. Plus the memory of img2dataset, the largest
            # process.
            warm(2 * written + 400_000_000)
            run = Run(contenders[name], root)
            if number:  # the first round is a warm-up
                runs[name].append(run)
    print(f"\n### {title}\n")
    print("| | per second | ratio, Cellophane to this | CPU per file | memory |\n|---|---|---|---|---|")
    mine = {False: runs[names[0]], True: runs.get("cellophane, written", runs[names[0]])}
    for name in names:
        median = statistics.median(run.wall for run in runs[name])
        ratio = statistics.median(run.wall / own.wall for run, own in zip(runs[name], mine[name in WRITERS]))
        cpu = statistics.median(run.cpu for run in runs[name]) / urls * 1e6
        memory = statistics.median(run.memory for run in runs[name]) / 1e6
        print(f"| {name} | {urls / median:.0f} | {ratio:.2f} | {cpu:.0f} us | {memory:.0f} MB |")
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(f"\nThe memory column cannot show less than the {floor:.0f} MB of this script.")


WRITERS = {"cellophane, written", "aria2", "wget2"}


def has(module):
    return not subprocess.run([options.python, "-c", f"import {module}"], capture_output=True).returncode


def known(contenders):
    """Returns the installed programs and prints the names of the others."""
    here = {name: command for name, (present, command) in contenders.items() if present}
    if missing := contenders.keys() - here.keys():
        print(f"not installed: {', '.join(sorted(missing))}", file=sys.stderr)
    return {name: [str(part) for part in command] for name, command in here.items()}


def small_files(root):
    random.seed(1)
    urls = []
    for number in range(options.files):
        (root / "www" / f"{number}.bin").write_bytes(random.randbytes(options.kilobytes * 1024))
        urls.append(f"http://127.0.0.1:{PORT}/{number}.bin")
    (root / "list.txt").write_text("\n".join(urls) + "\n")
    return urls


def ours(root):
    return [options.tool, "prefetch", root / "list.txt", "--as", "bytes", "--no-cache", "-j", JOBS, "--quiet"]


def curl(root, urls, place):
    """Returns the command that writes each file to `place(number)`."""
    (root / "curl.conf").write_text("".join(f"url={url}\noutput={place(n)}\n" for n, url in enumerate(urls)))
    return ["curl", "-s", "--fail", "--parallel", "--parallel-max", JOBS, "-K", root / "curl.conf"]


def writers(root, out):
    listed = root / "list.txt"
    return {
        "aria2": (shutil.which("aria2c"), ["aria2c", "-q", "-i", listed, "-d", out, "-j", JOBS, "--file-allocation=none"]),
        "wget2": (shutil.which("wget2"), ["wget2", "-q", "-i", listed, "-P", out, f"--max-threads={JOBS}"]),
    }


def download(root):
    urls, listed, out = small_files(root), root / "list.txt", root / "out"
    compare(f"{FILES}, downloaded", len(urls), BYTES, known({
        "cellophane": (True, ours(root) + ["--jsonl", root / "results"]),
        "curl --parallel": (True, curl(root, urls, lambda number: os.devnull)),
        "C, libcurl": (True, [root / "baseline", listed, JOBS, 1, 0]),
        "aiohttp": (has("aiohttp"), [options.python, HERE / "Prefetching/peer_aiohttp.py", listed, JOBS, 0]),
        "cellophane, written": (True, ours(root) + ["--output", out]),
    } | writers(root, out)), root, out)


def written(root):
    with tempfile.TemporaryDirectory(dir=options.disk) as folder:
        urls, out = small_files(root), Path(folder) / "out"
        compare(f"{FILES}, written to a disk", len(urls), BYTES, known({
            "cellophane": (True, ours(root) + ["--output", out]),
            "curl --parallel": (True, curl(root, urls, lambda number: out / f"{number}.bin")),
        } | writers(root, out)), root, out)


def decode(root, folder, repeats, title):
    files = sorted((options.set / folder).glob("*.jpg"))
    for file in files:
        shutil.copy(file, root / "www" / f"{folder}-{file.name}")
    # A different query makes a different URL, so that no response is cached.
    urls = [f"http://127.0.0.1:{PORT}/{folder}-{file.name}?{turn}" for turn in range(repeats) for file in files]
    listed = root / "list.txt"
    listed.write_text("\n".join(urls) + "\n")
    tool = [options.tool, "prefetch", listed, "--size", "256x256", "--no-cache", "-j", JOBS, "--quiet"]
    dataset = ["-m", "img2dataset.main", f"--url_list={listed}", f"--output_folder={root}/out/set", "--image_size=256",
               "--resize_mode=keep_ratio", "--resize_only_if_bigger=True", f"--processes_count={CORES}",
               f"--thread_count={JOBS}", "--output_format=files", "--disable_all_reencoding=False",
               "--number_sample_per_shard=250", "--enable_wandb=False"]
    compare(title, len(urls), 0, known({
        "cellophane": (True, tool + ["--jsonl", root / "results"]),
        "C, libcurl and libjpeg-turbo": (True, [root / "baseline", listed, JOBS, CORES, 256]),
        "aiohttp, Pillow": (has("aiohttp, PIL"), [options.python, HERE / "Prefetching/peer_aiohttp.py", listed, JOBS, 256]),
        "img2dataset": (has("img2dataset"), [options.python] + dataset),
    }), root, root / "out")


# nginx is in a separate session and does not receive the signals that end this script, so the script exits normally.
for ending in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(ending, lambda number, _: sys.exit(128 + number))

# In memory, so that the measurement excludes the file system.
with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
    root = Path(folder)
    root.chmod(0o755)  # nginx's workers run as another user
    (root / "www").mkdir()
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-o", root / "baseline",
                    HERE / "Prefetching/baseline.c", "-lcurl", "-ljpeg", "-lpng", "-lpthread"], check=True)
    server = serve(root)
    try:
        if options.only in (None, "download"):
            download(root)
        if options.disk and options.only in (None, "written"):
            written(root)
        if options.set and options.only in (None, "thumbnails"):
            decode(root, "small", 4, "2 000 JPEG of 320x320, decoded to 256 pixels")
        if options.set and options.only in (None, "photographs"):
            decode(root, "photos", 4, "400 photographs of 1-4 Mpx, decoded to 256 pixels")
    finally:
        server.terminate()
        server.wait()
