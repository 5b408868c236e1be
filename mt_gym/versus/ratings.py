"""Who is stronger: points between pairs, and the Bradley-Terry fit over all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.bench.stats import Z, wilson
from mt_gym.errors import MtGymError
from mt_gym.versus.game import GameResult

SCALE: Final = 400 / math.log(10)
"""Points of rating per unit of log strength: 400 points are odds of 10 to 1."""

PRIOR: Final = 1.0
"""Drawn games added to each pair that has met, so that a rating stays finite."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What the player of a row did against that of a column.

    Attributes:
        won, drawn, lost: games.
    """

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the share of games won."""
        return wilson(self.won, self.games)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength.

    Attributes:
        label: the player.
        points: 400 more are odds of 10 to 1; the mean of all players is 0.
        margin: half of the 95 % interval, from the curvature of the likelihood.
    """

    label: str
    points: float
    margin: float


def win_matrix(
    labels: Sequence[str], games: Sequence[GameResult]
) -> list[list[Cell | None]]:
    """A cell for each ordered pair of players; None on the diagonal.

    In a game of more than two, each pair is compared by rank.
    """
    counts = _counts(labels, games)
    size = range(len(labels))
    return [
        [
            None
            if row == column
            else Cell(
                int(counts[row, column, 0]),
                int(counts[row, column, 1]),
                int(counts[column, row, 0]),
            )
            for column in size
        ]
        for row in size
    ]


def bradley_terry(
    labels: Sequence[str], games: Sequence[GameResult]
) -> tuple[Rating, ...]:
    """The ratings that make the games most likely, best first.

    A draw counts half for each, and `PRIOR` drawn games are added to each pair that
    has met.

    Raises:
        MtGymError: scipy is missing.
    """
    try:
        from scipy.optimize import minimize
    except ModuleNotFoundError as error:
        raise MtGymError(
            "the Bradley-Terry fit needs scipy: pip install 'mt-gym[marl]'"
        ) from error
    counts = _counts(labels, games)
    points = counts[:, :, 0] + 0.5 * counts[:, :, 1]
    met = (points + points.T) > 0
    points += 0.5 * PRIOR * met

    def loss(strength: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        gap = strength[:, None] - strength[None, :]
        total = float(np.sum(points * np.logaddexp(0.0, -gap)))
        missed = points / (1.0 + np.exp(gap))
        # The mean is free in the likelihood; this holds it at 0.
        slope = missed.sum(axis=0) - missed.sum(axis=1) + strength.sum()
        return total + 0.5 * float(strength.sum()) ** 2, slope

    found = minimize(loss, np.zeros(len(labels)), jac=True, method="BFGS", tol=1e-9)
    strength = np.asarray(found.x - found.x.mean(), np.float64)
    margins = Z * SCALE * np.sqrt(np.diag(_covariance(strength, points)))
    ratings = [
        Rating(label, float(SCALE * value), float(margin))
        for label, value, margin in zip(labels, strength, margins, strict=True)
    ]
    return tuple(sorted(ratings, key=lambda rating: -rating.points))


def _covariance(
    strength: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Covariance of the strengths around their mean."""
    gap = strength[:, None] - strength[None, :]
    share = 1.0 / (1.0 + np.exp(-gap))
    weight = (points + points.T) * share * (1.0 - share)
    np.fill_diagonal(weight, 0.0)
    information = np.diag(weight.sum(axis=1)) - weight
    return np.asarray(np.linalg.pinv(information, hermitian=True), np.float64)


def _counts(labels: Sequence[str], games: Sequence[GameResult]) -> NDArray[np.float64]:
    """Games won and drawn, shape (players, players, 2)."""
    place = {label: number for number, label in enumerate(labels)}
    counts = np.zeros((len(labels), len(labels), 2))
    for game in games:
        for one, own in zip(game.players, game.ranks, strict=True):
            for other, theirs in zip(game.players, game.ranks, strict=True):
                if one != other and own <= theirs:
                    counts[place[one], place[other], int(own == theirs)] += 1
    return counts
