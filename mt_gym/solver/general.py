"""The search for towers with scripts, prices and choices, on the engine itself.

States with the same world keep the heroes that do not dominate each other: one hero
is no worse than another if none of his numbers is smaller.  Where more of an
attribute can make a fight dearer, only equal values are compared.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mt_gym.engine.actions import FIGHT, Action
from mt_gym.engine.state import N_RESOURCES, State
from mt_gym.engine.tower import Tower
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.limits import Budget
from mt_gym.solver.safety import Automatic, Purchases, rising

LABEL_BYTES: Final = 1600
"""What a kept state takes in memory, about."""
CHECK_EVERY: Final = 256
OPEN_STATES: Final = 5000
"""States whose bounds are looked at when a limit has ended a search."""

Numbers = tuple[int, ...]


@dataclass(slots=True)
class Label:
    """A kept state and how it was reached; `alive` until a better one is known."""

    state: State
    parent: Label | None
    actions: tuple[Action, ...]
    alive: bool = True


@dataclass(slots=True)
class General:
    """What the general search found; `route` and `best` of the best win."""

    proved: bool
    best: int
    bound: int | None
    route: tuple[Action, ...]
    stored: int
    memory: int
    reductions: tuple[str, ...]


class ParetoSearch:
    """Labels of every world, expanded by the number of objects that are gone.

    Args:
        follow: what is done in a state before anything is chosen, or None.
        equal: resources in which only equal heroes are compared; the hero's cell
            is compared too if `position` is set.
        forced: actions of which one must be taken, () where all may.
    """

    def __init__(
        self,
        tower: Tower,
        follow: Callable[[State], Action | None],
        equal: frozenset[int],
        position: bool = False,
        forced: Callable[[State], tuple[Action, ...]] | None = None,
    ) -> None:
        self.tower = tower
        self.follow = follow
        self.equal = tuple(sorted(equal))
        self.position = position
        self.forced = forced
        self.kept: dict[object, list[tuple[Numbers, Label]]] = {}
        self.stored = self.pushed = 0
        self.queue: list[tuple[int, int, Label]] = []
        self.best = 0
        self.winner: Label | None = None

    def add(self, state: State, parent: Label | None, actions: list[Action]) -> None:
        """Keep a state unless another one is at least as good."""
        while not state.won and (action := self.follow(state)) is not None:
            state = self.tower.step(state, action)
            actions.append(action)
        if state.hero.hp <= 0:
            return
        label = Label(state, parent, tuple(actions))
        if state.won:
            if state.hero.hp > self.best:
                self.best, self.winner = state.hero.hp, label
            return
        world = state.world
        numbers = state.hero[:N_RESOURCES]
        key = (
            *world[:5],
            state.hero.reach,
            state.hero.position if self.position else None,
            *(numbers[axis] for axis in self.equal),
        )
        front = self.kept.setdefault(key, [])
        if any(_covers(other, numbers) for other, _ in front):
            return
        for other, worse in front:
            if _covers(numbers, other):
                worse.alive = False
                self.stored -= 1
        front[:] = [pair for pair in front if pair[1].alive]
        front.append((numbers, label))
        self.stored += 1
        depth = world.gone.bit_count()
        self.pushed += 1
        heapq.heappush(self.queue, (depth, self.pushed, label))

    def expand(self, label: Label) -> None:
        """Try every legal action of a state that can be survived."""
        tower, state = self.tower, label.state
        actions = self.forced(state) if self.forced else ()
        for action in actions or tower.legal_actions(state):
            if action.code == FIGHT and tower.game.is_lethal(state, action):
                continue
            self.add(tower.step(state, action), label, [action])

    def run(self, budget: Budget, top: int | None) -> bool:
        """Search until nothing is left (True) or a limit is reached (False)."""
        room = max(1, budget.memory // LABEL_BYTES)
        while self.queue:
            if not self.queue[0][2].alive:
                heapq.heappop(self.queue)
                continue
            if budget.nodes is not None and budget.expanded >= budget.nodes:
                return False
            if budget.expanded % CHECK_EVERY == 0:
                if budget.spent() or self.stored > room:
                    return False
                if budget.wants_report():
                    budget.tell(self.stored, top, self.best or None)
            budget.expanded += 1
            self.expand(heapq.heappop(self.queue)[2])
        return True

    def open_top(self, top: int | None) -> int | None:
        """An upper bound from the states that are not expanded yet.

        Args:
            top: a bound that is known; returned as it is if there are too many states.
        """
        waiting = [label.state for *_, label in self.queue if label.alive]
        if top is None or len(waiting) > OPEN_STATES:
            return top
        found = self.best
        for state in waiting:
            most = ceiling(self.tower, state)
            if most is None:
                return top
            found = max(found, most)
        return min(top, found)

    def route(self) -> tuple[Action, ...]:
        """The actions of the best win."""
        steps: list[tuple[Action, ...]] = []
        label = self.winner
        while label is not None:
            steps.append(label.actions)
            label = label.parent
        return tuple(action for step in steps[::-1] for action in step)


def _covers(one: Numbers, two: Numbers) -> bool:
    """Whether a hero has nowhere less than another."""
    return all(a >= b for a, b in zip(one, two, strict=True))


def run(
    tower: Tower, state: State, budget: Budget, allowed: frozenset[str] | None = None
) -> General:
    """Search a state of any tower."""
    automatic = Automatic(tower, allowed is None or "items" in allowed)
    axes: set[int] = set()
    for kind in tower.board.monsters:
        axes |= rising(kind.abilities)
    purchases = Purchases(tower, allowed is None or "purchases" in allowed)
    search = ParetoSearch(
        tower, automatic.next, frozenset(axes), forced=purchases.forced
    )
    top = ceiling(tower, state)
    try:
        search.add(state, None, [])
        ended = search.run(budget, top)
        top = search.best if ended else search.open_top(top)
    except KeyboardInterrupt:  # perhaps in the middle of a state
        ended = False
    return General(
        proved=ended,
        best=search.best,
        bound=top,
        route=search.route(),
        stored=search.stored,
        memory=search.stored * LABEL_BYTES,
        reductions=(*automatic.names, *(("purchases",) if purchases.offers else ())),
    )
