"""Shows arrays for networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from mt_gym.envs.view import features_of, features_space
from mt_gym.observation import resolve
from mt_gym.observation.features import Features as Arrays
from mt_gym.observation.features import FeatureTable, feature_table
from mt_gym.wrappers.core import Env, Result, base


class Features(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Replaces the observation by a Dict of `hero`, `objects`, `action_mask`.

    The columns are `observation.features.FEATURE_COLUMNS` and `HERO_COLUMNS`, and
    those of `observation.columns.ANNOTATION_COLUMNS` that annotations add.

    Args:
        env: an environment with any observation.
        annotations: names or groups; None for all, [] for none.

    >>> import gymnasium as gym, mt_gym
    >>> env = Features(gym.make("MagicTower-simple-v0", observation="bare"))
    >>> arrays, _ = env.reset()
    >>> arrays["objects"].shape
    (37, 34)

    New in version 0.1.0.
    """

    def __init__(self, env: Env, annotations: Sequence[str] | None = None) -> None:
        names = annotations
        if isinstance(annotations, tuple | list):
            names = list(annotations)
        shown = resolve(names)  # type: ignore[arg-type]
        gym.utils.RecordConstructorArgs.__init__(self, annotations=names)
        gym.Wrapper.__init__(self, env)
        self._base = base(env)
        self._annotations = shown
        self._table = self._made()
        self.observation_space = features_space(self._base.config.rows, shown)

    def _made(self) -> FeatureTable:
        """The table of the tower that is played now."""
        rows, options = self._base.config.rows, self._base.settings.options
        return feature_table(self._base.tower, rows, self._annotations, options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset and show the arrays."""
        _, info = self.env.reset(seed=seed, options=options)
        if self._table.tower is not self._base.tower:
            self._table = self._made()
        return self._shown(), info

    def step(self, action: Any) -> Result:
        """Step and show the arrays."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._shown(), float(reward), terminated, truncated, info

    def _shown(self) -> Arrays:
        limit = self._base.settings.options.max_turns
        return features_of(self._table, self._base.moment, limit)
