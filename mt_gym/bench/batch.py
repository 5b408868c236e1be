"""Speed of the batch environment, beside the single one and gymnasium's own vector.

Random legal play on one floor, in processor time of one core; drawing the actions is
no part of any figure.  Annotation columns are remembered by state, so that their
figure depends on how often states are met again: seldom on the larger floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from mt_gym.bench.engine import FLOOR, Figure, Measurement
from mt_gym.engine.load import load
from mt_gym.envs.batch.core import Batch
from mt_gym.observation.annotations import ALL

COPIES: Final = 1024
FEW: Final = 16
LARGER: Final = "complex"
ENV: Final = f"MagicTower-{FLOOR}-v0"


def bench_batch(runs: int = 5, seconds: float = 1.0) -> Iterator[Figure]:
    """Measure every line, as `bench_engine` does."""
    for line in MEASUREMENTS:
        line.measure(seconds / 4)
        found = tuple(line.measure(seconds) for _ in range(runs))
        yield Figure(line.name, line.unit, found, line.goal, line.at_least)


class _Draw:
    """Random legal actions of all copies, by noise that is drawn ahead."""

    def __init__(self, copies: int, rows: int) -> None:
        rng = np.random.default_rng(0)
        self._noise = rng.random((64, copies, rows), dtype=np.float32) + 0.1
        self._next = 0

    def __call__(self, mask: NDArray[np.int8]) -> NDArray[np.intp]:
        self._next = (self._next + 1) % len(self._noise)
        found: NDArray[np.intp] = (mask * self._noise[self._next]).argmax(axis=1)
        return found


def _batch(
    seconds: float,
    show: Callable[[Batch], object],
    *,
    assists: bool = True,
    annotated: bool = False,
    turns: bool = False,
    floor: str = FLOOR,
) -> float:
    """Steps a second, or executed turns, of a batch that is shown after each step."""
    tower = load(floor)
    annotations = ALL if annotated else frozenset[str]()
    batch = Batch([tower], [0] * COPIES, assists=assists, annotations=annotations)
    draw = _Draw(COPIES, batch.width)
    batch.masks()
    done, spent = 0, 0.0
    while spent < seconds:
        actions = draw(batch.masks())
        before, over = batch.turns.copy(), batch.outcomes != 0
        began = time.process_time()
        batch.step(actions)
        show(batch)
        spent += time.process_time() - began
        if turns:
            done += int((batch.turns - before)[~over].sum())
        else:
            done += int((~over).sum())
    return done / spent


def bare_transitions(seconds: float) -> float:
    """Transitions a second with masks, one a step."""
    return _batch(seconds, Batch.masks, assists=False)


def assisted_turns(seconds: float) -> float:
    """Turns a second with masks, those of the assists counted."""
    return _batch(seconds, Batch.masks, turns=True)


def features(seconds: float) -> float:
    """Steps a second, assists included, with base features over all action rows."""
    return _batch(seconds, Batch.paint)


def annotated(seconds: float) -> float:
    """Steps a second with the annotation columns too."""
    return _batch(seconds, Batch.paint, annotated=True)


def annotated_larger(seconds: float) -> float:
    """The same on a larger floor."""
    return _batch(seconds, Batch.paint, annotated=True, floor=LARGER)


def _sync(seconds: float, mode: str, copies: int) -> float:
    """Steps a second of a gymnasium vector environment, with all it returns."""
    keywords: dict[str, Any] = {}
    if mode == "sync":
        keywords = {"observation": "features", "overrides": [], "annotations": []}
    env = gym.make_vec(ENV, copies, vectorization_mode=mode, **keywords)
    draw = _Draw(copies, env.single_action_space.n)  # type: ignore[attr-defined]
    _, infos = env.reset(seed=0)
    done, spent = 0, 0.0
    while spent < seconds:
        actions = draw(infos["action_mask"])
        began = time.process_time()
        _, _, _, _, infos = env.step(actions)
        spent += time.process_time() - began
        done += copies
    env.close()
    return done / spent


def vector_env(seconds: float) -> float:
    """Steps a second of the batch as a vector environment, observations copied."""
    return _sync(seconds, "vector_entry_point", COPIES)


def sync_vector_env(seconds: float) -> float:
    """Steps a second of single environments in a `SyncVectorEnv`."""
    return _sync(seconds, "sync", FEW)


def single(seconds: float) -> float:
    """Steps a second of the single environment with the same keywords."""
    env = gym.make(
        ENV,
        observation="features",
        overrides=[],
        annotations=[],
        disable_env_checker=True,
    )
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=0)
    done, spent = 0, 0.0
    while spent < seconds:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        began = time.process_time()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        spent += time.process_time() - began
        done += 1
    env.close()
    return done / spent


MEASUREMENTS: Final = (
    Measurement("transitions with masks", "1/s", 1e7, True, bare_transitions),
    Measurement("assisted turns with masks", "1/s", 1e7, True, assisted_turns),
    Measurement("steps with base features", "1/s", 1.5e6, True, features),
    Measurement("steps with annotations", "1/s", 1e6, True, annotated),
    Measurement(f"the same on {LARGER}", "1/s", 0, True, annotated_larger),
    Measurement("as a vector environment", "1/s", 5e5, True, vector_env),
    Measurement("SyncVectorEnv", "1/s", 0, True, sync_vector_env),
    Measurement("single environment", "1/s", 0, True, single),
)
"""What `bench_batch` measures, in its order, with what is wanted on one core."""
