"""The cheapest way on one floor: unwinnable fights, then HP, doors and steps.

One search a floor gives the ways to all its cells.  Walls, shops and characters that
stay are not passed; what only a script removes counts as a fight that cannot be won.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from mt_gym.analysis.memory import memory
from mt_gym.analysis.tower.cells import floor_plan, is_reached, there
from mt_gym.engine.board import NO_CELL
from mt_gym.engine.kinds import KEYS, RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import REACH, State
from mt_gym.engine.tower import Tower

_BITS = 20
STEP = 1
DOOR = 1 << _BITS
HP_UNIT = 1 << 2 * _BITS
BARRED = 1 << 5 * _BITS
"""Weights of a step, a door, an HP and an unwinnable fight; sums never overlap."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something on a way that has to be passed.

    Attributes:
        thing: its object.
        type: `fight`, `door`, `gate`, `character`, or `script` for what an event
            alone can remove.
        cost: HP of a fight at the current attributes; None if it cannot be won.
    """

    thing: int
    type: str
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """The cheapest way to a cell.

    Attributes:
        target: the cell.
        things: every object on it that is there, in path order, the target's own
            only if it is a monster.
        obstacles: those that have to be passed.
    """

    target: int
    things: tuple[int, ...]
    obstacles: tuple[Obstacle, ...]

    @property
    def fights(self) -> tuple[Obstacle, ...]:
        """Its fights, in path order."""
        return tuple(one for one in self.obstacles if one.type == "fight")

    @property
    def cost(self) -> int:
        """HP of all fights that can be won."""
        return sum(one.cost or 0 for one in self.obstacles)

    @property
    def unwinnable(self) -> int:
        """Fights that cannot be won."""
        return sum(one.cost is None for one in self.fights)

    @property
    def doors(self) -> tuple[int, ...]:
        """Closed doors, in path order."""
        return tuple(one.thing for one in self.obstacles if one.type == "door")


class FloorWays:
    """The ways from what the hero reaches of a floor to all its cells."""

    def __init__(self, tower: Tower, state: State, floor: int) -> None:
        self.tower, self.state = tower, state
        self._before: dict[int, int] = {}
        self._known: dict[int, Way | None] = {}
        self._weights: dict[int, tuple[int, bool]] = {}
        self._search(floor)

    def _search(self, floor: int) -> None:
        """Dijkstra from every cell in reach; heap ties by reading order."""
        board, before = self.tower.board, self._before
        plan = floor_plan(self.tower, floor)
        sources = [cell for cell in plan if is_reached(board, self.state, cell)]
        before.update(dict.fromkeys(sources, NO_CELL))
        distance: dict[int, int] = dict.fromkeys(sources, 0)
        heap: list[tuple[int, int]] = []
        queue = [(0, cell) for cell in reversed(sources)]
        while queue or heap:
            far, cell = queue.pop() if queue else heappop(heap)
            if far > distance[cell] or (far and not self._weight(cell)[1]):
                continue
            for other in plan[cell]:
                if distance.get(other) == 0:
                    continue
                weight = self._weight(other)[0]
                if weight < 0:
                    continue
                total = far + weight
                if total < distance.get(other, total + 1):
                    distance[other] = total
                    before[other] = cell
                    heappush(heap, (total, other))

    def _weight(self, cell: int) -> tuple[int, bool]:
        """Weight of stepping onto a cell (-1: never), and whether a way leads on."""
        known = self._weights.get(cell)
        if known is None:
            known = self._weights[cell] = self._weigh(cell)
        return known

    def _weigh(self, cell: int) -> tuple[int, bool]:
        board, world = self.tower.board, self.state.world
        thing = there(board, self.state, cell)
        if thing < 0:
            free = board.is_open(cell, world.gone, world.hidden)
            return (STEP, True) if free else (-1, False)
        found = obstacle(self.tower, self.state, thing)
        if found is None:
            kind = board.objects[thing].kind
            if kind.type == "wall":
                return -1, False
            stays = kind.type in ("shop", "trade", "character", "goal")
            lost = board.objects[thing].placement.one_way
            return STEP, not (stays or lost)
        if found.type == "door":
            return DOOR + STEP, True
        if found.type == "script":
            return BARRED + STEP, True
        if found.type == "fight":
            if found.cost is None:
                return BARRED + STEP, True
            goal = board.goal_mask >> thing & 1
            return found.cost * HP_UNIT + STEP, not goal
        return STEP, True

    def way(self, cell: int) -> Way | None:
        """The way to a cell; None if there is none."""
        if cell not in self._known:
            self._known[cell] = self._trace(cell)
        return self._known[cell]

    def _trace(self, cell: int) -> Way | None:
        if cell not in self._before:
            return None
        path, board = [cell], self.tower.board
        while self._before[path[-1]] != NO_CELL:
            path.append(self._before[path[-1]])
        things = []
        for one in reversed(path):
            thing = there(board, self.state, one)
            if thing >= 0 and (one != cell or board.monster_mask >> thing & 1):
                things.append(thing)
        found = (obstacle(self.tower, self.state, thing) for thing in things)
        return Way(cell, tuple(things), tuple(o for o in found if o is not None))


def floor_ways(tower: Tower, state: State, floor: int) -> FloorWays:
    """The ways of a floor, remembered as long as nothing that matters changes."""
    board = tower.board
    world, hero = state
    here = board.floor_mask[floor]
    known = memory(tower, "ways")
    present = here & ~(world.gone | world.hidden)
    numbers = hero[:REACH] if present & _moody(tower) else hero[1:4]
    key = (
        *(floor, world.gone & here, world.hidden & here, world.flags, world.epochs),
        hero[REACH] & (here | board.floor_regions[floor]),
        numbers,
    )
    found = known.recall(key)
    if found is None:
        found = known.keep(key, FloorWays(tower, state, floor))
    return found  # type: ignore[no-any-return]


def _moody(tower: Tower) -> int:
    """Objects whose place on a way depends on more than the hero's attributes."""
    found = tower.caches.get("moody")
    if found is None:
        found = tower.board.mask(
            lambda o: (
                o.kind.abilities.vampire is not None
                or any(a.row.needs for a in o.actions)
                or (o.kind.type == "character" and any(a.row.cost for a in o.actions))
            )
        )
        tower.caches["moody"] = found
    return int(found)


def way_to(tower: Tower, state: State, thing: int) -> Way | None:
    """The way on its own floor to an object."""
    own = tower.board.objects[thing]
    return floor_ways(tower, state, own.floor).way(own.cell)


def obstacle(tower: Tower, state: State, thing: int) -> Obstacle | None:
    """What an object is on a way; None if it is none, or if no way leads past it."""
    board = tower.board
    own = board.objects[thing]
    kind = own.kind.type
    if kind == "bars":
        return Obstacle(thing, "script")
    if kind == "character":
        leaves = any(
            a.row.removes >> thing & 1 and tower.game.payable(state, a)
            for a in own.actions
        )
        return Obstacle(thing, "character") if leaves else None
    if kind not in ("monster", "door", "gate"):
        return None
    row = own.actions[0].row
    if row.conditional and not tower.game.holds(state, row):
        return Obstacle(thing, "script")
    if kind == "monster":
        cost = tower.game.loss(state, thing)
        return Obstacle(thing, "fight", None if cost == UNWINNABLE else cost)
    return Obstacle(thing, kind)


def door_colours(tower: Tower, things: Iterator[int] | tuple[int, ...]) -> list[int]:
    """How many keys of each colour doors take, in the order of `kinds.KEYS`."""
    counts = [0] * len(KEYS)
    for index in things:
        for slot, amount in tower.board.objects[index].actions[0].row.cost:
            if RESOURCES[slot] in KEYS:
                counts[KEYS.index(RESOURCES[slot])] += amount
    return counts
