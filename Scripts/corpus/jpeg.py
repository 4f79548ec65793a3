"""Writes JPEG files (ITU-T T.81) from coefficients, with any sampling, scan and table.

The Huffman codes have a fixed length: 4 bits for the 12 sizes of a DC difference, 8 bits for the 162 symbols of an AC
coefficient. libjpeg-turbo's jpegtran converts these files to progressive and arithmetic ones.
"""

import random
import struct
import subprocess
import tempfile

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
DC_SYMBOLS = list(range(12))
AC_SYMBOLS = [0x00, 0xF0] + [run << 4 | size for run in range(16) for size in range(1, 11)]


def segment(marker, content=b"", length=None):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2 if length is None else length) + content


def huffman(symbols, bits, place):
    counts = bytes(len(symbols) if n == bits else 0 for n in range(1, 17))
    return segment(0xC4, bytes([place]) + counts + bytes(symbols))


JFIF = segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
TABLES = huffman(DC_SYMBOLS, 4, 0x00) + huffman(AC_SYMBOLS, 8, 0x10)


def adobe(transform):
    return segment(0xEE, b"Adobe\0\x64\0\0\0\0" + bytes([transform]))


def quantization(place=0, step=6, wide=False):
    steps = [min(255, step + n // 2) for n in range(64)]
    if wide:
        return segment(0xDB, bytes([0x10 | place]) + struct.pack(">64H", *steps))
    return segment(0xDB, bytes([place, *steps]))


class Bits:
    def __init__(self):
        self.out, self.value, self.count = bytearray(), 0, 0

    def put(self, value, count):
        self.value, self.count = self.value << count | value, self.count + count
        while self.count >= 8:
            self.count -= 8
            byte = self.value >> self.count & 255
            self.out += bytes([byte, 0]) if byte == 255 else bytes([byte])
        self.value &= (1 << self.count) - 1

    def flushed(self):
        if self.count:
            self.put((1 << 8 - self.count) - 1, 8 - self.count)
        return bytes(self.out)


def put_number(bits, value, symbol, symbols, width):
    size = abs(value).bit_length()
    bits.put(symbols.index(symbol | size), width)
    if size:
        bits.put(value if value > 0 else value + (1 << size) - 1, size)


class JPEG:
    """An image with random coefficients. `sampling` has the factors (across, down) of each component. The coefficients are
    few and small, so that the arithmetic of every decoder stays in range."""

    def __init__(self, width, height, sampling, seed=1, ids=None):
        rng = random.Random(f"{width} {height} {sampling} {seed}")
        self.width, self.height, self.sampling = width, height, sampling
        self.ids = ids or list(range(1, len(sampling) + 1))
        self.across, self.down = max(s[0] for s in sampling), max(s[1] for s in sampling)
        self.units = (-(-width // (8 * self.across)), -(-height // (8 * self.down)))
        self.blocks = []
        for h, v in sampling:
            rows = [[self.block(rng, x + y) for x in range(self.units[0] * h)] for y in range(self.units[1] * v)]
            self.blocks.append(rows)

    @staticmethod
    def block(rng, place):
        block = [rng.randint(-70, 70) + place % 3 * 8] + [0] * 63
        for _ in range(rng.randrange(6)):
            block[min(63, int(rng.expovariate(0.12)) + 1)] = rng.randint(-9, 9)
        return block

    def frame(self, marker=0xC0, precision=8, height=None, tables=None):
        content = struct.pack(">BHHB", precision, self.height if height is None else height, self.width, len(self.sampling))
        for n, (h, v) in enumerate(self.sampling):
            content += bytes([self.ids[n], h << 4 | v, tables[n] if tables else 0])
        return segment(marker, content)

    def scan(self, components=None, restart=0, first=0, markers=lambda n: n % 8, spectrum=(0, 63, 0)):
        """Returns a sequential scan with its header. `markers` numbers the restart markers; None omits a marker."""
        components = list(range(len(self.sampling))) if components is None else components
        head = bytes([len(components)]) + b"".join(bytes([self.ids[c], 0]) for c in components) + bytes(spectrum)
        out, bits, before = bytearray(), Bits(), {}
        for n, unit in enumerate(self.scan_units(components)):
            if restart and n and n % restart == 0:
                out += bits.flushed()
                number = markers(n // restart - 1)
                out += b"" if number is None else bytes([0xFF, 0xD0 + number])
                bits, before = Bits(), {}
            for component, block in unit:
                self.put_block(bits, block, before.get(component, 0))
                before[component] = block[0]
        return segment(0xDA, head) + bytes(out) + bits.flushed()

    def scan_units(self, components):
        if len(components) == 1:  # blocks row by row, without padding to complete units (T.81, A.2.2)
            c = components[0]
            h, v = self.sampling[c]
            columns = -(-(-(-self.width * h // self.across)) // 8)
            rows = -(-(-(-self.height * v // self.down)) // 8)
            return [[(c, self.blocks[c][y][x])] for y in range(rows) for x in range(columns)]
        return [
            [
                (c, self.blocks[c][y * self.sampling[c][1] + j][x * self.sampling[c][0] + i])
                for c in components
                for j in range(self.sampling[c][1])
                for i in range(self.sampling[c][0])
            ]
            for y in range(self.units[1])
            for x in range(self.units[0])
        ]

    @staticmethod
    def put_block(bits, block, before):
        put_number(bits, block[0] - before, 0, DC_SYMBOLS, 4)
        run = 0
        last = max((n for n in range(1, 64) if block[n]), default=0)
        for value in block[1 : last + 1]:
            if value == 0:
                run += 1
                continue
            while run > 15:
                bits.put(AC_SYMBOLS.index(0xF0), 8)
                run -= 16
            put_number(bits, value, run << 4, AC_SYMBOLS, 8)
            run = 0
        if last < 63:
            bits.put(AC_SYMBOLS.index(0), 8)

    def file(self, head=JFIF, frame=None, scans=None, restart=0, tables=quantization() + TABLES, tail=EOI):
        interval = segment(0xDD, struct.pack(">H", restart)) if restart else b""
        scans = self.scan(restart=restart) if scans is None else scans
        return SOI + head + tables + (self.frame() if frame is None else frame) + interval + scans + tail


def jpegtran(data, *options, scans=""):
    """Returns the output of jpegtran for `data`. `scans` is a scan script."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as script:
        script.write(scans)
        script.flush()
        options += ("-scans", script.name) if scans else ()
        command = ["jpegtran", "-copy", "all", *options]
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def segments(data):
    """Returns (offset, marker) of every marker in order, without byte stuffing and restart markers."""
    found, at = [], 0
    while at < len(data) - 1:
        if data[at] == 0xFF and data[at + 1] not in (0, 0xFF, *range(0xD0, 0xD8)):
            found.append((at, data[at + 1]))
            at += 2
            if data[at - 1] not in (0xD8, 0xD9, 1):
                at += struct.unpack(">H", data[at : at + 2])[0]
        else:
            at += 1
    return found


def places(data, marker):
    return [at for at, found in segments(data) if found == marker]
