"""The real floors played with trained networks, into runs of the bench's format."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.rl.policy import RLPolicy
from mt_gym.bench.loop import run
from mt_gym.bench.result import RunResult
from mt_gym.engine.load import shipped
from mt_gym.engine.tower import Tower
from mt_gym.envs.registration import ANY_TOWER, env_id

SAMPLED_EPISODES: Final = 20
"""Episodes of the run in which the action is drawn, on a single floor."""

FLOORS: Final = "floors"


def play_floor(folder: Path, name: str, floor: str) -> Iterator[str]:
    """Play one floor, by the likeliest action and by sampling.

    Args:
        folder: of the training; `NAME` and `NAME-sampled` in it take the runs.
        name: of the network, `final` or `best`.
        floor: a shipped name or a path.

    Yields:
        What they gave, a line each.
    """
    file = str(folder / f"{name}.npz")
    for sample, place in ((False, name), (True, f"{name}-sampled")):
        policy = RLPolicy(weights=file, sample=sample)
        policy.name = f"rl:{place}"
        episodes = SAMPLED_EPISODES if sample else 1
        result = _stored(folder / place, policy, floor, episodes)
        hp = [one.hp for one in result.won]
        best = f", {min(hp)} to {max(hp)} HP" if hp else ""
        if len(hp) == 1:
            best = f", {hp[0]} HP"
        optimum = "" if result.optimum is None else f" (optimum {result.optimum})"
        yield f"{place}: won {len(hp)} of {episodes}{best}{optimum}"


def play_set(folder: Path, name: str, floors: Sequence[Tower]) -> Iterator[str]:
    """Play each floor of a set once, by the likeliest action.

    Args:
        folder: of the training; `NAME` in it takes a run for each floor.
        name: of the network, `final` or `best`.
        floors: that are played; their maps are written into `floors`.

    Yields:
        What they gave.
    """
    policy = RLPolicy(weights=str(folder / f"{name}.npz"))
    policy.name = f"rl:{name}"
    maps = folder / FLOORS
    maps.mkdir(exist_ok=True)
    won = 0
    for tower in floors:
        file = maps / f"{tower.name}.toml"
        if not file.exists():
            file.write_text(tower.to_toml(), encoding="utf-8")
        won += len(_stored(folder / name / tower.name, policy, str(file), 1).won)
    yield f"{name}: won {won} of {len(floors)} validation floors"


def _stored(out: Path, policy: RLPolicy, floor: str, episodes: int) -> RunResult:
    """A run in a folder of its own; one of an earlier training is replaced."""
    if (out / "run.json").is_file():
        shutil.rmtree(out)
    known = floor in shipped()
    settings: dict[str, Any] = {"overrides": []}
    if not known:
        settings["tower"] = floor
    spec = env_id(floor) if known else ANY_TOWER
    return run(spec, policy, episodes=episodes, out=out, settings=settings)
