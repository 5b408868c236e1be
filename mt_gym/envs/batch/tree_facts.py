"""Compiled: what the tree of an action says: value, keys, potions."""

from __future__ import annotations

import numpy as np

from mt_gym.analysis.weights import DEPTH_PERCENT
from mt_gym.analysis.weights import DOOR as DOOR_PRICE
from mt_gym.analysis.weights import STAIRS as NEW
from mt_gym.engine.kinds import KEYS
from mt_gym.envs.batch.access import (
    action_at,
    clear,
    has,
    object_at,
)
from mt_gym.envs.batch.entries import (
    E_ACTION,
    E_ATK,
    E_DAMAGE,
    E_HEAD,
    E_PRICE,
    E_TABLE,
    paid_for,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
)
from mt_gym.envs.batch.fights import (
    table_at,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_COST,
    A_COSTS,
    C_FLOOR,
    C_STRIDE,
    DOOR,
    O_ATK,
    O_COLOUR,
    O_HEAL,
    O_KEYS,
    O_LANDING,
    O_TYPE,
    O_VALUE,
    S_TABLE,
    STAIRS,
    T_CELL_AT,
    T_FLAGS,
    T_POOL_AT,
    T_SCALE_AT,
    Z_FLAGS,
    Z_WORDS,
)
from mt_gym.envs.batch.lookahead import (
    L_PENDING,
    N_DEPTH,
    N_ITEMS,
    N_PATH,
    node_at,
)
from mt_gym.envs.batch.pointer import Integers, Reals
from mt_gym.solver.compile import compiled, lowest

VALUE, EFFECTIVE, NET, ORDER, BEHIND, LAST, DEAD, OPTIONAL, POTIONS, LATER = range(10)
"""Places of the columns in the list of where they are written."""

LIMIT = 4.0
_YELLOW = 7
_DOORS = np.array([DOOR_PRICE[name] for name in KEYS], np.int64)
_PERCENT = np.array(DEPTH_PERCENT, np.int64)


@compiled
def _worth(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers, n: int
) -> int:
    """Hand-set value of what a node exposes besides items, in hundredths."""
    words = z[Z_WORDS]
    total = 0
    for w in range(words):
        word = note[n + N_ITEMS + words + w]
        while word:
            slot = data[object_at(z, data, b, 64 * w + lowest(word)) + O_COLOUR]
            word &= word - 1
            if slot >= 0:
                share = 75 if rows[x + slot] > 1 else 100
                total += _DOORS[slot - _YELLOW] * share
        word = note[n + N_ITEMS + 3 * words + w]
        while word:
            entry = object_at(z, data, b, 64 * w + lowest(word))
            word &= word - 1
            total += data[entry + O_VALUE]
            if data[entry + O_TYPE] == STAIRS:
                cell = b + data[b + T_CELL_AT] + data[entry + O_LANDING] * C_STRIDE
                floor = data[b + T_FLAGS] + data[cell + C_FLOOR]
                if not has(rows, x + z[Z_FLAGS], floor):
                    total += 100 * NEW
    return total


@compiled
def _shows(z: Integers, note: Integers, n: int) -> bool:
    """Whether a node exposes more than monsters."""
    words = z[Z_WORDS]
    n += N_ITEMS
    found = note[n] | note[n + words] | note[n + 3 * words]
    for w in range(1, words):
        found |= note[n + w] | note[n + words + w] | note[n + 3 * words + w]
    return found != 0


@compiled
def _add_path(z: Integers, note: Integers, n: int, at: int) -> None:
    """Add the gateways on the path of a node to a set."""
    for i in range(note[n + N_DEPTH]):
        gateway = note[n + N_PATH + i]
        note[at + (gateway >> 6)] |= 1 << (gateway & 63)


@compiled
def read_tree(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    e: int, nodes: int, where: Integers, out: Reals, o: int, keys: int, room: int,
) -> None:  # fmt: skip
    """Columns that an action's own tree decides; what the comparison needs of it."""
    words = z[Z_WORDS]
    a = action_at(data, b, note[e + E_ACTION])
    fight = data[a + A_CODE] == FIGHT_CODE
    hp = data[b + data[b + T_SCALE_AT]]
    gates = L_PENDING * words  # a set of its own from here on
    clear(note, gates, words)
    clear(note, e + E_HEAD, words)
    raw, behind, healing = 0, 0, 0
    found = room  # keys found, then keys spent
    spent = found + 4
    gain = e + E_ATK
    for i in range(3):
        note[gain + i] = 0
    for i in range(8):
        note[found + i] = 0
    for number in range(nodes):
        n = node_at(z, number)
        if not _shows(z, note, n):
            continue
        worth = _worth(z, data, b, rows, x, note, n)
        near = number == 0
        if not fight and not near:
            near = True
            for i in range(note[n + N_DEPTH]):
                entry = object_at(z, data, b, note[n + N_PATH + i])
                near = near and data[entry + O_TYPE] != DOOR
        some = False
        for w in range(words):
            word = note[n + N_ITEMS + w]
            while word:
                entry = object_at(z, data, b, 64 * w + lowest(word))
                word &= word - 1
                worth += data[entry + O_VALUE]
                healing += data[entry + O_HEAL]
                for i in range(3):
                    note[gain + i] += data[entry + O_ATK + i]
                    some = some or data[entry + O_ATK + i] != 0
                if near:
                    for colour in range(4):
                        note[found + colour] += data[entry + O_KEYS + colour]
        if worth:
            raw += worth * _PERCENT[note[n + N_DEPTH]]
            _add_path(z, note, n, gates)
        if some:
            _add_path(z, note, n, e + E_HEAD)
    for colour in range(4):
        behind += note[found + colour]
    damage = note[e + E_DAMAGE]
    table = rows[x + S_TABLE]
    paid = paid_for(z, data, b, rows, x, note, gates, table, 0, 0, 0)
    value = max(0, raw - paid * 10_000) // 10_000
    empty = True
    for w in range(words):
        empty = empty and note[gates + w] == 0
    cost = max(0, damage)
    if where[VALUE] >= 0:
        out[o + where[VALUE]] = np.float32(min(LIMIT, value / hp))
    if where[EFFECTIVE] >= 0:
        if value or empty:
            cost -= value
        out[o + where[EFFECTIVE]] = np.float32(min(LIMIT, max(-LIMIT, cost / hp)))
    if where[BEHIND] >= 0:
        out[o + where[BEHIND]] = np.float32(min(1.0, behind / keys))
    if where[POTIONS] >= 0:
        out[o + where[POTIONS]] = np.float32(min(LIMIT, max(-LIMIT, healing / hp)))
    if where[LAST] >= 0:
        pool = b + data[b + T_POOL_AT]
        for i in range(data[a + A_COSTS]):
            at = pool + data[a + A_COST] + 2 * i
            if _YELLOW <= data[at] < _YELLOW + 4:
                note[spent + data[at] - _YELLOW] += data[at + 1]
        for c in range(4):
            used = note[spent + c]
            if used and used == rows[x + _YELLOW + c] and not note[found + c]:
                out[o + where[LAST]] = 1.0
    some_gain = note[gain] or note[gain + 1] or note[gain + 2]
    note[e + E_PRICE] = -1
    if not (fight and damage < 0):
        price = 0
        if some_gain:
            price = paid_for(z, data, b, rows, x, note, e + E_HEAD, table, 0, 0, 0)
        if price >= 0:
            note[e + E_PRICE] = price + (damage if fight else 0)
    note[e + E_TABLE] = table
    if some_gain:
        note[e + E_TABLE] = table_at(
            data,
            b,
            rows[x + 1] + note[gain],
            rows[x + 2] + note[gain + 1],
            rows[x + 3] + note[gain + 2],
        )
    else:
        clear(note, e + E_HEAD, words)
