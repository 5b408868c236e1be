"""Cells of a floor: what stands on them, what is reached, what cuts them off."""

from __future__ import annotations

from mt_gym.engine.board import Board
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower


def floor_cells(board: Board, floor: int) -> range:
    """The cells of a floor."""
    ends = [*board.offsets, board.n_cells]
    return range(ends[floor], ends[floor + 1])


def floor_plan(tower: Tower, floor: int) -> dict[int, tuple[int, ...]]:
    """The cells of a floor that are no bare walls, with their neighbours there."""
    found = tower.caches.setdefault("floor plans", {})
    if floor not in found:
        board = tower.board
        cells = [
            cell
            for cell in floor_cells(board, floor)
            if not board.wall[cell] or cell in board.at
        ]
        own = frozenset(cells)
        found[floor] = {
            cell: tuple(other for other in board.steps[cell] if other in own)
            for cell in cells
        }
    return found[floor]  # type: ignore[no-any-return]


def there(board: Board, state: State, cell: int) -> int:
    """The object that stands on a cell now; -1 if there is none."""
    away = state.world.gone | state.world.hidden
    for index in board.at.get(cell, ()):
        if not away >> index & 1:
            return index
    return -1


def floors_in_reach(tower: Tower, state: State) -> int:
    """Mask of the visited floors that the hero can walk to.

    All of them, but for those below one-way stairs.
    """
    board, reach = tower.board, state.hero.reach
    mask, visited = 0, state.world.visited
    for floor in bits(visited):
        if reach & (board.floor_mask[floor] | board.floor_regions[floor]):
            mask |= 1 << floor
    return mask


def is_reached(board: Board, state: State, cell: int) -> bool:
    """Whether the hero can walk to a cell for nothing."""
    reach = state.hero.reach
    region = board.region_of[cell]
    if region >= 0:
        return bool(reach >> (board.n_objects + region) & 1)
    if not any(reach >> index & 1 for index in board.at.get(cell, ())):
        return False
    return board.is_open(cell, state.world.gone, state.world.hidden)


def is_cut(tower: Tower, state: State, thing: int, target: int) -> bool:
    """Whether an object, left as the only obstacle of its floor, cuts a cell off."""
    board = tower.board
    plan = floor_plan(tower, board.cell_floor[target])
    wall = board.objects[thing].cell
    stack = [cell for cell in plan if is_reached(board, state, cell)]
    seen = {wall, *stack}
    while stack:
        for other in plan[stack.pop()]:
            if other == target and other != wall:
                return False
            if other not in seen and _can_open(board, state, other):
                seen.add(other)
                stack.append(other)
    return True


def _can_open(board: Board, state: State, cell: int) -> bool:
    thing = there(board, state, cell)
    if thing < 0:
        return board.is_open(cell, state.world.gone, state.world.hidden)
    own = board.objects[thing]
    removed = any(action.row.removes for action in own.actions)
    return own.kind.type == "bars" or removed
