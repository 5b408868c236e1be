"""`bench`: speed, printed line by line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from mt_gym.bench.engine import Figure, bench_engine
from mt_gym.bench.solver import SolverRow, bench_solver, summarise
from mt_gym.cli.progress import counting
from mt_gym.cli.solve import TimeLimit
from mt_gym.cli.words import console
from mt_gym.engine.generate import SHAPES
from mt_gym.errors import MtGymError

app = typer.Typer(help="Measure speed on this machine.", rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure speed on this machine."""


@app.command("engine")
def engine(
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs a line.")] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Length of a run.")
    ] = 1.0,
) -> None:
    """Transitions, environment steps, observations, and import time."""
    show_figures(bench_engine(runs, seconds))


@app.command("solver")
def solver(
    seeds: Annotated[
        int, typer.Option("--seeds", min=0, help="Random floors of each class.")
    ] = 20,
    sizes: Annotated[
        str, typer.Option("--sizes", help="Gateways of random floors, by comma.")
    ] = "20,40,60",
    shapes: Annotated[
        str, typer.Option("--shapes", help="Classes of random floors, by comma.")
    ] = ",".join(SHAPES),
    files: Annotated[
        list[Path] | None, typer.Option("--file", help="A further map; repeatable.")
    ] = None,
    time_limit: TimeLimit = 60.0,
    against: Annotated[
        Path | None,
        typer.Option(help="A solver of the text format to run on the same maps."),
    ] = None,
    shipped_floors: Annotated[
        bool, typer.Option("--shipped/--no-shipped", help="The shipped floors too.")
    ] = True,
) -> None:
    """Search shipped floors, map files and random floors: time, states, memory."""
    show_searches(
        bench_solver(
            sizes=_counts(sizes),
            shapes=_shapes(shapes),
            seeds=seeds,
            files=files or (),
            time_limit=time_limit,
            against=against,
            shipped_floors=shipped_floors,
        )
    )


@app.command("tower")
def tower(
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs a line.")] = 3,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Length of a run.")
    ] = 1.0,
) -> None:
    """Transitions, environment steps and texts of the tower."""
    from mt_gym.bench.tower import bench_tower, size

    console().print(size(), markup=False)
    show_figures(bench_tower(runs, seconds))


@app.command("loop")
def loop(
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs a line.")] = 3,
) -> None:
    """What the episode loop and its logs add to a policy."""
    from mt_gym.bench.speed import bench_loop

    show_figures(bench_loop(runs))


@app.command("floors")
def floors(
    count: Annotated[int, typer.Option("--count", help="Floors over all levels.")] = 50,
    which: Annotated[
        str, typer.Option("--set", help="train, validation or test.")
    ] = "train",
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove each optimum once more.")
    ] = False,
) -> None:
    """Generate floors of all levels, verify each, and sum up their profiles."""
    from mt_gym.bench.floors import FIGURES, bench_floors

    out = console()
    heads = (*FIGURES, "optimum", "seconds", "slowest")
    done = 0
    with counting("floors") as progress:
        for one in bench_floors(count, floors=which, prove=prove, progress=progress):
            if not done:
                out.print("medians by level; slack and gap in thousandths")
                out.print(f"{'level':>5} {'floors':>6} " + " ".join(heads))
            cells = [f"{one.middle(name):g}" for name in FIGURES]
            cells += [f"{median(one.optima):g}", f"{median(one.seconds):.3f}"]
            cells.append(f"{max(one.seconds):.3f}")
            row = " ".join(
                cell.rjust(len(head)) for cell, head in zip(cells, heads, strict=True)
            )
            out.print(f"{one.level:>5} {len(one.optima):>6} {row}")
            done += len(one.optima)
    claim = "proved again" if prove else "replayed"
    out.print(f"{done} floors: every certificate {claim}, every floor is winnable.")


@app.command("policies")
def policies(
    names: Annotated[
        str, typer.Option("--policies", help="Names, by comma.")
    ] = "random,heuristic,rl,solver",
    generated: Annotated[
        int, typer.Option("--generated", min=0, help="Test floors of each level.")
    ] = 10,
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, help="Episodes of random on a floor.")
    ] = 20,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a Markdown table.")
    ] = False,
) -> None:
    """Success, HP over optimum, goal score and regret of policies on all floors."""
    from mt_gym.bench.policies import bench_policies, text_table

    chosen = [name.strip() for name in names.split(",") if name.strip()]
    reasons: list[str] = []
    with counting("lines") as progress:
        lines = list(
            bench_policies(
                chosen,
                repeats=repeats,
                generated=generated,
                progress=progress,
                say=reasons.append,
            )
        )
    console().print(text_table(lines, markdown), markup=False)
    for reason in reasons:
        console().print(reason, markup=False)


@app.command("transfer")
def transfer(
    weights: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WEIGHTS]...", help="Networks: shipped names or files."
        ),
    ] = None,
    levels: Annotated[str, typer.Option("--levels", help="Such as 1-5.")] = "1-5",
    count: Annotated[
        int, typer.Option("--floors", min=1, max=100, help="Of each level.")
    ] = 100,
    samples: Annotated[
        int, typer.Option("--samples", min=1, help="Of which the best counts.")
    ] = 16,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a Markdown table.")
    ] = False,
) -> None:
    """Networks, the heuristic and random choices on generated test floors."""
    from mt_gym.agents.rl.policy import shipped_weights
    from mt_gym.lab.floors import levels_of
    from mt_gym.lab.transfer import bench_transfer, table

    names = weights or list(shipped_weights())
    with counting("floors") as progress:
        rows = list(bench_transfer(names, levels_of(levels), count, samples, progress))
    console().print(table(rows, markdown), markup=False)


def show_searches(rows: Iterable[SolverRow]) -> None:
    """Print a line for each named map as it is searched, then one for each class."""
    out = console()
    out.print(
        f"{'map':<14} {'gates':>5} {'status':<10} {'HP':>7} {'states':>9} "
        f"{'kept':>9} {'MiB':>6} {'CPU s':>9}"
    )
    random_floors = []
    with counting("random floors") as progress:
        for row in rows:
            if row.group not in ("shipped", "file"):
                random_floors.append(row)
                progress(len(random_floors), len(random_floors))
                continue
            hp = "-" if row.hp is None else f"{row.hp:,}"
            out.print(
                f"{row.name:<14} {row.gateways:>5} {row.status:<10} {hp:>7} "
                f"{row.expanded:>9,} {row.stored:>9,} {row.memory / 2**20:>6.1f} "
                f"{row.seconds:>9.5f}{_foreign_words(row)}"
            )
    for group in summarise(random_floors):
        out.print(
            f"{group.group}: {group.floors} floors, {group.proved} proved, "
            f"{group.solvable} winnable; CPU s median {group.median:.4f}, 90 % "
            f"{group.p90:.4f}, worst {group.worst:.3f}; at most "
            f"{group.most_states:,} states, {group.most_memory / 2**20:.1f} MiB"
        )
    pairs = [row.ratio for row in random_floors if row.ratio is not None]
    if pairs:
        out.print(f"foreign solver: {median(pairs):.1f} times our time (median)")


def _foreign_words(row: SolverRow) -> str:
    """What a foreign solver said about a map, and how much longer it took."""
    if row.foreign is None:
        return ""
    if row.ratio is None:
        return f"  foreign: {row.foreign.outcome}"
    hp = "no way" if row.foreign.hp is None else f"{row.foreign.hp:,} HP"
    ours = "" if row.foreign.hp == row.hp else ", not ours"
    return f"  foreign: {hp}{ours}, x{row.ratio:,.1f}"


def _counts(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdigit() and int(part) for part in parts):
        raise MtGymError(f"--sizes takes counts above 0 by comma, got {text!r}")
    return [int(part) for part in parts]


def _shapes(text: str) -> list[str]:
    names = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [name for name in names if name not in SHAPES]
    if unknown or not names:
        raise MtGymError(f"--shapes takes {', '.join(SHAPES)}; got {text!r}")
    return names


@app.command("batch")
def batch(
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs a line.")] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Length of a run.")
    ] = 1.0,
) -> None:
    """The compiled batch environment beside the single one."""
    from mt_gym.bench.batch import bench_batch

    show_figures(bench_batch(runs, seconds))


def show_figures(figures: Iterable[Figure]) -> None:
    """Print figures as they come, a line each."""
    out = console()
    out.print(f"{'':<28} {'median':>10} {'lowest':>10} {'highest':>10}  wanted")
    for figure in figures:
        values = (figure.median, min(figure.runs), max(figure.runs))
        numbers = " ".join(f"{_number(value):>10}" for value in values)
        bound = "≥" if figure.at_least else "≤"
        verdict = "" if figure.reached else "  not reached"
        goal = f"{bound} {_number(figure.goal)} " if figure.goal else ""  # 0: none
        out.print(f"{figure.name:<28} {numbers}  {goal}{figure.unit}{verdict}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3f}"
