"""`solve` and `verify`: the best play of a map, and what its certificate claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mt_gym.cli.progress import counting, searching
from mt_gym.cli.runs import verify_runs
from mt_gym.cli.words import FloorName, action_words, console, counted, playable
from mt_gym.engine.board import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError

NodeLimit = Annotated[
    int | None, typer.Option("--node-limit", help="States after which it stops.")
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", help="Seconds after which it stops.")
]


MemoryLimit = Annotated[
    str, typer.Option("--memory-limit", help="Memory of its tables, such as 4GiB.")
]


def solve(
    floor: FloorName,
    node_limit: NodeLimit = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = "4GiB",
) -> None:
    """Find the best final HP and a route to it; Ctrl-C ends the search."""
    tower = playable(floor)
    from mt_gym.solver import solve as search

    with searching() as progress:
        solution = search(
            tower,
            node_limit=node_limit,
            time_limit=time_limit,
            memory_limit=memory_limit,
            progress=progress,
        )
    out = console()
    out.print(f"{tower.name}: {solution.status}")
    if solution.status == "infeasible":
        out.print("The goal cannot be reached: proved.")
    elif solution.status == "optimal":
        out.print(f"Best final HP: {solution.hp}")
    elif solution.hp is None:
        out.print("No route found yet.")
    else:
        out.print(f"Best final HP found: {solution.hp}")
    if solution.status == "bounded":
        bound = "unknown" if solution.bound is None else f"at most {solution.bound}"
        out.print(f"Not proved: it is {bound}.")
    print_route(tower, solution.route)
    out.print(f"{solution.expanded:,} states in {solution.seconds:.3f} s")


def verify(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FLOOR|RUN|POOL",
            help="A floor, the path of a map, the folder of a run or a pool.",
        ),
    ],
    prove: Annotated[
        bool, typer.Option("--prove", help="Also search for the optimum again.")
    ] = False,
    node_limit: NodeLimit = None,
) -> None:
    """Play a certificate's route again, or every episode of a stored run."""
    from mt_gym.generator.certify import check_certificate
    from mt_gym.generator.pools import MANIFEST, unfinished

    if node_limit is not None and not prove:
        raise MtGymError("--node-limit goes with --prove: nothing else is searched")
    if (Path(what) / MANIFEST).is_file() or unfinished(what):
        verify_pool(Path(what), prove, node_limit)
        return
    if Path(what).is_dir():
        if prove:
            raise MtGymError("--prove goes with floors; a run is only played again")
        verify_runs(Path(what))
        return
    tower = playable(what)
    certificate = tower.certificate
    if certificate is None:
        raise MtGymError(
            f"{tower.name!r} has no certificate, nothing to verify; its best play is "
            "found by 'mt-gym solve'"
        )
    if not certificate.route:
        raise MtGymError(f"the certificate of {tower.name!r} has no route to play")
    route = [tower.action(text) for text in certificate.route]
    final = print_route(tower, route)
    check_certificate(tower, prove=prove, node_limit=node_limit)
    claim = "proved best" if certificate.status == "optimal" else "not proved best"
    method = f" by {certificate.method}" if certificate.method else ""
    if prove and certificate.status == "optimal":
        method += ", and again just now"
    console().print(
        f"The route wins with {final.hero.hp} HP, as the certificate says "
        f"({claim}{method})."
    )


def verify_pool(folder: Path, prove: bool, node_limit: int | None) -> None:
    """Replay the certificate of every floor of a pool, or prove them all again."""
    from mt_gym.generator.certify import check_certificate
    from mt_gym.generator.pools import read_pool

    pool = read_pool(folder)
    with counting("floors") as progress:
        for number in range(len(pool)):
            tower = pool.tower(number)
            if prove:
                check_certificate(tower, prove=True, node_limit=node_limit)
            progress(number + 1, len(pool))
    console().print(
        f"{folder}: {counted(len(pool), 'floor')}, every certificate "
        + ("proved again." if prove else "replayed.")
    )


def print_route(tower: Tower, route: Sequence[Action]) -> State:
    """Print a route, a turn a line, while playing it; returns its last state.

    Raises:
        MtGymError: a step is not legal.
    """
    out = console()
    state = tower.initial_state()
    for turn, action in enumerate(route, start=1):
        before = state.hero.hp
        try:
            state = tower.step(state, action)
        except IllegalAction as error:
            raise MtGymError(f"step {turn} of the route: {error}") from error
        out.print(
            f"T{turn:<4} {action_words(tower, action):<32} "
            f"HP {before:>5} → {state.hero.hp}"
        )
    return state
