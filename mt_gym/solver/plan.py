"""Compiled: all that the rules and the bound need, found out before the search."""

from __future__ import annotations

import numpy as np

from mt_gym.solver.arrays import (
    ALL_HP,
    COLOURS,
    DOORS_OF,
    FALLING,
    G_AMOUNT,
    G_COLOUR,
    G_DEN,
    G_FROM,
    G_HP,
    G_MUST,
    G_NUM,
    G_PARENT,
    G_PAYS,
    G_STRIDE,
    G_TO,
    GOAL,
    GOAL_HP,
    HP,
    KEY_BITS,
    KEY_LIMIT,
    KEYS_OF,
    LEVEL,
    LOOPS,
    LOST,
    MUST_OPEN,
    OPENS,
    ORDER,
    ORDERED,
    R_GIVES_KEYS,
    R_STRIDE,
    REGION,
    RULES,
    SCALED,
    SHORT,
    USELESS,
    Flat,
    Ints,
    M,
    Tag,
)
from mt_gym.solver.bound import rise
from mt_gym.solver.compile import compiled, popcount
from mt_gym.solver.losses import fill_least, fill_masks
from mt_gym.solver.moves import forget, gate, settle
from mt_gym.solver.prepare import dominators, hang, has
from mt_gym.solver.weigh import choose_weights


@compiled
def _mark_doors(tag: Tag, data: Flat, order: Ints, regions: Ints) -> None:
    """Fill in the doors by colour, those that must be opened, and which repay.

    Colours of which something costs more than one key are left out.
    """
    words = len(tag)
    mixed = np.zeros(COLOURS, np.int64)
    for g in order:
        row = gate(tag, data, g)
        if data[row + G_COLOUR] >= 0 and data[row + G_AMOUNT] > 1:
            mixed[data[row + G_COLOUR]] = 1
    for g in order:
        row = gate(tag, data, g)
        c = data[row + G_COLOUR]
        if c < 0 or mixed[c]:
            continue
        at = c * words + (g >> 6)
        data[data[DOORS_OF] + at] |= 1 << (g & 63)
        data[data[KEYS_OF] + 2 * c] += 1
        if data[row + G_MUST]:
            data[data[MUST_OPEN] + at] |= 1 << (g & 63)
        for j in range(data[row + G_FROM], data[row + G_TO]):
            r = data[data[OPENS] + j]
            inside = data[REGION] + r * (R_STRIDE + words)
            keys = data[inside + R_GIVES_KEYS] >> (KEY_BITS * c) & KEY_LIMIT
            if regions[g, r] and keys > 0:
                data[row + G_PAYS] = 1


@compiled
def _has_loops(tag: Tag, data: Flat, exposed: Ints, reach: Ints, order: Ints) -> bool:
    """Whether anything can be reached in two ways."""
    words = len(tag)
    for r in range(data[M]):
        near = data[REGION] + r * (R_STRIDE + words) + R_STRIDE
        ways = 0
        for w in range(words):
            ways += popcount(data[near + w] & reach[w])
        if ways > 1:
            return True
    for g in order:
        parent = data[gate(tag, data, g) + G_PARENT]
        if parent < 0:
            direct = exposed[g >> 6]
        else:
            direct = data[gate(tag, data, parent) + G_STRIDE + (g >> 6)]
        if (direct >> (g & 63)) & 1 == 0:
            return True
    return False


@compiled
def lay_plan(
    tag: Tag,
    data: Flat,
    work: Flat,
    removed: Ints,
    exposed: Ints,
    reach: Ints,
    best: int,
) -> int:
    """Fill in the plan of a problem and settle its start.

    Args:
        removed, exposed: [W] the start; reach: [W] all that can be reached.
        best: the attribute with everything collected.

    Returns:
        An upper bound on the final HP.
    """
    x = work[LEVEL]
    below, regions, order = dominators(tag, data, removed, exposed)
    is_goal = np.array([has_goal(data, g) for g in order])
    goals, inner = order[is_goal], order[~is_goal]
    gives = fill_least(tag, data, below, regions, order, best, data[FALLING] != 0)
    if data[FALLING] == 0:
        gives[:] = -1
    fill_masks(tag, data, order, gives)
    data[ORDERED] = len(inner)
    most = work[x + HP] + data[ALL_HP]
    for i in range(len(inner)):
        g = inner[i]
        row = gate(tag, data, g)
        data[data[ORDER] + i] = g
        must = 1
        for goal in goals:
            if not has(below[g], goal):
                must = 0
        data[row + G_MUST] = must
        if data[row + G_NUM] > data[row + G_DEN]:
            data[SCALED] = 1
            most = most * data[row + G_NUM] // data[row + G_DEN]
    for g in goals:
        data[GOAL_HP] = max(data[GOAL_HP], data[gate(tag, data, g) + G_HP])
    hang(tag, data, below, regions, reach)
    data[LOOPS] = _has_loops(tag, data, exposed, reach, inner)
    _mark_doors(tag, data, inner, regions)
    for c in range(COLOURS):
        if data[data[KEYS_OF] + 2 * c + 1] < data[data[KEYS_OF] + 2 * c]:
            data[SHORT] = 1
    settle(tag, data, work, x)
    if work[RULES] & USELESS:
        forget(tag, data, work, x)
    choose_weights(tag, data, work, 0, goals, most, best, x)
    return work[x + HP] + rise(tag, data, work, x, -LOST)


@compiled
def has_goal(data: Flat, g: int) -> bool:
    """Whether a gateway wins."""
    return (data[data[GOAL] + (g >> 6)] >> (g & 63)) & 1 != 0
