"""The engine bench prints what it measures; how fast is no test."""

import re

import pytest

from mt_gym.bench.engine import MEASUREMENTS, Figure, bench_engine
from mt_gym.cli import call


def test_every_line_has_as_many_runs_as_asked_for() -> None:
    figures = list(bench_engine(runs=2, seconds=0.01))
    assert [figure.name for figure in figures] == [line.name for line in MEASUREMENTS]
    assert all(len(figure.runs) == 2 for figure in figures)
    assert all(value > 0 for figure in figures for value in figure.runs)


def test_figure_is_judged_by_its_median() -> None:
    assert Figure("x", "1/s", (1.0, 5.0, 9.0), 5.0).reached
    assert not Figure("x", "1/s", (1.0, 4.0, 9.0), 5.0).reached
    assert Figure("x", "s", (0.1, 0.2, 0.9), 0.3, at_least=False).reached


def test_command_prints_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["bench", "engine", "--runs", "1", "--seconds", "0.01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(MEASUREMENTS)
    for line, measurement in zip(lines[1:], MEASUREMENTS, strict=True):
        assert line.startswith(measurement.name)
        assert re.search(r"[≥≤] [\d,.]+ (1/s|s)", line)
