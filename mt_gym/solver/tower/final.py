"""The end of a play: spend what is left, use up boosts, leave, fight to the goal.

In a state from which the last fight can be reached, this looks for the split of
gold and experience over ATK, DEF and HP that ends with the most HP.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP
from mt_gym.solver.compile import compiled
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.kernel import (
    act,
    expose,
    is_gone,
    is_hidden,
    is_reached,
    loss_of,
    mark_gone,
    reveal,
    settle,
)
from mt_gym.solver.tower.purchases import purchase, sell_keys

PLAN = 4
"""A plan: purchases of ATK and levels for experience, of ATK and DEF for gold.  What
experience is left buys DEF, what gold is left buys HP."""
EVERYTHING = 1 << 30
GRID = 2
"""Steps of the coarse grid: halves of gold and experience."""


@compiled
def use_boosts(
    state: Any,
    t: Any,
    stack: Any,
    log: Any,
    logged: int,
) -> int:
    """Execute every row that scales a resource and can be; logs their numbers."""
    for place in range(t.boosts.shape[0]):
        row = t.boosts[place]
        if row < 0:
            continue
        thing = t.rows[row, at.R_OBJECT]
        if not is_reached(state, t.words, thing) or is_gone(state, thing):
            continue
        if is_hidden(state, t.objects, thing):
            continue
        if act(
            state,
            t,
            thing,
            row,
            stack,
        ):
            log[logged] = row
            logged += 1
    return logged


@compiled
def end_in_reach(state: Any, t: Any) -> int:
    """The goal or the stairs of no return among the targets, or -1."""
    found = -1
    for place in range(state[at.COUNT]):
        thing = state[at.FRONT + place]
        if t.objects[thing, at.GOAL] and not is_gone(state, thing):
            return int(thing)
        if t.objects[thing, at.CLASS] == at.LEAVE and not is_gone(state, thing):
            found = thing
    return found


@compiled
def leave(
    state: Any,
    t: Any,
    thing: int,
    stack: Any,
) -> None:
    """Climb stairs of no return: what was in reach is so no longer."""
    mark_gone(state, t.objects, t.hash_keys, thing)
    for word in range(t.words):
        state[at.MASKS + t.words + word] = 0
    state[at.COUNT] = 0
    state[at.SEEN_COUNT] = 0
    state[at.SHOPS] = 0
    top = 0
    start = t.objects[thing, at.EXIT]
    for place in range(start, start + t.objects[thing, at.N_EXIT]):
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
    settle(
        state,
        t,
        stack,
        top,
    )


@compiled
def cheapest_fight(state: Any, t: Any) -> int:
    """The target whose fight costs least and can be survived, or -1."""
    best, found = 0, -1
    for place in range(state[at.COUNT]):
        thing = state[at.FRONT + place]
        if t.objects[thing, at.CLASS] != at.FIGHT_OBJECT:
            continue
        loss = loss_of(state, t.kinds, t.objects[thing, at.KIND])
        if 0 <= loss < state[HP] and (found < 0 or loss < best):
            best, found = loss, thing
    return found


@compiled
def play_end(
    state: Any,
    t: Any,
    plan: Any,
    counts: Any,
    sold: Any,
    log: Any,
    stack: Any,
) -> int:
    """Final HP of a plan, or -1; `state` is used up.

    `log` receives what was executed: rows of boosts, then -1, then objects from
    the stairs of no return on, then -1.
    """
    sell_keys(state, t, sold)
    purchase(state, t.offers, counts, ATK, plan[0], EXP)
    purchase(state, t.offers, counts, at.MANY, plan[1], EXP)
    purchase(state, t.offers, counts, DEF, EVERYTHING, EXP)
    purchase(state, t.offers, counts, ATK, plan[2], GOLD)
    purchase(state, t.offers, counts, DEF, plan[3], GOLD)
    purchase(state, t.offers, counts, HP, EVERYTHING, GOLD)
    logged = use_boosts(
        state,
        t,
        stack,
        log,
        0,
    )
    log[logged] = -1
    logged += 1
    left = False
    while True:
        thing = end_in_reach(state, t)
        if thing >= 0 and t.objects[thing, at.CLASS] == at.LEAVE:
            left = True
            leave(
                state,
                t,
                thing,
                stack,
            )
        else:
            if thing < 0:
                if not left:
                    return -1
                thing = cheapest_fight(state, t)
                if thing < 0:
                    return -1
            row = t.objects[thing, at.ROWS]
            if not act(
                state,
                t,
                thing,
                row,
                stack,
            ):
                return -1
        log[logged] = thing
        logged += 1
        if state[at.FLAGS] & 1:
            log[logged] = -1
            return int(state[HP])


@compiled
def try_plan(state: Any, t: Any, s: Any, best: int) -> int:
    """Final HP of `s.trial`; a better one than `best` becomes `s.plan`."""
    s.scratch[:] = state
    hp = play_end(s.scratch, t, s.trial, s.counts, s.sold, s.log, s.stack)
    if hp > best:
        s.plan[:] = s.trial
        return hp
    return best


@compiled
def best_end(state: Any, t: Any, s: Any, floor: int) -> int:
    """Best final HP over the plans that are tried, or -1; its plan is `s.plan`.

    A coarse grid first; only a result near `floor` or above is refined, by steps
    that are halved.
    """
    gold_units, exp_units = 0, 0
    for offer in range(t.offers.shape[0]):
        if (state[at.SHOPS] >> t.offers[offer, at.O_SHOP]) & 1:
            currency = t.offers[offer, at.O_CURRENCY]
            units = state[currency] // t.offers[offer, at.O_PRICE]
            if currency == GOLD:
                gold_units = max(gold_units, units)
            elif currency == EXP:
                exp_units = max(exp_units, units)
    best = -1
    for e in range(2 * GRID + 1):
        for a in range(GRID + 1):
            for d in range(GRID + 1 - a):
                s.trial[0] = exp_units * (e // 2) // GRID
                s.trial[1] = exp_units * (e % 2)
                s.trial[2] = gold_units * a // GRID
                s.trial[3] = gold_units * d // GRID
                best = try_plan(state, t, s, best)
    if best < 0 or best * 4 <= floor * 3:
        return best
    step = max(gold_units, exp_units) // 8 + 1
    start = np.zeros(PLAN, np.int64)
    while step > 0:
        start[:] = s.plan
        before = best
        for first in range(PLAN):
            for second in range(PLAN):
                for sign in range(-1, 2):
                    s.trial[:] = start
                    if sign == 0:
                        s.trial[first] = max(0, start[first] - step)
                    else:
                        s.trial[first] += step
                        s.trial[second] = max(0, s.trial[second] + sign * step)
                    best = try_plan(state, t, s, best)
        if best == before:
            step //= 2
    return best
