"""What a compiled tower is made of: rows with numbers, actions, objects."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Final

from mt_gym.engine.kinds import VERBS, Kind, Placement, Row, Spot

NO_CELL = -1

FIGHT, OPEN, COLLECT, CHOOSE, BUY, SELL, TRADE = range(7)
TALK, CLIMB, TRAVEL, BREAK, BOMB, FINISH, PASS = range(7, 14)
VERB_CODE: Final = {verb: code for code, verb in enumerate(VERBS)}

# Operations of a compiled row: (code, a, b, c).
REMOVE, REVEAL, STRENGTHEN, SCALE, SET, CLEAR = range(6)

WON = 1
"""Flag bit 0: the goal is reached."""


_NO_ROW: Final = Row("pass")


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRow:
    """A `Row` with names resolved to numbers and masks.

    Attributes:
        cost: pairs (resource, amount); `gain` likewise.
        needs: pairs (resource, least amount).
        flags: flag bits that must be set; `without`: that must not be.
        gone: objects of which `count` must be gone.
        counter: index of the shop's purchase counter, or -1.
        growth: what each purchase adds to the cost.
        doubles: resource whose amount doubles the gain, or -1.
        removes: objects gone afterwards, the own one included.
        effects: tuples (code, a, b, c), executed in order after cost and gain.
        plain: nothing but `cost`, `gain` and `removes` of the own object.
    """

    cost: tuple[tuple[int, int], ...] = ()
    gain: tuple[tuple[int, int], ...] = ()
    needs: tuple[tuple[int, int], ...] = ()
    flags: int = 0
    without: int = 0
    gone: int = 0
    count: int = 0
    counter: int = -1
    growth: int = 0
    doubles: int = -1
    removes: int = 0
    effects: tuple[tuple[int, int, int, int], ...] = ()
    source: Row = _NO_ROW

    @property
    def conditional(self) -> bool:
        """Whether anything but the cost decides if it can be executed."""
        return bool(self.needs or self.flags or self.without or self.gone)


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """An (object, verb, choice) of a tower; `str(action)` is its text.

    Attributes:
        index: rank in the tower's action table; the action of the environments.
        verb: one of `kinds.VERBS`.
        object: number of the object, or -1 for `travel`.
        choice: number of the choice among those of this verb, from 1; 0 if the
            object has only one.
        floor: floor id; position: (column, row), or None without a cell.
    """

    index: int
    verb: str
    object: int
    choice: int
    floor: str
    position: tuple[int, int] | None
    text: str
    code: int
    row: CompiledRow

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Action {self.index}: {self.text}>"

    def __eq__(self, other: builtins.object) -> bool:
        return (
            isinstance(other, Action)
            and self.index == other.index
            and self.text == other.text
        )

    def __hash__(self) -> int:
        return self.index


@dataclass(frozen=True, slots=True, eq=False)
class MapObject:
    """An object of the compiled map.

    Attributes:
        index: its number, and its bit in every mask.
        kind: what it is; `name`: shorthand for the kind's name.
        floor: number of its floor; `spot`: its place, None for an offer without
            a cell; `cell`: cell number or `NO_CELL`.
        hidden: not there until a script reveals it.
        actions: what can be done with it.
        monster: number of its kind in `Board.monsters`, or -1.
        goal: winning it ends the game.
        scripted: an action of it has effects beyond its own cost and gain.
        partner: number of the other end of a staircase, or -1.
        landing: cell where a staircase leads, or `NO_CELL`.
    """

    index: int
    kind: Kind
    floor: int
    spot: Spot | None
    cell: int
    hidden: bool
    placement: Placement
    actions: tuple[Action, ...]
    monster: int = -1
    goal: bool = False
    scripted: bool = False
    partner: int = -1
    landing: int = NO_CELL

    @property
    def name(self) -> str:
        """Name of its kind."""
        return self.kind.name
