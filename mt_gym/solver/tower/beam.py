"""One beam: layers of states with equally many gateways removed.

Compiled.  A state's children are fights, doors and rows of the effect table, each
with the purchases that it needs; per set of removed objects a few records that do
not dominate each other are kept.
"""

from __future__ import annotations

from typing import Any

from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, YELLOW
from mt_gym.solver.compile import borrowed, compiled, inlined
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.final import best_end, end_in_reach, use_boosts
from mt_gym.solver.tower.kernel import act, holds, is_reached, kind_row
from mt_gym.solver.tower.purchases import (
    climb,
    fight_options,
    purchase,
    purchase_mix,
)
from mt_gym.solver.tower.records import (
    BEST,
    BEST_TRACE,
    REACHED,
    TRANSITIONS,
    USED,
    choose_records,
    clear,
    copy_state,
    keep,
    release,
    was_seen,
)
from mt_gym.solver.tower.score import EARLY, THRIFT, evaluate

KEY_MIX = 5
"""A key is bought before the door is opened."""
EVERYTHING = 1 << 30


@compiled
def boosted_end(state: Any, t: Any, s: Any) -> bool:
    """Whether the end can be reached now, with every boost that can be used."""
    if end_in_reach(state, t) >= 0:
        return True
    for place in range(t.boosts.shape[0]):
        row = t.boosts[place]
        if row >= 0 and holds(state, t, row):
            if is_reached(state, t.words, t.rows[row, at.R_OBJECT]):
                s.scratch[:] = state
                use_boosts(s.scratch, t, s.stack, s.log, 0)
                return bool(end_in_reach(s.scratch, t) >= 0)
    return False


@inlined
def open_offers(state: Any, t: Any, s: Any) -> int:
    """Copy the offers of HP, ATK, DEF and levels that can be paid now; how many.

    `s.log[0]` is the ATK of a hero who spends all on ATK, rounded up.
    """
    found = 0
    spent_gold, spent_exp = 0.0, 0.0
    for offer in range(t.offers.shape[0]):
        if (state[at.SHOPS] >> t.offers[offer, at.O_SHOP]) & 1 == 0:
            continue
        gives = t.offers[offer, at.O_GIVES]
        if HP <= gives <= DEF or gives == at.MANY:
            price = t.offers[offer, at.O_PRICE]
            if price <= state[t.offers[offer, at.O_CURRENCY]]:
                s.offers[found] = t.offers[offer]
                found += 1
                if gives == ATK or gives == at.MANY:
                    points = t.offers[offer, at.O_GAIN + ATK] / price
                    if t.offers[offer, at.O_CURRENCY] == GOLD:
                        spent_gold = max(spent_gold, points)
                    elif t.offers[offer, at.O_CURRENCY] == EXP:
                        spent_exp = max(spent_exp, points)
    more = state[GOLD] * spent_gold + state[EXP] * spent_exp
    s.log[0] = state[ATK] + int(more) + 1
    return found


@inlined
def door_options(state: Any, t: Any, s: Any, thing: int) -> int:
    """Whether a door may be opened: 0 or 1 options.

    No optional blue, red or green door that would leave fewer keys, held and
    lying, than mandatory doors of the colour.
    """
    key = t.objects[thing, at.KEY]
    held = state[key]
    if held > 0 and key != YELLOW and not t.objects[thing, at.MANDATORY]:
        colour = key - YELLOW
        if held - 1 + state[at.LYING + colour] < state[at.NEEDED + colour]:
            return 0
    s.options[0], s.options[1], s.options[2] = 0 if held > 0 else KEY_MIX, 1, 0
    return 1


@inlined
def row_options(
    state: Any,
    t: Any,
    s: Any,
    thing: int,
    row: int,
    n_offers: int,
    most: int,
    final: bool,
) -> int:
    """Purchases worth trying before a row of the effect table; how many."""
    fight = t.objects[thing, at.CLASS] == at.FIGHT_OBJECT
    if t.rows[row, at.R_AUTO] and not fight:
        return 0
    if not holds(state, t, row):
        return 0
    if fight or t.rows[row, at.R_FIGHT] != 0:
        number = kind_row(state, t.kinds, t.objects[thing, at.KIND])
        return int(
            fight_options(
                state,
                t.kinds,
                number,
                s.offers[:n_offers],
                most,
                s.ladder,
                s.weights[THRIFT],
                s.options,
            )
        )
    s.options[0], s.options[1], s.options[2] = 0, 0, 0
    if not t.rows[row, at.R_SCALES]:
        return 1
    if not final:
        return 0 if s.weights[EARLY] == 0.0 else 1
    for mix in range(1, 4):
        s.options[3 * mix] = mix
        s.options[3 * mix + 1] = EVERYTHING
        s.options[3 * mix + 2] = 0
    return 4


@inlined
def make_child(
    state: Any, t: Any, s: Any, thing: int, row: int, option: int, trace: int
) -> bool:
    """Purchases and one action into `s.child`; False if it cannot be done."""
    child = s.child
    mix, units = s.options[3 * option], s.options[3 * option + 1]
    extra = s.options[3 * option + 2]
    copy_state(child, state)
    if mix == KEY_MIX:
        key = t.objects[thing, at.KEY]
        if purchase(child, t.offers, s.counts, key, 1, GOLD) == 0:
            return False
    elif mix > 0:
        purchase_mix(child, t.offers, s.counts, mix, units)
    if extra > 0:
        purchase(child, t.offers, s.counts, HP, extra, -1)
    if not act(child, t, thing, row, s.stack):
        return False
    child[at.PARENT] = trace
    child[at.OP_OBJECT], child[at.OP_ROW] = thing, row
    child[at.OP_MIX], child[at.OP_UNITS], child[at.OP_HP] = mix, units, extra
    return True


@compiled
def expand(state: Any, t: Any, s: Any, room: Any, trace: int, final: bool) -> None:
    """Every child of a state."""
    n_offers = open_offers(state, t, s)
    most = s.log[0]
    climb(state, s.small, s.offers[:n_offers], s.counts, s.ladder)
    for place in range(state[at.COUNT]):
        thing = state[at.FRONT + place]
        group = t.objects[thing, at.CLASS]
        if group == at.LEAVE or t.objects[thing, at.GOAL]:
            continue
        first, rows = -1, 1
        if group != at.DOOR:
            first, rows = t.objects[thing, at.ROWS], t.objects[thing, at.N_ROWS]
        for row in range(first, first + rows):
            if group == at.DOOR:
                options = door_options(state, t, s, thing)
            else:
                options = row_options(state, t, s, thing, row, n_offers, most, final)
            for option in range(options):
                if make_child(state, t, s, thing, row, option, trace):
                    room.control[TRANSITIONS] += 1
                    if not was_seen(s.child, room.seen):
                        keep(s.child, evaluate(s.child, t, s), room)


@compiled
def run_beam(
    start: Any,
    t: Any,
    s: Any,
    room: Any,
    width: int,
    per_set: int,
    floor: int,
    limit: int,
) -> None:
    """Run one beam from a state; results go to `room`.

    Args:
        start: the first state.
        t: tables of the tower, see `net.Tables`.
        s: scratch arrays and weights.
        room: for states, and for the results.
        width: states expanded per layer; `per_set` of one set of removed objects.
        floor: final HP that is not worth refining.
        limit: transitions after which the run ends.
    """
    start, t, s, room = borrowed(start), borrowed(t), borrowed(s), borrowed(room)
    clear(room)
    control, traces = room.control, room.traces
    s.child[:] = start
    s.child[at.PARENT] = -1
    keep(s.child, 0, room)
    for layer in range(start[at.LAYER], room.buckets.shape[0]):
        count = room.filled[layer]
        if count == 0:
            continue
        if control[TRANSITIONS] >= limit:
            return
        control[REACHED] = layer
        found = choose_records(
            room.pool, room.buckets[layer], count, width, per_set, s.chosen
        )
        for number in range(found):
            state = room.pool[s.chosen[number]]
            trace = control[USED]
            control[USED] += 1
            traces[trace, 0] = state[at.PARENT]
            for i in range(5):
                traces[trace, 1 + i] = state[at.OP_OBJECT + i]
            final = boosted_end(state, t, s)
            if final:
                hp = best_end(state, t, s, max(floor, control[BEST]))
                if hp > control[BEST]:
                    control[BEST], control[BEST_TRACE] = hp, trace
                    room.plan[:] = s.plan
            expand(state, t, s, room, trace, final)
        release(room, layer)
