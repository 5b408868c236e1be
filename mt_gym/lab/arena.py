"""The batch environment with what helps a learner.

A potential, spare HP and episodes that begin in the middle, as in
`wrappers.ShapeReward`, `SpareHP` and `ExploringStarts`, for all copies at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis.options import Options
from mt_gym.engine.kinds import RESOURCE_INDEX
from mt_gym.engine.state import N_RESOURCES
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import S_SPARE, S_TURN, TURN_LIMIT, WON, Ints
from mt_gym.errors import MtGymError
from mt_gym.observation.features import NO_ANNOTATIONS
from mt_gym.play.explore import explored
from mt_gym.play.settings import PlaySettings
from mt_gym.wrappers.shape_reward import PRICES

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Help:
    """What makes learning easier; the game stays what it is.

    Attributes:
        weight: what all start HP left at a win are worth; the win itself is worth 1.
        prices: of the potential, by resource; empty for none.
        spare: most HP that the hero gets beyond his own at the start of training;
            `Arena.spare` anneals it.
        explore: share of episodes that begin after random harmless choices.
        moves: most of those choices.
        starts: beginnings that are drawn ahead, per floor.
    """

    weight: float = 10.0
    prices: Mapping[str, float] | None = None
    spare: int = 0
    explore: float = 0.0
    moves: int = 4
    starts: int = 400


@dataclass(frozen=True, slots=True)
class Ended:
    """Episodes that ended in a step.

    Attributes:
        copies: their numbers; towers: their floors.
        won: whether the goal was reached; hp: HP at the end less the spare HP.
        plain: whether the episode began at the floor's own start without spare HP.
        truncated: whether the turn limit ended it; turns: completed turns.
    """

    copies: NDArray[np.int64]
    towers: NDArray[np.int64]
    won: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    hp: NDArray[np.int64]
    plain: NDArray[np.bool_]
    turns: NDArray[np.int64]


class Arena:
    """Copies of floors that are played again and again, each time on any of them.

    The reward of an episode is 1 + weight * HP / H for a win and 0 else, with HP what
    is left and H the floor's start HP.  Spare HP E is drawn before the first choice:
    to score HP - E instead, on wins and losses alike, takes weight * E / H from every
    episode that begins with E, whatever is done in it.  So the order of policies is
    that of the shifted par, and the plain sum is paid, because only it can be valued
    from a state: E cannot be seen in the middle of a game, and as a shift it would be
    noise many times larger than what one route is better than another.

    The potential P (prices times resources over H, 0 at the end) adds P(next) -
    P(now) to every reward; over an episode that is -P(start), whatever is done, so
    that the order of policies stays as it is (undiscounted; see
    `wrappers.ShapeReward`).

    Args:
        towers: the floors.
        copies: how many are played at a time.
        rng: draws floors, spare HP and beginnings.
        aid: what helps.
        width: rows of masks and features; None for the most actions of a floor.
        annotations: whose columns the features have.
        fixed: number of the floor that each copy always plays; None to draw one for
            every episode.

    Attributes:
        batch: with masks and features of the present states.
        spare: most spare HP of the episodes that begin from now on.
    """

    def __init__(
        self,
        towers: Sequence[Tower],
        copies: int,
        rng: np.random.Generator,
        aid: Help | None = None,
        width: int | None = None,
        annotations: frozenset[str] = NO_ANNOTATIONS,
        fixed: NDArray[np.integer[Any]] | None = None,
    ) -> None:
        self.aid = Help() if aid is None else aid
        self.rng = rng
        self.spare = self.aid.spare
        numbers = rng.integers(len(towers), size=copies)
        if copies >= len(towers):
            numbers = np.arange(copies) % len(towers)
        self._drawn = len(towers) > 1 and fixed is None
        if fixed is not None:
            numbers = np.asarray(fixed, np.int64)
        self.batch = Batch(towers, numbers, width=width, annotations=annotations)
        hp = [dict(tower.data.hero)["hp"] for tower in towers]
        self._start_hp = np.array(hp, np.float64)
        prices = PRICES if self.aid.prices is None else self.aid.prices
        self._prices = np.zeros(N_RESOURCES)
        for name, price in prices.items():
            if name not in RESOURCE_INDEX:
                raise MtGymError(f"prices: unknown resource {name!r}")
            self._prices[RESOURCE_INDEX[name]] = price
        self._pools = [self._pool(number) for number in range(len(towers))]
        self._plain = np.ones(copies, np.bool_)
        self._potential = np.zeros(copies)
        self.reset()

    def _pool(self, number: int) -> Ints | None:
        """Beginnings in the middle of a floor, a row each."""
        if not self.aid.explore:
            return None
        tower = self.batch.towers[number]
        settings = PlaySettings(Options.of(tower), overrides=())
        start = tower.initial_state()
        rows = []
        for _ in range(self.aid.starts):
            moves = int(self.rng.integers(1, self.aid.moves + 1))
            state = explored(tower, start, settings, moves, self.rng)
            rows.append(self.batch.settled(self.batch.row_of(number, state)))
        return np.stack(rows)

    # -- episodes ------------------------------------------------------------------

    def reset(self) -> None:
        """Begin an episode in every copy."""
        self._begin(np.arange(len(self.batch)))
        self.batch.paint()

    def _begin(self, which: NDArray[np.int64]) -> None:
        batch, rng = self.batch, self.rng
        if not len(which):
            return
        if self._drawn:
            batch.copies[which] = rng.integers(len(batch.towers), size=len(which))
        batch.reset(which)
        self._plain[which] = True
        for copy in which[rng.random(len(which)) < self.aid.explore]:
            pool = self._pools[batch.copies[copy]]
            assert pool is not None
            batch.rows[copy] = pool[int(rng.integers(len(pool)))]
            batch.rows[copy, S_TURN] = 0
            self._plain[copy] = False
        if self.spare:
            extra = rng.integers(self.spare + 1, size=len(which))
            batch.rows[which, 0] += extra
            batch.rows[which, S_SPARE] = extra
            self._plain[which[extra > 0]] = False
        self._potential[which] = self._potential_of(which)

    def _potential_of(self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        batch = self.batch
        heroes = batch.rows[which, :N_RESOURCES].astype(np.float64)
        found: NDArray[np.float64] = heroes @ self._prices
        return found / self._start_hp[batch.copies[which]]

    def step(
        self,
        actions: NDArray[np.integer[Any]],
        last: dict[int, Any] | None = None,
        terminated_too: bool = True,
    ) -> tuple[Floats, Ended]:
        """Step every copy; those that end begin again at once.

        Args:
            actions: (copies,) indices.
            last: filled with the last observations of the episodes that ended, by
                copy; `terminated_too`: not only of those that were truncated.

        Returns:
            Rewards (copies,), and what ended.  Masks and features are those of the
            new states.
        """
        batch = self.batch
        batch.step(actions, again=False)
        outcomes = batch.outcomes.copy()
        over = np.flatnonzero(outcomes)
        every = np.arange(len(batch))
        after = self._potential_of(every)
        truncated = outcomes == TURN_LIMIT
        after[(outcomes != 0) & ~truncated] = 0.0
        rewards = after - self._potential
        rewards[~batch.legal] -= 0.01
        self._potential = after
        spare = batch.rows[over, S_SPARE]
        won = outcomes[over] == WON
        left = np.where(won, batch.rows[over, 0], 0)
        share = self.aid.weight * left / self._start_hp[batch.copies[over]]
        rewards[over] += won + share
        ended = Ended(
            over,
            batch.copies[over].copy(),
            won,
            truncated[over],
            left - spare,
            self._plain[over].copy(),
            batch.turns[over].copy(),
        )
        wanted = over if terminated_too else np.flatnonzero(truncated)
        if last is not None and len(wanted):
            batch.paint()
            for copy in wanted:
                last[int(copy)] = self.observation(int(copy))
        self._begin(over)
        batch.paint()
        return rewards.astype(np.float32), ended

    def observation(self, copy: int) -> dict[str, NDArray[Any]]:
        """The arrays of one copy, fresh."""
        batch = self.batch
        return {
            "action_mask": batch.mask[copy].copy(),
            "hero": batch.hero[copy].copy(),
            "objects": batch.objects[copy].copy(),
        }


PLAIN: Final = Help(weight=1.0, prices={})
"""No help: for measuring."""
