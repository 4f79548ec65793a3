"""Files in formats that the decoder does not support."""

import random

from corpus.case import Case

FILES = [
    ("picture.gif", "GIF", b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"),
    ("picture.webp", "WebP", b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\0\7\x10\xfd\x8f\xfe\7\"\xa2\xff\1\0"),
    ("picture.heic", "HEIC", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), ("picture.heif", "HEIF", b"\0\0\0\x14ftypmif1\0\0\0\0mif1"),
    ("picture.avif", "AVIF", b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"), ("little.tiff", "TIFF", b"II*\0\x08\0\0\0\0\0\0\0\0\0"),
    ("big.tiff", "TIFF", b"MM\0*\0\0\0\x08\0\0\0\0\0\0"), ("picture.bmp", "BMP", b"BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\1\0\1\0\1\0\x18\0\0\0\0\0"),
    ("picture.svg", "SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), ("prologue.svg", "SVG", b"\xef\xbb\xbf<?xml version='1.0'?>\n<svg/>"),
    ("page.html", "HTML", b"\n<!DOCTYPE html><title>404</title>"), ("page.xml", "XML", b"<?xml version='1.0'?><a/>"),
    ("object.json", "JSON", b'{"error":"no such picture"}'), ("picture.ico", "icon", b"\0\0\1\0\1\0\1\1\0\0\1\0\x20\0"),
    ("picture.jxl", "JPEG XL", b"\xff\x0a\0\0\0"), ("container.jxl", "JPEG XL", b"\0\0\0\x0cJXL \r\n\x87\n"),
    ("picture.jp2", "JPEG 2000", b"\0\0\0\x0cjP  \r\n\x87\n"), ("codestream.j2k", "JPEG 2000", b"\xff\x4f\xff\x51\0\x29"),
    ("picture.qoi", "QOI", b"qoif\0\0\0\1\0\0\0\1\3\0"), ("page.pdf", "PDF", b"%PDF-1.7\n"), ("page.html.gz", "gzip", b"\x1f\x8b\x08\0\0\0\0\0"),
    ("picture.psd", "Photoshop", b"8BPS\0\1\0\0\0\0\0\0\0\3"), ("text.txt", "not PNG or JPEG", b"hello"),
    ("zeros", "not PNG or JPEG", bytes(300)), ("random", "not PNG or JPEG", b"\x01" + random.Random(9).randbytes(500)),
    ("animation.mng", "MNG", b"\x8aMNG\r\n\x1a\n\0\0\0\x1cMHDR"),
    ("one-byte", "not PNG or JPEG", b"P"),
]


def cases():
    for name, says, data in FILES:
        yield Case(f"foreign/{name}", f"{says}: not decoded", data, error="unsupported", says=says, by_header=True)
    for name, start in (("line-ends.png", b"\x89PNG\n\x1a\n"), ("seven-bits.png", b"\tPNG\r\n\x1a\n")):
        data = start + b"\0\0\0\rIHDR"
        yield Case(f"foreign/{name}", "a PNG transferred as text", data, error="corrupt", says="as text", by_header=True)
    yield Case("foreign/empty", "nothing", b"", error="truncated", by_header=True)
