"""`run`: episodes of a policy, shown while they are played, and stored."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from mt_gym.agents.registry import POLICIES, make_policy
from mt_gym.bench.loop import AT_A_TIME
from mt_gym.bench.loop import run as play_run
from mt_gym.bench.result import RunResult
from mt_gym.bench.scalars import write_scalars, writer_class
from mt_gym.cli.audience import Audience
from mt_gym.cli.model_options import (
    budget_of,
    condition_of,
    model_options,
    store_of,
)
from mt_gym.cli.twins import twin_of
from mt_gym.cli.words import (
    FloorName,
    console,
    environment_id,
    parse_settings,
    playable,
)
from mt_gym.errors import MtGymError

RUNS = Path("runs")
"""Where labelled runs are stored, in the current folder."""

_NAMES = ", ".join(name for name, entry in POLICIES.items() if entry.factory)
_MODEL = "Language model"
_LOGS = "Logs"


def run(
    floor: FloorName,
    policy: Annotated[
        str, typer.Option("--policy", help=f"{_NAMES}, or your own as MODULE:FACTORY.")
    ],
    episodes: Annotated[int, typer.Option("--episodes", help="How many.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of the first episode.")] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A keyword of the environment, or policy.KEY=VALUE of the policy.",
        ),
    ] = None,
    transform: Annotated[
        str | None,
        typer.Option(
            "--transform",
            metavar="T",
            help="Play a twin of the floor, such as mirror or rename:1+rotate.",
        ),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", help="Episodes of a model at a time.")
    ] = AT_A_TIME,
    label: Annotated[
        str | None,
        typer.Option("--label", help="Store as runs/LABEL.", rich_help_panel=_LOGS),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Store in this folder.", rich_help_panel=_LOGS
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Play what is missing.", rich_help_panel=_LOGS),
    ] = False,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard",
            metavar="DIR",
            help="Write scalars for TensorBoard.",
            rich_help_panel=_LOGS,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", metavar="URL", help="Endpoint.", rich_help_panel=_MODEL
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="Its name at the endpoint.", rich_help_panel=_MODEL
        ),
    ] = None,
    planning: Annotated[
        str | None,
        typer.Option(
            "--planning",
            metavar="MODE",
            help="reactive, commit-K, long-plan:floor, long-plan:steps, single-call.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    plan_memory: Annotated[
        Literal["on", "off"] | None,
        typer.Option(
            "--plan-memory", help="Show its last plan again.", rich_help_panel=_MODEL
        ),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition",
            help="A labelled condition: route.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    no_fallback: Annotated[
        bool,
        typer.Option(
            "--no-fallback",
            help="End an episode where the model gives no valid choice.",
            rich_help_panel=_MODEL,
        ),
    ] = False,
    max_calls: Annotated[
        int | None,
        typer.Option("--max-calls", help="Stop after so many.", rich_help_panel=_MODEL),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens", help="Of input and output.", rich_help_panel=_MODEL
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", help="By --prices.", rich_help_panel=_MODEL),
    ] = None,
    prices: Annotated[
        str | None,
        typer.Option(
            "--prices",
            metavar="input=P,output=P",
            help="Per million tokens; cached=P may be added.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    calls: Annotated[
        Path | None,
        typer.Option(
            "--calls",
            metavar="FILE",
            help="Take answers from this store, and add new ones.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Only answers of --calls.", rich_help_panel=_MODEL
        ),
    ] = False,
) -> None:
    """Let a policy play and show what it does."""
    if tensorboard is not None:
        writer_class()  # says at once if it is missing
    keywords, options = parse_settings(settings or [])
    asked = {
        "base_url": base_url,
        "model": model,
        "planning": planning,
        "plan_memory": None if plan_memory is None else plan_memory == "on",
        "fallback": False if no_fallback else None,
    }
    options |= model_options(policy, asked)
    labels: dict[str, Any] = {"policy_options": options}
    if condition is not None:
        keywords = {**condition_of(policy, condition, options), **keywords}
        labels["condition"] = condition
    tower = playable(floor)
    if ":" in policy:
        sys.path.insert(0, str(Path.cwd()))
    player = make_policy(policy, **options)
    folder = run_folder(label, out)
    with ExitStack() as stack:
        if transform is not None:
            labels |= {"transform": transform, "twin_of": tower.name}
            twin = stack.enter_context(twin_of(tower, transform, folder))
            tower, floor = twin
        identifier = environment_id(floor, keywords)
        store = stack.enter_context(store_of(calls, offline))
        audience = stack.enter_context(Audience(tower, episodes, folder))
        result = play_run(
            identifier,
            player,
            episodes=episodes,
            seed=seed,
            out=folder,
            settings=keywords,
            watch=audience.see,
            resume=resume,
            concurrency=concurrency,
            budget=budget_of(max_calls, max_tokens, max_cost, prices),
            calls=store,
            labels=labels,
        )
    if tensorboard is not None:
        write_scalars(result, tensorboard)
    _show_result(result, episodes)


def _show_result(result: RunResult, episodes: int) -> None:
    """Print the table, and fail if an episode is not finished."""
    out_console = console()
    if episodes > 1:
        out_console.print(result.table())
    elif result.folder is not None:
        out_console.print(f"Stored in {result.folder}")
    if result.unfinished:
        problems = dict.fromkeys(
            f"{one.outcome}: {one.error}" for one in result.episodes if not one.counted
        )
        again = "" if result.folder is None else "; --resume plays them again"
        raise MtGymError(
            f"{result.unfinished} of {result.wanted} episodes are not finished ("
            + "; ".join(problems)
            + f"){again}"
        )


def run_folder(label: str | None, out: Path | None) -> Path | None:
    """Where a run is stored: `--out`, `--label` below it or below `RUNS`, or nowhere.

    Raises:
        MtGymError: the label is no plain folder name.
    """
    if label is None:
        return out
    plain = label.strip() == label and label.isprintable() and "\\" not in label
    if not plain or Path(label).name != label or label in ("", ".", ".."):
        raise MtGymError(
            f"--label {label!r}: a plain folder name is expected, without slashes, "
            "line ends, or spaces at its ends"
        )
    return (RUNS if out is None else out) / label
