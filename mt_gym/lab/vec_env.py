"""The arena as a vector environment of stable-baselines3."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from mt_gym.envs.batch.actions import action_indices
from mt_gym.envs.view import features_space
from mt_gym.lab.arena import Arena


class ArenaVecEnv(VecEnv):  # type: ignore[misc]
    """Copies of floors for stable-baselines3, with masks for sb3-contrib.

    What is random is drawn by the arena, so that `seed` changes nothing.  Episodes
    begin again at once; `infos` of ended ones have `episode` (return,
    length, seconds), `won` and `is_success` (the same), `hp` without spare HP,
    `floor`, and `terminal_observation`.

    Args:
        arena: steps the copies.
        last: whether all ended episodes have `terminal_observation`, or only those
            that were truncated, which is all that PPO reads.

    Attributes:
        seconds: time that steps took so far, by the clock on the wall.
    """

    def __init__(self, arena: Arena, last: bool = True) -> None:
        self.arena, self._last = arena, last
        batch = arena.batch
        space = features_space(batch.width, batch.annotations)
        self.render_mode = None
        super().__init__(len(batch), space, spaces.Discrete(batch.width))
        self._actions: NDArray[np.int64] = np.zeros(len(batch), np.int64)
        self._returns = np.zeros(len(batch))
        self._lengths = np.zeros(len(batch), np.int64)
        self._began = time.perf_counter()
        self.seconds = 0.0

    def action_masks(self) -> NDArray[np.bool_]:
        """True for every action that is executed if it is chosen; (copies, rows)."""
        return self.arena.batch.mask.astype(np.bool_)

    def reset(self) -> dict[str, NDArray[Any]]:
        """Begin an episode in every copy."""
        self.arena.reset()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._observation()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions of the next step.

        Raises:
            IllegalAction: not an action index for every copy.
        """
        width = self.arena.batch.width
        self._actions = action_indices(actions, self.num_envs, width)

    def step_wait(self) -> Any:
        """Step all copies."""
        began = time.perf_counter()
        last: dict[int, Any] = {}
        rewards, ended = self.arena.step(self._actions, last, self._last)
        self._returns += rewards
        self._lengths += 1
        dones = np.zeros(self.num_envs, np.bool_)
        dones[ended.copies] = True
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        spent = time.perf_counter() - self._began
        for i, copy in enumerate(ended.copies):
            infos[copy] = {
                "episode": {
                    "r": float(self._returns[copy]),
                    "l": int(self._lengths[copy]),
                    "t": spent,
                },
                "won": bool(ended.won[i]),
                "is_success": bool(ended.won[i]),
                "floor": int(ended.towers[i]),
                "plain": bool(ended.plain[i]),
                "hp": int(ended.hp[i]),
                "TimeLimit.truncated": bool(ended.truncated[i]),
            }
            if int(copy) in last:
                infos[copy]["terminal_observation"] = last[int(copy)]
        self._returns[ended.copies] = 0
        self._lengths[ended.copies] = 0
        shown = self._observation()
        self.seconds += time.perf_counter() - began
        return shown, rewards, dones, infos

    def _observation(self) -> dict[str, NDArray[Any]]:
        batch = self.arena.batch
        return {
            "action_mask": batch.mask.copy(),
            "hero": batch.hero.copy(),
            "objects": batch.objects.copy(),
        }

    def close(self) -> None:
        """Nothing is open."""

    def _chosen(self, indices: Any) -> list[int]:
        return [int(i) for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this environment, once for each copy."""
        if attr_name == "action_masks":
            return [self.action_masks] * len(self._chosen(indices))
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of this environment."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method; `action_masks` gives each copy its own row."""
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[i] for i in self._chosen(indices)]
        found = getattr(self, method_name)(*args, **kwargs)
        return [found] * len(self._chosen(indices))

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: Any = None
    ) -> Sequence[bool]:
        """No copy is wrapped; episodes are watched here, as `Monitor` does."""
        return [False] * len(self._chosen(indices))
