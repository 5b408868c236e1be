"""Compiled: the turns that are taken without asking, as `play.settle` takes them."""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    action_at,
    drop,
    has,
    object_at,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
    holds,
    legal_simple,
    note_legal,
    outcome_of,
    payable,
    present,
)
from mt_gym.envs.batch.fights import (
    loss_of,
    winnable,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_OBJECT,
    C_FLOOR,
    C_STRIDE,
    M_AUTOMATIC,
    M_FIGHTS,
    M_GATES,
    M_GENERAL,
    M_ITEMS,
    M_MONSTER,
    M_STAIRS,
    NONE,
    O_ACTIONS,
    O_FIRST,
    O_LANDING,
    S_TABLE,
    S_TURN,
    T_CELL_AT,
    T_FLAGS,
    T_FLOORS,
    T_GENERAL,
    T_KINDS,
    T_MASK_AT,
    T_MAX_TURNS,
    Z_FLAGS,
    Z_STRIDE,
    Z_WORDS,
)
from mt_gym.envs.batch.moves import apply
from mt_gym.envs.batch.pointer import Integers
from mt_gym.envs.batch.walk import W_THINGS, nearest
from mt_gym.solver.compile import compiled, lowest, popcount


@compiled
def _gather(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    mask: int,
) -> bool:
    """Note the objects of a mask that are present; whether there are any."""
    words = z[Z_WORDS]
    at = b + data[b + T_MASK_AT] + mask * words
    found = False
    for w in range(words):
        word = present(z, rows, x, w) & data[at + w]
        work[W_THINGS + w] = word
        found = found or word != 0
    return found


@compiled
def _keep_free(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, work: Integers
) -> bool:
    """Of the fights that were noted, keep those that cost nothing."""
    words = z[Z_WORDS]
    table = rows[x + S_TABLE]
    found = False
    for w in range(words):
        word = work[W_THINGS + w]
        if table:
            free = word & data[table + data[b + T_KINDS] + words + w]
        else:
            free = 0
            while word:
                low = lowest(word)
                word &= word - 1
                if loss_of(z, data, b, rows, x, 64 * w + low) == 0:
                    free |= 1 << low
        work[W_THINGS + w] = free
        found = found or free != 0
    return found


@compiled
def _keep_new(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, work: Integers
) -> bool:
    """Of the stairs that were noted, keep those to floors never visited."""
    found = False
    for w in range(z[Z_WORDS]):
        word = work[W_THINGS + w]
        while word:
            low = lowest(word)
            word &= word - 1
            cell = data[object_at(z, data, b, 64 * w + low) + O_LANDING]
            floor = data[b + data[b + T_CELL_AT] + cell * C_STRIDE + C_FLOOR]
            if has(rows, x + z[Z_FLAGS], data[b + T_FLAGS] + floor):
                drop(work, W_THINGS, 64 * w + low)
            else:
                found = True
    return found


@compiled
def assisted(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    memo: Integers,
) -> int:
    """The object that an assist acts on, -1 for none."""
    words = z[Z_WORDS]
    at = b + data[b + T_MASK_AT] + M_AUTOMATIC * words
    some = 0
    for w in range(words):
        some |= present(z, rows, x, w) & data[at + w]
    if some == 0:
        return -1
    if _gather(z, data, b, rows, x, work, M_ITEMS):
        return nearest(z, data, b, rows, x, work, memo)
    if _gather(z, data, b, rows, x, work, M_FIGHTS):
        if _keep_free(z, data, b, rows, x, work):
            return nearest(z, data, b, rows, x, work, memo)
    if _gather(z, data, b, rows, x, work, M_GATES):
        return nearest(z, data, b, rows, x, work, memo)
    if data[b + T_FLOORS] > 1 and _gather(z, data, b, rows, x, work, M_STAIRS):
        if _keep_new(z, data, b, rows, x, work):
            return nearest(z, data, b, rows, x, work, memo)
    return -1


@compiled
def _only_choice(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> int:
    """The action that is the only one listed and survivable; -1 for none."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    found = -1
    count = 0
    for w in range(words):
        legal = legal_simple(z, rows, x, w)
        count += popcount(legal)
        if count > 1:
            return -1
        if legal:
            thing = 64 * w + lowest(legal)
            found = data[object_at(z, data, b, thing) + O_FIRST]
    if data[b + T_GENERAL]:
        for w in range(words):
            general = present(z, rows, x, w)
            general &= data[masks + M_GENERAL * words + w]
            while general:
                entry = object_at(z, data, b, 64 * w + lowest(general))
                general &= general - 1
                for i in range(data[entry + O_ACTIONS]):
                    index = data[entry + O_FIRST] + i
                    if payable(z, data, b, rows, x, action_at(data, b, index)):
                        found = index
                        count += 1
                        if count > 1:
                            return -1
    if count != 1:
        return -1
    for w in range(words):  # unwinnable fights are listed too
        fights = present(z, rows, x, w) & data[masks + M_MONSTER * words + w]
        barred = fights & ~winnable(z, data, b, rows, x, w, fights)
        while barred:
            entry = object_at(z, data, b, 64 * w + lowest(barred))
            barred &= barred - 1
            a = action_at(data, b, data[entry + O_FIRST])
            if holds(z, data, b, rows, x, a):
                return -1
    a = action_at(data, b, found)
    if data[a + A_CODE] == FIGHT_CODE:
        if loss_of(z, data, b, rows, x, data[a + A_OBJECT]) >= rows[x]:
            return -1
    return found


@compiled
def settle(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    memo: Integers,
    spare_row: int,
) -> bool:
    """Take every turn that needs no judgement, until the policy has to choose.

    Args:
        spare_row: place of a row in `rows` where the state before a turn is kept, so
            that a turn that would end the episode is undone (for resets); or -1.

    Returns:
        Whether the row says what is legal in its new state.
    """
    limit = data[b + T_MAX_TURNS]
    while rows[x + S_TURN] < limit:
        if has(rows, x + z[Z_FLAGS], 0) or rows[x] <= 0:
            return False
        thing = assisted(z, data, b, rows, x, work, memo)
        if thing >= 0:
            index = data[object_at(z, data, b, thing) + O_FIRST]
        else:
            note_legal(z, data, b, rows, x)
            index = _only_choice(z, data, b, rows, x)
            if index < 0:
                return True
        if spare_row >= 0:
            for i in range(z[Z_STRIDE]):
                rows[spare_row + i] = rows[x + i]
        apply(z, data, b, rows, x, work, action_at(data, b, index))
        rows[x + S_TURN] += 1
        if spare_row >= 0:
            note_legal(z, data, b, rows, x)
            over = rows[x + S_TURN] >= limit
            if over or outcome_of(z, data, b, rows, x) != NONE:
                for i in range(z[Z_STRIDE]):
                    rows[x + i] = rows[spare_row + i]
                return False
    return False
