"""Compiled: the ways to remove a gateway, with purchases and crystals or a bomb.

An improvement is bought for the fight that needs it: one that the fight can do
without could as well be bought later.
"""

from __future__ import annotations

from mt_gym.solver.compile import compiled, lowest
from mt_gym.solver.trade.improve import available, payment, unit
from mt_gym.solver.trade.records import CUT, NARROW
from mt_gym.solver.trade.states import (
    HP,
    ONE,
    STATE,
    THREE,
    TWO,
    Array,
    Tables,
    covers,
    loss_of,
    picks,
)
from mt_gym.solver.trade.tables import (
    C_ATK,
    C_GATES,
    C_HP,
    C_PRICE,
    CRYSTAL,
    GIFTS,
    MONSTER,
    O_BOMB,
    O_COST2,
    O_COST3,
    O_GOAL,
    O_KIND,
    O_NEAR,
    O_TYPE,
    T_CLASSES,
    T_GATES,
    T_KINDS,
    T_LIMITS,
    T_OBJECTS,
    T_WALLS,
    WALL,
)

# Columns of a variant: the gateway, whether it is bombed; then four counts of each
# class of improvements (ATK, DEF, MDEF, HP).
V_GATE, V_BOMB, VARIANT = range(3)


@compiled
def improved(classes: Array, variant: Array, two: int) -> int:
    """Packed attributes that a variant's improvements give."""
    total = 0
    for c in range(len(classes)):
        for stat in range(3):
            count = variant[VARIANT + GIFTS * c + stat]
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
    kinds, classes = tables[T_KINDS], tables[T_CLASSES]
    v, kind = len(tables[T_GATES]), tables[T_OBJECTS][g, O_KIND]
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
                        row = variants[end]
                        row[:] = variants[r]
                        row[VARIANT + GIFTS * c] = x
                        row[VARIANT + GIFTS * c + 1] = y
                        row[VARIANT + GIFTS * c + 2] = z
                        more = stats + improved(classes, row, two)
                        end += 1
                        if loss_of(kinds, kind, more) == 0:
                            done = z == 0
                            break
                    if done:
                        break
    goal = tables[T_OBJECTS][g, O_GOAL] == 1
    kept = base
    for r in range(base, end):
        have = stats + improved(classes, variants[r], two)
        loss = loss_of(kinds, kind, have)
        if _wastes(tables, variants[r], two, have, kind, loss):
            continue
        if not drink(classes, s, variants[r], v, loss, goal):
            continue
        variants[kept, :] = variants[r, :]
        kept += 1
    return kept


@compiled
def drink(
    classes: Array, s: Array, variant: Array, v: int, loss: int, goal: bool
) -> bool:
    """Buy the HP that a fight needs, before a goal all of it; whether that suffices."""
    for c in range(len(classes)):
        if not classes[c, C_HP]:
            continue
        left = available(classes, c, s, v)
        for stat in range(3):
            left -= variant[VARIANT + GIFTS * c + stat]
        need = max(0, (loss - s[HP]) // classes[c, C_HP] + 1) if loss >= s[HP] else 0
        if need > left:
            return False
        variant[VARIANT + GIFTS * c + 3] = left if goal else need
        return True
    return bool(loss < s[HP])


@compiled
def _wastes(
    tables: Tables, variant: Array, two: int, have: int, kind: int, loss: int
) -> bool:
    """Whether a variant could do without one of its improvements."""
    kinds, classes = tables[T_KINDS], tables[T_CLASSES]
    for c in range(len(classes)):
        for stat in range(3):
            if variant[VARIANT + GIFTS * c + stat]:
                less = have - unit(classes, c, stat, two)
                if loss_of(kinds, kind, less) <= loss:
                    return True
    return False


@compiled
def improve(tables: Tables, s: Array, variant: Array, v: int) -> None:
    """Pay for a variant's improvements and apply them."""
    classes = tables[T_CLASSES]
    s[ONE] += improved(classes, variant, s[TWO])
    for c in range(len(classes)):
        count = 0
        for gift in range(GIFTS):
            count += variant[VARIANT + GIFTS * c + gift]
        if not count:
            continue
        s[HP] += variant[VARIANT + GIFTS * c + 3] * classes[c, C_HP]
        if classes[c, C_PRICE]:
            s[TWO] -= payment(classes, c, s[TWO], count)
            continue
        for i in range(v):
            while count:
                word = classes[c, C_GATES + i] & s[STATE + v + i] & ~s[STATE + i]
                if not word:
                    break
                s[STATE + i] |= word & -word
                count -= 1


@compiled
def opens(objects: Array, s: Array, g: int, v: int, w: int) -> bool:
    """Whether the removal of a gateway exposes anything."""
    new = 0
    for i in range(w):
        new |= objects[g, O_NEAR + i] & ~s[STATE + v + i]
    return bool(new)


@compiled
def _outdone(tables: Tables, s: Array, g: int, last: bool) -> bool:
    """Whether another wall to try exposes all that a wall exposes.

    It exposes then in particular the first thing that this one does.
    """
    objects, walls = tables[T_OBJECTS], tables[T_WALLS]
    v, w = len(tables[T_GATES]), len(walls)
    thing = -1
    for j in range(w):
        new = objects[g, O_NEAR + j] & ~s[STATE + v + j]
        if last:
            new &= ~walls[j]
        if new:
            thing = 64 * j + lowest(new)
            break
    for i in range(v):
        word = s[STATE + v + w + i] & walls[i]
        if thing >= 0:
            word &= objects[thing, O_NEAR + i]
        while word:
            h = 64 * i + lowest(word)
            word &= word - 1
            if h == g:
                continue
            less, more = True, False
            for j in range(w):
                mine = objects[g, O_NEAR + j] & ~s[STATE + v + j]
                other = objects[h, O_NEAR + j] & ~s[STATE + v + j]
                if last:
                    mine &= ~walls[j]
                    other &= ~walls[j]
                less = less and mine & ~other == 0
                more = more or other & ~mine != 0
            if less and (more or h < g):
                return True
    return False


@compiled
def ways(tables: Tables, s: Array, g: int, variants: Array, base: int, n: Array) -> int:
    """Write the variants in which a gateway may be removed; the row after the last."""
    objects, limits, classes = tables[T_OBJECTS], tables[T_LIMITS], tables[T_CLASSES]
    v = len(tables[T_GATES])
    o = objects[g]
    kind = o[O_TYPE]
    if kind == CRYSTAL or not covers(s[TWO], o[O_COST2], limits[1]):
        return base
    if not covers(s[THREE], o[O_COST3], limits[2]):
        return base
    if kind == WALL and _outdone(tables, s, g, picks(tables, s) == 1):
        return base
    end = base
    if kind == MONSTER:
        most = 1 if n[NARROW] else 1 << 30
        end = list_variants(tables, s, g, variants, base, most)
        while n[NARROW] and end == base and most < 64:
            most *= 2
            end = list_variants(tables, s, g, variants, base, most)
        for c in range(len(classes)):
            if available(classes, c, s, v) > most:
                n[CUT] = 1
        if end < 0 or end >= len(variants):
            n[CUT] = 1
            return base
        if not (o[O_BOMB] and covers(s[TWO], o[O_BOMB], limits[1])):
            return end
        if not opens(objects, s, g, v, len(tables[T_WALLS])):
            return end
    elif end >= len(variants):
        n[CUT] = 1
        return base
    variants[end, :] = 0
    variants[end, V_GATE] = g
    variants[end, V_BOMB] = kind == MONSTER
    if o[O_GOAL]:
        drink(classes, s, variants[end], v, 0, True)
    return end + 1
