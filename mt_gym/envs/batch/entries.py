"""Compiled: the listed actions of a state, in their order, and what fights would cost.

An entry says what an action is and what lies behind it.
"""

from __future__ import annotations

import numpy as np

from mt_gym.engine.board import (
    BUY,
    CHOOSE,
    CLIMB,
    COLLECT,
    FINISH,
    OPEN,
    SELL,
    TALK,
    TRADE,
)
from mt_gym.envs.batch.access import (
    action_at,
    object_at,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
    holds,
    legal_simple,
    payable,
    present,
)
from mt_gym.envs.batch.fights import (
    loss_after,
    loss_of,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_OBJECT,
    DOOR,
    M_GENERAL,
    M_MONSTER,
    MONSTER,
    O_ACTIONS,
    O_CELL,
    O_FIRST,
    O_FLOOR,
    O_KIND,
    O_TYPE,
    T_FLOORS,
    T_MASK_AT,
    Z_WORDS,
)
from mt_gym.envs.batch.lookahead import (
    L_WINNABLE,
)
from mt_gym.envs.batch.pointer import Integers
from mt_gym.solver.compile import compiled, lowest

# An entry: action, object, floor (-1 for none), damage (-1 for none), rank in the
# list, points of ATK, DEF and MDEF behind it, price of the way there (-1 for none),
# monster kind (-1 for none), place of the losses after that gain (0 for none); then W
# words of the gateways on that way.
E_ACTION, E_THING, E_BLOCK, E_DAMAGE, E_RANK, E_ATK, E_DEF, E_MDEF, E_PRICE = range(9)
E_KIND, E_TABLE = 9, 10
E_HEAD = 11
ROOM = 16
"""Integers before the entries: keys found and keys spent, four colours each, then
what lies on a floor and a span of HP (`annotate`)."""

_MANY = 1_000_000


def _groups() -> list[int]:
    """Rank of the verbs in the list (`analysis.listing`), by code."""
    ranks = dict.fromkeys(range(16), 8)
    ranks |= {FIGHT_CODE: 0, OPEN: 1, COLLECT: 3, CHOOSE: 3, TALK: 4, TRADE: 5}
    ranks |= {CLIMB: 6, BUY: 7, SELL: 7, FINISH: 9}
    return [ranks[code] for code in range(16)]


_GROUPS = np.array(_groups(), np.int64)
_BUY, _SELL, _OPEN = BUY, SELL, OPEN


@compiled
def _enter(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    first: int, count: int, index: int, damage: int,
) -> int:  # fmt: skip
    """Put an action into the list, in its order; the new number of entries."""
    size = E_HEAD + z[Z_WORDS]
    a = action_at(data, b, index)
    thing = data[a + A_OBJECT]
    entry = object_at(z, data, b, thing)
    group = _GROUPS[data[a + A_CODE]]
    if data[a + A_CODE] == _OPEN and data[entry + O_TYPE] != DOOR:
        group = 2
    rank = group * _MANY + index
    at = count
    while at > 0 and note[first + (at - 1) * size + E_RANK] > rank:
        for i in range(size):
            note[first + at * size + i] = note[first + (at - 1) * size + i]
        at -= 1
    e = first + at * size
    block = data[entry + O_FLOOR]
    if data[b + T_FLOORS] == 1:
        block = 0
    elif data[a + A_CODE] in (_BUY, _SELL) or data[entry + O_CELL] < 0:
        block = -1
    note[e + E_ACTION] = index
    note[e + E_THING] = thing
    note[e + E_BLOCK] = block
    note[e + E_DAMAGE] = damage
    note[e + E_RANK] = rank
    note[e + E_KIND] = data[entry + O_KIND]
    return count + 1


@compiled
def list_entries(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    first: int,
) -> int:  # fmt: skip
    """List what can be chosen, unwinnable fights included; the number of entries."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    count = 0
    for w in range(words):
        there = present(z, rows, x, w)
        general = there & data[masks + M_GENERAL * words + w]
        monsters = there & data[masks + M_MONSTER * words + w]
        barred = monsters & ~note[L_WINNABLE * words + w]
        word = legal_simple(z, rows, x, w)
        while word:
            entry = object_at(z, data, b, 64 * w + lowest(word))
            damage = -1
            if data[entry + O_TYPE] == MONSTER:
                damage = loss_of(z, data, b, rows, x, 64 * w + lowest(word))
            word &= word - 1
            index = data[entry + O_FIRST]
            count = _enter(z, data, b, rows, x, note, first, count, index, damage)
        while general:
            thing = 64 * w + lowest(general)
            general &= general - 1
            entry = object_at(z, data, b, thing)
            for i in range(data[entry + O_ACTIONS]):
                index = data[entry + O_FIRST] + i
                a = action_at(data, b, index)
                if payable(z, data, b, rows, x, a):
                    damage = -1
                    if data[a + A_CODE] == FIGHT_CODE:
                        damage = loss_of(z, data, b, rows, x, thing)
                    count = _enter(
                        z, data, b, rows, x, note, first, count, index, damage
                    )
        while barred:
            entry = object_at(z, data, b, 64 * w + lowest(barred))
            barred &= barred - 1
            index = data[entry + O_FIRST]
            if holds(z, data, b, rows, x, action_at(data, b, index)):
                count = _enter(z, data, b, rows, x, note, first, count, index, -1)
    return count


@compiled
def paid_for(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    at: int, table: int, atk: int, defense: int, mdef: int,
) -> int:  # fmt: skip
    """HP that the monsters of a set cost after a gain; -1 if one cannot be won."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT] + M_MONSTER * words
    total = 0
    for w in range(words):
        word = note[at + w] & data[masks + w]
        while word:
            kind = data[object_at(z, data, b, 64 * w + lowest(word)) + O_KIND]
            word &= word - 1
            loss = loss_after(z, data, b, rows, x, kind, table, atk, defense, mdef)
            if loss < 0:
                return -1
            total += loss
    return total
