"""`versus`: policies against each other, with the tables of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console, RenderableType
from rich.progress import Progress
from rich.text import Text

from mt_gym.agents.policy import Policy
from mt_gym.agents.registry import make_policy
from mt_gym.bench.question import Row
from mt_gym.cli.run import run_folder
from mt_gym.cli.story import line_of
from mt_gym.cli.words import FloorName, Interrupted, console, parse_settings, playable
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError, PolicyError

PASS: Final = "pass"
"""Text of the choice to do nothing."""

_NUMBERED: Final = re.compile(r"(\d+)\.(.+)")


def versus(
    floor: FloorName,
    players: Annotated[
        str,
        typer.Option(
            "--players", metavar="P,P,...", help="Policies, as for run --policy."
        ),
    ],
    mode: Annotated[
        str,
        typer.Option(
            "--mode", help="duel (one floor for two) or race (a copy for each)."
        ),
    ] = "duel",
    games: Annotated[
        int, typer.Option("--games", help="Of each pair, or races of all.")
    ] = 1,
    swap_sides: Annotated[
        bool,
        typer.Option("--swap-sides", help="Take turns in who moves first."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the first game.")] = 0,
    label: Annotated[
        str | None, typer.Option("--label", help="Store the games as runs/LABEL.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Store the games in this folder."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A keyword of the game, or N.KEY=VALUE of the N-th policy.",
        ),
    ] = None,
) -> None:
    """Let policies play against each other, each pair or all at once."""
    from mt_gym.versus.match import play_match

    tower = playable(floor)
    keywords, policies = _made(players.split(","), settings or [])
    with _Audience(tower, games, mode, len(policies)) as audience:
        result = play_match(
            floor,
            policies,
            mode=mode,
            games=games,
            swap_sides=swap_sides,
            seed=seed,
            out=run_folder(label, out),
            settings=keywords,
            watch=audience.see,
        )
    console().print(result.table())


def _made(
    specs: Sequence[str], settings: Sequence[str]
) -> tuple[dict[str, Any], list[Policy]]:
    """Keywords of the game, and the policies with their own options."""
    given, of_policy = parse_settings(settings)
    if of_policy:
        key = next(iter(of_policy))
        raise MtGymError(
            f"--set policy.{key}: there are several policies; write 1.{key} for the "
            "first one's option"
        )
    keywords: dict[str, Any] = {}
    options: list[dict[str, Any]] = [{} for _ in specs]
    for key, value in given.items():
        match = _NUMBERED.fullmatch(key)
        if match is None:
            keywords[key] = value
        elif 1 <= int(match[1]) <= len(specs):
            options[int(match[1]) - 1][match[2]] = value
        else:
            raise MtGymError(f"--set {key}: there are {len(specs)} players, from 1 on")
    if any(":" in spec for spec in specs):
        sys.path.insert(0, str(Path.cwd()))
    names = [spec.strip() for spec in specs]
    if "" in names:
        raise PolicyError(
            "--players: an empty name; policies separated by commas are expected, "
            "such as heuristic,random"
        )
    made = [make_policy(name, **own) for name, own in zip(names, options, strict=True)]
    return keywords, made


class _Audience:
    """Shows one game turn by turn, many as progress."""

    def __init__(self, tower: Tower, games: int, mode: str, players: int) -> None:
        pairs = players * (players - 1) // 2 if mode == "duel" else 1
        self._games = games * max(1, pairs)
        self._finished = 0
        self._tower = tower
        terminal = Console(stderr=True)
        shown = self._games > 1 and terminal.is_terminal
        self._progress = Progress(console=terminal, disable=not shown, transient=True)
        self._task = self._progress.add_task("games", total=self._games)

    def __enter__(self) -> _Audience:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._progress.stop()
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            done = f"{self._finished} of {self._games} games finished"
            raise Interrupted(f"interrupted; {done}")

    def see(self, row: Row) -> None:
        """Show a row."""
        if row["row"] == "end":
            self._finished += 1
            self._progress.advance(self._task)
        if self._games == 1:
            for line in game_lines(self._tower, row):
                console().print(line)


def game_lines(tower: Tower, row: Row) -> Iterator[RenderableType]:
    """A row of a game as lines; nothing for what the turns say."""
    kind = row["row"]
    if kind == "start":
        yield Text(f"{row['game']} on {tower.name}, seed {row['seed']}", style="bold")
        for number, label in enumerate(row["players"]):
            yield f"player_{number}: {label}"
    elif kind == "decision" and row["text"] == PASS:
        yield f"{row['player']} passes"
    elif kind == "turn":
        line = line_of(tower, row)
        if line is not None:
            yield Text(f"{row['player']} ").append_text(line)
    elif kind == "end":
        yield Text(f"Result: {row['outcome'].replace('_', ' ')}", style="bold")
        lists = ("outcomes", "ranks", "hp", "goal_score")
        columns = zip(row["players"], *(row[key] for key in lists), strict=True)
        for number, (label, outcome, rank, hp, score) in enumerate(columns):
            yield (
                f"player_{number} ({label}): {outcome.replace('_', ' ')}, rank {rank}, "
                f"{hp} HP, goal score {score:.3f}"
            )
