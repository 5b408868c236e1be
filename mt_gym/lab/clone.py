"""The solver as teacher: cloning exact action values, with DAgger rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from mt_gym.agents.rl.network import Shape, annotations_of
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import S_OUTCOME, S_TOWER, STUCK
from mt_gym.errors import LimitReached
from mt_gym.lab.measure import Scorer as Scores
from mt_gym.lab.network import CLOSED, Scorer
from mt_gym.solver import values

Floats = NDArray[np.float32]
NODE_LIMIT = 200_000
"""States of a search; a decision that needs more teaches nothing."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Decisions with what the teacher would do.

    Attributes:
        hero, objects: features; target: probabilities over the actions.
    """

    hero: Floats
    objects: Floats
    mask: NDArray[np.int8]
    target: Floats

    def __len__(self) -> int:
        return len(self.hero)


class Teacher:
    """Answers with probabilities by how much of the final HP each action gives up.

    Args:
        towers: the floors.
        sharpness: weight of an action that gives up a share s of the best final HP is
            exp(-sharpness * s); one that loses the goal has none.
    """

    def __init__(self, towers: Sequence[Tower], sharpness: float = 20.0) -> None:
        self.towers = towers
        self.sharpness = sharpness
        self._known: dict[object, dict[int, float] | None] = {}

    def answer(self, number: int, state: State) -> dict[int, float] | None:
        """Probabilities by action index; None where the goal is lost already."""
        key = state.key  # with the digest of its tower
        if key not in self._known:
            self._known[key] = self._ask(self.towers[number], state)
        return self._known[key]

    def _ask(self, tower: Tower, state: State) -> dict[int, float] | None:
        try:
            found = values(tower, state, node_limit=NODE_LIMIT)
        except LimitReached:
            return None
        hp = {a.index: v.hp for a, v in found.items() if v.hp is not None}
        if not hp:
            return None
        best = max(hp.values())
        share = {
            index: float(np.exp(-self.sharpness * (best - own) / max(1, best)))
            for index, own in hp.items()
        }
        total = sum(share.values())
        return {index: own / total for index, own in share.items()}


def lessons(
    teacher: Teacher,
    rng: np.random.Generator,
    scorer: Scores | None,
    follow: float,
    annotations: frozenset[str],
) -> Lesson:
    """Play every floor once and ask the teacher at every decision.

    Args:
        teacher: of the floors.
        rng: draws the actions.
        scorer: plays; None for the teacher.
        follow: share of decisions in which the teacher's action is taken.
        annotations: of the features.
    """
    towers = teacher.towers
    batch = Batch(towers, np.arange(len(towers)), annotations=annotations)
    kept: list[tuple[Floats, Floats, NDArray[np.int8], Floats]] = []
    while True:
        batch.paint()
        going = np.flatnonzero(batch.mask.any(axis=1))
        if not len(going):
            break
        target = np.zeros((len(batch), batch.width), np.float32)
        asked = []
        for copy in going:
            number = int(batch.rows[copy, S_TOWER])
            answer = teacher.answer(number, batch.state(int(copy)))
            if answer is not None:
                for index, share in answer.items():
                    target[copy, index] = share
                asked.append(int(copy))
        kept.append(
            (
                batch.hero[asked],
                batch.objects[asked],
                batch.mask[asked],
                target[asked],
            )
        )
        scores = np.log(np.maximum(target, 1e-9))
        if scorer is not None:
            own = rng.random(len(going)) >= follow
            some = going[own | ~target[going].any(axis=1)]
            if len(some):
                scores[some] = scorer(batch.hero[some], batch.objects[some])
        scores = scores + rng.gumbel(size=scores.shape).astype(np.float32)
        scores[batch.mask == 0] = CLOSED
        choice = scores.argmax(axis=1)
        lost = ~target.any(axis=1)
        batch.step(choice, again=False)
        # A floor that is lost teaches nothing more.
        batch.rows[np.flatnonzero(lost), S_OUTCOME] = STUCK
    parts = [np.concatenate(part) for part in zip(*kept, strict=True)]
    return Lesson(*parts)


def fit(
    scorer: Scorer,
    lesson: Lesson,
    rng: np.random.Generator,
    *,
    epochs: int,
    rate: float,
    least: int = 1000,
    batch: int = 512,
) -> float:
    """Minimise the cross entropy to the teacher's answers; returns the last epoch's.

    Args:
        scorer: to be fitted; lesson: the answers.
        rng: shuffles.
        epochs: over all answers; as many more as `least` steps need.
        rate: learning rate at its highest.
        batch: answers a step, fewer for a short lesson.
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
    for _ in range(epochs):
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
    return total / max(1, count)


def clone(
    towers: Sequence[Tower],
    rng: np.random.Generator,
    *,
    shape: Shape | None = None,
    rounds: int = 3,
    epochs: int = 12,
    rate: float = 2e-3,
    say: Callable[[str], None] = print,
    scorer: Scorer | None = None,
) -> Scorer:
    """A network that imitates the solver.

    Args:
        towers: the floors to learn from.
        rng: all randomness but torch's, which is seeded from it.
        shape: of the network.
        rounds: DAgger rounds after the first: the network plays, the teacher answers.
        epochs: of each round, over all answers so far.
        rate: learning rate at its highest.
        say: told how it goes, a line a round.
        scorer: a network to go on with.
    """
    torch.manual_seed(int(rng.integers(1 << 31)))
    network = Scorer(Shape() if shape is None else shape) if scorer is None else scorer
    teacher = Teacher(towers)
    shown = annotations_of(network.shape.columns)
    known: list[Lesson] = []
    began = time.perf_counter()
    for turn in range(rounds + 1):
        player = network.scores if turn else None
        known.append(lessons(teacher, rng, player, 0.0 if turn else 1.0, shown))
        whole = merged(known)
        loss = fit(network, whole, rng, epochs=epochs, rate=rate)
        spent = time.perf_counter() - began
        say(
            f"round {turn}: {len(whole)} decisions, cross entropy {loss:.4f}, "
            f"{spent:.0f} s"
        )
    return network


def merged(known: Sequence[Lesson]) -> Lesson:
    """Lessons as one."""
    return Lesson(
        np.concatenate([one.hero for one in known]),
        np.concatenate([one.objects for one in known]),
        np.concatenate([one.mask for one in known]),
        np.concatenate([one.target for one in known]),
    )
