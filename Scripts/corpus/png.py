"""Writes PNG files bit by bit, and computes their RGBA pixels by the rules of ISO/IEC 15948."""

import random
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
NAMES = {0: "gray", 2: "rgb", 3: "indexed", 4: "gray-alpha", 6: "rgba"}
KINDS = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8)]
KINDS += [(4, 8), (4, 16), (6, 8), (6, 16)]
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data=b"", flaw=0):
    """Returns a chunk. `flaw` changes the checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ flaw)


def header(width, height, depth, color, interlace=0, compression=0, filtering=0):
    fields = struct.pack(">IIBBBBB", width, height, depth, color, compression, filtering, interlace)
    return chunk(b"IHDR", fields)


def packed_row(samples, depth):
    """Returns the packed samples of a row, most significant bits first."""
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    bits, out, used = 0, bytearray(), 0
    for sample in samples:
        bits, used = bits << depth | sample, used + depth
        if used == 8:
            out.append(bits)
            bits, used = 0, 0
    if used:
        out.append(bits << 8 - used)
    return bytes(out)


def filtered(rows, step, kinds):
    """Returns the filtered rows. Each row uses the next filter of `kinds`."""
    out, before = bytearray(), None
    for row in rows:
        before = before or bytes(len(row))
        kind = next(kinds)
        out.append(kind)
        for i, byte in enumerate(row):
            a = row[i - step] if i >= step else 0
            b = before[i]
            c = before[i - step] if i >= step else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out.append(byte - (0, a, b, (a + b) // 2, nearest)[kind] & 255)
        before = row
    return bytes(out)


def eight(sample, depth):
    return sample >> 8 if depth == 16 else sample * 255 // ((1 << depth) - 1)


class Picture:
    """An image with one color type and depth. `pixels[y][x]` is a tuple of samples."""

    def __init__(self, width, height, depth, color, seed=1, colors=None):
        rng = random.Random(f"{width} {height} {depth} {color} {seed}")
        top = (1 << depth) - 1
        self.width, self.height, self.depth, self.color = width, height, depth, color
        self.palette = self.alphas = self.key = None
        if color == 3:
            colors = colors or 1 << depth
            self.palette = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(colors)]
            top = colors - 1
        self.pixels = [
            [tuple(rng.randint(0, top) for _ in range(CHANNELS[color])) for _ in range(width)] for _ in range(height)
        ]
        self.rng = rng

    def with_transparency(self):
        """Adds transparency: alpha for the first half of the palette, or a color that occurs in the image."""
        if self.color == 3:
            self.alphas = [self.rng.randrange(256) for _ in range(max(1, len(self.palette) // 2))]
            return self
        self.key = self.pixels[self.height // 3][self.width // 3]
        if self.depth == 16 and self.height > 4 and self.width > 4:  # equal high bytes alone must stay opaque
            self.pixels[4][3] = (*self.key[:-1], self.key[-1] ^ 1)
            self.pixels[4][4] = tuple(s ^ 1 for s in self.key)
        return self

    def raw(self, interlaced=False, kinds=None):
        """Returns the filtered rows before compression."""
        rng = random.Random(7)
        kinds = kinds or iter(lambda: rng.randrange(5), None)
        step = max(1, CHANNELS[self.color] * self.depth // 8)
        out = b""
        for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
            rows = [[s for p in row[x0::dx] for s in p] for row in self.pixels[y0::dy]]
            out += filtered([packed_row(row, self.depth) for row in rows if row], step, kinds)
        return out

    def palette_chunks(self):
        out = b""
        if self.palette:
            out += chunk(b"PLTE", bytes(v for entry in self.palette for v in entry))
        if self.alphas:
            out += chunk(b"tRNS", bytes(self.alphas))
        if self.key:
            out += chunk(b"tRNS", b"".join(struct.pack(">H", s) for s in self.key))
        return out

    def file(self, interlaced=False, before=b"", after=b"", sizes=(), raw=None, data=None, end=chunk(b"IEND"), first=b""):
        """Returns the file. `first` precedes the palette; `before` and `after` surround the IDAT chunks. These have the
        given `sizes`, and one more chunk has the rest. `raw` replaces the rows, and `data` the compressed rows."""
        raw = self.raw(interlaced) if raw is None else raw
        data = zlib.compress(raw, 9) if data is None else data
        body = header(self.width, self.height, self.depth, self.color, int(interlaced)) + first
        return SIGNATURE + body + self.palette_chunks() + before + split(data, sizes) + after + end

    def rgba(self):
        return bytes(v for row in self.pixels for pixel in row for v in self.color_of(pixel))

    def color_of(self, pixel):
        if self.color == 3:
            index = pixel[0]
            if index >= len(self.palette):  # libpng: black
                return 0, 0, 0, 255
            return (*self.palette[index], self.alphas[index] if self.alphas and index < len(self.alphas) else 255)
        values = [eight(s, self.depth) for s in pixel]
        if self.color in (0, 4):
            values = [values[0]] * 3 + values[1:]
        if len(values) == 3:
            key = self.key and tuple(s & (1 << self.depth) - 1 for s in self.key)
            values.append(0 if key == tuple(pixel) else 255)
        return tuple(values)


def split(data, sizes):
    """Returns IDAT chunks of the given `sizes`, and one chunk with the rest."""
    parts = []
    for size in sizes:
        parts.append(data[:size])
        data = data[size:]
    if data or not parts:
        parts.append(data)
    return b"".join(chunk(b"IDAT", part) for part in parts)
