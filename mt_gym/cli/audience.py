"""Who watches a run: lines for one episode, a progress bar for many.

Where a policy is long in answering, a line says that it is waited for.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from mt_gym.bench.question import Row
from mt_gym.cli.story import line_of
from mt_gym.cli.waiting import PATIENCE, Waiting
from mt_gym.cli.words import Interrupted, console
from mt_gym.engine.tower import Tower


class Audience:
    """Shows a run while it happens: one episode turn by turn, many as progress.

    Args:
        tower: what is played.
        episodes: how many will be.
        folder: where they are stored, for what an interruption says.
        patience: seconds after which a missing answer is told.
    """

    def __init__(
        self,
        tower: Tower,
        episodes: int,
        folder: Path | None,
        patience: float = PATIENCE,
    ) -> None:
        self._tower = tower
        self._episodes = episodes
        self._folder = folder
        self._finished = 0
        self._out = console()
        terminal = Console(stderr=True)
        shown = episodes > 1 and terminal.is_terminal
        self._progress = Progress(console=terminal, disable=not shown, transient=True)
        self._task = self._progress.add_task("episodes", total=episodes)
        self._policy = ""
        self._waiting = None if shown else Waiting(patience)

    def __enter__(self) -> Audience:
        self._progress.start()
        if self._waiting is not None:
            self._waiting.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._progress.stop()
        if self._waiting is not None:
            self._waiting.stop()
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            kept = f"stored in {self._folder}" if self._folder else "not stored"
            raise Interrupted(
                f"interrupted; {self._finished} of {self._episodes} episodes finished, "
                + kept
            )

    def see(self, row: Row) -> None:
        """Show a row."""
        if self._waiting is not None:
            self._waiting.end()
        if row["row"] == "start":
            self._policy = row["policy"]
        if row["row"] == "end":
            self._finished += 1
            self._progress.advance(self._task)
        line = line_of(self._tower, row)
        if self._episodes == 1 and line is not None:
            self._out.print(line)
        if self._waiting is not None and row["row"] == "question":
            self._waiting.begin(self._awaited(row))

    def _awaited(self, question: Row) -> str:
        """What is waited for after a question."""
        seen = question["observation"]
        size = f", {len(seen):,} characters of text" if isinstance(seen, str) else ""
        if self._episodes == 1:
            when = f"turn {question['turn']}{size}"
        else:
            when = f"{self._finished} of {self._episodes} episodes finished"
        return f"waiting for {self._policy} ({when})"
