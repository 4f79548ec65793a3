"""The sizes and formats of images."""

import io
import random
from typing import Any

import pytest
from PIL import Image

from .conftest import Load, Origin, opened, picture

WIDE, SMALL = (120, 60), (12, 6)


@pytest.mark.parametrize("mode, only_if_bigger, wide, small", [
    ("border", False, (32, 32), (32, 32)),
    ("keep_ratio", False, (64, 32), (64, 32)),
    ("keep_ratio_largest", False, (32, 16), (32, 16)),
    ("center_crop", False, (32, 32), (32, 32)),
    ("no", False, WIDE, SMALL),
    ("keep_ratio", True, (64, 32), SMALL),
    ("keep_ratio_largest", True, (32, 16), SMALL),
])
def test_modes_give_the_sizes_of_img2dataset(
    load: Load, origin: Origin, mode: str, only_if_bigger: bool, wide: tuple[int, int], small: tuple[int, int],
) -> None:
    urls = [origin.put("/wide", picture(*WIDE)), origin.put("/small", picture(*SMALL))]
    output = load(urls, image_size=32, resize_mode=mode, resize_only_if_bigger=only_if_bigger)
    for row, name, size in zip(output.rows(), ("000000000.jpg", "000000001.jpg"), (wide, small)):
        assert opened(output.members()[name]).size == size
        assert (row["width"], row["height"]) == size
    assert [(row["original_width"], row["original_height"]) for row in output.rows()] == [WIDE, SMALL]


def test_the_border_is_white(load: Load, origin: Origin) -> None:
    image = opened(load([origin.put("/wide", picture(120, 60))], image_size=32).members()["000000000.jpg"])
    assert all(value > 245 for value in image.getpixel((16, 1)) + image.getpixel((16, 30)))
    assert image.getpixel((16, 16))[0] > 180 and image.getpixel((16, 16))[1] < 60


def test_transparent_pixels_become_white(load: Load, origin: Origin) -> None:
    url = origin.put("/clear", picture(kind="PNG", mode="RGBA", color=(200, 30, 30, 0)))
    image = opened(load([url], image_size=20, resize_mode="center_crop").members()["000000000.jpg"])
    assert all(value > 245 for value in image.getpixel((10, 10)))


@pytest.mark.parametrize("name, kind, quality", [("jpg", "JPEG", 95), ("png", "PNG", 9), ("webp", "WEBP", 95)])
def test_formats_are_written_under_their_names(load: Load, origin: Origin, name: str, kind: str, quality: int) -> None:
    urls = [origin.put(f"/{one}", picture(kind=one)) for one in ("JPEG", "PNG", "WEBP", "GIF")]
    members = load(urls, encode_format=name, encode_quality=quality).members()
    assert [opened(data).format for file, data in members.items() if file.endswith(f".{name}")] == [kind] * 4


@pytest.mark.parametrize("more", [{"disable_all_reencoding": True}, {"resize_mode": "no", "skip_reencode": True}])
def test_bodies_are_written_unchanged(load: Load, origin: Origin, more: dict[str, Any]) -> None:
    body = picture(120, 60)
    members = load([origin.put("/wide", body)], **more).members()
    assert members["000000000.jpg"] == body


def test_unchanged_bodies_are_not_filtered(load: Load, origin: Origin) -> None:
    output = load([origin.put("/wide", picture(120, 60))], disable_all_reencoding=True, min_image_size=100,
                  max_image_area=10, max_aspect_ratio=1.5)
    assert output.rows()[0]["status"] == "success"


def test_the_orientation_is_applied(load: Load, origin: Origin) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    output = load([origin.put("/turned", picture(120, 60, exif=exif))], image_size=30, resize_mode="keep_ratio_largest")
    assert opened(output.members()["000000000.jpg"]).size == (15, 30)
    assert (output.rows()[0]["original_width"], output.rows()[0]["original_height"]) == (60, 120)


def test_quality_changes_the_size_of_the_file(load: Load, origin: Origin, tmp_path) -> None:
    noise = Image.frombytes("RGB", (64, 64), random.Random(1).randbytes(64 * 64 * 3))
    noise.save(stream := io.BytesIO(), "PNG")
    url = origin.put("/noise", stream.getvalue())
    low, high = (len(load([url], image_size=64, encode_quality=quality, output_folder=str(tmp_path / str(quality)))
                     .members()["000000000.jpg"]) for quality in (10, 95))
    assert low * 2 < high
