"""A state of a plain tower as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from mt_gym.engine.actions import Action
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import ATK, DEF, HP, MDEF
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import (
    F_STRIDE,
    FIGHT,
    G_STRIDE,
    GATE,
    KEY_BITS,
    KINDS,
    R_STRIDE,
    REGION,
    Ints,
    M,
)
from mt_gym.solver.layout import PAID, Layout, dead_resources

_layouts: WeakKeyDictionary[Board, dict[object, Layout]] = WeakKeyDictionary()
_LAYOUTS_KEPT: Final = 64


def layout_of(tower: Tower, state: State, explicit: frozenset[int]) -> Layout:
    """The layout for a state, from the cache of its board."""
    board, world = tower.board, state.world
    opened = world.gone & ~state.hero.reach
    dead = dead_resources(board, state)
    key = (world.hidden, opened, explicit, dead)
    known = _layouts.setdefault(board, {})
    if key not in known:
        if len(known) >= _LAYOUTS_KEPT:
            known.clear()
        known[key] = Layout(board, world.hidden, opened, explicit, dead)
    return known[key]


@dataclass(slots=True)
class Gains:
    """What an object or a region gives: HP, ATK, DEF, MDEF, then keys by colour."""

    numbers: list[int]

    @classmethod
    def of(cls, actions: list[Action]) -> Gains:
        """Sum over actions."""
        found = [0] * (4 + len(PAID))
        for action in actions:
            for resource, amount in action.row.gain:
                if resource in (HP, ATK, DEF, MDEF):
                    found[(HP, ATK, DEF, MDEF).index(resource)] += amount
                elif resource in PAID:
                    found[4 + PAID.index(resource)] += amount
        return cls(found)

    def __bool__(self) -> bool:
        return any(self.numbers)

    @property
    def keys(self) -> int:
        """The keys in one word."""
        return pack_keys(self.numbers[4:])


def pack_keys(counts: list[int]) -> int:
    """Counts by colour in one word."""
    return sum(count << (KEY_BITS * c) for c, count in enumerate(counts))


@dataclass(slots=True)
class Instance:
    """A problem and the state to start from.

    Attributes:
        layout: how the tower is seen.
        data: the problem's arrays, see `arrays`.
        removed, exposed: [W] sets at the start.
        hp, keys, attr: numbers at the start, free regions collected.
        best_attr: the attribute with everything collected.
        all_hp: HP that is still to be had after the start.
        tag: W zeros.
    """

    layout: Layout
    data: Ints
    removed: Ints
    exposed: Ints
    hp: int
    keys: int
    attr: int
    best_attr: int
    all_hp: int
    tag: tuple[int, ...]

    @property
    def gateways(self) -> int:
        """How many gateways there are."""
        return len(self.layout.objects)

    def rows(self, part: int, count: int, columns: int) -> Ints:
        """A part of `data` as a table that can be written."""
        start = int(self.data[part])
        part_of: Ints = self.data[start : start + count * columns]
        return part_of.reshape(count, columns)

    def gates(self) -> Ints:
        """The gateways' rows."""
        return self.rows(GATE, self.gateways, G_STRIDE + len(self.tag))

    def regions(self) -> Ints:
        """The regions' rows."""
        return self.rows(REGION, int(self.data[M]), R_STRIDE + len(self.tag))

    def fights(self) -> Ints:
        """The monster kinds' rows."""
        return self.rows(FIGHT, int(self.data[KINDS]), F_STRIDE)

    def words(self, part: int) -> Ints:
        """A set, such as `GOAL`."""
        found: Ints = self.rows(part, 1, len(self.tag))[0]
        return found


class NotPlain(Exception):
    """The compiled search cannot handle a state."""
