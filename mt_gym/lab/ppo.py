"""MaskablePPO on the batch environment, with the help that a floor needs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mt_gym.agents.rl.network import Network, Shape, annotations_of
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.lab.arena import Arena, Help
from mt_gym.lab.checkpoint import MODEL, checkpoint
from mt_gym.lab.folder import FINAL, TrainFolder
from mt_gym.lab.judge import Judge
from mt_gym.lab.look import Look
from mt_gym.lab.measure import ARGMAX, SAMPLED, summary, told_looks
from mt_gym.lab.network import Scorer
from mt_gym.lab.sb3_policy import ScoringPolicy
from mt_gym.lab.vec_env import ArenaVecEnv

FLAT_COLUMNS: Final = (
    "present",
    "reachable",
    "legal",
    "survivable",
    "cost",
    "hp_after",
)
"""Columns that change on one floor."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a network is trained.

    Attributes:
        frames: steps of all copies together.
        seed: of everything random.
        copies: of floors; steps: of each between updates.
        rate, epochs, minibatch, entropy: of PPO; the entropy's weight falls to a
            tenth in the end.
        aid: what helps, and spare_end: most spare HP at the end of training.
        anneal: share of the training in which the spare HP falls.
        warm: frames at first in which the value alone is learnt, for a network that
            begins with weights from elsewhere.
        shape: of the network.
        every: frames between two looks at the real floors.
    """

    frames: int = 1_000_000
    seed: int = 0
    copies: int = 256
    steps: int = 32
    rate: float = 5e-4
    epochs: int = 3
    minibatch: int = 2048
    entropy: float = 0.02
    aid: Help = field(default_factory=Help)
    spare_end: int = 60
    anneal: float = 0.6
    warm: int = 0
    shape: Shape = field(default_factory=Shape)
    every: int = 100_000


def flat_shape(
    tower: Tower, width: int = 128, columns: Sequence[str] = FLAT_COLUMNS
) -> Shape:
    """A network for one floor, that knows its actions by their index."""
    return Shape(
        columns=tuple(columns), width=width, attention=0, rows=len(tower.actions)
    )


class Watch(BaseCallback):  # type: ignore[misc]
    """Takes the help away, looks at the real floors, and keeps what it saw.

    Args:
        plan: of the training.
        floors: that are looked at, without any help.
        width: rows of masks and features.
        folder: takes the looks and the networks.
        say: told of every look; progress: of every update, with frames done and
            wanted.
    """

    def __init__(
        self,
        plan: Plan,
        floors: Sequence[Tower],
        width: int,
        folder: TrainFolder,
        say: Callable[[str], None],
        progress: Callable[[int, int], None],
    ) -> None:
        super().__init__()
        self._plan, self._folder = plan, folder
        self._say, self._progress = say, progress
        judge, shown = Judge(), annotations_of(plan.shape.columns)
        self._looks = [
            Look(name, floors, judge, width, shown) for name in (ARGMAX, SAMPLED)
        ]
        self._next = plan.every
        self._first = 0
        self._began = self._looking = (0.0, 0.0)
        self._spent: tuple[float, float] | None = None

    def speed(self) -> tuple[float, float] | None:
        """Frames per second of processor time, and the environment's share of time.

        Looks at the real floors are left out.  None if nothing was trained.
        """
        if self._spent is None:
            return None
        processor, wall = self._spent
        frames = self.num_timesteps - self._first
        return frames / processor, self.training_env.seconds / wall

    @property
    def looks(self) -> list[dict[str, Any]]:
        """Figures of every look so far."""
        return self._folder.looks

    def _init_callback(self) -> None:
        for look in self._looks:
            look.init_callback(self.model)
        self._next += self.model.num_timesteps // self._plan.every * self._plan.every

    def _on_training_start(self) -> None:
        self._began, self._first = _clocks(), self.num_timesteps

    def _on_step(self) -> bool:
        return True

    def _on_training_end(self) -> None:
        spent = _since(self._began)
        looking = self._looking
        self._spent = spent[0] - looking[0], spent[1] - looking[1]

    def _on_rollout_start(self) -> None:
        warming = self.num_timesteps < self._plan.warm
        for name, weights in self.model.policy.network.named_parameters():
            value = name.startswith("layers.value_")
            weights.requires_grad_(value or not warming)

    def _on_rollout_end(self) -> None:
        plan = self._plan
        arena: Arena = self.training_env.arena
        arena.spare = spare_now(plan, self.num_timesteps)
        left = 1.0 - min(1.0, self.num_timesteps / plan.frames)
        self.model.ent_coef = plan.entropy * max(0.1, left)
        self.logger.record("help/spare", arena.spare)
        self._progress(self.num_timesteps, plan.frames)
        if self.num_timesteps >= self._next:
            self._next += plan.every
            self.look()

    def look(self) -> dict[str, Any]:
        """Look at the real floors, write what was found, and keep a checkpoint."""
        began = _clocks()
        network: Any = self.model.policy.network
        row: dict[str, Any] = {"frames": self.num_timesteps}
        row["spare"] = self.training_env.arena.spare
        for look in self._looks:
            row[look.name] = summary(look.now(self.num_timesteps))
        self.logger.dump(self.num_timesteps)
        self.save()
        about = {"algo": "maskable-ppo", "frames": self.num_timesteps}
        exported = network.exported(self._folder.settings | about)
        best = self._folder.looked(row, exported)
        self._folder.save(FINAL, exported)
        self._say(told(row) + ("  best so far" if best else ""))
        spent = _since(began)
        self._looking = self._looking[0] + spent[0], self._looking[1] + spent[1]
        return row

    def save(self) -> None:
        """Write the checkpoint with which a training goes on."""
        file = self._folder.file(MODEL)
        if file is not None:
            part = file.with_name("part.zip")
            self.model.save(part)
            part.replace(file)


def _clocks() -> tuple[float, float]:
    """Processor time, and that on the wall."""
    return time.process_time(), time.perf_counter()


def _since(began: tuple[float, float]) -> tuple[float, float]:
    now = _clocks()
    return now[0] - began[0], now[1] - began[1]


def spare_now(plan: Plan, frames: int) -> int:
    """Most spare HP after so many frames; it falls in a line to `spare_end`."""
    done = min(1.0, frames / (plan.anneal * plan.frames))
    last = min(plan.spare_end, plan.aid.spare)
    return round(plan.aid.spare + done * (last - plan.aid.spare))


def told(row: dict[str, Any]) -> str:
    """A look as a line."""
    return f"{row['frames']:>9,} frames  spare {row['spare']:>4}  {told_looks(row)}"


def train(
    towers: Sequence[Tower],
    plan: Plan,
    *,
    real: Sequence[Tower] | None = None,
    folder: TrainFolder | None = None,
    tensorboard: Path | None = None,
    say: Callable[[str], None] = print,
    progress: Callable[[int, int], None] = lambda done, wanted: None,
    start: Network | None = None,
) -> tuple[MaskablePPO, Watch]:
    """Train a network by MaskablePPO.

    Args:
        towers: the floors to learn from.
        plan: how.
        real: the floors that are looked at; None for those of the training.
        folder: keeps looks and checkpoints, and may hold a training to go on with.
        tensorboard: folder for curves.
        say: told of every look at the real floors.
        progress: told after every update, with frames done and wanted.
        start: weights to begin with, of the plan's shape.

    Raises:
        MtGymError: it has more frames already, and no look.
        KeyboardInterrupt: as it came, after a checkpoint.
    """
    torch.set_num_threads(1)
    shown = annotations_of(plan.shape.columns)
    kept = TrainFolder(None, {}) if folder is None else folder
    looked = towers if real is None else real
    width = max(len(tower.actions) for tower in (*towers, *looked))
    model = checkpoint(kept)
    if model is not None:
        # Not the beginnings and draws that it has seen already.
        rng = np.random.default_rng([plan.seed, model.num_timesteps])
        arena = Arena(towers, plan.copies, rng, plan.aid, width, shown)
        env = ArenaVecEnv(arena, last=False)
        model.set_env(env)
        model.set_random_seed(plan.seed + model.num_timesteps)
        model.tensorboard_log = None if tensorboard is None else str(tensorboard)
        env.arena.spare = spare_now(plan, model.num_timesteps)
    else:
        rng = np.random.default_rng(plan.seed)
        arena = Arena(towers, plan.copies, rng, plan.aid, width, shown)
        env = ArenaVecEnv(arena, last=False)
        model = _new_model(plan, env, tensorboard, start)
    watch = Watch(plan, looked, width, kept, say, progress)
    left = plan.frames - model.num_timesteps
    if left <= 0 and not kept.looks:
        raise MtGymError(
            f"--frames {plan.frames}: the training has {model.num_timesteps} already, "
            "and was never looked at"
        )
    if left > 0:
        try:
            model.learn(
                left,
                callback=watch,
                tb_log_name="train",
                reset_num_timesteps=not model.num_timesteps,
            )
        except KeyboardInterrupt:
            watch.save()
            raise
        if not watch.looks or watch.looks[-1]["frames"] < model.num_timesteps:
            watch.look()
        model.logger.close()
    return model, watch


def _new_model(
    plan: Plan, env: ArenaVecEnv, tensorboard: Path | None, start: Network | None
) -> MaskablePPO:
    shape = {**asdict(plan.shape), "columns": list(plan.shape.columns)}
    model = MaskablePPO(
        ScoringPolicy,
        env,
        learning_rate=plan.rate,
        n_steps=plan.steps,
        batch_size=min(plan.minibatch, plan.copies * plan.steps),
        n_epochs=plan.epochs,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=plan.entropy,
        policy_kwargs={"shape": shape},
        seed=plan.seed,
        tensorboard_log=None if tensorboard is None else str(tensorboard),
        device="cpu",
    )
    if start is not None:
        model.policy.network.load_state_dict(Scorer.imported(start).state_dict())
    return model
