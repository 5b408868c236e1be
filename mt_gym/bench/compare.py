"""Two sides compared by their wins on the same floors and repetitions.

Pairs are matched by floor and repetition and must be present on both sides; what is
not is counted and named, and in no test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from mt_gym.bench.log import failed_episodes, finished_episodes
from mt_gym.bench.measures import EpisodeResult
from mt_gym.bench.read import Run, read_episode
from mt_gym.bench.stats import holm, sign_test
from mt_gym.bench.suites import runs_in
from mt_gym.errors import MtGymError

Key = tuple[str, int]
"""A floor's name with its hash, and a repetition from 1."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of comparisons.

    Attributes:
        name: for tables.
        won: whether the goal was reached, by floor and repetition.
        excluded: pairs that a server or a budget ended, with the outcome.
    """

    name: str
    won: Mapping[Key, bool]
    excluded: Mapping[Key, str] = field(default_factory=dict)

    def state(self, key: Key) -> str:
        """Whether a repetition is finished, or why it is not."""
        return "finished" if key in self.won else self.excluded.get(key, "missing")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two sides did where both played.

    Attributes:
        first, second: their names.
        pairs: present on both sides.
        both, neither: pairs that both won, or neither.
        only_first, only_second: the discordant pairs.
        unmatched: pairs of one side only, in words.
        one_sided: probability of at least as many pairs for the first side by
            chance; `two_sided`: twice the smaller tail, at most 1.
        adjusted: the two-sided one after Holm's adjustment over all comparisons.
    """

    first: str
    second: str
    pairs: int
    both: int
    neither: int
    only_first: int
    only_second: int
    unmatched: tuple[str, ...]
    one_sided: float
    two_sided: float
    adjusted: float

    def text(self) -> str:
        """The comparison in some lines."""
        lines = [
            f"{self.first} against {self.second}: {self.pairs} "
            f"pair{'' if self.pairs == 1 else 's'}",
            f"  both won {self.both}, neither {self.neither}, only the first "
            f"{self.only_first}, only the second {self.only_second}",
            f"  exact sign test: one-sided p = {self.one_sided:.4g}, two-sided "
            f"p = {self.two_sided:.4g}, after Holm {self.adjusted:.4g}",
        ]
        if self.unmatched:
            lines.append(
                f"  in no pair: {len(self.unmatched)} ({_some(self.unmatched)})"
            )
        return "\n".join(lines)


def compare(*paths: str | Path) -> list[Comparison]:
    """Compare stored runs, each with each.

    Args:
        paths: folders of runs, or folders of such folders (one run a floor).

    Raises:
        MtGymError: fewer than two sides, one of them twice, no run, a damaged file,
            nothing in common.
    """
    places = [Path(path).resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise MtGymError(
                f"{str(path)!r} is given twice: a run is no rival of itself"
            )
    sides = [side_of(path) for path in paths]
    return compare_sides(sides)


def side_of(path: str | Path) -> Side:
    """The side that a folder holds.

    Raises:
        MtGymError: no run, a damaged file, or two runs of one floor.
    """
    won: dict[Key, bool] = {}
    excluded: dict[Key, str] = {}
    floors: list[str] = []
    for run in runs_in(path):
        floor = f"{Path(run.about['tower']).stem} {run.about['digest'][:8]}"
        if floor in floors:
            raise MtGymError(f"{str(path)!r} holds two runs of one floor, {floor}")
        floors.append(floor)
        for result in _results(run):
            key = (floor, result.episode)
            if result.counted:
                won[key] = result.outcome == "won"
            else:
                excluded[key] = result.outcome
    return Side(str(path).rstrip("/"), won, excluded)


def compare_sides(sides: Sequence[Side]) -> list[Comparison]:
    """Compare sides, each with each.

    Raises:
        MtGymError: fewer than two, or two without a common pair.
    """
    if len(sides) < 2:
        raise MtGymError("a comparison needs at least two runs")
    found = [_compared(one, other) for one, other in combinations(sides, 2)]
    adjusted = holm([two_sided for *_, two_sided in found])
    return [
        Comparison(*parts, adjusted=p) for parts, p in zip(found, adjusted, strict=True)
    ]


_Parts = tuple[str, str, int, int, int, int, int, tuple[str, ...], float, float]


def _compared(one: Side, other: Side) -> _Parts:
    common = [key for key in one.won if key in other.won]
    if not common:
        raise MtGymError(
            f"{one.name!r} and {other.name!r} have no floor and repetition in common"
        )
    both = sum(one.won[key] and other.won[key] for key in common)
    first = sum(one.won[key] and not other.won[key] for key in common)
    second = sum(other.won[key] and not one.won[key] for key in common)
    neither = len(common) - both - first - second
    return (
        one.name,
        other.name,
        len(common),
        both,
        neither,
        first,
        second,
        _unmatched(one, other),
        sign_test(first, second, two_sided=False),
        sign_test(first, second),
    )


def _unmatched(*sides: Side) -> tuple[str, ...]:
    """The floors and repetitions that make no pair, and why."""
    keys = {key: None for one in sides for key in (*one.won, *one.excluded)}
    return tuple(
        f"{floor} #{repetition}: "
        + ", ".join(f"{one.state((floor, repetition))} in {one.name}" for one in sides)
        for floor, repetition in keys
        if not all((floor, repetition) in one.won for one in sides)
    )


def _results(run: Run) -> list[EpisodeResult]:
    files = {**failed_episodes(run.path), **finished_episodes(run.path)}
    return [
        EpisodeResult.of(read_episode(file, run.texts))
        for _, file in sorted(files.items())
    ]


def _some(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, ..."
