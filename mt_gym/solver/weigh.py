"""Compiled: which credit for attributes makes the bound at the start smallest.

Any weights give a valid bound.  The bound is convex in them, so a descent along one
attribute after the other, over the slopes of the goal's cost, comes close.
"""

from __future__ import annotations

from mt_gym.solver.arrays import (
    ATTR,
    B_ATK_STRIDE,
    B_ATKS,
    BASE,
    G_KIND,
    GOAL_COST,
    LOSS,
    LOST,
    TABLE,
    WEIGHT,
    Flat,
    Ints,
    Tag,
)
from mt_gym.solver.bound import collectable
from mt_gym.solver.compile import compiled
from mt_gym.solver.losses import fill_goal_costs, fill_prizes
from mt_gym.solver.moves import gate

STEPS = 8
ROUNDS = 2


@compiled
def _bound_with(
    tag: Tag, data: Flat, work: Flat, k: int, goals: Ints, most: int, x: int
) -> int:
    fill_prizes(tag, data, k)
    fill_goal_costs(tag, data, k, goals, most)
    columns = max(1, data[TABLE])
    column = min(work[x + ATTR], columns - 1)
    found = collectable(tag, data, work, k, x)
    return found - data[data[GOAL_COST] + k * columns + column]


@compiled
def _slope(
    tag: Tag, data: Flat, goals: Ints, most: int, best: int, stride: int, step: int
) -> int:
    """HP that a unit of an attribute saves at the goal, over its last `step` units."""
    slope = LOST
    for g in goals:
        kind = data[gate(tag, data, g) + G_KIND]
        if kind < 0:
            return 0
        row = data[LOSS] + kind * data[TABLE]
        low = min(data[row + best - step * stride], most)
        slope = min(slope, (low - data[row + best]) // step)
    return slope


@compiled
def choose_weights(
    tag: Tag, data: Flat, work: Flat, k: int, goals: Ints, most: int, best: int, x: int
) -> None:
    """Set the k-th weights and all that follows from them.

    Args:
        goals: gateways in reach that win; `most`: HP that no hero exceeds.
        best: the attribute with everything collected.
        x: offset in `work` of the state where the bound shall be small.
    """
    weight = data[WEIGHT] + 3 * k
    least = _bound_with(tag, data, work, k, goals, most, x)
    if data[TABLE] == 0:
        return
    b = data[BASE]
    for _ in range(ROUNDS):
        for axis in range(3):
            stride = 1 if axis == 2 else data[b + B_ATK_STRIDE + axis]
            kept = data[weight + axis]
            for step in range(1, min(data[b + B_ATKS + axis], STEPS + 1)):
                slope = _slope(tag, data, goals, most, best, stride, step)
                if slope <= 0 or slope >= LOST // 2:
                    continue
                data[weight + axis] = slope
                found = _bound_with(tag, data, work, k, goals, most, x)
                if found < least:
                    least, kept = found, slope
            data[weight + axis] = kept
    _bound_with(tag, data, work, k, goals, most, x)
