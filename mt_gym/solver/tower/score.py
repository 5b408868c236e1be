"""How good a state looks: compiled, in HP, with hand-set weights per beam."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from mt_gym.engine.actions import SCALE
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, YELLOW
from mt_gym.solver.compile import compiled, inlined
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
    THRIFT,
) = range(16)
WEIGHTS = 16
"""Weights of a score, see `evaluate`."""


FIELDS = 8
"""Rows of a price table: HP, ATK and DEF of a kind, its cap, the slopes beyond it by
ATK and by DEF, HP that a fight costs anyway, share of the hero's HP."""


@compiled
def price_table(kinds: Any, weights: Any) -> Any:
    """What `costs` needs to know of each row of `kinds`: [FIELDS, rows]."""
    prices = np.zeros((FIELDS, kinds.shape[0]))
    for row in range(kinds.shape[0]):
        cap = weights[CAP] * max(1, kinds[row, 1])
        prices[0, row] = kinds[row, 0]
        prices[1, row] = kinds[row, 1]
        prices[2, row] = kinds[row, 2]
        prices[3, row] = cap
        prices[4, row] = cap * weights[FAR_ATK] / (kinds[row, 2] + 1.0)
        prices[5, row] = cap * weights[FAR_DEF] / max(1, kinds[row, 1])
        prices[6, row] = kinds[row, 12]
        prices[7, row] = kinds[row, 5] / max(1, kinds[row, 6])
    return prices


@inlined
def choose_prices(state: Any, t: Any, prices: Any, current: Any, epochs: Any) -> None:
    """Columns of `prices` for the monsters' numbers now into `current`."""
    epochs[0] = state[at.EPOCHS]
    for kind in range(t.n_kinds):
        row = kind_row(state, t.kinds, kind)
        for field in range(FIELDS):
            current[field, kind] = prices[field, row]


@partial(compiled, error_model="numpy")
def costs(prices: Any, n: int, atk: float, defense: float, hp: float, out: Any) -> None:
    """Estimated cost of one monster of each kind, with a soft cap (see `evaluate`).

    Without branches, so that several kinds are computed at a time.
    """
    for kind in range(n):
        strike = atk - prices[2, kind]
        per_round = max(prices[1, kind] - defense, 0.0)
        some = max(strike, 1e-3)
        loss = prices[0, kind] * per_round
        loss += (prices[6, kind] + prices[7, kind] * hp) * some
        near = loss * prices[3, kind] / (loss + prices[3, kind] * some)
        far = prices[3, kind] + prices[4, kind] * (1.0 - strike)
        far += prices[5, kind] * per_round
        out[kind] = near if strike > 0.0 else far


@inlined
def evaluate(state: Any, t: Any, s: Any) -> int:
    """How good a state looks, in HP.

    HP, plus the value of keys, minus the estimated cost of everything alive at the
    best of four splits of the points that gold and experience could buy.  Costs
    have a soft cap; what cannot be won yet has a price that falls as ATK and DEF
    grow.  Boosts that could be used now count as used.

    Args:
        state: the state.
        t: tables of the tower, see `net.Tables`.
        s: weights and scratch arrays, see `beam.Desk`.
    """
    weights = s.weights
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
    if s.epochs[0] != state[at.EPOCHS]:
        choose_prices(state, t, s.prices, s.current, s.epochs)
    points = state[GOLD] * weights[GOLD_POINTS] + state[EXP] * weights[EXP_POINTS]
    hp = state[HP] * r_hp
    for split in range(4):
        part = points * split / 3.0
        atk = (state[ATK] + part) * r_atk
        defense = (state[DEF] + points - part) * r_def
        costs(s.current, t.n_kinds, atk, defense, hp, s.costs[split])
    total_0, total_1, total_2, total_3 = 0.0, 0.0, 0.0, 0.0
    for kind in range(t.n_kinds):
        alive = float(state[at.ALIVE + kind])
        total_0 += alive * s.costs[0, kind]
        total_1 += alive * s.costs[1, kind]
        total_2 += alive * s.costs[2, kind]
        total_3 += alive * s.costs[3, kind]
    cheapest = min(min(total_0, total_1), min(total_2, total_3))
    score = hp * weights[HP_WEIGHT] - weights[COST] * cheapest / 100.0
    for colour in range(4):
        held = state[YELLOW + colour]
        if held:
            value = weights[KEY_VALUE + colour] * held
            score += value / (1.0 + weights[KEY_CURVE] * held)
    score += weights[POINT] * (state[ATK] + state[DEF] + points)
    shops = state[at.SHOPS]
    while shops:
        score += weights[SHOP_BONUS]
        shops &= shops - 1
    return int(score)
