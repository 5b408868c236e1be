"""Comparisons: which pairs count, and what is said about the others."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mt_gym.agents import make_policy
from mt_gym.bench import compare, run
from mt_gym.bench.compare import Side, compare_sides
from mt_gym.errors import MtGymError
from tests.bench.players import ID, Breaking, failure


def side(name: str, won: str, excluded: dict[int, str] | None = None) -> Side:
    """A side from a text such as `+-+`: won, not, won; `.` is missing."""
    wins = {("f", n): c == "+" for n, c in enumerate(won, 1) if c in "+-"}
    return Side(name, wins, {("f", n): why for n, why in (excluded or {}).items()})


def test_only_pairs_present_on_both_sides_count() -> None:
    a = side("a", "+++-+.+", {6: "budget"})
    b = side("b", "+-----.", {7: "infra_error"})
    (found,) = compare_sides([a, b])
    assert (found.pairs, found.both, found.neither) == (5, 1, 1)
    assert (found.only_first, found.only_second) == (3, 0)
    assert found.unmatched == (
        "f #7: finished in a, infra_error in b",
        "f #6: budget in a, finished in b",
    )
    assert found.one_sided == 1 / 8
    assert found.two_sided == 1 / 4


def test_sides_change_places_with_the_one_sided_tail() -> None:
    (one,) = compare_sides([side("a", "++++-"), side("b", "----+")])
    (other,) = compare_sides([side("b", "----+"), side("a", "++++-")])
    assert one.one_sided == 6 / 32
    assert other.one_sided == 31 / 32
    assert one.two_sided == other.two_sided == 12 / 32


def test_several_comparisons_are_adjusted_together() -> None:
    sides = [side("a", "++++++"), side("b", "------"), side("c", "+++---")]
    found = compare_sides(sides)
    assert [(one.first, one.second) for one in found] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert [one.two_sided for one in found] == [1 / 32, 1 / 4, 1 / 4]
    assert [one.adjusted for one in found] == [3 / 32, 1 / 2, 1 / 2]


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(MtGymError, match="no floor and repetition in common"):
        compare_sides([side("a", "++"), side("b", "..+")])
    with pytest.raises(MtGymError, match="at least two runs"):
        compare_sides([side("a", "+")])


def test_stored_runs_are_matched_by_floor_and_repetition(tmp_path: Path) -> None:
    good, bad, cut = (tmp_path / name for name in ("good", "bad", "cut"))
    run(ID, make_policy("witness"), episodes=6, out=good)
    run(ID, make_policy("random"), episodes=8, out=bad)
    run(ID, Breaking({1: failure()}), episodes=6, out=cut)
    first, second, _ = compare(good, bad, cut)
    assert (first.pairs, first.only_first, len(first.unmatched)) == (6, 6, 2)
    assert first.two_sided == 2 / 64
    assert "missing in" in first.unmatched[0]
    assert (second.pairs, len(second.unmatched)) == (5, 1)
    assert "infra_error in" in second.unmatched[0]
    assert "#2" in second.unmatched[0]
    assert "after Holm" in first.text()
    assert first.text().splitlines()[0].endswith(": 6 pairs")
    assert replace(first, pairs=1).text().splitlines()[0].endswith(": 1 pair")


def test_folders_of_runs_are_one_side(tmp_path: Path) -> None:
    for policy in ("heuristic", "random"):
        for floor in ("simple", "hand01"):
            out = tmp_path / policy / floor
            run(f"MagicTower-{floor}-v0", make_policy(policy), episodes=3, out=out)
    (found,) = compare(tmp_path / "heuristic", tmp_path / "random")
    assert found.pairs == 6


def test_two_runs_of_one_floor_are_no_side(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(ID, make_policy("random"), out=tmp_path / name)
    with pytest.raises(MtGymError, match="holds two runs of one floor, simple"):
        compare(tmp_path, tmp_path / "a")


def test_runs_of_changed_maps_are_not_matched(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(ID, make_policy("random"), out=tmp_path / name)
    file = tmp_path / "b" / "run.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "digest": "f" * 16}))
    with pytest.raises(MtGymError, match="no floor and repetition in common"):
        compare(tmp_path / "a", tmp_path / "b")
