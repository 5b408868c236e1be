"""Compiled transitions: what a removal exposes, rows of effects, fights, purchases.

Every function changes a state (one row of int64, see `layout`) in place.  The
tables of the tower come as one `net.Tables`, always named `t`.
"""

from __future__ import annotations

from typing import Any

from mt_gym.engine import rules
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, MDEF, YELLOW
from mt_gym.solver.compile import compiled, inlined
from mt_gym.solver.tower import layout as at

N_RESOURCES = 14
N_COLOURS = 4
UNWINNABLE = rules.UNWINNABLE
fight_loss = compiled(rules.fight_loss)


@compiled
def is_gone(state: Any, thing: int) -> bool:
    """Whether an object is gone."""
    return bool((state[at.MASKS + (thing >> 6)] >> (thing & 63)) & 1)


@compiled
def is_reached(state: Any, words: int, thing: int) -> bool:
    """Whether an object touches cells that the hero can walk to."""
    return bool((state[at.MASKS + words + (thing >> 6)] >> (thing & 63)) & 1)


@compiled
def is_hidden(state: Any, objects: Any, thing: int) -> bool:
    """Whether no script has revealed an object yet."""
    slot = objects[thing, at.HIDDEN]
    return bool(slot >= 0 and (state[at.REVEALED] >> slot) & 1 == 0)


@inlined
def kind_row(state: Any, kinds: Any, kind: int) -> int:
    """Row of `kinds` that holds a monster kind's numbers now."""
    base = kind * at.EPOCH_LIMIT
    slot = kinds[base, at.K_SLOT]
    if slot >= 0:
        base += (state[at.EPOCHS] >> (4 * slot)) & 15
    return base


@inlined
def loss_at(kinds: Any, row: int, hp: int, atk: int, defense: int, mdef: int) -> int:
    """`rules.fight_loss` against a row of `kinds`."""
    if kinds[row, at.K_PLAIN]:
        strike = atk - kinds[row, 2]
        if strike <= 0:
            return UNWINNABLE
        per_round = kinds[row, 1] - defense
        if per_round <= 0:
            return 0
        loss = (kinds[row, 0] - 1) // strike * per_round - mdef
        return loss if loss > 0 else 0
    return fight_loss(
        atk,
        defense,
        mdef,
        hp,
        kinds[row, 0],
        kinds[row, 1],
        kinds[row, 2],
        kinds[row, 3],
        kinds[row, 4],
        kinds[row, 5],
        kinds[row, 6],
        kinds[row, 7],
        kinds[row, 8],
        kinds[row, 9],
        kinds[row, 10],
        kinds[row, 11],
        kinds[row, 12],
    )


@compiled
def loss_of(state: Any, kinds: Any, kind: int) -> int:
    """HP that a fight against a kind costs now, or `UNWINNABLE`."""
    row = kind_row(state, kinds, kind)
    return loss_at(kinds, row, state[HP], state[ATK], state[DEF], state[MDEF])


@compiled
def mark_gone(state: Any, objects: Any, hash_keys: Any, thing: int) -> None:
    """An object goes away; what it exposes is left to `settle`."""
    state[at.MASKS + (thing >> 6)] |= 1 << (thing & 63)
    state[at.HASH] ^= hash_keys[thing]
    state[at.STIRRED] |= objects[thing, at.WATCHED]
    if objects[thing, at.GATEWAY]:
        state[at.LAYER] += 1
        kind = objects[thing, at.KIND]
        if kind >= 0:
            state[at.ALIVE + kind] -= objects[thing, at.WEIGHT]
        key = objects[thing, at.KEY]
        if key >= 0 and objects[thing, at.MANDATORY]:
            state[at.NEEDED + key - YELLOW] -= 1


@inlined
def expose(state: Any, objects: Any, hash_keys: Any, thing: int) -> int:
    """An object that is there comes into reach; returns what to push: 0 or 1."""
    kind = objects[thing, at.CLASS]
    if kind == at.AUTO:
        mark_gone(state, objects, hash_keys, thing)
        if objects[thing, at.SETS]:
            state[at.FLAGS] |= objects[thing, at.SETS]
            state[at.STIRRED] = 1
        gives = objects[thing, at.GIVES]
        if gives >= 0:
            amount = objects[thing, at.GAIN + gives]
            state[gives] += amount
            if YELLOW <= gives < YELLOW + N_COLOURS:
                state[at.LYING + gives - YELLOW] -= amount
        elif gives == -2:
            for resource in range(N_RESOURCES):
                state[resource] += objects[thing, at.GAIN + resource]
            for colour in range(N_COLOURS):
                state[at.LYING + colour] -= objects[thing, at.GAIN + YELLOW + colour]
        partner = objects[thing, at.PARTNER]
        if partner >= 0 and not is_gone(state, partner):
            mark_gone(state, objects, hash_keys, partner)
        return 1
    if kind == at.SHOP_OBJECT:
        state[at.SHOPS] |= 1 << objects[thing, at.SHOP]
    elif kind != at.INERT and state[at.COUNT] < at.FRONT_SIZE:
        state[at.FRONT + state[at.COUNT]] = thing
        state[at.COUNT] += 1
        if kind == at.SPECIAL:
            state[at.STIRRED] = 1
    return 0


@compiled
def reveal(state: Any, words: int, thing: int, above: int) -> bool:
    """Whether a neighbour comes into reach (`above` hides what is behind it)."""
    if above >= 0 and thing != above:
        return False
    word = at.MASKS + words + (thing >> 6)
    bit = 1 << (thing & 63)
    if state[word] & bit:
        return False
    state[word] |= bit
    return True


@inlined
def spread(
    state: Any,
    t: Any,
    stack: Any,
    top: int,
) -> None:
    """Expose what touches the removed objects on the stack, and so on."""
    while top > 0:
        top -= 1
        thing = stack[top]
        above = t.objects[thing, at.ABOVE]
        if above >= 0 and (is_gone(state, above) or is_hidden(state, t.objects, above)):
            above = -1
        if above >= 0 and reveal(state, t.words, above, above):
            if expose(state, t.objects, t.hash_keys, above):
                stack[top] = above
                top += 1
            continue
        start = t.objects[thing, at.NEAR]
        for place in range(start, start + t.objects[thing, at.N_NEAR]):
            other = t.near[place]
            if not reveal(state, t.words, other, -1):
                continue
            if is_gone(state, other):
                stack[top] = other
                top += 1
            elif not is_hidden(state, t.objects, other):
                if expose(state, t.objects, t.hash_keys, other):
                    stack[top] = other
                    top += 1


@inlined
def holds(state: Any, t: Any, row: int) -> bool:
    """Whether condition and cost of a row hold; reach and fight aside."""
    if t.rows[row, at.R_OPEN]:
        return True
    flags = t.rows[row, at.R_FLAGS]
    if state[at.FLAGS] & flags != flags or state[at.FLAGS] & t.rows[row, at.R_WITHOUT]:
        return False
    for resource in range(N_RESOURCES):
        least = t.rows[row, at.R_COST + resource]
        if resource == HP and least:
            least += 1
        if t.rows[row, at.R_NEEDS + resource] > least:
            least = t.rows[row, at.R_NEEDS + resource]
        if state[resource] < least:
            return False
    if t.rows[row, at.R_N_GONE]:
        found = 0
        start = t.rows[row, at.R_GONE]
        for place in range(start, start + t.rows[row, at.R_N_GONE]):
            if is_gone(state, t.things[place]):
                found += 1
        if found < t.rows[row, at.R_COUNT]:
            return False
    return True


@inlined
def run_row(
    state: Any,
    t: Any,
    row: int,
    stack: Any,
) -> int:
    """Execute a row; returns how many removed objects it left on the stack."""
    top = 0
    pays = t.rows[row, at.R_PAYS]
    if pays:
        for resource in range(N_RESOURCES):
            state[resource] += (
                t.rows[row, at.R_GAIN + resource] - t.rows[row, at.R_COST + resource]
            )
    if t.rows[row, at.R_CONSUMES]:
        thing = t.rows[row, at.R_OBJECT]
        mark_gone(state, t.objects, t.hash_keys, thing)
        stack[top] = thing
        top += 1
        if pays:
            for colour in range(N_COLOURS):
                state[at.LYING + colour] -= t.rows[row, at.R_GAIN + YELLOW + colour]
    elif not t.rows[row, at.R_AUTO]:
        state[at.LAYER] += 1
    start = t.rows[row, at.R_EFFECTS]
    for place in range(start, start + t.rows[row, at.R_N_EFFECTS]):
        code, a, b = t.effects[place, 0], t.effects[place, 1], t.effects[place, 2]
        if code == 0:
            if not is_gone(state, a):
                mark_gone(state, t.objects, t.hash_keys, a)
                if is_reached(state, t.words, a):
                    stack[top] = a
                    top += 1
        elif code == 1:
            slot = t.objects[a, at.HIDDEN]
            if not is_gone(state, a) and (state[at.REVEALED] >> slot) & 1 == 0:
                state[at.REVEALED] |= 1 << slot
                if is_reached(state, t.words, a):
                    if expose(state, t.objects, t.hash_keys, a):
                        stack[top] = a
                        top += 1
        elif code == 2:
            if (state[at.EPOCHS] >> (4 * a)) & 15 < b:
                state[at.EPOCHS] += 1 << (4 * a)
        elif code == 3:
            state[a] = state[a] * b // t.effects[place, 3]
        elif code == 4:
            state[at.FLAGS] |= a
            state[at.STIRRED] = 1
        else:
            state[at.FLAGS] &= ~a
            state[at.STIRRED] = 1
    return top


@compiled
def run_automatic(
    state: Any,
    t: Any,
    stack: Any,
) -> bool:
    """Talks, gifts and triggers that cost nothing; whether any was run."""
    ran = False
    for row in range(t.triggers, t.rows.shape[0]):
        if holds(state, t, row):
            top = run_row(state, t, row, stack)
            spread(state, t, stack, top)
            ran = True
    for place in range(t.specials.shape[0]):
        thing = t.specials[place]
        if thing < 0 or not is_reached(state, t.words, thing) or is_gone(state, thing):
            continue
        if is_hidden(state, t.objects, thing):
            continue
        start = t.objects[thing, at.ROWS]
        for row in range(start, start + t.objects[thing, at.N_ROWS]):
            if t.rows[row, at.R_AUTO] and holds(state, t, row):
                top = run_row(state, t, row, stack)
                spread(state, t, stack, top)
                ran = True
                break
    return ran


@inlined
def free_fights(state: Any, t: Any, stack: Any) -> int:
    """Drop what is gone from the list of targets, win what costs nothing.

    Returns how many removed objects are on the stack.
    """
    kept, top = 0, 0
    stats = state[ATK] | state[DEF] << 20 | state[MDEF] << 40
    known = state[at.SEEN_COUNT]
    if stats != state[at.SEEN_STATS] or state[at.EPOCHS] != state[at.SEEN_EPOCHS]:
        known = 0
        state[at.SEEN_STATS] = stats
        state[at.SEEN_EPOCHS] = state[at.EPOCHS]
    for place in range(state[at.COUNT]):
        thing = state[at.FRONT + place]
        if is_gone(state, thing):
            continue
        if place >= known and t.objects[thing, at.FREE_FIGHT]:
            row = kind_row(state, t.kinds, t.objects[thing, at.KIND])
            loss = loss_at(t.kinds, row, state[HP], state[ATK], state[DEF], state[MDEF])
            if loss == 0:
                state[GOLD] += t.kinds[row, at.K_GOLD]
                state[EXP] += t.kinds[row, at.K_EXP]
                mark_gone(state, t.objects, t.hash_keys, thing)
                stack[top] = thing
                top += 1
                continue
        state[at.FRONT + kept] = thing
        kept += 1
    state[at.SEEN_COUNT] = kept
    state[at.COUNT] = kept
    return top


@compiled
def settle(
    state: Any,
    t: Any,
    stack: Any,
    top: int,
) -> None:
    """Everything that comes by itself after objects on the stack were removed."""
    while True:
        spread(state, t, stack, top)
        if t.restless or state[at.STIRRED]:
            while run_automatic(state, t, stack):
                pass
            state[at.STIRRED] = 0
        top = free_fights(state, t, stack)
        if top == 0:
            return


@compiled
def act(
    state: Any,
    t: Any,
    thing: int,
    row: int,
    stack: Any,
) -> bool:
    """Fight, open or execute a row, then settle; False if the hero would die."""
    kind = t.objects[thing, at.CLASS]
    top = 1
    if kind == at.DOOR:
        key = t.objects[thing, at.KEY]
        if state[key] < 1:
            return False
        state[key] -= 1
        mark_gone(state, t.objects, t.hash_keys, thing)
        stack[0] = thing
    else:
        if not holds(state, t, row):
            return False
        if kind == at.FIGHT_OBJECT or t.rows[row, at.R_FIGHT]:
            number = kind_row(state, t.kinds, t.objects[thing, at.KIND])
            loss = loss_at(
                t.kinds, number, state[HP], state[ATK], state[DEF], state[MDEF]
            )
            if loss < 0 or loss >= state[HP]:
                return False
            state[HP] -= loss
            state[GOLD] += t.kinds[number, at.K_GOLD]
            state[EXP] += t.kinds[number, at.K_EXP]
        top = run_row(state, t, row, stack)
    settle(
        state,
        t,
        stack,
        top,
    )
    return True
