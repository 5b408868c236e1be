"""Looks at the real floors during training, by sb3-contrib's evaluation.

No spare HP, no potential, no beginnings in the middle.  On one floor the likeliest
action always plays the same episode, so that a look is one such episode, and many
that are sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback

from mt_gym.engine.tower import Tower
from mt_gym.lab.arena import PLAIN, Arena
from mt_gym.lab.judge import Judge, Regrets
from mt_gym.lab.measure import (
    ARGMAX,
    LEAST_SAMPLED,
    Measured,
    judged_copies,
    measured,
    summary,
)
from mt_gym.lab.vec_env import ArenaVecEnv


class JudgedVecEnv(ArenaVecEnv):
    """Floors as they are, each played by its own copies; some decisions are judged.

    `infos` of ended episodes have `regrets` besides: what each decision gave up.

    Args:
        towers: the floors.
        episodes: copies of each floor.
        judge: values the states.
        width: rows of masks and features; annotations: whose columns they have.
    """

    def __init__(
        self,
        towers: Sequence[Tower],
        episodes: int,
        judge: Judge,
        width: int,
        annotations: frozenset[str],
    ) -> None:
        arena = Arena(
            towers,
            len(towers) * episodes,
            np.random.default_rng(0),  # nothing is drawn
            PLAIN,
            width,
            annotations,
            fixed=np.repeat(np.arange(len(towers)), episodes),
        )
        super().__init__(arena)
        self._judge = judge
        self._followed = judged_copies(len(towers), episodes)
        self._regrets = Regrets(arena.batch, judge, self._followed)

    def reset(self) -> Any:
        """Begin an episode in every copy."""
        shown = super().reset()
        self._regrets.begin(self._followed)
        return shown

    def step_wait(self) -> Any:
        """Step all copies."""
        shown, rewards, dones, infos = super().step_wait()
        for copy in self._followed:
            if not dones[copy]:
                self._regrets.note(copy)
                continue
            info = infos[copy]
            self._regrets.note(copy, info["hp"])
            info["regrets"] = self._regrets.of(copy)
            self._regrets.begin((copy,))
        return shown, rewards, dones, infos


class Look(MaskableEvalCallback):  # type: ignore[misc]
    """One kind of look: by the likeliest action, or by sampling.

    The logger gets `NAME/return`, `success`, `hp_over_optimum`, `regret` and
    `optimal_moves`, besides what every evaluation records, under `NAME/` too.

    Args:
        name: `ARGMAX` or `SAMPLED`.
        towers: the floors.
        judge: values the states.
        width: rows of masks and features; annotations: whose columns they have.

    Attributes:
        found: what the last look measured.
    """

    def __init__(
        self,
        name: str,
        towers: Sequence[Tower],
        judge: Judge,
        width: int,
        annotations: frozenset[str],
    ) -> None:
        self.name, self._floors = name, tuple(towers)
        each = 1 if name == ARGMAX else -(-LEAST_SAMPLED // len(towers))
        self._each = each
        env = JudgedVecEnv(towers, each, judge, width, annotations)
        super().__init__(
            env,
            n_eval_episodes=len(towers) * each,
            eval_freq=0,  # `now` says when
            deterministic=name == ARGMAX,
            warn=False,  # the environment watches its episodes itself
            verbose=0,
        )
        self.found: Measured | None = None
        self._ended: dict[int, dict[str, Any]] = {}

    def _init_callback(self) -> None:
        """Nothing: the base class would ask for one class for both environments."""

    @property
    def logger(self) -> Any:
        """The model's logger, with this look's name in front."""
        return _Renamed(super().logger, self.name)

    def _log_success_callback(
        self, locals_: dict[str, Any], globals_: dict[str, Any]
    ) -> None:
        super()._log_success_callback(locals_, globals_)
        if locals_["done"]:
            self._ended[locals_["i"]] = locals_["info"]

    def now(self, frames: int) -> Measured:
        """Evaluate the model as it is after so many frames."""
        self._ended = {}
        self.num_timesteps = frames
        self.eval_freq, self.n_calls = 1, 1
        self._on_step()
        self.eval_freq = 0
        infos = [self._ended[copy] for copy in range(self.n_eval_episodes)]
        won = np.array([info["won"] for info in infos], np.bool_)
        hp = np.array([info["hp"] for info in infos], np.int64)
        regrets = [r for info in infos for r in info.get("regrets", ())]
        shape = (len(self._floors), self._each)
        self.found = measured(
            self._floors, won.reshape(shape), hp.reshape(shape), regrets
        )
        shown = summary(self.found)
        for key in ("return", "success", "hp_over_optimum", "regret", "optimal_moves"):
            if key in shown:
                self.logger.record(f"{self.name}/{key}", shown[key])
        return self.found


class _Renamed:
    """A logger that calls an evaluation by another name, and leaves the writing."""

    def __init__(self, logger: Any, name: str) -> None:
        self._logger, self._name = logger, name

    def record(self, key: str, value: Any, exclude: Any = None) -> None:
        """Record a figure."""
        key = key.replace("eval/", f"{self._name}/", 1)
        self._logger.record(key, value, exclude)

    def dump(self, step: int = 0) -> None:
        """Nothing: both looks are written at once, with the training's figures."""
