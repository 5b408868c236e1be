"""One name for all twins of a floor: turned, mirrored, renamed or reordered ones.

Coarser than equality: floors that differ only in start HP, in texts or in scripts
share a form too, so that nothing learnt by heart crosses from one set to another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from mt_gym.engine.kinds import BUILT_IN, GROUND, START, WALL, Floor, Kind, TowerData

Grid = tuple[tuple[str, ...], ...]


def canonical_form(data: TowerData) -> str:
    """Digest that a floor shares with its twins and hardly with anything else."""
    kinds = {kind.name: _token(kind, data) for kind in (*BUILT_IN, *data.kinds)}
    grids = [_cropped(_grid(floor, kinds)) for floor in data.floors]
    turned = zip(*(_turns(grid) for grid in grids), strict=True)
    drawings = min(sorted(floors) for floors in turned)
    hero = tuple(pair for pair in data.hero if pair[0] != "hp")
    return hashlib.sha256(repr((hero, drawings)).encode()).hexdigest()[:16]


def _token(kind: Kind, data: TowerData) -> str:
    """Everything of a kind that the rules know, without its name."""
    rows = [
        (row.verb, row.cost, row.gain, row.growth, row.consumes, len(row.effects))
        for row in kind.rows
    ]
    values = [(v.hp, v.atk, v.defense, v.gold, v.exp) for v in kind.values]
    goal = kind.name == data.goal.name or kind.type == "goal"
    return repr((kind.type, rows, values, kind.abilities, goal))


def _grid(floor: Floor, kinds: dict[str, str]) -> Grid:
    legend = {letter: kinds[place.kind] for letter, place in floor.legend}
    plain = {WALL: WALL, GROUND: GROUND, START: START}
    cells = [[(plain | legend)[letter] for letter in row] for row in floor.rows]
    for hidden in floor.hidden:
        spot = hidden.spot
        cells[spot.y][spot.x] += "?" + kinds[hidden.placement.kind]
    return tuple(tuple(row) for row in cells)


def _cropped(grid: Grid) -> Grid:
    """Without rows and columns of wall at the edge."""
    for _ in range(4):
        while grid and all(cell == WALL for cell in grid[0]):
            grid = grid[1:]
        grid = _quarter(grid)
    return grid


def _quarter(grid: Grid) -> Grid:
    return tuple(tuple(column)[::-1] for column in zip(*grid, strict=True))


def _turns(grid: Grid) -> Iterator[Grid]:
    """The grid in all eight positions, always in the same order."""
    for _ in range(2):
        for _ in range(4):
            yield grid
            grid = _quarter(grid)
        grid = tuple(row[::-1] for row in grid)
