"""Compiled: what a purchase or a crystal gives, and how many can be had."""

from __future__ import annotations

from mt_gym.solver.compile import compiled, popcount
from mt_gym.solver.trade.states import (
    CHEAP_SHIFT,
    GOLD_MASK,
    STAT_BITS,
    STATE,
    TOKEN_MASK,
    TOKEN_SHIFT,
    TWO,
    Array,
)
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_DOUBLES,
    C_GATES,
    C_GROWTH,
    C_PLACE,
    C_PRICE,
    CHEAPEST,
)


@compiled
def unit(classes: Array, c: int, stat: int, two: int) -> int:
    """Packed attributes that one improvement of a class gives."""
    amount = classes[c, C_ATK + stat]
    if classes[c, C_DOUBLES]:
        amount <<= (two >> TOKEN_SHIFT) & TOKEN_MASK
    return int(amount << (STAT_BITS * stat))


@compiled
def price(classes: Array, c: int, two: int, count: int) -> int:
    """Gold that the next purchases cost."""
    growth = classes[c, C_GROWTH]
    made = CHEAPEST - (two >> CHEAP_SHIFT) if growth else 0
    first = classes[c, C_PRICE] + growth * made
    return int(count * first + growth * (count * (count - 1) // 2))


@compiled
def affordable(classes: Array, c: int, two: int, gold: int) -> int:
    """How many purchases of a class some gold pays for."""
    if not classes[c, C_GROWTH]:
        return int(gold // classes[c, C_PRICE])
    count = 0
    while price(classes, c, two, count + 1) <= gold:
        count += 1
    return count


@compiled
def open_now(classes: Array, c: int, s: Array, v: int) -> bool:
    """Whether the hero has reached the shop of a class, if it stands in a place."""
    place = classes[c, C_PLACE]
    return bool(place < 0 or (s[STATE + v + (place >> 6)] >> (place & 63)) & 1)


@compiled
def available(classes: Array, c: int, s: Array, v: int) -> int:
    """How many improvements of a class can be had now."""
    if classes[c, C_PRICE]:
        if not open_now(classes, c, s, v):
            return 0
        return affordable(classes, c, s[TWO], s[TWO] & GOLD_MASK)
    count = 0
    for i in range(v):
        count += popcount(classes[c, C_GATES + i] & s[STATE + v + i] & ~s[STATE + i])
    return count


@compiled
def payment(classes: Array, c: int, two: int, count: int) -> int:
    """What some purchases subtract from the second word."""
    cost = price(classes, c, two, count)
    if classes[c, C_GROWTH]:
        cost += count << CHEAP_SHIFT
    return cost
