"""How good a state looks: compiled, in HP, with hand-set weights per beam."""

from __future__ import annotations

from typing import Any

import numpy as np

from mt_gym.engine.actions import SCALE
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, YELLOW
from mt_gym.solver.compile import compiled
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.kernel import (
    holds,
    is_gone,
    is_hidden,
    is_reached,
    kind_row,
)

(
    CAP,
    FAR_ATK,
    FAR_DEF,
    COST,
    KEY_VALUE,
    _,
    _,
    _,
    KEY_CURVE,
    GOLD_POINTS,
    EXP_POINTS,
    HP_WEIGHT,
    POINT,
    SHOP_BONUS,
    EARLY,
) = range(15)
WEIGHTS = 15
"""Weights of a score, see `evaluate`."""


@compiled
def price_table(kinds: Any, weights: Any) -> Any:
    """What `kind_price` needs, per row of `kinds`."""
    prices = np.zeros((kinds.shape[0], 8))
    for row in range(kinds.shape[0]):
        if kinds[row, 0] == 0:
            continue
        cap = weights[CAP] * kinds[row, 1]
        prices[row, 0] = kinds[row, 0]
        prices[row, 1] = kinds[row, 1]
        prices[row, 2] = kinds[row, 2]
        prices[row, 3] = cap
        prices[row, 4] = cap * weights[FAR_ATK] / (kinds[row, 2] + 1.0)
        prices[row, 5] = cap * weights[FAR_DEF] / max(1, kinds[row, 1])
        prices[row, 6] = kinds[row, 12]
        prices[row, 7] = kinds[row, 5] / kinds[row, 6]
    return prices


@compiled
def kind_price(price: Any, atk: float, defense: float, hp: float) -> float:
    """Estimated cost of one monster, with a soft cap (see `evaluate`)."""
    strike = atk - price[2]
    per_round = price[1] - defense
    if per_round < 0.0:
        per_round = 0.0
    if strike > 0.0:
        extra = price[6] + price[7] * hp
        if per_round == 0.0 and extra == 0.0:
            return 0.0
        loss = price[0] * per_round + extra * strike
        return float(loss * price[3] / (loss + price[3] * strike))
    return float(price[3] + price[4] * (1.0 - strike) + price[5] * per_round)


@compiled
def evaluate(
    state: Any,
    t: Any,
    prices: Any,
    weights: Any,
) -> int:
    """How good a state looks, in HP.

    HP, plus the value of keys, minus the estimated cost of everything alive at the
    best of four splits of the points that gold and experience could buy.  Costs
    have a soft cap; what cannot be won yet has a price that falls as ATK and DEF
    grow.  Boosts that could be used now count as used.
    """
    r_hp, r_atk, r_def = 1.0, 1.0, 1.0
    for place in range(t.boosts.shape[0]):
        row = t.boosts[place]
        if row < 0:
            continue
        thing = t.rows[row, at.R_OBJECT]
        if not is_reached(state, t.words, thing) or is_gone(state, thing):
            continue
        if is_hidden(state, t.objects, thing) or not holds(state, t, row):
            continue
        start = t.rows[row, at.R_EFFECTS]
        for number in range(start, start + t.rows[row, at.R_N_EFFECTS]):
            if t.effects[number, 0] == SCALE:
                ratio = t.effects[number, 2] / t.effects[number, 3]
                if t.effects[number, 1] == HP:
                    r_hp *= ratio
                elif t.effects[number, 1] == ATK:
                    r_atk *= ratio
                elif t.effects[number, 1] == DEF:
                    r_def *= ratio
    points = state[GOLD] * weights[GOLD_POINTS] + state[EXP] * weights[EXP_POINTS]
    hp = state[HP] * r_hp
    atk_0, def_0 = state[ATK] * r_atk, (state[DEF] + points) * r_def
    atk_step, def_step = points * r_atk / 3.0, points * r_def / 3.0
    total_0, total_1, total_2, total_3 = 0.0, 0.0, 0.0, 0.0
    for kind in range(t.n_kinds):
        alive = state[at.ALIVE + kind]
        if alive > 0:
            row = kind_row(state, t.kinds, kind)
            price = prices[row]
            atk, defense = atk_0, def_0
            total_0 += alive * kind_price(price, atk, defense, hp)
            atk += atk_step
            defense -= def_step
            total_1 += alive * kind_price(price, atk, defense, hp)
            atk += atk_step
            defense -= def_step
            total_2 += alive * kind_price(price, atk, defense, hp)
            atk += atk_step
            defense -= def_step
            total_3 += alive * kind_price(price, atk, defense, hp)
    cheapest = min(min(total_0, total_1), min(total_2, total_3))
    score = hp * weights[HP_WEIGHT] - weights[COST] * cheapest / 100.0
    for colour in range(4):
        held = state[YELLOW + colour]
        score += weights[KEY_VALUE + colour] * held / (1.0 + weights[KEY_CURVE] * held)
    score += weights[POINT] * (state[ATK] + state[DEF] + points)
    shops = state[at.SHOPS]
    while shops:
        score += weights[SHOP_BONUS]
        shops &= shops - 1
    return int(score)
