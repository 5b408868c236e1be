"""The compiled search on one state of a plain tower."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mt_gym.engine.actions import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver import expand as search
from mt_gym.solver.arrays import (
    BEST,
    BEST_FROM,
    BOUNDS,
    CAPACITY,
    CURSOR,
    CUT,
    EXPANDED,
    HEAD,
    LAYER,
    LAYERS,
    S_STRIDE,
    STORED,
    WIDTH,
)
from mt_gym.solver.layout import Layout, live_actions
from mt_gym.solver.limits import Budget
from mt_gym.solver.prepared import Prepared, Signature, prepare
from mt_gym.solver.records import open_bound, rehash

SCHEDULE: Final = (
    (10, 0),
    (100, 0),
    (1000, 400_000),
    (10_000, 4_000_000),
    (100_000, 20_000_000),
)
"""Widths of beams, and states the exact search has expanded before the next one."""
LIMIT: Final = 3
"""A search stopped at a limit; the codes of `expand` come before."""
SLICE: Final = 20_000
FIRST_ROOM: Final = 1024


@dataclass(slots=True)
class Outcome:
    """What a search of one state found; `order` are gateways' objects."""

    proved: bool
    best: int
    bound: int
    order: list[int] = field(default_factory=list)
    layout: Layout | None = None
    reductions: tuple[str, ...] = ()
    stored: int = 0
    memory: int = 0


class Search:
    """A layered search over the removed sets of a prepared state.

    Args:
        width: states expanded of each layer; 0 for all of them.
        best: only more final HP than this is looked for.

    Attributes:
        reserved: bytes that another search holds at the same time.
    """

    def __init__(self, prepared: Prepared, width: int, best: int) -> None:
        self.prepared = prepared
        self.reserved = 0
        instance = prepared.instance
        self.tag, self.data = instance.tag, instance.data
        self.words = len(self.tag)
        self.stride = S_STRIDE + 2 * self.words
        self.work = work = prepared.work.copy()
        self.records = np.empty(FIRST_ROOM * self.stride, np.int64)
        self.slots = np.full(4 * FIRST_ROOM, -1, np.int32)
        work[CAPACITY], work[CURSOR], work[LAYER] = FIRST_ROOM, -1, -1
        work[WIDTH], work[BEST], work[BEST_FROM] = width, best, -1
        work[work[HEAD] :][: work[LAYERS]] = -1

    @property
    def memory(self) -> int:
        """Bytes of the tables."""
        return self.records.nbytes + self.slots.nbytes

    @property
    def best(self) -> int:
        """Final HP of the best goal so far, or what the search had to beat."""
        return int(self.work[BEST])

    @property
    def stored(self) -> int:
        """States kept."""
        return int(self.work[STORED])

    @property
    def complete(self) -> bool:
        """Whether no layer was cut."""
        return not self.work[CUT]

    def bound(self) -> int:
        """Largest final HP that the states not expanded yet allow."""
        found = int(open_bound(self.tag, self.work, self.records))
        return min(found, self.prepared.top)

    def beat(self, best: int) -> None:
        """Look only for more final HP than this from now on."""
        if best > self.best:
            self.work[BEST], self.work[BEST_FROM] = best, -1

    def run(self, budget: Budget, most: int | None = None) -> int:
        """Search on.

        Args:
            most: states to have expanded in all before pausing.

        Returns:
            `search.DONE`, `search.PAUSED` or `LIMIT`.
        """
        while True:
            before = int(self.work[EXPANDED])
            part = budget.slice(SLICE)
            if most is not None:
                part = min(part, most - before)
            code = int(
                search.advance(
                    self.tag, self.data, self.work, self.records, self.slots, part
                )
            )
            budget.expanded += int(self.work[EXPANDED]) - before
            if code == search.DONE:
                return code
            if (code == search.GROW and not self._grow(budget)) or budget.spent():
                return LIMIT
            if budget.wants_report():
                budget.tell(self.stored, self.bound(), self.best or None)
            if most is not None and self.work[EXPANDED] >= most:
                return search.PAUSED

    def _grow(self, budget: Budget) -> bool:
        """Double the tables, unless that would take too much memory."""
        capacity = 2 * int(self.work[CAPACITY])
        needed = capacity * (8 * self.stride + 16) + self.records.nbytes
        if needed + self.reserved > budget.memory:
            return False
        records = np.empty(capacity * self.stride, np.int64)
        used = self.stored * self.stride
        records[:used] = self.records[:used]
        self.records = records
        self.slots = np.full(4 * capacity, -1, np.int32)
        self.work[CAPACITY] = capacity
        rehash(self.tag, self.work, self.records, self.slots)
        return True

    def gateways(self) -> list[int]:
        """Gateways on the way to the best goal, in order; [] if there is none."""
        route = np.empty(self.prepared.instance.gateways + 1, np.int64)
        count = search.write_route(
            self.tag, self.data, self.work, self.records, self.slots, route
        )
        if count < 0:
            raise AssertionError("a stored state does not follow from its parent")
        if not count:
            return []
        return [*self.prepared.order, *route[:count][::-1].tolist()]


def unlimited() -> Budget:
    """A budget without node and time limit, with the default memory."""
    return Budget.of(None, None, "4GiB")


def run(
    tower: Tower,
    state: State,
    budget: Budget,
    allowed: frozenset[str] | None = None,
    beat: int = 0,
    known: dict[Signature, Outcome] | None = None,
) -> Outcome:
    """Search a state.

    Args:
        allowed: names of the reductions that may be used; None for all.
        beat: only routes that end with more HP than this are looked for.
        known: outcomes of settled states, to be shared between searches of one
            tower with the same arguments; only their routes differ.

    Raises:
        NotPlain: the state needs the general search.
    """
    prepared = prepare(tower, state, allowed)
    if prepared is None:
        return Outcome(True, beat, beat, reductions=())
    signature = prepared.signature()
    if known is not None and signature in known:
        return known[signature]
    outcome = _Stages(prepared, budget, beat).run()
    if known is not None and outcome.proved:
        known[signature] = outcome
    return outcome


class _Stages:
    """Beams for a first route, and the exact search between and after them.

    The exact search pauses for a wider beam when it has expanded more than the next
    beam will, so that neither can cost much more than the other; what a beam finds,
    the exact search has to beat from then on.
    """

    def __init__(self, prepared: Prepared, budget: Budget, beat: int) -> None:
        self.prepared, self.budget = prepared, budget
        self.outcome = Outcome(False, beat, prepared.top)
        self.outcome.reductions = prepared.reductions
        self.outcome.layout = prepared.instance.layout
        self.exact = Search(prepared, 0, beat)

    def run(self) -> Outcome:
        """Search until the outcome is proved or a limit is reached."""
        schedule = SCHEDULE if self.prepared.rules & BOUNDS else ()
        try:
            for width, patience in schedule:
                if self._beam(width) or (patience and self._go_on(patience)):
                    return self.outcome
            self._go_on(None)
        except KeyboardInterrupt:
            self._note(self.exact)
        return self.outcome

    def _beam(self, width: int) -> bool:
        """Whether a beam ended the whole search: by a proof, or at a limit."""
        beam = Search(self.prepared, width, self.outcome.best)
        beam.reserved = self.exact.memory
        code = beam.run(self.budget)
        self._note(beam)
        if code == search.DONE and beam.complete:
            self._prove()
            return True
        return code == LIMIT and self.budget.spent()

    def _go_on(self, most: int | None) -> bool:
        """Whether the exact search ended, having `most` states expanded by now."""
        self.exact.beat(self.outcome.best)
        code = self.exact.run(self.budget, most)
        self._note(self.exact)
        if code == search.DONE:
            self._prove()
        else:
            top = min(self.outcome.bound, self.exact.bound())
            self.outcome.bound = max(self.outcome.best, top)
        return code != search.PAUSED

    def _note(self, found: Search) -> None:
        """Take over a better route."""
        outcome = self.outcome
        if found.best > outcome.best:
            objects = self.prepared.instance.layout.objects
            outcome.best = found.best
            outcome.order = [objects[g] for g in found.gateways()]
        outcome.stored = max(outcome.stored, found.stored)
        outcome.memory = max(outcome.memory, found.memory + found.reserved)

    def _prove(self) -> None:
        self.outcome.proved, self.outcome.bound = True, self.outcome.best


def route_of(tower: Tower, state: State, outcome: Outcome) -> tuple[Action, ...]:
    """Every action of the play that removes gateways in the outcome's order.

    What costs nothing and harms nobody is taken as soon as it is in reach.
    """
    board, layout = tower.board, outcome.layout
    if layout is None or not outcome.order:
        return ()
    merged = 0
    for region in layout.regions:
        for member in region.members:
            merged |= 1 << member
    route: list[Action] = []

    def act(state: State, thing: int) -> State:
        action = live_actions(board, board.objects[thing], layout.dead)[0]
        route.append(action)
        return tower.step(state, action)

    for thing in outcome.order:
        while near := tower.game.candidates(state) & merged:
            state = act(state, (near & -near).bit_length() - 1)
        state = act(state, thing)
    if not state.won or state.hero.hp != outcome.best:
        raise AssertionError(
            f"the solver promised {outcome.best} HP, the game ends with {state.hero.hp}"
        )
    return tuple(route)
