"""Compiled purchases: the cheapest point first, mixes of ATK and DEF, keys sold."""

from __future__ import annotations

from typing import Any

from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, MDEF
from mt_gym.solver.compile import compiled
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.kernel import loss_at


@compiled
def purchase(
    state: Any, offers: Any, counts: Any, resource: int, units: int, currency: int
) -> int:
    """Buy up to `units` times what gives one resource, the cheapest point first.

    Args:
        state: changed in place.
        offers: table of offers, sorted by price per point.
        counts: purchases per offer, added to.
        resource: what to buy; `layout.MANY` for what gives several.
        units: purchases at most.
        currency: resource that pays, or -1 for any.

    Returns the number of purchases.
    """
    done = 0
    for offer in range(offers.shape[0]):
        if done == units:
            break
        if offers[offer, at.O_GIVES] != resource:
            continue
        pays = offers[offer, at.O_CURRENCY]
        if currency >= 0 and pays != currency:
            continue
        if (state[at.SHOPS] >> offers[offer, at.O_SHOP]) & 1 == 0:
            continue
        number = min(units - done, state[pays] // offers[offer, at.O_PRICE])
        if number > 0:
            state[pays] -= number * offers[offer, at.O_PRICE]
            if resource == at.MANY:
                for gained in range(at.MANY):
                    state[gained] += number * offers[offer, at.O_GAIN + gained]
            else:
                state[resource] += number * offers[offer, at.O_AMOUNT]
            counts[offer] += number
            done += number
    return done


ATK_MIX, DEF_MIX, BOTH_MIX, LEVEL_MIX = 1, 2, 3, 4


@compiled
def purchase_mix(state: Any, offers: Any, counts: Any, mix: int, units: int) -> int:
    """Buy ATK, DEF, half of each, or levels; experience is spent before gold."""
    if mix == ATK_MIX:
        return purchase(state, offers, counts, ATK, units, -1)
    if mix == DEF_MIX:
        return purchase(state, offers, counts, DEF, units, -1)
    if mix == LEVEL_MIX:
        return purchase(state, offers, counts, at.MANY, units, -1)
    attack = (units + 1) // 2
    defense = units - attack
    done = 0
    for currency in (EXP, GOLD):
        bought = purchase(state, offers, counts, ATK, attack, currency)
        attack -= bought
        done += bought
        bought = purchase(state, offers, counts, DEF, defense, currency)
        defense -= bought
        done += bought
    return done


@compiled
def sell_keys(state: Any, t: Any, counts: Any) -> None:
    """Sell every key that an open shop takes."""
    for sale in range(t.sales.shape[0]):
        if (state[at.SHOPS] >> t.sales[sale, at.O_SHOP]) & 1:
            key = t.sales[sale, at.O_CURRENCY]
            number = state[key] // t.sales[sale, at.O_PRICE]
            state[key] -= number * t.sales[sale, at.O_PRICE]
            state[GOLD] += number * t.sales[sale, at.O_AMOUNT]
            counts[sale] += number


STEPS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150, 200, 270)
"""Units of a mix that are tried before a fight."""


@compiled
def climb(state: Any, small: Any, offers: Any, counts: Any, ladder: Any) -> None:
    """What each step of each mix makes of the hero; after the last, -1 units.

    Columns of `ladder`: units, ATK, DEF, HP.
    """
    for mix in range(1, ladder.shape[0]):
        for step in range(len(STEPS)):
            ladder[mix, step, 0] = -1
            if offers.shape[0] == 0:
                break
            small[:14] = state[:14]
            small[at.SHOPS] = state[at.SHOPS]
            done = purchase_mix(small, offers, counts, mix, STEPS[step])
            if done == 0:
                break
            ladder[mix, step, 0] = done
            ladder[mix, step, 1] = small[ATK]
            ladder[mix, step, 2] = small[DEF]
            ladder[mix, step, 3] = small[HP]
            if done < STEPS[step]:
                if step + 1 < len(STEPS):
                    ladder[mix, step + 1, 0] = -1
                break


@compiled
def fight_options(
    state: Any,
    kinds: Any,
    row: int,
    offers: Any,
    most: int,
    ladder: Any,
    thrift: float,
    options: Any,
) -> int:
    """Purchases worth trying before a fight, as triples (mix, units, HP purchases).

    None, if the fight can be survived; per mix the fewest that let the hero
    survive, and the best trade of HP saved for points spent; missing HP last.
    `most` is more ATK than all purchases together can give, `ladder` comes from
    `climb`, and a point spent must save `thrift` HP.
    """
    hp = state[HP]
    found = 0
    base = loss_at(kinds, row, hp, state[ATK], state[DEF], state[MDEF])
    if 0 <= base < hp:
        options[0], options[1], options[2] = 0, 0, 0
        found = 1
        if base * 40 < hp or offers.shape[0] == 0:
            return found
    elif base >= hp:
        for offer in range(offers.shape[0]):
            if offers[offer, 4] == HP and (state[at.SHOPS] >> offers[offer, 0]) & 1:
                missing = (base - hp) // offers[offer, 5] + 1
                if missing * offers[offer, 2] <= state[offers[offer, 1]]:
                    options[0], options[1], options[2] = 0, 0, missing
                    found = 1
                break
    elif most <= kinds[row, 2] and not kinds[row, 3]:
        return 0
    needy = base < 0 or base >= hp
    for mix in range(1, ladder.shape[0]):
        if (base < 0 and mix == DEF_MIX) or (mix == LEVEL_MIX and not needy):
            continue
        lowest = base if base >= 0 else 1 << 40
        worth, chosen, first = 0.0, 0, 0
        for step in range(len(STEPS)):
            done = ladder[mix, step, 0]
            if done < 0:
                break
            atk, defense = ladder[mix, step, 1], ladder[mix, step, 2]
            more = ladder[mix, step, 3]
            loss = loss_at(kinds, row, more, atk, defense, state[MDEF])
            if 0 <= loss < lowest:
                lowest = loss
                if loss < more:
                    if first == 0 and needy:
                        first = done
                    gained = atk + defense - state[ATK] - state[DEF]
                    saved = (base if base >= 0 else 2 * hp) - loss
                    value = saved - thrift * gained
                    if mix == LEVEL_MIX:
                        value = 0.0
                    if chosen == 0 or value > worth:
                        worth, chosen = value, done
            elif lowest == 0:
                break
        if first > 0:
            options[3 * found] = mix
            options[3 * found + 1] = first
            options[3 * found + 2] = 0
            found += 1
        if chosen > 0 and chosen != first:
            options[3 * found] = mix
            options[3 * found + 1] = chosen
            options[3 * found + 2] = 0
            found += 1
    return found
