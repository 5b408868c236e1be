"""The tables that the compiled search reads, and where things are in them.

Objects are numbered anew: gateways (all that is done by choice) first, then what is
taken as soon as it is in reach.  The hero's numbers other than HP are packed into
three words whose fields have a spare bit on top, so that one subtraction compares
all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import RESOURCES

Table = NDArray[np.int64]

FIELDS: Final[tuple[tuple[tuple[str, int], ...], ...]] = (
    (("atk", 20), ("def", 20), ("mdef", 20)),
    (("gold", 27), ("bomb", 11), ("token", 6), ("cheap", 11)),
    (("yellow", 11), ("blue", 11), ("red", 11), ("green", 11), ("pickaxe", 11)),
)
"""Bits of the resources in each packed word.

`cheap` is how often a growing price can still grow: more of it is better.
"""
CHEAPEST: Final = (1 << 11) - 1
"""What is left of `cheap` where nothing was bought."""

# Columns of an object: what it is, its monster's row or -1, whether taking it wins,
# what it costs (second and third word), what it gives (HP and all three words), what
# a bomb costs (second word; 0: no bomb helps), its class of crystals.  Then W words
# of what its removal exposes.
O_TYPE, O_KIND, O_GOAL, O_COST2, O_COST3 = range(5)
O_HP, O_GIVE1, O_GIVE2, O_GIVE3, O_BOMB, O_CLASS = range(5, 11)
O_NEAR: Final = 11

ITEM, MONSTER, LOCK, WALL, CRYSTAL, SHOP = range(6)
"""Types of objects; a wall is a lock that costs a pickaxe, a shop stands in its place
and is only reached."""

# Columns of a monster: arguments of `rules.fight_loss` without the hero's numbers,
# then its gateways as V words.
K_GATES: Final = 13

# Columns of a class of improvements: price of the first (0: a crystal), what each
# purchase adds to it, the shop that must be reached (-1: none), what one gives of ATK,
# DEF, MDEF and HP, whether tokens double it, then the crystals as V words.
C_PRICE, C_GROWTH, C_PLACE, C_ATK, C_DEF, C_MDEF, C_HP = range(7)
C_DOUBLES, C_GATES = 7, 8

GIFTS: Final = 4
"""What an improvement may raise: ATK, DEF, MDEF, HP."""

# Columns of a pocket of items: its first item, then what all of them give (HP and all
# three words).
P_FIRST, P_GIVES, P_GIVE1, P_GIVE2, P_GIVE3 = range(5)


@dataclass(slots=True)
class Problem:
    """What the compiled search reads.

    Attributes:
        order: object numbers of the board by number here.
        gateways: how many of them are gateways.
        objects, kinds, classes: tables; see the columns above.
        start: HP, three packed words, then HP, first and second word of all that
            may still be had, then W words of what is in reach.
        limits: spare bits of the three packed words.
        must: monsters that every win must fight.
        locks: per field of the third word, its place (-1: no key), its mask, and the
            gateways that cost one of it.
        tools: W words of the objects that give pickaxes.
        shop: actions of the purchases by attribute.
    """

    order: list[int]
    gateways: int
    objects: Table
    kinds: Table
    classes: Table
    start: Table
    limits: Table
    must: Table
    locks: Table
    tools: Table
    most_tokens: int
    words: tuple[int, int]
    shop: dict[int, Action] = field(default_factory=dict)


class NotTrade(Exception):
    """The state needs the general search."""


def pack(amounts: dict[str, int], word: int) -> int:
    """The amounts of a word's resources in one integer."""
    total = shift = 0
    for name, bits in FIELDS[word]:
        amount = amounts.get(name, 0)
        if not 0 <= amount < 1 << bits:
            raise NotTrade
        total |= amount << shift
        shift += bits + 1
    return total


def guards(word: int) -> int:
    """The spare bits of a packed word."""
    total = shift = 0
    for _, bits in FIELDS[word]:
        total |= 1 << (shift + bits)
        shift += bits + 1
    return total


def named(pairs: tuple[tuple[int, int], ...]) -> dict[str, int]:
    """Amounts by the names of their resources."""
    return {RESOURCES[index]: amount for index, amount in pairs}


# Places in the tuple of tables that the compiled functions get.
T_OBJECTS, T_KINDS, T_CLASSES, T_LIMITS, T_MUST, T_LOCKS, T_TOOLS = range(7)
T_WALLS, T_GATES, T_LAYERS, T_TOKENS, T_GOAL_HP = range(7, 12)
T_POCKETS, T_BESIDE, T_SCRATCH = range(12, 15)
