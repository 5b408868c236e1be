"""What the wrappers share: the environment below, and several steps as one."""

from __future__ import annotations

import math
from typing import Any, SupportsFloat

import gymnasium as gym

from mt_gym.envs.env import MagicTowerEnv
from mt_gym.errors import MtGymError

Env = gym.Env[Any, Any]
Result = tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]
"""What `step` returns."""


def base(env: Env) -> MagicTowerEnv:
    """The Magic Tower environment under all wrappers.

    Raises:
        MtGymError: it is another environment.
    """
    found = env.unwrapped
    if not isinstance(found, MagicTowerEnv):
        raise MtGymError(
            f"mt_gym.wrappers wrap Magic Tower environments, not {type(found).__name__}"
        )
    return found


def check_integers(least: int, **values: object) -> None:
    """Raise an error for a value that is no integer of at least `least`."""
    for name, value in values.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least:  # type: ignore[operator]
            raise MtGymError(f"{name} must be an integer >= {least}, got {value!r}")


def check_number(name: str, value: object) -> None:
    """Raise an error for a value that is no finite number."""
    real = isinstance(value, int | float) and not isinstance(value, bool)
    if not real or not math.isfinite(value):  # type: ignore[arg-type]
        raise MtGymError(f"{name} must be a finite number, got {value!r}")


def relabel(
    info: dict[str, Any], source: str, reason: str, replaces: int | None = None
) -> None:
    """Say in `info` who decided the first turn that it reports, and why.

    An illegal choice that did nothing keeps its reason and what it names.
    """
    executed = info.get("executed")
    if not executed or executed[0]["action"] is None:
        return
    own = executed[0]["replaces"] if replaces is None else replaces
    if replaces is None and own is not None:
        return
    first = {**executed[0], "source": source, "reason": reason, "replaces": own}
    info["executed"] = (first, *executed[1:])


class Steps:
    """Steps of the environment below that are one step of a wrapper.

    Args:
        info: of the first of them.
    """

    def __init__(self, observation: Any, info: dict[str, Any]) -> None:
        self.observation, self.info = observation, info
        self.reward = 0.0
        self.terminated = self.truncated = False
        self._executed: tuple[Any, ...] = info.get("executed", ())

    @classmethod
    def of(cls, result: Result) -> Steps:
        """Begin with what `step` returned."""
        observation, reward, terminated, truncated, info = result
        steps = cls(observation, info)
        steps.reward = float(reward)
        steps.terminated, steps.truncated = terminated, truncated
        return steps

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated

    def add(self, result: Result) -> None:
        """Add one more step."""
        self.observation, reward, self.terminated, self.truncated, self.info = result
        self.reward += float(reward)
        self._executed += self.info.get("executed", ())

    def merged_info(self) -> dict[str, Any]:
        """The last `info`, with the turns of all steps."""
        if "executed" in self.info:
            self.info["executed"] = self._executed
        return self.info

    def result(self) -> Result:
        """All of them as one step."""
        return (
            self.observation,
            self.reward,
            self.terminated,
            self.truncated,
            self.merged_info(),
        )
