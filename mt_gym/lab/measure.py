"""What a network reaches on floors, with the likeliest action and by sampling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import WON
from mt_gym.envs.rewards import reference_hp
from mt_gym.lab.judge import Judge, Regrets
from mt_gym.observation.features import NO_ANNOTATIONS

Scorer = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""Scores of all actions, (batch, rows), from `hero` and `objects`."""

ARGMAX: Final = "argmax"
SAMPLED: Final = "sampled"
"""Kinds of looks: by the likeliest action, and by sampling."""

LEAST_SAMPLED: Final = 200
"""Episodes that a sampled look has at least, over all floors."""

JUDGED: Final = 20
"""Episodes whose decisions the solver judges where floors are played repeatedly."""

_CLOSED = np.float32(-1e9)


@dataclass(frozen=True, slots=True)
class Measured:
    """Episodes on floors.

    Attributes:
        won: (floors, episodes); hp: final HP, 0 where the floor was lost.
        optimum: (floors,) the certificates' HP; start: HP that the hero begins with.
        regrets: share of the best final HP that each judged decision gave up.
    """

    won: NDArray[np.bool_]
    hp: NDArray[np.int64]
    optimum: NDArray[np.int64]
    start: NDArray[np.int64]
    regrets: tuple[float, ...] = ()

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
    def mean_return(self) -> float:
        """Mean of 1 + final HP over start HP for a win, 0 for a loss."""
        return float((self.won + self.hp / self.start[:, None]).mean())

    @property
    def optimal(self) -> float:
        """Share of episodes that reached the optimum."""
        return float((self.won & (self.hp >= self.optimum[:, None])).mean())

    @property
    def regret(self) -> float | None:
        """Mean share of the best final HP that a judged decision gave up."""
        return float(np.mean(self.regrets)) if self.regrets else None

    @property
    def optimal_moves(self) -> float | None:
        """Share of judged decisions that gave up nothing."""
        return float(np.mean([r <= 0 for r in self.regrets])) if self.regrets else None


def measured(
    towers: Sequence[Tower],
    won: NDArray[np.bool_],
    hp: NDArray[np.int64],
    regrets: Sequence[float] = (),
) -> Measured:
    """Episodes with what their floors are measured by."""
    optimum = np.array([reference_hp(tower).hp for tower in towers])
    start = np.array([tower.initial_state().hero.hp for tower in towers])
    return Measured(won, hp, optimum, start, tuple(regrets))


def play(
    towers: Sequence[Tower],
    scorer: Scorer | None,
    *,
    episodes: int = 1,
    rng: np.random.Generator | None = None,
    temperature: float = 1.0,
    annotations: frozenset[str] = NO_ANNOTATIONS,
    judge: Judge | None = None,
) -> Measured:
    """Play floors to the end, all at the same time.

    Args:
        towers: the floors.
        scorer: of the actions; None for equal scores.
        episodes: of each floor.
        rng: draws the actions by their scores; None takes the best one.
        temperature: of the draws.
        annotations: whose columns the scorer wants.
        judge: values the states; None for no regrets.
    """
    copies = np.repeat(np.arange(len(towers)), episodes)
    batch = Batch(towers, copies, annotations=annotations)
    followed = judged_copies(len(towers), episodes) if judge is not None else ()
    regrets = Regrets(batch, judge or Judge(), followed)
    while True:
        batch.paint()
        open_ = np.asarray(batch.mask.any(axis=1))
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
        for copy in followed:
            if open_[copy]:
                regrets.note(copy, _final_hp(batch, copy))
    won = (batch.outcomes == WON).reshape(-1, episodes)
    hp = np.where(won, batch.rows[:, 0].reshape(-1, episodes), 0)
    return measured(towers, won, hp, [r for copy in followed for r in regrets.of(copy)])


def judged_copies(floors: int, episodes: int) -> tuple[int, ...]:
    """The copies whose decisions are judged, of `episodes` a floor in a row.

    One episode of every floor, and on few floors so many of each that it is about
    `JUDGED` in all.
    """
    each = min(episodes, max(1, JUDGED // floors))
    return tuple(
        floor * episodes + number for floor in range(floors) for number in range(each)
    )


def _final_hp(batch: Batch, copy: int) -> int | None:
    """HP at the end of a copy's episode, 0 for a loss; None if it goes on."""
    outcome = int(batch.outcomes[copy])
    if not outcome:
        return None
    return int(batch.rows[copy, 0]) if outcome == WON else 0


def summary(found: Measured) -> dict[str, Any]:
    """The figures as JSON values."""
    shown: dict[str, Any] = {
        "floors": len(found.optimum),
        "episodes": int(found.won.size),
        "return": round(found.mean_return, 4),
        "success": round(found.success, 4),
        "best_success": round(found.best_success, 4),
        "hp_over_optimum": round(found.score, 4),
        "optimal": round(found.optimal, 4),
    }
    if found.won.size == 1:
        shown["hp"] = int(found.hp[0, 0])
    if found.regret is not None and found.optimal_moves is not None:
        shown["regret"] = round(found.regret, 4)
        shown["optimal_moves"] = round(found.optimal_moves, 4)
    return shown


def told_looks(row: Mapping[str, Any]) -> str:
    """Both kinds of looks, by their `summary`, as a part of a line."""
    best, drawn = row[ARGMAX], row[SAMPLED]
    end = f"{best['hp']} HP" if "hp" in best else f"won {best['success']:.3f}"
    return (
        f"argmax: {end}, HP/optimum {best['hp_over_optimum']:.3f}  sampled: won "
        f"{drawn['success']:.3f}, HP/optimum {drawn['hp_over_optimum']:.3f}"
    )
