"""Scratch arrays of one beam."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.final import PLAN
from mt_gym.solver.tower.purchases import STEPS
from mt_gym.solver.tower.score import FIELDS, price_table


class Desk(NamedTuple):
    """Scratch arrays of one run.

    Attributes:
        child, scratch, small: states; `chosen` rows to expand.
        counts, sold: purchases and sales per offer.
        log, options: numbers that functions hand back.
        trial, plan: how the end is played.
        stack: removed objects whose neighbours are not exposed yet.
        offers: offers that are open and can be paid now.
        prices: see `score.price_table`; `current` what of it holds in `epochs`.
        costs: of each kind at four splits of points.
        ladder: what units of each mix of purchases make of the hero.
        weights: of the score.
    """

    child: Any
    scratch: Any
    small: Any
    chosen: Any
    counts: Any
    sold: Any
    log: Any
    options: Any
    trial: Any
    plan: Any
    stack: Any
    offers: Any
    prices: Any
    current: Any
    epochs: Any
    costs: Any
    ladder: Any
    weights: Any


def make_desk(t: Any, columns: int, width: int, weights: Any) -> Desk:
    """Scratch arrays for a run with some tables and weights."""
    states = np.zeros((3, columns), np.int64)
    return Desk(
        child=states[0],
        scratch=states[1],
        small=states[2],
        chosen=np.zeros(width + 1, np.int64),
        counts=np.zeros(len(t.offers) + 1, np.int64),
        sold=np.zeros(len(t.sales) + 1, np.int64),
        log=np.zeros(512, np.int64),
        options=np.zeros(64, np.int64),
        trial=np.zeros(PLAN, np.int64),
        plan=np.zeros(PLAN, np.int64),
        stack=np.zeros(4096, np.int64),
        offers=np.zeros_like(t.offers),
        prices=price_table(t.kinds, weights),
        current=np.zeros((FIELDS, at.KINDS)),
        epochs=np.full(1, -1, np.int64),
        costs=np.zeros((4, at.KINDS)),
        ladder=np.zeros((5, len(STEPS), 4), np.int64),
        weights=weights,
    )
