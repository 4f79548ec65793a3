"""Parameters that are not supported, the command line, and other ways to run."""

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cellophane_dataset import command, download

from .conftest import Load, Origin, Output


@pytest.mark.parametrize("name, value, words", [
    ("bbox_col", "boxes", "does not blur"),
    ("enable_wandb", True, "set it to False"),
    ("output_format", "tfrecord", "use webdataset or parquet"),
    ("output_format", "zip", "use one of: webdataset, parquet, files, dummy"),
    ("disallowed_header_directives", ["noai"], "supports only None"),
    ("resize_mode", "squeeze", "use one of: no, border"),
    ("upscale_interpolation", "cubic", "use one of: lanczos"),
    ("downscale_interpolation", "nearest", "use one of: area"),
    ("encode_format", "avif", "use one of: jpg, png, webp"),
    ("encode_quality", -1, "from 0 to 100"), ("encode_quality", 101, "from 0 to 100"),
    ("input_format", "orc", "use one of: txt"),
    ("compute_hash", "sha1", "use one of: None, md5"),
    ("distributor", "dask", "use one of: multiprocessing, pyspark, ray"),
    ("incremental_mode", "append", "use one of: incremental"),
    ("image_size", 0, "from 1 to"), ("image_size", 25.5, "give a whole number"), ("max_image_area", "9", "give a number"),
    ("image_size", "256", "from 1 to"), ("processes_count", 0, "of at least 1"),
    ("thread_count", 1025, "from 1 to 1024"), ("number_sample_per_shard", 0, "of at least 1"), ("retries", -1, "from 0"),
    ("timeout", 0, "positive number of seconds"), ("min_image_size", -1, "of at least 0"),
    ("max_aspect_ratio", 0.5, "of at least 1"), ("save_additional_columns", ["width"], "rename these columns"),
    ("save_additional_columns", "id", "give a list of names"), ("caption_col", "text", "needs columns"),
    ("verify_hash", "sha256", "needs columns"), ("tool_options", "--per-host 8", "give a list"),
    *[("tool_options", ["--per-host", "8", *options], f"has {options[0].partition('=')[0]}, ") for options in (
        ["--jsonl", "x"], ["--output", "x"], ["--output=x"], ["-o", "x"], ["--names=x"], ["--shard", "1/2"],
        ["--format", "csv"], ["--column=x"])],
])
def test_an_unsupported_value_is_named(load: Load, name: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=name) as raised:
        load(["http://127.0.0.1/"], **{name: value})
    assert words in str(raised.value)


@pytest.mark.parametrize("pair, words", [(["sum"], "a list of a column"), (["sum", "md5"], "give both the same hash")])
def test_an_unsupported_verification_is_named(load: Load, pair: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        load(["http://127.0.0.1/"], input_format="csv", verify_hash=pair)


def test_a_column_may_not_have_the_name_of_the_images(load: Load) -> None:
    with pytest.raises(ValueError, match="save_additional_columns has the name 'png'"):
        load(["http://127.0.0.1/"], input_format="csv", output_format="parquet", encode_format="png", encode_quality=9,
             save_additional_columns=["id", "png"])


def test_values_of_img2dataset_are_accepted(load: Load, origin: Origin) -> None:
    output = load(origin.pictures(1), encode_quality=0, upscale_interpolation="Lanczos", downscale_interpolation="AREA")
    assert output.stats()["successes"] == 1


def test_png_has_another_range_of_quality(load: Load) -> None:
    with pytest.raises(ValueError, match="encode_quality=95 .* from 0 to 9"):
        load(["http://127.0.0.1/"], encode_format="png")


def test_a_missing_tool_is_named(load: Load) -> None:
    with pytest.raises(RuntimeError, match="install cellophane, or give its path"):
        load(["http://127.0.0.1/"], tool="/nowhere/cellophane")


def test_the_environment_names_the_tool(load: Load, origin: Origin, tool: str, monkeypatch) -> None:
    monkeypatch.setenv("CELLOPHANE", tool)
    assert load(origin.pictures(1), tool=None).stats()["successes"] == 1


def test_options_are_passed_to_the_tool(load: Load, origin: Origin) -> None:
    load(origin.pictures(1), tool_options=["--header", "X-Test: 1"])
    assert origin.fields[0]["X-Test"] == "1"


def given(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, Any]:
    """Returns the parameters that the command line gives to `download`."""
    seen: dict[str, Any] = {}
    monkeypatch.setattr(command, "download", record := lambda **parameters: seen.update(parameters))
    record.__signature__ = inspect.signature(download)  # type: ignore[attr-defined]
    assert command.main(list(arguments)) == 0
    return seen


def test_the_command_line_has_the_forms_of_img2dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    assert given(
        monkeypatch, "--url_list=a.parquet", "--image_size", "128", "--skip_reencode", "--resize-only-if-bigger=True",
        "--extract_exif", "False", '--save_additional_columns=["a","b"]', "--verify_hash", "sum,md5", "--timeout=2.5",
        "--compute_hash=None", "--max_aspect_ratio=3", "--enable_wandb=False", "--disallowed_header_directives=[]",
        "--tool_options=--per-host", "--tool_options=8",
    ) == {
        "url_list": "a.parquet", "image_size": 128, "skip_reencode": True, "resize_only_if_bigger": True,
        "extract_exif": False, "save_additional_columns": ["a", "b"], "verify_hash": ["sum", "md5"], "timeout": 2.5,
        "compute_hash": None, "max_aspect_ratio": 3.0, "enable_wandb": False, "disallowed_header_directives": [],
        "tool_options": ["--per-host", "8"],
    }


@pytest.mark.parametrize("arguments", [
    ["a.txt", "--image_size", "128", "--enable_wandb", "False"], ["--image_size", "128", "--enable_wandb", "False", "a.txt"],
    ["--image_size", "128", "a.txt", "--enable_wandb=false"], ["--url_list", "a.txt", "--image_size=128", "--enable_wandb", "0"],
])
def test_the_list_may_have_no_name(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    assert given(monkeypatch, *arguments) == {"url_list": "a.txt", "image_size": 128, "enable_wandb": False}


@pytest.mark.parametrize("arguments", [[], ["a.txt", "--url_list=b.txt"], ["a.txt", "b.txt"]])
def test_the_command_needs_one_list(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert "cellophane-dataset: error: " in capsys.readouterr().err


def test_the_command_has_every_parameter() -> None:
    text = command.parser().format_help()
    assert all(f"--{name} " in text or f"--{name}," in text for name in inspect.signature(download).parameters)


def test_the_command_loads_a_list(origin: Origin, tool: str, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(origin.pictures(3)))
    ended = subprocess.run(
        [sys.executable, "-m", "cellophane_dataset.command", "--url_list=list.txt", "--output_folder=set",
         "--output_format=webdataset", f"--tool={tool}"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1].startswith("total: 3 rows")
    assert len(Output(tmp_path / "set").rows()) == 3


def test_the_command_reports_an_unsupported_value(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-m", "cellophane_dataset.command", "--url_list=x", "--bbox_col=b"],
                           cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 64 and ended.stderr.startswith("cellophane-dataset: bbox_col is not supported")


@pytest.mark.parametrize("form", ["webdataset", "files", "parquet"])
def test_lists_and_outputs_may_be_remote(load: Load, origin: Origin, tool: str, form: str) -> None:
    import fsspec
    system = fsspec.filesystem("memory")
    urls = origin.pictures(5)
    system.pipe("/lists/1.txt", "\n".join(urls).encode())
    parameters = {"output_format": form, "number_sample_per_shard": 2}
    expected = load(urls, **parameters)
    folder = f"memory://set-{form}"
    for _ in range(2):
        download("memory://lists/*.txt", output_folder=folder, image_size=16, tool=tool, **parameters)
    found = {name.split("/", 2)[2]: system.cat(name) for name in system.find(f"/set-{form}")}
    local = {str(file.relative_to(expected.path)): file.read_bytes() for file in expected.path.rglob("*") if file.is_file()}
    assert found.keys() == local.keys()
    for name, data in found.items():
        if name.endswith("_stats.json"):
            assert json.loads(data)["count"] == json.loads(local[name])["count"]
        else:
            assert data == local[name]
    assert origin.requests.total() == 10
