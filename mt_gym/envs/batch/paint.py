"""Compiled: base features of all copies, written into arrays.

The numbers are those of `observation.features`, to the last bit.
"""

from __future__ import annotations

import numpy as np

from mt_gym.envs.batch.access import (
    action_at,
    has,
    object_at,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
    extra_cost,
)
from mt_gym.envs.batch.fights import (
    kind_at,
    loss_of,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_COST,
    A_COSTS,
    A_DOUBLES,
    A_GAIN,
    A_GAINS,
    A_OBJECT,
    K_EXP,
    K_GOLD,
    M_MONSTER,
    N_RESOURCES,
    O_KIND,
    P_CHANGES,
    P_HP_GAIN,
    P_KIND,
    P_OBJECT,
    P_STRIDE,
    S_SETS,
    S_TOWER,
    S_TURN,
    T_ACTIONS,
    T_CHANGES,
    T_MASK_AT,
    T_MAX_TURNS,
    T_MONSTERS,
    T_OBJECTS,
    T_PAINT_AT,
    T_POOL_AT,
    T_SCALE_AT,
    Z_CELLS,
    Z_STRIDE,
    Z_WORDS,
)
from mt_gym.envs.batch.masks import (
    paint_mask,
)
from mt_gym.envs.batch.pointer import (
    Integers,
    Reals,
)
from mt_gym.envs.batch.walk import (
    W_THINGS,
)
from mt_gym.solver.compile import (
    compiled,
    popcount,
)

LIMIT = 4.0


@compiled
def _paint_hero(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    scales: Reals,
    s: int,
    out: Reals,
    h: int,
) -> None:
    limit = np.float32(LIMIT)
    for i in range(N_RESOURCES):
        out[h + i] = min(limit, np.float32(rows[x + i]) * scales[s + i])
    share = rows[x + S_TURN] / data[b + T_MAX_TURNS]
    out[h + N_RESOURCES] = min(limit, np.float32(share))
    count = 0
    mask = b + data[b + T_MASK_AT] + M_MONSTER * z[Z_WORDS]
    for w in range(z[Z_WORDS]):
        count += popcount(rows[x + S_SETS + w] & data[mask + w])
    out[h + N_RESOURCES + 1] = np.float32(count / max(1, data[b + T_MONSTERS]))


@compiled
def _paint_changing(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    index: int,
    nets: Integers,
    n_nets: int,
    out: Reals,
    o: int,
) -> None:
    """Write what an action gives and takes now."""
    a = action_at(data, b, index)
    pool = b + data[b + T_POOL_AT]
    net = W_THINGS + 4 * z[Z_WORDS] + 4 * z[Z_CELLS]
    for i in range(N_RESOURCES):
        work[net + i] = 0
    factor = 1
    if data[a + A_DOUBLES] >= 0:
        factor <<= rows[x + data[a + A_DOUBLES]]
    for i in range(data[a + A_GAINS]):
        at = pool + data[a + A_GAIN] + 2 * i
        work[net + data[at]] += data[at + 1] * factor
    more = extra_cost(z, data, rows, x, a)
    for i in range(data[a + A_COSTS]):
        at = pool + data[a + A_COST] + 2 * i
        work[net + data[at]] -= data[at + 1] + more
    if data[a + A_CODE] == FIGHT_CODE:
        kind = data[object_at(z, data, b, data[a + A_OBJECT]) + O_KIND]
        at = kind_at(z, data, b, rows, x, kind)
        work[net + 4] += data[at + K_GOLD]
        work[net + 5] += data[at + K_EXP]
    scale = b + data[b + T_SCALE_AT]
    for i in range(n_nets):
        slot = nets[2 * i + 1]
        share = work[net + slot] / data[scale + slot]
        out[o + nets[2 * i]] = np.float32(min(LIMIT, max(-LIMIT, share)))


@compiled
def paint_rows(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    mask: Integers,
    m: int,
    nets: Integers,
    n_nets: int,
    first: int,
    columns: int,
    out: Reals,
    o: int,
) -> None:
    """Write the columns of one copy that its state changes.

    Args:
        first: column `present`; reachable, legal, survivable, cost and hp_after
            follow it.
        columns: of a row; out: features, those of this copy from `o` on.
    """
    words = z[Z_WORDS]
    paint = b + data[b + T_PAINT_AT]
    gone, hidden, reach = x + S_SETS, x + S_SETS + words, x + S_SETS + 2 * words
    hp = rows[x]
    scale = data[b + data[b + T_SCALE_AT]]
    lives = hp > 0
    plain = np.float32(0.0)
    if lives:
        plain = np.float32(min(LIMIT, hp / scale))
    one, zero = np.float32(1.0), np.float32(0.0)
    objects = data[b + T_OBJECTS]
    for r in range(data[b + T_ACTIONS]):
        p = paint + r * P_STRIDE
        at = o + r * columns + first
        thing = data[p + P_OBJECT]
        there = False
        if thing >= 0 and thing < objects:
            there = not (has(rows, gone, thing) or has(rows, hidden, thing))
            out[at] = one if there else zero
            out[at + 1] = one if there and has(rows, reach, thing) else zero
        legal = mask[m + r]
        out[at + 2] = legal
        if data[p + P_KIND] < 0:
            out[at + 3] = legal if lives else zero
            gain = data[p + P_HP_GAIN]
            if gain == 0 or not lives:
                out[at + 5] = plain
            else:
                out[at + 5] = np.float32(min(LIMIT, max(0.0, (hp + gain) / scale)))
            continue
        loss = loss_of(z, data, b, rows, x, thing)
        if loss < 0:
            loss = hp + 1
        alive = lives and loss < hp
        out[at + 3] = legal if alive else zero
        out[at + 4] = one
        if loss < max(1, hp):
            out[at + 4] = np.float32(loss / max(1, hp))
        out[at + 5] = zero
        if alive:
            after = hp + data[p + P_HP_GAIN] - loss
            out[at + 5] = np.float32(min(LIMIT, max(0.0, after / scale)))
    if data[b + T_CHANGES]:
        for r in range(data[b + T_ACTIONS]):
            if data[paint + r * P_STRIDE + P_CHANGES]:
                _paint_changing(
                    z, data, b, rows, x, work, r, nets, n_nets, out, o + r * columns
                )


@compiled
def paint_all(
    z: Integers,
    data: Integers,
    bases: Integers,
    rows: Integers,
    work: Integers,
    mask: Integers,
    painted: Integers,
    templates: Reals,
    scales: Reals,
    nets: Integers,
    n_nets: int,
    first: int,
    columns: int,
    hero: Reals,
    out: Reals,
    width: int,
    copies: int,
) -> None:
    """Write masks, heroes and rows of all copies.

    Args:
        painted: [copies] tower whose unchanging columns are in `out` already.
        templates: [towers, width, columns] those columns.
        scales: [towers, 16] factors of the hero's numbers.
    """
    size = width * columns
    heroes = N_RESOURCES + 2
    for i in range(copies):
        x = i * z[Z_STRIDE]
        t = rows[x + S_TOWER]
        b = bases[t]
        if painted[i] != t:
            painted[i] = t
            for k in range(size):
                out[i * size + k] = templates[t * size + k]
            for k in range(width):
                mask[i * width + k] = 0
        paint_mask(z, data, b, rows, x, work, mask, i * width)
        _paint_hero(z, data, b, rows, x, scales, t * heroes, hero, i * heroes)
        paint_rows(
            z,
            data,
            b,
            rows,
            x,
            work,
            mask,
            i * width,
            nets,
            n_nets,
            first,
            columns,
            out,
            i * size,
        )
