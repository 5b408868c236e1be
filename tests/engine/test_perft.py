"""Recorded numbers of action sequences, and reach against a flood over cells."""

from __future__ import annotations

import json

import pytest

from mt_gym.engine.kinds import WALL
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower
from tests.engine.towers import DATA, NAMES, states, tower

PERFT: dict[str, list[int]] = json.loads((DATA / "perft.json").read_text())


def perft(game: Tower, state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        perft(game, game.step(state, action), depth - 1)
        for action in game.legal_actions(state)
    )


def test_every_tower_has_recorded_counts() -> None:
    assert sorted(PERFT) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_action_sequences(name: str) -> None:
    game = tower(name)
    start = game.initial_state()
    depths = range(1, len(PERFT[name]) + 1)
    assert [perft(game, start, depth) for depth in depths] == PERFT[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_tower_is_sound_and_winnable(name: str) -> None:
    game = tower(name)
    assert game.problems() == []
    assert any(game.outcome(state) == "won" for state in states(game, limit=20_000))


def touched_objects(game: Tower, state: State) -> set[int]:
    """Objects next to the cells to which a hero can walk, cell by cell."""
    data, world = game.data, state.world
    gone, hidden = set(bits(world.gone)), set(bits(world.hidden))
    here: dict[tuple[str, int, int], list[int]] = {}
    stairs: dict[tuple[str, int, int], list[tuple[str, int, int]]] = {}
    for thing in game.board.objects:
        if thing.spot is None:
            continue
        cell = (thing.spot.floor, thing.spot.x, thing.spot.y)
        here.setdefault(cell, []).append(thing.index)
        climbed = thing.kind.type == "stairs" and thing.index in gone
        if climbed and not thing.placement.one_way:
            end = game.board.spots[thing.landing]
            other = (end.floor, end.x, end.y)
            stairs.setdefault(cell, []).append(other)
            stairs.setdefault(other, []).append(cell)
    for one, two in data.portals:
        first, second = (one.floor, one.x, one.y), (two.floor, two.x, two.y)
        stairs.setdefault(first, []).append(second)
        stairs.setdefault(second, []).append(first)
    rows = {floor.id: floor.rows for floor in data.floors}

    def exists(cell: tuple[str, int, int]) -> bool:
        floor, x, y = cell
        return 0 <= y < len(rows[floor]) and 0 <= x < len(rows[floor][0])

    def stands(cell: tuple[str, int, int]) -> bool:
        floor, x, y = cell
        things = here.get(cell, [])
        present = [i for i in things if i not in gone and i not in hidden]
        if any(game.board.objects[i].kind.blocks for i in present):
            return False
        return rows[floor][y][x] != WALL or any(i in gone for i in things)

    spot = game.board.spots[state.hero.position]
    stack = [(spot.floor, spot.x, spot.y)]
    if not stands(stack[0]):  # on what a monster left: back to where he came from
        x, y = spot.x, spot.y
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        stack = [(spot.floor, *cell) for cell in beside]
        stack = [cell for cell in stack if exists(cell) and stands(cell)]
    seen = set(stack)
    found: set[int] = set()
    while stack:
        cell = stack.pop()
        floor, x, y = cell
        around = [(floor, x + 1, y), (floor, x - 1, y), (floor, x, y + 1)]
        around += [(floor, x, y - 1), *stairs.get(cell, [])]
        found.update(here.get(cell, []))
        for other in around:
            if not exists(other):
                continue
            found.update(here.get(other, []))
            if stands(other) and other not in seen:
                seen.add(other)
                stack.append(other)
    found |= {o.index for o in game.board.objects if o.spot is None}
    return found - gone - hidden


@pytest.mark.parametrize("name", NAMES)
def test_objects_in_reach_are_those_a_walk_over_cells_touches(name: str) -> None:
    game = tower(name)
    for state in states(game):
        assert set(bits(game.game.candidates(state))) == touched_objects(game, state)
