"""Compiled: what follows from one choice, and what a state is worth.

A state is a row of `levels`: numbers first, then V words of removed gateways, W words
of what is in reach, V words of gateways to try, W words of nodes not settled yet.
"""

from __future__ import annotations

from typing import Any, Final

from mt_gym.engine import rules
from mt_gym.solver.arrays import LOST
from mt_gym.solver.compile import compiled, lowest, popcount
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_DOUBLES,
    C_GATES,
    C_PRICE,
    CRYSTAL,
    ITEM,
    K_GATES,
    LOCK,
    MONSTER,
    O_COST2,
    O_COST3,
    O_GIVE1,
    O_GIVE2,
    O_GIVE3,
    O_GOAL,
    O_HP,
    O_KIND,
    O_NEAR,
    O_TYPE,
)

Array = Any
"""A table of int64."""
Tables = Any
"""Objects, kinds, classes, limits, must, locks, tools; see `tables.Problem`."""

# Columns of a state: HP, packed words, what may still be had of HP and of the first
# two words, whether the last choice gave anything.
HP, ONE, TWO, THREE, LEFT_HP, LEFT_ONE, LEFT_TWO, GAVE = range(8)
STATE: Final = 8

STAT_BITS: Final = 21
STAT_MASK: Final = (1 << 20) - 1
GOLD_MASK: Final = (1 << 30) - 1
TOKEN_SHIFT: Final = 46

MUST: Final = 10

fight_loss = compiled(rules.fight_loss)


@compiled
def loss_of(kinds: Array, kind: int, stats: int) -> int:
    """HP that a fight costs with packed attributes; `LOST` if it cannot be won."""
    k = kinds[kind]
    loss = fight_loss(
        stats & STAT_MASK,
        (stats >> STAT_BITS) & STAT_MASK,
        (stats >> 2 * STAT_BITS) & STAT_MASK,
        0,
        k[0],
        k[1],
        k[2],
        k[3],
        k[4],
        k[5],
        k[6],
        k[7],
        k[8],
        k[9],
        k[10],
        k[11],
        k[12],
    )
    return LOST if loss < 0 else loss


@compiled
def covers(one: int, two: int, limit: int) -> bool:
    """Whether no field of a packed word is smaller than that of another."""
    return ((one | limit) - two) & limit == limit


@compiled
def gain(objects: Array, s: Array, g: int) -> None:
    """Add what an object gives."""
    o = objects[g]
    s[HP] += o[O_HP]
    s[ONE] += o[O_GIVE1]
    s[TWO] += o[O_GIVE2]
    s[THREE] += o[O_GIVE3]
    if o[O_HP] | o[O_GIVE1] | o[O_GIVE2] | o[O_GIVE3]:
        s[GAVE] = 1


@compiled
def leave(objects: Array, s: Array, g: int) -> None:
    """Subtract what an object gives from what may still be had."""
    o = objects[g]
    if not o[O_GOAL]:
        s[LEFT_HP] -= o[O_HP]
        s[LEFT_ONE] -= o[O_GIVE1]
        s[LEFT_TWO] -= o[O_GIVE2] & GOLD_MASK


@compiled
def expose(objects: Array, s: Array, g: int, v: int, w: int) -> None:
    """Reach what touches an object that is gone."""
    for i in range(w):
        fresh = objects[g, O_NEAR + i] & ~s[STATE + v + i]
        s[STATE + v + i] |= fresh
        s[STATE + 2 * v + w + i] |= fresh


@compiled
def remove(s: Array, g: int) -> None:
    """Mark a gateway as gone."""
    s[STATE + (g >> 6)] |= 1 << (g & 63)


@compiled
def settle(tables: Tables, s: Array, v: int, w: int) -> None:
    """Take what is in reach and harms nobody; fight and open what costs nothing."""
    objects, kinds, locks = tables[0], tables[1], tables[5]
    again = True
    while again:
        again = False
        for i in range(w):
            while s[STATE + 2 * v + w + i]:
                word = s[STATE + 2 * v + w + i]
                s[STATE + 2 * v + w + i] = word & (word - 1)
                g = 64 * i + lowest(word)
                if objects[g, O_TYPE] == ITEM:
                    gain(objects, s, g)
                    leave(objects, s, g)
                    expose(objects, s, g, v, w)
                    again = True
                elif objects[g, O_TYPE] == CRYSTAL:
                    s[GAVE] = 1
        if again:
            continue
        for i in range(v):
            word = s[STATE + v + i] & ~s[STATE + i] & tables[13][i]
            while word:
                g = 64 * i + lowest(word)
                word &= word - 1
                free = False
                if objects[g, O_GOAL]:
                    continue
                if objects[g, O_TYPE] == MONSTER:
                    free = loss_of(kinds, objects[g, O_KIND], s[ONE]) == 0
                elif objects[g, O_TYPE] == LOCK:
                    free = _plenty(locks, s, objects[g, O_COST3], v)
                    free = free and objects[g, O_COST2] == 0
                if free:
                    s[THREE] -= objects[g, O_COST3]
                    gain(objects, s, g)
                    leave(objects, s, g)
                    remove(s, g)
                    expose(objects, s, g, v, w)
                    again = True


@compiled
def _plenty(locks: Array, s: Array, cost: int, v: int) -> bool:
    """Whether the keys suffice for all doors of their colour."""
    if cost == 0:
        return True
    for f in range(len(locks)):
        if locks[f, 0] >= 0 and cost == 1 << locks[f, 0]:
            doors = 0
            for i in range(v):
                doors += popcount(locks[f, 2 + i] & ~s[STATE + i])
            return bool((s[THREE] & locks[f, 1]) >> locks[f, 0] >= doors)
    return False


@compiled
def unit(classes: Array, c: int, stat: int, two: int) -> int:
    """Packed attributes that one improvement of a class gives."""
    amount = classes[c, C_ATK + stat]
    if classes[c, C_DOUBLES]:
        amount <<= two >> TOKEN_SHIFT
    return int(amount << (STAT_BITS * stat))


@compiled
def available(classes: Array, c: int, s: Array, v: int) -> int:
    """How many improvements of a class can be had now."""
    if classes[c, C_PRICE]:
        return int((s[TWO] & GOLD_MASK) // classes[c, C_PRICE])
    count = 0
    for i in range(v):
        count += popcount(classes[c, C_GATES + i] & s[STATE + v + i] & ~s[STATE + i])
    return count


@compiled
def bound(tables: Tables, s: Array, v: int) -> int:
    """An upper bound on the final HP of a state."""
    kinds, classes, must = tables[1], tables[2], tables[4]
    stats = s[ONE] + s[LEFT_ONE]
    for c in range(len(classes)):
        count = 0
        if classes[c, C_PRICE]:
            gold = (s[TWO] & GOLD_MASK) + (s[LEFT_TWO] & GOLD_MASK)
            count = gold // classes[c, C_PRICE]
        else:
            for i in range(v):
                count += popcount(classes[c, C_GATES + i] & ~s[STATE + i])
        for stat in range(3):
            amount = classes[c, C_ATK + stat] * count
            if classes[c, C_DOUBLES]:
                amount <<= tables[8]
            most = STAT_MASK - ((stats >> (STAT_BITS * stat)) & STAT_MASK)
            stats += min(amount, most) << (STAT_BITS * stat)
    top = s[HP] + s[LEFT_HP] + tables[9]
    for i in range(len(must)):
        g = must[i]
        if not (s[STATE + (g >> 6)] >> (g & 63)) & 1:
            top -= loss_of(kinds, tables[0][g, O_KIND], stats)
    return int(top)


@compiled
def dread(tables: Tables, s: Array, stats: int, v: int, most: int) -> int:
    """Losses of all monsters that are left, each `most` at the most.

    Those that every win must fight count beyond that, up to `MUST` times as much.
    """
    kinds, must = tables[1], tables[4]
    total = 0
    for i in range(len(must)):
        g = must[i]
        if not (s[STATE + (g >> 6)] >> (g & 63)) & 1:
            loss = min(loss_of(kinds, tables[0][g, O_KIND], stats), MUST * most)
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
    classes = tables[2]
    most = taste[1]
    base = dread(tables, s, s[ONE], v, most)
    total = 16 * s[HP] - taste[0] * base
    for c in range(len(classes)):
        count = 16 * available(classes, c, s, v)
        if classes[c, C_PRICE]:
            count = 16 * (s[TWO] & GOLD_MASK) // classes[c, C_PRICE]
        if count:
            gains = 0
            for stat in range(3):
                one = unit(classes, c, stat, s[TWO])
                if one:
                    gains = max(gains, base - dread(tables, s, s[ONE] + one, v, most))
            total += taste[0] * gains * count // 16
    three = s[THREE]
    for f in range(5):
        count = three & 2047
        three >>= 12
        total += 16 * count * taste[3 if f == 4 else 2]
    total += 16 * taste[3] * ((s[TWO] >> 31) & 16383)
    return int(total)
