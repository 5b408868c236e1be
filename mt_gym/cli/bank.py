"""`bank build` and `bank score`: decisions with exact values, asked of a policy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mt_gym.agents.registry import make_policy
from mt_gym.cli.progress import counting
from mt_gym.cli.words import Interrupted, console, counted, parse_settings, playable
from mt_gym.engine.load import shipped
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

if TYPE_CHECKING:
    from mt_gym.bench.bank import Score

app = typer.Typer(
    help="Build a bank of decisions with exact values, or score a policy on one.",
    rich_markup_mode=None,
)


@app.command("build")
def build(
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="The JSONL file to write.")
    ],
    floors: Annotated[
        str,
        typer.Option("--floors", help="Names or paths, by comma; all single floors."),
    ] = "",
    generated: Annotated[
        int,
        typer.Option("--generated", min=0, help="Test floors of each level on top."),
    ] = 1,
    count: Annotated[int, typer.Option("--count", help="Decisions.")] = 300,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the sampling.")] = 0,
) -> None:
    """Sample decisions from several policies and value every action exactly."""
    from mt_gym.generator.bank import STRATA, build_bank
    from mt_gym.generator.bank_file import write_bank
    from mt_gym.generator.generate import generate
    from mt_gym.generator.levels import LEVELS

    if not out.absolute().parent.is_dir():
        raise MtGymError(f"there is no folder {str(out.parent)!r} to write a bank in")
    towers = _floors(floors)
    for level in LEVELS if generated else ():
        towers += [
            generate(level, floors="test", index=index) for index in range(generated)
        ]
    with counting("floors") as progress:
        bank = build_bank(towers, count, seed, progress)
    write_bank(bank, out)
    strata = [one.stratum for one in bank]
    told = ", ".join(f"{name} {strata.count(name)}" for name in STRATA)
    console().print(
        f"{out}: {len(bank)} decisions on {len(towers)} floors, by stake: {told}"
    )


def _floors(names: str) -> list[Tower]:
    if names:
        return [playable(name.strip()) for name in names.split(",") if name.strip()]
    towers = [playable(name) for name in shipped()]
    return [tower for tower in towers if len(tower.floors) == 1]


@app.command("verify")
def verify(
    bank: Annotated[Path, typer.Argument(metavar="FILE", help="A bank.")],
) -> None:
    """Search for every value of a bank again."""
    from mt_gym.generator.bank_file import check_values, read_bank

    decisions = read_bank(bank)
    with counting("decisions") as progress:
        check_values(decisions, progress)
    console().print(f"{bank}: {len(decisions)} decisions, every value proved again.")


@app.command("score")
def score(
    bank: Annotated[Path, typer.Argument(metavar="FILE", help="A bank.")],
    policy: Annotated[str, typer.Option("--policy", help="Who is asked.")],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A keyword of the environment, or policy.KEY=VALUE of the policy.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first decisions.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the figures.")
    ] = None,
) -> None:
    """Ask a policy each decision once: accuracy, regret, calibration."""
    from mt_gym.bench.bank import Answer, Score, score_bank
    from mt_gym.generator.bank_file import read_bank

    keywords, options = parse_settings(settings or [])
    if "tower" in keywords:
        raise MtGymError("--set tower=...: the bank brings its own floors")
    if ":" in policy:
        sys.path.insert(0, str(Path.cwd()))
    asked = make_policy(policy, **options)
    decisions = read_bank(bank)[:limit]
    answers: list[Answer] = []
    try:
        with counting("decisions") as progress:
            score_bank(
                decisions,
                asked,
                settings=keywords,
                progress=progress,
                see=answers.append,
            )
    except KeyboardInterrupt as error:
        if answers:
            _tell(Score(asked.name, tuple(answers)), bank, None)
        raise Interrupted(
            f"interrupted; {len(answers)} of {counted(len(decisions), 'decision')} "
            "asked"
        ) from error
    _tell(Score(asked.name, tuple(answers)), bank, out)


def _tell(found: Score, bank: Path, out: Path | None) -> None:
    """Print a score, and write its figures if it is whole."""
    console().print(f"{found.policy} on {bank}", markup=False)
    console().print(found.table(), markup=False)
    if out is not None:
        out.write_text(json.dumps(found.figures(), indent=1) + "\n", encoding="utf-8")
