"""`train`: networks that learn to play, on one floor or on a set of generated ones."""

from __future__ import annotations

import importlib.util
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from mt_gym.bench.scalars import writer_class
from mt_gym.cli.progress import counting
from mt_gym.cli.words import Interrupted, console
from mt_gym.errors import MtGymError

_PPO: Final = "Maskable PPO"
_CLONE: Final = "Cloning"
_SET: Final = "Sets of floors"


class Algorithm(StrEnum):
    """How a network learns."""

    ppo = "maskable-ppo"
    clone = "clone"


def train(
    floor: Annotated[
        str,
        typer.Argument(
            metavar="FLOOR|SET",
            help="A floor, a map file, the set 'train', or a pool of its floors.",
        ),
    ],
    algo: Annotated[
        Algorithm,
        typer.Option("--algo", help="By reward alone, or from the solver's answers."),
    ] = Algorithm.ppo,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**31, help="Of everything random.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder (runs/train-FLOOR-SEED)."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the training in the folder.")
    ] = False,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="WEIGHTS", help="Weights to begin with."),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option("--width", min=1, max=4096, help="Of layers (128; of a set 64)."),
    ] = None,
    attention: Annotated[
        int | None,
        typer.Option("--attention", min=0, max=16, help="Blocks of it (of a set 1)."),
    ] = None,
    annotations: Annotated[
        str | None,
        typer.Option(
            "--annotations",
            metavar="NAMES",
            help="Whose columns are read: names by comma, all or none.",
        ),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option("--tensorboard", metavar="DIR", help="Write curves there."),
    ] = None,
    frames: Annotated[
        int,
        typer.Option(
            "--frames", min=1, help="Steps of all copies.", rich_help_panel=_PPO
        ),
    ] = 1_000_000,
    copies: Annotated[
        int,
        typer.Option(
            "--copies",
            min=1,
            max=65536,
            help="Played at a time.",
            rich_help_panel=_PPO,
        ),
    ] = 256,
    rate: Annotated[
        float,
        typer.Option("--rate", min=0, help="Of learning.", rich_help_panel=_PPO),
    ] = 5e-4,
    entropy: Annotated[
        float,
        typer.Option("--entropy", min=0, help="Its weight.", rich_help_panel=_PPO),
    ] = 0.02,
    potential: Annotated[
        bool, typer.Option(help="Shape the reward by it.", rich_help_panel=_PPO)
    ] = True,
    spare: Annotated[
        float | None,
        typer.Option(
            "--spare",
            min=0,
            max=100,
            help="Spare HP at first, in shares of start HP (0.9; of a set 0.3).",
            rich_help_panel=_PPO,
        ),
    ] = None,
    explore: Annotated[
        float,
        typer.Option(
            "--explore",
            min=0,
            max=1,
            help="Share of episodes that begin midway.",
            rich_help_panel=_PPO,
        ),
    ] = 0.5,
    weight: Annotated[
        float,
        typer.Option(
            "--weight",
            min=0,
            help="What all start HP are worth at a win; the win is worth 1.",
            rich_help_panel=_PPO,
        ),
    ] = 20.0,
    warm: Annotated[
        int | None,
        typer.Option(
            "--warm",
            min=0,
            help="Frames in which the value alone is learnt (100,000 after --start).",
            rich_help_panel=_PPO,
        ),
    ] = None,
    rounds: Annotated[
        int,
        typer.Option("--rounds", min=0, help="DAgger rounds.", rich_help_panel=_CLONE),
    ] = 3,
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            help="Such as 3 or 1-5; a pool has its own.",
            rich_help_panel=_SET,
        ),
    ] = "1-5",
    floors: Annotated[
        int,
        typer.Option("--floors", min=1, help="Of each level.", rich_help_panel=_SET),
    ] = 400,
) -> None:
    """Train a network, look at the real floors on the way, and play them with it."""
    _require_torch()
    if tensorboard is not None:
        writer_class()  # says at once if it is missing
    from mt_gym.lab.job import Job
    from mt_gym.lab.plans import Options

    options = Options(
        seed=seed,
        width=width,
        attention=attention,
        annotations=annotations,
        frames=frames,
        copies=copies,
        rate=rate,
        entropy=entropy,
        potential=potential,
        spare=spare,
        explore=explore,
        weight=weight,
        warm=warm,
    )
    folder = out or Path("runs") / f"train-{Path(floor).stem}-{seed}"
    job = Job(floor, algo.value, levels, floors, rounds, start, options)
    try:
        job.run(
            folder, resume=resume, tensorboard=tensorboard, say=_say, count=counting
        )
    except KeyboardInterrupt:
        raise Interrupted(
            f"stopped; the same command with --resume goes on in {str(folder)!r}"
        ) from None


def _say(line: str) -> None:
    console().print(line, markup=False)


def _require_torch() -> None:
    """Say how to install what is missing."""
    for name in ("torch", "sb3_contrib"):
        if importlib.util.find_spec(name) is None:
            raise MtGymError(
                f"training needs {name}: pip install torch --index-url "
                "https://download.pytorch.org/whl/cpu (the build without CUDA), then "
                "pip install 'mt-gym[rl]'"
            )
