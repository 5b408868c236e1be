"""Stored games played again: the same choices have to give the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.agents.policy import Decision, Env
from mt_gym.bench.question import Row
from mt_gym.bench.read import Run
from mt_gym.errors import NoAnswer, PolicyError, StateMismatch
from mt_gym.versus.duel import DuelEnv
from mt_gym.versus.game import NO_ANSWER, Seated, play_duel, play_race
from mt_gym.versus.race import RaceEnv
from mt_gym.versus.rules import name

_TOLD: Final = ("observation", "trace", "plan", "distribution", "log")
"""Keys of rows that the policies' own words decide, or that the log adds."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A policy that repeats the decisions of one game.

    Attributes:
        rows: its decisions, in order.
        silent: it gave no answer to the question after them.
    """

    rows: tuple[Row, ...]
    silent: bool
    name: str = "recorded"
    observation: str | None = None

    def new_episode(self, env: Env, seed: int) -> RecordedPlayer:
        """A player of the recorded decisions."""
        return RecordedPlayer(iter(self.rows), self.silent)


class RecordedPlayer:
    """Repeats decisions one by one; then it is silent, if the recorded one was."""

    def __init__(self, rows: Iterator[Row], silent: bool) -> None:
        self._rows, self._silent = rows, silent

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The next decision.

        Raises:
            NoAnswer: as in the game that is recorded.
            PolicyError: the log holds no more.
        """
        row = next(self._rows, None)
        if row is None and self._silent:
            raise NoAnswer("no answer was recorded")
        if row is None:
            raise PolicyError(f"turn {info['turn'] + 1}: the log has no decision")
        return Decision(row["action"], source=row["source"], trace=row["trace"])


def replay_game(run: Run, rows: Sequence[Row]) -> Row:
    """Play a stored game again; returns its last row.

    Raises:
        StateMismatch: the log is of another tower, or its rows are not what the
            recorded choices give.
    """
    start, end = rows[0], rows[-1]
    keywords = {"observation": start["observations"], "info_level": "full"}
    keywords = {**run.about["environment"]["keywords"], **keywords}
    seated = [
        Seated(
            label,
            Recorded(
                tuple(row for row in rows if _is_decision(row, seat)),
                end["outcome"] == NO_ANSWER,
            ),
            start["player_seeds"][seat],
        )
        for seat, label in enumerate(start["players"])
    ]
    if run.tower.digest != start["digest"]:
        raise StateMismatch(f"the game is of another tower than {run.tower.name!r}")
    tower = run.about["tower"]
    number, seed = start["episode"], start["seed"]
    if start["game"] == "duel":
        made = play_duel(DuelEnv(tower, **keywords), seated, number, seed)
    else:
        keywords.setdefault("on_illegal", "penalise")
        race = RaceEnv(tower, len(seated), **keywords)
        made = play_race(race, seated, number, seed)
    wanted = iter(rows)
    try:
        for line, row in enumerate(made, start=1):
            _compare(line, next(wanted, None), row)
    except PolicyError as error:
        raise StateMismatch(f"the log breaks off: {error}") from error
    return end


def _is_decision(row: Row, seat: int) -> bool:
    return (row["row"], row.get("player")) == ("decision", name(seat))


def _compare(line: int, stored: Row | None, made: Row) -> None:
    if stored is None:
        raise StateMismatch(f"the log ends before row {line}: {made['row']}")
    for key in dict.fromkeys((*stored, *made)):
        if key in _TOLD or (made["row"] == "turn" and key == "reason"):
            continue
        if stored.get(key) != made.get(key):
            raise StateMismatch(
                f"row {line} ({made['row']}): {key} is {stored.get(key)!r}, the game "
                f"gives {made.get(key)!r}"
            )
