"""Compiled: the lookahead tree of an action, as `analysis.tree` builds it.

`note` is scratch.  A node holds its depth, the gateways on its path, keys of four
colours, and W words each of its items, doors, monsters, others, and of what is gone,
hidden and in reach.
"""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    action_at,
    add,
    clear,
    drop,
    object_at,
)
from mt_gym.envs.batch.facts import (
    holds,
)
from mt_gym.envs.batch.fights import (
    winnable,
)
from mt_gym.envs.batch.layout import (
    A_COST,
    A_COSTS,
    A_EFFECT,
    A_EFFECTS,
    A_GAIN,
    A_GAINS,
    A_OBJECT,
    A_REMOVE,
    A_REMOVES,
    DOOR,
    GATE,
    M_DOOR,
    M_GOAL,
    M_ITEM,
    M_ITEMS,
    M_MONSTER,
    M_OBJECTS,
    N_MASKS,
    O_CELL,
    O_FIRST,
    O_FLOOR,
    O_KEYS,
    O_TYPE,
    S_SETS,
    STAIRS,
    T_MASK_AT,
    T_POOL_AT,
    Z_WORDS,
)
from mt_gym.envs.batch.moves import spread
from mt_gym.envs.batch.pointer import Integers
from mt_gym.solver.compile import compiled, lowest

MAX_DEPTH = 6
N_DEPTH, N_PATH, N_KEYS, N_ITEMS = 0, 1, 7, 11
"""Places in a node; N_ITEMS is followed by seven sets of W words."""

# Sets at the beginning of `note`, W words each: pending, seen, monsters that can be
# won, those that can be passed, objects of the floor, automatic items, fresh ones.
L_PENDING, L_SEEN, L_WINNABLE, L_PASSABLE, L_FLOOR, L_AUTOMATIC, L_FRESH = range(7)
L_SETS = 7
_REMOVE, _REVEAL = 0, 1
_YELLOW = 7


@compiled
def node_size(z: Integers) -> int:
    """Integers of a node."""
    return N_ITEMS + 7 * z[Z_WORDS]


@compiled
def node_at(z: Integers, number: int) -> int:
    """Place of a node in `note`."""
    return L_SETS * z[Z_WORDS] + number * node_size(z)


@compiled
def prepare(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers
) -> None:
    """Note which monsters of the tower can be won in a state."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    for w in range(words):
        monsters = data[masks + M_MONSTER * words + w]
        won = winnable(z, data, b, rows, x, w, monsters)
        note[L_WINNABLE * words + w] = won
        note[L_PASSABLE * words + w] = won & ~data[masks + M_GOAL * words + w]


@compiled
def _grow(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers, n: int
) -> None:
    """Remove what is pending from node `n`, collect, and note what is new.

    The node holds the sets and keys of its parent; the removed objects are in
    `L_FRESH` and `L_PENDING`.
    """
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    gone = n + N_ITEMS + 4 * words
    hidden, reach = gone + words, gone + 2 * words
    free = n + N_ITEMS  # the item words hold, for a while, what may be collected
    for w in range(words):
        note[gone + w] |= note[L_PENDING * words + w]
        before = note[reach + w] | note[hidden + w]
        note[free + w] = note[L_AUTOMATIC * words + w] & ~before
    spread(z, data, b, note, gone - S_SETS, note, L_PENDING * words)
    while True:
        some = False
        for w in range(words):
            items = note[reach + w] & note[free + w] & ~note[gone + w]
            note[L_PENDING * words + w] = items
            note[gone + w] |= items
            some = some or items != 0
            while items:
                entry = object_at(z, data, b, 64 * w + lowest(items))
                items &= items - 1
                for colour in range(4):
                    note[n + N_KEYS + colour] += data[entry + O_KEYS + colour]
        if not some:
            break
        spread(z, data, b, note, gone - S_SETS, note, L_PENDING * words)
    for w in range(words):
        known = note[hidden + w] | note[L_SEEN * words + w] | rows[x + S_SETS + w]
        known |= note[L_FRESH * words + w]
        new = note[reach + w] & note[L_FLOOR * words + w] & ~known
        monsters = data[masks + M_MONSTER * words + w]
        boss = data[masks + M_GOAL * words + w] & monsters
        new &= ~boss | note[L_WINNABLE * words + w]
        note[L_SEEN * words + w] |= new
        items = new & data[masks + M_ITEM * words + w]
        doors = new & data[masks + M_DOOR * words + w]
        note[n + N_ITEMS + w] = items
        note[n + N_ITEMS + words + w] = doors
        note[n + N_ITEMS + 2 * words + w] = new & monsters
        note[n + N_ITEMS + 3 * words + w] = new & ~(items | doors | monsters)


@compiled
def _pass(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    note: Integers,
    n: int,
    gateway: int,
) -> bool:
    """Whether the branch of a node, whose keys are in `n`, can pass no monster.

    Pays for it.
    """
    entry = object_at(z, data, b, gateway)
    if data[entry + O_TYPE] != DOOR and data[entry + O_TYPE] != GATE:
        return False
    a = action_at(data, b, data[entry + O_FIRST])
    if not holds(z, data, b, rows, x, a):
        return False
    pool = b + data[b + T_POOL_AT]
    for i in range(data[a + A_COSTS]):
        at = pool + data[a + A_COST] + 2 * i
        colour = data[at] - _YELLOW
        if colour < 0 or colour > 3:
            return False
        if note[n + N_KEYS + colour] < data[at + 1]:
            return False
        note[n + N_KEYS + colour] -= data[at + 1]
    return True


@compiled
def _root(
    z: Integers, data: Integers, b: int, rows: Integers, x: int, note: Integers, a: int
) -> None:
    """The node of an action itself."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    pool = b + data[b + T_POOL_AT]
    entry = object_at(z, data, b, data[a + A_OBJECT])
    floor = masks + (N_MASKS + data[entry + O_FLOOR]) * words
    if data[entry + O_CELL] < 0:
        floor = masks + M_OBJECTS * words
    n = node_at(z, 0)
    sets = n + N_ITEMS + 4 * words
    clear(note, L_PENDING * words, words)
    for w in range(words):
        mask = data[floor + w]
        note[L_FLOOR * words + w] = mask
        note[L_AUTOMATIC * words + w] = mask & data[masks + M_ITEMS * words + w]
        note[L_SEEN * words + w] = rows[x + S_SETS + 2 * words + w]
        note[sets + w] = rows[x + S_SETS + w]
        note[sets + words + w] = rows[x + S_SETS + words + w]
        note[sets + 2 * words + w] = rows[x + S_SETS + 2 * words + w]
    note[n + N_DEPTH] = 0
    for colour in range(4):
        note[n + N_KEYS + colour] = rows[x + _YELLOW + colour]
    for i in range(data[a + A_COSTS]):
        at = pool + data[a + A_COST] + 2 * i
        if _YELLOW <= data[at] < _YELLOW + 4:
            note[n + N_KEYS + data[at] - _YELLOW] -= data[at + 1]
    for i in range(data[a + A_GAINS]):
        at = pool + data[a + A_GAIN] + 2 * i
        if _YELLOW <= data[at] < _YELLOW + 4:
            note[n + N_KEYS + data[at] - _YELLOW] += data[at + 1]
    if data[entry + O_TYPE] != STAIRS:
        for i in range(data[a + A_REMOVES]):
            add(note, L_PENDING * words, data[pool + data[a + A_REMOVE] + i])
    for i in range(data[a + A_EFFECTS]):
        at = pool + data[a + A_EFFECT] + 4 * i
        if data[at] == _REMOVE:
            add(note, L_PENDING * words, data[at + 1])
        elif data[at] == _REVEAL:
            drop(note, sets + words, data[at + 1])
    for w in range(words):
        note[L_FRESH * words + w] = note[L_PENDING * words + w]
    _grow(z, data, b, rows, x, note, n)


@compiled
def grow_tree(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    note: Integers,
    a: int,
    depth: int,
) -> int:
    """Build the tree of an action; the number of its nodes, the root first."""
    words = z[Z_WORDS]
    sets = N_ITEMS + 4 * words
    _root(z, data, b, rows, x, note, a)
    count = 1
    number = 0
    while number < count:
        n = node_at(z, number)
        number += 1
        level = note[n + N_DEPTH]
        if level >= depth:
            continue
        for part in range(3):
            # Monsters, then doors, then the others.
            first = n + N_ITEMS + (2 - part if part < 2 else 3) * words
            for w in range(words):
                word = note[first + w]
                if part == 0:
                    word &= note[L_PASSABLE * words + w]
                while word:
                    gateway = 64 * w + lowest(word)
                    word &= word - 1
                    child = node_at(z, count)
                    for i in range(N_ITEMS):
                        note[child + i] = note[n + i]
                    if part and not _pass(z, data, b, rows, x, note, child, gateway):
                        continue
                    for i in range(sets, sets + 3 * words):
                        note[child + i] = note[n + i]
                    note[child + N_DEPTH] = level + 1
                    note[child + N_PATH + level] = gateway
                    clear(note, L_PENDING * words, words)
                    add(note, L_PENDING * words, gateway)
                    for v in range(words):
                        note[L_FRESH * words + v] = note[L_PENDING * words + v]
                    _grow(z, data, b, rows, x, note, child)
                    count += 1
    return count


__all__ = ["MAX_DEPTH", "grow_tree", "node_at", "prepare"]
