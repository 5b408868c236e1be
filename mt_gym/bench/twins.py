"""A floor and its transformed twins side by side: is it the game or the map?

A policy that has learned the game scores alike on all of them; one that has learned
the map by heart loses what it knew where the map is turned or renamed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from mt_gym.bench.measures import EpisodeResult
from mt_gym.bench.read import Run
from mt_gym.engine.transform import transformed
from mt_gym.errors import MtGymError

FLOOR: Final = ""
"""The transformation of the floor itself: none."""

_MAP_KEYWORDS: Final = ("shipped", "tower")

Played = tuple[Run, Sequence[EpisodeResult]]
"""A run and its counted episodes."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a policy reached on a floor or on one of its twins.

    Attributes:
        episodes: counted ones; won: those that reached the goal.
        goal_score: their mean; None without an episode.
    """

    episodes: int
    won: int
    goal_score: float | None

    @classmethod
    def of(cls, results: Sequence[EpisodeResult]) -> Score:
        """The score of counted episodes."""
        scores = [one.goal_score or 0.0 for one in results]
        won = sum(one.outcome == "won" for one in results)
        return cls(len(results), won, fmean(scores) if scores else None)

    def __str__(self) -> str:
        if self.goal_score is None:
            return "-"
        return f"{self.goal_score:.3f} ({self.won}/{self.episodes})"


@dataclass(frozen=True)
class TwinRow:
    """One policy, under the same settings, on a floor and its twins.

    Attributes:
        floor, policy: names.
        scores: by transformation, `FLOOR` first if the floor itself was played.
    """

    floor: str
    policy: str
    scores: Mapping[str, Score]

    @property
    def gap(self) -> float | None:
        """Goal score on the floor minus the mean of its twins; None if unknown."""
        own = self.scores[FLOOR].goal_score if FLOOR in self.scores else None
        twins = [
            score.goal_score
            for spec, score in self.scores.items()
            if spec != FLOOR and score.goal_score is not None
        ]
        return None if own is None or not twins else own - fmean(twins)


@dataclass(frozen=True)
class TwinTable:
    """Rows for tables, and what could not be put side by side.

    Attributes:
        rows: by floor and policy, in the order of the runs.
        notes: sentences.
    """

    rows: tuple[TwinRow, ...]
    notes: tuple[str, ...]

    def cells(self) -> list[list[str]]:
        """Heading and rows; [] if no run is of a twin."""
        if not self.rows:
            return []
        specs = list(dict.fromkeys(s for row in self.rows for s in row.scores if s))
        found = [["twins of", "policy", "the floor", *specs, "gap"]]
        for row in self.rows:
            scores = [str(row.scores.get(spec, "-")) for spec in (FLOOR, *specs)]
            gap = "-" if row.gap is None else f"{row.gap:+.3f}"
            found.append([row.floor, row.policy, *scores, gap])
        return found


def twin_table(played: Sequence[Played]) -> TwinTable:
    """Runs of twins beside those of their floors.

    Runs stand in one row if they differ in nothing but the transformation: policy with
    its options, environment, and condition are the same.  Several runs of one cell
    are counted together.

    Args:
        played: runs with their counted episodes.
    """
    twins = [one for one in played if one[0].about.get("transform")]
    rows, notes = [], []
    for floor, who, members in _groups(twins):
        plain = [
            one
            for one in played
            if not one[0].about.get("transform")
            and _floor_of(one[0]) == floor
            and _who(one[0]) == who
        ]
        found: dict[str, list[EpisodeResult]] = {}
        for base, results in plain:
            problem = _mismatch(base, members)
            if problem:
                notes.append(problem)
            else:
                found.setdefault(FLOOR, []).extend(results)
        for twin, results in members:
            found.setdefault(str(twin.about["transform"]), []).extend(results)
        scores = {spec: Score.of(results) for spec, results in found.items()}
        rows.append(TwinRow(floor, members[0][0].about["policy"], scores))
    return TwinTable(tuple(rows), tuple(notes))


def _groups(twins: Sequence[Played]) -> Iterator[tuple[str, str, list[Played]]]:
    """Runs of twins by floor and by who played how."""
    found: dict[tuple[str, str], list[Played]] = {}
    for one in twins:
        found.setdefault((_floor_of(one[0]), _who(one[0])), []).append(one)
    for (floor, who), members in found.items():
        yield floor, who, members


def _floor_of(run: Run) -> str:
    """Name of the floor, of a twin that of the floor it was made of."""
    origin = run.about.get("twin_of")
    return str(origin) if origin else Path(run.about["tower"]).stem


def _who(run: Run) -> str:
    """Everything of a run but its map, its seeds and its transformation."""
    about = run.about
    environment: Mapping[str, Any] = about["environment"]
    keywords = {
        key: value
        for key, value in environment.get("kwargs", {}).items()
        if key not in _MAP_KEYWORDS
    }
    told = [about.get(k) for k in ("policy", "about", "policy_options", "condition")]
    wrappers = environment.get("additional_wrappers")
    return json.dumps([*told, keywords, wrappers], sort_keys=True)


def _mismatch(base: Run, twins: Sequence[Played]) -> str:
    """Why a run is not of the floor that the twins were made of, or nothing."""
    for twin, _ in twins:
        spec = str(twin.about["transform"])
        try:
            same = transformed(base.tower, spec).digest == twin.about["digest"]
        except MtGymError as error:
            return f"{base.name} stands beside no twin: {error}"
        if not same:
            return (
                f"{base.name} stands beside no twin: {twin.name} played another map "
                f"than {spec} of its floor"
            )
    return ""


__all__ = ["FLOOR", "Score", "TwinRow", "TwinTable", "twin_table"]
