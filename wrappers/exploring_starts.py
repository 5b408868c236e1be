"""Begins episodes in the middle of the game."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from mt_gym.engine.state import State
from mt_gym.errors import MtGymError
from mt_gym.play.explore import explored
from mt_gym.wrappers.core import Env, base, check_integers, check_number


class ExploringStarts(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Begins some episodes after a few random choices.

    They are legal and survivable, never the goal and never a dead end, with the
    assists in between; a choice that would end the game is not made.

    Args:
        env: an environment.
        probability: share of episodes that begin so.
        low, high: bounds of the number of choices, both included.

    >>> import gymnasium as gym, mt_gym
    >>> env = gym.make("MagicTower-simple-v0", observation="bare")
    >>> env = ExploringStarts(env, probability=1.0)
    >>> _ = env.reset(seed=0)
    >>> env.unwrapped.turn, env.unwrapped.state == env.unwrapped.tower.initial_state()
    (0, False)

    New in version 0.1.0.
    """

    def __init__(
        self, env: Env, probability: float = 0.5, low: int = 1, high: int = 4
    ) -> None:
        check_number("probability", probability)
        if not 0 <= probability <= 1:
            raise MtGymError(f"probability must be from 0 to 1, got {probability!r}")
        check_integers(1, low=low, high=high)
        if low > high:
            raise MtGymError(f"1 <= low <= high is expected, got {low!r} and {high!r}")
        gym.utils.RecordConstructorArgs.__init__(
            self, probability=probability, low=low, high=high
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self.probability, self.low, self.high = probability, low, high
        self._rng = np.random.default_rng()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset, perhaps to a state after random choices."""
        if seed is not None:
            self._rng = np.random.default_rng([seed, 2])
        options = dict(options or {})
        if self._rng.random() < self.probability:
            start = options.get("state")
            if start is None:
                self._base.take_next(seed)
                start = self._base.tower.initial_state()
            options["state"] = self._explored(start)
        return self.env.reset(seed=seed, options=options)

    def _explored(self, start: State) -> State:
        moves = int(self._rng.integers(self.low, self.high + 1))
        tower, settings = self._base.tower, self._base.settings
        return explored(tower, start, settings, moves, self._rng)
