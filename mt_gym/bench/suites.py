"""Suites: tasks by name, each an environment with its settings and seeds.

A suite's run is a folder of runs, one a task; what is computed from it is computed
from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mt_gym.agents.policy import Policy
from mt_gym.bench.loop import run
from mt_gym.bench.read import Run, read_run
from mt_gym.bench.result import RunResult
from mt_gym.engine.load import load, shipped
from mt_gym.envs.registration import ANY_TOWER, env_id
from mt_gym.errors import MtGymError
from mt_gym.generator.pools import MANIFEST, Pool, floor_file, read_pool


@dataclass(frozen=True, slots=True)
class Task:
    """One row of a suite.

    Attributes:
        name: of the task and of its folder.
        env: id of the environment.
        episodes, seed: as for `run`.
        settings: keywords of the environment.
    """

    name: str
    env: str
    episodes: int = 20
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


def suite(name: str) -> tuple[Task, ...]:
    """The tasks of a suite.

    `floors` and `bare` are all shipped single floors, with the annotated and with
    the bare observation; the folder of a pool is its generated floors, one a task.

    Raises:
        MtGymError: no such suite.
    """
    settings: dict[str, dict[str, Any]] = {
        "floors": {},
        "bare": {"observation": "bare"},
    }
    if (Path(name) / MANIFEST).is_file():
        return _pool_tasks(read_pool(name))
    if name not in settings:
        raise MtGymError(
            f"unknown suite {name!r}; there are {', '.join(settings)}, and the folder "
            "of any pool"
        )
    return tuple(
        Task(floor, env_id(floor), settings=settings[name])
        for floor in shipped()
        if len(load(floor).floors) == 1
    )


def _pool_tasks(pool: Pool) -> tuple[Task, ...]:
    return tuple(
        Task(
            Path(floor_file(number)).stem,
            ANY_TOWER,
            episodes=1,
            settings={"tower": str((pool.folder / floor_file(number)).resolve())},
        )
        for number in range(len(pool))
    )


def run_suite(
    name: str,
    policy: Policy,
    out: str | Path,
    *,
    episodes: int | None = None,
    settings: Mapping[str, Any] | None = None,
    resume: bool = False,
) -> dict[str, RunResult]:
    """Let a policy play a suite; results by task.

    Args:
        name: of the suite.
        policy: plays.
        out: folder of the suite's runs.
        episodes: of each task; the suite's own number by default.
        settings: keywords of every environment, besides those of the suite.
        resume: go on with what `out` holds.

    Raises:
        MtGymError: a setting that the suite decides itself; see `run` also.
    """
    own = dict(settings or {})
    tasks = suite(name)
    for task in tasks:
        decided = sorted(set(own) & set(task.settings))
        if decided:
            raise MtGymError(f"suite {name!r} decides {', '.join(decided)} itself")
    return {
        task.name: run(
            task.env,
            policy,
            episodes=task.episodes if episodes is None else episodes,
            seed=task.seed,
            settings={**task.settings, **own},
            out=Path(out) / task.name,
            resume=resume,
        )
        for task in tasks
    }


def runs_in(path: str | Path) -> list[Run]:
    """The run in a folder, or the runs in its sub-folders, by name.

    Raises:
        MtGymError: there is none.
    """
    folder = Path(path)
    if (folder / "run.json").is_file() or not folder.is_dir():
        return [Run.of(folder)]
    inside = sorted(one for one in folder.iterdir() if (one / "run.json").is_file())
    if not inside:
        read_run(folder)  # says what is missing
    return [Run.of(one) for one in inside]
