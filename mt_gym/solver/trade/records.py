"""Compiled: the table of states.

A record is a row: parent, next of its layer, next of its key, its score and whether
it was expanded; then a state without the gateways to try.  The key of a state is
what is gone and in reach.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.solver.compile import compiled, popcount
from mt_gym.solver.trade.states import (
    HP,
    ONE,
    STATE,
    STEPS,
    THREE,
    TWO,
    Array,
    Tables,
    covers,
)
from mt_gym.solver.trade.tables import T_GATES, T_LAYERS, T_LIMITS
from mt_gym.solver.trade.worth import bound, score

# Columns of a record.
R_PARENT, R_NEXT, R_SAME, R_SCORE, R_DONE = range(5)
RECORD: Final = 5

# Numbers of the search: records kept and their room, the best final HP and the
# record it came from, whether only a part of the choices is tried, whether anything
# was left out, what a trace looks for, and tastes of the score.
STORED, ROOM, BEST, BEST_FROM, NARROW, CUT, TRACE, FOUND, ALIVE = range(9)
STEPWISE: Final = 1
TASTE: Final = 9
NUMBERS: Final = TASTE + 5


@compiled
def hash_of(s: Array, at: int, words: int) -> int:
    """A number from 0 of what is gone and in reach."""
    h = np.uint64(0)
    for i in range(words):
        h ^= np.uint64(s[at + i])
        h *= np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    return int(np.int64(h >> np.uint64(1)))


@compiled
def store(
    tables: Tables,
    s: Array,
    numbers: Array,
    records: Array,
    slots: Array,
    heads: Array,
    parent: int,
) -> bool:
    """Keep a state unless one covers it that has and reaches the same.

    False if there is no room.
    """
    v, words = len(tables[T_GATES]), len(tables[T_LAYERS])
    limits = tables[T_LIMITS]
    if numbers[BEST] > 0 and bound(tables, s, v) <= numbers[BEST]:
        return True
    top = len(slots) - 1
    at = hash_of(s, STATE, words) & top
    base = RECORD + STATE
    while slots[at] >= 0:
        row = records[slots[at]]
        same = True
        for i in range(words):
            same = same and row[base + i] == s[STATE + i]
        if same:
            break
        at = (at + 1) & top
    last = -1
    r = slots[at]
    while r >= 0:
        row = records[r]
        after = row[R_SAME]
        if row[RECORD + HP] >= s[HP]:
            if (
                covers(row[RECORD + ONE], s[ONE], limits[0])
                and covers(row[RECORD + TWO], s[TWO], limits[1])
                and covers(row[RECORD + THREE], s[THREE], limits[2])
            ):
                return True
        if (
            s[HP] >= row[RECORD + HP]
            and covers(s[ONE], row[RECORD + ONE], limits[0])
            and covers(s[TWO], row[RECORD + TWO], limits[1])
            and covers(s[THREE], row[RECORD + THREE], limits[2])
        ):
            if last >= 0:
                records[last, R_SAME] = after
            else:
                last = r
            if row[R_DONE] == 0:
                numbers[ALIVE] -= 1
            row[R_DONE] = 1
        else:
            last = r
        r = after
    new = numbers[STORED]
    if new >= numbers[ROOM]:
        return False
    row = records[new]
    row[R_PARENT] = parent
    row[R_SAME] = slots[at]
    slots[at] = new
    row[R_DONE] = 0
    row[R_SCORE] = 0
    if numbers[NARROW]:
        row[R_SCORE] = score(tables, s, v, numbers[TASTE:])
    size = s[STEPS]
    if numbers[NARROW] != STEPWISE:
        size = 0
        for i in range(words):
            size += popcount(s[STATE + i] & tables[T_LAYERS][i])
    for i in range(STATE + words):
        row[RECORD + i] = s[i]
    row[R_NEXT] = heads[size]
    heads[size] = new
    numbers[STORED] = new + 1
    numbers[ALIVE] += 1
    return True


@compiled
def collect(records: Array, head: int, out: Array) -> int:
    """Write the records of a layer that are worth expanding; how many."""
    count = 0
    r = head
    while r >= 0:
        if not records[r, R_DONE]:
            if count < len(out):
                out[count] = r
            count += 1
        r = records[r, R_NEXT]
    return count


@compiled
def rehash(tables: Tables, numbers: Array, records: Array, slots: Array) -> None:
    """Enter all records into an empty hash table."""
    words, top = len(tables[T_LAYERS]), len(slots) - 1
    base = RECORD + STATE
    for r in range(numbers[STORED]):
        row = records[r]
        at = hash_of(row, base, words) & top
        while slots[at] >= 0:
            other = records[slots[at]]
            same = True
            for i in range(words):
                same = same and other[base + i] == row[base + i]
            if same:
                break
            at = (at + 1) & top
        row[R_SAME] = slots[at]
        slots[at] = r
