"""The table of what fights cost at every ATK, DEF and MDEF that a hero can have."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mt_gym.engine.actions import SCALE
from mt_gym.engine.board import Board
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.layout import NOWHERE
from mt_gym.solver.arrays import as_words

ATTRIBUTES = (1, 2, 3)
"""Slots of ATK, DEF, MDEF."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One attribute.

    Attributes:
        low: its lowest value.
        places: for each value from there on what it adds to the place in the table;
            NOWHERE for those that the hero cannot have.
    """

    low: int
    places: list[int]


@dataclass(frozen=True, slots=True)
class LossTable:
    """The table.

    Attributes:
        axes: ATK, DEF, MDEF.
        numbers: for each triple the loss against every monster kind, then the words
            of the monsters that can be won and of those that cost nothing.
    """

    axes: tuple[Axis, ...]
    numbers: list[int]


def loss_table(tower: Tower, words: int, limit: int) -> LossTable | None:
    """The table of a tower.

    None where a shop, a ratio or a script makes the attributes endless, where
    monsters change, or where it would hold more integers than the limit.
    """
    board = tower.board
    reach = _attributes(board)
    if reach is None or board.epoch_names:
        return None
    sizes = [len(axis) for axis in reach]
    spans = [axis.stop - axis.start for axis in reach]
    width = len(board.monsters) + 2 * words
    if math.prod(sizes) * width + sum(spans) > limit:
        return None
    axes = []
    for place, axis in enumerate(reach):
        each = math.prod(sizes[place + 1 :]) * width
        places = [
            NOWHERE if n % axis.step else n // axis.step * each
            for n in range(spans[place])
        ]
        axes.append(Axis(axis.start, places))
    numbers: list[int] = []
    for atk in reach[0]:
        for defense in reach[1]:
            for mdef in reach[2]:
                numbers += _losses_at(tower, words, atk, defense, mdef)
    return LossTable(tuple(axes), numbers)


def _losses_at(
    tower: Tower, words: int, atk: int, defense: int, mdef: int
) -> list[int]:
    board, game = tower.board, tower.game
    losses = [
        fight_loss(atk, defense, mdef, 1, *game.fighters[kind][0])
        for kind in range(len(board.monsters))
    ]
    winnable = free = 0
    for thing in board.objects:
        if thing.monster >= 0 and losses[thing.monster] != UNWINNABLE:
            winnable |= 1 << thing.index
            if losses[thing.monster] == 0:
                free |= 1 << thing.index
    return [*losses, *as_words(winnable, words), *as_words(free, words)]


def _attributes(board: Board) -> list[range] | None:
    """Values that ATK, DEF and MDEF can take; None if there is no end to them."""
    start = dict(board.data.hero)
    gains: list[list[int]] = [[], [], []]
    rows = [(a.row, bool(a.row.removes)) for a in board.actions]
    rows += [(row, True) for row in board.triggers]
    for row, once in rows:
        if any(op == SCALE and a in ATTRIBUTES for op, a, _, _ in row.effects):
            return None
        if any(slot in ATTRIBUTES for slot, _ in row.cost):
            return None
        for slot, amount in row.gain:
            if slot in ATTRIBUTES:
                if not once or row.doubles >= 0 or amount < 0:
                    return None
                gains[slot - 1].append(amount)
    axes = []
    for place, name in enumerate(("atk", "def", "mdef")):
        unit = math.gcd(*gains[place]) or 1
        low = start.get(name, 0)
        axes.append(range(low, low + sum(gains[place]) + 1, unit))
    return axes
