"""Compiled: what a gateway costs and gives, and what follows by itself."""

from __future__ import annotations

from mt_gym.engine.rules import fight_loss
from mt_gym.solver.arrays import (
    ATTR,
    B_ATK,
    B_ATK_STRIDE,
    B_ATK_UNIT,
    B_DEF,
    B_DEF_STRIDE,
    B_DEF_UNIT,
    B_MDEF,
    B_MDEF_UNIT,
    BASE,
    COLOURS,
    DOORS,
    DOORS_OF,
    F_STRIDE,
    F_VAMPIRE,
    FIGHT,
    FREE,
    FREE_AT,
    G_AMOUNT,
    G_ATTR,
    G_COLOUR,
    G_DEN,
    G_FROM,
    G_HP,
    G_KEYS,
    G_KIND,
    G_NUM,
    G_PAYS,
    G_STRIDE,
    G_TO,
    GATE,
    GAVE,
    GOAL,
    HARM,
    HP,
    ITEMS,
    KEY_BITS,
    KEY_LIMIT,
    KEYS,
    L_STRIDE,
    LEVEL,
    LOG,
    LOGGED,
    LOOPS,
    LOSS,
    LOST,
    OPENS,
    PROFIT,
    PROFIT_AT,
    R_GIVES_ATTR,
    R_GIVES_HP,
    R_GIVES_KEYS,
    R_STRIDE,
    REGION,
    RULES,
    TABLE,
    TOTAL,
    USELESS,
    WORTH,
    WORTHY,
    Flat,
    N,
    Tag,
)
from mt_gym.solver.compile import compiled, lowest, popcount

_fight_loss = compiled(fight_loss)


@compiled
def gate(tag: Tag, data: Flat, g: int) -> int:
    """Offset of a gateway's row."""
    return data[GATE] + g * (G_STRIDE + len(tag))


@compiled
def level(tag: Tag, work: Flat, depth: int) -> int:
    """Offset of the state at a depth; its removed set begins at `L_STRIDE`."""
    return work[LEVEL] + depth * (L_STRIDE + 3 * len(tag))


@compiled
def loss_at(data: Flat, kind: int, attr: int, hp: int) -> int:
    """Loss of a fight from the rules; `LOST` if it cannot be won."""
    b = data[BASE]
    f = data[FIGHT] + kind * F_STRIDE
    stride, middle = data[b + B_ATK_STRIDE], data[b + B_DEF_STRIDE]
    rest = attr % stride
    loss = _fight_loss(
        data[b + B_ATK] + attr // stride * data[b + B_ATK_UNIT],
        data[b + B_DEF] + rest // middle * data[b + B_DEF_UNIT],
        data[b + B_MDEF] + rest % middle * data[b + B_MDEF_UNIT],
        hp,
        data[f],
        data[f + 1],
        data[f + 2],
        data[f + 3],
        data[f + 4],
        data[f + 5],
        data[f + 6],
        data[f + 7],
        data[f + 8],
        data[f + 9],
        data[f + 10],
        data[f + 11],
        data[f + 12],
    )
    return LOST if loss < 0 else loss


@compiled
def cost(tag: Tag, data: Flat, g: int, attr: int, hp: int) -> int:
    """HP that a gateway costs."""
    kind = data[gate(tag, data, g) + G_KIND]
    if kind < 0:
        return 0
    if data[TABLE] > 0 and data[data[FIGHT] + kind * F_STRIDE + F_VAMPIRE] == 0:
        return data[data[LOSS] + kind * data[TABLE] + attr]
    return loss_at(data, kind, attr, hp)


@compiled
def is_open(tag: Tag, data: Flat, r: int, sets: Flat, removed: int) -> bool:
    """Whether a region is reached.

    Args:
        sets: the array in which the removed set begins at offset `removed`.
    """
    near = data[REGION] + r * (R_STRIDE + len(tag)) + R_STRIDE
    known = 0
    for w in range(len(tag)):
        known |= data[near + w] & sets[removed + w]
    return known != 0


@compiled
def take(tag: Tag, data: Flat, work: Flat, g: int, price: int, x: int) -> None:
    """Remove a gateway: pay, receive, collect the regions it opens.

    Changes the state at offset `x` of `work` in place, and notes the gateway.
    """
    words = len(tag)
    row = gate(tag, data, g)
    removed = x + L_STRIDE
    gave = data[row + G_HP] | data[row + G_KEYS] | data[row + G_ATTR]
    work[x + HP] += data[row + G_HP] - price
    work[x + KEYS] += data[row + G_KEYS]
    work[x + ATTR] += data[row + G_ATTR]
    if data[row + G_COLOUR] >= 0:
        paid = data[row + G_AMOUNT] << (KEY_BITS * data[row + G_COLOUR])
        work[x + KEYS] -= paid
        work[x + TOTAL] -= paid
    if data[row + G_NUM] != data[row + G_DEN]:
        work[x + HP] = work[x + HP] * data[row + G_NUM] // data[row + G_DEN]
        gave = 1
    for j in range(data[row + G_FROM], data[row + G_TO]):
        r = data[data[OPENS] + j]
        if not is_open(tag, data, r, work, removed):
            region = data[REGION] + r * (R_STRIDE + words)
            work[x + HP] += data[region + R_GIVES_HP]
            work[x + KEYS] += data[region + R_GIVES_KEYS]
            work[x + ATTR] += data[region + R_GIVES_ATTR]
            gave = 1
    if gave != 0:
        work[x + GAVE] = 1
    work[removed + (g >> 6)] |= 1 << (g & 63)
    for w in range(words):
        work[removed + words + w] |= data[row + G_STRIDE + w]
    work[work[LOG] + work[x + LOGGED]] = g
    work[x + LOGGED] += 1


@compiled
def is_calm(tag: Tag, data: Flat, work: Flat, x: int) -> bool:
    """Whether no monster is left that makes items harmful."""
    left = 0
    for w in range(len(tag)):
        left |= data[data[HARM] + w] & ~work[x + L_STRIDE + w]
    return left == 0


@compiled
def _opens_itself(tag: Tag, data: Flat, work: Flat, g: int, x: int) -> bool:
    """Whether opening a door now can do no harm."""
    row = gate(tag, data, g)
    colour = data[row + G_COLOUR]
    held = (work[x + KEYS] >> (KEY_BITS * colour)) & KEY_LIMIT
    if held == 0:
        return False
    if data[row + G_PAYS] != 0:
        return True
    left = 0
    doors = data[DOORS_OF] + colour * len(tag)
    for w in range(len(tag)):
        left += popcount(data[doors + w] & ~work[x + L_STRIDE + w])
    return held >= left


@compiled
def _next_free(tag: Tag, data: Flat, work: Flat, x: int) -> int:
    """A gateway that is removed without being asked for, or -1."""
    words = len(tag)
    rules = work[RULES]
    calm = is_calm(tag, data, work, x)
    attr = work[x + ATTR]
    for w in range(words):
        front = work[x + L_STRIDE + words + w] & ~work[x + L_STRIDE + w]
        front &= ~data[data[GOAL] + w]
        if front == 0:
            continue
        free = 0
        if rules & FREE:
            free = front & data[data[FREE_AT] + attr * words + w]
        if calm:
            free |= front & data[data[ITEMS] + w]
        if free != 0:
            return 64 * w + lowest(free)
        if rules & PROFIT and calm:
            some = front & data[data[PROFIT_AT] + attr * words + w]
            while some != 0:
                g = 64 * w + lowest(some)
                if cost(tag, data, g, attr, work[x + HP]) < work[x + HP]:
                    return g
                some &= some - 1
        if rules & DOORS:
            for colour in range(COLOURS):
                some = front & data[data[DOORS_OF] + colour * words + w]
                while some != 0:
                    g = 64 * w + lowest(some)
                    if _opens_itself(tag, data, work, g, x):
                        return g
                    some &= some - 1
    return -1


@compiled
def settle(tag: Tag, data: Flat, work: Flat, x: int) -> None:
    """Remove all that the rules remove without being asked, in place."""
    g = _next_free(tag, data, work, x)
    while g >= 0:
        price = cost(tag, data, g, work[x + ATTR], work[x + HP])
        take(tag, data, work, g, price, x)
        g = _next_free(tag, data, work, x)
    if work[RULES] & USELESS and data[LOOPS]:
        forget(tag, data, work, x)


@compiled
def _opens_any(tag: Tag, data: Flat, work: Flat, row: int, removed: int) -> bool:
    """Whether a gateway opens a region that is not reached yet."""
    for j in range(data[row + G_FROM], data[row + G_TO]):
        if not is_open(tag, data, data[data[OPENS] + j], work, removed):
            return True
    return False


@compiled
def forget(tag: Tag, data: Flat, work: Flat, x: int) -> None:
    """Count as removed all that leads to nothing any more.

    Ways to the same places, by other gateways, then end in the same set.
    """
    words, removed, worth = len(tag), x + L_STRIDE, work[WORTH]
    exposed = removed + words
    for w in range(words):
        work[worth + w] = data[data[WORTHY] + w] & ~work[removed + w]
    for g in range(data[N]):
        w, bit = g >> 6, 1 << (g & 63)
        if (work[removed + w] | work[worth + w]) & bit == 0:
            if _opens_any(tag, data, work, gate(tag, data, g), removed):
                work[worth + w] |= bit
    found = True
    while found:
        found = False
        for g in range(data[N]):
            w, bit = g >> 6, 1 << (g & 63)
            if (work[removed + w] | work[worth + w]) & bit != 0:
                continue
            near = gate(tag, data, g) + G_STRIDE
            leads = 0
            for v in range(words):
                leads |= data[near + v] & work[worth + v] & ~work[exposed + v]
            if leads != 0:
                work[worth + w] |= bit
                found = True
    for w in range(words):
        full = -1 if 64 * (w + 1) <= data[N] else (1 << (data[N] & 63)) - 1
        work[removed + w] |= full & ~work[worth + w]
