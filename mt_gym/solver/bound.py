"""Compiled: an upper bound on the final HP of every continuation of a state.

Fights cost at least what they cost at the best attributes that can be had without
them, potions are collected along the dominator tree only where they pay for their
guards, doors only as far as keys exist, and attributes earn at most what a linear
under-estimate of the goal's cost says they save there.
"""

from __future__ import annotations

from mt_gym.solver.arrays import (
    ALL_HP,
    ATTR,
    COLOURS,
    G_COLOUR,
    G_DEN,
    G_MUST,
    G_NUM,
    G_OWN_FROM,
    G_OWN_TO,
    G_PARENT,
    GOAL_COST,
    GOAL_HP,
    HP,
    KEY_BITS,
    KEY_LIMIT,
    KEYS_OF,
    L_STRIDE,
    LOST,
    MUST_OPEN,
    ORDER,
    ORDERED,
    OWN,
    POOL,
    PRIZE,
    ROOT_FROM,
    ROOT_TO,
    SCALED,
    TABLE,
    TOTAL,
    VALUE,
    WEIGHTS,
    WHOLE,
    Flat,
    M,
    N,
    Tag,
)
from mt_gym.solver.compile import compiled, popcount
from mt_gym.solver.moves import gate, is_open


@compiled
def _regions_left(
    tag: Tag, data: Flat, work: Flat, k: int, start: int, stop: int, removed: int
) -> int:
    """Prizes of the listed regions that are not reached yet."""
    total = 0
    for j in range(start, stop):
        r = data[data[OWN] + j]
        if not is_open(tag, data, r, work, removed):
            total += data[data[PRIZE] + k * data[M] + r]
    return total


@compiled
def _best_of(work: Flat, at: int, count: int, most: int) -> int:
    """Sum of the `most` largest of `count` values from an offset on; sorts them."""
    total = 0
    for i in range(min(count, most)):
        top = i
        for j in range(i + 1, count):
            if work[at + j] > work[at + top]:
                top = j
        total += work[at + top]
        work[at + top] = work[at + i]
    return total


@compiled
def collectable(tag: Tag, data: Flat, work: Flat, k: int, x: int) -> int:
    """HP and attribute prizes still to be had, less their guards' least costs.

    `-LOST` if the keys do not suffice for the doors that every win must open.

    Args:
        x: offset of the state in `work`.
    """
    n, words, value, removed = data[N], len(tag), work[VALUE], x + L_STRIDE
    for i in range(n + COLOURS):
        work[value + i] = 0
    pooled = value + n
    total = 0
    for i in range(data[ORDERED] - 1, -1, -1):
        g = data[data[ORDER] + i]
        row = gate(tag, data, g)
        worth = work[value + g]
        if (work[removed + (g >> 6)] >> (g & 63)) & 1:
            worth += _regions_left(
                tag,
                data,
                work,
                k,
                data[row + G_OWN_FROM],
                data[row + G_OWN_TO],
                removed,
            )
        else:
            worth += data[data[WHOLE] + k * n + g]
            if data[row + G_MUST] == 0:
                if worth <= 0:
                    continue
                c = data[row + G_COLOUR]
                if (
                    c >= 0
                    and data[data[KEYS_OF] + 2 * c + 1] < data[data[KEYS_OF] + 2 * c]
                ):
                    work[work[POOL] + c * n + work[pooled + c]] = worth
                    work[pooled + c] += 1
                    continue
        above = data[row + G_PARENT]
        if above < 0:
            total += worth
        else:
            work[value + above] += worth
    for c in range(COLOURS):
        if data[data[KEYS_OF] + 2 * c + 1] < data[data[KEYS_OF] + 2 * c]:
            allowed = (work[x + TOTAL] >> (KEY_BITS * c)) & KEY_LIMIT
            for w in range(words):
                left = ~work[removed + w]
                allowed -= popcount(data[data[MUST_OPEN] + c * words + w] & left)
            if allowed < 0:
                return -LOST
            total += _best_of(work, work[POOL] + c * n, work[pooled + c], allowed)
    return total + _regions_left(
        tag, data, work, k, data[ROOT_FROM], data[ROOT_TO], removed
    )


@compiled
def rise(tag: Tag, data: Flat, work: Flat, x: int, enough: int) -> int:
    """How much HP a state can still gain until the end, at the most.

    Tries one set of weights after the other until the bound is at most `enough`.

    Args:
        x: offset of the state in `work`.
    """
    removed = x + L_STRIDE
    if data[SCALED]:
        most = work[x + HP] + data[ALL_HP]
        for i in range(data[ORDERED]):
            g = data[data[ORDER] + i]
            row = gate(tag, data, g)
            if (work[removed + (g >> 6)] >> (g & 63)) & 1 == 0:
                if data[row + G_NUM] > data[row + G_DEN]:
                    most = most * data[row + G_NUM] // data[row + G_DEN]
        return most + data[GOAL_HP] - work[x + HP]
    best = LOST
    columns = max(1, data[TABLE])
    for k in range(data[WEIGHTS]):
        found = collectable(tag, data, work, k, x) + data[GOAL_HP]
        column = min(work[x + ATTR], columns - 1)
        found -= data[data[GOAL_COST] + k * columns + column]
        best = min(best, found)
        if best <= enough:
            break
    return best
