"""PNG files that the decoder must decode, and PNG files that it must reject."""

import itertools
import struct
import zlib

from corpus.case import Case
from corpus.png import ADAM7, CHANNELS, KINDS, NAMES, SIGNATURE, Picture, chunk, header, split


def case(name, covers, picture, data=None, **more):
    """Returns a PNG of `picture`."""
    data = picture.file() if data is None else data
    return Case(f"{name}.png", covers, data, size=(picture.width, picture.height), rgba=picture.rgba(), **more)


def bad(name, covers, data, error="corrupt", **more):
    return Case(f"png-bad/{name}.png", covers, data, error=error, **more)


def kinds():
    """Returns every color type and depth, with and without tRNS and interlacing, and unusual sizes."""
    for color, depth in KINDS:
        for transparent in (False, True) if color in (0, 2, 3) else (False,):
            for interlaced in (False, True):
                picture = Picture(13, 11, depth, color, seed=transparent * 2 + interlaced)
                if transparent:
                    picture.with_transparency()
                name = f"{NAMES[color]} {depth}" + " tRNS" * transparent + " Adam7" * interlaced
                # Pillow reduces 16-bit gray differently, and compares the transparent color of low depths after scaling.
                alike = depth != 16 and not (transparent and color == 0 and depth in (2, 4))
                data = picture.file(interlaced, sizes=(40, 40))
                yield case(f"png/{name.replace(' ', '-')}", name, picture, data, pillow=alike)
        for width, height in ((1, 1), (3, 5), (9, 17), (33, 7)):
            for interlaced in (False, True):
                picture = Picture(width, height, depth, color)
                name = f"{NAMES[color]} {depth}" + " Adam7" * interlaced + f" {width}x{height}"
                file = f"png-sizes/{name.replace(' ', '-')}"
                yield case(file, name, picture, picture.file(interlaced), pillow=depth != 16)
    for width, height in itertools.product((1, 2, 4, 5, 8), (1, 2, 3, 5, 8)):
        picture = Picture(width, height, 8, 2)
        yield case(f"png-sizes/passes-{width}x{height}", "Adam7 with empty passes", picture, picture.file(True))
    for kind, (color, depth) in itertools.product(range(5), ((0, 1), (0, 8), (2, 8), (6, 8), (4, 16), (6, 16))):
        picture = Picture(9, 8, depth, color)
        data = picture.file(raw=picture.raw(kinds=itertools.repeat(kind)))
        name = f"filter-{kind}-{NAMES[color]}-{depth}"
        yield case(f"png-odd/{name}", f"every row with filter {kind}", picture, data, pillow=depth != 16)


def palettes():
    for depth, colors in ((1, 1), (1, 2), (2, 1), (2, 3), (4, 5), (4, 16), (8, 1), (8, 17), (8, 255), (8, 256)):
        picture = Picture(7, 5, depth, 3, colors=colors)
        yield case(f"png-odd/palette-{depth}-bit-{colors}", f"a palette of {colors} colors", picture)
    for count in (1, 2, 4):
        picture = Picture(7, 5, 2, 3)
        picture.alphas = [10 * n for n in range(1, count + 1)]
        yield case(f"png-odd/palette-tRNS-{count}-of-4", f"alpha for {count} of 4 colors", picture)
    for depth in (1, 2, 4, 8):
        picture = Picture(5, 3, depth, 3, colors=1)
        picture.pixels[1][2] = picture.pixels[2][4] = ((1 << depth) - 1,)
        # Pillow returns the gray entry of its palette of 256 colors.
        yield case(f"png-odd/palette-index-beyond-{depth}", "an index beyond the palette", picture, pillow=False)
    picture = Picture(5, 3, 2, 3)
    long = chunk(b"PLTE", bytes(v for entry in picture.palette for v in entry) + bytes(6))
    data = SIGNATURE + header(5, 3, 2, 3) + long + split(zlib.compress(picture.raw()), ()) + chunk(b"IEND")
    yield case("png-odd/palette-longer-than-depth", "6 colors at 2 bits", picture, data)
    alphas = Picture(5, 3, 2, 3)
    file = alphas.file(before=chunk(b"tRNS", bytes(range(5))))
    yield case("png-odd/tRNS-longer-than-palette", "ignored by libpng", alphas, file, pillow=False)
    yield case("png-odd/tRNS-empty", "ignored", alphas, alphas.file(before=chunk(b"tRNS")))
    rgb = Picture(5, 3, 8, 2)
    yield case("png-odd/suggested-palette", "PLTE in RGB", rgb, rgb.file(first=chunk(b"PLTE", bytes(range(30)))))


def transparency():
    for color, depth in ((0, 1), (0, 2), (0, 4), (0, 8), (2, 8)):
        picture = Picture(9, 5, depth, color).with_transparency()
        picture.key = tuple(s | 0xF << 12 | (1 << depth) for s in picture.key)
        # Pillow does not mask the transparent color.
        yield case(f"png-odd/tRNS-high-bits-{NAMES[color]}-{depth}", "only a sample's own bits count", picture, pillow=False)
    for color, depth in ((0, 16), (2, 16)):
        picture = Picture(9, 5, depth, color).with_transparency()
        for channel in range(CHANNELS[color]):  # each channel differs alone, in its low byte only
            pixel = list(picture.key)
            pixel[channel] ^= 1
            picture.pixels[0][channel] = tuple(pixel)
        yield case(f"png-odd/tRNS-low-byte-{NAMES[color]}-16", "keys are compared in 16 bits", picture, pillow=False)
    for color, wrong in ((0, b"\0"), (0, b"\0\1\0"), (2, b"\0\1\0\1\0"), (2, bytes(8))):
        picture = Picture(5, 3, 8, color)
        name = f"png-odd/tRNS-{len(wrong)}-bytes-{NAMES[color]}"
        # Pillow reads the available bytes, or fails.
        yield case(name, "a key of the wrong length is ignored", picture, picture.file(before=chunk(b"tRNS", wrong)), pillow=False)
    for color in (4, 6):
        picture = Picture(5, 3, 8, color)
        file = picture.file(before=chunk(b"tRNS", bytes(2)))
        yield case(f"png-odd/tRNS-{NAMES[color]}", "alpha twice: tRNS is ignored", picture, file, pillow=False)
    picture = Picture(5, 3, 8, 0)
    late = chunk(b"tRNS", struct.pack(">H", picture.pixels[1][1][0]))
    yield case("png-odd/tRNS-after-IDAT", "too late: ignored", picture, picture.file(after=late), pillow=False)


def splits():
    picture = Picture(6, 5, 8, 6)
    data = zlib.compress(picture.raw(), 9)
    for name, covers, sizes in (
        ("every-byte", "every byte its own IDAT", (1,) * len(data)),
        ("empty-first", "an empty IDAT first", (0,)),
        ("empty-between", "empty IDATs between others", (5, 0, 0, 7, 0)),
        ("empty-last", "an empty IDAT last", (len(data), 0)),
        ("within-zlib-header", "split within zlib's header", (1,)),
        ("within-adler", "split within zlib's checksum", (len(data) - 2,)),
    ):
        yield case(f"png-odd/IDAT-{name}", covers, picture, picture.file(sizes=sizes))
    for level in (0, 1, 9):
        raw = zlib.compress(picture.raw(), level)
        yield case(f"png-odd/deflate-level-{level}", "stored, fast and best compression", picture, picture.file(data=raw))
    fixed = zlib.compressobj(9, zlib.DEFLATED, 9, 9, zlib.Z_FIXED)
    raw = fixed.compress(picture.raw()) + fixed.flush()
    yield case("png-odd/deflate-fixed", "fixed codes, a window of 512", picture, picture.file(data=raw))
    parts = zlib.compressobj(9)
    rows = picture.raw()
    raw = b"".join(parts.compress(rows[i : i + 9]) + parts.flush(zlib.Z_FULL_FLUSH) for i in range(0, len(rows), 9))
    yield case("png-odd/deflate-many-blocks", "many blocks, some empty", picture, picture.file(data=raw + parts.flush()))


def ancillary():
    picture = Picture(5, 4, 8, 2)
    bomb = zlib.compress(bytes(4 << 20), 9)
    chunks = {
        "gAMA": chunk(b"gAMA", struct.pack(">I", 100000)), "gAMA-zero": chunk(b"gAMA", bytes(4)),
        "sRGB": chunk(b"sRGB", b"\0"), "sRGB-wrong": chunk(b"sRGB", b"\x09"),
        "cHRM": chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)),
        "iCCP-wrong": chunk(b"iCCP", b"x\0\0" + zlib.compress(b"not a profile")),
        "iCCP-bomb": chunk(b"iCCP", b"x\0\0" + bomb),
        "bKGD": chunk(b"bKGD", bytes(6)), "bKGD-wrong": chunk(b"bKGD", b"\0"),
        "pHYs": chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)),
        "tEXt": chunk(b"tEXt", b"Comment\0words"), "tEXt-empty": chunk(b"tEXt"),
        "zTXt": chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"words")), "zTXt-bomb": chunk(b"zTXt", b"C\0\0" + bomb),
        "iTXt": chunk(b"iTXt", b"Comment\0\0\0\0\0words"), "iTXt-bomb": chunk(b"iTXt", b"C\0\1\0\0\0" + bomb),
        "tIME": chunk(b"tIME", struct.pack(">HBBBBB", 2024, 2, 3, 4, 5, 6)), "sBIT": chunk(b"sBIT", b"\5\6\5"),
        "sBIT-zero": chunk(b"sBIT", bytes(3)), "hIST-wrong": chunk(b"hIST", bytes(4)),
        "sPLT": chunk(b"sPLT", b"six\0\x08" + bytes(6)), "private": chunk(b"prVt", b"anything"),
        "private-empty": chunk(b"quXt"), "long": chunk(b"prVt", bytes(9000)), "oFFs": chunk(b"oFFs", bytes(9)),
        "pCAL": chunk(b"pCAL", b"x\0" + bytes(10)), "sTER": chunk(b"sTER", b"\0"), "acTL": chunk(b"acTL", bytes(8)),
    }
    damaged = {"profile_warnings": ("damaged-metadata",)}
    for name, content in chunks.items():
        # Pillow rejects some of the invalid chunks.
        yield case(f"png-odd/{name}", f"{name} before the pixels", picture, picture.file(before=content), pillow=False,
                   **(damaged if name.startswith("iCCP") else {}))
        yield case(f"png-odd/{name}-after", f"{name} after the pixels", picture, picture.file(after=content), pillow=False)
    small = [content for content in chunks.values() if len(content) < 200]
    yield case("png-odd/ancillary-all", "all of them", picture, picture.file(before=b"".join(small)), pillow=False,
               **damaged)
    yield case("png-odd/ancillary-twice", "all of them, reversed and twice", picture, picture.file(
        first=b"".join(reversed(small)), after=b"".join(small)), pillow=False, **damaged)
    many = b"".join(chunk(b"prVt", bytes([i % 256])) for i in range(1200))
    yield case("png-odd/ancillary-many", "more chunks than libpng keeps", picture, picture.file(before=many), pillow=False)
    indexed = Picture(5, 4, 2, 3)
    histogram = chunk(b"hIST", bytes(8)) + chunk(b"bKGD", b"\1")
    yield case("png-odd/hIST", "a histogram of the palette", indexed, indexed.file(before=histogram))


def animations():
    picture = Picture(5, 4, 8, 6)
    second = zlib.compress(Picture(5, 4, 8, 6, seed=2).raw())
    control = lambda number: chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 5, 4, 0, 0, 1, 10, 0, 0))
    data = lambda number: chunk(b"fdAT", struct.pack(">I", number) + second)
    start = chunk(b"acTL", struct.pack(">II", 2, 0))
    yield case("png-odd/APNG", "the default image is the first frame", picture, picture.file(
        before=start + control(0), after=control(1) + data(2)))
    yield case("png-odd/APNG-apart", "the default image belongs not to the animation", picture, picture.file(
        before=start, after=control(0) + data(1) + control(2) + data(3)), pillow=False)  # Pillow shows fdAT


def endings():
    picture = Picture(5, 4, 8, 2)
    data = zlib.compress(picture.raw(), 9)
    yield case("png-odd/after-IEND", "data after the end", picture, picture.file() + b"anything" * 20)
    yield case("png-odd/two-pictures", "a second PNG after the end", picture, picture.file() * 2)
    yield case("png-odd/IEND-not-empty", "an end with content", picture, picture.file(end=chunk(b"IEND", b"abc")),
               pillow=False, warnings=("irregular-header",))
    yield case("png-odd/after-zlib-end", "bytes after the compressed data", picture, picture.file(data=data + b"extra"), pillow=False)
    long = picture.file(raw=picture.raw() + bytes(40))
    yield case("png-odd/rows-too-many", "more rows than stated", picture, long)
    bomb = picture.file(raw=picture.raw() + bytes(8 << 20))
    yield case("png-odd/rows-bomb", "8 MB more rows than stated", picture, bomb)
    flawed = picture.file(data=data[:-1] + bytes([data[-1] ^ 1]))
    yield bad("adler-wrong", "zlib's checksum is wrong", flawed)
    yield bad("adler-missing", "zlib's checksum is missing", picture.file(data=data[:-4]))
    yield case("png-odd/window-256", "a window that suffices", picture, picture.file(data=b"\x08\x1d" + data[2:]))
    end = {"warnings": ("missing-end",)}
    yield case("png-bad/no-IEND", "the end is missing", picture, picture.file(end=b""), **end)
    yield case("png-bad/cut-in-IEND", "the file ends in its last checksum", picture, picture.file()[:-1], **end)
    yield bad("cut-in-IDAT", "the file ends in its pixels", picture.file()[:60], "truncated")
    yield bad("cut-in-IHDR", "the file ends in its header", picture.file()[:20], "truncated")
    yield bad("signature-only", "nothing after the signature", picture.file()[:8], "truncated")
    yield bad("signature-cut", "half the signature", picture.file()[:5], "truncated", by_header=True)
    yield bad("rows-too-few", "the rows end early", picture.file(raw=picture.raw()[:-9]))
    yield bad("rows-none", "no rows", picture.file(raw=b""))
    yield bad("adam7-too-few", "the last pass ends early", picture.file(True, raw=picture.raw(True)[:-3]))
    yield bad("zlib-cut", "the compressed data ends early", picture.file(data=data[: len(data) // 2]))
    yield bad("zlib-method", "a compression that does not exist", picture.file(data=b"\x79\x9e" + data[2:]))
    yield bad("zlib-check", "zlib's header does not check", picture.file(data=b"\x78\xdb" + data[2:]))
    yield bad("zlib-dictionary", "a preset dictionary", picture.file(data=b"\x78\xbb" + data[2:]))
    yield bad("zlib-window", "a window of 64 KB", picture.file(data=b"\x88\x1c" + data[2:]))
    wide = Picture(200, 4, 8, 2)
    wide.pixels[2] = wide.pixels[3] = wide.pixels[0]
    wide.pixels[1] = [(9, 9, 9)] * 200
    far = zlib.compress(wide.raw(kinds=itertools.repeat(0)), 9)
    yield bad("window-too-small", "a distance beyond the window", wide.file(data=b"\x08\x1d" + far[2:]))
    yield bad("deflate-block", "a block of a kind that does not exist", picture.file(data=b"\x78\xda\x07" + data[3:]))
    for row in (0, 3):
        raw = bytearray(picture.raw())
        raw[row * 16] = 5
        yield bad(f"filter-5-row-{row}", "a filter that does not exist", picture.file(raw=bytes(raw)))
    raw = bytearray(picture.raw())
    raw[16] = 255
    yield bad("filter-255", "a filter that does not exist", picture.file(raw=bytes(raw)))


def structure():
    picture, indexed = Picture(5, 4, 8, 2), Picture(5, 4, 8, 3, colors=9)
    start, pixels, end = SIGNATURE + header(5, 4, 8, 2), split(zlib.compress(picture.raw()), ()), chunk(b"IEND")
    gray = zlib.compress(indexed.raw())
    palette = indexed.palette_chunks()
    for kind in (b"IHDR", b"PLTE", b"IDAT"):
        yield bad(f"checksum-{kind.decode()}", "a wrong checksum", flawed(kind, picture, indexed))
    for kind in (b"IEND", b"tEXt", b"prVt", b"eXIf", b"gAMA"):
        warnings = ("missing-end" if kind == b"IEND" else "damaged-metadata",)
        data = flawed(kind, picture, indexed)
        yield case(f"png-bad/checksum-{kind.decode()}", "a wrong checksum", picture, data, warnings=warnings)
    yield bad("checksum-tRNS", "a wrong checksum", flawed(b"tRNS", picture, indexed))
    yield bad("critical-unknown", "a critical chunk of no known kind", picture.file(before=chunk(b"ABCD", b"x")), "unsupported")
    yield bad("critical-unknown-after", "the same after the pixels", picture.file(after=chunk(b"ABCD")), "unsupported")
    yield bad("CgBI", "Apple's private variant", SIGNATURE + chunk(b"CgBI", bytes(4)) + picture.file()[8:],
              "unsupported", says="CgBI", by_header=True)
    yield bad("palette-none", "indices without a palette", SIGNATURE + header(5, 4, 8, 3) + split(gray, ()) + end)
    yield bad("palette-late", "the palette after the pixels", SIGNATURE + header(5, 4, 8, 3) + split(gray, ()) + palette + end)
    yield bad("palette-odd", "a palette of 4 bytes", SIGNATURE + header(5, 4, 8, 3) + chunk(b"PLTE", bytes(4)) + split(gray, ()) + end)
    yield bad("palette-257", "a palette of 257 colors",
              SIGNATURE + header(5, 4, 8, 3) + chunk(b"PLTE", bytes(771)) + split(gray, ()) + end)
    yield bad("palette-twice", "two palettes", indexed.file(before=palette))
    yield bad("IHDR-twice", "two headers", start + header(5, 4, 8, 2) + pixels + end)
    yield bad("IHDR-late", "text before the header", SIGNATURE + chunk(b"tEXt", b"a\0b") + picture.file()[8:])
    yield bad("IHDR-long", "a header of 14 bytes", SIGNATURE + chunk(b"IHDR", picture.file()[16:29] + b"\0") + pixels + end)
    yield bad("IDAT-none", "no pixels", start + end)
    yield bad("IDAT-interrupted", "text between the pixels", start + split(pixels[8:30], ()) + chunk(b"tEXt", b"a\0b") + pixels + end)
    yield case("png-odd/IDAT-again", "a text, then pixels again: those before count", picture, picture.file(
        after=chunk(b"tEXt", b"a\0b") + pixels))
    yield bad("chunk-name", "a chunk whose name is no letters", picture.file(before=chunk(b"a\1bc")))
    yield bad("chunk-length", "a chunk of 2 GB", start + struct.pack(">I", 0x7FFFFFFF) + b"tEXt" + pixels + end, "truncated")
    yield bad("chunk-length-wrong", "a chunk of more than 2 GB", start + struct.pack(">I", 0xFFFFFFFF) + b"tEXt" + pixels + end)
    for name, covers, fields in (
        ("width-0", "no width", (0, 4, 8, 2)), ("height-0", "no height", (5, 0, 8, 2)),
        ("width-2-31", "a width beyond 31 bits", (1 << 31, 4, 8, 2)), ("height-2-32", "a height of 32 bits", (5, (1 << 32) - 1, 8, 2)),
        ("interlace-2", "an interlacing that does not exist", (5, 4, 8, 2, 2)), ("color-5", "color type 5", (5, 4, 8, 5)),
        ("color-1", "color type 1", (5, 4, 8, 1)), ("color-7", "color type 7", (5, 4, 8, 7)),
        ("depth-3", "3 bits", (5, 4, 3, 0)), ("depth-0", "0 bits", (5, 4, 0, 0)), ("depth-32", "32 bits", (5, 4, 32, 2)),
        ("rgb-4", "RGB of 4 bits", (5, 4, 4, 2)), ("indexed-16", "16-bit indices", (5, 4, 16, 3)),
        ("compression-1", "compression 1", (5, 4, 8, 2, 0, 1)), ("filtering-1", "filter method 1", (5, 4, 8, 2, 0, 0, 1)),
    ):
        yield bad(name, covers, SIGNATURE + header(*fields) + pixels + end)
    zeros = zlib.compress(bytes(62 << 20), 9)
    for name, fields in (
        ("50000x50000", (50_000, 50_000, 8, 2)), ("50000x50000-adam7", (50_000, 50_000, 8, 2, 1)),
        ("largest", (0x7FFFFFFF, 0x7FFFFFFF, 16, 6)), ("strip", (0x7FFFFFFF, 1, 1, 0)), ("column", (1, 0x7FFFFFFF, 1, 0)),
        ("101-megapixels", (10_100, 10_000, 1, 0)),
    ):
        content = zeros if name == "50000x50000" else zeros[:500]
        data = SIGNATURE + header(*fields) + split(content, ()) + end
        yield bad(f"bomb-{name}", f"a file of {len(data)} bytes that claims {fields[0]}x{fields[1]}", data,
                  "image-too-large", says=f"{fields[0]}x{fields[1]}")


def flawed(kind, picture, indexed):
    """Returns a file whose chunk `kind` has a wrong checksum."""
    content = {b"tEXt": b"a\0b", b"prVt": b"x", b"eXIf": b"MM\0*", b"gAMA": struct.pack(">I", 45455), b"tRNS": bytes(6)}
    if kind in content:
        return picture.file(before=chunk(kind, content[kind], flaw=1))
    data = bytearray((indexed if kind == b"PLTE" else picture).file())
    at = data.index(kind)
    length = struct.unpack(">I", data[at - 4 : at])[0]
    data[at + 4 + length] ^= 1
    return bytes(data)


def cases():
    for part in (kinds, palettes, transparency, splits, ancillary, animations, endings, structure):
        yield from part()
