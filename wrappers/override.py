"""Replaces choices that the overrides do not let pass."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gymnasium as gym

from mt_gym.analysis.options import Options
from mt_gym.play.overrides import Memory, remembered, replaced_by
from mt_gym.play.settings import override_names
from mt_gym.wrappers.core import Env, Result, base, relabel


class Override(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Executes another action where an override says so.

    Args:
        env: an environment, usually made with `overrides=[]`.
        overrides: a list out of `play.settings.OVERRIDES`.
        rule4_share: share of HP of `rule4`; None for the environment's.

    >>> import gymnasium as gym, mt_gym
    >>> env = gym.make("MagicTower-simple-v0", observation="bare", overrides=[])
    >>> env = Override(env)
    >>> _ = env.reset()
    >>> info = env.step(env.unwrapped.tower.action("open 7,0").index)[-1]
    >>> info["executed"][0]["text"]
    'fight 6,4'

    New in version 0.1.0.
    """

    def __init__(
        self,
        env: Env,
        overrides: Sequence[str] = ("mechanical",),
        rule4_share: Sequence[int] | None = None,
    ) -> None:
        names = override_names(overrides)
        share = None if rule4_share is None else list(rule4_share)
        gym.utils.RecordConstructorArgs.__init__(
            self, overrides=list(names), rule4_share=share
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        own = self._base.settings
        options = own.options
        if share is not None:
            options = Options.of(
                self._base.tower, options.lookahead_depth, share, options.max_turns
            )
        self._settings = replace(own, overrides=names, options=options)
        self._memory: Memory = frozenset()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset, and forget what was replaced."""
        self._memory = frozenset()
        return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> Result:
        """Execute the action, or what replaces it."""
        tower, moment = self._base.tower, self._base.moment
        try:
            index = operator.index(action)
        except TypeError:
            index = -1
        if moment.outcome is not None or not 0 <= index < len(tower.actions):
            return self.env.step(action)
        chosen = tower.actions[index]
        found = replaced_by(tower, moment.state, chosen, self._settings, self._memory)
        if found is None:
            return self.env.step(action)
        if found.rule == "rule4":
            self._memory |= {remembered(moment.state, chosen)}
        result = self.env.step(found.action.index)
        relabel(result[4], "override", found.reason, replaces=index)
        return result
