"""What a player sees: his own observation, the other heroes, and arrays of both.

Text and arrays of the own hero are those of the single environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import Hero, State, bits
from mt_gym.engine.tower import Tower
from mt_gym.envs.keywords import Config
from mt_gym.envs.spaces import TextSpace
from mt_gym.envs.view import TextView
from mt_gym.observation import max_length
from mt_gym.observation.columns import Column
from mt_gym.observation.features import (
    FEATURE_COLUMNS,
    HERO_COLUMNS,
    feature_table,
)
from mt_gym.observation.names import labels
from mt_gym.observation.text import REQUEST
from mt_gym.play.masks import Mask
from mt_gym.versus.rules import PASS

_SCORE: Final = Column("score", 0.0, 1.0, "goal score, if the game ended now")
_SHOWN: Final = {
    "hp": "HP",
    "atk": "ATK",
    "def": "DEF",
    "mdef": "MDEF",
    "gold": "Gold",
    "exp": "EXP",
}
"""What a hero's line always says, and under which name."""

_LITERALS: Final = 400
"""Characters of a block's sentences per hero, without names and numbers."""

_LAST_SHOWN: Final = 12
"""Turns of another player that a text tells; assists can make them many."""


class OtherInfo(TypedDict):
    """Another player's hero; `reach` only in a duel, else None.

    Attributes:
        player: name; hero: his numbers by resource; position: (column, row).
        floor: where he stands; turn: completed turns; score: goal score so far.
        ended: how his game ended, None while it goes on.
        reach: texts of what stands next to his region.
        executed: texts of the turns he took last.
    """

    player: str
    hero: dict[str, int]
    floor: str
    position: tuple[int, int]
    turn: int
    score: float
    ended: str | None
    reach: tuple[str, ...] | None
    executed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Another player as he is shown.

    Attributes:
        player: his name.
        state: the world that he is in, with his hero.
        turn: completed turns; score: goal score so far.
        ended: how his game ended; None while it goes on.
        shares_world: what is gone for him is gone for the one who looks.
        executed: texts of the turns he took last.
    """

    player: str
    state: State
    turn: int
    score: float
    ended: str | None
    shares_world: bool
    executed: tuple[str, ...]

    def info(self, tower: Tower) -> OtherInfo:
        """The same as JSON values."""
        hero = self.state.hero
        floor, position = place_of(tower, hero)
        return {
            "player": self.player,
            "hero": dict(zip(RESOURCES, hero[: len(RESOURCES)], strict=True)),
            "floor": floor,
            "position": position,
            "turn": self.turn,
            "score": self.score,
            "ended": self.ended,
            "reach": self._reach(tower) if self.shares_world else None,
            "executed": self.executed,
        }

    def _reach(self, tower: Tower) -> tuple[str, ...]:
        names = labels(tower)
        return tuple(names[i].here for i in bits(tower.game.candidates(self.state)))

    def lines(self, tower: Tower, max_turns: int) -> list[str]:
        """Hero, reach and last turns as text."""
        hero = self.state.hero
        floor, (x, y) = place_of(tower, hero)
        where = f"at ({x},{y})" + (f" on {floor}" if len(tower.floors) > 1 else "")
        parts = [hero_words(hero), where, f"turn {self.turn}/{max_turns}"]
        parts.append(f"goal score so far {self.score:.3f}")
        if self.ended is not None:
            parts.append(self.ended.replace("_", " "))
        found = [f"{self.player}: {' | '.join(parts)}"]
        if self.executed:
            done = ", ".join(self.executed[:_LAST_SHOWN])
            more = len(self.executed) - _LAST_SHOWN
            found.append(f"  last did: {done}{f' and {more} more' if more > 0 else ''}")
        if self.shares_world:
            found.append(f"  reaches: {', '.join(self._reach(tower)) or 'nothing'}")
        return found


def place_of(tower: Tower, hero: Hero) -> tuple[str, tuple[int, int]]:
    """Floor and (column, row) where a hero stands."""
    board = tower.board
    number = board.cell_floor[hero.position]
    y, x = divmod(hero.position - board.offsets[number], tower.floors[number].width)
    return board.floor_ids[number], (x, y)


def hero_words(hero: Hero) -> str:
    """A hero's numbers; those that few maps use only if he has some."""
    return " ".join(
        f"{_SHOWN.get(name, name.capitalize())}={amount}"
        for name, amount in zip(RESOURCES, hero[: len(RESOURCES)], strict=True)
        if amount or name in _SHOWN
    )


class SeatView:
    """Texts and arrays for each player of a game.

    Args:
        tower: what is played.
        config: keywords of the own observation.
        others: players besides the one who looks.
        shares_world: all heroes are in one world, and `pass` can be chosen.
        passes: the index after the tower's actions means `pass`.

    Attributes:
        rows: size of the action space.
        space: of the observations.
        sections: where each part of `"observation"` lies.
    """

    def __init__(
        self,
        tower: Tower,
        config: Config,
        others: int,
        shares_world: bool,
        passes: bool,
    ) -> None:
        self.tower, self.config = tower, config
        self.shares_world = shares_world
        n = config.rows
        self.rows = n + passes
        self.table = feature_table(tower, n)
        self.text_view = TextView(tower, config)
        parts: list[tuple[str, tuple[Column, ...], int]] = [
            ("hero", HERO_COLUMNS, 1),
            ("score", (_SCORE,), 1),
        ]
        ended = Column("ended", 0.0, 1.0, "his game is over")
        parts.append(("others", (*HERO_COLUMNS, _SCORE, ended), others))
        if shares_world:
            flags = (
                Column("to_move", 0.0, 1.0, "it is the turn of the one who looks"),
                Column("passed", 0.0, 1.0, "the last turn was a pass"),
            )
            parts.append(("turn", flags, 1))
        parts.append(("objects", FEATURE_COLUMNS, n))
        if shares_world:
            reach = Column("reach", 0.0, 1.0, "the other hero can walk up to it")
            parts.append(("reach", (reach,), n))
        self.sections: dict[str, slice] = {}
        low: list[float] = []
        high: list[float] = []
        for name, columns, times in parts:
            start = len(low)
            low += [column.low for column in columns] * times
            high += [column.high for column in columns] * times
            self.sections[name] = slice(start, len(low))
        self.space = spaces.Dict(
            {
                "observation": spaces.Box(
                    np.array(low, np.float32), np.array(high, np.float32)
                ),
                "action_mask": spaces.Box(0, 1, (self.rows,), dtype=np.int8),
                "text": TextSpace(self._longest(others)),
            }
        )

    def _longest(self, others: int) -> int:
        """Characters that no text exceeds.

        A hero's line has the numbers of a bare observation, and each object is named
        at most once in a reach.
        """
        tower, options = self.tower, self.config.settings.options
        bare = max_length(tower, "bare", frozenset(), options)
        names = sum(len(label.here) + 2 for label in labels(tower))
        texts = max(len(action.text) + 2 for action in tower.actions) * _LAST_SHOWN
        block = _LITERALS + 2 * bare + names + texts
        own = max_length(
            tower, self.text_view.kind, self.text_view.annotations, options
        )
        return own + _LITERALS + block * others

    def around(
        self,
        own: str,
        others: Sequence[Other],
        heading: Sequence[str],
        after: Sequence[str] = (),
    ) -> str:
        """The single environment's text, between what concerns the others.

        Args:
            own: that text.
            others: shown above it, below the heading.
            heading: lines at the top.
            after: further entries of the numbered list.
        """
        turns = self.config.settings.options.max_turns
        above = list(heading)
        for other in others:
            above += other.lines(self.tower, turns)
        if above:
            own = "\n".join(above) + "\n\n" + own
        if after:
            listed = own.removesuffix(REQUEST).rstrip("\n")
            own = "\n".join([listed, *after, "", REQUEST])
        return own

    def numbers(
        self,
        state: State,
        turn: int,
        score: float,
        ended: bool,
        others: Sequence[Other],
        turn_flags: tuple[bool, bool] = (False, False),
    ) -> NDArray[np.float32]:
        """The array `"observation"`: its parts are `sections`.

        Args:
            state: of the one who looks; turn: his completed turns.
            score: his goal score; ended: nothing is legal for him any more.
            others: in the order of their seats after his.
            turn_flags: whether he is to move, and whether the last turn was a pass.
        """
        table = self.table
        limit = self.config.settings.options.max_turns
        parts: list[NDArray[np.float32]] = [
            table.hero(state, turn / limit),
            np.array([score], np.float32),
        ]
        for other in others:
            parts.append(table.hero(other.state, other.turn / limit))
            done = other.ended is not None
            parts.append(np.array([other.score, done], np.float32))
        if self.shares_world:
            parts.append(np.array(turn_flags, np.float32))
        parts.append(table.objects(state, ended)[0].ravel())
        if self.shares_world:
            reach = self.tower.game.candidates(others[0].state)
            parts.append(table.table.spread(reach)[0].astype(np.float32))
        found: NDArray[np.float32] = np.concatenate(parts)
        return found

    def mask(self, own: Mask | None, may_pass: bool) -> Mask:
        """The action mask: the tower's actions (None for none), then `pass`."""
        mask: Mask = np.zeros(self.rows, np.int8)
        if own is not None:
            mask[: len(own)] = own
        if may_pass:
            mask[-1] = 1
        return mask


def pass_line(number: int, other: str, passed: bool) -> str:
    """The last entry of a duel's numbered list."""
    text = f"  {number}. [{PASS}] do nothing; {other} is next"
    if passed:
        text += " — passed after a pass, the duel ends by goal score"
    return text
