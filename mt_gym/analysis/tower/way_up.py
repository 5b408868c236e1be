"""The way to the next floor: what stands on it, and what coins do to its price."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mt_gym.analysis.costs import Gain, cost_with
from mt_gym.analysis.options import Options
from mt_gym.analysis.tower.cells import (
    is_cut,
)
from mt_gym.analysis.tower.in_order import Verdict, in_order
from mt_gym.analysis.tower.offers import Steps, open_offers, steps
from mt_gym.analysis.tower.scripts import Event, is_to_come, scripts
from mt_gym.analysis.tower.thresholds import atk_for, def_for
from mt_gym.analysis.tower.way import (
    Obstacle,
    Way,
    way_to,
)
from mt_gym.engine.kinds import ATK, DEF
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class StepTable:
    """What purchases of one attribute do to the fights of a way.

    Attributes:
        steps: the purchases.
        costs: per fight in path order, its cost after each step; None if it cannot
            be won then.
    """

    steps: Steps
    costs: tuple[tuple[int | None, ...], ...]

    def total(self, step: int) -> tuple[int, int]:
        """HP of the fights that can be won after a step, and how many cannot."""
        found = [row[step] for row in self.costs]
        return sum(cost or 0 for cost in found), sum(cost is None for cost in found)


class WayUp:
    """The way up from the highest visited floor.

    Attributes:
        floor: number of that floor.
        target: its up-staircase, or the goal monster on the last floor; -1 if there
            are no stairs yet.
        goal: whether the target is the goal.
        reveals: the event that shows the stairs, where there are none yet.
        way: the way to the target; None if there is none.
    """

    def __init__(self, tower: Tower, state: State, options: Options) -> None:
        self.tower, self.state, self.options = tower, state, options
        self.floor = state.world.visited.bit_length() - 1
        self.target, self.goal, self.reveals = _target(tower, state, self.floor)
        self.way: Way | None = None
        if self.target >= 0:
            self.way = way_to(tower, state, self.target)

    @property
    def fights(self) -> tuple[Obstacle, ...]:
        """The fights of the way, in path order."""
        return () if self.way is None else self.way.fights

    @property
    def has_paying_fights(self) -> bool:
        """Whether a fight of the way costs HP or cannot be won."""
        return any(one.cost != 0 for one in self.fights)

    @cached_property
    def every(self) -> int:
        """Mask of the obstacles that lie on every way to the target."""
        mask = 0
        if self.way is not None:
            for one in self.way.obstacles:
                if one.thing == self.target or is_cut(
                    self.tower, self.state, one.thing, self.way.target
                ):
                    mask |= 1 << one.thing
        return mask

    @cached_property
    def mask(self) -> int:
        """Mask of the fights, doors and gates of the way."""
        if self.way is None:
            return 0
        shown = ("fight", "door", "gate")
        return sum(1 << o.thing for o in self.way.obstacles if o.type in shown)

    @property
    def limit(self) -> int:
        """The most HP that a fight within the rule-4 share costs."""
        num, den = self.options.rule4_share
        return self.state.hero.hp * num // den

    @property
    def monsters(self) -> list[int]:
        """Kinds of the fights, in path order, each once."""
        objects = self.tower.board.objects
        return list(dict.fromkeys(objects[one.thing].monster for one in self.fights))

    @cached_property
    def atk_needed(self) -> int | None:
        """Smallest ATK at which every fight is within the share, DEF as it is."""
        return atk_for(self.tower, self.state, self.monsters, self.limit)

    @cached_property
    def def_needed(self) -> int | None:
        """Smallest DEF at which every fight is within the share, ATK as it is."""
        return def_for(self.tower, self.state, self.monsters, self.limit)

    @cached_property
    def tables(self) -> tuple[StepTable, ...]:
        """What purchases of ATK, then of DEF, do; one per attribute on offer."""
        things = tuple(one.thing for one in self.fights)
        return step_tables(self.tower, self.state, things, (ATK, DEF))

    @cached_property
    def verdict(self) -> Verdict | None:
        """The way in path order; None without a way."""
        return None if self.way is None else in_order(self.tower, self.state, self.way)


def step_tables(
    tower: Tower, state: State, things: tuple[int, ...], attributes: tuple[int, ...]
) -> tuple[StepTable, ...]:
    """Costs of fights after one, two and three purchases of each attribute."""
    offers = open_offers(tower, state)
    found = []
    for attribute in attributes:
        table = steps(offers, attribute, state.hero.gold, state.hero.exp)
        if table is None:
            continue
        gains = [
            Gain(atk=points) if attribute == ATK else Gain(defense=points)
            for points in table.points
        ]
        costs = tuple(
            tuple(_cost(tower, state, thing, gain) for gain in gains)
            for thing in things
        )
        found.append(StepTable(table, costs))
    return tuple(found)


def _cost(tower: Tower, state: State, thing: int, gain: Gain) -> int | None:
    cost = cost_with(tower, state, thing, gain)
    return None if cost == UNWINNABLE else cost


def _target(tower: Tower, state: State, floor: int) -> tuple[int, bool, Event | None]:
    """The object that leads up, whether it is the goal, else what will show it."""
    board, world = tower.board, state.world
    present = board.floor_mask[floor] & ~world.gone
    stairs = [
        index
        for index in bits(present & ~board.item_mask)
        if board.objects[index].kind.type == "stairs"
        and board.objects[index].placement.direction != "down"
        and not world.visited >> board.cell_floor[board.objects[index].landing] & 1
    ]
    shown = [index for index in stairs if not world.hidden >> index & 1]
    if shown:
        return min(shown, key=lambda i: _far(tower, state, i)), False, None
    for index in stairs:
        for event in scripts(tower).reveals.get(index, ()):
            if is_to_come(state, event):
                return -1, False, event
    goals = bits(present & ~world.hidden & board.goal_mask)
    return (goals[0] if goals else -1), bool(goals), None


def _far(tower: Tower, state: State, thing: int) -> tuple[int, int, int, int]:
    way = way_to(tower, state, thing)
    if way is None:
        return (1, 0, 0, thing)
    barred = sum(one.type == "script" for one in way.obstacles) + way.unwinnable
    return (0, barred, way.cost, thing)
