"""The solver as teacher: cloning exact action values, with DAgger rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mt_gym.agents.rl.network import Network, Shape, annotations_of
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import S_OUTCOME, STUCK
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.lab.folder import FINAL, TrainFolder
from mt_gym.lab.judge import Judge
from mt_gym.lab.measure import ARGMAX, LEAST_SAMPLED, SAMPLED, play, summary
from mt_gym.lab.measure import Scorer as Scores
from mt_gym.lab.network import CLOSED, Scorer
from mt_gym.solver import values

Floats = NDArray[np.float32]
NODE_LIMIT = 200_000
"""States of a search; a decision that needs more teaches nothing."""


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
    floors: NDArray[np.int64],
    rng: np.random.Generator,
    scorer: Scores | None,
    annotations: frozenset[str],
) -> Lesson:
    """Play floors once and ask the teacher at every decision.

    Args:
        teacher: of the floors.
        floors: their numbers, one an episode.
        rng: draws the actions.
        scorer: plays; None for the teacher.
        annotations: of the features.
    """
    batch = Batch(teacher.towers, floors, annotations=annotations)
    kept: list[tuple[Floats, Floats, NDArray[np.int8], Floats]] = []
    while True:
        batch.paint()
        going = np.flatnonzero(batch.mask.any(axis=1))
        if not len(going):
            break
        target = np.zeros((len(batch), batch.width), np.float32)
        for copy in going:
            number = int(batch.copies[copy])
            answer = teacher.answer(number, batch.state(int(copy)))
            for index, share in (answer or {}).items():
                target[copy, index] = share
        asked = np.flatnonzero(target.any(axis=1))
        kept.append(
            (
                batch.hero[asked],
                batch.objects[asked],
                batch.mask[asked],
                target[asked],
            )
        )
        scores = np.log(np.maximum(target, 1e-9))
        if scorer is not None and len(asked):
            scores[asked] = scorer(batch.hero[asked], batch.objects[asked])
        scores = scores + rng.gumbel(size=scores.shape).astype(np.float32)
        scores[batch.mask == 0] = CLOSED
        batch.step(scores.argmax(axis=1), again=False)
        # A floor that is lost teaches nothing more.
        lost = np.flatnonzero(~target.any(axis=1))
        batch.rows[lost, S_OUTCOME] = STUCK
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
    best, drawn = row[ARGMAX], row[SAMPLED]
    end = f"{best['hp']} HP" if "hp" in best else f"won {best['success']:.3f}"
    return (
        f"round {row['round']}: {row['decisions']:,} decisions, cross entropy "
        f"{row['cross_entropy']:.4f}  argmax: {end}, HP/optimum "
        f"{best['hp_over_optimum']:.3f}  sampled: won {drawn['success']:.3f}, "
        f"HP/optimum {drawn['hp_over_optimum']:.3f}"
    )


def merged(known: Sequence[Lesson]) -> Lesson:
    """Lessons as one."""
    return Lesson(
        np.concatenate([one.hero for one in known]),
        np.concatenate([one.objects for one in known]),
        np.concatenate([one.mask for one in known]),
        np.concatenate([one.target for one in known]),
    )
