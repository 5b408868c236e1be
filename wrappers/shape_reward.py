"""Adds a potential to the reward, without changing what is best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import gymnasium as gym

from mt_gym.analysis.weights import KEY, POINT
from mt_gym.engine.kinds import RESOURCE_INDEX, RESOURCES
from mt_gym.engine.state import State
from mt_gym.errors import MtGymError
from mt_gym.wrappers.core import Env, Result, base, check_number

PRICES: Final = {"hp": 1, **POINT, **KEY}
"""Default prices: those of the observation's lookahead value, and HP itself."""


class ShapeReward(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Adds gamma * P(next state) - P(state) to each reward.

    P is the hero's resources at fixed prices over the HP he starts with, and 0 after
    an episode that terminated.

    Why no policy gets better or worse: over an episode of T steps that terminates,
    the added rewards, discounted by gamma^t, are a telescope,

        sum over t < T of gamma^t (gamma P(s_{t+1}) - P(s_t))
            = gamma^T P(s_T) - P(s_0) = - P(s_0),

    as P(s_T) = 0.  So every policy's return from a start state moves by the same
    number, and the order of policies stays (Ng, Harada and Russell, 1999).  At a
    truncation P(s_T) stays, as it does in the value that is bootstrapped there.
    The learner must discount with the same gamma.

    Args:
        env: an environment with any reward.
        prices: price of one unit by resource; None for `PRICES`.
        gamma: discount of the learner, above 0 and at most 1.

    >>> import gymnasium as gym, mt_gym
    >>> env = ShapeReward(gym.make("MagicTower-simple-v0", observation="bare"))
    >>> _ = env.reset()
    >>> action = env.unwrapped.tower.action("fight 6,4")
    >>> round(env.step(action.index)[1] * 470)
    -55

    New in version 0.1.0.
    """

    def __init__(
        self, env: Env, prices: Mapping[str, float] | None = None, gamma: float = 1.0
    ) -> None:
        chosen = PRICES if prices is None else prices
        if not isinstance(chosen, Mapping):
            raise MtGymError(
                f"prices must be None or a mapping from resources, got {prices!r}"
            )
        unknown = [name for name in chosen if name not in RESOURCE_INDEX]
        if unknown:
            raise MtGymError(
                f"prices: unknown resource {unknown[0]!r} "
                f"(allowed: {', '.join(RESOURCES)})"
            )
        for name, price in chosen.items():
            check_number(f"prices: the price of {name}", price)
        check_number("gamma", gamma)
        if not 0 < gamma <= 1:
            raise MtGymError(f"gamma must be above 0 and at most 1, got {gamma!r}")
        gym.utils.RecordConstructorArgs.__init__(
            self, prices=None if prices is None else dict(prices), gamma=gamma
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self._gamma = gamma
        self._prices = [(RESOURCE_INDEX[name], price) for name, price in chosen.items()]
        self._before = 0.0

    def potential(self, state: State) -> float:
        """P of a state in which the episode goes on."""
        hero = state.hero
        start = dict(self._base.tower.data.hero)["hp"]
        return sum(hero[slot] * price for slot, price in self._prices) / start

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset, and begin with the potential of the first state."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = self.potential(self._base.state)
        return observation, info

    def step(self, action: Any) -> Result:
        """Step, with the difference of potentials added."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        after = 0.0 if terminated else self.potential(self._base.state)
        shaped = float(reward) + self._gamma * after - self._before
        self._before = after
        return observation, shaped, terminated, truncated, info
