"""One kind of observation alone: texts for language models, arrays for training."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from gymnasium import spaces
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

from mt_gym.errors import MtGymError

Select = Callable[[Any], Any]


def _text(found: Any) -> Any:
    return found["text"]


def _numbers(found: Any) -> Any:
    return {key: found[key] for key in ("observation", "action_mask")}


def _numbers_space(found: Any) -> spaces.Dict:
    return spaces.Dict(_numbers(found))


class SelectInTurns(BaseWrapper):  # type: ignore[misc]
    """A part of the observations of a game in turns (AEC)."""

    def __init__(self, env: Any, select: Select, space: Select) -> None:
        super().__init__(env)
        self._select = select
        self._space = lru_cache(maxsize=None)(
            lambda agent: space(env.observation_space(agent))
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """That part of the player's space."""
        found: spaces.Space[Any] = self._space(agent)
        return found

    def observe(self, agent: str) -> Any:
        """That part of the player's observation."""
        return self._select(self.env.observe(agent))


class SelectInParallel(BaseParallelWrapper):  # type: ignore[misc]
    """A part of the observations of a game in which all move at once (Parallel)."""

    def __init__(self, env: Any, select: Select, space: Select) -> None:
        super().__init__(env)
        self._select = select
        self._space = lru_cache(maxsize=None)(
            lambda agent: space(env.observation_space(agent))
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """That part of the player's space."""
        found: spaces.Space[Any] = self._space(agent)
        return found

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """As the game's, with that part of each observation."""
        seen, infos = self.env.reset(seed=seed, options=options)
        return self._selected(seen), infos

    def step(self, actions: dict[str, Any]) -> tuple[Any, ...]:
        """As the game's, with that part of each observation."""
        seen, *rest = self.env.step(actions)
        return (self._selected(seen), *rest)

    def _selected(self, seen: dict[str, Any]) -> dict[str, Any]:
        return {agent: self._select(one) for agent, one in seen.items()}


def _wrapped(env: Any, select: Select, space: Select) -> Any:
    if isinstance(env, ParallelEnv):
        return SelectInParallel(env, select, space)
    if isinstance(env, AECEnv):
        return SelectInTurns(env, select, space)
    raise MtGymError(
        f"a game made by versus.race or versus.duel is expected, got {env!r}"
    )


def text_only(env: Any) -> Any:
    """The same game with a `str` as observation; the mask is in the infos.

    >>> from mt_gym.versus import duel, wrappers
    >>> game = wrappers.text_only(duel.env("simple"))
    >>> game.reset(seed=0)
    >>> game.observe("player_1").splitlines()[1]
    "It is player_0's turn."
    """
    return _wrapped(env, _text, _text)


def numeric_only(env: Any) -> Any:
    """The same game with a Dict of `observation` and `action_mask`; no text.

    A duel then makes no texts at all.

    >>> from mt_gym.versus import duel, wrappers
    >>> game = wrappers.numeric_only(duel.env("simple"))
    >>> game.reset(seed=0)
    >>> sorted(game.observe("player_0"))
    ['action_mask', 'observation']
    """
    wrapped = _wrapped(env, _numbers, _numbers_space)
    env.unwrapped.texts = False
    return wrapped
