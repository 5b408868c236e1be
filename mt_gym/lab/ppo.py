"""MaskablePPO on the batch environment, with the help that a floor needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mt_gym.agents.rl.network import Network, Shape, annotations_of
from mt_gym.engine.tower import Tower
from mt_gym.lab.arena import Arena, Help
from mt_gym.lab.measure import Measured, play, summary
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

MODEL: Final = "model.zip"


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
        shape: of the network.
        every: frames between two looks at the real floor.
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
    shape: Shape = field(default_factory=Shape)
    every: int = 100_000


def flat_shape(tower: Tower, width: int = 128) -> Shape:
    """A network for one floor, that knows its actions by their index."""
    return Shape(
        columns=FLAT_COLUMNS, width=width, attention=0, rows=len(tower.actions)
    )


class Watch(BaseCallback):  # type: ignore[misc]
    """Anneals the spare HP, looks at the real floors, and keeps the best network.

    Args:
        plan: of the training; floors: that are looked at, without any help.
        folder: where `best.npz` is kept; None for nowhere.
        say: told of every look.
    """

    def __init__(
        self,
        plan: Plan,
        floors: Sequence[Tower],
        folder: Path | None,
        say: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._plan, self._floors, self._folder = plan, floors, folder
        self._say = say
        self._next = plan.every
        self.best: tuple[float, float] = (-1.0, -1.0)
        self.best_at = 0
        self.looks: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        plan = self._plan
        arena: Arena = self.training_env.arena
        if plan.aid.spare:
            done = min(1.0, self.num_timesteps / (plan.anneal * plan.frames))
            arena.spare = round(
                plan.aid.spare
                + done * (min(plan.spare_end, plan.aid.spare) - plan.aid.spare)
            )
        left = 1.0 - min(1.0, self.num_timesteps / plan.frames)
        self.model.ent_coef = plan.entropy * max(0.1, left)
        self.logger.record("help/spare", arena.spare)
        if self.num_timesteps >= self._next:
            self._next += plan.every
            self.look()

    def look(self) -> dict[str, Any]:
        """Play the real floors, once by the likeliest action and by sampling."""
        network: Any = self.model.policy.network
        arena: Arena = self.training_env.arena
        shown = arena.batch.annotations
        best = play(self._floors, network.scores, annotations=shown)
        drawn = play(
            self._floors,
            network.scores,
            episodes=max(1, 200 // len(self._floors)),
            rng=np.random.default_rng([self._plan.seed, 7]),
            annotations=shown,
        )
        row = {"frames": self.num_timesteps, "argmax": summary(best)}
        row["sampled"] = summary(drawn)
        if len(self._floors) == 1:
            row["hp"] = int(best.hp[0, 0])
        self.looks.append(row)
        self._record(best, drawn)
        rank = (best.score, drawn.success)
        if rank > self.best:
            self.best, self.best_at = rank, self.num_timesteps
            if self._folder is not None:
                about = {"frames": self.num_timesteps, "seed": self._plan.seed}
                network.exported(about).save(self._folder / "best.npz")
        self._say(
            f"{self.num_timesteps:>9} frames  spare {arena.spare:>4}  success "
            f"{best.success:.2f} / sampled {drawn.success:.2f}  HP over optimum "
            f"{best.score:.2f} / {drawn.score:.2f}"
        )
        return row

    def _record(self, best: Measured, drawn: Measured) -> None:
        for name, found in (("argmax", best), ("sampled", drawn)):
            self.logger.record(f"real/success_{name}", found.success)
            self.logger.record(f"real/hp_over_optimum_{name}", found.score)
            self.logger.record(f"real/optimal_{name}", found.optimal)


def train(
    towers: Sequence[Tower],
    plan: Plan,
    *,
    real: Sequence[Tower] | None = None,
    folder: Path | None = None,
    resume: bool = False,
    tensorboard: Path | None = None,
    say: Callable[[str], None] = print,
    progress: bool = False,
    start: Network | None = None,
) -> tuple[MaskablePPO, Watch]:
    """Train a network by MaskablePPO.

    Args:
        towers: the floors to learn from.
        plan: how.
        real: the floors that are looked at; None for those of the training.
        folder: for checkpoints; None for none.
        resume: go on with the checkpoint in the folder.
        tensorboard: folder for curves.
        say: told of every look at the real floors.
        progress: show a bar.
        start: weights to begin with, of the plan's shape.
    """
    torch.set_num_threads(1)
    shown = annotations_of(plan.shape.columns)
    rng = np.random.default_rng(plan.seed)
    arena = Arena(towers, plan.copies, rng, plan.aid, annotations=shown)
    env = ArenaVecEnv(arena)
    shape = {
        "columns": list(plan.shape.columns),
        "width": plan.shape.width,
        "attention": plan.shape.attention,
        "rows": plan.shape.rows,
    }
    if resume and folder is not None and (folder / MODEL).is_file():
        model = MaskablePPO.load(folder / MODEL, env=env)
    else:
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
    watch = Watch(plan, towers if real is None else real, folder, say)
    left = max(0, plan.frames - model.num_timesteps)
    model.learn(
        left, callback=watch, progress_bar=progress, reset_num_timesteps=not resume
    )
    watch.look()
    if folder is not None:
        model.save(folder / MODEL)
        about = {"frames": model.num_timesteps, "seed": plan.seed}
        model.policy.network.exported(about).save(folder / "final.npz")
    return model, watch
