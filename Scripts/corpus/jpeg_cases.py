"""JPEG files that the decoder must decode."""

import io
import random
import struct

from PIL import Image

from corpus.case import Case
from corpus.jpeg import (
    AC_SYMBOLS, DC_SYMBOLS, EOI, JFIF, JPEG, TABLES, adobe, huffman, jpegtran, places, quantization, segment,
)

SAMPLINGS = {
    "444": [(1, 1)] * 3, "422": [(2, 1), (1, 1), (1, 1)], "440": [(1, 2), (1, 1), (1, 1)],
    "420": [(2, 2), (1, 1), (1, 1)], "411": [(4, 1), (1, 1), (1, 1)], "410": [(4, 2), (1, 1), (1, 1)],
    "441": [(1, 4), (1, 1), (1, 1)], "311": [(3, 1), (1, 1), (1, 1)], "22-12-12": [(2, 2), (1, 2), (1, 2)],
    "22-21-21": [(2, 2), (2, 1), (2, 1)], "22-21-12": [(2, 2), (2, 1), (1, 2)], "22-11-22": [(2, 2), (1, 1), (2, 2)],
    "444-as-21": [(2, 1)] * 3, "luma-smaller": [(1, 1), (2, 1), (2, 1)],
    "luma-smallest": [(1, 1), (2, 2), (1, 1)], "33-11-11": [(1, 3), (1, 1), (1, 1)],
}
SPECTRAL = "0,1,2: 0-0, 0, 0;\n0: 1-9, 0, 0;\n2: 1-63, 0, 0;\n1: 1-63, 0, 0;\n0: 10-63, 0, 0;\n"
SUCCESSIVE = ("0,1,2: 0-0, 0, 3;\n0: 1-63, 0, 2;\n0,1,2: 0-0, 3, 2;\n1: 1-63, 0, 1;\n2: 1-63, 0, 1;\n0,1,2: 0-0, 2, 1;\n"
              "0: 1-63, 2, 1;\n0,1,2: 0-0, 1, 0;\n0: 1-63, 1, 0;\n1: 1-63, 1, 0;\n2: 1-63, 1, 0;\n")
UNREFINED = "0,1,2: 0-0, 0, 1;\n0: 1-5, 0, 2;\n2: 1-63, 0, 1;\n"
DC_ONLY = "0,1,2: 0-0, 0, 0;\n"
APART = "0;\n1;\n2;\n"


def case(name, covers, data, **more):
    return Case(f"{name}.jpg", covers, data, **more)


def scene(mode, width, height):
    """Returns an image with gradients, an edge and noise."""
    rng = random.Random(3)
    bands = len(mode) if mode != "L" else 1
    data = bytearray()
    for y in range(height):
        for x in range(width):
            for band in range(bands):
                value = (x * 5 + y * 3 * (band + 1) + (90 if x > y else 0)) % 256
                data.append(min(255, max(0, value + rng.randint(-6, 6))))
    return Image.frombytes(mode, (width, height), bytes(data))


def encoded(mode, width=43, height=37, **options):
    stream = io.BytesIO()
    scene(mode, width, height).save(stream, "JPEG", quality=88, **options)
    return stream.getvalue()


def without(data, marker):
    """Returns `data` without the segments of `marker`."""
    for at in reversed(places(data, marker)):
        data = data[:at] + data[at + 2 + struct.unpack(">H", data[at + 2 : at + 4])[0] :]
    return data


def photographs():
    """Returns images from an ordinary encoder."""
    variants = [
        ("gray", "L", {}), ("4:4:4", "RGB", {"subsampling": 0}), ("4:2:2", "RGB", {"subsampling": 1}),
        ("4:2:0", "RGB", {"subsampling": 2}), ("stored as RGB", "RGB", {"keep_rgb": True}),
        ("progressive", "RGB", {"progressive": True, "subsampling": 2}), ("progressive gray", "L", {"progressive": True}),
        ("restart markers", "RGB", {"restart_marker_blocks": 2}), ("CMYK", "CMYK", {}),
        ("progressive CMYK", "CMYK", {"progressive": True}),
    ]
    for name, mode, options in variants:
        yield case(f"jpeg/{name.replace(' ', '-').replace(':', '')}", name, encoded(mode, **options))
    yield case("jpeg/CMYK-without-Adobe-marker", "CMYK without Adobe marker", without(encoded("CMYK"), 0xEE))
    yield case("jpeg/arithmetic", "arithmetic coding", jpegtran(encoded("RGB", subsampling=2), "-arithmetic"))
    data = jpegtran(encoded("RGB", subsampling=1), "-arithmetic", "-progressive")
    yield case("jpeg/progressive-arithmetic", "progressive arithmetic", data)
    for quality in (1, 30, 100):
        stream = io.BytesIO()
        scene("RGB", 43, 37).save(stream, "JPEG", quality=quality)
        yield case(f"jpeg-odd/quality-{quality}", f"quality {quality}", stream.getvalue())


def samplings():
    for name, sampling in SAMPLINGS.items():
        for width, height in ((35, 27), (16, 16), (1, 1), (2, 67), (33, 3)):
            picture = JPEG(width, height, sampling)
            yield case(f"jpeg-odd/{name}-{width}x{height}", f"sampling {name}", picture.file())
        data = JPEG(35, 27, sampling).file()
        yield case(f"jpeg-odd/{name}-progressive", f"sampling {name}, progressive", jpegtran(data, "-progressive"))
        yield case(f"jpeg-odd/{name}-arithmetic", f"sampling {name}, arithmetic", jpegtran(data, "-arithmetic"))
        yield case(f"jpeg-odd/{name}-apart", f"sampling {name}, a scan per component", jpegtran(data, scans=APART))
        yield case(f"jpeg-odd/{name}-restart", f"sampling {name}, restart markers", JPEG(35, 27, sampling).file(restart=1))
    for name, factors in (("11", (1, 1)), ("22", (2, 2)), ("44", (4, 4)), ("31", (3, 1))):
        for width, height in ((35, 27), (1, 1), (8, 8), (9, 17)):
            picture = JPEG(width, height, [factors])
            yield case(f"jpeg-odd/gray-{name}-{width}x{height}", f"gray with sampling {name}", picture.file())
        yield case(f"jpeg-odd/gray-{name}-progressive", f"gray with sampling {name}, progressive", jpegtran(
            JPEG(35, 27, [factors]).file(), "-progressive"))
    for n in range(1, 10):
        yield case(f"jpeg-odd/420-{n}x{10 - n}", "small sizes", JPEG(n, 10 - n, SAMPLINGS["420"]).file())


def inks():
    samplings = {"1111": [(1, 1)] * 4, "2112": [(2, 2), (1, 1), (1, 1), (2, 2)], "2111": [(2, 1), (1, 1), (1, 1), (1, 1)]}
    for name, sampling in samplings.items():
        picture = JPEG(27, 19, sampling)
        for head, covers in ((b"", "no Adobe marker: CMYK"), (adobe(0), "Adobe transform 0: CMYK"), (adobe(2), "Adobe transform 2: YCCK"),
                             (adobe(1), "Adobe transform 1, which means nothing here: YCCK"), (JFIF, "JFIF: CMYK")):
            kind = covers.split(":")[0].replace(" ", "-").replace(",", "")
            warnings = ("irregular-header",) if head == adobe(1) else ()
            yield case(f"jpeg-odd/inks-{name}-{kind}", covers, picture.file(head=head), warnings=warnings)
        data = picture.file(head=adobe(2))
        yield case(f"jpeg-odd/inks-{name}-YCCK-progressive", "YCCK, progressive", jpegtran(data, "-progressive"))
        yield case(f"jpeg-odd/inks-{name}-YCCK-arithmetic", "YCCK, arithmetic", jpegtran(data, "-arithmetic"))


def colors():
    picture = JPEG(27, 19, [(1, 1)] * 3)
    letters = JPEG(27, 19, [(1, 1)] * 3, ids=[82, 71, 66])
    zero = JPEG(27, 19, [(1, 1)] * 3, ids=[0, 1, 2])
    for name, covers, data in (  # Pillow fails on short Adobe markers
        ("adobe-0", "Adobe transform 0: RGB", picture.file(head=adobe(0))), ("adobe-1", "Adobe transform 1: YCbCr", picture.file(head=adobe(1))),
        ("adobe-2", "Adobe transform 2, which means nothing here", picture.file(head=adobe(2))),
        ("adobe-0-and-JFIF", "JFIF wins over Adobe", picture.file(head=JFIF + adobe(0))),
        ("adobe-before-JFIF", "JFIF wins over Adobe, in any order", picture.file(head=adobe(0) + JFIF)),
        ("adobe-short", "an Adobe marker of 5 bytes is none", picture.file(head=segment(0xEE, b"Adobe"))),
        ("no-marker", "neither: YCbCr", picture.file(head=b"")), ("ids-RGB", "components R, G and B", letters.file(head=b"")),
        ("ids-RGB-JFIF", "components R, G and B in JFIF: YCbCr", letters.file()), ("ids-0", "components 0, 1 and 2", zero.file(head=b"")),
        ("RGB-422", "RGB with sampling 422", JPEG(27, 19, SAMPLINGS["422"]).file(head=adobe(0))),
        ("RGB-420-progressive", "RGB with sampling 420", jpegtran(JPEG(27, 19, SAMPLINGS["420"]).file(head=adobe(0)), "-progressive")),
    ):
        warnings = ("irregular-header",) if name == "adobe-2" else ()
        yield case(f"jpeg-odd/colors-{name}", covers, data, pillow=name != "adobe-short", warnings=warnings)


def scans():
    data = JPEG(43, 37, SAMPLINGS["420"]).file()
    gray = JPEG(43, 37, [(1, 1)]).file()
    scripts = {"spectral": SPECTRAL, "successive": SUCCESSIVE, "unrefined": UNREFINED, "DC-only": DC_ONLY}
    for name, script in scripts.items():
        rough = {"smoothed": script in (UNREFINED, DC_ONLY)}
        yield case(f"jpeg-odd/scans-{name}", f"progressive, {name}", jpegtran(data, scans=script), **rough)
        coded = jpegtran(data, "-arithmetic", scans=script)
        yield case(f"jpeg-odd/scans-{name}-arithmetic", f"progressive arithmetic, {name}", coded, **rough)
        marked = jpegtran(data, "-restart", "1", scans=script)
        yield case(f"jpeg-odd/scans-{name}-restart", f"progressive, {name}, restart markers", marked, **rough)
    yield case("jpeg-odd/scans-mixed", "baseline: one component, then two", jpegtran(data, scans="1;\n0,2;\n"))
    yield case("jpeg-odd/scans-pair-first", "baseline: two components, then one", jpegtran(data, scans="0,1;\n2;\n"))
    yield case("jpeg-odd/scans-apart-arithmetic", "arithmetic: a scan each", jpegtran(data, "-arithmetic", scans=APART))
    deep = "".join(f"0: {n}-{n}, 0, 0;\n" for n in range(1, 64))
    yield case("jpeg-odd/scans-64", "a scan per coefficient", jpegtran(gray, scans="0: 0-0, 0, 0;\n" + deep))
    progressive = jpegtran(data, scans=SUCCESSIVE)
    for n, at in enumerate(places(progressive, 0xDA)[1:], 1):
        yield case(f"jpeg-odd/ends-after-scan-{n}", f"an end marker after {n} scans", progressive[:at] + EOI, smoothed=n < 9)
    apart = jpegtran(data, scans=APART)
    for n, at in enumerate(places(apart, 0xDA)[1:], 1):
        yield case(f"jpeg-odd/ends-after-component-{n}", f"only {n} of 3 components", apart[:at] + EOI)
    # The first scan of a progressive file has the DC coefficients. Its repetition does not change the image.
    dc = jpegtran(gray, scans="0: 0-0, 0, 0;\n")
    at = places(dc, 0xDA)[0]
    yield case("jpeg-odd/scans-100", "as many scans as allowed", dc[:at] + dc[at:-2] * 100 + EOI)
    yield case("jpeg-bad/scans-101", "a scan too many", dc[:at] + dc[at:-2] * 101 + EOI, error="image-too-large")


def restarts():
    picture = JPEG(43, 37, SAMPLINGS["420"])
    for interval in (1, 2, 3, 7, 100):
        yield case(f"jpeg-odd/restart-{interval}", f"restart markers every {interval} units", picture.file(restart=interval))
    yield case("jpeg-odd/restart-last", "a restart marker before the end", picture.file(restart=2, tail=b"\xff\xd0" + EOI))
    yield case("jpeg-odd/restart-twice-stated", "the interval stated twice", picture.file(
        head=JFIF + segment(0xDD, b"\0\1"), restart=3))
    filled = picture.file(restart=3).replace(b"\xff\xd1", b"\xff\xff\xff\xd1")
    yield case("jpeg-odd/restart-filled", "fill bytes before a restart marker", filled)


def tables():
    picture = JPEG(27, 19, SAMPLINGS["422"])
    wide = quantization(wide=True)
    yield case("jpeg-odd/quantization-16-bit", "16-bit steps in an extended file", picture.file(tables=wide + TABLES, frame=picture.frame(0xC1)))
    yield case("jpeg-odd/quantization-16-bit-baseline", "16-bit steps in a baseline file", picture.file(tables=wide + TABLES))
    three = quantization(0) + quantization(1, 9) + quantization(2, 17) + quantization(3)
    yield case("jpeg-odd/quantization-three", "a table per component", picture.file(tables=three + TABLES, frame=picture.frame(tables=[0, 1, 2])))
    one = segment(0xDB, quantization()[4:] + quantization(1, 9)[4:])
    yield case("jpeg-odd/quantization-in-one", "two tables in one segment", picture.file(tables=one + TABLES, frame=picture.frame(tables=[0, 1, 1])))
    yield case("jpeg-odd/quantization-late", "the table after the frame", picture.file(tables=TABLES, frame=picture.frame() + quantization()))
    again = quantization(step=40) + quantization() + TABLES
    yield case("jpeg-odd/quantization-replaced", "a table replaced by another", picture.file(tables=again))
    unused = huffman(DC_SYMBOLS, 5, 0x03) + huffman(AC_SYMBOLS, 9, 0x13) + quantization(3)
    yield case("jpeg-odd/tables-unused", "tables that nothing uses", picture.file(tables=unused + quantization() + TABLES))
    joined = segment(0xC4, huffman(DC_SYMBOLS, 4, 0)[4:] + huffman(AC_SYMBOLS, 8, 0x10)[4:])
    yield case("jpeg-odd/huffman-in-one", "two tables in one segment", picture.file(tables=quantization() + joined))
    yield case("jpeg-odd/huffman-default", "no tables: those of annex K, as in motion JPEG", without(encoded("RGB"), 0xC4))
    yield case("jpeg-odd/extended", "SOF1", picture.file(frame=picture.frame(0xC1)))
    optimized = jpegtran(encoded("RGB"), "-optimize")
    yield case("jpeg-odd/huffman-optimized", "tables optimized for the image", optimized)


def surroundings():
    picture = JPEG(27, 19, SAMPLINGS["420"])
    plain = picture.file()
    largest = b"".join(segment(0xE0 + n, bytes([n]) * n) for n in range(16))
    index = segment(0xE2, b"MPF\0MM\0*\0\0\0\x08\0\1\xb0\0\0\7\0\0\0\0040100\0\0\0\0")
    other = JPEG(9, 9, [(1, 1)]).file()
    gain = segment(0xE1, b'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta hdrgm:Version="1.0"/>')
    profile = segment(0xE2, b"ICC_PROFILE\0\1\1" + bytes(200))
    for name, covers, data in (
        ("trailing-garbage", "data after the end", plain + b"anything" * 50), ("trailing-zeros", "zeros after the end", plain + bytes(999)),
        ("trailing-picture", "a second JPEG after the end", plain + other), ("MPO", "an MPO: the first image", picture.file(JFIF + index) + other),
        ("gain-map", "a gain map after the image", picture.file(JFIF + gain) + other), ("garbage-between", "bytes between markers", picture.file(JFIF + b"abc" + JFIF)),
        ("fill-bytes", "fill bytes before a marker", picture.file(b"\xff\xff\xff" + JFIF)), ("fill-bytes-end", "fill bytes before the end", picture.file(tail=b"\xff\xff\xff\xd9")),
        ("zeros-before-end", "zeros before the end", picture.file(tail=bytes(9) + EOI)), ("comment", "comments", picture.file(JFIF + segment(0xFE, b"words") + segment(0xFE))),
        ("comment-after", "a comment after the image", picture.file(tail=segment(0xFE, b"words") + EOI)), ("APP-all", "APP0 to APP15", picture.file(largest)),
        ("APP-64-KB", "an APP1 of 65 533 bytes", picture.file(segment(0xE1, bytes(65_533)))), ("APP-late", "APPs between tables and scan", picture.file(frame=largest + picture.frame() + largest)),
        ("TEM", "a TEM marker", picture.file(b"\xff\x01" + JFIF)), ("restart-in-head", "a restart marker in the head", picture.file(JFIF + b"\xff\xd3")),
        ("ICC-wrong", "a profile that is none", picture.file(JFIF + profile)), ("JFIF-2", "JFIF of version 2", picture.file(JFIF[:9] + b"\2\0" + JFIF[11:])),
        ("JFIF-short", "a JFIF marker of 3 bytes", picture.file(segment(0xE0, b"JFI"))), ("JFIF-thumbnail", "a JFIF thumbnail", picture.file(segment(0xE0, JFIF[4:16] + b"\1\1abc"))),
        ("length-0", "an APP1 of length 0", picture.file(segment(0xE1, b"", length=0))), ("length-1", "an APP1 of length 1", picture.file(segment(0xE1, b"", length=1))),
        ("length-0-comment", "a comment of length 0", picture.file(JFIF + segment(0xFE, b"", length=0))), ("length-1-JFIF", "a JFIF marker of length 1", picture.file(segment(0xE0, b"", length=1))),
        ("length-0-Adobe", "an Adobe marker of length 0", picture.file(JFIF + segment(0xEE, b"", length=0))), ("JFXX", "a JFXX extension", picture.file(JFIF + segment(0xE0, b"JFXX\0\x13" + bytes(9)))), ("DNL", "a DNL that agrees", picture.file(tail=segment(0xDC, b"\0\x13") + EOI)),
        ("tables-after", "tables after the image", picture.file(tail=quantization() + TABLES + EOI)),
        ("DAC", "arithmetic conditioning in a Huffman file", picture.file(JFIF + segment(0xCC, b"\0\x10"))),
    ):
        warnings = ("irregular-header",) if name == "JFIF-2" else ()
        profile = ("damaged-metadata",) if name == "ICC-wrong" else ()
        # Pillow does not support TEM.
        yield case(f"jpeg-odd/{name}", covers, data, pillow=name != "TEM", warnings=warnings, profile_warnings=profile)


def cases():
    for part in (photographs, samplings, inks, colors, scans, restarts, tables, surroundings):
        yield from part()
