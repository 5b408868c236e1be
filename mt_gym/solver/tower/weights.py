"""The weights of a beam's score: their middles, and how they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from mt_gym.engine.kinds import EXP, GOLD
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower import score
from mt_gym.solver.tower.net import Net

DRAWN = (
    (score.CAP, 0.92, 0.44),
    (score.FAR_ATK, 0.30, 0.53),
    (score.FAR_DEF, 0.104, 0.36),
    (score.COST, 0.161, 0.35),
    (score.KEY_VALUE, 390.0, 0.45),
    (score.KEY_VALUE + 1, 269.0, 0.27),
    (score.KEY_VALUE + 2, 1400.0, 0.40),
    (score.KEY_CURVE, 0.162, 0.39),
    (score.GOLD_POINTS, 0.95, 0.09),
    (score.EXP_POINTS, 0.56, 0.36),
    (score.POINT, 40.7, 0.23),
    (score.SHOP_BONUS, 49.0, 0.69),
    (score.THRIFT, 6.3, 0.65),
)
"""Weights, their middles, and the spreads of their logarithms.

Those of the beams that won the shipped tower with the most HP, drawn at first from
wide ranges (the cross-entropy method).
"""
OPTIONAL = 50
"""Weight of monsters that can be left out; `OPTIONAL_SPREAD` of its logarithm."""
OPTIONAL_SPREAD = 0.38
EARLY_SHARE = 0.15
"""Share of the beams that may use a boost before the end is in reach."""


def point_prices(net: Net) -> tuple[float, float]:
    """Points of ATK or DEF that one gold and one experience buy at best."""
    best = {GOLD: 0.0, EXP: 0.0}
    for offer in net.offers:
        currency = int(offer[at.O_CURRENCY])
        if int(offer[at.O_GIVES]) in (1, 2) and currency in best:
            points = offer[at.O_AMOUNT] / offer[at.O_PRICE]
            best[currency] = max(best[currency], float(points))
    return best[GOLD], best[EXP]


def middle_weights(net: Net) -> Any:
    """Weights that win the shipped tower with a beam of width 100."""
    gold, exp = point_prices(net)
    weights = np.zeros(score.WEIGHTS)
    for place, middle, _ in DRAWN:
        weights[place] = middle
    weights[score.KEY_VALUE + 3] = weights[score.KEY_VALUE]
    weights[score.GOLD_POINTS] *= gold
    weights[score.EXP_POINTS] *= exp
    weights[score.HP_WEIGHT] = 1.0
    return weights


def random_weights(net: Net, random: np.random.Generator) -> tuple[Any, int]:
    """Weights of one beam of the portfolio, and the weight of optional monsters."""
    weights = middle_weights(net)
    for place, _, spread in DRAWN:
        weights[place] *= np.exp(random.normal(0.0, spread))
    weights[score.EARLY] = float(random.random() < EARLY_SHARE)
    optional = OPTIONAL * float(np.exp(random.normal(0.0, OPTIONAL_SPREAD)))
    return weights, round(min(max(optional, 5.0), 150.0))


def mutated(weights: Any, random: np.random.Generator) -> Any:
    """Weights of which about half are changed a little."""
    factors = np.exp(random.normal(0.0, 0.3, len(weights)))
    return np.where(random.random(len(weights)) < 0.5, weights * factors, weights)
