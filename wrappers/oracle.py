"""Tells in `info` what every action is worth, for analysis and teaching."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from mt_gym.errors import MtGymError
from mt_gym.solver import solve, values
from mt_gym.solver.extent import is_too_big
from mt_gym.solver.solution import BOUNDED
from mt_gym.wrappers.core import Env, Result, base


class Oracle(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Adds exact values to `info`; the observation stays as it is.

    `info["state_value"]` is the best final HP still reachable, None if the goal is
    lost; `info["regret"]` the final HP that each legal action gives up, by index.
    Both are those of the free game, whatever the assists do.  A number that the
    limit left unproved is None in `regret`, and `info["state_value_status"]` is
    then `bounded` in place of `optimal` or `infeasible`; `info["state_value_bounds"]`
    is the pair (best final HP found or None, upper bound or None).  After the end only
    the value is there.  A tower that no exact search can take needs a limit.  Without
    this wrapper nothing of it can be reached.

    Args:
        env: an environment.
        node_limit: states that the solver expands at the most for one decision;
            None for no limit.  Never seconds: `info` must not depend on the machine.

    >>> import gymnasium as gym, mt_gym
    >>> env = Oracle(gym.make("MagicTower-simple-v0"))
    >>> _, info = env.reset()
    >>> info["state_value"], sorted(info["regret"].values())
    (13, [0, 13, 13, 13])

    New in version 0.1.0.
    """

    def __init__(self, env: Env, node_limit: int | None = None) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, node_limit=node_limit)
        gym.Wrapper.__init__(self, env)
        wrong = isinstance(node_limit, bool) or not isinstance(node_limit, int | None)
        if wrong or (node_limit is not None and node_limit < 1):
            raise MtGymError(
                f"node_limit must be an integer >= 1 or None, got {node_limit!r}"
            )
        self._base = base(env)
        if node_limit is None and is_too_big(self._base.tower):
            raise MtGymError(
                f"{self._base.tower.name!r} is too big for exact values; with a "
                "node_limit the solver's bounds are told"
            )
        self._limit = node_limit

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset and tell the values."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, **self._told()}

    def step(self, action: Any) -> Result:
        """Step and tell the values."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated, truncated, {**info, **self._told()}

    def _told(self) -> dict[str, Any]:
        tower, state = self._base.tower, self._base.state
        if self._base.moment.outcome is not None:
            won = tower.outcome(state) == "won"
            status = "optimal" if won else "infeasible"
            value = state.hero.hp if won else None
            return {"state_value": value, "state_value_status": status, "regret": {}}
        solution = solve(tower, state, node_limit=self._limit)
        status = solution.status
        value = None if status == BOUNDED else solution.hp
        regret: dict[int, int | None] = {}
        for action, worth in values(tower, state, node_limit=self._limit).items():
            if status == BOUNDED or worth.status == BOUNDED:
                regret[action.index] = None
            else:
                regret[action.index] = (value or 0) - (worth.hp or 0)
        told: dict[str, Any] = {
            "state_value": value,
            "state_value_status": status,
            "regret": regret,
        }
        if status == BOUNDED:
            told["state_value_bounds"] = (solution.hp, solution.bound)
        return told
