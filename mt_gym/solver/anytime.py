"""`solve` where no exact search is possible: a portfolio of beams, and a bound."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.general import General
from mt_gym.solver.limits import Budget
from mt_gym.solver.tower.bound import upper_bound
from mt_gym.solver.tower.net import Net, build
from mt_gym.solver.tower.route import write_route
from mt_gym.solver.tower.search import Portfolio

NODES: Final = 5_000_000
"""Transitions of a call without limits: the beams end by themselves at no proof."""


class NotForBeams(Exception):
    """A tower with something that the beams do not know."""


class _Watched(Portfolio):
    """Beams that count for a budget and report what they found."""

    def __init__(self, net: Net, state: State, budget: Budget, top: int | None) -> None:
        super().__init__(net, state, 0)
        self.budget, self.top = budget, top
        self.before = budget.expanded

    def one_beam(self, *given: Any, **named: Any) -> int:
        """One beam, counted."""
        hp = super().one_beam(*given, **named)
        budget = self.budget
        budget.expanded = self.before + self.transitions
        if budget.wants_report():
            best = None if self.best is None else self.best.hp
            budget.tell(0, self.top, best)
        return hp


def run(tower: Tower, state: State, budget: Budget, search: bool) -> General:
    """The best play that beams find within a budget, and a bound of any play.

    Without limits the beams end after `NODES` transitions.

    Args:
        search: False for the bound alone.

    Raises:
        NotForBeams: the tower has growing prices, choices or bombs.
    """
    try:
        net = build(tower)
    except MtGymError as error:
        raise NotForBeams from error
    try:
        top: int | None = upper_bound(tower, state)
    except MtGymError:
        top = ceiling(tower, state)
    found = General(False, 0, top, (), 0, 0, ())
    if not search or budget.spent():
        return found
    beams = _Watched(net, state, budget, top)
    nodes = None if budget.nodes is None else budget.nodes - budget.expanded
    seconds = None if budget.seconds is None else budget.seconds - budget.elapsed
    if nodes is None and seconds is None:
        nodes = NODES
    with suppress(KeyboardInterrupt):
        beams.run(seconds, nodes, None)
    if beams.best is not None:
        found.best = beams.best.hp
        found.route = write_route(net, state, beams.best)
        found.proved = found.best == top
    return found
