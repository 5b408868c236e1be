"""Lets the assists act between decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gymnasium as gym

from mt_gym.play.settings import PlaySettings, assist_names
from mt_gym.play.settle import settle
from mt_gym.wrappers.core import Env, Result, Steps, base, relabel


class Assist(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Runs assists after each step and each reset, each as one turn.

    Args:
        env: an environment, usually made with `assists=False`.
        assists: True for all, or a list out of `play.settings.ASSISTS`.

    >>> import gymnasium as gym, mt_gym
    >>> env = gym.make("MagicTower-simple-v0", observation="bare", assists=False)
    >>> _, info = Assist(env, ["collect"]).reset()
    >>> [turn["text"] for turn in info["executed"]]
    ['collect 5,1']

    New in version 0.1.0.
    """

    def __init__(self, env: Env, assists: bool | Sequence[str] = True) -> None:
        names = assist_names(assists)
        gym.utils.RecordConstructorArgs.__init__(
            self, assists=assists if isinstance(assists, bool) else list(names)
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self._settings: PlaySettings = replace(
            self._base.settings, assists=frozenset(names)
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset, then assist, stopping before a turn that would end the episode."""
        steps = Steps(*self.env.reset(seed=seed, options=options))
        self._assist(steps, keep_open=True)
        return steps.observation, steps.merged_info()

    def step(self, action: Any) -> Result:
        """Step, then assist."""
        steps = Steps.of(self.env.step(action))
        self._assist(steps, keep_open=False)
        return steps.result()

    def _assist(self, steps: Steps, keep_open: bool) -> None:
        tower = self._base.tower
        while not steps.ended:
            state, turn = self._base.state, self._base.turn
            ahead = settle(tower, state, self._settings, turn, keep_open)
            if not ahead:
                return
            action, source, reason = ahead[0].step
            result = self.env.step(action.index)
            relabel(result[4], source, reason)
            steps.add(result)
