#!/usr/bin/env python3
"""Renders a report to images, to check a change of its layout: light, dark, phone width, and PDF.

    cellophane simulate --html report.html && Scripts/report-pictures.py report.html pictures/

Needs Chromium or Chrome. The environment variable CHROMIUM overrides the path. Fails if the page requests any other
address, and prints the addresses; no request leaves the machine. Also fails if the page is wider than its window.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NAMES = ["chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
# Name, color scheme, width. The widths are those of the report and of a small phone.
PICTURES = [("light", "light", 1100), ("dark", "dark", 1100), ("phone", "light", 360)]


class Browser:
    """Headless Chromium, controlled through pipes with JSON messages that end with NUL (DevTools protocol)."""

    def __init__(self, profile):
        program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
        if not program:
            sys.exit("Chromium or Chrome was not found; set CHROMIUM to its path")
        command = [program, "--headless", "--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run",
                   "--disable-gpu", f"--user-data-dir={profile}",
                   # No server listens on this port, so no request succeeds.
                   "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        (to_read, self.to), (self.answers, to_write) = os.pipe(), os.pipe()

        def wire():  # The browser reads from descriptor 3 and writes to descriptor 4.
            ends = [os.dup(to_read), os.dup(to_write)]
            spare = [os.dup(end) for end in ends]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(command, preexec_fn=wire, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.asked = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    session = None

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                sys.exit("the browser exited unexpectedly; run the script again")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"])
        return message

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)
        while self.message().get("method") != "Page.loadEventFired":
            pass


def main(report, folder):
    if not os.path.isfile(report):
        sys.exit(f"the file {report} does not exist; write it with `cellophane simulate --html`")
    page = pathlib.Path(report).resolve().as_uri()
    stem = pathlib.Path(folder, pathlib.Path(report).stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    # Chromium still writes to the folder while it exits.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser, troubles = Browser(profile), []
        for domain in ("Page", "Network"):
            browser.call(domain + ".enable")
        for name, scheme, width in PICTURES:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                         mobile=name == "phone")
            browser.open(page)
            size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
            # Chromium draws nothing beyond a height of 16 000 px.
            clip = {"x": 0, "y": 0, "width": width, "height": min(size["height"], 16_000), "scale": 1}
            if size["width"] > width:
                troubles.append(f"{name}: the page is {size['width']} px wide; the window is {width} px wide")
            picture = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
            write(f"{stem}-{name}.png", picture)
        write(f"{stem}.pdf", browser.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True))
        browser.call("Browser.close")
        browser.process.wait(timeout=30)
    foreign = sorted({address for address in browser.asked if address.split("#")[0] != page
                      and not address.startswith(("data:", "about:"))})
    if foreign:
        troubles.append("the page requests other addresses:\n  " + "\n  ".join(foreign))
    if troubles:
        sys.exit("\n".join(troubles))


def write(path, answer):
    pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))
    print(path)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: report-pictures.py REPORT [FOLDER]")
    main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else ".")
