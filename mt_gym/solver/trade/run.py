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
from mt_gym.solver.trade.search import DONE, PAUSED, Search, Tastes
from mt_gym.solver.trade.tables import Problem

ORDER: Final = ("items", "free", "chains", "doors", "bounds", "useless", "purchases")
REDUCTIONS: Final = frozenset(ORDER)
"""Names of the reductions that this search always applies."""

TASTES: Final[tuple[Tastes, ...]] = (
    (12, 300, 20, 60),
    (8, 300, 10, 30),
    (8, 100, 10, 30),
)
"""Weights of the score of a state; see `states.score`."""
WIDTHS: Final = (100, 1000, 10_000, 100_000)


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
        stages.note(stages.exact)
    if found.proved:
        found.bound = found.best
    return found


class _Stages:
    """The exact search, with ever wider beams before and between its parts."""

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
        self.exact = Search(problem, 0, 0)
        self.top = found.bound or 0

    def run(self) -> bool:
        """Whether the result was proved before a limit was reached."""
        for width in WIDTHS:
            for taste in TASTES:
                beam = Search(self.problem, width, self.found.best, taste)
                code = beam.run(self.budget, self.top, self.exact.memory)
                self.note(beam, self.exact.memory)
                if code == DONE and beam.complete:
                    return True
                if self.budget.spent():
                    return False
            self.exact.beat(self.found.best)
            code = self.exact.run(self.budget, self.top, most=50 * width)
            self.note(self.exact)
            if code != PAUSED:
                return code == DONE and self.exact.complete
        code = self.exact.run(self.budget, self.top)
        self.note(self.exact)
        return code == DONE and self.exact.complete

    def note(self, search: Search, reserved: int = 0) -> None:
        """Take over a better route."""
        found = self.found
        if search.best > found.best:
            found.route = route_of(
                self.tower, self.state, self.problem, search.choices(), search.best
            )
            found.best = search.best
        found.stored = max(found.stored, search.stored)
        found.memory = max(found.memory, search.memory + reserved)
