"""Floors and their transformed twins side by side."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mt_gym.bench.measures import EpisodeResult
from mt_gym.bench.read import Run
from mt_gym.bench.twins import FLOOR, Score, twin_table
from mt_gym.engine.load import load
from mt_gym.engine.transform import transformed

PLAIN = EpisodeResult(
    episode=1,
    seed=0,
    outcome="won",
    hp=10,
    hero={},
    highest_floor="",
    turns=1,
    decisions=1,
    goal_score=1.0,
    reward=1.0,
    start_hp=1,
    reference_hp=10,
    reference="optimum",
    error="",
    sources={},
    calls=0,
    replayed=0,
    format_errors=0,
    repairs=0,
    fallbacks=0,
    tokens={},
    seconds=0.0,
)
LOST = replace(PLAIN, outcome="died", goal_score=0.2)


def stored(name: str, spec: str = "", **more: Any) -> Run:
    """A run of `hand02`, or of a twin of it."""
    tower = load("hand02")
    about: dict[str, Any] = {
        "policy": "mine",
        "tower": "hand02",
        "digest": tower.digest,
        "environment": {"id": "x", "kwargs": {"shipped": "hand02", "max_turns": 9}},
    }
    if spec:
        file = f"maps/hand02.{spec}.toml"
        about |= {
            "tower": file,
            "digest": transformed(tower, spec).digest,
            "environment": {"id": "y", "kwargs": {"tower": file, "max_turns": 9}},
            "transform": spec,
            "twin_of": "hand02",
        }
    return Run(Path(name), about | more)


def test_a_row_has_the_floor_its_twins_and_the_gap() -> None:
    table = twin_table(
        [
            (stored("plain"), [PLAIN, LOST]),
            (stored("one", "mirror"), [LOST]),
            (stored("two", "rename:1"), [PLAIN, PLAIN]),
            (stored("three", "rename:1"), [LOST, LOST]),
        ]
    )
    (row,) = table.rows
    assert row.scores == {
        FLOOR: Score(2, 1, 0.6),
        "mirror": Score(1, 0, 0.2),
        "rename:1": Score(4, 2, 0.6),
    }
    assert row.gap == pytest.approx(0.6 - (0.2 + 0.6) / 2)
    assert table.cells() == [
        ["twins of", "policy", "the floor", "mirror", "rename:1", "gap"],
        ["hand02", "mine", "0.600 (1/2)", "0.200 (0/1)", "0.600 (2/4)", "+0.200"],
    ]
    assert table.notes == ()


def test_runs_without_a_twin_are_in_no_row() -> None:
    table = twin_table([(stored("plain"), [PLAIN])])
    assert (table.rows, table.cells()) == ((), [])


@pytest.mark.parametrize(
    "other",
    [
        {"policy": "another"},
        {"about": {"model": "another"}},
        {"policy_options": {"seed": 1}},
        {"condition": "route"},
        {"environment": {"id": "x", "kwargs": {"shipped": "hand02", "max_turns": 8}}},
        {
            "environment": {
                "id": "x",
                "kwargs": {"shipped": "hand02", "max_turns": 9},
                "additional_wrappers": ["SpareHP"],
            }
        },
    ],
)
def test_a_run_that_differs_in_more_than_the_map_stands_apart(
    other: dict[str, Any],
) -> None:
    table = twin_table(
        [(stored("plain", **other), [PLAIN]), (stored("one", "mirror"), [LOST])]
    )
    (row,) = table.rows
    assert row.gap is None
    assert table.cells()[1] == ["hand02", "mine", "-", "0.200 (0/1)", "-"]


def test_a_twin_without_a_counted_episode_has_no_score() -> None:
    table = twin_table([(stored("plain"), [PLAIN]), (stored("one", "mirror"), [])])
    assert table.cells()[1] == ["hand02", "mine", "1.000 (1/1)", "-", "-"]


def test_a_floor_that_was_redrawn_since_is_named_and_not_compared() -> None:
    twin = stored("one", "mirror", digest="0" * 16)
    table = twin_table([(stored("plain"), [PLAIN]), (twin, [LOST])])
    assert table.cells()[1] == ["hand02", "mine", "-", "0.200 (0/1)", "-"]
    assert table.notes == (
        "plain stands beside no twin: one played another map than mirror of its floor",
    )
