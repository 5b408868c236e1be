"""Beams for a first route and the exact search, and the route they found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mt_gym.engine.actions import BOMB, CHOOSE, FIGHT, Action
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.general import General
from mt_gym.solver.limits import Budget
from mt_gym.solver.safety import Automatic
from mt_gym.solver.trade.problem import build
from mt_gym.solver.trade.search import DONE, PAUSED, Search, Tastes
from mt_gym.solver.trade.tables import C_PRICE, O_CLASS, Problem, named, pack
from mt_gym.solver.trade.ways import V_BOMB, V_GATE, VARIANT

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
STATS: Final = ("atk", "def", "mdef")


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


def route_of(
    tower: Tower, state: State, problem: Problem, choices: list[list[int]], best: int
) -> tuple[Action, ...]:
    """Every action of the play that makes these choices.

    What costs nothing and harms nobody is done as soon as it is in reach.
    """
    play = _Play(tower, state, problem)
    play.settle()
    for choice in choices:
        play.choose(choice)
    if not play.state.won or play.state.hero.hp != best:
        raise AssertionError(
            f"the solver promised {best} HP, the game ends with {play.state.hero.hp}"
        )
    return tuple(play.route)


class _Play:
    """A play on the engine."""

    def __init__(self, tower: Tower, state: State, problem: Problem) -> None:
        self.tower, self.state, self.problem = tower, state, problem
        self.automatic = Automatic(tower, True)
        self.route: list[Action] = []

    def act(self, action: Action) -> None:
        """Do one action."""
        self.state = self.tower.step(self.state, action)
        self.route.append(action)

    def settle(self) -> None:
        """Do what the search does at once."""
        while not self.state.won and (action := self._free()):
            self.act(action)

    def _free(self) -> Action | None:
        """Something that costs nothing, or a door with keys enough for all."""
        action = self.automatic.next(self.state)
        if action is not None:
            return action
        board, game = self.tower.board, self.tower.game
        for index in bits(game.candidates(self.state) & board.object_mask):
            thing = board.objects[index]
            if thing.goal or not thing.actions or not thing.kind.blocks:
                continue
            action = thing.actions[0]
            if action.code == FIGHT:
                if game.loss(self.state, index) == 0:
                    return action
            elif not action.row.cost or self._plenty(action):
                return action
        return None

    def _plenty(self, action: Action) -> bool:
        """Whether the keys suffice for all doors of a door's colour."""
        lock = pack(named(action.row.cost), 2)
        if pack(named(action.row.cost), 1):
            return False
        for place, _, *words in self.problem.locks.tolist():
            if place >= 0 and lock == 1 << place:
                mask = sum((w & (1 << 64) - 1) << 64 * i for i, w in enumerate(words))
                doors = [self.problem.order[g] for g in bits(mask)]
                left = [i for i in doors if not self.state.world.gone >> i & 1]
                return self.state.hero[action.row.cost[0][0]] >= len(left)
        return False

    def choose(self, choice: list[int]) -> None:
        """Make a choice, and first what it needs."""
        thing = self.tower.board.objects[self.problem.order[choice[V_GATE]]]
        for action in self._improvements(choice[VARIANT:]):
            self.act(action)
        for action in thing.actions:
            if (action.code == BOMB) == bool(choice[V_BOMB]):
                self.act(action)
                break
        self.settle()

    def _improvements(self, counts: list[int]) -> Iterator[Action]:
        """The purchases and crystals that a choice asks for."""
        board, problem = self.tower.board, self.problem
        for c, row in enumerate(problem.classes.tolist()):
            wanted = [stat for stat in range(3) for _ in range(counts[3 * c + stat])]
            if row[C_PRICE]:
                yield from (problem.shop[stat] for stat in wanted)
                continue
            near = self.tower.game.candidates(self.state)
            crystals = [
                board.objects[index]
                for g, index in enumerate(problem.order[: problem.gateways])
                if near >> index & 1
                and board.objects[index].actions[0].code == CHOOSE
                and problem.objects[g, O_CLASS] == c
            ]
            for stat, thing in zip(wanted, crystals, strict=False):
                yield next(a for a in thing.actions if _stat(a) == stat)


def _stat(action: Action) -> int:
    """The number of the attribute that an improvement raises."""
    return STATS.index(RESOURCES[action.row.gain[0][0]])
