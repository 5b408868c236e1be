"""Compiled: what a state is worth, as a bound and as a guess."""

from __future__ import annotations

from typing import Final

from mt_gym.solver.compile import compiled, popcount
from mt_gym.solver.trade.improve import affordable, available, price, unit
from mt_gym.solver.trade.states import (
    BOMB_MASK,
    BOMB_SHIFT,
    GOLD_MASK,
    HP,
    LEFT_HP,
    LEFT_ONE,
    LEFT_TWO,
    ONE,
    STAT_BITS,
    STAT_MASK,
    STATE,
    THREE,
    TWO,
    Array,
    Tables,
    loss_of,
)
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_DOUBLES,
    C_GATES,
    C_HP,
    C_PRICE,
    K_GATES,
    O_KIND,
    T_CLASSES,
    T_GATES,
    T_GOAL_HP,
    T_KINDS,
    T_MUST,
    T_OBJECTS,
    T_TOKENS,
)

MUST: Final = 10
"""How much more of a loss counts where every win must suffer it."""


@compiled
def bound(tables: Tables, s: Array, v: int) -> int:
    """An upper bound on the final HP of a state.

    Everything that is left is had for nothing, and the fights of every win are fought
    with the best attributes.
    """
    kinds, classes, must = tables[T_KINDS], tables[T_CLASSES], tables[T_MUST]
    stats = s[ONE] + s[LEFT_ONE]
    top = s[HP] + s[LEFT_HP] + tables[T_GOAL_HP]
    for c in range(len(classes)):
        count = 0
        if classes[c, C_PRICE]:
            gold = (s[TWO] & GOLD_MASK) + (s[LEFT_TWO] & GOLD_MASK)
            count = affordable(classes, c, s[TWO], gold)
        else:
            for i in range(v):
                count += popcount(classes[c, C_GATES + i] & ~s[STATE + i])
        top += classes[c, C_HP] * count
        for stat in range(3):
            amount = classes[c, C_ATK + stat] * count
            if classes[c, C_DOUBLES]:
                amount <<= tables[T_TOKENS]
            most = STAT_MASK - ((stats >> (STAT_BITS * stat)) & STAT_MASK)
            stats += min(amount, most) << (STAT_BITS * stat)
    for i in range(len(must)):
        g = must[i]
        if not (s[STATE + (g >> 6)] >> (g & 63)) & 1:
            top -= loss_of(kinds, tables[T_OBJECTS][g, O_KIND], stats)
    return int(top)


@compiled
def most_of(tables: Tables, records: Array, done: int, state: int) -> int:
    """The largest bound of the records that are not done.

    Args:
        done, state: columns of the mark and of the state.
    """
    v, most = len(tables[T_GATES]), 0
    for r in range(len(records)):
        if not records[r, done]:
            most = max(most, bound(tables, records[r, state:], v))
    return most


@compiled
def dread(tables: Tables, s: Array, stats: int, v: int, most: int) -> int:
    """Losses of all monsters that are left, each `most` at the most.

    Those that every win must fight count beyond that, up to `MUST` times as much.
    """
    kinds, must = tables[T_KINDS], tables[T_MUST]
    total = 0
    for i in range(len(must)):
        g = must[i]
        if not (s[STATE + (g >> 6)] >> (g & 63)) & 1:
            kind = tables[T_OBJECTS][g, O_KIND]
            loss = min(loss_of(kinds, kind, stats), MUST * most)
            total += max(0, loss - most)
    for kind in range(len(kinds)):
        count = 0
        for i in range(v):
            count += popcount(kinds[kind, K_GATES + i] & ~s[STATE + i])
        if count:
            total += count * min(loss_of(kinds, kind, stats), most)
    return total


@compiled
def score(tables: Tables, s: Array, v: int, taste: Array) -> int:
    """How promising a state looks to a beam.

    Args:
        taste: HP per 16 of dread, most dread of a fight, HP of a key, of a tool.
    """
    classes = tables[T_CLASSES]
    most = taste[1]
    base = dread(tables, s, s[ONE], v, most)
    total = 16 * s[HP] - taste[0] * base
    for c in range(len(classes)):
        count = 16 * available(classes, c, s, v)
        if classes[c, C_PRICE]:
            count = 16 * (s[TWO] & GOLD_MASK) // price(classes, c, s[TWO], 1)
        if count:
            gains = 0
            for stat in range(3):
                one = unit(classes, c, stat, s[TWO])
                if one:
                    gains = max(gains, base - dread(tables, s, s[ONE] + one, v, most))
            total += max(taste[0] * gains, 16 * classes[c, C_HP]) * count // 16
    three = s[THREE]
    for f in range(5):
        count = three & 2047
        three >>= 12
        total += 16 * count * taste[3 if f == 4 else 2]
    total += 16 * taste[3] * ((s[TWO] >> BOMB_SHIFT) & BOMB_MASK)
    return int(total)
