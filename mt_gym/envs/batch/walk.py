"""Compiled: which of some objects is nearest to the hero.

The order of the search is that of `play.settle.nearest`.  Answers are remembered by
two hashes of everything that they depend on.
"""

from __future__ import annotations

import numpy as np

from mt_gym.envs.batch.access import (
    has,
    object_at,
)
from mt_gym.envs.batch.layout import (
    C_AT,
    C_ATS,
    C_FLOOR,
    C_REGION,
    C_STEP,
    C_STEPS,
    C_STRIDE,
    C_WALL,
    N_MASKS,
    O_BLOCKS,
    O_CELL,
    O_FLOOR,
    O_UP,
    S_POSITION,
    S_SETS,
    T_CELL_AT,
    T_FLOORS,
    T_MASK_AT,
    T_OBJECTS,
    T_POOL_AT,
    T_STAIRS,
    T_STAIRS_AT,
    T_START_CELL,
    Z_CELLS,
    Z_MEMO,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import Integers
from mt_gym.solver.compile import compiled, lowest

# The scratch array: a stamp, then W words each of the objects in question, of those
# on one floor and of those removed; then per cell a stamp of having been met, a
# stamp of holding an object, that object, and the queue.
W_STAMP, W_THINGS = 0, 8


@compiled
def is_open(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, cell: int
) -> bool:
    """Whether a hero could stand on a cell."""
    at = b + data[b + T_CELL_AT] + cell * C_STRIDE
    wall = data[at + C_WALL] != 0
    if data[at + C_ATS] == 0:
        return not wall
    pool = b + data[b + T_POOL_AT] + data[at + C_AT]
    gone, hidden = x + S_SETS, x + S_SETS + z[Z_WORDS]
    away = True
    any_gone = False
    blocked = False
    for i in range(data[at + C_ATS]):
        thing = data[pool + i]
        if has(rows, gone, thing):
            any_gone = True
        elif not has(rows, hidden, thing):
            away = False
            if data[object_at(z, data, b, thing) + O_BLOCKS]:
                blocked = True
    if away:
        return not wall or any_gone
    return not blocked


@compiled
def beside(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, thing: int
) -> int:
    """A cell next to an object where the hero stands when he acts on it."""
    own = data[object_at(z, data, b, thing) + O_CELL]
    cells = b + data[b + T_CELL_AT]
    at = cells + own * C_STRIDE
    pool = b + data[b + T_POOL_AT]
    reach = x + S_SETS + 2 * z[Z_WORDS]
    for i in range(data[at + C_STEPS]):
        cell = data[pool + data[at + C_STEP] + i]
        if not is_open(z, data, b, rows, x, cell):
            continue
        other = cells + cell * C_STRIDE
        if data[other + C_REGION] >= 0:
            if has(rows, reach, data[b + T_OBJECTS] + data[other + C_REGION]):
                return cell
        else:
            for j in range(data[other + C_ATS]):
                if has(rows, reach, data[pool + data[other + C_AT] + j]):
                    return cell
    return own


@compiled
def _arrival(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, floor: int
) -> int:
    """Where a hero who returns to a floor stands."""
    stairs = b + data[b + T_STAIRS_AT]
    for way in range(2):
        for i in range(data[b + T_STAIRS]):
            thing = data[stairs + i]
            entry = object_at(z, data, b, thing)
            if data[entry + O_FLOOR] == floor and has(rows, x + S_SETS, thing):
                if way or data[entry + O_UP]:
                    return data[entry + O_CELL]
    return data[b + T_START_CELL]


@compiled
def _count(z: Integers, work: Integers, at: int) -> int:
    """0, 1, or 2 for more than one object in a set."""
    found = 0
    for w in range(z[Z_WORDS]):
        word = work[at + w]
        if word:
            found += 1
            if word & (word - 1):
                found += 1
    return min(found, 2)


@compiled
def _last(z: Integers, work: Integers, at: int) -> int:
    """The first object of a set that is not empty."""
    for w in range(z[Z_WORDS]):
        if work[at + w]:
            return 64 * w + lowest(work[at + w])
    return -1


@compiled
def _first_met(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    at: int,
    start: int,
) -> int:
    """The object of a set that a search from a cell meets first."""
    words = z[Z_WORDS]
    size = z[Z_CELLS]
    met = W_THINGS + 4 * words
    held, which, queue = met + size, met + 2 * size, met + 3 * size
    work[W_STAMP] += 1
    stamp = work[W_STAMP]
    for w in range(words):
        word = work[at + w]
        while word:
            thing = 64 * w + lowest(word)
            word &= word - 1
            cell = data[object_at(z, data, b, thing) + O_CELL]
            if cell >= 0:
                work[held + cell] = stamp
                work[which + cell] = thing
    cells = b + data[b + T_CELL_AT]
    pool = b + data[b + T_POOL_AT]
    floor = data[cells + start * C_STRIDE + C_FLOOR]
    if work[held + start] == stamp:
        return work[which + start]
    work[met + start] = stamp
    work[queue] = start
    head, tail = 0, 1
    while head < tail:
        cell = work[queue + head]
        head += 1
        if cell != start and not is_open(z, data, b, rows, x, cell):
            continue
        entry = cells + cell * C_STRIDE
        for i in range(data[entry + C_STEPS]):
            other = data[pool + data[entry + C_STEP] + i]
            if work[met + other] == stamp:
                continue
            there = cells + other * C_STRIDE
            if data[there + C_FLOOR] != floor:
                continue
            if data[there + C_WALL] and data[there + C_ATS] == 0:
                continue
            if work[held + other] == stamp:
                return work[which + other]
            work[met + other] = stamp
            work[queue + tail] = other
            tail += 1
    return _last(z, work, at)


@compiled
def _search(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, work: Integers
) -> int:
    """The nearest of several objects, floor by floor."""
    words = z[Z_WORDS]
    some = W_THINGS + words
    floors = data[b + T_FLOORS]
    position = rows[x + S_POSITION]
    here = data[b + data[b + T_CELL_AT] + position * C_STRIDE + C_FLOOR]
    for turn in range(floors + 1):
        floor = here if turn == 0 else floors - turn
        if turn and floor == here:
            continue
        mask = b + data[b + T_MASK_AT] + (N_MASKS + floor) * words
        for w in range(words):
            work[some + w] = work[W_THINGS + w] & data[mask + w]
        count = _count(z, work, some)
        if count == 0:
            continue
        if count == 1:
            return _last(z, work, some)
        start = position
        if floor != here:
            start = _arrival(z, data, b, rows, x, floor)
        return _first_met(z, data, b, rows, x, work, some, start)
    return _last(z, work, W_THINGS)


@compiled
def nearest(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    memo: Integers,
) -> int:
    """The nearest of the objects in `work`; -1 if there is none."""
    words = z[Z_WORDS]
    count = _count(z, work, W_THINGS)
    if count == 0:
        return -1
    if count == 1:
        return _last(z, work, W_THINGS)
    one = np.uint64(b + 1) * np.uint64(0x9E3779B97F4A7C15)
    two = np.uint64(rows[x + S_POSITION] + 7) * np.uint64(0xC2B2AE3D27D4EB4F)
    one ^= two >> np.uint64(31)
    for w in range(3 * words):
        at = w if w < words else x + S_SETS + w - words
        word = np.uint64(work[W_THINGS + w] if w < words else rows[at])
        one = (one ^ word) * np.uint64(0xBF58476D1CE4E5B9)
        one ^= one >> np.uint64(29)
        two = (two ^ word) * np.uint64(0x94D049BB133111EB)
        two ^= two >> np.uint64(32)
    slot = int(one & np.uint64(z[Z_MEMO] - 1)) * 3
    first, second = int(one >> np.uint64(1)), int(two >> np.uint64(1))
    if memo[slot] == first and memo[slot + 1] == second:
        return memo[slot + 2]
    found = _search(z, data, b, rows, x, work)
    memo[slot] = first
    memo[slot + 1] = second
    memo[slot + 2] = found
    return found
