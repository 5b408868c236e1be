"""`train`: networks that learn to play, on one floor or on a set of generated ones."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mt_gym.cli.words import console, environment_id, playable
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.generate import generate
from mt_gym.generator.sets import SETS

if TYPE_CHECKING:
    from mt_gym.lab.ppo import Plan


class Algorithm(StrEnum):
    """How a network learns."""

    ppo = "maskable-ppo"
    clone = "clone"


def train(
    floor: Annotated[
        str,
        typer.Argument(
            metavar="FLOOR|SET", help="A floor, a map file, or a set such as 'train'."
        ),
    ],
    algo: Annotated[
        Algorithm, typer.Option("--algo", help="How the network learns.")
    ] = Algorithm.ppo,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run (runs/train-FLOOR).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of everything random.")] = 0,
    frames: Annotated[
        int, typer.Option(min=1, help="Steps of all copies together (PPO).")
    ] = 1_000_000,
    copies: Annotated[int, typer.Option(min=1, help="Copies at a time (PPO).")] = 256,
    potential: Annotated[
        bool, typer.Option(help="Add the potential to the reward (PPO).")
    ] = True,
    spare: Annotated[
        float, typer.Option(min=0, help="Spare HP at first, in shares of start HP.")
    ] = 0.9,
    explore: Annotated[
        float, typer.Option(min=0, max=1, help="Share of episodes begun midway.")
    ] = 0.5,
    weight: Annotated[
        float, typer.Option(min=0, help="What all start HP are worth; a win is 1.")
    ] = 20.0,
    levels: Annotated[str, typer.Option(help="Of a set: levels, as 1-5.")] = "1-5",
    floors: Annotated[
        int, typer.Option(min=1, help="Of a set: floors of each level.")
    ] = 400,
    rounds: Annotated[int, typer.Option(min=0, help="DAgger rounds (clone).")] = 3,
    start: Annotated[
        Path | None, typer.Option(help="Weights to begin with (PPO).")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder.")
    ] = False,
    tensorboard: Annotated[
        Path | None, typer.Option(help="Folder of curves for TensorBoard.")
    ] = None,
    progress: Annotated[bool, typer.Option(help="Show a bar.")] = False,
) -> None:
    """Train a network, and play the floors with it."""
    _require_torch()
    folder = out or Path("runs") / f"train-{Path(floor).stem}"
    if (folder / "train.json").exists() and not resume:
        raise MtGymError(f"{folder} holds a run already: --resume it, or another --out")
    folder.mkdir(parents=True, exist_ok=True)
    towers, tests = _floors(floor, levels, floors)
    say = console().print
    known: dict[str, Any] = {"floor": floor, "algo": algo.value, "seed": seed}
    known |= {"towers": len(towers), "levels": levels if floor in SETS else None}
    if algo is Algorithm.clone:
        known |= _clone(towers, tests, seed, rounds, folder, say)
    else:
        plan = _plan(
            towers,
            floor in SETS,
            frames,
            seed,
            copies,
            potential,
            spare,
            explore,
            weight,
        )
        known |= _ppo(
            towers, tests, plan, folder, say, resume, tensorboard, progress, start
        )
    (folder / "train.json").write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    if floor not in SETS:
        _log(floor, folder, say, resume)


def _require_torch() -> None:
    import importlib.util

    for name in ("torch", "sb3_contrib"):
        if importlib.util.find_spec(name) is None:
            raise MtGymError(
                f"training needs {name}: pip install torch, then 'mt-gym[rl]' (the "
                "README says how to get PyTorch without CUDA)"
            )


def _floors(floor: str, levels: str, count: int) -> tuple[list[Tower], list[Tower]]:
    """Floors to learn from, and floors to look at."""
    if floor not in SETS:
        tower = playable(floor)
        return [tower], [tower]
    first, _, last = levels.partition("-")
    try:
        chosen = range(int(first), int(last or first) + 1)
    except ValueError:
        raise MtGymError(f"levels={levels!r}: a level or a range such as 1-5") from None
    known = SETS[floor].count
    count = count if known is None else min(count, known)
    towers = [
        generate(level, floors=floor, index=index)
        for level in chosen
        for index in range(count)
    ]
    looks = min(20, count)
    tests = [
        generate(level, floors="validation", index=index)
        for level in chosen
        for index in range(looks)
    ]
    return towers, tests


def _plan(
    towers: list[Tower],
    several: bool,
    frames: int,
    seed: int,
    copies: int,
    potential: bool,
    spare: float,
    explore: float,
    weight: float,
) -> Plan:
    from mt_gym.agents.rl.network import Shape
    from mt_gym.lab.arena import Help
    from mt_gym.lab.ppo import Plan, flat_shape

    hp = min(dict(tower.data.hero)["hp"] for tower in towers)
    aid = Help(
        weight=weight,
        prices=None if potential else {},
        spare=round(spare * hp),
        explore=explore,
        starts=8 if several else 400,
    )
    return Plan(
        frames=frames,
        seed=seed,
        copies=copies,
        aid=aid,
        spare_end=0 if several else round(0.13 * hp),
        shape=Shape(width=48) if several else flat_shape(towers[0]),
        every=max(1, frames // 10),
    )


def _ppo(
    towers: list[Tower],
    tests: list[Tower],
    plan: Plan,
    folder: Path,
    say: Any,
    resume: bool,
    tensorboard: Path | None,
    progress: bool,
    start: Path | None,
) -> dict[str, Any]:
    from mt_gym.agents.rl.network import Network
    from mt_gym.lab.ppo import train as learn

    model, watch = learn(
        towers,
        plan,
        real=tests,
        folder=folder,
        resume=resume,
        tensorboard=tensorboard,
        say=say,
        progress=progress,
        start=None if start is None else Network.load(start),
    )
    return {
        "frames": model.num_timesteps,
        "final": watch.looks[-1],
        "best_at": watch.best_at,
        "looks": watch.looks,
    }


def _clone(
    towers: list[Tower],
    tests: list[Tower],
    seed: int,
    rounds: int,
    folder: Path,
    say: Any,
) -> dict[str, Any]:
    import numpy as np

    from mt_gym.agents.rl.network import Shape, annotations_of
    from mt_gym.lab.clone import clone
    from mt_gym.lab.measure import play, summary
    from mt_gym.lab.ppo import flat_shape

    shape = Shape(width=48) if len(towers) > 1 else flat_shape(towers[0])
    copies = towers if len(towers) > 1 else towers * 32
    rng = np.random.default_rng(seed)
    network = clone(copies, rng, shape=shape, rounds=rounds, say=say)
    found = summary(
        play(tests, network.scores, annotations=annotations_of(shape.columns))
    )
    about = {"algo": "clone", "seed": seed, "floors": len(towers)}
    network.exported(about).save(folder / "final.npz")
    say(f"on {len(tests)} floors: {found}")
    return {"final": {"argmax": found}}


def _log(floor: str, folder: Path, say: Any, resume: bool) -> None:
    """Play the floor with the final network, into a run of the bench's format."""
    from mt_gym.agents.rl.policy import RLPolicy
    from mt_gym.bench import run

    settings: dict[str, Any] = {"overrides": []}
    spec = environment_id(floor, settings)
    policy = RLPolicy(file=str(folder / "final.npz"))
    result = run(
        spec, policy, episodes=1, out=folder / "run", settings=settings, resume=resume
    )
    say(result.table())
