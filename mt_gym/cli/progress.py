"""A progress bar on stderr, where that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

from mt_gym.solver.solution import Progress as Search


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows how many of what are done."""
    terminal = Console(stderr=True)
    hidden = not terminal.is_terminal
    with Progress(console=terminal, disable=hidden, transient=True) as progress:
        task = progress.add_task(what, total=None)

        def show(done: int, wanted: int) -> None:
            progress.update(task, completed=done, total=wanted)

        yield show


@contextmanager
def searching() -> Iterator[Callable[[Search], None]]:
    """A function that shows how far a search is: states, bound, best so far."""
    terminal = Console(stderr=True)
    with terminal.status("searching") as status:

        def show(now: Search) -> None:
            bound = "none yet" if now.bound is None else f"{now.bound:,}"
            best = "none yet" if now.best is None else f"{now.best:,}"
            status.update(
                f"{now.expanded:,} states expanded, {now.stored:,} kept; "
                f"bound {bound}, best {best}; {now.seconds:.0f} s "
                "(Ctrl-C ends it with what is known)"
            )

        yield show
