"""Compiled: what the tree of an action says: value, keys, potions, dead ends."""

from __future__ import annotations

import numpy as np

from mt_gym.analysis.weights import DEPTH_PERCENT
from mt_gym.analysis.weights import DOOR as DOOR_PRICE
from mt_gym.analysis.weights import STAIRS as NEW
from mt_gym.engine.kinds import KEYS
from mt_gym.envs.batch.entries import (
    E_ACTION,
    E_ATK,
    E_DAMAGE,
    E_HEAD,
    E_PRICE,
    paid_for,
)
from mt_gym.envs.batch.facts import (
    FIGHT_CODE,
    action_at,
    has,
    object_at,
    payable,
)
from mt_gym.envs.batch.layout import (
    A_CODE,
    A_COST,
    A_COSTS,
    A_OBJECT,
    A_REMOVE,
    A_REMOVES,
    BARS,
    C_FLOOR,
    C_STRIDE,
    DOOR,
    M_GATE,
    M_MONSTER,
    M_NEEDED,
    M_OBJECTS,
    O_ACTIONS,
    O_ATK,
    O_COLOUR,
    O_FIRST,
    O_HEAL,
    O_KEYS,
    O_LANDING,
    O_PARTNER,
    O_TYPE,
    O_VALUE,
    S_SETS,
    STAIRS,
    T_CELL_AT,
    T_FLAGS,
    T_MASK_AT,
    T_POOL_AT,
    T_SCALE_AT,
    WALL,
    Z_FLAGS,
    Z_WORDS,
)
from mt_gym.envs.batch.lookahead import (
    L_PENDING,
    L_WINNABLE,
    N_DEPTH,
    N_ITEMS,
    N_KEYS,
    N_PATH,
    node_at,
)
from mt_gym.envs.batch.moves import spread
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
    """Hand-set value of what a node exposes, in hundredths."""
    words = z[Z_WORDS]
    total = 0
    for part in range(4):
        if part == 2:
            continue
        for w in range(words):
            word = note[n + N_ITEMS + part * words + w]
            while word:
                entry = object_at(z, data, b, 64 * w + lowest(word))
                word &= word - 1
                kind = data[entry + O_TYPE]
                total += data[entry + O_VALUE]
                if kind == DOOR and data[entry + O_COLOUR] >= 0:
                    slot = data[entry + O_COLOUR]
                    share = 75 if rows[x + slot] > 1 else 100
                    total += _DOORS[slot - _YELLOW] * share
                elif kind == STAIRS:
                    cell = b + data[b + T_CELL_AT] + data[entry + O_LANDING] * C_STRIDE
                    floor = data[b + T_FLAGS] + data[cell + C_FLOOR]
                    if not has(rows, x + z[Z_FLAGS], floor):
                        total += 100 * NEW
    return total


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
    for w in range(words):
        note[gates + w] = 0
        note[e + E_HEAD + w] = 0
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
        worth = _worth(z, data, b, rows, x, note, n)
        if worth:
            raw += worth * _PERCENT[note[n + N_DEPTH]]
            _add_path(z, note, n, gates)
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
                healing += data[entry + O_HEAL]
                for i in range(3):
                    note[gain + i] += data[entry + O_ATK + i]
                    some = some or data[entry + O_ATK + i] != 0
                if near:
                    for colour in range(4):
                        note[found + colour] += data[entry + O_KEYS + colour]
        if some:
            _add_path(z, note, n, e + E_HEAD)
    for colour in range(4):
        behind += note[found + colour]
    damage = note[e + E_DAMAGE]
    paid = paid_for(z, data, b, rows, x, note, gates, 0, 0, 0)
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
            price = paid_for(z, data, b, rows, x, note, e + E_HEAD, 0, 0, 0)
        if price >= 0:
            note[e + E_PRICE] = price + (damage if fight else 0)
    if not some_gain:
        for w in range(words):
            note[e + E_HEAD + w] = 0


@compiled
def dead_end(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers,
    thing: int,
) -> bool:  # fmt: skip
    """Whether a door opens nothing new; its tree is in `note`."""
    words = z[Z_WORDS]
    if data[object_at(z, data, b, thing) + O_TYPE] != DOOR:
        return False
    n = node_at(z, 0)
    pool = b + data[b + T_POOL_AT]
    for w in range(words):
        if note[n + N_ITEMS + w]:
            return False
        monsters = note[n + N_ITEMS + 2 * words + w]
        if monsters & note[L_WINNABLE * words + w]:
            return False
        others = note[n + N_ITEMS + 3 * words + w]
        while others:
            entry = object_at(z, data, b, 64 * w + lowest(others))
            others &= others - 1
            if data[entry + O_TYPE] == BARS:
                continue
            if data[entry + O_TYPE] == WALL:
                for i in range(data[entry + O_ACTIONS]):
                    a = action_at(data, b, data[entry + O_FIRST] + i)
                    if payable(z, data, b, rows, x, a):
                        return False
                continue
            partner = data[entry + O_PARTNER]
            if partner < 0 or not has(rows, x + S_SETS + 2 * words, partner):
                return False
        doors = note[n + N_ITEMS + words + w]
        while doors:
            entry = object_at(z, data, b, 64 * w + lowest(doors))
            doors &= doors - 1
            a = action_at(data, b, data[entry + O_FIRST])
            enough = True
            for i in range(data[a + A_COSTS]):
                at = pool + data[a + A_COST] + 2 * i
                held = rows[x + data[at]]
                if _YELLOW <= data[at] < _YELLOW + 4:
                    held = note[n + N_KEYS + data[at] - _YELLOW]
                enough = enough and held >= data[at + 1]
            if enough:
                return False
    return True


@compiled
def optional(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers, a: int
) -> bool:
    """Whether a fight blocks nothing that the goal could need."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    thing = data[a + A_OBJECT]
    if has(data, masks + M_NEEDED * words, thing):
        return False
    n = node_at(z, 0)
    gone = n + N_ITEMS + 4 * words
    new = n + N_ITEMS  # what is new in this round
    pool = b + data[b + T_POOL_AT]
    for w in range(words):
        note[gone + w] = rows[x + S_SETS + w]
        note[gone + words + w] = rows[x + S_SETS + words + w]
        note[gone + 2 * words + w] = rows[x + S_SETS + 2 * words + w]
        note[new + w] = 0
    for i in range(data[a + A_REMOVES]):
        index = data[pool + data[a + A_REMOVE] + i]
        note[new + (index >> 6)] |= 1 << (index & 63)
    while True:
        some = False
        for w in range(words):
            note[L_PENDING * words + w] = note[new + w]
            note[gone + w] |= note[new + w]
        spread(z, data, b, note, gone - S_SETS, note, L_PENDING * words)
        for w in range(words):
            known = rows[x + S_SETS + 2 * words + w] | note[gone + w]
            known |= note[gone + words + w]
            word = note[gone + 2 * words + w] & data[masks + M_OBJECTS * words + w]
            word &= ~known
            passable = data[masks + M_MONSTER * words + w]
            passable |= data[masks + M_GATE * words + w]
            passable &= ~data[masks + M_NEEDED * words + w]
            if word & ~passable:
                return False
            note[new + w] = word
            some = some or word != 0
        if not some:
            return True
