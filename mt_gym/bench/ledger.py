"""The regret ledger: which executed action cost how much of the best final HP.

Worth of a state: the best final HP that can still be reached, 0 if the goal is lost.
Each turn's regret is the worth it destroys, so that they sum to the worth of the
start minus the final HP (0 unless won), exactly.  Where the solver reached its limit
a worth is an interval, and so are the regrets around it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from mt_gym.bench.question import Row
from mt_gym.bench.replay import walk
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver import solve
from mt_gym.solver.extent import is_too_big

UNENDED: Final = ("turn_limit", "no_answer", "infra_error", "budget")
"""Outcomes that no action brought about: what was left is a line of its own."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number that lies between two bounds; `high` None means no bound is known."""

    low: int
    high: int | None

    @property
    def exact(self) -> bool:
        """Whether it is known."""
        return self.low == self.high

    def __add__(self, other: Interval) -> Interval:
        open_end = self.high is None or other.high is None
        high = None if open_end else (self.high or 0) + (other.high or 0)
        return Interval(self.low + other.low, high)

    def minus(self, other: Interval) -> Interval:
        """The difference, known to be 0 or more."""
        low = 0 if other.high is None else max(0, self.low - other.high)
        high = None if self.high is None else max(0, self.high - other.low)
        return Interval(low, high)

    def below(self, most: int | None) -> Interval:
        """The same number, known to be no more than `most`."""
        if most is None:
            return self
        high = most if self.high is None else min(self.high, most)
        return Interval(min(self.low, high), high)

    def __str__(self) -> str:
        if self.exact:
            return str(self.low)
        return f"{self.low}+" if self.high is None else f"{self.low} to {self.high}"


NOTHING: Final = Interval(0, 0)


@dataclass
class Worths:
    """The worths of states, each solved once.

    On a tower that is too big to be solved (`solver.tower.is_too_big`) they are
    intervals: from a completion that is known to a bound that is never exceeded.
    Completions are searched there only with `node_limit`; the certificate's is known.

    Args:
        tower: whose states they are.
        node_limit: states that one search may expand.
        seconds: of all searches together, a tenth of it for each; after that nothing
            is known.
    """

    tower: Tower
    node_limit: int | None = None
    seconds: float | None = None
    spent: float = 0.0
    _known: dict[tuple[object, ...], Interval] = field(default_factory=dict)

    @cached_property
    def bounded_only(self) -> bool:
        """Whether no worth of this tower can be proved."""
        return is_too_big(self.tower)

    def of(self, state: State) -> Interval:
        """The worth of a state."""
        found = self._known.get(state.key)
        if found is None:
            found = self._known[state.key] = self._solved(state)
        return found

    def _solved(self, state: State) -> Interval:
        if self.bounded_only:
            from mt_gym.solver.tower import bounds  # imports numba

            low, high = bounds(self.tower, state, node_limit=self.node_limit)
            return Interval(low or 0, high)
        limit = None
        if self.seconds is not None:
            if self.spent >= self.seconds:
                return Interval(0, None)
            limit = min(self.seconds - self.spent, self.seconds / 10)
        begun = time.perf_counter()
        found = solve(self.tower, state, node_limit=self.node_limit, time_limit=limit)
        self.spent += time.perf_counter() - begun
        if found.status == "bounded":
            return Interval(found.hp or 0, found.bound)
        return Interval(found.hp or 0, found.hp or 0)


@dataclass(frozen=True, slots=True)
class Line:
    """One executed turn.

    Attributes:
        turn: its number; `text`: the action, None if nothing happened.
        source: who decided it.
        worth: before it; `regret`: what it destroyed.
    """

    turn: int
    text: str | None
    source: str
    worth: Interval
    regret: Interval


@dataclass(frozen=True, slots=True)
class Ledger:
    """An episode's account.

    Attributes:
        start: worth of the start.
        final: final HP, 0 unless won.
        lines: every executed turn.
        unended: what was left when the turns, or the answers, ran out.
        outcome: of the episode.
    """

    start: Interval
    final: int
    lines: tuple[Line, ...]
    unended: Interval
    outcome: str

    @property
    def total(self) -> Interval:
        """Start minus final: what was given up in all."""
        return self.start.minus(Interval(self.final, self.final))

    @property
    def curve(self) -> tuple[Interval, ...]:
        """Worth before each turn, and after the last."""
        return (*(line.worth for line in self.lines), self._last)

    @property
    def _last(self) -> Interval:
        if self.outcome in UNENDED:
            return self.unended
        return Interval(self.final, self.final)

    @property
    def exact(self) -> bool:
        """Whether every worth was proved."""
        return all(worth.exact for worth in self.curve)

    def by_source(self) -> dict[str, Interval]:
        """Regrets by who decided; the unended rest under the outcome's name.

        No part is above the total: regrets are 0 or more and sum to it.
        """
        sums: dict[str, Interval] = {}
        for line in self.lines:
            sums[line.source] = sums.get(line.source, NOTHING) + line.regret
        if self.outcome in UNENDED:
            sums[self.outcome] = self.unended
        most = self.total.high
        return {source: part.below(most) for source, part in sums.items()}

    def lost_by(self) -> Line | None:
        """The turn after which the goal was lost.

        None if it never was, or was from the start, or where it cannot be told.
        """
        for line, after in zip(self.lines, self.curve[1:], strict=True):
            if line.worth.low > 0 and after == NOTHING:
                return line
            if not after.exact and after.low == 0:
                return None
        return None


def ledger(tower: Tower, rows: Sequence[Row], worths: Worths | None = None) -> Ledger:
    """The ledger of an episode.

    Args:
        tower: that was played.
        rows: of the episode.
        worths: of states that were met before; without limits by default.

    Raises:
        StateMismatch: the rows are not of this tower, or not a play of it.
    """
    worths = Worths(tower) if worths is None else worths
    steps = list(walk(tower, rows))
    turns = [step for step in steps if step.row["row"] == "turn"]
    start, last = steps[0].after, steps[-1].after
    outcome = steps[-1].row["outcome"]
    final = last.hero.hp if outcome == "won" else 0
    states = [start, *(step.after for step in turns)]
    # Backwards: late states are the small ones, and a limit ends the large ones.
    curve = [worths.of(state) for state in reversed(states)][::-1]
    if outcome == "won":
        curve[-1] = Interval(final, final)
    curve = tightened(curve)
    lines = tuple(
        Line(
            step.row["turn"],
            step.row["text"],
            step.row["source"],
            before,
            before.minus(after),
        )
        for step, before, after in zip(turns, curve, curve[1:], strict=False)
    )
    unended = curve[-1] if outcome in UNENDED else NOTHING
    return Ledger(curve[0], final, lines, unended, outcome)


def tightened(curve: Sequence[Interval]) -> list[Interval]:
    """The same worths with the bounds that follow from each other.

    Worth never grows along an episode.
    """
    lows = [worth.low for worth in curve]
    for i in range(len(lows) - 2, -1, -1):
        lows[i] = max(lows[i], lows[i + 1])
    highs = [worth.high for worth in curve]
    for i in range(1, len(highs)):
        before, own = highs[i - 1], highs[i]
        if before is not None and (own is None or own > before):
            highs[i] = before
    return [Interval(low, high) for low, high in zip(lows, highs, strict=True)]
