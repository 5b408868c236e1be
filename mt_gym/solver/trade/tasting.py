"""Weights of the score by which beams choose: drawn, tried, and varied if good."""

from __future__ import annotations

from math import exp, log
from typing import Final

import numpy as np

Taste = tuple[int, int, int, int, int, int]
"""HP per 16 of dread, most dread of a fight, HP of a key, HP of a tool, 16ths of what
waits behind the next gateways (see `worth.score`); 1 if layers count what is had and
gone, 0 if choices."""

FIRST: Final[tuple[Taste, ...]] = (
    (12, 300, 20, 60, 1, 0),
    (8, 300, 10, 30, 4, 0),
    (8, 100, 10, 30, 1, 0),
    (9, 1800, 220, 60, 4, 1),
)
RANGES: Final = ((2, 40), (30, 3000), (3, 300), (10, 1500), (1, 8))
VARIED: Final = 1.6
"""By what factor a weight is varied at the most."""
KEPT: Final = 4


class Tasting:
    """Tastes of round after round; the same ones in every run.

    A round takes the best tastes so far, for a wider beam, variants of them, and new
    ones.
    """

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.best: list[tuple[int, int, Taste]] = []
        self.count = 0

    def round(self) -> list[Taste]:
        """The tastes of the next round."""
        if not self.count:
            return list(FIRST)
        good = [taste for _, _, taste in self.best]
        varied = [self._vary(taste) for taste in good]
        return [*good, *varied, *(self._draw() for _ in range(KEPT))]

    def note(self, taste: Taste, hp: int) -> None:
        """Remember what a beam with a taste ended with."""
        self.count += 1
        if hp:
            others = [entry for entry in self.best if entry[2] != taste]
            self.best = sorted([*others, (-hp, self.count, taste)])[:KEPT]

    def _draw(self) -> Taste:
        one, two, three, four, five = (
            round(self._between(low, high)) for low, high in RANGES
        )
        return one, two, three, four, five, int(self.rng.integers(2))

    def _vary(self, taste: Taste) -> Taste:
        one, two, three, four, five = (
            min(high, max(low, round(weight * self._between(1, VARIED**2) / VARIED)))
            for weight, (low, high) in zip(taste, RANGES, strict=False)
        )
        return one, two, three, four, five, taste[5]

    def _between(self, low: float, high: float) -> float:
        return exp(self.rng.uniform(log(low), log(high)))
