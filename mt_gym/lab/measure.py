"""What a network reaches on floors, with the likeliest action and by sampling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import WON
from mt_gym.envs.rewards import reference_hp
from mt_gym.observation.features import NO_ANNOTATIONS

Scorer = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""Scores of all actions, (batch, rows), from `hero` and `objects`."""

_CLOSED = np.float32(-1e9)


@dataclass(frozen=True, slots=True)
class Measured:
    """Episodes on floors.

    Attributes:
        won: (floors, episodes); hp: final HP, 0 where the floor was lost.
        optimum: (floors,) the certificates' HP.
    """

    won: NDArray[np.bool_]
    hp: NDArray[np.int64]
    optimum: NDArray[np.int64]

    @property
    def success(self) -> float:
        """Share of episodes that were won."""
        return float(self.won.mean())

    @property
    def best_success(self) -> float:
        """Share of floors that some episode won."""
        return float(self.won.any(axis=1).mean())

    @property
    def score(self) -> float:
        """Mean of min(1, HP over the optimum), 0 for a loss."""
        share = self.hp / np.maximum(1, self.optimum)[:, None]
        return float(np.minimum(1, share).mean())

    @property
    def optimal(self) -> float:
        """Share of episodes that reached the optimum."""
        return float((self.won & (self.hp >= self.optimum[:, None])).mean())


def play(
    towers: Sequence[Tower],
    scorer: Scorer | None,
    *,
    episodes: int = 1,
    rng: np.random.Generator | None = None,
    temperature: float = 1.0,
    annotations: frozenset[str] = NO_ANNOTATIONS,
) -> Measured:
    """Play floors to the end, all at the same time.

    Args:
        towers: the floors.
        scorer: of the actions; None for equal scores.
        episodes: of each floor.
        rng: draws the actions by their scores; None takes the best one.
        temperature: of the draws.
        annotations: whose columns the scorer wants.
    """
    copies = np.repeat(np.arange(len(towers)), episodes)
    batch = Batch(towers, copies, annotations=annotations)
    while True:
        batch.paint()
        open_ = batch.mask.any(axis=1)
        if not open_.any():
            break
        scores = np.zeros(batch.mask.shape, np.float32)
        if scorer is not None:
            some = np.flatnonzero(open_)
            scores[some] = scorer(batch.hero[some], batch.objects[some])
        if rng is not None:
            noise = rng.gumbel(size=scores.shape).astype(np.float32)
            scores = scores / np.float32(temperature) + noise
        scores[batch.mask == 0] = _CLOSED
        batch.step(scores.argmax(axis=1), again=False)
    won = (batch.outcomes == WON).reshape(-1, episodes)
    hp = np.where(won, batch.rows[:, 0].reshape(-1, episodes), 0)
    optimum = np.array([reference_hp(tower).hp for tower in towers])
    return Measured(won, hp, optimum)


def summary(found: Measured) -> dict[str, Any]:
    """The figures as JSON values."""
    return {
        "floors": len(found.optimum),
        "episodes": int(found.won.size),
        "success": round(found.success, 4),
        "best_success": round(found.best_success, 4),
        "score": round(found.score, 4),
        "optimal": round(found.optimal, 4),
    }
