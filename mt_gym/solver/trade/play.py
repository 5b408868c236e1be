"""The engine's actions of the choices that a search made."""

from __future__ import annotations

from collections.abc import Iterator

from mt_gym.engine.actions import BOMB, CHOOSE, FIGHT, Action
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import as_mask
from mt_gym.solver.safety import Automatic
from mt_gym.solver.trade.goods import RAISED
from mt_gym.solver.trade.tables import (
    C_PRICE,
    GIFTS,
    O_CLASS,
    O_TYPE,
    WALL,
    Problem,
    named,
    pack,
)
from mt_gym.solver.trade.ways import V_BOMB, V_GATE, VARIANT


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
        self.known = self.not_walls = self.tools = 0
        for g, index in enumerate(problem.order):
            self.known |= 1 << index
            if problem.objects[g, O_TYPE] != WALL:
                self.not_walls |= 1 << index
            if int(problem.tools[g >> 6]) >> (g & 63) & 1:
                self.tools |= 1 << index
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
            elif self._is_gone(index):
                continue
            elif not action.row.cost or self._plenty(action):
                return action
        return None

    def _plenty(self, action: Action) -> bool:
        """Whether the keys suffice for all doors of a door's colour that matter."""
        lock = pack(named(action.row.cost), 2)
        if pack(named(action.row.cost), 1):
            return False
        for place, _, *words in self.problem.locks.tolist():
            if place >= 0 and lock == 1 << place:
                doors = [self.problem.order[g] for g in bits(as_mask(words))]
                left = [i for i in doors if not self._is_gone(i)]
                return self.state.hero[action.row.cost[0][0]] >= len(left)
        return False

    def _is_gone(self, index: int) -> bool:
        """Whether a door is open, or in reach and opens nothing; see `states.fold`."""
        reach = self.state.hero.reach
        if not reach >> index & 1:
            return False
        if self.state.world.gone >> index & 1:
            return True
        if named(self.tower.board.objects[index].actions[0].row.gain):
            return False
        new = self.tower.board.near[index] & self.known & ~reach
        return not new & (self.not_walls if self._sealed() else -1)

    def _sealed(self) -> bool:
        """Whether no pickaxe is left."""
        return not self.state.hero.pickaxe and not self.tools & ~self.state.hero.reach

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
            own = counts[GIFTS * c : GIFTS * (c + 1)]
            wanted = [gift for gift in range(GIFTS) for _ in range(own[gift])]
            if row[C_PRICE]:
                yield from (problem.shop[gift] for gift in wanted)
                continue
            near = self.tower.game.candidates(self.state)
            crystals = [
                board.objects[index]
                for g, index in enumerate(problem.order[: problem.gateways])
                if near >> index & 1
                and board.objects[index].actions[0].code == CHOOSE
                and problem.objects[g, O_CLASS] == c
            ]
            for gift, thing in zip(wanted, crystals, strict=False):
                yield next(a for a in thing.actions if _gift(a) == gift)


def _gift(action: Action) -> int:
    """The column of what an improvement raises."""
    return RAISED[RESOURCES[action.row.gain[0][0]]]
