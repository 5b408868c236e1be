"""Compiled: the table of states, one record for each removed set.

`records` holds a state per row, `slots` is a hash table of record numbers; the
records of a layer are a list, linked from its last one.
"""

from __future__ import annotations

import numpy as np

from mt_gym.solver.arrays import (
    ATTR,
    BEST,
    BOUNDS,
    CAPACITY,
    CURSOR,
    GUARDS,
    HEAD,
    HP,
    KEYS,
    L_STRIDE,
    LAYER,
    LAYERS,
    LOST,
    PRUNED,
    RULES,
    S_ATTR,
    S_HP,
    S_KEYS,
    S_NEXT,
    S_PARENT,
    S_RISE,
    S_STRIDE,
    SCALED,
    SIZE,
    STORED,
    Flat,
    Tag,
)
from mt_gym.solver.bound import rise
from mt_gym.solver.compile import compiled, popcount


@compiled
def _hash(tag: Tag, array: Flat, at: int) -> int:
    h = np.uint64(0)
    for w in range(len(tag)):
        h ^= np.uint64(array[at + w])
        h *= np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    return int(np.int64(h >> np.uint64(1)))


@compiled
def rehash(tag: Tag, work: Flat, records: Flat, slots: Flat) -> None:
    """Enter all records into an empty hash table."""
    top = len(slots) - 1
    stride = S_STRIDE + 2 * len(tag)
    for i in range(work[STORED]):
        at = _hash(tag, records, i * stride + S_STRIDE) & top
        while slots[at] >= 0:
            at = (at + 1) & top
        slots[at] = i


@compiled
def _covers(some: int, keys: int) -> bool:
    """Whether there are nowhere fewer keys."""
    # A field that would go below zero borrows from the bit above it.
    return ((some | GUARDS) - keys) & GUARDS == GUARDS


@compiled
def _replace(
    tag: Tag, data: Flat, work: Flat, records: Flat, i: int, x: int, parent: int
) -> bool:
    """Put a better state in the place of a record."""
    row = i * (S_STRIDE + 2 * len(tag))
    limit = LOST
    if work[RULES] & BOUNDS:
        limit = rise(tag, data, work, x, work[BEST] - work[x + HP])
        if work[x + HP] + limit <= work[BEST]:
            work[PRUNED] += 1
            return True
    records[row + S_HP] = work[x + HP]
    records[row + S_KEYS] = work[x + KEYS]
    records[row + S_PARENT] = parent
    records[row + S_RISE] = limit
    return True


@compiled
def store(
    tag: Tag, data: Flat, work: Flat, records: Flat, slots: Flat, x: int, parent: int
) -> bool:
    """Keep a state unless it is known with as much HP or cannot beat the best.

    False if there is no room.

    Args:
        x: offset of the state in `work`.
    """
    words, hp = len(tag), work[x + HP]
    removed = x + L_STRIDE
    stride = S_STRIDE + 2 * words
    top = len(slots) - 1
    at = _hash(tag, work, removed) & top
    worse = -1
    while slots[at] >= 0:
        row = slots[at] * stride
        same = True
        for w in range(words):
            same = same and records[row + S_STRIDE + w] == work[removed + w]
        if same:
            keys = records[row + S_KEYS]
            if records[row + S_HP] >= hp:
                if keys == work[x + KEYS] or _covers(keys, work[x + KEYS]):
                    return True
            elif keys == work[x + KEYS] and not data[SCALED]:
                records[row + S_HP] = hp
                records[row + S_PARENT] = parent
                return True
            elif _covers(work[x + KEYS], keys):
                records[row + S_HP] = -LOST
                worse = slots[at]
        at = (at + 1) & top
    if worse >= 0:
        return _replace(tag, data, work, records, worse, x, parent)
    limit = LOST
    if work[RULES] & BOUNDS:
        limit = rise(tag, data, work, x, work[BEST] - hp)
        if hp + limit <= work[BEST]:
            work[PRUNED] += 1
            return True
    new = work[STORED]
    if new >= work[CAPACITY]:
        return False
    row = new * stride
    size = 0
    for w in range(words):
        size += popcount(work[removed + w])
        records[row + S_STRIDE + w] = work[removed + w]
        records[row + S_STRIDE + words + w] = work[removed + words + w]
    records[row + S_HP] = hp
    records[row + S_KEYS] = work[x + KEYS]
    records[row + S_ATTR] = work[x + ATTR]
    records[row + S_PARENT] = parent
    records[row + S_RISE] = limit
    records[row + S_NEXT] = work[work[HEAD] + size]
    work[work[HEAD] + size] = new
    work[work[SIZE] + size] += 1
    slots[at] = new
    work[STORED] = new + 1
    return True


@compiled
def open_bound(tag: Tag, work: Flat, records: Flat) -> int:
    """The largest bound of the states that are not expanded yet."""
    stride, best = S_STRIDE + 2 * len(tag), work[BEST]
    for layer in range(max(work[LAYER], 0), work[LAYERS]):
        i = work[CURSOR] if layer == work[LAYER] else work[work[HEAD] + layer]
        while i >= 0:
            row = i * stride
            best = max(best, records[row + S_HP] + records[row + S_RISE])
            i = records[row + S_NEXT]
    return best
