"""The environment whose floor is another one in every episode.

The spaces depend on the size alone, so floors of all levels of a size share them.
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium as gym

from mt_gym.engine.tower import Tower
from mt_gym.envs.env import KEYWORDS, MagicTowerEnv
from mt_gym.envs.keywords import refuse_unknown, state_option
from mt_gym.envs.spaces import TextSpace
from mt_gym.envs.view import TextView
from mt_gym.errors import MtGymError
from mt_gym.generator.generate import generate
from mt_gym.generator.levels import action_rows, level_of, size_of
from mt_gym.generator.pools import Pool, read_pool
from mt_gym.generator.sets import SETS
from mt_gym.generator.widest import widest
from mt_gym.observation import max_length

OWN_KEYWORDS: Final = ("level", "size", "floors", *KEYWORDS[1:])
"""Keywords of `GeneratedTowerEnv`."""

ENDLESS: Final = 1 << 62
"""Floors of a set without end that `reset` draws from."""


class GeneratedTowerEnv(MagicTowerEnv):
    """One hero, and a new certified floor with every reset.

    Args:
        level: 1 to 10; of a pool its own, whatever is given here.
        size: gateways; None for the level's, or the pool's.
        floors: `train`, `validation`, `test`, or the folder of a pool.
        render_mode, keywords: as for `MagicTowerEnv`, without `tower`.

    `reset(seed=s)` begins on the floor that the seed stands for: drawn from an endless
    set, number `s` modulo its length in any other.  Without a seed the next one
    follows; with `options={"state": ...}` the floor stays.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """

    def __init__(
        self,
        *,
        level: int = 1,
        size: int | None = None,
        floors: str = "train",
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        refuse_unknown((k for k in keywords if k not in OWN_KEYWORDS), OWN_KEYWORDS)
        if not isinstance(floors, str):
            raise MtGymError(f"floors must be a set or a folder, got {floors!r}")
        self._pool: Pool | None = None if floors in SETS else read_pool(floors)
        self._level = level_of(level if self._pool is None else self._pool.level)
        self.size = size_of(
            self._level, size if self._pool is None else self._pool.size
        )
        if self._pool is not None and size not in (None, self._pool.size):
            raise MtGymError(
                f"size={size!r}: the floors of {floors!r} have {self._pool.size} "
                "gateways"
            )
        self._set = floors
        self._next = 0
        self._taken = False
        keywords["num_actions"] = self._rows(keywords.get("num_actions"))
        self._begin(self._floor(0), keywords, render_mode)
        if isinstance(self.observation_space, TextSpace):
            self.observation_space = self.text_space(self._view)

    def _rows(self, wanted: object) -> object:
        least = action_rows(self.size)
        if wanted is None:
            return least
        if isinstance(wanted, int) and not isinstance(wanted, bool) and wanted < least:
            raise MtGymError(
                f"num_actions={wanted} is too small: floors of {self.size} gateways "
                f"have up to {least} actions"
            )
        return wanted

    def text_space(self, view: TextView) -> TextSpace:
        """The space of a view's texts on every floor of this size.

        Its bound is that of a map with more of everything (`generator.widest`); only
        a map that was put into a pool by other hands can be beyond it, and is refused.
        """
        most = widest(self.size)
        return TextSpace(max_length(most, view.kind, view.annotations, view.options))

    def _floor(self, number: int) -> Tower:
        if self._pool is not None:
            return self._pool.tower(number % len(self._pool))
        count = SETS[self._set].count
        index = number if count is None else number % count
        level = self._level.number
        return generate(level, self.size, floors=self._set, index=index)

    def _draw(self, seed: int | None) -> int:
        """Number of the next floor."""
        if self._pool is None and SETS[self._set].count is None:
            return int(self.np_random.integers(ENDLESS))
        number = self._next if seed is None else seed
        self._next = number + 1
        return number

    def _take(self, tower: Tower) -> None:
        super()._take(tower)
        space = getattr(self, "observation_space", None)
        if isinstance(space, TextSpace):
            self._view.refuse_beyond(space)

    def take_next(self, seed: int | None) -> None:
        """Take the floor of the coming reset, which then keeps to it."""
        gym.Env.reset(self, seed=seed)
        self._take(self._floor(self._draw(seed)))
        self._taken = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode on the next floor, or in a state of the present one.

        Raises:
            MtGymError: an unknown option, or a state that has ended.
            StateMismatch: a state of another floor.
        """
        given = state_option(options)
        if not self._taken:
            if given is not None:
                gym.Env.reset(self, seed=seed)
            else:
                self.take_next(seed)
        self._taken = False
        return super().reset(options=options)

    def __str__(self) -> str:
        return f"<GeneratedTowerEnv {self._tower.name!r}, {self.config.observation}>"


__all__ = ["OWN_KEYWORDS", "GeneratedTowerEnv"]
