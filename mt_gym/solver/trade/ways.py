"""Compiled: the ways to remove a gateway, with purchases and crystals or a bomb.

An improvement is bought for the fight that needs it: one that the fight can do
without could as well be bought later.
"""

from __future__ import annotations

from mt_gym.solver.compile import compiled, lowest
from mt_gym.solver.trade.records import (
    CUT,
    NARROW,
)
from mt_gym.solver.trade.states import (
    HP,
    ONE,
    STATE,
    THREE,
    TWO,
    Array,
    Tables,
    available,
    covers,
    loss_of,
    unit,
)
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_GATES,
    C_PRICE,
    CRYSTAL,
    MONSTER,
    O_BOMB,
    O_COST2,
    O_COST3,
    O_GIVE1,
    O_GIVE2,
    O_GIVE3,
    O_GOAL,
    O_HP,
    O_KIND,
    O_NEAR,
    O_TYPE,
    WALL,
)

# Columns of a variant: the gateway, whether it is bombed; then three counts of each
# class of improvements.
V_GATE, V_BOMB, VARIANT = range(3)


@compiled
def improved(classes: Array, variant: Array, two: int) -> int:
    """Packed attributes that a variant's improvements give."""
    total = 0
    for c in range(len(classes)):
        for stat in range(3):
            count = variant[VARIANT + 3 * c + stat]
            if count:
                total += count * unit(classes, c, stat, two)
    return total


@compiled
def list_variants(
    tables: Tables, s: Array, g: int, variants: Array, base: int, most: int
) -> int:
    """Write the ways to fight a monster in which no improvement is wasted.

    Args:
        base: row of the first one.
        most: improvements of a class at the most.

    Returns:
        The row after the last one; -1 if there is no room.
    """
    kinds, classes = tables[1], tables[2]
    v, kind = tables[10], tables[0][g, O_KIND]
    two, stats = s[TWO], s[ONE]
    if base >= len(variants):
        return -1
    variants[base, :] = 0
    variants[base, V_GATE] = g
    end = base + 1
    for c in range(len(classes)):
        count = min(most, available(classes, c, s, v))
        before = end
        if count == 0:
            continue
        for r in range(base, before):
            have = stats + improved(classes, variants[r], two)
            if loss_of(kinds, kind, have) == 0:
                continue
            for x in range(count + 1):
                if x and not classes[c, C_ATK]:
                    break
                for y in range(count - x + 1):
                    if y and not classes[c, C_ATK + 1]:
                        break
                    done = False
                    for z in range(count - x - y + 1):
                        if z and not classes[c, C_ATK + 2]:
                            break
                        if x + y + z == 0:
                            continue
                        if end >= len(variants):
                            return -1
                        variants[end, :] = variants[r, :]
                        variants[end, VARIANT + 3 * c] = x
                        variants[end, VARIANT + 3 * c + 1] = y
                        variants[end, VARIANT + 3 * c + 2] = z
                        more = stats + improved(classes, variants[end], two)
                        end += 1
                        if loss_of(kinds, kind, more) == 0:
                            done = z == 0
                            break
                    if done:
                        break
    kept = base
    for r in range(base, end):
        have = stats + improved(classes, variants[r], two)
        loss = loss_of(kinds, kind, have)
        if loss >= s[HP] or _wastes(tables, variants[r], two, have, kind, loss):
            continue
        variants[kept, :] = variants[r, :]
        kept += 1
    return kept


@compiled
def _wastes(
    tables: Tables, variant: Array, two: int, have: int, kind: int, loss: int
) -> bool:
    """Whether a variant could do without one of its improvements."""
    kinds, classes = tables[1], tables[2]
    for c in range(len(classes)):
        for stat in range(3):
            if variant[VARIANT + 3 * c + stat]:
                less = have - unit(classes, c, stat, two)
                if loss_of(kinds, kind, less) <= loss:
                    return True
    return False


@compiled
def improve(tables: Tables, s: Array, variant: Array, v: int) -> None:
    """Pay for a variant's improvements and apply them."""
    classes = tables[2]
    s[ONE] += improved(classes, variant, s[TWO])
    for c in range(len(classes)):
        count = 0
        for stat in range(3):
            count += variant[VARIANT + 3 * c + stat]
        if classes[c, C_PRICE]:
            s[TWO] -= count * classes[c, C_PRICE]
            continue
        for i in range(v):
            while count:
                word = classes[c, C_GATES + i] & s[STATE + v + i] & ~s[STATE + i]
                if not word:
                    break
                s[STATE + i] |= word & -word
                count -= 1


@compiled
def _fresh(tables: Tables, s: Array, g: int, walls: bool) -> bool:
    """Whether the removal of a gateway exposes anything (but walls, if not `walls`)."""
    objects, v, w = tables[0], tables[10], tables[11]
    for i in range(w):
        word = objects[g, O_NEAR + i] & ~s[STATE + v + i]
        if walls and word:
            return True
        while word:
            if objects[64 * i + lowest(word), O_TYPE] != WALL:
                return True
            word &= word - 1
    return False


@compiled
def _last_tool(tables: Tables, s: Array) -> bool:
    """Whether no pickaxe will be left once one is used."""
    v, w = tables[10], tables[11]
    if s[THREE] >> 48 > 1:
        return False
    more = 0
    for i in range(w):
        more |= tables[6][i] & ~s[STATE + v + i]
    return more == 0


@compiled
def _outdone(tables: Tables, s: Array, g: int, last: bool) -> bool:
    """Whether another wall to try exposes all that a wall exposes."""
    objects, v, w = tables[0], tables[10], tables[11]
    for i in range(v):
        word = s[STATE + v + w + i]
        while word:
            h = 64 * i + lowest(word)
            word &= word - 1
            if h == g or objects[h, O_TYPE] != WALL:
                continue
            less, more = True, False
            for j in range(w):
                mine = objects[g, O_NEAR + j] & ~s[STATE + v + j]
                other = objects[h, O_NEAR + j] & ~s[STATE + v + j]
                if last:
                    mine &= ~tables[12][j]
                    other &= ~tables[12][j]
                less = less and mine & ~other == 0
                more = more or other & ~mine != 0
            if less and (more or h < g):
                return True
    return False


@compiled
def ways(tables: Tables, s: Array, g: int, variants: Array, base: int, n: Array) -> int:
    """Write the variants in which a gateway may be removed; the row after the last."""
    objects, limits = tables[0], tables[3]
    o = objects[g]
    kind = o[O_TYPE]
    if kind == CRYSTAL or not covers(s[TWO], o[O_COST2], limits[1]):
        return base
    if not covers(s[THREE], o[O_COST3], limits[2]):
        return base
    last = kind == WALL and _last_tool(tables, s)
    fresh = o[O_GOAL] == 1 or _fresh(tables, s, g, not last)
    if kind == WALL and (not fresh or _outdone(tables, s, g, last)):
        return base
    if not fresh and o[O_HP] | o[O_GIVE1] | o[O_GIVE2] | o[O_GIVE3] == 0:
        return base
    end = base
    if kind == MONSTER:
        most = 1 if n[NARROW] else 1 << 30
        end = list_variants(tables, s, g, variants, base, most)
        while n[NARROW] and end == base and most < 64:
            most *= 2
            end = list_variants(tables, s, g, variants, base, most)
        for c in range(len(tables[2])):
            if available(tables[2], c, s, tables[10]) > most:
                n[CUT] = 1
        if end < 0 or end >= len(variants):
            n[CUT] = 1
            return base
        if not (fresh and o[O_BOMB] and covers(s[TWO], o[O_BOMB], limits[1])):
            return end
    elif end >= len(variants):
        n[CUT] = 1
        return base
    variants[end, :] = 0
    variants[end, V_GATE] = g
    variants[end, V_BOMB] = kind == MONSTER
    return end + 1
