"""Comparison of two data sets sample by sample, and readers of data sets."""

import io
import tarfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet
from PIL import Image, ImageChops, ImageStat

# The mean difference of the values of a channel, of 255, that another resampling may cause.
TOLERANCE = 6.0
SIZES = ["width", "height", "original_width", "original_height"]


class DataSet:
    """The metadata of a data set by key, and its files by name."""

    def __init__(self, folder: Path) -> None:
        rows = [row for file in sorted(folder.glob("*.parquet")) for row in pyarrow.parquet.read_table(file).to_pylist()]
        self.rows: dict[str, dict[str, Any]] = {row["key"]: row for row in rows}
        if len(self.rows) != len(rows):
            raise SystemExit(f"{folder} has keys that occur twice")
        self.files: dict[str, bytes] = {}
        for path in folder.glob("*.tar"):
            with tarfile.open(path) as archive:
                self.files |= {member.name: archive.extractfile(member).read() for member in archive}
        for path in folder.glob("*/*.*"):
            self.files[path.name] = path.read_bytes()


def difference(one: bytes, other: bytes) -> float | None:
    """Returns the mean absolute difference of two images; None if their sizes differ."""
    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other))
    if first.size != second.size:
        return None
    return sum(ImageStat.Stat(ImageChops.difference(first, second)).mean) / 3


def compare(theirs: DataSet, ours: DataSet, listed: list[dict[str, str]]) -> None:
    """Prints what differs, by class, and what is equal."""
    kinds = {(row["url"], row["caption"]): row["kind"] for row in listed}
    classes: Counter[str] = Counter()
    differences: defaultdict[str, list[float]] = defaultdict(list)
    for key in sorted(theirs.rows.keys() | ours.rows.keys()):
        one, other = theirs.rows.get(key), ours.rows.get(key)
        if one is None or other is None:
            classes[f"a row is missing in {'img2dataset' if one is None else 'cellophane-dataset'}"] += 1
            continue
        kind = kinds[other["url"], other["caption"]]
        if (one["url"], one["caption"]) != (other["url"], other["caption"]):
            classes[f"{kind}: another URL or caption under the same key"] += 1
        if one["status"] != other["status"]:
            classes[f"{kind}: {_told(one)} in img2dataset, {_told(other)} in cellophane-dataset"] += 1
        elif other["status"] == "success":
            for name in [*SIZES, "sha256"]:
                if one[name] != other[name]:
                    classes[f"{kind}: another {name}"] += 1
            if theirs.files[f"{key}.txt"] != ours.files[f"{key}.txt"]:
                classes[f"{kind}: another text"] += 1
            found = difference(theirs.files[f"{key}.jpg"], ours.files[f"{key}.jpg"])
            if found is None:
                classes[f"{kind}: images of another size"] += 1
            else:
                differences[kind].append(found)
                if found > TOLERANCE:
                    classes[f"{kind}: the images differ by more than {TOLERANCE:g} of 255"] += 1
    lost = len(listed) - len(ours.rows)
    print(f"\n{len(listed)} rows in the list, {len(theirs.rows)} in img2dataset's output, {len(ours.rows)} in "
          f"cellophane-dataset's, {lost} lost.\n")
    print("| kind | images in both | mean difference | greatest |\n|---|---|---|---|")
    for kind, values in sorted(differences.items()):
        print(f"| {kind} | {len(values)} | {sum(values) / len(values):.2f} | {max(values):.2f} |")
    print("\nDifferences by class:" if classes else "\nNo other differences.")
    for words, count in classes.most_common():
        print(f"- {count} rows, {words}")


def _told(row: dict[str, Any]) -> str:
    return f"{row['status']} ({row['error_message']})" if row["error_message"] else str(row["status"])


def check_readers(folder: Path, successes: int) -> None:
    """Reads archives with webdataset, with the steps of open_clip's loader, and the metadata with pandas."""
    import pandas
    import webdataset as wds

    shards = [str(file) for file in sorted(folder.glob("*.tar"))]
    plain = sum(1 for _ in wds.WebDataset(shards, shardshuffle=False).decode("rgb8"))
    # open_clip is not installed, because it needs PyTorch. These are the steps of its training loader.
    steps = wds.DataPipeline(
        wds.SimpleShardList(shards), wds.tarfile_to_samples(),
        wds.select(lambda sample: "txt" in sample and any(kind in sample for kind in ("png", "jpg", "jpeg", "webp"))),
        wds.decode("pilrgb"), wds.rename(image="jpg;png;jpeg;webp", text="txt"),
        wds.map_dict(image=lambda image: image.resize((224, 224)), text=str), wds.to_tuple("image", "text"),
        wds.batched(64, partial=True, collation_fn=list))
    clip = sum(len(batch) for batch in steps)
    frames = [pandas.read_parquet(file) for file in folder.glob("*.parquet")]
    framed = sum(int((frame["status"] == "success").sum()) for frame in frames)
    print(f"\n{successes} samples; webdataset read {plain}, the steps of open_clip {clip}, pandas {framed}.")
    if {plain, clip, framed} != {successes}:
        raise SystemExit("a reader did not find all samples")
