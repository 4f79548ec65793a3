"""Errors of Ray and Spark, whose packages are replaced."""

import sys
from collections.abc import Callable, Iterable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from .conftest import Load, Origin, Output


class Losses:
    """Loses the first call."""

    def __init__(self) -> None:
        self.calls = 0

    def call(self, work: Callable[[], Any]) -> Any:
        self.calls += 1
        if self.calls == 1:
            raise RuntimeError("the worker was lost " + "x" * 1000)
        return work()


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    losses, module = Losses(), ModuleType("ray")
    module.remote = lambda work: SimpleNamespace(  # type: ignore[attr-defined]
        remote=lambda *given: lambda: losses.call(lambda: work(*given)))
    module.wait = lambda running: (running[:1], running[1:])  # type: ignore[attr-defined]
    module.get = lambda reference: reference()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", module)


@pytest.fixture
def pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    losses, module, sql = Losses(), ModuleType("pyspark"), ModuleType("pyspark.sql")

    def parallelize(part: Iterable[Any], _: int) -> SimpleNamespace:
        return SimpleNamespace(map=lambda work: SimpleNamespace(
            collect=lambda: losses.call(lambda: [work(task) for task in part])))

    session = SimpleNamespace(sparkContext=SimpleNamespace(parallelize=parallelize))
    builder = SimpleNamespace(getOrCreate=lambda: session)
    builder.appName = lambda _: builder
    sql.SparkSession = SimpleNamespace(builder=builder)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", module)
    monkeypatch.setitem(sys.modules, "pyspark.sql", sql)


@pytest.mark.parametrize("name", ["ray", "pyspark"])
def test_lost_shards_are_attempted_again(
    load: Load, origin: Origin, name: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str],
) -> None:
    request.getfixturevalue(name)
    output: Output = load(origin.pictures(6), distributor=name, subjob_size=2, number_sample_per_shard=2)
    assert [row["status"] for row in output.rows()] == ["success"] * 6
    lines = [line for line in capsys.readouterr().out.splitlines() if "the worker was lost" in line]
    assert len(lines) == (1 if name == "ray" else 2) and all(len(line) < 340 for line in lines)
