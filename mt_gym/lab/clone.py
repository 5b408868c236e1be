"""The solver as teacher: cloning exact action values, with DAgger rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch

from mt_gym.agents.rl.network import Network, Shape, annotations_of
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.lab.folder import FINAL, TrainFolder
from mt_gym.lab.judge import Judge
from mt_gym.lab.lessons import Lesson, Teacher, lessons, merged
from mt_gym.lab.measure import (
    ARGMAX,
    LEAST_SAMPLED,
    SAMPLED,
    play,
    summary,
    told_looks,
)
from mt_gym.lab.network import CLOSED, Scorer


@dataclass(frozen=True, slots=True)
class LessonPlan:
    """How a network is taught.

    Attributes:
        seed: of everything random.
        rounds: DAgger rounds after the first: the network plays, the teacher answers.
        repeats: times that each floor is played in a round.
        epochs: of each round, over all answers so far; least: steps of it at least.
        rate: learning rate at its highest.
        sharpness: see `Teacher`.
        shape: of the network.
    """

    seed: int = 0
    rounds: int = 3
    repeats: int = 1
    epochs: int = 12
    least: int = 1000
    rate: float = 2e-3
    sharpness: float = 20.0
    shape: Shape = field(default_factory=Shape)


def fit(
    scorer: Scorer,
    lesson: Lesson,
    rng: np.random.Generator,
    *,
    epochs: int,
    rate: float,
    least: int = 1000,
    batch: int = 512,
    passed: Callable[[float], None] = lambda share: None,
) -> float:
    """Minimise the cross entropy to the teacher's answers; returns the last epoch's.

    Args:
        scorer: to be fitted; lesson: the answers.
        rng: shuffles.
        epochs: over all answers; as many more as `least` steps need.
        rate: learning rate at its highest.
        batch: answers a step, fewer for a short lesson.
        passed: told the share of all passes that is done, after each.
    """
    batch = max(16, min(batch, len(lesson) // 4))
    each = max(1, len(lesson) // batch)
    epochs = max(epochs, -(-least // each))
    optimiser = torch.optim.AdamW(scorer.parameters(), lr=rate, weight_decay=1e-4)
    steps = epochs * each
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=rate, total_steps=steps + 1
    )
    loss = torch.zeros(())
    total, count = 0.0, 0
    for epoch in range(epochs):
        order = rng.permutation(len(lesson))
        total, count = 0.0, 0
        for start in range(0, each * batch, batch):
            some = order[start : start + batch]
            hero = torch.from_numpy(lesson.hero[some])
            objects = torch.from_numpy(lesson.objects[some])
            closed = torch.from_numpy(lesson.mask[some]) == 0
            target = torch.from_numpy(lesson.target[some])
            scores, _ = scorer(hero, objects)
            log = torch.log_softmax(scores.masked_fill(closed, CLOSED), 1)
            loss = -(target * log).sum(1).mean()
            optimiser.zero_grad()
            loss.backward()
            nn_utils = torch.nn.utils
            nn_utils.clip_grad_norm_(scorer.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total, count = total + float(loss.detach()), count + 1
        passed((epoch + 1) / epochs)
    return total / max(1, count)


def clone(
    towers: Sequence[Tower],
    lesson_plan: LessonPlan,
    *,
    real: Sequence[Tower] | None = None,
    folder: TrainFolder | None = None,
    say: Callable[[str], None] = print,
    progress: Callable[[int, int], None] = lambda done, wanted: None,
    start: Network | None = None,
) -> Scorer:
    """A network that imitates the solver.

    The randomness of a round depends on the seed and its number alone, so that a
    training that goes on ends with the weights of one that was never stopped.

    Args:
        towers: the floors to learn from.
        lesson_plan: how.
        real: the floors that are looked at after each round; None for those of the
            training.
        folder: keeps looks and networks, and may hold a training to go on with.
        say: told how it goes, a line a round.
        progress: told after every pass over the lessons, in hundredths of rounds.
        start: weights to begin with, of the plan's shape.

    Raises:
        MtGymError: the teacher has no answer on any floor.
    """
    plan = lesson_plan
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    network = Scorer(plan.shape) if start is None else Scorer.imported(start)
    kept = TrainFolder(None, {}) if folder is None else folder
    looked = towers if real is None else real
    teacher, judge = Teacher(towers, plan.sharpness), Judge()
    shown = annotations_of(plan.shape.columns)
    floors = np.repeat(np.arange(len(towers)), plan.repeats)
    known: list[Lesson] = []
    for turn in range(plan.rounds + 1):
        player = network.scores if turn else None
        rng = np.random.default_rng([plan.seed, turn])
        known.append(lessons(teacher, floors, rng, player, shown))
        stored = kept.file(f"round-{turn}.npz")
        if kept.resumed and stored is not None and stored.is_file():
            network = Scorer.imported(Network.load(stored))
            continue
        whole = merged(known)
        if not len(whole):
            raise MtGymError("no floor can be won, or none within the teacher's limit")
        loss = fit(
            network,
            whole,
            np.random.default_rng([plan.seed, turn, 1]),
            epochs=plan.epochs,
            rate=plan.rate,
            least=plan.least,
            passed=partial(_passed, progress, turn, plan.rounds + 1),
        )
        row: dict[str, Any] = {"round": turn, "decisions": len(whole)}
        row["cross_entropy"] = round(loss, 4)
        row[ARGMAX] = summary(
            play(looked, network.scores, annotations=shown, judge=judge)
        )
        row[SAMPLED] = summary(
            play(
                looked,
                network.scores,
                episodes=-(-LEAST_SAMPLED // len(looked)),
                rng=np.random.default_rng([plan.seed, turn, 2]),
                annotations=shown,
                judge=judge,
            )
        )
        exported = network.exported(
            kept.settings | {"algo": "clone", "round": turn, "decisions": len(whole)}
        )
        best = kept.looked(row, exported)
        kept.save(FINAL, exported)
        kept.save(f"round-{turn}", exported)
        say(told(row) + ("  best so far" if best else ""))
    return network


def _passed(
    progress: Callable[[int, int], None], turn: int, turns: int, share: float
) -> None:
    """Tell the progress in hundredths of a round."""
    progress(100 * turn + round(100 * share), 100 * turns)


def told(row: dict[str, Any]) -> str:
    """A round as a line."""
    return (
        f"round {row['round']}: {row['decisions']:,} decisions, cross entropy "
        f"{row['cross_entropy']:.4f}  {told_looks(row)}"
    )
