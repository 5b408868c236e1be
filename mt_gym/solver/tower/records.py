"""States by layer: a pool with room for a few, and the records worth expanding."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, MDEF, YELLOW
from mt_gym.solver.compile import compiled, inlined
from mt_gym.solver.tower import layout as at

TRACE = 6
"""Columns of a trace: parent and the five columns of an operation."""

FREE, USED, TRANSITIONS, DROPPED, BEST, BEST_TRACE, REACHED = range(7)
CONTROL = 8
"""What a run counts: free rows of the pool, traces, transitions, states dropped for
want of room, best final HP, its trace, highest layer."""
_SEEN = 1 << 16


class Room(NamedTuple):
    """Arrays of one run.

    Attributes:
        pool: states; `free` the rows of it that are not in use.
        buckets: rows of the pool by layer; `filled` how many.
        least: score per layer that a state must exceed.
        seen: hashes of recent states, so that copies are dropped.
        traces: operations that led to expanded states.
        control: what a run counts.
        plan: how the best end is played.
    """

    pool: Any
    free: Any
    buckets: Any
    filled: Any
    least: Any
    seen: Any
    traces: Any
    control: Any
    plan: Any


def make_room(width: int, layers: int, columns: int) -> Room:
    """Arrays for beams of a width."""
    bucket = max(8, 3 * width)
    return Room(
        pool=np.empty((bucket * 48, columns), np.int64),
        free=np.empty(bucket * 48, np.int64),
        buckets=np.empty((layers, bucket), np.int32),
        filled=np.empty(layers, np.int64),
        least=np.empty(layers, np.int64),
        seen=np.empty(_SEEN, np.int64),
        traces=np.empty((width * layers + 1, TRACE), np.int64),
        control=np.empty(CONTROL, np.int64),
        plan=np.empty(4, np.int64),
    )


@compiled
def clear(room: Any) -> None:
    """Forget the last run."""
    size = room.pool.shape[0]
    for i in range(size):
        room.free[i] = size - 1 - i
    room.filled[:] = 0
    room.least[:] = -(1 << 60)
    room.seen[:] = 0
    room.control[:] = 0
    room.control[FREE] = size
    room.control[BEST] = -1
    room.control[BEST_TRACE] = -1


@compiled
def halve(room: Any, layer: int) -> None:
    """Keep the better half of a layer's states."""
    count = room.filled[layer]
    bucket = room.buckets[layer]
    scores = np.empty(count, np.int64)
    for i in range(count):
        scores[i] = room.pool[bucket[i], at.SCORE]
    half = count // 2
    least = np.partition(scores, count - half)[count - half]
    ties = half
    for i in range(count):
        ties -= scores[i] > least
    kept = 0
    for i in range(count):
        row = bucket[i]
        good = scores[i] > least
        if scores[i] == least and ties > 0:
            ties -= 1
            good = True
        if good:
            bucket[kept] = row
            kept += 1
        else:
            room.free[room.control[FREE]] = row
            room.control[FREE] += 1
    room.filled[layer] = kept
    room.least[layer] = least


@inlined
def was_seen(child: Any, seen: Any) -> bool:
    """Whether a copy of a state came by lately; remembers the state."""
    mark = child[at.HASH] ^ (child[HP] * 1000003 + child[ATK] * 7919)
    mark = mark * 31 + child[DEF] * 104729 + child[GOLD] * 15485863
    mark = mark * 31 + child[EXP] * 32452843 + child[YELLOW] * 49979687
    mark ^= (child[YELLOW + 1] * 86028121) ^ (child[YELLOW + 2] * 122949823)
    place = (mark ^ (mark >> 29)) & (seen.shape[0] - 1)
    if seen[place] == mark:
        return True
    seen[place] = mark
    return False


@inlined
def copy_state(target: Any, source: Any) -> None:
    """Copy a state without the empty end of its list of targets."""
    for column in range(at.FRONT + source[at.COUNT]):
        target[column] = source[column]
    for column in range(at.ALIVE, source.shape[0]):
        target[column] = source[column]


@inlined
def keep(child: Any, score: int, room: Any) -> None:
    """Put a state into the bucket of its layer, if there is room for its score."""
    layer = child[at.LAYER]
    control = room.control
    if layer >= room.buckets.shape[0] or score <= room.least[layer]:
        return
    if room.filled[layer] == room.buckets.shape[1] or control[FREE] == 0:
        if room.filled[layer] < 2:
            control[DROPPED] += 1
            return
        halve(room, layer)
        if score <= room.least[layer]:
            return
    control[FREE] -= 1
    row = room.free[control[FREE]]
    child[at.SCORE] = score
    copy_state(room.pool[row], child)
    room.buckets[layer, room.filled[layer]] = row
    room.filled[layer] += 1


@compiled
def release(room: Any, layer: int) -> None:
    """Free every row of a layer."""
    for i in range(room.filled[layer]):
        room.free[room.control[FREE]] = room.buckets[layer, i]
        room.control[FREE] += 1
    room.filled[layer] = 0


@compiled
def covers(one: Any, two: Any) -> bool:
    """Whether no number that matters of `two` is above that of `one`."""
    for resource in (HP, ATK, DEF, MDEF, GOLD, EXP):
        if one[resource] < two[resource]:
            return False
    for colour in range(4):
        if one[YELLOW + colour] < two[YELLOW + colour]:
            return False
    return bool(one[HP] >= two[HP])


@compiled
def choose_records(
    pool: Any, bucket: Any, count: int, width: int, per_set: int, chosen: Any
) -> int:
    """Rows of a layer to expand, best first; at most `per_set` of one hash."""
    scores = np.empty(count, np.int64)
    for i in range(count):
        scores[i] = -pool[bucket[i], at.SCORE]
    order = np.argsort(scores, kind="mergesort")
    size = 64
    while size < 4 * width:
        size *= 2
    heads = np.full(size, -1, np.int64)
    after = np.full(width + 1, -1, np.int64)
    found = 0
    for i in range(count):
        if found == width:
            break
        row = bucket[order[i]]
        mark = pool[row, at.HASH]
        slot = (mark ^ (mark >> 31)) & (size - 1)
        same, good = 0, True
        link = heads[slot]
        while link >= 0:
            other = chosen[link]
            if pool[other, at.HASH] == mark:
                same += 1
                if same >= per_set or covers(pool[other], pool[row]):
                    good = False
                    break
            link = after[link]
        if good:
            chosen[found] = row
            after[found] = heads[slot]
            heads[slot] = found
            found += 1
    return found
