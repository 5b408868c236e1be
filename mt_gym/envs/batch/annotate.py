"""Compiled: the annotation columns of one copy, as `observation.columns` fills them.

Every listed action gets an entry with what its tree says; then the entries are
compared with each other.
"""

from __future__ import annotations

import numpy as np

from mt_gym.analysis.costs import MIN_SAVING
from mt_gym.engine.rules import MAGIC
from mt_gym.envs.batch.access import (
    action_at,
    object_at,
)
from mt_gym.envs.batch.behind import (
    dead_end,
    optional,
)
from mt_gym.envs.batch.entries import (
    E_ACTION,
    E_ATK,
    E_BLOCK,
    E_DAMAGE,
    E_DEF,
    E_HEAD,
    E_KIND,
    E_MDEF,
    E_PRICE,
    E_TABLE,
    E_THING,
    ROOM,
    list_entries,
    paid_for,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
)
from mt_gym.envs.batch.fights import (
    kind_at,
    loss_after,
    table_at,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    M_ITEM,
    N_MASKS,
    O_ATK,
    O_FLOOR,
    S_SETS,
    T_DEPTH,
    T_HP_COUNTS,
    T_MASK_AT,
    T_SCALE_AT,
    T_SHARE_DEN,
    T_SHARE_NUM,
    Z_WORDS,
)
from mt_gym.envs.batch.lookahead import (
    grow_tree,
    prepare,
)
from mt_gym.envs.batch.pointer import Integers, Reals
from mt_gym.envs.batch.tree_facts import (
    DEAD,
    LATER,
    LIMIT,
    NET,
    OPTIONAL,
    ORDER,
    read_tree,
)
from mt_gym.solver.compile import compiled, lowest

_YELLOW = 7
_MANY = 1 << 62
LYING, SPAN = 8 - ROOM, 13 - ROOM
"""Places in the room before the entries: what lies on a floor, and a span of HP."""


@compiled
def _saving(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    first: int, count: int, own: int,
) -> int:  # fmt: skip
    """HP that the gain behind an entry saves on the other listed fights."""
    size = E_HEAD + z[Z_WORDS]
    atk, defense, mdef = note[own + E_ATK], note[own + E_DEF], note[own + E_MDEF]
    table = note[own + E_TABLE]
    total = 0
    for i in range(count):
        e = first + i * size
        if e == own or note[e + E_DAMAGE] < 0:
            continue
        if note[e + E_BLOCK] != note[own + E_BLOCK]:
            continue
        kind = note[e + E_KIND]
        then = loss_after(z, data, b, rows, x, kind, table, atk, defense, mdef)
        if then >= 0:
            total += note[e + E_DAMAGE] - then
    return total


@compiled
def _affordable(
    data: Integers, b: int, hp: int, cost: int, note: Integers, span: int
) -> bool:
    """Whether a cost is within the share of HP that is risked.

    The answer narrows the span of HP for which the columns hold.
    """
    share = data[b + T_SHARE_NUM]
    least = (cost * data[b + T_SHARE_DEN] + share - 1) // share
    if hp < least:
        note[span + 1] = min(note[span + 1], least)
        return False
    note[span] = max(note[span], least)
    return True


@compiled
def _order(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    first: int, count: int, own: int, span: int,
) -> int:  # fmt: skip
    """HP by which fighting first is cheaper than the best other route first."""
    size = E_HEAD + z[Z_WORDS]
    cost = note[own + E_DAMAGE]
    atk, defense, mdef = note[own + E_ATK], note[own + E_DEF], note[own + E_MDEF]
    table, kind = note[own + E_TABLE], note[own + E_KIND]
    best, gain = -1, 0
    for i in range(count):
        e = first + i * size
        if e == own or note[e + E_PRICE] < 0:
            continue
        if note[e + E_BLOCK] != note[own + E_BLOCK]:
            continue
        if not (note[e + E_ATK] or note[e + E_DEF] or note[e + E_MDEF]):
            continue
        later = loss_after(
            z, data, b, rows, x, kind, note[e + E_TABLE],
            note[e + E_ATK], note[e + E_DEF], note[e + E_MDEF],
        )  # fmt: skip
        if later < 0 or later >= cost:
            continue
        plain = note[e + E_PRICE]
        helped = plain
        if atk or defense or mdef:
            helped = paid_for(
                z, data, b, rows, x, note, e + E_HEAD, table, atk, defense, mdef
            )
            if helped < 0:
                continue
            a = action_at(data, b, note[e + E_ACTION])
            if data[a + A_CODE] == FIGHT_CODE:
                then = loss_after(
                    z, data, b, rows, x, note[e + E_KIND], table, atk, defense, mdef
                )
                if then < 0:
                    continue
                helped += then
        fight_first, route_first = cost + helped, plain + later
        if fight_first == route_first:
            continue
        start = cost if fight_first < route_first else max(0, note[e + E_DAMAGE])
        if not _affordable(data, b, rows[x], start, note, span):
            continue
        total = min(fight_first, route_first)
        if best < 0 or total < best:
            best, gain = total, route_first - fight_first
    return gain


@compiled
def _lying(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    floor: int, at: int,
) -> None:  # fmt: skip
    """Note at a place what the items of a floor give, and the losses after that."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    lying = masks + (N_MASKS + floor) * words
    atk, defense, mdef = 0, 0, 0
    for w in range(words):
        gone = rows[x + S_SETS + w] | rows[x + S_SETS + words + w]
        word = data[lying + w] & data[masks + M_ITEM * words + w] & ~gone
        while word:
            item = object_at(z, data, b, 64 * w + lowest(word))
            word &= word - 1
            atk += data[item + O_ATK]
            defense += data[item + O_ATK + 1]
            mdef += data[item + O_ATK + 2]
    note[at] = floor
    note[at + 1], note[at + 2], note[at + 3] = atk, defense, mdef
    note[at + 4] = table_at(
        data, b, rows[x + 1] + atk, rows[x + 2] + defense, rows[x + 3] + mdef
    )


@compiled
def _later(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, e: int, note: Integers,
    lying: int,
) -> int:  # fmt: skip
    """HP that a fight costs less with all items of its floor; 0 if it is little."""
    damage = note[e + E_DAMAGE]
    kind = note[e + E_KIND]
    at = kind_at(z, data, b, rows, x, kind)
    if damage < 0 or data[at + 3] & MAGIC:
        return 0
    floor = data[object_at(z, data, b, note[e + E_THING]) + O_FLOOR]
    if note[lying] != floor:
        _lying(z, data, b, rows, x, note, floor, lying)
    then = loss_after(
        z, data, b, rows, x, kind, note[lying + 4],
        note[lying + 1], note[lying + 2], note[lying + 3],
    )  # fmt: skip
    if then < 0 or damage - then < MIN_SAVING:
        return 0
    return damage - then


@compiled
def annotate(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    first: int, where: Integers, one_sided: bool, columns: int, out: Reals, o: int,
) -> int:  # fmt: skip
    """Fill the annotation columns of one copy, which are 0 already.

    Returns how many actions are listed.  At `first + SPAN` are then the least HP for
    which the columns are the same, and the least that is too much.

    Args:
        first: place of the entries in `note`.
        where: place of each column in a row, -1 for one that is not shown.
        one_sided: whether the stat route's price is left out.
        columns: of a row; out: features, those of this copy from `o` on.
    """
    size = E_HEAD + z[Z_WORDS]
    hp = data[b + data[b + T_SCALE_AT]]
    scale = b + data[b + T_SCALE_AT] + _YELLOW
    keys = data[scale] + data[scale + 1] + data[scale + 2] + data[scale + 3]
    lying = first + LYING
    note[lying] = -1
    span = first + SPAN
    note[span], note[span + 1] = 0, _MANY
    if data[b + T_HP_COUNTS]:
        note[span], note[span + 1] = rows[x], rows[x] + 1
    prepare(z, data, b, rows, x, note)
    count = list_entries(z, data, b, rows, x, note, first)
    for i in range(count):
        e = first + i * size
        a = action_at(data, b, note[e + E_ACTION])
        r = o + note[e + E_ACTION] * columns
        nodes = grow_tree(z, data, b, rows, x, note, a, data[b + T_DEPTH])
        read_tree(
            z, data, b, rows, x, note, e, nodes, where, out, r, keys, first - ROOM
        )
        if where[DEAD] >= 0:
            out[r + where[DEAD]] = dead_end(z, data, b, rows, x, note, note[e + 1])
        if where[OPTIONAL] >= 0 and data[a + A_CODE] == FIGHT_CODE:
            out[r + where[OPTIONAL]] = optional(z, data, b, rows, x, note, a)
    for i in range(count):
        e = first + i * size
        r = o + note[e + E_ACTION] * columns
        fight = data[action_at(data, b, note[e + E_ACTION]) + A_CODE] == FIGHT_CODE
        gain = note[e + E_ATK] or note[e + E_DEF] or note[e + E_MDEF]
        if where[NET] >= 0 and gain and note[e + E_PRICE] >= 0:
            net = _saving(z, data, b, rows, x, note, first, count, e)
            if not one_sided:
                net -= note[e + E_PRICE]
            out[r + where[NET]] = np.float32(min(LIMIT, max(-LIMIT, net / hp)))
        if fight and where[ORDER] >= 0 and note[e + E_DAMAGE] >= 0:
            order = _order(z, data, b, rows, x, note, first, count, e, span)
            out[r + where[ORDER]] = np.float32(min(LIMIT, max(-LIMIT, order / hp)))
        if fight and where[LATER] >= 0:
            later = _later(z, data, b, rows, x, e, note, lying)
            out[r + where[LATER]] = np.float32(min(LIMIT, max(-LIMIT, later / hp)))
    return count
