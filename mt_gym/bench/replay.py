"""Stored episodes executed again by the engine, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mt_gym.bench.episode import hero_row
from mt_gym.bench.question import Row, state_id
from mt_gym.bench.read import check_digest
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, StateMismatch


class Step(NamedTuple):
    """A row of an episode, with the states before and after it."""

    row: Row
    before: State
    after: State


def walk(tower: Tower, rows: Sequence[Row]) -> Iterator[Step]:
    """Execute a stored episode again, row by row.

    Raises:
        StateMismatch: the log is of another tower, or one of its turns, HP values,
            attributes or its outcome is not what the engine gives.
    """
    start = rows[0]
    check_digest(tower, start["digest"], start["tower"])
    state = State.from_json(json.dumps(start["state"]))
    tower.check(state)
    _expect(0, "start HP", start["hp"], state.hero.hp)
    turns = 0
    for row in rows:
        before = state
        if row["row"] == "turn":
            turns += 1
            state = _turn(tower, state, row, turns)
        elif row["row"] in ("question", "step"):
            _expect(turns, "state", row["state"], state_id(state))
        elif row["row"] == "end":
            _end(tower, state, row, turns)
        yield Step(row, before, state)


def replay(tower: Tower, rows: Sequence[Row]) -> State:
    """The last state of a stored episode, executed again; raises like `walk`."""
    *_, last = walk(tower, rows)
    return last.after


def _turn(tower: Tower, state: State, row: Row, turn: int) -> State:
    _expect(turn, "turn", row["turn"], turn)
    _expect(turn, "hp_before", row["hp_before"], state.hero.hp)
    if row["action"] is not None:
        state = _executed(tower, state, row, turn)
    _expect(turn, "hp_after", row["hp_after"], state.hero.hp)
    if "hero" in row:
        _expect(turn, "hero", row["hero"], hero_row(state))
    return state


def _end(tower: Tower, state: State, row: Row, turns: int) -> None:
    _expect(turns, "turns", row["turns"], turns)
    _expect(turns, "final HP", row["hp"], state.hero.hp)
    found = tower.outcome(state)
    if found is not None or row["outcome"] in ("won", "died", "stuck"):
        _expect(turns, "outcome", row["outcome"], found or "turn_limit")


def _executed(tower: Tower, state: State, row: Row, turn: int) -> State:
    try:
        action = tower.action(str(row["text"]))
        _expect(turn, "action index", row["action"], action.index)
        return tower.step(state, action)
    except IllegalAction as error:
        raise StateMismatch(f"turn {turn} of the log: {error}") from error


def _expect(turn: int, what: str, logged: object, found: object) -> None:
    if logged != found:
        raise StateMismatch(
            f"turn {turn} of the log: {what} is {logged!r}, the engine gives {found!r}"
        )
