"""Routes, cell by cell, in a simulator that shares no code with the engine."""

from __future__ import annotations

import pytest

from mt_gym.engine.kinds import Kind
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.solver import solve
from tests.oracles.cellsim import Door, Floor, Gate, Hero, Item, Monster, Thing
from tests.solver.towers import RECIPES, small_tower

ONE_FLOOR = [
    name
    for name, recipe in RECIPES.items()
    if recipe.floors == 1
    and not (recipe.shop or recipe.holy_water)
    and recipe.goal == "defeat"
]


def thing_of(kind: Kind) -> Thing:
    """A kind as the simulator's thing."""
    if kind.type == "monster":
        able, stats = kind.abilities, kind.values[0]
        return Monster(
            stats.hp,
            stats.atk,
            stats.defense,
            magic=able.magic,
            solid=able.solid,
            mimic=able.mimic,
            first_strike=able.first_strike,
            hits=able.hits,
            vampire=able.vampire,
            counter=able.counter,
            armour_break=able.armour_break,
            purify=able.purify,
            fixed=able.fixed,
            name=kind.name,
            boss=kind.boss,
        )
    row = kind.rows[0]
    if kind.type == "door":
        return Door(row.cost[0][0])
    if kind.type == "gate":
        return Gate()
    gain = dict(row.gain)
    keys = tuple(
        colour
        for colour in ("yellow", "blue", "red", "green")
        for _ in range(gain.get(colour, 0))
    )
    return Item(
        kind.name,
        atk=gain.get("atk", 0),
        defense=gain.get("def", 0),
        mdef=gain.get("mdef", 0),
        hp=gain.get("hp", 0),
        keys=keys,
    )


def simulated(tower: Tower) -> Floor:
    """A tower of one floor in the simulator."""
    drawn = tower.floors[0]
    kinds = tower.board.kinds
    legend = {letter: thing_of(kinds[place.kind]) for letter, place in drawn.legend}
    start = dict(tower.data.hero)
    colours = ("yellow", "blue", "red", "green")
    keys: dict[str, int] = {c: start[c] for c in colours if c in start}
    hero = Hero(
        start["hp"],
        start.get("atk", 0),
        start.get("def", 0),
        start.get("mdef", 0),
        keys=keys,
    )
    return Floor(drawn.rows, legend, hero)


def final_hp(tower: Tower) -> int | None:
    """Final HP of the solver's route in the simulator."""
    route = solve(tower).route
    floor = simulated(tower)
    for action in route:
        assert action.position is not None
        floor.act(action.position)
    return floor.hero.hp if route else None


@pytest.mark.parametrize("name", ONE_FLOOR)
def test_route_leads_to_the_promised_hp_cell_by_cell(name: str) -> None:
    won = 0
    for seed in range(25):
        tower = small_tower(name, seed)
        promised = solve(tower).hp
        assert final_hp(tower) == promised
        won += promised is not None
    assert won


def test_route_on_the_simple_floor_cell_by_cell() -> None:
    assert final_hp(load("simple")) == 13
