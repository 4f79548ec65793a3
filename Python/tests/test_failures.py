"""Rows without an image, and what their columns have."""

import hashlib
import json
import threading
from typing import Any

import pytest
from PIL import Image

from cellophane_dataset.messages import message

from .conftest import Load, Origin, picture


def test_rows_without_a_url_are_not_lost(load: Load, origin: Origin, tmp_path) -> None:
    urls: list[Any] = [None, "", "no url", "ftp://127.0.0.1/x", "http://", "http://[::1", 7, "\ud800", origin.pictures(1)[0]]
    lines = [json.dumps({"url": url, "id": number}) for number, url in enumerate(urls)] + [json.dumps({"id": 9})]
    (tmp_path / "list.jsonl").write_text("\n".join(lines))
    rows = load(tmp_path / "list.jsonl", input_format="jsonl", save_additional_columns=["id"]).rows()
    assert [row["id"] for row in rows] == list(range(10))
    assert [row["status"] for row in rows] == ["failed_to_download"] * 8 + ["success", "failed_to_download"]
    assert all(row["error_message"] for row in rows if row["status"] != "success")
    assert rows[0]["url"] is None and rows[9]["url"] is None


def test_failures_have_the_status_of_their_step(load: Load, origin: Origin) -> None:
    body = picture(200, 200)
    cases = {
        origin.put("/404", b"", 404): ("failed_to_download", "the origin answered 404"),
        origin.put("/500", b"", 500): ("failed_to_download", "the origin answered 500"),
        origin.put("/text", b"<html>", Content_Type="image/jpeg"): ("failed_to_resize", None),
        origin.put("/empty", b""): ("failed_to_resize", None),
        origin.put("/half", body[: len(body) // 2]): ("failed_to_resize", None),
        origin.put("/good", body): ("success", None),
    }
    output = load(list(cases))
    for url, (status, message) in cases.items():
        row = output.row(url=url)
        assert row["status"] == status
        if message:
            assert row["error_message"] == message
        if status != "success":
            assert all(row[name] is None for name in ("width", "original_height", "exif", "sha256"))
    assert list(output.members()) == ["000000005.jpg", "000000005.json"]


def test_messages_do_not_depend_on_the_url(load: Load, origin: Origin) -> None:
    urls = [origin.put(f"/half/{n}.jpg", picture(100 + n, 90)[: 400 + n]) for n in range(5)] + [f"bad {n}" for n in range(5)]
    assert sorted(load(urls).stats()["status_dict"].values()) == [5, 5]


@pytest.mark.parametrize("told, expected", [
    ("not an absolute URL: 'x http://h/a'; write http://host/path", "not an absolute URL: '…'; write http://host/path"),
    ("not an absolute URL: 'http://h/it's a'; write http://host/path", "not an absolute URL: '…'; write http://host/path"),
    ("http://h/it's.jpg answered 404", "the origin answered 404"),
    ("the host's body has 'a' and 'b'", "the host's body has '…' and '…'"),
])
def test_quoted_text_is_left_out_of_messages(told: str, expected: str) -> None:
    assert message({"outcome": "failed", "error": {"message": told}}) == expected


@pytest.mark.parametrize("directive", ["noai", "noimageai", "noindex", "noimageindex"])
def test_opted_out_images_are_left_out(load: Load, origin: Origin, directive: str) -> None:
    url = origin.put("/out.jpg", picture(), X_Robots_Tag=directive)
    row = load([url]).rows()[0]
    assert row["status"] == "failed_to_download" and directive in row["error_message"]


@pytest.mark.parametrize("more", [{}, {"disable_all_reencoding": True}, {"resize_mode": "no"}])
def test_opted_out_images_are_left_out_with_any_encoding(load: Load, origin: Origin, more: dict[str, Any]) -> None:
    output = load([origin.put("/out.jpg", picture(), X_Robots_Tag="noai")], **more)
    assert output.members() == {}


def test_an_opt_out_may_address_the_token(load: Load, origin: Origin, tmp_path) -> None:
    urls = [origin.put("/ours.jpg", picture(), X_Robots_Tag="gatherer: noai"),
            origin.put("/others.jpg", picture(), X_Robots_Tag="other: noai")]
    output = load(urls, user_agent_token="gatherer")
    assert [row["status"] for row in output.rows()] == ["failed_to_download", "success"]
    assert all(fields["User-Agent"].startswith("gatherer ") for fields in origin.fields)


def test_an_empty_list_of_directives_loads_all(load: Load, origin: Origin) -> None:
    url = origin.put("/out.jpg", picture(), X_Robots_Tag="noai")
    assert load([url], disallowed_header_directives=[]).rows()[0]["status"] == "success"


def test_filters_leave_out_images_by_size(load: Load, origin: Origin) -> None:
    urls = [origin.put("/small", picture(40, 9)), origin.put("/large", picture(100, 101)),
            origin.put("/wide", picture(61, 20)), origin.put("/good", picture(100, 100))]
    output = load(urls, min_image_size=10, max_image_area=100 * 100, max_aspect_ratio=3)
    assert [row["error_message"] for row in output.rows()] == [
        "image too small", "image area too large", "aspect ratio too large", None]
    assert {row["status"] for row in output.rows()[:3]} == {"failed_to_resize"}


@pytest.mark.parametrize("kind", ["sha256", "sha512", "md5"])
def test_hashes_are_computed_and_verified(load: Load, origin: Origin, tmp_path, kind: str) -> None:
    body = picture()
    url, broken = origin.put("/one", body), origin.put("/broken", b"no image")
    right = hashlib.new(kind, body).hexdigest()
    sums = [right, "0" * len(right), right, None]
    lines = [json.dumps({"url": url, "sum": one}) for one in sums] + [json.dumps({"url": broken, "sum": right})]
    (tmp_path / "list.jsonl").write_text("\n".join(lines))
    output = load(tmp_path / "list.jsonl", input_format="jsonl", compute_hash=kind, verify_hash=["sum", kind])
    assert [row["status"] for row in output.rows()[:4]] == [
        "success", "failed_to_download", "success", "failed_to_download"]
    assert [row[kind] for row in output.rows()] == [right, None, right, None, None]
    assert output.stats()["status_dict"]["hash mismatch"] >= 2
    assert output.rows()[4]["status"] != "success"


def test_no_hash_and_no_exif_have_no_column(load: Load, origin: Origin) -> None:
    row = load(origin.pictures(1), compute_hash=None, extract_exif=False).rows()[0]
    assert "sha256" not in row and "exif" not in row


def test_exif_is_a_json_text(load: Load, origin: Origin) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Maker of cameras"
    row = load([origin.put("/exif.jpg", picture(exif=exif))]).rows()[0]
    assert "Maker of cameras" in json.loads(row["exif"]).values()


def test_a_request_that_exceeds_the_timeout_fails(load: Load, origin: Origin) -> None:
    release = threading.Event()
    origin.on_request = lambda path: path == "/slow" and release.wait() or None
    urls = [origin.put("/slow", picture()), *origin.pictures(3)]
    try:
        rows = load(urls, timeout=1).rows()
    finally:
        release.set()
    assert [row["status"] for row in rows] == ["failed_to_download"] + ["success"] * 3


def test_retries_repeat_a_request(load: Load, origin: Origin) -> None:
    url = origin.put("/often", b"", 503)
    load([url], retries=2)
    assert origin.requests["/often"] == 3
    load([url], incremental_mode="overwrite")
    assert origin.requests["/often"] == 4
