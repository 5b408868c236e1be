"""Compiled: doors that open nothing new, and fights that block nothing."""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    action_at,
    has,
    object_at,
)
from mt_gym.envs.batch.facts import (
    payable,
)
from mt_gym.envs.batch.layout import (
    A_COST,
    A_COSTS,
    A_EFFECTS,
    A_OBJECT,
    A_REMOVE,
    A_REMOVES,
    BARS,
    DOOR,
    M_GATE,
    M_MONSTER,
    M_NEEDED,
    M_OBJECTS,
    O_ACTIONS,
    O_FIRST,
    O_PARTNER,
    O_TYPE,
    S_SETS,
    T_MASK_AT,
    T_POOL_AT,
    WALL,
    Z_WORDS,
)
from mt_gym.envs.batch.lookahead import (
    L_PENDING,
    L_WINNABLE,
    N_ITEMS,
    N_KEYS,
    node_at,
)
from mt_gym.envs.batch.moves import (
    spread,
)
from mt_gym.envs.batch.pointer import (
    Integers,
)
from mt_gym.solver.compile import (
    compiled,
    lowest,
)

_YELLOW = 7


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
    """Whether a fight, its tree in `note`, blocks nothing that the goal could need."""
    words = z[Z_WORDS]
    masks = b + data[b + T_MASK_AT]
    thing = data[a + A_OBJECT]
    if has(data, masks + M_NEEDED * words, thing):
        return False
    n = node_at(z, 0)
    if data[a + A_EFFECTS] == 0:  # what is exposed at once is in the tree
        for w in range(words):
            if note[n + N_ITEMS + w] | note[n + N_ITEMS + words + w]:
                return False
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
