"""`floors` and `show`: what is shipped, and what a map looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from mt_gym.cli.picture import floor_picture
from mt_gym.cli.png import write_png
from mt_gym.cli.progress import counting
from mt_gym.cli.words import FloorName, console, goal_words, optimum_words, playable
from mt_gym.engine.load import load, shipped
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.play.episode import Moment


def list_floors(
    difficulty: Annotated[
        bool,
        typer.Option("--difficulty", help="Show how hard each is, the hardest last."),
    ] = False,
) -> None:
    """List the shipped floors."""
    if difficulty:
        towers = [load(name) for name in shipped()]
        console().print(_difficulties(towers))
        _print_random(towers)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("floor", "title", "size", "monsters", "doors", "start HP", "best"):
        right = heading in ("monsters", "doors", "start HP", "best")
        table.add_column(heading, justify="right" if right else "left", no_wrap=True)
    for name in shipped():
        tower = load(name)
        board = tower.board
        size = f"{tower.floors[0].width}×{tower.floors[0].height}"
        if len(tower.floors) > 1:
            size = f"{len(tower.floors)} floors of {size}"
        table.add_row(
            name,
            tower.data.title,
            size,
            str(board.monster_mask.bit_count()),
            str(board.door_mask.bit_count()),
            str(tower.initial_state().hero.hp),
            optimum_words(tower),
        )
    console().print(table)


def _difficulties(towers: list[Tower]) -> Table:
    """The profiles in the certificates, those with the smallest slack last."""
    columns = {
        "gateways": "gateways",
        "decisions": "decisions",
        "first_moves": "first moves",
        "winning_first_moves": "winning",
        "slack": "slack ‰",
        "greedy": "greedy HP",
        "gap": "gap ‰",
        "loss_depth": "loss depth",
    }
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("floor", no_wrap=True)
    for heading in ("start HP", "best", *columns.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    profiles = {
        tower.name: dict(tower.certificate.profile) if tower.certificate else {}
        for tower in towers
    }
    for tower in sorted(towers, key=lambda one: -profiles[one.name].get("slack", -1)):
        found = profiles[tower.name]
        table.add_row(
            tower.name,
            str(tower.initial_state().hero.hp),
            optimum_words(tower),
            *(_figure(found, name) for name in columns),
        )
    return table


def _figure(profile: dict[str, int], name: str) -> str:
    """A figure of a profile; no loss depth where random players keep the goal."""
    if name not in profile:
        return "?"
    return "–" if name == "loss_depth" and not profile[name] else str(profile[name])


def _print_random(towers: list[Tower]) -> None:
    """Print how random play fares, the floors where it wins least last."""
    from mt_gym.bench.difficulty import FACTORS, random_play

    rows = []
    with counting("floors at random") as progress:
        for done, tower in enumerate(towers):
            progress(done, len(towers))
            rows.append(random_play(tower))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("floor", no_wrap=True)
    table.add_column("states", justify="right", no_wrap=True)
    for top, bottom in FACTORS:
        heading = "start HP" if top == bottom else f"× {top / bottom:g}"
        table.add_column(heading, justify="right", no_wrap=True)
    for row in sorted((r for r in rows if r.won), key=lambda r: r.won, reverse=True):
        chances = [f"{won:.2g}" for won in row.won]
        table.add_row(row.name, f"{row.states:,}", *chances)
    out = console()
    out.print(
        "\nChance that random play wins, exactly, with that start HP (equal chances "
        "for all\nlegal actions, assists, no overrides):"
    )
    out.print(table)
    for row in rows:
        if row.reason:
            out.print(f"left out: {row.name} ({row.reason})", markup=False)


def show(
    floor: FloorName,
    png: Annotated[
        Path | None, typer.Option(help="Write a picture instead.", metavar="FILE")
    ] = None,
    storey: Annotated[
        str | None,
        typer.Option(
            "--floor", help="Of a tower: the floor to show (all, or the hero's)."
        ),
    ] = None,
) -> None:
    """Draw a map."""
    tower = playable(floor)
    state = tower.initial_state()
    chosen = _floors(tower, storey)
    if png is not None:
        from mt_gym.envs.scene import picture

        number = None if storey is None else chosen[0]
        write_png(picture(tower, Moment(state, 0, None, frozenset()), number), png)
        console().print(f"{tower.name}: written to {png}")
        return
    out = console()
    for number in chosen:
        out.print(floor_picture(tower, state, number))
        out.print()
    if tower.data.about:
        out.print(" ".join(tower.data.about.split()))
    out.print(f"Goal: {goal_words(tower)}")
    out.print(f"Best possible final HP: {optimum_words(tower)}")


def _floors(tower: Tower, storey: str | None) -> list[int]:
    names = [floor.id for floor in tower.floors]
    if storey is None:
        return list(range(len(names)))
    if storey not in names:
        raise MtGymError(
            f"{tower.name!r} has no floor {storey!r} (floors: {', '.join(names)})"
        )
    return [names.index(storey)]
