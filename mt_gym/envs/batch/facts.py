"""Compiled: fights, legality and outcomes of one copy's row.

The same questions as `engine.game` answers, on the same tables; `fight_loss` is the
engine's own source.  `b` is the place of the tower in `data`, `x` that of the row.
"""

from __future__ import annotations

from mt_gym.engine import rules
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_COST,
    A_COSTS,
    A_COUNT,
    A_COUNTER,
    A_FLAG,
    A_FLAGS,
    A_GENERAL,
    A_GONE,
    A_GONES,
    A_GROWTH,
    A_NEED,
    A_NEEDS,
    A_NOT,
    A_NOTS,
    A_OBJECT,
    A_STRIDE,
    DIED,
    K_EPOCH,
    K_FIRST,
    K_HEAD,
    K_STRIDE,
    K_VAMPIRE,
    M_FIGHT,
    M_FREE,
    M_GENERAL,
    M_MONSTER,
    M_YELLOW,
    NONE,
    O_ACTIONS,
    O_FIRST,
    O_KIND,
    O_STRIDE,
    S_SETS,
    S_TABLE,
    STUCK,
    T_ACTION_AT,
    T_ATK,
    T_ATK_UNIT,
    T_ATKS,
    T_DEF,
    T_DEF_UNIT,
    T_DEFS,
    T_GENERAL,
    T_KIND_AT,
    T_KINDS,
    T_LOSSES,
    T_MASK_AT,
    T_MDEF,
    T_MDEF_UNIT,
    T_MDEFS,
    T_OBJECT_AT,
    T_POOL_AT,
    WON,
    Z_COUNTS,
    Z_EPOCHS,
    Z_FLAGS,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import Integers
from mt_gym.solver.compile import compiled, lowest

fight_loss = compiled(rules.fight_loss)

FIGHT_CODE = 0
"""Code of the verb `fight` (`engine.actions.FIGHT`)."""

YELLOW_SLOT = 7


@compiled
def has(words: Integers, at: int, index: int) -> bool:
    """Whether a number is in a set."""
    return (words[at + (index >> 6)] >> (index & 63)) & 1 != 0


@compiled
def add(words: Integers, at: int, index: int) -> None:
    """Put a number into a set."""
    words[at + (index >> 6)] |= 1 << (index & 63)


@compiled
def drop(words: Integers, at: int, index: int) -> None:
    """Take a number out of a set."""
    words[at + (index >> 6)] &= ~(1 << (index & 63))


@compiled
def object_at(z: Integers, data: Integers, b: int, index: int) -> int:
    """Place of an object's entry."""
    return b + data[b + T_OBJECT_AT] + index * (O_STRIDE + 2 * z[Z_WORDS])


@compiled
def action_at(data: Integers, b: int, index: int) -> int:
    """Place of an action's entry."""
    return b + data[b + T_ACTION_AT] + index * A_STRIDE


@compiled
def locate(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> None:
    """Find the hero's attributes in the table of losses; 0 where they are not in."""
    rows[x + S_TABLE] = 0
    if data[b + T_LOSSES] == 0:
        return
    i = rows[x + 1] - data[b + T_ATK]
    j = rows[x + 2] - data[b + T_DEF]
    k = rows[x + 3] - data[b + T_MDEF]
    u, v, w = data[b + T_ATK_UNIT], data[b + T_DEF_UNIT], data[b + T_MDEF_UNIT]
    if i < 0 or j < 0 or k < 0 or i % u or j % v or k % w:
        return
    i //= u
    j //= v
    k //= w
    if i >= data[b + T_ATKS] or j >= data[b + T_DEFS] or k >= data[b + T_MDEFS]:
        return
    place = (i * data[b + T_DEFS] + j) * data[b + T_MDEFS] + k
    width = data[b + T_KINDS] + 2 * z[Z_WORDS]
    rows[x + S_TABLE] = b + data[b + T_LOSSES] + place * width


@compiled
def kind_at(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, kind: int
) -> int:
    """Place of a monster kind's numbers at its present epoch."""
    head = b + data[b + T_KIND_AT] + kind * K_HEAD
    epoch = data[head + K_EPOCH]
    at = b + data[head + K_FIRST]
    if epoch >= 0:
        at += K_STRIDE * rows[x + z[Z_EPOCHS] + epoch]
    return at


@compiled
def loss_with(
    data: Integers, at: int, atk: int, defense: int, mdef: int, hp: int
) -> int:
    """`fight_loss` against the numbers at a place."""
    return fight_loss(
        atk,
        defense,
        mdef,
        hp,
        data[at],
        data[at + 1],
        data[at + 2],
        data[at + 3],
        data[at + 4],
        data[at + 5],
        data[at + 6],
        data[at + 7],
        data[at + 8],
        data[at + 9],
        data[at + 10],
        data[at + 11],
        data[at + 12],
    )


@compiled
def loss_of(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, thing: int
) -> int:
    """HP that the fight with an object costs now; -1 if it cannot be won."""
    kind = data[object_at(z, data, b, thing) + O_KIND]
    table = rows[x + S_TABLE]
    if table and not data[b + data[b + T_KIND_AT] + kind * K_HEAD + K_VAMPIRE]:
        return data[table + kind]
    at = kind_at(z, data, b, rows, x, kind)
    return loss_with(data, at, rows[x + 1], rows[x + 2], rows[x + 3], rows[x])


@compiled
def present(z: Integers, rows: Integers, x: int, w: int) -> int:
    """Word of the nodes that are in reach and not gone or hidden."""
    words = z[Z_WORDS]
    s = x + S_SETS + w
    return rows[s + 2 * words] & ~(rows[s] | rows[s + words])


@compiled
def winnable(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, w: int, fights: int
) -> int:
    """Those of a word of monsters that the hero's strikes can hurt."""
    table = rows[x + S_TABLE]
    if table:
        return fights & data[table + data[b + T_KINDS] + w]
    found = 0
    while fights:
        low = lowest(fights)
        fights &= fights - 1
        if loss_of(z, data, b, rows, x, 64 * w + low) != -1:
            found |= 1 << low
    return found


@compiled
def legal_simple(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, w: int
) -> int:
    """Word of the objects whose only action is legal."""
    words = z[Z_WORDS]
    there = present(z, rows, x, w)
    masks = b + data[b + T_MASK_AT] + w
    legal = there & data[masks + M_FREE * words]
    fights = there & data[masks + M_FIGHT * words]
    if fights:
        legal |= winnable(z, data, b, rows, x, w, fights)
    for colour in range(4):
        if rows[x + YELLOW_SLOT + colour]:
            legal |= there & data[masks + (M_YELLOW + colour) * words]
    return legal


@compiled
def holds(z: Integers, data: Integers, b: int, rows: Integers, x: int, a: int) -> bool:
    """Whether the condition of an action or trigger holds, its cost aside."""
    pool = b + data[b + T_POOL_AT]
    for i in range(data[a + A_FLAGS]):
        if not has(rows, x + z[Z_FLAGS], data[pool + data[a + A_FLAG] + i]):
            return False
    for i in range(data[a + A_NOTS]):
        if has(rows, x + z[Z_FLAGS], data[pool + data[a + A_NOT] + i]):
            return False
    if data[a + A_GONES]:
        count = 0
        for i in range(data[a + A_GONES]):
            count += has(rows, x + S_SETS, data[pool + data[a + A_GONE] + i])
        if count < data[a + A_COUNT]:
            return False
    for i in range(data[a + A_NEEDS]):
        at = pool + data[a + A_NEED] + 2 * i
        if rows[x + data[at]] < data[at + 1]:
            return False
    return True


@compiled
def extra_cost(z: Integers, data: Integers, rows: Integers, x: int, a: int) -> int:
    """What earlier purchases add to the cost of an action."""
    if data[a + A_GROWTH] == 0:
        return 0
    return data[a + A_GROWTH] * rows[x + z[Z_COUNTS] + data[a + A_COUNTER]]


@compiled
def payable(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, a: int
) -> bool:
    """Whether condition and cost of an action hold, reach aside."""
    if not holds(z, data, b, rows, x, a):
        return False
    pool = b + data[b + T_POOL_AT]
    more = extra_cost(z, data, rows, x, a)
    for i in range(data[a + A_COSTS]):
        at = pool + data[a + A_COST] + 2 * i
        spare = 1 if data[at] == 0 else 0
        if rows[x + data[at]] < data[at + 1] + more + spare:
            return False
    if data[a + A_CODE] == FIGHT_CODE:
        return loss_of(z, data, b, rows, x, data[a + A_OBJECT]) != -1
    return True


@compiled
def is_legal(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, a: int
) -> bool:
    """Whether an action of an object would be executed."""
    thing = data[a + A_OBJECT]
    if thing < 0 or has(rows, x + z[Z_FLAGS], 0) or rows[x] <= 0:
        return False
    w = thing >> 6
    there = present(z, rows, x, w)
    if not (there >> (thing & 63)) & 1:
        return False
    if data[a + A_GENERAL]:
        return payable(z, data, b, rows, x, a)
    return (legal_simple(z, data, b, rows, x, w) >> (thing & 63)) & 1 != 0


@compiled
def outcome_of(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> int:
    """How the game stands in a row, the turn limit aside."""
    if has(rows, x + z[Z_FLAGS], 0):
        return WON
    hp = rows[x]
    if hp <= 0:
        return DIED
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    for w in range(words):
        legal = legal_simple(z, data, b, rows, x, w)
        fights = legal & data[masks + M_MONSTER * words + w]
        if legal != fights:
            return NONE
        while fights:
            low = lowest(fights)
            fights &= fights - 1
            if loss_of(z, data, b, rows, x, 64 * w + low) < hp:
                return NONE
    if not data[b + T_GENERAL]:
        return STUCK
    for w in range(words):
        general = present(z, rows, x, w)
        general &= data[masks + M_GENERAL * words + w]
        while general:
            thing = 64 * w + lowest(general)
            general &= general - 1
            entry = object_at(z, data, b, thing)
            for i in range(data[entry + O_ACTIONS]):
                a = action_at(data, b, data[entry + O_FIRST] + i)
                if payable(z, data, b, rows, x, a):
                    if data[a + A_CODE] != FIGHT_CODE:
                        return NONE
                    if loss_of(z, data, b, rows, x, thing) < hp:
                        return NONE
    return STUCK
