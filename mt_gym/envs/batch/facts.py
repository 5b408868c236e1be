"""Compiled: legality and outcomes of one copy's row.

The same questions as `engine.game` answers, on the same tables.  `b` is the place of
the tower in `data`, `x` that of the row.
"""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    action_at,
    has,
    object_at,
)
from mt_gym.envs.batch.fights import (
    loss_of,
    winnable,
)
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
    DIED,
    M_FIGHT,
    M_FREE,
    M_GENERAL,
    M_MONSTER,
    M_YELLOW,
    NONE,
    O_ACTIONS,
    O_FIRST,
    S_SETS,
    STUCK,
    T_GENERAL,
    T_MASK_AT,
    T_POOL_AT,
    WON,
    Z_COUNTS,
    Z_FLAGS,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import (
    Integers,
)
from mt_gym.solver.compile import (
    compiled,
    lowest,
)

FIGHT_CODE = 0
"""Code of the verb `fight` (`engine.actions.FIGHT`)."""

YELLOW_SLOT = 7


@compiled
def present(z: Integers, rows: Integers, x: int, w: int) -> int:
    """Word of the nodes that are in reach and not gone or hidden."""
    words = z[Z_WORDS]
    s = x + S_SETS + w
    return rows[s + 2 * words] & ~(rows[s] | rows[s + words])


@compiled
def note_legal(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> None:
    """Note in the row the objects whose only action is legal."""
    words = z[Z_WORDS]
    for w in range(words):
        there = present(z, rows, x, w)
        masks = b + data[b + T_MASK_AT] + w
        legal = there & data[masks + M_FREE * words]
        fights = there & data[masks + M_FIGHT * words]
        if fights:
            legal |= winnable(z, data, b, rows, x, w, fights)
        for colour in range(4):
            if rows[x + YELLOW_SLOT + colour]:
                legal |= there & data[masks + (M_YELLOW + colour) * words]
        rows[x + S_SETS + 3 * words + w] = legal


@compiled
def legal_simple(z: Integers, rows: Integers, x: int, w: int) -> int:
    """Word of the objects whose only action is legal, as noted."""
    return rows[x + S_SETS + 3 * z[Z_WORDS] + w]


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
    return (legal_simple(z, rows, x, w) >> (thing & 63)) & 1 != 0


@compiled
def outcome_of(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> int:
    """How the game stands in a row, the turn limit aside; reads what is noted."""
    if has(rows, x + z[Z_FLAGS], 0):
        return WON
    hp = rows[x]
    if hp <= 0:
        return DIED
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    for w in range(words):
        legal = legal_simple(z, rows, x, w)
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
