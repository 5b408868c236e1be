"""Gives the hero more HP to start with."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from mt_gym.engine.state import State
from mt_gym.errors import MtGymError
from mt_gym.wrappers.core import Env, Result, base, check_integers


class SpareHP(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Begins each episode with E more HP, drawn from `low` to `high`.

    Assign to `low` and `high` to anneal them; they count from the next reset on.

    Args:
        env: an environment with any reward.
        low, high: bounds of E, both included.
        par_shift: the last reward is that of a final HP that is E lower, so that
            spare HP that is merely kept earns nothing.

    >>> import gymnasium as gym, mt_gym
    >>> env = SpareHP(gym.make("MagicTower-simple-v0", observation="bare"), 30, 30)
    >>> _ = env.reset(seed=0)
    >>> env.unwrapped.state.hero.hp
    500

    New in version 0.1.0.
    """

    def __init__(self, env: Env, low: int, high: int, par_shift: bool = True) -> None:
        _check_bounds(low, high)
        if not isinstance(par_shift, bool):
            raise MtGymError(f"par_shift must be True or False, got {par_shift!r}")
        gym.utils.RecordConstructorArgs.__init__(
            self, low=low, high=high, par_shift=par_shift
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self.low, self.high = low, high
        self.par_shift = par_shift
        self.spare = 0
        """E of the present episode."""
        self._rng = np.random.default_rng()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Draw E and reset with it; a state among the options is raised as well."""
        if seed is not None:
            self._rng = np.random.default_rng([seed, 1])
        options = dict(options or {})
        state = options.get("state")
        if state is None:
            self._base.take_next(seed)
            state = self._base.tower.initial_state()
        _check_bounds(self.low, self.high)
        self.spare = int(self._rng.integers(self.low, self.high + 1))
        options["state"] = _with_hp(state, self.spare)
        return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> Result:
        """Step; the last reward is shifted by par."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        total = float(reward)
        if (terminated or truncated) and self.par_shift and self.spare:
            total += self._shift()
        return observation, total, terminated, truncated, info

    def _shift(self) -> float:
        """What the last turn is worth E HP lower, less what it is worth as it is."""
        env = self._base
        last = env.played[-1]
        action, before, after = last.action, last.before, last.after
        outcome = env.moment.outcome
        plain = env.reward(env.tower, before, action, after, outcome)
        lower = env.reward(
            env.tower,
            _with_hp(before, -self.spare),
            action,
            _with_hp(after, -self.spare),
            outcome,
        )
        return lower - plain


def _check_bounds(low: object, high: object) -> None:
    check_integers(0, low=low, high=high)
    if low > high:  # type: ignore[operator]
        raise MtGymError(f"0 <= low <= high is expected, got {low!r} and {high!r}")


def _with_hp(state: State, more: int) -> State:
    hero = state.hero
    return State(state.world, hero._replace(hp=hero.hp + more))
