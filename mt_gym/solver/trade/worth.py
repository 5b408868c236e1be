"""Compiled: what a state is worth, as a bound and as a guess."""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.solver.compile import compiled, lowest, popcount
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
    PICK_SHIFT,
    STAT_BITS,
    STAT_MASK,
    STATE,
    THREE,
    TWO,
    Array,
    Tables,
    covers,
    loss_of,
)
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_DOUBLES,
    C_GATES,
    C_HP,
    C_PRICE,
    K_GATES,
    MONSTER,
    O_BOMB,
    O_COST3,
    O_KIND,
    O_TYPE,
    P_FIRST,
    P_GIVE1,
    P_GIVE2,
    P_GIVE3,
    P_GIVES,
    T_BESIDE,
    T_CLASSES,
    T_GATES,
    T_GOAL_HP,
    T_KINDS,
    T_LIMITS,
    T_MUST,
    T_OBJECTS,
    T_POCKETS,
    T_SCRATCH,
    T_TOKENS,
    WALL,
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
def _keys(three: int) -> int:
    """How many keys a third word holds."""
    count = 0
    for _ in range(4):
        count += three & 2047
        three >>= 12
    return count


@compiled
def waiting(tables: Tables, s: Array, v: int, taste: Array, gains: Array) -> int:
    """16ths of HP of the items behind the next gateways, less what those cost.

    A state that has not yet taken what it can have is then worth about as much as one
    that has.  Of walls and bombs, only the best one of each counts.

    Args:
        gains: 16ths of HP that one ATK, DEF, MDEF is worth.
    """
    objects, beside, best = tables[T_OBJECTS], tables[T_BESIDE], tables[T_SCRATCH]
    best[:] = 0
    broken = bombed = 0
    tool = 16 * taste[3]
    for i in range(v):
        word = s[STATE + v + i] & ~s[STATE + i] & tables[T_GATES][i]
        while word:
            g = 64 * i + lowest(word)
            word &= word - 1
            value, first = 0, -1
            for side in range(beside.shape[1]):
                p = beside[g, side]
                if p < 0:
                    break
                row = tables[T_POCKETS][p]
                item = row[P_FIRST]
                if (s[STATE + v + (item >> 6)] >> (item & 63)) & 1:
                    continue
                first = p
                value += 16 * row[P_GIVES]
                for stat in range(3):
                    more = (row[P_GIVE1] >> (STAT_BITS * stat)) & STAT_MASK
                    value += gains[stat] * more
                tools = (row[P_GIVE3] >> PICK_SHIFT) & 2047
                tools += (row[P_GIVE2] >> BOMB_SHIFT) & BOMB_MASK
                value += tool * tools + 16 * taste[2] * _keys(row[P_GIVE3])
            if first < 0:
                continue
            o = objects[g]
            if o[O_TYPE] == WALL:
                if s[THREE] >> PICK_SHIFT:
                    broken = max(broken, value - tool)
            elif o[O_TYPE] == MONSTER:
                loss = loss_of(tables[T_KINDS], o[O_KIND], s[ONE])
                value += taste[0] * min(loss, taste[1])
                if o[O_BOMB] and (s[TWO] >> BOMB_SHIFT) & BOMB_MASK:
                    bombed = max(bombed, value - tool)
                if loss < s[HP]:
                    best[first] = max(best[first], value - 16 * loss)
            elif covers(s[THREE], o[O_COST3], tables[T_LIMITS][2]):
                best[first] = max(best[first], value - 16 * taste[2])
    return int(best.sum() + broken + bombed)


@compiled
def score(tables: Tables, s: Array, v: int, taste: Array) -> int:
    """How promising a state looks to a beam; see `tasting.Taste`."""
    classes = tables[T_CLASSES]
    most = taste[1]
    base = dread(tables, s, s[ONE], v, most)
    gains = np.zeros(3, np.int64)
    for stat in range(3):
        more = s[ONE] + (1 << (STAT_BITS * stat))
        gains[stat] = taste[0] * (base - dread(tables, s, more, v, most))
    total = 16 * s[HP] - taste[0] * base
    total += taste[4] * waiting(tables, s, v, taste, gains) // 16
    for c in range(len(classes)):
        count = 16 * available(classes, c, s, v)
        if classes[c, C_PRICE]:
            count = 16 * (s[TWO] & GOLD_MASK) // price(classes, c, s[TWO], 1)
        if count:
            value = 16 * classes[c, C_HP]
            for stat in range(3):
                one = unit(classes, c, stat, s[TWO])
                if one:
                    rest = dread(tables, s, s[ONE] + one, v, most)
                    value = max(value, taste[0] * (base - rest))
            total += value * count // 16
    total += 16 * taste[2] * _keys(s[THREE])
    tools = (s[THREE] >> PICK_SHIFT) + ((s[TWO] >> BOMB_SHIFT) & BOMB_MASK)
    return int(total + 16 * taste[3] * tools)
