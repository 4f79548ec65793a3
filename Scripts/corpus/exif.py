"""Valid and invalid EXIF blocks (CIPA DC-008) in JPEG and PNG files."""

import struct

from corpus.case import Case
from corpus.jpeg import JFIF, JPEG, segment
from corpus.png import Picture, chunk

SHORT, LONG, BYTE = 3, 4, 1


def block(entries, order="<", at=8, next_directory=0, magic=42, claimed=None):
    """Returns a TIFF structure with one directory at the offset `at`. An entry is (tag, type, count, value)."""
    out = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", magic, at)
    out += bytes(max(0, at - 8)) + struct.pack(order + "H", len(entries) if claimed is None else claimed)
    for tag, kind, count, value in entries:
        out += struct.pack(order + "HHI", tag, kind, count)
        out += struct.pack(order + "HH", value, 0) if kind == SHORT else struct.pack(order + "I", value)
    return out + struct.pack(order + "I", next_directory)


def stated(value, kind=SHORT, count=1):
    return (0x0112, kind, count, value)


OTHER = (0x0100, LONG, 1, 7)
TEXT = (0x010F, 2, 0x7FFFFFFF, 0xFFFFFFF0)

# Name, description, block, and expected orientation.
BLOCKS = [
    *((f"{value}-{name}", f"orientation {value}", block([OTHER] * (value % 3) + [stated(value)], order), value)
      for value in range(1, 9) for name, order in (("little", "<"), ("big", ">"))),
    ("last-of-many", "after 40 other entries", block([OTHER] * 40 + [stated(6)], ">"), 6),
    ("first-of-many", "before 40 other entries", block([stated(8)] + [OTHER] * 40), 8),
    ("far-directory", "a directory far into the block", block([stated(3)], at=300), 3),
    ("odd-directory", "a directory at an odd place", block([stated(5)], ">", at=11), 5),
    ("text-outside", "after a text outside of the file", block([TEXT, stated(6)]), 6),
    ("more-entries-claimed", "a directory that claims more entries than there are", block([stated(6)], claimed=900), 6),
    ("zero", "orientation 0", block([stated(0)]), 1),
    ("nine", "orientation 9", block([stated(9)]), 1),
    ("large", "orientation 262", block([stated(0x0106)], ">"), 1),
    ("missing", "no such entry", block([OTHER]), 1),
    ("empty-directory", "no entries", block([]), 1),
    ("as-long", "the wrong type: LONG", block([stated(6, LONG)]), 1),
    ("as-byte", "the wrong type: BYTE", block([stated(6, BYTE)]), 1),
    ("type-0", "a type that does not exist", block([stated(6, 0)]), 1),
    ("count-0", "no value", block([stated(6, count=0)]), 1),
    ("count-2", "two values", block([stated(6, count=2)]), 1),
    ("count-huge", "2^32 - 1 values", block([stated(6, count=0xFFFFFFFF)], ">"), 1),
    ("wrong-then-right", "a wrong entry, then a right one", block([stated(6, LONG), stated(3)]), 3),
    ("twice", "two right entries: the first", block([stated(6), stated(3)]), 6),
    ("second-directory", "only in the directory of the thumbnail",
     block([OTHER], next_directory=26) + block([stated(6)])[8:], 1),
    ("loop", "a directory that names itself as the next", block([OTHER], next_directory=8), 1),
    ("directory-outside", "a directory outside the block", block([stated(6)], at=8)[:4] + b"\xff\0\0\0" + block([stated(6)])[8:], 1),
    ("directory-2-32", "a directory at 2^32 - 1", block([stated(6)])[:4] + b"\xff" * 4 + block([stated(6)])[8:], 1),
    ("directory-on-header", "a directory on the header itself", b"II*\0\0\0\0\0" + block([stated(6)])[8:], 1),
    ("magic", "43 in place of 42", block([stated(6)], magic=43), 1),
    ("order", "neither byte order", b"XX" + block([stated(6)])[2:], 1),
    ("order-mixed", "IM", b"IM" + block([stated(6)])[2:], 1),
    ("cut-in-entry", "the block ends in the entry", block([stated(6)])[:17], 1),
    ("cut-in-header", "the block ends in its header", block([stated(6)])[:6], 1),
    ("empty", "nothing in the block", b"", 1),
]


def app1(content):
    return segment(0xE1, b"Exif\0\0" + content)


def cases():
    picture = JPEG(21, 13, [(2, 1), (1, 1), (1, 1)])
    drawing = Picture(5, 3, 8, 6)
    for n, (name, covers, content, value) in enumerate(BLOCKS):
        yield Case(f"turned/{name}.jpg", covers, picture.file(JFIF + app1(content)), orientation=value)
        place = {"before" if n % 2 else "after": chunk(b"eXIf", content)}
        yield Case(f"turned/{name}.png", covers, drawing.file(**place), orientation=value, size=(5, 3), rgba=drawing.rgba())
    six, three = app1(block([stated(6)])), app1(block([stated(3)]))
    xmp = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>")
    thumbnail = JPEG(8, 8, [(1, 1)]).file()
    for name, covers, head, value in (
        ("before-JFIF", "EXIF before JFIF", six + JFIF, 6), ("no-JFIF", "EXIF without JFIF", six, 6),
        ("after-XMP", "EXIF after XMP in another APP1", JFIF + xmp + six, 6), ("two", "two EXIF blocks: the first", six + three, 6),
        ("XMP-only", "no EXIF in the APP1", JFIF + xmp, 1), ("APP2", "EXIF in APP2 is none", JFIF + segment(0xE2, six[4:]), 1),
        ("cut-mark", "an APP1 of 3 bytes", JFIF + segment(0xE1, b"Exi"), 1),
        ("thumbnail", "a JPEG within the EXIF block", app1(block([stated(6)]) + thumbnail), 6),
        ("64-KB", "the largest APP1", app1(block([stated(6)]) + bytes(65_533 - 6 - 26)), 6),
        ("comment", "EXIF between comments", segment(0xFE, b"a") + six + segment(0xFE), 6),
    ):
        yield Case(f"turned/place-{name}.jpg", covers, picture.file(head), orientation=value)
    late = picture.file(head=JFIF, frame=picture.frame() + six)
    yield Case("turned/place-after-frame.jpg", "EXIF between frame and scan", late, orientation=6)
    last = picture.file(tail=six + b"\xff\xd9")
    yield Case("turned/place-after-scan.jpg", "EXIF after the image is ignored", last)
    exif = chunk(b"eXIf", block([stated(6)]))
    png = {"size": (5, 3), "rgba": drawing.rgba(), "pillow": False}  # only the pixels are comparable with Pillow
    yield Case("turned/place-two.png", "two eXIf chunks: the first", drawing.file(before=exif, after=chunk(
        b"eXIf", block([stated(3)]))), orientation=6, **png)
    yield Case("turned/place-after-IEND.png", "eXIf after the end is none", drawing.file() + exif, **png)
    yield Case("turned/place-marked.png", "eXIf with the mark of a JPEG's is none", drawing.file(before=chunk(
        b"eXIf", b"Exif\0\0" + block([stated(6)]))), **png)
    for value in range(1, 9):  # large enough to be reduced while decoding
        large = JPEG(120, 72, [(2, 2), (1, 1), (1, 1)])
        yield Case(f"turned/large-{value}.jpg", f"orientation {value}, to be reduced", large.file(
            app1(block([stated(value)]))), orientation=value)
