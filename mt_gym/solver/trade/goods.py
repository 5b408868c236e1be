"""What can be bought or chosen, as classes of improvements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mt_gym.engine.actions import CHOOSE, Action, MapObject
from mt_gym.engine.state import State
from mt_gym.solver.arrays import as_words
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_DOUBLES,
    C_GATES,
    C_PRICE,
    CHEAPEST,
    GIFTS,
    NotTrade,
    Table,
    named,
)

RAISED: Final = {"atk": 0, "def": 1, "mdef": 2, "hp": 3}
"""What an improvement may raise, by its column."""


@dataclass(slots=True)
class Goods:
    """Classes of improvements: the purchases first, then crystals of the same gain.

    Attributes:
        rows: the columns of a class before its crystals.
        members: its crystals, as a mask of gateways.
        level: class of each crystal by its object number.
        offers: actions of the purchases by what they raise.
        cheap: how often the price can still grow; 0 if it does not.
    """

    rows: list[list[int]] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    level: dict[int, int] = field(default_factory=dict)
    offers: dict[int, Action] = field(default_factory=dict)
    cheap: int = 0

    def add_shop(self, thing: MapObject, place: int, state: State, gold: int) -> None:
        """Add what a shop sells.

        Args:
            place: its number if it must be reached, else -1.
            gold: all that can be had.
        """
        if self.rows:
            raise NotTrade
        prices = {named(a.row.cost).get("gold", 0) for a in thing.actions}
        terms = {(a.row.growth, a.row.counter, a.row.doubles) for a in thing.actions}
        if len(prices) != 1 or len(terms) != 1 or 0 in prices:
            raise NotTrade
        if any(len(a.row.cost) != 1 for a in thing.actions):
            raise NotTrade
        price = prices.pop()
        growth, counter, doubled = terms.pop()
        units = _units(thing, self.offers)
        if doubled >= 0 and (growth or units[-1]):
            raise NotTrade
        if growth:
            self.cheap = CHEAPEST - state.world.counts[counter]
            last = price + growth * CHEAPEST
            if growth < 0 or self.cheap * (price + last) // 2 <= gold:
                raise NotTrade
        self.rows.append([price, growth, place, *units, int(doubled >= 0)])
        self.members.append(0)

    def add_crystal(self, gate: int, thing: MapObject) -> None:
        """Add a crystal."""
        row = [0, 0, -1, *_units(thing, {}), 0]
        if row not in self.rows:
            self.rows.append(row)
            self.members.append(0)
        self.level[thing.index] = self.rows.index(row)
        self.members[self.rows.index(row)] |= 1 << gate

    def most(self, gold: int, tokens: int) -> dict[str, int]:
        """What all improvements give together at the most, by what they raise.

        Args:
            gold, tokens: all that can be had.
        """
        found = dict.fromkeys(RAISED, 0)
        for row, mask in zip(self.rows, self.members, strict=True):
            times = gold // row[C_PRICE] if row[C_PRICE] else mask.bit_count()
            times <<= tokens if row[C_DOUBLES] else 0
            for name, at in RAISED.items():
                found[name] += times * row[C_ATK + at]
        return found

    def table(self, words: int) -> Table:
        """The classes; see `tables.C_PRICE`."""
        rows = [
            [*row, *as_words(mask, words)]
            for row, mask in zip(self.rows, self.members, strict=True)
        ]
        return np.array(rows, np.int64).reshape(-1, C_GATES + words)


def check_offer(thing: MapObject, action: Action, on_map: bool) -> None:
    """Refuse a purchase or a choice that this search does not know."""
    gain = named(action.row.gain)
    allowed = {"atk", "def", "mdef"} if action.code == CHOOSE else set(RAISED)
    if len(gain) != 1 or not set(gain) <= allowed or action.row.effects:
        raise NotTrade
    if action.code == CHOOSE:
        if thing.kind.blocks or action.row.cost:
            raise NotTrade
    elif action.row.removes or (on_map and not thing.kind.blocks):
        raise NotTrade


def _units(thing: MapObject, offers: dict[int, Action]) -> list[int]:
    """What a purchase or a crystal gives of ATK, DEF, MDEF, HP."""
    units = [0] * GIFTS
    for action in thing.actions:
        ((name, amount),) = named(action.row.gain).items()
        at = RAISED[name]
        if units[at] or amount <= 0:
            raise NotTrade
        units[at] = amount
        offers[at] = action
    return units
