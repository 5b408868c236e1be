"""Shows the annotated text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from mt_gym.envs.info import retagged
from mt_gym.envs.keywords import configure
from mt_gym.envs.view import TextView
from mt_gym.wrappers.core import Env, Result, base


class Annotate(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Replaces the observation by the annotated text, and the tags in `info`.

    Args:
        env: an environment, usually made with `observation="bare"`.
        annotations: names or groups; None for all.
        lookahead_depth: of the lookahead tree; None for the environment's.
        rule4_share: share of HP of the order lines; None for the environment's.

    >>> import gymnasium as gym, mt_gym
    >>> env = gym.make("MagicTower-simple-v0", observation="bare")
    >>> text, _ = Annotate(env, ["exact"]).reset()
    >>> text.splitlines()[0]
    '=== Floor: simple | Turn 1/300 ==='

    New in version 0.1.0.
    """

    def __init__(
        self,
        env: Env,
        annotations: Sequence[str] | None = None,
        lookahead_depth: int | None = None,
        rule4_share: Sequence[int] | None = None,
    ) -> None:
        names = annotations
        if isinstance(annotations, tuple | list):
            names = list(annotations)
        share = None if rule4_share is None else list(rule4_share)
        gym.utils.RecordConstructorArgs.__init__(
            self,
            annotations=names,
            lookahead_depth=lookahead_depth,
            rule4_share=share,
        )
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self._keywords: dict[str, Any] = {"annotations": names}
        if lookahead_depth is not None:
            self._keywords["lookahead_depth"] = lookahead_depth
        if share is not None:
            self._keywords["rule4_share"] = share
        self._view = self._made()
        self.observation_space = self._base.text_space(self._view)

    def _made(self) -> TextView:
        """The view of the tower that is played now."""
        own = self._base.settings.options
        keywords = {
            "lookahead_depth": own.lookahead_depth,
            "rule4_share": own.rule4_share,
            "max_turns": own.max_turns,
            **self._keywords,
        }
        tower = self._base.tower
        return TextView(tower, configure(tower, **keywords))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset and show the text."""
        _, info = self.env.reset(seed=seed, options=options)
        if self._view.tower is not self._base.tower:
            self._view = self._made()
            self._view.refuse_beyond(self.observation_space)  # type: ignore[arg-type]
        return self._shown(info), info

    def step(self, action: Any) -> Result:
        """Step and show the text."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._shown(info), float(reward), terminated, truncated, info

    def _shown(self, info: dict[str, Any]) -> str:
        if "actions" in info:
            info["actions"] = retagged(info["actions"], self._view.tags(self._base))
        return self._view.text(self._base)
