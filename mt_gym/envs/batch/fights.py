"""Compiled: what fights cost, by the table of losses or by the rules themselves.

`fight_loss` is the engine's own source.
"""

from __future__ import annotations

from mt_gym.engine import (
    rules,
)
from mt_gym.envs.batch.access import (
    object_at,
)
from mt_gym.envs.batch.layout import (
    K_EPOCH,
    K_FIRST,
    K_HEAD,
    K_STRIDE,
    K_VAMPIRE,
    O_KIND,
    S_TABLE,
    T_ATK,
    T_ATK_AXIS,
    T_ATKS,
    T_DEF,
    T_DEF_AXIS,
    T_DEFS,
    T_KIND_AT,
    T_KINDS,
    T_LOSSES,
    T_MDEF,
    T_MDEF_AXIS,
    T_MDEFS,
    Z_EPOCHS,
)
from mt_gym.envs.batch.pointer import (
    Integers,
)
from mt_gym.solver.compile import (
    compiled,
    lowest,
)

fight_loss = compiled(rules.fight_loss)


@compiled
def table_at(data: Integers, b: int, atk: int, defense: int, mdef: int) -> int:
    """Place of the losses at some attributes; 0 where the table has none."""
    if data[b + T_LOSSES] == 0:
        return 0
    i = atk - data[b + T_ATK]
    j = defense - data[b + T_DEF]
    k = mdef - data[b + T_MDEF]
    if i < 0 or j < 0 or k < 0:
        return 0
    if i >= data[b + T_ATKS] or j >= data[b + T_DEFS] or k >= data[b + T_MDEFS]:
        return 0
    place = data[b + data[b + T_ATK_AXIS] + i] + data[b + data[b + T_DEF_AXIS] + j]
    place += data[b + data[b + T_MDEF_AXIS] + k]
    if place < 0:
        return 0
    return b + data[b + T_LOSSES] + place


@compiled
def locate(data: Integers, b: int, rows: Integers, x: int) -> None:
    """Note where the losses at the hero's attributes are."""
    rows[x + S_TABLE] = table_at(data, b, rows[x + 1], rows[x + 2], rows[x + 3])


@compiled
def kind_at(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, kind: int
) -> int:
    """Place of a monster kind's numbers at its present epoch."""
    head = b + data[b + T_KIND_AT] + kind * K_HEAD
    epoch = data[head + K_EPOCH]
    at = b + data[head + K_FIRST]
    if epoch >= 0:
        at += K_STRIDE * rows[x + z[Z_EPOCHS] + epoch]
    return at


@compiled
def loss_with(
    data: Integers, at: int, atk: int, defense: int, mdef: int, hp: int
) -> int:
    """`fight_loss` against the numbers at a place."""
    return fight_loss(
        atk,
        defense,
        mdef,
        hp,
        data[at],
        data[at + 1],
        data[at + 2],
        data[at + 3],
        data[at + 4],
        data[at + 5],
        data[at + 6],
        data[at + 7],
        data[at + 8],
        data[at + 9],
        data[at + 10],
        data[at + 11],
        data[at + 12],
    )


@compiled
def loss_after(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    kind: int,
    table: int,
    atk: int,
    defense: int,
    mdef: int,
) -> int:
    """HP that a fight costs after a gain of attributes; -1 if it cannot be won.

    Args:
        table: place of the losses at those attributes, or 0.
    """
    if table and not data[b + data[b + T_KIND_AT] + kind * K_HEAD + K_VAMPIRE]:
        return data[table + kind]
    at = kind_at(z, data, b, rows, x, kind)
    one, two, three = rows[x + 1] + atk, rows[x + 2] + defense, rows[x + 3] + mdef
    return loss_with(data, at, one, two, three, rows[x])


@compiled
def loss_of(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, thing: int
) -> int:
    """HP that the fight with an object costs now; -1 if it cannot be won."""
    kind = data[object_at(z, data, b, thing) + O_KIND]
    return loss_after(z, data, b, rows, x, kind, rows[x + S_TABLE], 0, 0, 0)


@compiled
def winnable(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, w: int, fights: int
) -> int:
    """Those of a word of monsters that the hero's strikes can hurt."""
    table = rows[x + S_TABLE]
    if table:
        return fights & data[table + data[b + T_KINDS] + w]
    found = 0
    while fights:
        low = lowest(fights)
        fights &= fights - 1
        if loss_of(z, data, b, rows, x, 64 * w + low) != -1:
            found |= 1 << low
    return found
