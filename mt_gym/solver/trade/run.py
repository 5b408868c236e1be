"""Beams for a first route and the exact search, and the route they found."""

from __future__ import annotations

from typing import Final

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.general import General
from mt_gym.solver.limits import Budget
from mt_gym.solver.trade.play import route_of
from mt_gym.solver.trade.problem import build
from mt_gym.solver.trade.search import DONE, PAUSED, Search
from mt_gym.solver.trade.tables import Problem
from mt_gym.solver.trade.tasting import Tasting

ORDER: Final = ("items", "free", "chains", "doors", "bounds", "useless", "purchases")
REDUCTIONS: Final = frozenset(ORDER)
"""Names of the reductions that this search always applies."""

FIRST_WIDTH: Final = 100
MOST_WIDTH: Final = 100_000
FIRST_PART: Final = 20_000
"""States that the exact search expands after a round of beams at the least; otherwise
as many as the beams."""


def run(tower: Tower, state: State, budget: Budget) -> General:
    """Search a state.

    Raises:
        NotTrade: the state needs the general search.
    """
    problem = build(tower, state)
    top = ceiling(tower, state)
    wanted = len(problem.classes) > 0
    found = General(
        proved=False,
        best=0,
        bound=top,
        route=(),
        stored=0,
        memory=0,
        reductions=tuple(n for n in ORDER if wanted or n != "purchases"),
    )
    stages = _Stages(tower, state, problem, budget, found)
    try:
        found.proved = stages.run()
    except KeyboardInterrupt:
        stages.interrupted()
    if found.proved:
        found.bound = found.best
    return found


class _Stages:
    """Rounds of beams, ever wider, and parts of the exact search between them."""

    def __init__(
        self,
        tower: Tower,
        state: State,
        problem: Problem,
        budget: Budget,
        found: General,
    ) -> None:
        self.tower, self.state, self.problem = tower, state, problem
        self.budget, self.found = budget, found
        self.exact: Search | None = Search(problem, 0, 0)
        self.beam: Search | None = None
        self.width = FIRST_WIDTH
        self._limit_bound(self.exact)

    def run(self) -> bool:
        """Whether the result was proved before a limit was reached."""
        tasting = Tasting()
        while True:
            before = self.budget.expanded
            for taste in tasting.round():
                best = self.found.best
                # What a taste is worth shows below the best result, too.
                self.beam = Search(self.problem, self.width, best // 2, taste)
                code = self.beam.run(
                    self.budget, self.found.bound, self._reserved, known=best
                )
                tasting.note(taste, self.beam.found)
                self.note(self.beam, self._reserved)
                if code == DONE and self.beam.complete:
                    return True
                if self.budget.spent():
                    self._end()
                    return False
            self.width = min(2 * self.width, MOST_WIDTH)
            part = max(FIRST_PART, self.budget.expanded - before)
            if (proved := self._exact_part(part)) is not None:
                return proved

    @property
    def _reserved(self) -> int:
        return self.exact.memory if self.exact else 0

    def _exact_part(self, most: int) -> bool | None:
        """Go on with the exact search: proved or not, None if not ended."""
        if self.exact is None:
            return None
        self.exact.beat(self.found.best)
        code = self.exact.run(
            self.budget, self.found.bound, most=most, known=self.found.best
        )
        self.note(self.exact)
        if code == PAUSED:
            return None
        if code == DONE and self.exact.complete:
            return True
        spent = self.budget.spent()
        self._end()
        # Without another limit, nothing would end the beams.
        timed = self.budget.seconds is not None or self.budget.nodes is not None
        return None if timed and not spent else False

    def _end(self) -> None:
        """Take the bound of an exact search that cannot be ended, and its memory."""
        if self.exact is not None:
            self._limit_bound(self.exact)
            self.exact = None

    def interrupted(self) -> None:
        """Take over what the searches had found."""
        for search in (self.beam, self.exact):
            if search is not None:
                self.note(search)
        self._end()

    def _limit_bound(self, search: Search) -> None:
        bound = search.bound
        if bound is not None:
            top = self.found.bound
            self.found.bound = max(
                self.found.best, bound if top is None else min(top, bound)
            )

    def note(self, search: Search, reserved: int = 0) -> None:
        """Take over a better route."""
        found = self.found
        if search.found > found.best:
            found.route = route_of(
                self.tower, self.state, self.problem, search.choices(), search.best
            )
            found.best = search.best
        found.stored = max(found.stored, search.stored)
        found.memory = max(found.memory, search.memory + reserved)
