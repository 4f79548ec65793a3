"""PNG and JPEG files without their end, with damaged metadata or with irregular headers.

A file whose pixels are all there is an image with a warning. The others must fail.
"""

import struct
import zlib

from corpus.case import Case
from corpus.jpeg import EOI, JPEG, jpegtran, places
from corpus.jpeg_cases import APART, DC_ONLY, SAMPLINGS, SPECTRAL, SUCCESSIVE, UNREFINED
from corpus.png import SIGNATURE, Picture, chunk, header, split

MISSING_END, DAMAGED_METADATA, IRREGULAR_HEADER = ("missing-end",), ("damaged-metadata",), ("irregular-header",)
TEXT = b"<html>not found</html>"


def png(name, covers, picture, data, warnings, **more):
    """Returns a PNG that must decode to `picture` with `warnings`."""
    size = (picture.width, picture.height)
    return Case(f"png-bad/{name}.png", covers, data, size=size, rgba=picture.rgba(), warnings=warnings, **more)


def bad_png(name, covers, data, error):
    return Case(f"png-bad/{name}.png", covers, data, error=error)


def jpeg(name, covers, data, whole, warnings, **more):
    """Returns a JPEG that must decode to the pixels of `whole` with `warnings`."""
    return Case(f"jpeg-bad/{name}.jpg", covers, data, whole=whole, warnings=warnings, **more)


def bad_jpeg(name, covers, data, error="truncated"):
    return Case(f"jpeg-bad/{name}.jpg", covers, data, error=error)


def checksums():
    picture, clear = Picture(5, 4, 8, 2), Picture(5, 4, 8, 6)
    contents = {
        "zTXt": b"Comment\0\0" + zlib.compress(b"words"), "iTXt": b"Comment\0\0\0\0\0words",
        "iCCP": b"x\0\0" + zlib.compress(b"not a profile"), "pHYs": struct.pack(">IIB", 2835, 2835, 1),
        "tIME": struct.pack(">HBBBBB", 2024, 2, 3, 4, 5, 6), "sRGB": b"\0", "sBIT": b"\5\6\5", "bKGD": bytes(6),
        "cHRM": struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000),
    }
    for name, content in contents.items():
        data = picture.file(before=chunk(name.encode(), content, flaw=1))
        yield png(f"checksum-{name}", "a wrong checksum", picture, data, DAMAGED_METADATA)
    late = chunk(b"tEXt", b"a\0b", flaw=1)
    yield png("checksum-tEXt-after", "the same after the pixels", picture, picture.file(after=late), DAMAGED_METADATA)
    yield png("checksum-tEXt-no-IEND", "the same without the end", picture, picture.file(after=late, end=b""),
              MISSING_END + DAMAGED_METADATA)
    # Pillow skips only ancillary chunks.
    hint = picture.file(first=chunk(b"PLTE", bytes(range(30)), flaw=1))
    yield png("checksum-PLTE-suggested", "a suggested palette", picture, hint, DAMAGED_METADATA, pillow=False)
    key = clear.file(before=chunk(b"tRNS", bytes(6), flaw=1))
    yield png("checksum-tRNS-rgba", "tRNS beside alpha does not count", clear, key, DAMAGED_METADATA)
    renamed = bytearray(chunk(b"tRNS", bytes(6)))
    renamed[5] ^= 2
    yield bad_png("tRNS-renamed", "a wrong bit in the type of tRNS", picture.file(before=bytes(renamed)), "corrupt")
    data = bytearray(Picture(5, 4, 8, 3).file())
    at = data.index(b"PLTE")
    data[at + 6] ^= 1
    yield bad_png("PLTE-bit", "a wrong bit in a palette", bytes(data), "corrupt")


def png_ends():
    picture, indexed = Picture(5, 4, 8, 2), Picture(9, 7, 4, 3)
    data = picture.file()
    for count in range(2, 12):
        yield png(f"cut-{count}", f"the last {count} bytes are missing", picture, data[:-count], MISSING_END)
    for count in range(13, 18):
        yield bad_png(f"cut-{count}", f"the last {count} bytes are missing", data[:-count], "truncated")
    yield png("no-IEND-Adam7", "an interlaced image", picture, picture.file(True)[:-12], MISSING_END)
    yield png("no-IEND-indexed", "indices", indexed, indexed.file()[:-12], MISSING_END)
    yield png("no-IEND-rows-too-many", "more rows than stated", picture, picture.file(raw=picture.raw() + bytes(40))[:-12],
              MISSING_END)
    text = chunk(b"tEXt", b"a\0b")
    for name, covers, rest in (
        ("zeros", "zeros", bytes(40)), ("ones", "bytes FF", b"\xff" * 40), ("text", "a text", TEXT),
        ("short", "3 bytes", b"abc"), ("PNG", "a second PNG", data), ("chunk", "a whole chunk", text),
        ("chunk-cut", "half a chunk", text[:-6]), ("chunk-text", "a chunk and a text", text + TEXT),
    ):
        # Pillow fails if the next chunk is longer than the file.
        alike = name not in ("text", "PNG", "chunk-cut", "chunk-text")
        yield png(f"IEND-lost-{name}", f"{covers} instead of the end", picture, picture.file(end=rest), MISSING_END, pillow=alike)
    yield bad_png("IEND-lost-critical", "a critical chunk instead of the end", picture.file(end=chunk(b"ABCD")), "unsupported")
    yield png("IEND-long", "an end with 3 bytes, and bytes after it", picture, picture.file(end=chunk(b"IEND", b"abc") + TEXT),
              IRREGULAR_HEADER)
    yield png("IEND-long-cut", "an end with 3 bytes, cut", picture, picture.file(end=chunk(b"IEND", b"abc")[:-2]), MISSING_END)
    raw = zlib.compress(picture.raw(), 9)
    start = SIGNATURE + header(5, 4, 8, 2)
    for count in (1, 2, 4, 5):
        parts = split(raw, (1,) * len(raw))[: -13 * count]
        yield bad_png(f"cut-before-zlib-{count}", f"the last {count} chunks of image data are missing", start + parts, "truncated")
        yield bad_png(f"cut-before-zlib-{count}-text", "the same, and a text", start + parts + TEXT, "corrupt")
    wrong = raw[:-1] + bytes([raw[-1] ^ 1])
    yield bad_png("adler-wrong-no-IEND", "zlib's checksum is wrong, no end", start + split(wrong, ()), "corrupt")
    again = start + split(raw, ()) + chunk(b"IDAT", b"more")
    yield png("IDAT-after-no-IEND", "more image data than needed, no end", picture, again, MISSING_END)
    yield bad_png("IDAT-after-cut", "the same, cut in its checksum", again[:-2], "truncated")


def spectra():
    for name, sampling, script in (("420", SAMPLINGS["420"], ""), ("gray", [(1, 1)], ""), ("inks", [(1, 1)] * 4, "")):
        picture = JPEG(43, 37, sampling)
        for spectrum in ((0, 0, 0), (0, 62, 0), (1, 63, 0), (0, 63, 0x11)):
            data = picture.file(scans=picture.scan(spectrum=spectrum))
            words = "-".join(map(str, spectrum))
            yield jpeg(f"spectrum-{name}-{words}", f"a sequential scan that states {words}", data, picture.file(), IRREGULAR_HEADER)
    picture = JPEG(43, 37, SAMPLINGS["420"])
    scans = picture.scan(restart=2, spectrum=(0, 0, 0))
    whole = picture.file(restart=2)
    yield jpeg("spectrum-restart", "the same with restart markers", picture.file(restart=2, scans=scans), whole, IRREGULAR_HEADER)
    scans = b"".join(picture.scan([n], spectrum=(0, 0, 0)) for n in range(3))
    yield jpeg("spectrum-apart", "the same with a scan each", picture.file(scans=scans), picture.file(), IRREGULAR_HEADER)
    scans = picture.scan(spectrum=(0, 0, 0))
    yield jpeg("spectrum-no-EOI", "the same without the end marker", picture.file(scans=scans, tail=b""), picture.file(),
               MISSING_END + IRREGULAR_HEADER)


def restart_numbers():
    picture = JPEG(43, 37, SAMPLINGS["420"])
    whole = picture.file(restart=2)
    for name, covers, markers in (
        ("3", "numbers that begin with 3", lambda n: (n + 3) % 8), ("4", "numbers that begin with 4", lambda n: (n + 4) % 8),
        ("5", "numbers that begin with 5", lambda n: (n + 5) % 8), ("one", "one wrong bit in one number", lambda n: n % 8 ^ 4 * (n == 1)),
    ):
        scans = picture.scan(restart=2, markers=markers)
        yield jpeg(f"restart-far-{name}", covers, picture.file(restart=2, scans=scans), whole, IRREGULAR_HEADER)
    progressive = jpegtran(whole, "-restart", "1", scans=SUCCESSIVE)
    for name, data in (("progressive", progressive), ("arithmetic", jpegtran(whole, "-restart", "1", "-arithmetic"))):
        at = data.index(b"\xff\xd1")
        wrong = data[: at + 1] + b"\xd5" + data[at + 2 :]
        yield jpeg(f"restart-far-{name}", "the same, " + name, wrong, data, IRREGULAR_HEADER)
    # Three stretches are missing: the numbers after them are far away, too.
    first, last = whole.index(b"\xff\xd0"), whole.index(b"\xff\xd3")
    yield bad_jpeg("restart-far-lost", "three stretches are missing", whole[:first] + whole[last:])


def jpeg_ends():
    picture = JPEG(43, 37, SAMPLINGS["420"])
    data, gray = picture.file(), JPEG(43, 37, [(1, 1)]).file()
    files = {
        "gray": gray, "444": JPEG(43, 37, SAMPLINGS["444"]).file(), "inks": JPEG(43, 37, [(1, 1)] * 4).file(),
        "restart-1": picture.file(restart=1), "restart-3": picture.file(restart=3), "restart-100": picture.file(restart=100),
        "restart-last": picture.file(restart=2, tail=b"\xff\xd0" + EOI), "apart": jpegtran(data, scans=APART),
        "apart-restart": jpegtran(data, "-restart", "1", scans=APART), "spectral": jpegtran(data, scans=SPECTRAL),
        "progressive-gray": jpegtran(gray, "-progressive"), "progressive-restart": jpegtran(data, "-restart", "1", scans=SUCCESSIVE),
    }
    for name, file in files.items():
        yield jpeg(f"no-EOI-{name}", "the end marker is missing", file[:-2], file, MISSING_END)
    progressive, other = jpegtran(data, scans=SUCCESSIVE), JPEG(35, 27, SAMPLINGS["420"]).file()
    body = other[:-2]
    for name, covers, file in (
        ("zeroed", "zeros instead of the end marker", body + bytes(2)), ("zeros", "100 zeros", body + bytes(100)),
        ("half-zeros", "half the end marker, then zeros", body + b"\xff" + bytes(100)), ("filled", "fill bytes", body + b"\xff" * 9),
        ("flipped", "a wrong bit in the end marker", body + b"\xfe\xd9"),
    ):
        yield jpeg(f"EOI-{name}", covers, file, other, MISSING_END)
    # The last byte of the data is a zero. It looks like a part of the zeros after it.
    yield bad_jpeg("EOI-zeroed-after-zero", "zeros after data that ends with a zero", data[:-2] + bytes(2))
    yield jpeg("EOI-zeroed-progressive", "zeros instead of the end marker", progressive[:-2] + bytes(2), progressive, MISSING_END)
    yield bad_jpeg("EOI-lost-text", "a text instead of the end marker", body + TEXT)
    yield bad_jpeg("EOI-lost-text-progressive", "the same, progressive", progressive[:-2] + TEXT)
    yield bad_jpeg("EOI-lost-JPEG", "a second JPEG instead of the end marker", body + gray, "corrupt")
    for name, file in (("unrefined", jpegtran(data, scans=UNREFINED)), ("DC-only", jpegtran(data, scans=DC_ONLY)),
                       ("arithmetic", jpegtran(data, "-arithmetic")), ("progressive-arithmetic", jpegtran(data, "-arithmetic", "-progressive"))):
        yield bad_jpeg(f"no-EOI-{name}", "an end that looks like a cut", file[:-2])
    for name, file in (("restart", picture.file(restart=3)), ("sequential", other), ("progressive", progressive)):
        for count in (2, 3, 9):
            yield bad_jpeg(f"{name}-cut-{count}", f"{count} bytes of data are missing", file[: -2 - count])
            yield bad_jpeg(f"{name}-cut-{count}-zeros", "the same, filled with zeros", file[: -2 - count] + bytes(2 + count))
    ends = places(jpegtran(data, scans=APART), 0xDA)
    yield bad_jpeg("apart-cut-at-head", "cut after a scan header", jpegtran(data, scans=APART)[: ends[2] + 10])


def cases():
    for part in (checksums, png_ends, spectra, restart_numbers, jpeg_ends):
        yield from part()
