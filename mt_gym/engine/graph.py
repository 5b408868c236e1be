"""Cells and regions of a tower, and walks over them.

A region is a set of cells joined by steps and portals on which nothing that blocks
can ever stand.  Masks number their nodes: objects first, in the order of floors
and reading order, then regions.
"""

from __future__ import annotations

from typing import NamedTuple

from mt_gym.engine.actions import NO_CELL
from mt_gym.engine.kinds import (
    BUILT_IN,
    GROUND,
    START,
    WALL,
    Kind,
    Placement,
    Spot,
    TowerData,
)


class Placed(NamedTuple):
    """An object on its cell, before its actions are compiled."""

    floor: int
    spot: Spot | None
    kind: Kind
    placement: Placement
    hidden: bool


class Graph:
    """Where things are and what touches what.

    Attributes:
        placed: every object that may ever exist, by number.
        at: objects of a cell, the visible one first.
        steps: per cell, its neighbours: up, left, right, down, then portals.
        region_of: per cell, its region, or -1 for walls and objects that block.
        region_near: per region, the nodes next to or in it, itself included.
        anywhere: objects without a cell, which are always in reach.
        start_reach: nodes that the hero reaches before the first action.
    """

    def __init__(self, data: TowerData) -> None:
        self.data = data
        self.kinds = {kind.name: kind for kind in (*BUILT_IN, *data.kinds)}
        self._lay_out()
        self._place()
        self._link_cells()
        self._find_regions()
        self._touch_regions()
        self.anywhere = sum(
            1 << index for index, thing in enumerate(self.placed) if thing.spot is None
        )
        self.start_reach = self.near_cell(self.start_cell) | self.anywhere

    def _lay_out(self) -> None:
        floors = self.data.floors
        self.floor_ids = tuple(floor.id for floor in floors)
        self.floor_number = {fid: i for i, fid in enumerate(self.floor_ids)}
        self.offsets: list[int] = []
        self.spots: list[Spot] = []
        for floor in floors:
            self.offsets.append(len(self.spots))
            self.spots += [
                Spot(floor.id, x, y)
                for y in range(floor.height)
                for x in range(floor.width)
            ]
        self.n_cells = len(self.spots)
        self.cell_floor = [self.floor_number[spot.floor] for spot in self.spots]

    def cell(self, spot: Spot) -> int:
        """Number of a cell."""
        number = self.floor_number[spot.floor]
        return self.offsets[number] + spot.y * self.data.floors[number].width + spot.x

    def _place(self) -> None:
        self.placed: list[Placed] = []
        self.wall = [False] * self.n_cells
        self.start_cell = NO_CELL
        for number, floor in enumerate(self.data.floors):
            legend = dict(floor.legend)
            here: list[Placed] = []
            for y, row in enumerate(floor.rows):
                for x, letter in enumerate(row):
                    spot = Spot(floor.id, x, y)
                    if letter == WALL:
                        self.wall[self.cell(spot)] = True
                    elif letter == START:
                        self.start_cell = self.cell(spot)
                    elif letter != GROUND:
                        place = legend[letter]
                        kind = self.kinds[place.kind]
                        here.append(Placed(number, spot, kind, place, False))
            for hidden in floor.hidden:
                kind = self.kinds[hidden.placement.kind]
                here.append(Placed(number, hidden.spot, kind, hidden.placement, True))
            here.sort(key=_reading_order)
            self.placed += here
        for kind in self.data.kinds:
            if kind.anywhere:
                self.placed.append(Placed(0, None, kind, Placement(kind.name), False))
        self.n_objects = len(self.placed)
        self.at: dict[int, list[int]] = {}
        for index, thing in enumerate(self.placed):
            if thing.spot is not None:
                self.at.setdefault(self.cell(thing.spot), []).append(index)

    def object_at(self, spot: Spot) -> int:
        """Number of the object at a spot, the hidden one last; -1 for none."""
        found = self.at.get(self.cell(spot), [])
        return found[0] if found else -1

    def _link_cells(self) -> None:
        steps: list[list[int]] = []
        for spot in self.spots:
            floor = self.data.floors[self.floor_number[spot.floor]]
            steps.append(
                [
                    self.cell(Spot(spot.floor, x, y))
                    for x, y in (
                        (spot.x, spot.y - 1),
                        (spot.x - 1, spot.y),
                        (spot.x + 1, spot.y),
                        (spot.x, spot.y + 1),
                    )
                    if 0 <= x < floor.width and 0 <= y < floor.height
                ]
            )
        for one, two in self.data.portals:
            a, b = self.cell(one), self.cell(two)
            if b not in steps[a]:
                steps[a].append(b)
                steps[b].append(a)
        self.steps = tuple(tuple(found) for found in steps)

    def _blocking(self, cell: int) -> bool:
        return any(self.placed[i].kind.blocks for i in self.at.get(cell, ()))

    def _find_regions(self) -> None:
        free = [
            not self.wall[cell] and not self._blocking(cell)
            for cell in range(self.n_cells)
        ]
        self.region_of = [-1] * self.n_cells
        self.n_regions = 0
        for start in range(self.n_cells):
            if not free[start] or self.region_of[start] >= 0:
                continue
            stack = [start]
            self.region_of[start] = self.n_regions
            while stack:
                for cell in self.steps[stack.pop()]:
                    if free[cell] and self.region_of[cell] < 0:
                        self.region_of[cell] = self.n_regions
                        stack.append(cell)
            self.n_regions += 1

    def _touch_regions(self) -> None:
        touching = [1 << (self.n_objects + r) for r in range(self.n_regions)]
        for cell, found in self.at.items():
            mask = sum(1 << i for i in found)
            inside = self.region_of[cell]
            for other in (cell,) if inside >= 0 else self.steps[cell]:
                if self.region_of[other] >= 0:
                    touching[self.region_of[other]] |= mask
        self.region_near = tuple(touching)
        self._cell_near: dict[int, int] = {}

    def near_cell(self, cell: int) -> int:
        """Nodes exposed when a hero can stand on a cell."""
        known = self._cell_near.get(cell)
        if known is not None:
            return known
        region = self.region_of[cell]
        if region >= 0:
            mask = self.region_near[region]
        else:
            mask = 0
            for other in self.steps[cell]:
                if self.region_of[other] >= 0:
                    mask |= self.region_near[self.region_of[other]]
                for index in self.at.get(other, ()):
                    mask |= 1 << index
            for index in self.at.get(cell, ()):
                mask |= 1 << index
        self._cell_near[cell] = mask
        return mask

    def is_open(self, cell: int, gone: int, hidden: int) -> bool:
        """Whether a hero could stand on a cell."""
        found = self.at.get(cell)
        if not found:
            return not self.wall[cell]
        if all((gone | hidden) >> i & 1 for i in found):
            return not self.wall[cell] or any(gone >> i & 1 for i in found)
        return not any(
            self.placed[i].kind.blocks and not (gone | hidden) >> i & 1 for i in found
        )

    def distances(self, start: int, gone: int, hidden: int) -> dict[int, int]:
        """Walking distance to every open cell of one floor and the cells around.

        Obstacles are entered but not left.  The order of the result is the order
        of the search: by distance, ties up, left, right, down from the hero on.
        """
        distance = {start: 0}
        queue = [start]
        floor = self.cell_floor[start]
        for cell in queue:
            if cell != start and not self.is_open(cell, gone, hidden):
                continue
            for other in self.steps[cell]:
                if other not in distance and self.cell_floor[other] == floor:
                    if not self.wall[other] or other in self.at:
                        distance[other] = distance[cell] + 1
                        queue.append(other)
        return distance

    def path(self, start: int, target: int, gone: int, hidden: int) -> list[int]:
        """Cells of a shortest walk from `start` to `target`, both included.

        Empty if there is none on this floor.
        """
        distance = self.distances(start, gone, hidden)
        if target not in distance:
            return []
        walk = [target]
        while walk[-1] != start:
            cell = walk[-1]
            walk.append(
                next(
                    other
                    for other in self.steps[cell]
                    if distance.get(other) == distance[cell] - 1
                    and (other == start or self.is_open(other, gone, hidden))
                )
            )
        return walk[::-1]


def _reading_order(thing: Placed) -> tuple[int, int, bool]:
    assert thing.spot is not None
    return (thing.spot.y, thing.spot.x, thing.hidden)
