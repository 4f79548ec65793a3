"""The layout of the output folder."""

import hashlib
import json
import subprocess

import pandas
import pyarrow as pa
import pyarrow.parquet
import pytest
import webdataset

from .conftest import Load, Origin, Output, opened, picture

TEXTS = ["url", "key", "status", "error_message", "exif", "sha256"]
NUMBERS = ["width", "height", "original_width", "original_height"]


def test_archives_have_images_captions_and_metadata(load: Load, origin: Origin, tmp_path) -> None:
    urls = origin.pictures(3)
    (tmp_path / "list.csv").write_text("url,text,id\n" + "".join(f'{url},"a {n}, ü",{n}\n' for n, url in enumerate(urls)))
    output = load(tmp_path / "list.csv", input_format="csv", caption_col="text", save_additional_columns=["id"])
    assert output.names == ["00000.parquet", "00000.tar", "00000_stats.json"]
    members = output.members()
    assert list(members) == [f"00000000{n}.{end}" for n in range(3) for end in ("jpg", "txt", "json")]
    for number, url in enumerate(urls):
        key = f"00000000{number}"
        assert opened(members[f"{key}.jpg"]).size == (16, 16)
        assert members[f"{key}.txt"].decode() == f"a {number}, ü"
        row = output.row(key=key)
        assert json.loads(members[f"{key}.json"]) == row
        assert row["url"] == url and row["id"] == number and row["caption"] == f"a {number}, ü"
        assert row["status"] == "success" and row["error_message"] is None and row["exif"] == "{}"
        assert [row[name] for name in NUMBERS] == [16, 16, 20 + number, 30]
        assert row["sha256"] == hashlib.sha256(origin.responses[f"/{number}.jpg"][2]).hexdigest()


def test_columns_have_the_types_of_img2dataset(load: Load, origin: Origin) -> None:
    output = load(origin.pictures(1))
    schema = pa.parquet.read_schema(output.path / "00000.parquet")
    assert schema.names == ["url", "key", "status", "error_message", *NUMBERS, "exif", "sha256"]
    assert all(schema.field(name).type == pa.string() for name in TEXTS)
    assert all(schema.field(name).type == pa.int32() for name in NUMBERS)


def test_folders_have_the_files_of_archives(load: Load, origin: Origin, tmp_path) -> None:
    urls = origin.pictures(3) + [origin.base + "/0.jpg"]
    archives = load(urls, output_folder=str(tmp_path / "archives")).members()
    output = load(urls, output_format="files")
    assert output.names == ["00000", "00000.parquet", "00000_stats.json"]
    assert {file.name: file.read_bytes() for file in (output.path / "00000").iterdir()} == archives
    # No two samples share a file, so a user may change one of them.
    assert all(file.stat().st_nlink == 1 for file in (output.path / "00000").iterdir())


def test_folders_do_not_need_hard_links(load: Load, origin: Origin, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no hard links")

    monkeypatch.setattr("os.link", refuse)
    output = load(origin.pictures(2), output_format="files")
    assert sorted(file.name for file in (output.path / "00000").glob("*.jpg")) == ["000000000.jpg", "000000001.jpg"]


def test_parquet_has_the_images(load: Load, origin: Origin, tmp_path) -> None:
    urls = origin.pictures(2) + [origin.base + "/missing"]
    archives = load(urls, output_folder=str(tmp_path / "archives")).members()
    output = load(urls, output_format="parquet")
    assert output.names == ["00000.parquet", "00000_stats.json"]
    frame = pandas.read_parquet(output.path / "00000.parquet")
    assert frame["jpg"][0] == archives["000000000.jpg"] and frame["jpg"][1] == archives["000000001.jpg"]
    assert frame["jpg"][2] is None


def test_dummy_writes_only_statistics(load: Load, origin: Origin) -> None:
    output = load(origin.pictures(2), output_format="dummy")
    assert output.names == ["00000_stats.json"] and output.stats()["successes"] == 2


def test_statistics_count_the_rows_by_message(load: Load, origin: Origin) -> None:
    urls = origin.pictures(3) + [f"{origin.base}/missing/{n}" for n in range(4)] + [origin.put("/text", b"no image")]
    stats = load(urls).stats()
    assert list(stats) == ["count", "successes", "failed_to_download", "failed_to_resize", "duration", "start_time",
                           "end_time", "status_dict"]
    assert (stats["count"], stats["successes"], stats["failed_to_download"], stats["failed_to_resize"]) == (8, 3, 4, 1)
    assert sorted(stats["status_dict"].values()) == [1, 3, 4]
    assert stats["status_dict"]["success"] == 3 and stats["status_dict"]["the origin answered 404"] == 4


@pytest.mark.parametrize("size, digits, keys", [
    (1, 5, ["00000", "00001", "00002"]), (2, 3, ["0000", "0001", "0010"]), (10, 5, ["000000", "000001", "000002"]),
    (11, 2, ["0000", "0001", "0002"]), (100, 5, ["0000000", "0000001", "0000002"]),
])
def test_keys_have_the_digits_of_img2dataset(load: Load, origin: Origin, size: int, digits: int, keys: list[str]) -> None:
    output = load(origin.pictures(3), number_sample_per_shard=size, oom_shard_count=digits)
    assert [row["key"] for row in output.rows()] == keys
    assert f"{0:0{digits}}_stats.json" in output.names


def test_each_duplicate_has_its_own_sample(load: Load, origin: Origin, tmp_path) -> None:
    url = origin.put("/one.jpg", picture())
    lines = [json.dumps({"url": url, "text": f"caption {n}"}) for n in range(5)]
    (tmp_path / "list.jsonl").write_text("\n".join(lines))
    output = load(tmp_path / "list.jsonl", input_format="jsonl", caption_col="text", number_sample_per_shard=10)
    members = output.members()
    assert [members[f"00000{n}.txt"].decode() for n in range(5)] == [f"caption {n}" for n in range(5)]
    assert len({members[f"00000{n}.jpg"] for n in range(5)}) == 1
    alike = [{name: row[name] for name in (*NUMBERS, "status", "sha256", "exif")} for row in output.rows()]
    assert alike == [alike[0]] * 5
    assert origin.requests["/one.jpg"] == 1


def test_a_missing_caption_is_an_empty_text(load: Load, origin: Origin, tmp_path) -> None:
    (tmp_path / "list.jsonl").write_text(json.dumps({"url": origin.pictures(1)[0], "text": None}))
    output = load(tmp_path / "list.jsonl", input_format="jsonl", caption_col="text")
    assert output.members()["000000000.txt"] == b"" and output.rows()[0]["caption"] is None


def test_archives_are_equal_in_every_run_and_readable_by_tar(load: Load, origin: Origin, tmp_path) -> None:
    urls = origin.pictures(30)
    one, two = (load(urls, output_folder=str(tmp_path / name)).path / "00000.tar" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size % 10_240 == 0
    listed = subprocess.run(["tar", "tf", one], check=True, capture_output=True, text=True)
    assert listed.stderr == "" and len(listed.stdout.splitlines()) == 60


def test_webdataset_reads_the_archives(load: Load, origin: Origin) -> None:
    output = load(origin.pictures(25), number_sample_per_shard=10)
    samples = list(webdataset.WebDataset(f"{output.path}/{{00000..00002}}.tar", shardshuffle=False).decode("rgb8"))
    assert len(samples) == 25
    for sample in samples:
        assert sample["jpg"].shape == (16, 16, 3) and sample["json"]["key"] == sample["__key__"]


def test_an_empty_list_gives_no_shard(load: Load, tmp_path) -> None:
    (tmp_path / "list.txt").write_text("\n\n")
    assert load(tmp_path / "list.txt").names == []


def test_shards_run_side_by_side(load: Load, origin: Origin) -> None:
    output: Output = load(origin.pictures(20), number_sample_per_shard=3, processes_count=4)
    assert [row["url"] for row in output.rows()] == [f"{origin.base}/{n}.jpg" for n in range(20)]
    assert [output.stats(n)["count"] for n in range(7)] == [3] * 6 + [2]
