"""Commands about stored runs: `replay`, `report`, `compare`, and `verify` of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mt_gym.bench.log import finished_episodes
from mt_gym.bench.question import Row
from mt_gym.bench.read import Run
from mt_gym.bench.replay import replay as execute_again
from mt_gym.bench.suites import runs_in
from mt_gym.cli.story import line_of
from mt_gym.cli.words import console, counted
from mt_gym.errors import MtGymError

Runs = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders of runs, or of several of them."),
]


def replay(
    stored: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or one episode file.")
    ],
    episode: Annotated[
        int | None, typer.Option("--episode", help="Its number, from 1.")
    ] = None,
) -> None:
    """Execute a stored episode again, and show it."""
    if stored.is_file():
        if episode is not None:
            raise MtGymError("--episode goes with a run's folder, not with a file")
        file, folder = stored, stored.parent
    else:
        folder = stored
    run = Run.of(folder, match=True)
    if not stored.is_file():
        file = _choose(folder, episode)
    rows = run.rows(file)
    tower = run.tower
    out = console()
    if "game" in run.about:
        replay_match(run, rows)
        return
    execute_again(tower, rows)
    for row in rows:
        line = line_of(tower, row)
        if line is not None:
            out.print(line)
    out.print(f"Executed again: all {rows[-1]['turns']} turns are as stored.")


def replay_match(run: Run, rows: list[Row]) -> None:
    """Play a stored game of several players again, and show it."""
    from mt_gym.cli.versus import game_lines
    from mt_gym.versus.replay import replay_game

    replay_game(run, rows)
    for row in rows:
        for line in game_lines(run.tower, row):
            console().print(line)
    console().print("Played again: every turn is as stored.")


def _choose(folder: Path, episode: int | None) -> Path:
    found = finished_episodes(folder)
    if not found:
        raise MtGymError(f"{str(folder)!r} holds no finished episode")
    if episode is None:
        return next(iter(found.values()))
    if episode not in found:
        names = ", ".join(str(number) for number in list(found)[:20])
        raise MtGymError(
            f"{str(folder)!r} holds no episode {episode} (finished: {names})"
        )
    return found[episode]


def report(
    runs: Runs,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write report.md, report.csv and pictures there.",
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="What is printed: table, markdown, csv.")
    ] = "table",
    solver: Annotated[
        bool,
        typer.Option("--solver/--no-solver", help="Ask the exact solver for regrets."),
    ] = True,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Of searches, for each run.")
    ] = 300.0,
) -> None:
    """Measure stored runs and put them side by side."""
    from mt_gym.bench.report import report as measure

    found = measure(*runs, solver=solver, seconds=seconds)
    texts = {"table": found.table, "markdown": found.markdown, "csv": found.csv}
    if form not in texts:
        raise MtGymError(f"--format {form!r}: one of {', '.join(texts)} is expected")
    console().print(texts[form](), markup=False)
    if out is not None:
        for path in found.write(out):
            console().print(f"Written: {path}")


def compare(runs: Runs) -> None:
    """Compare runs by their wins on the same floors and repetitions."""
    from mt_gym.bench.compare import compare as compared

    for comparison in compared(*runs):
        console().print(comparison.text(), markup=False)


def verify_runs(path: Path) -> None:
    """Execute every episode of a run, or of a folder of runs, again.

    Raises:
        StateMismatch: a log says something else than the engine.
    """
    from mt_gym.bench.verify import verify

    for run in runs_in(path):
        found = verify(run.path)
        failed = "" if not found.failed else f" and {found.failed} unfinished"
        console().print(
            f"{run.path}: {counted(found.episodes, 'episode')}{failed}, "
            f"{counted(found.turns, 'turn')}: everything is as stored"
            + (", the table too." if found.table else "; there is no table yet.")
        )
