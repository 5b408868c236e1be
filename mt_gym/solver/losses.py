"""Compiled: what fights and goals cost over the attributes that can be had."""

from __future__ import annotations

import numpy as np

from mt_gym.solver.arrays import (
    B_ATK_STRIDE,
    B_ATKS,
    B_DEF_STRIDE,
    B_DEFS,
    B_MDEFS,
    BASE,
    F_STRIDE,
    F_VAMPIRE,
    FIGHT,
    FREE_AT,
    G_ATTR,
    G_FROM,
    G_HP,
    G_KIND,
    G_LEAST,
    G_OWN_FROM,
    G_OWN_TO,
    G_TO,
    GOAL,
    GOAL_COST,
    KINDS,
    LOSS,
    LOST,
    OPENS,
    ORDER,
    ORDERED,
    OWN,
    PRIZE,
    PROFIT_AT,
    R_GIVES_ATTR,
    R_GIVES_HP,
    R_STRIDE,
    REGION,
    TABLE,
    WEIGHT,
    WHOLE,
    Flat,
    Ints,
    M,
    N,
    Tag,
)
from mt_gym.solver.compile import compiled
from mt_gym.solver.moves import gate, loss_at
from mt_gym.solver.prepare import has


@compiled
def fill_losses(data: Flat) -> None:
    """Fill the table of losses; where HP matters, with the least loss (at 1 HP)."""
    for kind in range(data[KINDS]):
        for attr in range(data[TABLE]):
            data[data[LOSS] + kind * data[TABLE] + attr] = loss_at(data, kind, attr, 1)


@compiled
def rising_axes(data: Flat, kind: int) -> int:
    """Bits of the attributes (ATK, DEF, MDEF) whose growth can raise a loss."""
    b = data[BASE]
    row = data[LOSS] + kind * data[TABLE]
    high, middle = data[b + B_ATK_STRIDE], data[b + B_DEF_STRIDE]
    found = 0
    for i in range(data[b + B_ATKS]):
        for j in range(data[b + B_DEFS]):
            for k in range(data[b + B_MDEFS]):
                at = row + i * high + j * middle + k
                if i + 1 < data[b + B_ATKS] and data[at + high] > data[at]:
                    found |= 1
                if j + 1 < data[b + B_DEFS] and data[at + middle] > data[at]:
                    found |= 2
                if k + 1 < data[b + B_MDEFS] and data[at + 1] > data[at]:
                    found |= 4
    return found


@compiled
def _least_up_to(data: Flat, kind: int, top: int) -> int:
    """Least loss over all attributes that are nowhere above `top`."""
    b = data[BASE]
    high, middle = data[b + B_ATK_STRIDE], data[b + B_DEF_STRIDE]
    least = LOST
    for i in range(top // high + 1):
        for j in range(top % high // middle + 1):
            for k in range(top % middle + 1):
                at = i * high + j * middle + k
                least = min(least, data[data[LOSS] + kind * data[TABLE] + at])
    return least


@compiled
def fill_least(
    tag: Tag,
    data: Flat,
    below: Ints,
    regions: Ints,
    order: Ints,
    best: int,
    falling: bool,
) -> Ints:
    """Fill in each gateway's cost at the best attributes to be had without it.

    Args:
        best: attribute with everything collected.
        falling: no loss rises with an attribute.

    Returns:
        HP that each gateway alone gives at once.
    """
    n = data[N]
    gives = np.zeros(n, np.int64)
    for g in order:
        row = gate(tag, data, g)
        gives[g] = data[row + G_HP]
        for j in range(data[row + G_FROM], data[row + G_TO]):
            r = data[data[OPENS] + j]
            if regions[g, r]:
                at = data[REGION] + r * (R_STRIDE + len(tag))
                gives[g] += data[at + R_GIVES_HP]
        kind = data[row + G_KIND]
        if kind < 0:
            continue
        top = best - data[row + G_ATTR]
        for r in range(data[M]):
            if regions[g, r]:
                top -= data[data[REGION] + r * (R_STRIDE + len(tag)) + R_GIVES_ATTR]
        for h in range(n):
            if has(below[g], h):
                top -= data[gate(tag, data, h) + G_ATTR]
        if data[TABLE] == 0:
            data[row + G_LEAST] = loss_at(data, kind, top, 1) if falling else 0
        elif falling:
            data[row + G_LEAST] = data[data[LOSS] + kind * data[TABLE] + top]
        else:
            data[row + G_LEAST] = _least_up_to(data, kind, top)
    return gives


@compiled
def fill_masks(tag: Tag, data: Flat, order: Ints, gives: Ints) -> None:
    """Monsters that cost nothing, and those worth fighting at once, by attribute.

    Args:
        gives: HP that a gateway alone gives at once; -1 where this does not count.
    """
    words = len(tag)
    for g in order:
        row = gate(tag, data, g)
        kind, bit, w = data[row + G_KIND], 1 << (g & 63), g >> 6
        if kind < 0 or data[data[GOAL] + w] & bit != 0:
            continue
        if data[data[FIGHT] + kind * F_STRIDE + F_VAMPIRE] != 0:
            continue
        for attr in range(data[TABLE]):
            loss = data[data[LOSS] + kind * data[TABLE] + attr]
            if loss == 0:
                data[data[FREE_AT] + attr * words + w] |= bit
            elif loss == data[row + G_LEAST] and loss <= gives[g]:
                data[data[PROFIT_AT] + attr * words + w] |= bit


@compiled
def fill_goal_costs(tag: Tag, data: Flat, k: int, goals: Ints, most: int) -> None:
    """Fill the k-th `GOAL_COST`: min over f >= a of cost(f) + weights * (f - a).

    Args:
        goals: gateways in reach that win.
        most: HP that no hero exceeds; dearer goals are lost.
    """
    b, columns = data[BASE], max(1, data[TABLE])
    out, weight = data[GOAL_COST] + k * columns, data[WEIGHT] + 3 * k
    high, middle = data[b + B_ATK_STRIDE], data[b + B_DEF_STRIDE]
    for attr in range(columns):
        least = LOST
        for g in goals:
            kind = data[gate(tag, data, g) + G_KIND]
            loss = 0
            if kind >= 0 and data[TABLE] > 0:
                loss = data[data[LOSS] + kind * data[TABLE] + attr]
            least = min(least, LOST if loss >= most else loss)
        data[out + attr] = least
    if data[TABLE] == 0:
        return
    for i in range(data[b + B_ATKS] - 1, -1, -1):
        for j in range(data[b + B_DEFS] - 1, -1, -1):
            for q in range(data[b + B_MDEFS] - 1, -1, -1):
                at = out + i * high + j * middle + q
                if i + 1 < data[b + B_ATKS]:
                    data[at] = min(data[at], data[at + high] + data[weight])
                if j + 1 < data[b + B_DEFS]:
                    data[at] = min(data[at], data[at + middle] + data[weight + 1])
                if q + 1 < data[b + B_MDEFS]:
                    data[at] = min(data[at], data[at + 1] + data[weight + 2])


@compiled
def _worth(data: Flat, k: int, attr: int) -> int:
    """What attribute units are worth under the k-th weights."""
    b, weight = data[BASE], data[WEIGHT] + 3 * k
    high, middle = data[b + B_ATK_STRIDE], data[b + B_DEF_STRIDE]
    return (
        data[weight] * (attr // high)
        + data[weight + 1] * (attr % high // middle)
        + data[weight + 2] * (attr % middle)
    )


@compiled
def fill_prizes(tag: Tag, data: Flat, k: int) -> None:
    """Fill the k-th `PRIZE` and `WHOLE` from the k-th weights."""
    prizes = data[PRIZE] + k * data[M]
    for r in range(data[M]):
        at = data[REGION] + r * (R_STRIDE + len(tag))
        data[prizes + r] = data[at + R_GIVES_HP] + _worth(
            data, k, data[at + R_GIVES_ATTR]
        )
    for i in range(data[ORDERED]):
        g = data[data[ORDER] + i]
        row = gate(tag, data, g)
        whole = data[row + G_HP] - data[row + G_LEAST]
        whole += _worth(data, k, data[row + G_ATTR])
        for j in range(data[row + G_OWN_FROM], data[row + G_OWN_TO]):
            whole += data[prizes + data[data[OWN] + j]]
        data[data[WHOLE] + k * data[N] + g] = whole
