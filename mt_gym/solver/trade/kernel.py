"""Compiled: the choices of a state and what follows from them."""

from __future__ import annotations

from mt_gym.solver.compile import compiled, lowest
from mt_gym.solver.trade.records import (
    BEST,
    BEST_FROM,
    CUT,
    FOUND,
    R_DONE,
    RECORD,
    TRACE,
    store,
)
from mt_gym.solver.trade.states import (
    GAVE,
    HP,
    ONE,
    STATE,
    STEPS,
    THREE,
    TWO,
    Array,
    Tables,
    expose,
    gain,
    leave,
    loss_of,
    remove,
    settle,
)
from mt_gym.solver.trade.tables import (
    MONSTER,
    O_BOMB,
    O_COST2,
    O_COST3,
    O_GOAL,
    O_KIND,
    O_TYPE,
    T_GATES,
    T_KINDS,
    T_OBJECTS,
    T_WALLS,
)
from mt_gym.solver.trade.ways import (
    V_BOMB,
    V_GATE,
    improve,
    ways,
)
from mt_gym.solver.trade.worth import bound

WIN, SOME = 1, 2
"""What a trace looks for: a goal with `BEST` HP, or a stored state."""

# Columns of a frame: the next gateway to look at, where its variants begin, the next
# of them, and where they end.
F_GATE, F_BASE, F_NEXT, F_END = range(4)


@compiled
def _follow(tables: Tables, s: Array, child: Array, variant: Array) -> None:
    """The state after a variant, before what it exposes is settled."""
    objects, v, w = tables[T_OBJECTS], len(tables[T_GATES]), len(tables[T_WALLS])
    g = variant[V_GATE]
    o = objects[g]
    for j in range(STATE + v + w):
        child[j] = s[j]
    child[GAVE] = 0
    child[STEPS] += 1
    for j in range(w):
        child[STATE + 2 * v + w + j] = 0
    improve(tables, child, variant, v)
    if variant[V_BOMB]:
        child[TWO] -= o[O_BOMB]
    else:
        if o[O_TYPE] == MONSTER:
            child[HP] -= loss_of(tables[T_KINDS], o[O_KIND], child[ONE])
        child[TWO] -= o[O_COST2]
        child[THREE] -= o[O_COST3]
        gain(objects, child, g)
    leave(objects, child, g)
    remove(child, g)


@compiled
def explore(
    tables: Tables,
    levels: Array,
    frames: Array,
    variants: Array,
    log: Array,
    numbers: Array,
    records: Array,
    slots: Array,
    heads: Array,
    target: Array,
    parent: int,
) -> bool:
    """Try the gateways of a level, and what they expose as long as they give nothing.

    False if there is no room.
    """
    objects, v, w = tables[T_OBJECTS], len(tables[T_GATES]), len(tables[T_WALLS])
    depth = 0
    frames[0, :] = 0
    while depth >= 0:
        s, child, frame = levels[depth], levels[depth + 1], frames[depth]
        if frame[F_NEXT] >= frame[F_END]:
            g = frame[F_GATE]
            word = 0
            while g < 64 * v:
                word = s[STATE + v + w + (g >> 6)] >> (g & 63)
                if word:
                    g += lowest(word)
                    break
                g = (g | 63) + 1
            if g >= 64 * v:
                depth -= 1
                continue
            frame[F_GATE] = g + 1
            frame[F_NEXT] = frame[F_BASE]
            frame[F_END] = ways(tables, s, g, variants, frame[F_BASE], numbers)
            continue
        variant = variants[frame[F_NEXT]]
        frame[F_NEXT] += 1
        g = variant[V_GATE]
        _follow(tables, s, child, variant)
        log[depth, :] = variant
        if objects[g, O_GOAL]:
            if numbers[TRACE] == WIN and child[HP] == numbers[BEST]:
                numbers[FOUND] = depth + 1
                return True
            if child[HP] > numbers[BEST]:
                numbers[BEST], numbers[BEST_FROM] = child[HP], parent
            continue
        expose(objects, child, g, v, w)
        settle(tables, child, v, w)
        if child[GAVE] == 0:
            if depth + 2 >= len(levels):
                numbers[CUT] = 1
                continue
            for j in range(v):
                new = child[STATE + v + j] & ~s[STATE + v + j]
                child[STATE + v + w + j] = new & ~child[STATE + j] & tables[T_GATES][j]
            depth += 1
            frames[depth, :] = 0
            frames[depth, F_BASE] = frames[depth, F_NEXT] = frame[F_END]
            frames[depth, F_END] = frame[F_END]
        elif numbers[TRACE]:
            if numbers[TRACE] == SOME and _is_target(child, target, v + w):
                numbers[FOUND] = depth + 1
                return True
        elif not store(tables, child, numbers, records, slots, heads, parent):
            return False
    return True


@compiled
def _is_target(s: Array, target: Array, words: int) -> bool:
    for i in range(THREE + 1):
        if s[i] != target[i]:
            return False
    same = True
    for i in range(words):
        same = same and s[STATE + i] == target[STATE + i]
    return same


@compiled
def expand(
    tables: Tables,
    levels: Array,
    frames: Array,
    variants: Array,
    log: Array,
    numbers: Array,
    records: Array,
    slots: Array,
    heads: Array,
    target: Array,
    todo: Array,
    first: int,
    most: int,
) -> int:
    """Expand records of a list from its entry `first`, `most` at the most.

    Returns:
        How many were expanded; if fewer than `most`, there was no room.
    """
    v, w = len(tables[T_GATES]), len(tables[T_WALLS])
    for count in range(most):
        if first + count >= len(todo):
            return count
        r = todo[first + count]
        row = records[r]
        if row[R_DONE] and not numbers[TRACE]:
            continue
        s = levels[0]
        for i in range(STATE + v + w):
            s[i] = row[RECORD + i]
        if not numbers[TRACE] and bound(tables, s, v) <= numbers[BEST]:
            if numbers[BEST] > 0:
                row[R_DONE] = 1
                continue
        for i in range(v):
            near = s[STATE + v + i] & ~s[STATE + i]
            s[STATE + v + w + i] = near & tables[T_GATES][i]
        if not explore(
            tables,
            levels,
            frames,
            variants,
            log,
            numbers,
            records,
            slots,
            heads,
            target,
            r,
        ):
            return count
        row[R_DONE] = 1
    return most
