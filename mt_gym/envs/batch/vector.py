"""The batch as a gymnasium vector environment.

It takes the keywords of the single environment and behaves, copy by copy, like one
in a `SyncVectorEnv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.actions import action_indices
from mt_gym.envs.batch.configs import configs_of, mode_of, towers_of
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import OUTCOMES, TURN_LIMIT
from mt_gym.envs.keywords import (
    KEYWORDS,
    Config,
    refuse_unknown,
    state_option,
)
from mt_gym.envs.own_map import OwnMap
from mt_gym.envs.view import features_space
from mt_gym.errors import IllegalAction, MtGymError

Arrays = dict[str, NDArray[Any]]
_OWN: Final = ("autoreset_mode", "copy")


class BatchEnv(OwnMap, gym.vector.VectorEnv[Arrays, NDArray[Any], NDArray[Any]]):
    """Copies of one tower, or of several in turn, stepped by one call.

    Args:
        num_envs: number of copies.
        tower: a shipped map's name, or the path of a map file; a list gives copy i
            the i-th of them, and begins again after the last.
        shipped: the map of an id that stands for one map, in place of `tower`.
        autoreset_mode: `NextStep`, `SameStep` or `Disabled`.
        copy: whether observations are fresh arrays, or those that the next step
            writes to.
        keywords: those of `MagicTowerEnv`; observation `features`, `info_level`
            `mask`, `overrides` [] and no picture are all there is, and `assists` is
            True or False.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        tower: str | Sequence[str] | None = None,
        shipped: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **keywords: Any,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise MtGymError(f"num_envs must be an integer >= 1, got {num_envs!r}")
        allowed = (*(KEYWORDS if shipped is None else KEYWORDS[1:]), *_OWN)
        refuse_unknown((k for k in keywords if k not in allowed), allowed)
        if not isinstance(copy, bool):
            raise MtGymError(f"copy must be True or False, got {copy!r}")
        self.num_envs = num_envs
        self.copy = copy
        self.autoreset_mode = mode_of(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        towers = towers_of(tower, shipped)[:num_envs]
        configs = configs_of(towers, keywords)
        self.config: Config = configs[0]
        self.batch = Batch(
            towers,
            [i % len(towers) for i in range(num_envs)],
            width=max(config.rows for config in configs),
            assists=bool(self.config.settings.assists),
            options=[config.settings.options for config in configs],
            reward=self.config.reward,
            annotations=self.config.annotations,
        )
        shown = self.config.annotations
        self.single_observation_space = features_space(self.batch.width, shown)
        self.single_action_space = spaces.Discrete(self.batch.width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    # -- what can be asked -----------------------------------------------------------

    @property
    def towers(self) -> tuple[Tower, ...]:
        """The tower of each copy."""
        return tuple(self.batch.towers[n] for n in self.batch.copies)

    @property
    def states(self) -> tuple[State, ...]:
        """The state of each copy."""
        return tuple(self.batch.state(i) for i in range(self.num_envs))

    def action_masks(self) -> NDArray[np.bool_]:
        """True for every index that is executed if it is chosen; (copies, rows)."""
        return self.batch.mask.astype(np.bool_)

    # -- episodes ----------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin episodes: all, or those of `options={"reset_mask": mask}`.

        Nothing is random here; a seed seeds only `np_random`.  A state among the
        options is where the episodes begin, as in the single environment.
        """
        first = seed
        if isinstance(seed, list | tuple) and len(seed) == self.num_envs:
            first = seed[0]
        if first is not None and not isinstance(first, int):
            raise MtGymError(
                f"seed must be None, an integer or a list of {self.num_envs} of them, "
                f"got {seed!r}"
            )
        super().reset(seed=first)
        if options is not None and not isinstance(options, dict):
            state_option(options)  # says what is expected
        options = dict(options or {})
        which = np.ones(self.num_envs, np.bool_)
        if options.get("reset_mask") is not None:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != np.bool_:
                raise MtGymError(
                    f"reset_mask must be a bool array of {self.num_envs}, got "
                    f"{options['reset_mask']!r}"
                )
        options.pop("reset_mask", None)
        self._begin(np.flatnonzero(which), state_option(options))
        self._begun = True
        self.batch.paint()
        return self._observation(), self._infos(which)

    def _begin(self, chosen: NDArray[np.intp], state: State | None) -> None:
        batch = self.batch
        if state is None:
            batch.reset(chosen)
            return
        for i in chosen:
            batch.begin(int(i), state)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        Arrays,
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Step every copy.

        Raises:
            ResetNeeded: before the first reset; with `Disabled` an ended copy.
            IllegalAction: no action index; with `on_illegal="raise"` also one that
                is not legal now.
        """
        batch = self.batch
        if not self._begun:
            raise ResetNeeded("reset() the environment before it is stepped")
        chosen = self._checked(actions)
        before = batch.outcomes != 0
        batch.step(chosen)
        ended = batch.outcomes
        truncated = ended == TURN_LIMIT
        terminated = (ended != 0) & ~truncated
        rewards = batch.rewards.copy()
        batch.paint()
        infos: dict[str, Any] = {}
        over = np.flatnonzero(ended)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and len(over):
            infos = self._final(over)
            batch.reset(over)
            batch.paint()
        infos |= self._infos(np.ones(self.num_envs, np.bool_), ~before)
        return self._observation(), rewards, terminated, truncated, infos

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        batch = self.batch
        chosen = action_indices(actions, self.num_envs, batch.width)
        over = batch.outcomes != 0
        if self.autoreset_mode is AutoresetMode.DISABLED and over.any():
            raise ResetNeeded(
                f"the episode of copy {int(np.flatnonzero(over)[0])} has ended: "
                "reset() it"
            )
        if self.config.on_illegal == "raise":
            allowed = batch.mask[np.arange(self.num_envs), chosen] | over
            if not allowed.all():
                copy = int(np.flatnonzero(allowed == 0)[0])
                self._refuse(copy, int(chosen[copy]))
        return chosen

    def _refuse(self, copy: int, index: int) -> None:
        """Say why a choice is not legal."""
        tower = self.towers[copy]
        why = "no action of this tower has that index"
        if index < len(tower.actions):
            action = tower.actions[index]
            why = tower.game.why_illegal(self.batch.state(copy), action)
        raise IllegalAction(f"copy {copy}: {why}")

    # -- what is shown -----------------------------------------------------------------

    def _observation(self) -> Arrays:
        batch = self.batch
        arrays: Arrays = {
            "action_mask": batch.mask,
            "hero": batch.hero,
            "objects": batch.objects,
        }
        if self.copy:
            return {name: array.copy() for name, array in arrays.items()}
        return arrays

    def _infos(
        self, which: NDArray[np.bool_], stepped: NDArray[np.bool_] | None = None
    ) -> dict[str, Any]:
        """Infos of some copies, laid out as `VectorEnv` does."""
        batch = self.batch
        mask = batch.mask.copy()
        turns = batch.turns.copy()
        if not which.all():
            mask[~which] = 0
            turns[~which] = 0
        infos: dict[str, Any] = {
            "action_mask": mask,
            "_action_mask": which.copy(),
            "turn": turns,
            "_turn": which.copy(),
        }
        over = (batch.outcomes != 0) & which
        if over.any():
            infos["outcome"] = _names(batch.outcomes, over)
            infos["_outcome"] = over
        return infos

    def _final(self, over: NDArray[np.intp]) -> dict[str, Any]:
        """Last observations and infos of copies that begin again at once."""
        batch = self.batch
        last = np.full(self.num_envs, None, dtype=object)
        for i in over:
            last[i] = {
                "hero": batch.hero[i].copy(),
                "objects": batch.objects[i].copy(),
                "action_mask": batch.mask[i].copy(),
            }
        which = np.zeros(self.num_envs, np.bool_)
        which[over] = True
        return {
            "final_obs": last,
            "_final_obs": which,
            "final_info": self._infos(which),
            "_final_info": which.copy(),
        }


def _names(outcomes: NDArray[np.int64], over: NDArray[np.bool_]) -> NDArray[Any]:
    names = np.full(len(outcomes), None, dtype=object)
    for i in np.flatnonzero(over):
        names[i] = OUTCOMES[outcomes[i]]
    return names
