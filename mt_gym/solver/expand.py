"""Compiled: the search itself.

States are removed sets with the largest HP each is reached with, expanded layer by
layer by the size of the set, so that a set's HP is final when its turn comes.
"""

from __future__ import annotations

import numpy as np

from mt_gym.solver.arrays import (
    ALLOWED,
    ATTR,
    BEST,
    BEST_FROM,
    BEST_GOAL,
    BEST_SET,
    CAPACITY,
    CHAINS,
    CURSOR,
    CUT,
    EXPANDED,
    G_AMOUNT,
    G_COLOUR,
    G_HP,
    G_KEYS,
    GAVE,
    GOAL,
    HEAD,
    HP,
    KEY_BITS,
    KEY_LIMIT,
    KEYS,
    L_STRIDE,
    LAYER,
    LAYERS,
    LOG,
    LOGGED,
    LOST,
    R_GIVES_KEYS,
    R_STRIDE,
    REGION,
    RULES,
    S_ATTR,
    S_HP,
    S_KEYS,
    S_NEXT,
    S_PARENT,
    S_RISE,
    S_STRIDE,
    SHORT,
    SIZE,
    STORED,
    TARGET,
    THRESHOLD,
    TOTAL,
    WIDTH,
    Flat,
    M,
    N,
    Tag,
)
from mt_gym.solver.compile import compiled, lowest
from mt_gym.solver.moves import cost, gate, is_calm, is_open, level, settle, take
from mt_gym.solver.records import store

DONE, GROW, PAUSED = 0, 1, 2
ROOM = 64
"""Free records that an expansion wants before it starts."""


@compiled
def _keys_left(tag: Tag, data: Flat, records: Flat, removed: int) -> int:
    """Keys that have not been collected yet, in one word."""
    keys = 0
    for r in range(data[M]):
        found = data[data[REGION] + r * (R_STRIDE + len(tag)) + R_GIVES_KEYS]
        if found != 0 and not is_open(tag, data, r, records, removed):
            keys += found
    for g in range(data[N]):
        if (records[removed + (g >> 6)] >> (g & 63)) & 1 == 0:
            keys += data[gate(tag, data, g) + G_KEYS]
    return keys


@compiled
def _load(tag: Tag, data: Flat, work: Flat, records: Flat, i: int) -> None:
    """Put a record at depth 0, with all that it exposes to be tried."""
    words = len(tag)
    row = i * (S_STRIDE + 2 * words)
    x = level(tag, work, 0)
    work[x + HP] = records[row + S_HP]
    work[x + KEYS] = records[row + S_KEYS]
    work[x + ATTR] = records[row + S_ATTR]
    work[x + GAVE] = 0
    work[x + LOGGED] = 0
    if data[SHORT]:
        work[x + TOTAL] = records[row + S_KEYS] + _keys_left(
            tag, data, records, row + S_STRIDE
        )
    for w in range(words):
        removed = records[row + S_STRIDE + w]
        exposed = records[row + S_STRIDE + words + w]
        work[x + L_STRIDE + w] = removed
        work[x + L_STRIDE + words + w] = exposed
        work[x + L_STRIDE + 2 * words + w] = exposed & ~removed


@compiled
def _pop_choice(tag: Tag, work: Flat, x: int) -> int:
    """The next gateway to be tried, or -1."""
    words = len(tag)
    for w in range(words):
        at = x + L_STRIDE + 2 * words + w
        if work[at] != 0:
            g = 64 * w + lowest(work[at])
            work[at] &= work[at] - 1
            return g
    return -1


@compiled
def _can_pay(tag: Tag, data: Flat, work: Flat, g: int, price: int, x: int) -> bool:
    if price >= work[x + HP]:
        return False
    row = gate(tag, data, g)
    colour = data[row + G_COLOUR]
    if colour < 0:
        return True
    held = (work[x + KEYS] >> (KEY_BITS * colour)) & KEY_LIMIT
    return held >= data[row + G_AMOUNT]


@compiled
def _descend(tag: Tag, data: Flat, work: Flat, g: int, price: int, d: int) -> None:
    """The state after a gateway, one deeper."""
    x, y = level(tag, work, d), level(tag, work, d + 1)
    for i in range(L_STRIDE + 2 * len(tag)):
        work[y + i] = work[x + i]
    work[y + GAVE] = 0
    take(tag, data, work, g, price, y)
    settle(tag, data, work, y)


@compiled
def _chain_on(tag: Tag, work: Flat, d: int) -> bool:
    """Try, one deeper, what the last gateway exposed; whether there is anything."""
    words = len(tag)
    x, y = level(tag, work, d) + L_STRIDE, level(tag, work, d + 1) + L_STRIDE
    new = 0
    for w in range(words):
        fresh = work[y + words + w] & ~work[x + words + w] & ~work[y + w]
        work[y + 2 * words + w] = fresh
        new |= fresh
    return new != 0


@compiled
def _reach_goal(
    tag: Tag, data: Flat, work: Flat, i: int, g: int, price: int, x: int, trace: bool
) -> bool:
    """Note a better final HP; with `trace`, whether this is the goal looked for."""
    final = work[x + HP] - price + data[gate(tag, data, g) + G_HP]
    if trace:
        if g != work[BEST_GOAL] or not _is_target(tag, work, x, final):
            return False
        work[work[LOG] + work[x + LOGGED]] = g
        return True
    if final > work[BEST]:
        work[BEST] = final
        work[BEST_FROM] = i
        work[BEST_GOAL] = g
        for w in range(len(tag)):
            work[work[BEST_SET] + w] = work[x + L_STRIDE + w]
        work[work[BEST_SET] + len(tag)] = work[x + KEYS]
    return False


@compiled
def _is_target(tag: Tag, work: Flat, x: int, hp: int) -> bool:
    for w in range(len(tag)):
        if work[x + L_STRIDE + w] != work[work[TARGET] + w]:
            return False
    target = work[TARGET] + len(tag)
    return hp == work[target] and work[x + KEYS] == work[target + 1]


@compiled
def expand(
    tag: Tag, data: Flat, work: Flat, records: Flat, slots: Flat, i: int, trace: bool
) -> int:
    """Try every action of a record, chains of gateways without items at once.

    With `trace`, only look for the child (or the goal `BEST_GOAL`, if it is not -1)
    at `TARGET`, and leave the gateways on the way to it in the log.

    Returns:
        With `trace` the length of the log, -1 if there is no such child; else
        `DONE`, or `GROW` if the records did not suffice.
    """
    _load(tag, data, work, records, i)
    rules = work[RULES]
    d = 0
    while d >= 0:
        x = level(tag, work, d)
        g = _pop_choice(tag, work, x)
        if g < 0:
            d -= 1
            continue
        price = cost(tag, data, g, work[x + ATTR], work[x + HP])
        if not _can_pay(tag, data, work, g, price, x):
            continue
        if (data[data[GOAL] + (g >> 6)] >> (g & 63)) & 1:
            if _reach_goal(tag, data, work, i, g, price, x, trace):
                return work[x + LOGGED] + 1
            continue
        _descend(tag, data, work, g, price, d)
        y = level(tag, work, d + 1)
        if trace and work[BEST_GOAL] < 0 and _is_target(tag, work, y, work[y + HP]):
            return work[y + LOGGED]
        if rules & CHAINS and work[y + GAVE] == 0 and is_calm(tag, data, work, x):
            if _chain_on(tag, work, d):
                d += 1
        elif not trace and not store(tag, data, work, records, slots, y, i):
            return GROW
    work[EXPANDED] += 1
    return -1 if trace else DONE


@compiled
def _cut(tag: Tag, work: Flat, records: Flat, layer: int) -> None:
    """Set the least score of a layer that the beam expands."""
    stride, width = S_STRIDE + 2 * len(tag), work[WIDTH]
    n = work[work[SIZE] + layer]
    scores = np.empty(n, np.int64)
    i = work[work[HEAD] + layer]
    for j in range(n):
        scores[j] = records[i * stride + S_HP] + records[i * stride + S_RISE]
        i = records[i * stride + S_NEXT]
    scores.sort()
    work[THRESHOLD] = scores[n - width]
    work[ALLOWED] = width
    for j in range(n - width, n):
        work[ALLOWED] -= scores[j] > scores[n - width]
    work[CUT] = 1


@compiled
def _in_beam(work: Flat, score: int) -> bool:
    if score == work[THRESHOLD]:
        work[ALLOWED] -= 1
        return work[ALLOWED] >= 0
    return score > work[THRESHOLD]


@compiled
def advance(
    tag: Tag, data: Flat, work: Flat, records: Flat, slots: Flat, most: int
) -> int:
    """Go on with a search for at most `most` expansions.

    Returns:
        `DONE`, `GROW` (the tables are full) or `PAUSED`.
    """
    stride, width = S_STRIDE + 2 * len(tag), work[WIDTH]
    stop = work[EXPANDED] + most
    if work[LAYER] < 0:
        store(tag, data, work, records, slots, level(tag, work, 0), -1)
    while True:
        while work[CURSOR] < 0:
            work[LAYER] += 1
            layer = work[LAYER]
            if layer >= work[LAYERS]:
                return DONE
            work[CURSOR] = work[work[HEAD] + layer]
            work[THRESHOLD] = -LOST
            if width > 0 and work[work[SIZE] + layer] > width:
                _cut(tag, work, records, layer)
        if work[EXPANDED] >= stop:
            return PAUSED
        if work[CAPACITY] - work[STORED] < ROOM:
            return GROW
        i = work[CURSOR]
        score = records[i * stride + S_HP] + records[i * stride + S_RISE]
        if score > work[BEST] and (width == 0 or _in_beam(work, score)):
            if expand(tag, data, work, records, slots, i, False) == GROW:
                return GROW
        work[CURSOR] = records[i * stride + S_NEXT]


@compiled
def write_route(
    tag: Tag, data: Flat, work: Flat, records: Flat, slots: Flat, route: Flat
) -> int:
    """Write the gateways on the way to the best goal, the last one first.

    Returns:
        How many there are; -1 if a state does not follow from its parent.
    """
    words = len(tag)
    stride, target, goal = S_STRIDE + 2 * words, work[TARGET], work[BEST_GOAL]
    i, count = work[BEST_FROM], 0
    for w in range(words):
        work[target + w] = work[work[BEST_SET] + w]
    work[target + words] = work[BEST]
    work[target + words + 1] = work[work[BEST_SET] + words]
    while i >= 0:
        length = expand(tag, data, work, records, slots, i, True)
        if length < 0:
            return -1
        for j in range(length - 1, -1, -1):
            route[count] = work[work[LOG] + j]
            count += 1
        work[BEST_GOAL] = -1
        row = i * stride
        for w in range(words):
            work[target + w] = records[row + S_STRIDE + w]
        work[target + words] = records[row + S_HP]
        work[target + words + 1] = records[row + S_KEYS]
        i = records[row + S_PARENT]
    work[BEST_GOAL] = goal
    return count
