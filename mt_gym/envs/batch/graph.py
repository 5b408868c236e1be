"""Compiled: every state that play can reach, and the chances of random play in them.

States that differ only in HP are one where HP decides nothing but survival; an edge
then says what the decision and the assists after it do to HP.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mt_gym.envs.batch.access import action_at, has, object_at
from mt_gym.envs.batch.assist import assisted
from mt_gym.envs.batch.facts import note_legal
from mt_gym.envs.batch.layout import O_FIRST, Z_FLAGS, Z_STRIDE, Floats, Ints
from mt_gym.envs.batch.masks import paint_mask
from mt_gym.envs.batch.moves import apply
from mt_gym.envs.batch.pointer import Integers, pointer
from mt_gym.envs.batch.recall import digest
from mt_gym.solver.compile import compiled

Bytes = NDArray[np.int8]
Numbers = NDArray[np.int32]

WON, LOST = -1, -2
"""Where an edge leads that ends the game."""


@compiled
def insert(keys: Ints, one: int, two: int, number: int) -> int:
    """The number of a state in an open table; `number` itself if it is new.

    Args:
        keys: (slots, 3) two hashes and 1 + the number; slots are a power of two.
    """
    last = len(keys) - 1
    slot = (one >> 20) & last
    while keys[slot, 2]:
        if keys[slot, 0] == one and keys[slot, 1] == two:
            return int(keys[slot, 2] - 1)
        slot = (slot + 1) & last
    keys[slot, 0], keys[slot, 1], keys[slot, 2] = one, two, number + 1
    return number


@compiled
def put(keys: Ints, row_: Ints, salts_: Ints, number: int) -> None:
    """Put a state into the table."""
    row, salt, stride = pointer(row_), pointer(salts_), len(row_)
    one = digest(row, 0, stride, salt, 0)
    insert(keys, one, digest(row, 0, stride, salt, stride), number)


@compiled
def grown(keys: Ints, slots: int) -> Ints:
    """A table with more slots."""
    found = np.zeros((slots, 3), np.int64)
    for i in range(len(keys)):
        if keys[i, 2]:
            insert(found, keys[i, 0], keys[i, 1], keys[i, 2] - 1)
    return found


@compiled
def settle_free(
    z_: Ints, data_: Ints, b: int, row_: Ints, work: Ints, memo: Ints
) -> None:
    """Let the assists act on a row, but for the only choice."""
    z, data, row = pointer(z_), pointer(data_), pointer(row_)
    _assist(z, data, b, row, 0, pointer(work), pointer(memo))
    note_legal(z, data, b, row, 0)


@compiled
def _assist(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, work: Integers,
    memo: Integers,
) -> None:  # fmt: skip
    while rows[x] > 0 and not has(rows, x + z[Z_FLAGS], 0):
        thing = assisted(z, data, b, rows, x, work, memo)
        if thing < 0:
            return
        index = data[object_at(z, data, b, thing) + O_FIRST]
        apply(z, data, b, rows, x, work, action_at(data, b, index))


@compiled
def count_legal(
    z_: Ints, data_: Ints, b: int, rows_: Ints, work: Ints, mask_: Bytes, counts: Ints
) -> None:
    """Count the legal actions of states, a row each."""
    z, data, rows = pointer(z_), pointer(data_), pointer(rows_)
    for i in range(len(counts)):
        paint_mask(z, data, b, rows, i * z[Z_STRIDE], pointer(work), pointer(mask_), 0)
        total = 0
        for legal in mask_:
            total += legal
        counts[i] = total


@compiled
def expand(
    z_: Ints, data_: Ints, b: int, rows_: Ints, states: int, work_: Ints, memo_: Ints,
    mask_: Bytes, salts_: Ints, keys: Ints, known: int, fresh_: Ints,
    child: Numbers, low: Numbers, net: Numbers, assists: bool,
) -> int:  # fmt: skip
    """Take every legal action of every state; the number of states known then.

    Args:
        rows_: the states; keys: the table of those that are known.
        fresh_: filled with the rows of new states, in the order of their numbers.
        child, low, net: filled per edge, state by state: where it leads, and the HP
            right after the decision and after the assists, less those before.
    """
    z, data, rows = pointer(z_), pointer(data_), pointer(rows_)
    work, memo, fresh = pointer(work_), pointer(memo_), pointer(fresh_)
    salt = pointer(salts_)
    stride = z[Z_STRIDE]
    before, edge = known, 0
    for i in range(states):
        x = i * stride
        paint_mask(z, data, b, rows, x, work, pointer(mask_), 0)
        for index in range(len(mask_)):
            if not mask_[index]:
                continue
            y = (known - before) * stride
            for k in range(stride):
                fresh[y + k] = rows[x + k]
            apply(z, data, b, fresh, y, work, action_at(data, b, index))
            low[edge] = fresh[y] - rows[x]
            if assists:
                _assist(z, data, b, fresh, y, work, memo)
            net[edge] = fresh[y] - rows[x]
            if has(fresh, y + z[Z_FLAGS], 0):
                child[edge] = WON
            elif fresh[y] <= 0:
                child[edge] = LOST
            else:
                note_legal(z, data, b, fresh, y)
                one = digest(fresh, y, stride, salt, 0)
                two = digest(fresh, y, stride, salt, stride)
                number = insert(keys, one, two, known)
                child[edge] = number
                known += number == known
            edge += 1
    return known


@compiled
def children_first(first: Ints, child: Numbers) -> Numbers:
    """States in an order in which each comes after all that it leads to.

    Empty if there is none, because play can come back to a state.

    Args:
        first: where the edges of each state begin, and where the last ones end.
    """
    states = len(first) - 1
    order = np.empty(states, np.int32)
    seen = np.zeros(states, np.int8)  # 1: on the way, 2: done
    at = first[:-1].copy()
    stack = np.empty(states, np.int32)
    stack[0] = 0
    depth, done = 1, 0
    seen[0] = 1
    while depth:
        state = stack[depth - 1]
        if at[state] == first[state + 1]:
            seen[state] = 2
            order[done] = state
            done += 1
            depth -= 1
            continue
        then = child[at[state]]
        at[state] += 1
        if then < 0 or seen[then] == 2:
            continue
        if seen[then] == 1:
            return order[:0]
        seen[then] = 1
        stack[depth] = then
        depth += 1
    return order


@compiled
def spans(
    order: Numbers, first: Ints, child: Numbers, low: Numbers, net: Numbers, cap: int
) -> tuple[Ints, Ints]:
    """The least HP with which each state can be won, and the most that matter.

    Args:
        cap: most HP at the start.
    """
    states = len(first) - 1
    most = np.full(states, -(1 << 60), np.int64)
    most[0] = cap
    for place in range(states - 1, -1, -1):
        state = order[place]
        for edge in range(first[state], first[state + 1]):
            then = child[edge]
            if then >= 0:
                most[then] = max(most[then], most[state] + net[edge])
    least = np.full(states, 1 << 60, np.int64)
    for state in order:
        for edge in range(first[state], first[state + 1]):
            then = child[edge]
            if then != LOST:
                need = 1 - low[edge]
                if then >= 0:
                    need = max(need, least[then] - net[edge])
                least[state] = min(least[state], need)
    return least, most


@compiled
def masses(
    order: Numbers, first: Ints, child: Numbers, low: Numbers, net: Numbers,
    least: Ints, most: Ints, at: Ints, mass: Floats,
) -> NDArray[np.float64]:  # fmt: skip
    """Chances of the start to be won, by the HP that are needed.

    Of a state, `mass[at + n]` is the chance that play with n + `least` HP wins and
    with one less does not.

    Args:
        at: where each state's masses are; those of states without any are empty.
        mass: all 0.
    """
    total = np.zeros(0, np.float64)
    for state in order:
        width = at[state + 1] - at[state]
        if width <= 0:
            continue
        own = np.zeros(width, np.float64)
        share = 1.0 / (first[state + 1] - first[state])
        for edge in range(first[state], first[state + 1]):
            then = child[edge]
            floor = 1 - low[edge] - least[state]
            if then == WON:
                if floor < width:
                    own[floor] += share
            elif then >= 0:
                shift = least[then] - net[edge] - least[state]
                for n in range(at[then + 1] - at[then]):
                    place = max(floor, n + shift)
                    if place >= width:
                        break
                    own[place] += share * mass[at[then] + n]
        for n in range(width):
            mass[at[state] + n] = own[n]
        if state == 0:
            total = own
    return total


@compiled
def chance(order: Numbers, first: Ints, child: Numbers) -> float:
    """The chance of the start to be won, where a state's HP are part of it."""
    found = np.zeros(len(first) - 1, np.float64)
    for state in order:
        edges = first[state + 1] - first[state]
        for edge in range(first[state], first[state + 1]):
            then = child[edge]
            if then == WON:
                found[state] += 1.0 / edges
            elif then >= 0:
                found[state] += found[then] / edges
    return float(found[0])
