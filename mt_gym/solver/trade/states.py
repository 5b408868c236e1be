"""Compiled: a state, and what follows at once from what is in reach.

A state is a row of `levels`: numbers first, then V words of removed gateways, W words
of what is in reach, V words of gateways to try, W words of nodes not settled yet.
"""

from __future__ import annotations

from typing import Any, Final

from mt_gym.engine import rules
from mt_gym.solver.arrays import LOST
from mt_gym.solver.compile import compiled, lowest, popcount
from mt_gym.solver.trade.tables import (
    CRYSTAL,
    ITEM,
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
    SHOP,
    T_GATES,
    T_KINDS,
    T_LOCKS,
    T_OBJECTS,
    T_TOOLS,
    T_WALLS,
    WALL,
)

Array = Any
"""A table of int64."""
Tables = Any
"""The tables of a problem, in the order of the `T_` numbers of `tables.py`."""

# Columns of a state: HP, packed words, what may still be had of HP and of the first
# two words, whether the last choice gave anything, how many choices were made.
HP, ONE, TWO, THREE, LEFT_HP, LEFT_ONE, LEFT_TWO, GAVE, STEPS = range(9)
STATE: Final = 9

STAT_BITS: Final = 21
STAT_MASK: Final = (1 << 20) - 1
GOLD_MASK: Final = (1 << 27) - 1
BOMB_SHIFT: Final = 28
BOMB_MASK: Final = (1 << 11) - 1
TOKEN_SHIFT: Final = 40
TOKEN_MASK: Final = (1 << 6) - 1
CHEAP_SHIFT: Final = 47
PICK_SHIFT: Final = 48

NEVER: Final = -(1 << 60)
"""What may still be had of HP where the goal is lost."""

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
def gives(objects: Array, g: int) -> bool:
    """Whether an object gives anything that is ever used."""
    o = objects[g]
    return bool(o[O_HP] | o[O_GIVE1] | o[O_GIVE2] | o[O_GIVE3])


@compiled
def gain(objects: Array, s: Array, g: int) -> None:
    """Add what an object gives."""
    o = objects[g]
    s[HP] += o[O_HP]
    s[ONE] += o[O_GIVE1]
    s[TWO] += o[O_GIVE2]
    s[THREE] += o[O_GIVE3]
    if gives(objects, g):
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
    objects, kinds, locks = tables[T_OBJECTS], tables[T_KINDS], tables[T_LOCKS]
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
                elif objects[g, O_TYPE] == CRYSTAL or objects[g, O_TYPE] == SHOP:
                    s[GAVE] = 1
        if again:
            continue
        fold(tables, s, v, w)
        for i in range(v):
            word = s[STATE + v + i] & ~s[STATE + i] & tables[T_GATES][i]
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
    _clamp(locks, s, v)


@compiled
def picks(tables: Tables, s: Array) -> int:
    """Pickaxes that the hero has or may still find, at most 2 of the latter."""
    v, w = tables[T_GATES].shape[0], tables[T_WALLS].shape[0]
    count = s[THREE] >> PICK_SHIFT
    for i in range(w):
        more = tables[T_TOOLS][i] & ~s[STATE + v + i]
        if more:
            count += 2 if more & (more - 1) else 1
    return int(count)


@compiled
def fold(tables: Tables, s: Array, v: int, w: int) -> None:
    """Count as gone what cannot matter any more, so that equal states are equal.

    That is a gateway in reach that gives nothing and opens nothing new, and every
    wall once no pickaxe can be had.
    """
    objects, walls = tables[T_OBJECTS], tables[T_WALLS]
    left = picks(tables, s)
    if left == 0:
        sealed = True
        for i in range(v):
            sealed = sealed and not walls[i] & ~s[STATE + i]
        if not sealed:
            for i in range(v):
                s[STATE + i] |= walls[i]
            for i in range(w):
                s[STATE + v + i] |= walls[i]
            _forgo(objects, s, v, w)
    for i in range(v):
        word = s[STATE + v + i] & ~s[STATE + i] & tables[T_GATES][i]
        while word:
            g = 64 * i + lowest(word)
            word &= word - 1
            kind = objects[g, O_TYPE]
            if kind == CRYSTAL or objects[g, O_GOAL] or gives(objects, g):
                continue
            new = 0
            for j in range(w):
                fresh = objects[g, O_NEAR + j] & ~s[STATE + v + j]
                if kind == WALL and left == 1:
                    fresh &= ~walls[j]
                new |= fresh
            if not new:
                remove(s, g)


@compiled
def _forgo(objects: Array, s: Array, v: int, w: int) -> None:
    """Count again what may still be had, without what is behind walls for good."""
    at = STATE + v
    hp = one = two = 0
    goal, again = False, True
    known = s[at : at + w].copy()
    done = known & 0
    while again:
        again = False
        for i in range(w):
            word = known[i] & ~done[i]
            while word:
                g = 64 * i + lowest(word)
                word &= word - 1
                done[i] |= 1 << (g & 63)
                again = True
                o = objects[g]
                if o[O_TYPE] == WALL or o[O_TYPE] == SHOP:
                    continue
                for j in range(w):
                    known[j] |= o[O_NEAR + j]
                gone = o[O_TYPE] == ITEM and (s[at + i] >> (g & 63)) & 1
                if i < v and (s[STATE + i] >> (g & 63)) & 1:
                    gone = True
                if o[O_GOAL]:
                    goal = True
                elif not gone:
                    hp += o[O_HP]
                    one += o[O_GIVE1]
                    two += o[O_GIVE2] & GOLD_MASK
    s[LEFT_HP], s[LEFT_ONE], s[LEFT_TWO] = hp, one, two
    if not goal:
        s[LEFT_HP] = NEVER


@compiled
def _doors(locks: Array, s: Array, f: int, v: int) -> int:
    """How many doors of a colour still matter."""
    doors = 0
    for i in range(v):
        doors += popcount(locks[f, 2 + i] & ~s[STATE + i])
    return doors


@compiled
def _plenty(locks: Array, s: Array, cost: int, v: int) -> bool:
    """Whether the keys suffice for all doors of their colour."""
    if cost == 0:
        return True
    for f in range(len(locks)):
        if locks[f, 0] >= 0 and cost == 1 << locks[f, 0]:
            held = (s[THREE] & locks[f, 1]) >> locks[f, 0]
            return bool(held >= _doors(locks, s, f, v))
    return False


@compiled
def _clamp(locks: Array, s: Array, v: int) -> None:
    """Throw away keys beyond the doors that are left."""
    for f in range(len(locks)):
        if locks[f, 0] >= 0:
            held = (s[THREE] & locks[f, 1]) >> locks[f, 0]
            over = held - _doors(locks, s, f, v)
            if over > 0:
                s[THREE] -= over << locks[f, 0]
