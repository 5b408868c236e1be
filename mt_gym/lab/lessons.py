"""What the exact solver answers at the decisions of played floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import S_OUTCOME, STUCK
from mt_gym.errors import LimitReached
from mt_gym.lab.measure import Scorer
from mt_gym.solver import values

Floats = NDArray[np.float32]

NODE_LIMIT: Final = 200_000
"""States of a search; a decision that needs more teaches nothing."""

_CLOSED: Final = np.float32(-1e9)


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
    scorer: Scorer | None,
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
        scores[batch.mask == 0] = _CLOSED
        batch.step(scores.argmax(axis=1), again=False)
        # A floor that is lost teaches nothing more.
        lost = np.flatnonzero(~target.any(axis=1))
        batch.rows[lost, S_OUTCOME] = STUCK
    parts = [np.concatenate(part) for part in zip(*kept, strict=True)]
    return Lesson(*parts)


def merged(known: Sequence[Lesson]) -> Lesson:
    """Lessons as one."""
    return Lesson(
        np.concatenate([one.hero for one in known]),
        np.concatenate([one.objects for one in known]),
        np.concatenate([one.mask for one in known]),
        np.concatenate([one.target for one in known]),
    )
