"""Compiled: the action masks of all copies, written into an array."""

from __future__ import annotations

import numpy as np

from mt_gym.envs.batch.access import (
    action_at,
    has,
    object_at,
)
from mt_gym.envs.batch.facts import (
    legal_simple,
    payable,
    present,
)
from mt_gym.envs.batch.layout import (
    M_GENERAL,
    NONE,
    O_ACTIONS,
    O_FIRST,
    P_OBJECT,
    P_STRIDE,
    S_OUTCOME,
    S_TOWER,
    T_ACTIONS,
    T_GENERAL,
    T_MASK_AT,
    T_PAINT_AT,
    T_STRAIGHT,
    Z_STRIDE,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import (
    Integers,
    write_eight,
)
from mt_gym.envs.batch.walk import (
    W_THINGS,
)
from mt_gym.solver.compile import (
    compiled,
    lowest,
)

_BYTES = np.array(
    [sum((n >> bit & 1) << 8 * bit for bit in range(8)) for n in range(256)], np.int64
)
"""Eight bytes, each a bit of a number, as one integer."""


@compiled
def paint_mask(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    mask: Integers,
    m: int,
) -> None:
    """Write the action mask of one copy at `m`; what pads the space stays."""
    actions = data[b + T_ACTIONS]
    if rows[x + S_OUTCOME] != NONE:
        for r in range(actions):
            mask[m + r] = 0
        return
    words = z[Z_WORDS]
    straight = data[b + T_STRAIGHT] != 0
    for w in range(words):
        legal = legal_simple(z, rows, x, w)
        work[W_THINGS + w] = legal
        if straight:
            first = m + 64 * w
            count = min(64, actions - 64 * w)
            r = 0
            while r + 8 <= count:
                write_eight(mask, first + r, _BYTES[(legal >> r) & 255])
                r += 8
            while r < count:
                mask[first + r] = (legal >> r) & 1
                r += 1
    if not straight:
        paint = b + data[b + T_PAINT_AT]
        for r in range(actions):
            thing = data[paint + r * P_STRIDE + P_OBJECT]
            mask[m + r] = thing >= 0 and has(work, W_THINGS, thing)
    if data[b + T_GENERAL]:
        masks = b + data[b + T_MASK_AT] + M_GENERAL * words
        for w in range(words):
            general = present(z, rows, x, w) & data[masks + w]
            while general:
                entry = object_at(z, data, b, 64 * w + lowest(general))
                general &= general - 1
                for i in range(data[entry + O_ACTIONS]):
                    index = data[entry + O_FIRST] + i
                    if payable(z, data, b, rows, x, action_at(data, b, index)):
                        mask[m + index] = 1


@compiled
def paint_masks(
    z: Integers,
    data: Integers,
    bases: Integers,
    rows: Integers,
    work: Integers,
    mask: Integers,
    width: int,
    copies: int,
) -> None:
    """Write the action masks of all copies."""
    for i in range(copies):
        x = i * z[Z_STRIDE]
        b = bases[rows[x + S_TOWER]]
        paint_mask(z, data, b, rows, x, work, mask, i * width)
