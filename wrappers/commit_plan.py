"""Takes several actions at once."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.wrappers.core import Env, Result, Steps, base, relabel


class CommitPlan(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Executes a choice and up to k - 1 further actions without asking again.

    The action is a vector of k entries: an action index, then indices or n (the
    number of actions) for no entry.  The assists run in between.  An entry that is
    replaced, or that is not legal when its turn comes, drops the rest.  The reward
    is the sum over all steps.

    Args:
        env: an environment with `Discrete` actions.
        k: entries, at least 1.

    >>> import gymnasium as gym, mt_gym
    >>> env = CommitPlan(gym.make("MagicTower-simple-v0", observation="bare"), 2)
    >>> _ = env.reset()
    >>> plan = [env.unwrapped.tower.action(t).index for t in ("fight 6,4", "fight 5,6")]
    >>> [turn["source"] for turn in env.step(plan)[-1]["executed"]]
    ['policy', 'plan']

    New in version 0.1.0.
    """

    def __init__(self, env: Env, k: int) -> None:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise MtGymError(f"k must be an integer >= 1, got {k!r}")
        if not isinstance(env.action_space, spaces.Discrete):
            raise MtGymError(
                f"CommitPlan needs an environment with Discrete actions, not "
                f"{env.action_space}"
            )
        gym.utils.RecordConstructorArgs.__init__(self, k=k)
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self._n = int(env.action_space.n)
        self._k = k
        self.action_space = spaces.MultiDiscrete([self._n] + [self._n + 1] * (k - 1))

    def action_masks(self) -> NDArray[np.bool_]:
        """Masks of all entries in a row: n, then k - 1 times n + 1 values.

        The first is the environment's.  What the others name may become legal on the
        way: all is allowed but actions of objects that are gone.
        """
        first = self.env.get_wrapper_attr("action_masks")()
        moment = self._base.moment
        later = np.zeros(self._n + 1, np.bool_)
        if moment.outcome is None:
            gone = moment.state.world.gone
            for action in self._base.tower.actions:
                later[action.index] = action.object < 0 or not gone >> action.object & 1
            later[self._n] = True
        return np.concatenate([first, *[later] * (self._k - 1)])

    def step(self, action: Any) -> Result:
        """Execute the plan."""
        plan = self._entries(action)
        count = len(self._base.played)
        steps = Steps.of(self.env.step(plan[0]))
        as_planned = self._executed(count, plan[0])
        for entry in plan[1:]:
            legal = not steps.ended and as_planned and steps.info["action_mask"][entry]
            if not legal:
                break
            count = len(self._base.played)
            result = self.env.step(entry)
            relabel(result[4], "plan", "")
            steps.add(result)
            as_planned = self._executed(count, entry)
        return steps.result()

    def _executed(self, count: int, index: int) -> bool:
        """Whether the turn after `count` turns was the action that was asked for."""
        action = self._base.played[count].action
        return action is not None and action.index == index

    def _entries(self, plan: Any) -> list[int]:
        """The entries that name an action.

        Raises:
            IllegalAction: no vector of k indices within the action space.
        """
        try:
            entries = [operator.index(entry) for entry in plan]
        except TypeError:
            entries = []
        sizes = [self._n] + [self._n + 1] * (self._k - 1)
        fits = len(entries) == self._k and all(
            0 <= entry < size for entry, size in zip(entries, sizes, strict=True)
        )
        if not fits:
            raise IllegalAction(
                f"{plan!r} is no plan: {self._k} action indices from 0 to "
                f"{self._n - 1} are expected ({self._n} for no entry, but not first)"
            )
        return [entry for entry in entries if entry != self._n]
