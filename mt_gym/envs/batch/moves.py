"""Compiled: transitions of one copy's row; `apply` is `engine.game.Game.step`."""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    add,
    clear,
    drop,
    has,
    object_at,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
    extra_cost,
    holds,
)
from mt_gym.envs.batch.fights import (
    kind_at,
    locate,
    loss_of,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_COST,
    A_COSTS,
    A_COUNTER,
    A_DOUBLES,
    A_EFFECT,
    A_EFFECTS,
    A_GAIN,
    A_GAINS,
    A_OBJECT,
    A_REMOVE,
    A_REMOVES,
    A_STRIDE,
    C_FLOOR,
    C_STRIDE,
    K_EXP,
    K_GOLD,
    O_ABOVE,
    O_CELL,
    O_KIND,
    O_LANDING,
    O_ONE_WAY,
    O_STRIDE,
    S_POSITION,
    S_SETS,
    T_CELL_AT,
    T_FLAGS,
    T_FLOORS,
    T_POOL_AT,
    T_TRIGGER_AT,
    T_TRIGGERS,
    Z_COUNTS,
    Z_EPOCHS,
    Z_FLAGS,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import Integers
from mt_gym.envs.batch.walk import W_THINGS, beside
from mt_gym.solver.compile import compiled, lowest

# Codes of `engine.actions` that change where the hero stands.
_CHOOSE, _TALK, _CLIMB = 3, 7, 8
_REMOVE, _REVEAL, _STRENGTHEN, _SCALE, _SET, _CLEAR = range(6)


@compiled
def spread(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    pending: int,
) -> None:
    """Extend the reach by what the removal of the pending objects exposes."""
    words = z[Z_WORDS]
    gone, hidden, reach = x + S_SETS, x + S_SETS + words, x + S_SETS + 2 * words
    for w in range(words):
        work[pending + w] &= rows[reach + w]
    w = 0
    while w < words:
        word = work[pending + w]
        if word == 0:
            w += 1
            continue
        thing = 64 * w + lowest(word)
        work[pending + w] = word & (word - 1)
        entry = object_at(z, data, b, thing)
        above = data[entry + O_ABOVE]
        if above >= 0 and not (has(rows, gone, above) or has(rows, hidden, above)):
            if not has(rows, reach, above):
                add(rows, reach, above)
            continue
        near = entry + O_STRIDE
        for v in range(words):
            fresh = data[near + v] & ~rows[reach + v]
            if fresh:
                rows[reach + v] |= fresh
                again = fresh & rows[gone + v]
                if again:
                    work[pending + v] |= again
                    w = min(w, v)


@compiled
def _run_effects(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    a: int,
    removed: int,
) -> None:
    """The effects of an action or trigger, in order."""
    pool = b + data[b + T_POOL_AT] + data[a + A_EFFECT]
    gone, hidden = x + S_SETS, x + S_SETS + z[Z_WORDS]
    for i in range(data[a + A_EFFECTS]):
        code, one = data[pool + 4 * i], data[pool + 4 * i + 1]
        two, three = data[pool + 4 * i + 2], data[pool + 4 * i + 3]
        if code == _SET:
            add(rows, x + z[Z_FLAGS], one)
        elif code == _CLEAR:
            drop(rows, x + z[Z_FLAGS], one)
        elif code == _SCALE:
            rows[x + one] = rows[x + one] * two // three
        elif code == _REMOVE:
            add(rows, gone, one)
            drop(rows, hidden, one)
            add(work, removed, one)
        elif code == _REVEAL:
            if not has(rows, gone, one):
                drop(rows, hidden, one)
        else:
            at = x + z[Z_EPOCHS] + one
            rows[at] = min(rows[at] + 1, two)


@compiled
def _fire(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    removed: int,
) -> None:
    """Run triggers, each at most once, until none fires."""
    pool = b + data[b + T_POOL_AT]
    fired = True
    while fired:
        fired = False
        for t in range(data[b + T_TRIGGERS]):
            a = b + data[b + T_TRIGGER_AT] + t * A_STRIDE
            if holds(z, data, b, rows, x, a):
                for i in range(data[a + A_GAINS]):
                    at = pool + data[a + A_GAIN] + 2 * i
                    rows[x + data[at]] += data[at + 1]
                _run_effects(z, data, b, rows, x, work, a, removed)
                fired = True


@compiled
def _move(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    a: int,
    removed: int,
) -> None:
    """Put the hero where an action of an object leaves him."""
    words = z[Z_WORDS]
    entry = object_at(z, data, b, data[a + A_OBJECT])
    code = data[a + A_CODE]
    if code == _CLIMB:
        rows[x + S_POSITION] = data[entry + O_LANDING]
        if data[entry + O_ONE_WAY]:
            for w in range(words):
                reach = data[entry + O_STRIDE + words + w]
                rows[x + S_SETS + 2 * words + w] = reach
                work[removed + w] |= reach & rows[x + S_SETS + w]
    elif data[a + A_REMOVES] and code != _CHOOSE:
        rows[x + S_POSITION] = data[entry + O_CELL]
    if data[b + T_FLOORS] > 1:
        cell = b + data[b + T_CELL_AT] + rows[x + S_POSITION] * C_STRIDE
        add(rows, x + z[Z_FLAGS], data[b + T_FLAGS] + data[cell + C_FLOOR])


@compiled
def apply(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, work: Integers, a: int
) -> None:
    """Execute a legal action."""
    words = z[Z_WORDS]
    pool = b + data[b + T_POOL_AT]
    removed = W_THINGS + 2 * words
    thing = data[a + A_OBJECT]
    atk, defense, mdef = rows[x + 1], rows[x + 2], rows[x + 3]
    if data[a + A_CODE] == FIGHT_CODE:
        loss = loss_of(z, data, b, rows, x, thing)
        if loss >= rows[x]:
            rows[x] = 0
            return
        kind = data[object_at(z, data, b, thing) + O_KIND]
        at = kind_at(z, data, b, rows, x, kind)
        rows[x] -= loss
        rows[x + 4] += data[at + K_GOLD]
        rows[x + 5] += data[at + K_EXP]
    elif data[a + A_CODE] == _TALK and data[a + A_REMOVES] == 0:
        rows[x + S_POSITION] = beside(z, data, b, rows, x, thing)
    factor = 1
    if data[a + A_DOUBLES] >= 0:
        factor <<= rows[x + data[a + A_DOUBLES]]
    more = extra_cost(z, data, rows, x, a)
    for i in range(data[a + A_COSTS]):
        at = pool + data[a + A_COST] + 2 * i
        rows[x + data[at]] -= data[at + 1] + more
    for i in range(data[a + A_GAINS]):
        at = pool + data[a + A_GAIN] + 2 * i
        rows[x + data[at]] += data[at + 1] * factor
    clear(work, removed, words)
    for i in range(data[a + A_REMOVES]):
        index = data[pool + data[a + A_REMOVE] + i]
        add(rows, x + S_SETS, index)
        add(work, removed, index)
    if data[a + A_COUNTER] >= 0:
        rows[x + z[Z_COUNTS] + data[a + A_COUNTER]] += 1
    _move(z, data, b, rows, x, work, a, removed)
    if data[a + A_EFFECTS]:
        _run_effects(z, data, b, rows, x, work, a, removed)
    if data[b + T_TRIGGERS]:
        _fire(z, data, b, rows, x, work, removed)
    spread(z, data, b, rows, x, work, removed)
    if rows[x + 1] != atk or rows[x + 2] != defense or rows[x + 3] != mdef:
        locate(data, b, rows, x)
