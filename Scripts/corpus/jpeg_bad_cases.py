"""JPEG files that the decoder must reject."""

import struct

from corpus.case import Case
from corpus.jpeg import AC_SYMBOLS, DC_SYMBOLS, EOI, JFIF, JPEG, SOI, TABLES, huffman, jpegtran, places, quantization, segment
from corpus.jpeg_cases import APART, SAMPLINGS, SUCCESSIVE


def bad(name, covers, data, error="corrupt", **more):
    return Case(f"jpeg-bad/{name}.jpg", covers, data, error=error, **more)


def kinds():
    """Returns files with features of the format that the decoder does not support."""
    picture = JPEG(27, 19, SAMPLINGS["420"])
    for marker, says in ((0xC3, "lossless"), (0xC5, "hierarchical"), (0xC6, "hierarchical"), (0xC7, "lossless"), (0xC8, "unknown"),
                         (0xCB, "lossless"), (0xCD, "hierarchical"), (0xCE, "hierarchical"), (0xCF, "lossless")):
        # Newer versions of libjpeg-turbo support lossless JPEG, but Cellophane does not.
        yield bad(f"frame-{marker:02X}", f"SOF{marker - 0xC0}: {says}", picture.file(frame=picture.frame(marker)), "unsupported", says=says)
    for precision in (2, 12, 16):
        yield bad(f"{precision}-bit", f"{precision} bits", picture.file(frame=picture.frame(0xC1, precision)), "unsupported", says=f"{precision} bits")
    yield bad("12-bit-progressive", "12 bits, progressive", picture.file(frame=picture.frame(0xC2, 12)), "unsupported", says="12 bits")
    for count in (2, 5):
        other = JPEG(16, 16, [(1, 1)] * count)
        yield bad(f"{count}-components", f"{count} components", other.file(scans=other.scan([0])), "unsupported", says=f"{count} components", by_header=True)
    # libjpeg reports these files as corrupt.
    yield bad("hierarchical", "a DHP marker", picture.file(JFIF + segment(0xDE, picture.frame()[4:])), "unsupported", says="hierarchical", by_header=True)
    yield bad("JPEG-LS", "SOF55", picture.file(frame=picture.frame(0xF7)), "unsupported", says="JPEG-LS", by_header=True)
    yield bad("DNL", "the height follows the scan", picture.file(frame=picture.frame(height=0), tail=segment(0xDC, b"\0\x13") + EOI),
              "unsupported", says="DNL", by_header=True)
    for name, sampling in (("3-2-1", [(3, 1), (2, 1), (1, 1)]), ("3-2-2", [(1, 3), (1, 2), (1, 2)])):
        yield bad(f"sampling-{name}", "factors that do not divide one another", JPEG(27, 19, sampling).file(), "unsupported")


def sizes():
    for name, width, height, progressive, sampling in (
        ("65500x65500", 65_500, 65_500, False, "420"), ("65535x65535-progressive", 65_535, 65_535, True, "420"),
        ("10001x10000", 10_001, 10_000, False, "444"),
    ):
        picture = JPEG(8, 8, SAMPLINGS[sampling])
        picture.width, picture.height = width, height
        data = SOI + JFIF + quantization() + TABLES + picture.frame(0xC2 if progressive else 0xC0)
        data += segment(0xDA, b"\3\1\0\2\0\3\0\0\0\0" if progressive else b"\3\1\0\2\0\3\0\0\x3f\0") + bytes(600) + EOI
        yield bad(f"bomb-{name}", f"a file of {len(data)} bytes that claims {width}x{height}", data, "image-too-large", says=f"{width}x{height}")
    picture = JPEG(8, 8, SAMPLINGS["444"])
    picture.width = picture.height = 9_990
    data = SOI + quantization() + TABLES + picture.frame(0xC2) + segment(0xDA, b"\3\1\0\2\0\3\0\0\0\0") + bytes(99) + EOI
    yield bad("bomb-coefficients", "coefficients of 600 MB", data, "image-too-large", says="9990x9990", by_header=True)


def cuts():
    data = JPEG(43, 37, SAMPLINGS["420"]).file()
    progressive, apart = jpegtran(data, scans=SUCCESSIVE), jpegtran(data, scans=APART)
    for name, file in (("progressive", progressive), ("apart", apart), ("arithmetic", jpegtran(data, "-arithmetic", "-progressive"))):
        for n, at in enumerate(places(file, 0xDA)):
            yield bad(f"{name}-cut-at-scan-{n}", f"cut before scan {n}", file[:at], "truncated")
            yield bad(f"{name}-cut-in-scan-{n}", f"cut in scan {n}", file[: min(at + 20, len(file) - 3)], "truncated")
    at = places(data, 0xDA)[0]
    end = {"error": "", "warnings": ("missing-end",)}
    yield bad("no-EOI", "the end marker is missing", data[:-2], whole=data, **end)
    yield bad("half-EOI", "half the end marker is missing", data[:-1], whole=data, **end)
    yield bad("no-EOI-progressive", "the end marker is missing", progressive[:-2], whole=progressive, **end)
    yield bad("EOI-early", "an end marker in the scan", data[: at + 60] + EOI, "truncated")
    yield bad("EOI-early-progressive", "an end marker in the last scan", progressive[:-9] + EOI, "truncated")
    yield bad("EOI-only", "nothing but an end", b"\xff\xd8\xff\xd9")
    yield bad("EOI-before-scan", "no scan", data[:at] + EOI)
    yield bad("tables-only", "an abbreviated file: tables only", SOI + quantization() + TABLES + EOI)
    yield bad("SOI-only", "nothing but a start", b"\xff\xd8\xff", "truncated")
    yield bad("half-SOI", "less than a start", b"\xff\xd8", "truncated", by_header=True)
    for marker in (0xE0, 0xDB, 0xC4, 0xC0):
        place = places(data, marker)[0]
        yield bad(f"cut-in-{marker:02X}", f"cut in segment {marker:02X}", data[: place + 7], "truncated")
        yield bad(f"cut-before-{marker:02X}", f"cut before segment {marker:02X}", data[:place], "truncated", by_header=place < 3)


def structure():
    picture = JPEG(43, 37, SAMPLINGS["420"])
    frame, two = picture.frame(), picture.frame() * 2
    progressive = jpegtran(picture.file(), scans=SUCCESSIVE)
    at = places(progressive, 0xDA)[0]
    for name, covers, data in (
        ("SOI-twice", "two starts", picture.file(SOI + JFIF)), ("SOI-in-scan", "a start after the scan", picture.file(tail=SOI + EOI)),
        ("frame-twice", "two frames", picture.file(frame=two)), ("frame-none", "no frame", picture.file(frame=b"")),
        ("frame-late", "the frame after the scan", picture.file(frame=b"", tail=frame + EOI)),
        ("width-0", "no width", picture.file(frame=frame[:7] + b"\0\0" + frame[9:])), ("components-0", "no components", picture.file(frame=segment(0xC0, b"\x08\0\x25\0\x2b\0"))),
        ("frame-short", "a frame header too short", picture.file(frame=segment(0xC0, frame[4:-3]))), ("frame-long", "a frame header too long", picture.file(frame=segment(0xC0, frame[4:] + b"\0"))),
        ("frame-empty", "an empty frame header", picture.file(frame=segment(0xC0))),
        ("sampling-0", "a factor of 0", picture.file(frame=frame[:11] + b"\2" + frame[12:])), ("sampling-5", "a factor of 5", picture.file(frame=frame[:11] + b"\x51" + frame[12:])),
        ("sampling-too-much", "more than 10 blocks in a unit", JPEG(43, 37, [(4, 4), (1, 1), (1, 1)]).file()),
        ("quantization-none", "no quantization table", picture.file(tables=TABLES)), ("quantization-index", "a table of number 4", picture.file(tables=quantization(4) + TABLES)),
        ("quantization-short", "a table too short", picture.file(tables=segment(0xDB, quantization()[4:-9]) + TABLES)),
        ("quantization-unused", "a component asks for table 3", picture.file(frame=picture.frame(tables=[0, 3, 0]))),
        ("huffman-full", "a table with more codes than fit", picture.file(tables=quantization() + huffman(range(20), 4, 0) + huffman(AC_SYMBOLS, 8, 0x10))),
        ("huffman-all-ones", "17 codes of 4 bits", picture.file(tables=quantization() + huffman(range(17), 4, 0) + huffman(AC_SYMBOLS, 8, 0x10))),
        ("huffman-DC-size", "a DC size of 17", picture.file(tables=quantization() + huffman([*DC_SYMBOLS, 17], 4, 0) + huffman(AC_SYMBOLS, 8, 0x10))),
        ("huffman-index", "a table of number 4", picture.file(tables=quantization() + TABLES + huffman(DC_SYMBOLS, 4, 4))),
        ("huffman-short", "a table too short", picture.file(tables=quantization() + TABLES[:9] + TABLES[10:])),
        ("huffman-class", "a table of class 2", picture.file(tables=quantization() + TABLES + huffman(DC_SYMBOLS, 4, 0x20))),
        ("huffman-other", "tables of other codes", picture.file(tables=quantization() + huffman(DC_SYMBOLS[::-1], 4, 0) + huffman(AC_SYMBOLS[::-1], 8, 0x10))),
        ("huffman-empty", "a table without codes", picture.file(tables=quantization() + huffman([], 4, 0) + huffman(AC_SYMBOLS, 8, 0x10))),
        ("scan-component", "a scan of a component that is not there", picture.file(scans=picture.scan().replace(b"\3\1\0\2\0\3\0", b"\3\1\0\2\0\x09\0", 1))),
        ("scan-component-twice", "a scan of a component twice", picture.file(scans=picture.scan().replace(b"\3\1\0\2\0\3\0", b"\3\1\0\2\0\2\0", 1))),
        ("scan-0", "a scan of nothing", picture.file(scans=segment(0xDA, b"\0\0\x3f\0"))), ("scan-5", "a scan of 5 components", picture.file(scans=segment(0xDA, b"\5" + bytes(13)))),
        ("scan-short", "a scan header too short", picture.file(scans=segment(0xDA, b"\3\1\0\2\0\3\0"))), ("scan-empty", "an empty scan header", picture.file(scans=segment(0xDA))),
        ("marker-unknown", "a reserved marker", picture.file(JFIF + segment(0x02, b"x"))), ("marker-in-scan", "a marker in the scan", picture.file(tail=segment(0xF0, b"x") + EOI)),
        ("progression-wrong", "a progressive scan of DC and AC", progressive[: at + 12] + b"\x3f" + progressive[at + 13 :]),
        ("arithmetic-conditioning", "conditioning out of range", picture.file(JFIF + segment(0xCC, b"\x40\0"))),
        ("arithmetic-conditioning-odd", "conditioning of 3 bytes", picture.file(JFIF + segment(0xCC, b"\0\0\0"))),
        ("interval-long", "a restart interval of 3 bytes", picture.file(JFIF + segment(0xDD, b"\0\0\0"))),
    ):
        yield bad(name, covers, data)
    for length in (0, 1):  # libjpeg treats these lengths as 2, but not in segments that it needs
        data = picture.file(JFIF + segment(0xDB, b"", length=length))
        yield bad(f"length-{length}-needed", f"a table of length {length}", data)


def restarts():
    picture = JPEG(43, 37, SAMPLINGS["420"])
    whole = picture.file(restart=2)
    unmarked = picture.file(frame=picture.frame() + segment(0xDD, struct.pack(">H", 2)))
    for name, covers, markers, error in (
        ("wrong-first", "numbers that begin with 1", lambda n: (n + 1) % 8, "corrupt"), ("wrong-second", "numbers that begin with 2", lambda n: (n + 2) % 8, "corrupt"),
        ("wrong-last", "numbers that begin with 7", lambda n: (n + 7) % 8, "corrupt"), ("wrong-before", "numbers that begin with 6", lambda n: (n + 6) % 8, "corrupt"),
        ("missing-one", "one marker missing", lambda n: None if n == 1 else n % 8, "corrupt"), ("same", "always 0", lambda n: 0, "corrupt"),
    ):
        data = picture.file(restart=2, scans=picture.scan(restart=2, markers=markers))
        yield bad(f"restart-{name}", covers, data, error)
    yield bad("restart-none", "an interval, and no markers", unmarked)
    yield bad("restart-unstated", "markers, and no interval", whole.replace(segment(0xDD, b"\0\2"), b""), "truncated")
    at = whole.index(b"\xff\xd1")
    yield bad("restart-cut", "cut at a restart marker", whole[:at], "truncated")
    yield bad("restart-block-lost", "a stretch between two markers is missing", whole[:at] + whole[whole.index(b"\xff\xd2") :])
    yield bad("restart-stretch-empty", "nothing between two markers", whole[: at + 2] + whole[whole.index(b"\xff\xd2") :], "truncated")


def cases():
    for part in (kinds, sizes, cuts, structure, restarts):
        yield from part()
