"""Upper bounds are bounds, on every state of small floors."""

from __future__ import annotations

import pytest

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver import fast, prepared
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.instance import NotPlain
from tests.solver.brute import TooMany, state_values
from tests.solver.towers import RECIPES, small_tower

SEEDS = range(6)
STATES = 4000


def values_of(tower: Tower) -> dict[State, int]:
    try:
        return state_values(tower, tower.initial_state(), STATES)
    except TooMany:
        return {}


@pytest.mark.parametrize("name", RECIPES)
def test_bound_of_every_state_holds(name: str) -> None:
    checked = 0
    for seed in SEEDS:
        tower = small_tower(name, seed)
        for state, value in values_of(tower).items():
            if state.won or state.hero.hp <= 0:
                continue
            try:
                ready = prepared.prepare(tower, state, None)
            except NotPlain:
                top = ceiling(tower, state)
                assert top is not None
            else:
                top = 0 if ready is None else ready.top
            assert value <= max(0, top), (seed, state.to_json())
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", [n for n in RECIPES if "shop" not in n])
def test_bounds_of_kept_states_hold(name: str) -> None:
    """The bound kept with a state is that of its removed set, not of the start."""
    for seed in SEEDS:
        tower = small_tower(name, seed)
        ready = prepared.prepare(tower, tower.initial_state(), None)
        right = values_of(tower)
        if ready is None or not right:
            continue
        best = right[tower.initial_state()]
        if not best:
            continue
        # A search that has to beat one HP less than the optimum keeps a way to it.
        found = fast.run(tower, tower.initial_state(), fast.unlimited(), beat=best - 1)
        assert (found.proved, found.best) == (True, best)
        found = fast.run(tower, tower.initial_state(), fast.unlimited(), beat=best)
        assert (found.proved, found.order) == (True, [])
