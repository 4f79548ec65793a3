"""Input formats."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from cellophane_dataset.columns import input_columns
from cellophane_dataset.lists import FORMATS, UrlList, shards

from .conftest import Load, Origin

ROWS = [{"url": f"http://h/{n}", "text": f'row {n}, "quoted"\nü', "id": n, "share": n / 2 if n % 3 else None}
        for n in range(25)]


def encoded(kind: str, rows: list[dict[str, Any]]) -> bytes:
    """Returns a list in a format."""
    if kind.endswith(".gz"):
        return gzip.compress(encoded(kind.removesuffix(".gz"), rows))
    if kind == "txt":
        return "".join(f"{row['url']}\r\n\n" for row in rows).encode("utf-8-sig")
    if kind in ("csv", "tsv"):
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="," if kind == "csv" else "\t")
        writer.writeheader()
        writer.writerows(rows)
        return stream.getvalue().encode()
    if kind == "json":
        return json.dumps(rows).encode()
    if kind == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    pa.parquet.write_table(pa.Table.from_pylist(rows), stream := io.BytesIO())
    return stream.getvalue()


def read(path: Path, kind: str, *additional: str, caption: str | None = "text", url: str = "url") -> pa.Table:
    urls = UrlList(str(path), kind, input_columns(url, None if kind.startswith("txt") else caption, None, additional))
    return pa.concat_tables([pa.Table.from_batches([batch]) for file in urls.files() for batch in urls.batches(file)])


@pytest.mark.parametrize("kind", FORMATS)
def test_all_formats_give_the_same_rows(tmp_path: Path, kind: str) -> None:
    (tmp_path / "list").write_bytes(encoded(kind, ROWS))
    has_columns = not kind.startswith("txt")
    table = read(tmp_path / "list", kind, *(["id", "share"] if has_columns else []))
    assert table.column("url").to_pylist() == [row["url"] for row in ROWS]
    assert table.schema.field("url").type == pa.string()
    if has_columns:
        assert table.column_names == ["id", "share", "caption", "url"]
        assert table.column("caption").to_pylist() == [row["text"] for row in ROWS]
        assert table.column("id").to_pylist() == list(range(25)) and table.schema.field("id").type == pa.int64()
        assert table.column("share").to_pylist() == [row["share"] for row in ROWS]


def test_a_folder_and_a_glob_give_their_files_in_order(tmp_path: Path) -> None:
    for number, name in enumerate(["b", "a", "c"]):
        (tmp_path / f"{name}.jsonl").write_bytes(encoded("jsonl", ROWS[number : number + 1]))
    (tmp_path / "other.csv").write_bytes(encoded("csv", ROWS))
    assert read(tmp_path, "jsonl").column("url").to_pylist() == ["http://h/1", "http://h/0", "http://h/2"]
    assert read(tmp_path / "[ac].jsonl", "jsonl").column("url").to_pylist() == ["http://h/1", "http://h/2"]


def test_each_file_begins_with_a_new_shard(load: Load, origin: Origin, tmp_path: Path) -> None:
    urls = origin.pictures(5)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/1.txt").write_text("\n".join(urls[:3]))
    (tmp_path / "lists/2.txt").write_text("\n".join(urls[3:]))
    output = load(tmp_path / "lists", number_sample_per_shard=2)
    assert [row["key"] for row in output.rows()] == ["000000", "000001", "000010", "000020", "000021"]
    assert [row["url"] for row in output.rows()] == urls


@pytest.mark.parametrize("values, kind", [
    ([1, 2.5], pa.float64()), ([1, "a"], pa.string()), ([2.5, "a"], pa.string()), (["", 1], pa.int64()),
    (["true", "maybe"], pa.string()), (["", "a"], pa.string()),
])
@pytest.mark.parametrize("form", ["csv", "tsv.gz"])
def test_all_values_of_a_column_decide_its_type(tmp_path: Path, form: str, values: list[Any], kind: pa.DataType) -> None:
    # The reader infers types from the first block. The second value is beyond it.
    rows = [{"url": "http://h/" + "x" * 1000, "text": "", "id": values[0]} for _ in range(10_000)]
    rows.append({"url": "http://h/", "text": "", "id": values[1]})
    (tmp_path / "list").write_bytes(encoded(form, rows))
    table = read(tmp_path / "list", form, "id")
    assert table.schema.field("id").type == kind and table.num_rows == 10_001
    assert str(table.column("id")[-1].as_py()) in (str(values[1]), f"{values[1]}.0")


def test_values_of_several_types_become_text_in_jsonl(tmp_path: Path) -> None:
    lines = [{"url": "u", "id": 1, "text": 5}, {"url": "u", "id": "a", "text": ["b"]}, {"url": "u", "id": None}]
    (tmp_path / "list").write_text("\n".join(map(json.dumps, lines)))
    table = read(tmp_path / "list", "jsonl", "id")
    assert table.column("id").to_pylist() == ["1", "a", None]
    assert table.column("caption").to_pylist() == ["5", '["b"]', None]


def test_bytes_that_are_not_utf8_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"url,text\nhttp://h/\xff,caf\xe9\n")
    table = read(tmp_path / "list", "csv")
    assert table.to_pylist() == [{"caption": "caf\ufffd", "url": "http://h/\ufffd"}]


def test_a_quoted_url_of_txt_is_unquoted(tmp_path: Path) -> None:
    (tmp_path / "list").write_text('"http://h/a,b.jpg"\n"http://h/""c"""\r\nhttp://h/"\n""\n"\n')
    assert read(tmp_path / "list", "txt").column("url").to_pylist() == [
        "http://h/a,b.jpg", 'http://h/"c"', 'http://h/"', '"']


def test_dictionaries_of_parquet_may_differ(load: Load, origin: Origin, tmp_path: Path) -> None:
    urls = origin.pictures(4)
    schema = pa.schema([("url", pa.dictionary(pa.int32(), pa.string())), ("kind", pa.dictionary(pa.int32(), pa.string()))])
    with pa.parquet.ParquetWriter(tmp_path / "list", schema) as writer:
        for part, kinds in (urls[:2], ["a", "b"]), (urls[2:], ["c", "a"]):
            writer.write_table(pa.table({"url": part, "kind": kinds}).cast(schema))
    rows = load(tmp_path / "list", input_format="parquet", save_additional_columns=["kind"]).rows()
    assert [row["kind"] for row in rows] == ["a", "b", "c", "a"]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.dictionary(pa.int32(), pa.binary())])
def test_captions_of_bytes_are_text(tmp_path: Path, kind: pa.DataType) -> None:
    captions = pa.array(["ü".encode(), None, b"\xff"], pa.binary()).cast(kind)
    pa.parquet.write_table(pa.table({"url": ["a", "b", "c"], "text": captions}), tmp_path / "list")
    assert read(tmp_path / "list", "parquet").column("caption").to_pylist() == ["ü", None, "\ufffd"]


def test_json_may_be_an_object_of_columns(tmp_path: Path) -> None:
    for columns in {"url": ["a", "b"], "text": ["c", "d"]}, {"url": {"0": "a", "1": "b"}, "text": {"0": "c", "1": "d"}}:
        (tmp_path / "list").write_text(json.dumps(columns))
        assert read(tmp_path / "list", "json").to_pylist() == [{"caption": "c", "url": "a"}, {"caption": "d", "url": "b"}]


def test_columns_of_json_are_joined_by_the_names_of_rows(tmp_path: Path) -> None:
    (tmp_path / "list").write_text('{"url": {"0": "a", "1": "b"}, "text": {"1": "c"}}')
    assert read(tmp_path / "list", "json").to_pylist() == [{"caption": None, "url": "a"}, {"caption": "c", "url": "b"}]


@pytest.mark.parametrize("content, words", [
    ('{"url": ["a", "b"], "text": ["c"]}', "different lengths .url: 2, text: 1."), ('{"url": ', "list is not JSON"),
    ('{"url": ["a"], "text": {"0": "c"}}', "neither an array"),
])
def test_json_without_complete_columns_is_an_error(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "list").write_text(content)
    with pytest.raises(ValueError, match=words):
        read(tmp_path / "list", "json")


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if not kind.startswith("txt")])
def test_a_missing_column_is_named(tmp_path: Path, kind: str) -> None:
    (tmp_path / "list").write_bytes(encoded(kind, ROWS))
    with pytest.raises(ValueError, match="no column 'link', which url_col names; use one of: url, text, id, share"):
        read(tmp_path / "list", kind, url="link")


@pytest.mark.parametrize("content, message", [
    (b'{"url": "a"}\n{"url": \n', "line 2 of .* is not JSON"), (b'["a"]\n', "line 1 of .* is not a JSON object"),
])
def test_a_broken_line_of_jsonl_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "list", "jsonl")


def duplicates() -> bytes:
    """Returns a Parquet file with two columns of the same name."""
    pa.parquet.write_table(pa.table([["a"], ["b"], ["c"]], ["url", "text", "text"]), stream := io.BytesIO())
    return stream.getvalue()


@pytest.mark.parametrize("kind, content, words", [
    ("parquet", duplicates(), "more than one column 'text'; rename"), ("parquet", b"no Parquet", "cannot be read as parquet"),
    ("parquet", duplicates()[:-20] + b"x" * 12 + duplicates()[-8:], "cannot be read as parquet"),
    ("csv", b"url,text,text\na,b,c\n", "more than one column 'text'; rename"), ("csv", b"", "cannot be read as csv"),
    ("csv", b"url,text\na,b\na,b,c\n", "cannot be read as csv"), ("jsonl.gz", b"{}", "cannot be read as jsonl.gz"),
    ("jsonl.gz", gzip.compress(b"{}" * 99, mtime=0)[:-9], "cannot be read as jsonl.gz"),
])
def test_a_broken_file_is_named_with_a_remedy(tmp_path: Path, kind: str, content: bytes, words: str) -> None:
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(ValueError, match=f"/list .*{words}") as raised:
        read(tmp_path / "list", kind)
    assert type(raised.value) is ValueError and len(str(raised.value)) < 600


def test_shards_cross_batches() -> None:
    batches = [pa.record_batch({"n": list(range(start, start + 7))}) for start in (0, 7, 14)]
    parts = [table.column("n").to_pylist() for table in shards(iter(batches), 5)]
    assert parts == [list(range(start, min(start + 5, 21))) for start in range(0, 21, 5)]


def test_a_list_without_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no file of the format csv"):
        read(tmp_path, "csv")
