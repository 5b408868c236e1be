"""Speed of the engine, the environment and the observation, and import time.

A bench, not a test: it prints figures of this machine and judges nothing.  Every
figure is the median of several runs of equal, seeded random play, in processor time,
so that other programs disturb it little.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import gymnasium as gym
import numpy as np

from mt_gym.engine.load import load

FLOOR: Final = "simple"
N_DRAWS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    Attributes:
        name: what was measured.
        unit: of `runs` and `goal`.
        runs: one value a run.
        goal: what is wanted.
        at_least: whether `goal` is a lower bound, else it is an upper one.
    """

    name: str
    unit: str
    runs: tuple[float, ...]
    goal: float
    at_least: bool = True

    @property
    def median(self) -> float:
        """The value that half of the runs reach."""
        return statistics.median(self.runs)

    @property
    def reached(self) -> bool:
        """Whether the median is as wanted."""
        return (self.median >= self.goal) == self.at_least


@dataclass(frozen=True, slots=True)
class Measurement:
    """What can be measured: `measure(seconds)` is one run of about that time."""

    name: str
    unit: str
    goal: float
    at_least: bool
    measure: Callable[[float], float]


def bench_engine(runs: int = 5, seconds: float = 1.0) -> Iterator[Figure]:
    """Measure everything, a line at a time.

    Args:
        runs: runs a line, at least 1; a shorter one before them warms the caches.
        seconds: time of a run; import times take what they take.
    """
    for line in MEASUREMENTS:
        line.measure(seconds / 4)
        found = tuple(line.measure(seconds) for _ in range(runs))
        yield Figure(line.name, line.unit, found, line.goal, line.at_least)


def draws(seed: int) -> list[int]:
    """Random numbers, drawn ahead so that no run pays for them."""
    rng = np.random.default_rng(seed)
    return [int(value) for value in rng.integers(0, 1 << 30, size=N_DRAWS)]


def engine_transitions(seconds: float) -> float:
    """Transitions a second of random play, legal actions of each state included."""
    tower = load(FLOOR)
    random = draws(0)
    legal_actions, step = tower.game.legal_actions, tower.game.step
    start = state = tower.initial_state()
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for draw in random[:4096]:
            legal = legal_actions(state)
            if legal:
                state = step(state, legal[draw % len(legal)])
                done += 1
            else:
                state = start
    return done / spent


def environment_steps(seconds: float) -> float:
    """Steps a second with the base `features`, episodes reset in between."""
    env = gym.make(
        f"MagicTower-{FLOOR}-v0",
        observation="features",
        annotations=[],
        disable_env_checker=True,
    )
    random = draws(1)
    _, info = env.reset(seed=0)
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for draw in random[:1024]:
            legal = info["action_mask"].nonzero()[0]
            action = int(legal[draw % len(legal)])
            _, _, terminated, truncated, info = env.step(action)
            done += 1
            if terminated or truncated:
                _, info = env.reset()
    env.close()
    return done / spent


def annotated_observations(seconds: float) -> float:
    """Annotated texts a second, each with all annotations, over random play."""
    env: gym.Env[Any, Any] = gym.make(
        f"MagicTower-{FLOOR}-v0", observation="annotated", disable_env_checker=True
    )
    random = draws(2)
    _, info = env.reset(seed=0)
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for draw in random[done % N_DRAWS :][:32]:
            enabled = [entry for entry in info["actions"] if entry["enabled"]]
            action = enabled[draw % len(enabled)]["action"]
            _, _, terminated, truncated, info = env.step(action)
            done += 1
            if terminated or truncated:
                _, info = env.reset()
                done += 1
    env.close()
    return done / spent


_TIMED_IMPORT: Final = """
import time
import gymnasium
began = time.process_time()
import mt_gym
print(time.process_time() - began)
"""


def import_time(seconds: float) -> float:
    """Seconds that `import mt_gym` takes in a process that has imported gymnasium."""
    done = subprocess.run(
        [sys.executable, "-c", _TIMED_IMPORT],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


MEASUREMENTS: Final = (
    Measurement("engine transitions", "1/s", 150_000, True, engine_transitions),
    Measurement("environment steps, features", "1/s", 30_000, True, environment_steps),
    Measurement("annotated observations", "1/s", 1_000, True, annotated_observations),
    Measurement("import mt_gym", "s", 0.15, False, import_time),
)
"""What `bench_engine` measures, in its order, with what is wanted on one core."""


__all__ = ["Figure", "Measurement", "bench_engine"]
