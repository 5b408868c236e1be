"""The optimum against a brute force that merges nothing, on random small towers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.solver import REDUCTIONS, solve
from tests.solver.brute import TooMany, best, state_values
from tests.solver.towers import RECIPES, small_tower

QUICK, SLOW = range(12), range(12, 72)
"""72 towers of each of 18 classes, less those too big for a brute force."""

SMALL_FILES = sorted(Path(__file__).parent.parent.joinpath("data").glob("*.toml"))

COMBINATIONS = tuple(
    tuple(name for i, name in enumerate(REDUCTIONS) if bits >> i & 1)
    for bits in range(1 << len(REDUCTIONS))
)


def check(tower: Tower, combinations: tuple[tuple[str, ...], ...]) -> str:
    """Compare all combinations with the brute force; what the answer was."""
    state = tower.initial_state()
    try:
        right = best(tower, state, 60_000)
    except TooMany:
        return "too big"
    for reductions in (None, *combinations):
        solution = solve(tower, reductions=reductions)
        assert solution.hp == right, reductions
        assert solution.status == ("infeasible" if right is None else "optimal")
        assert solution.bound == right
        end = state
        for action in solution.route:
            end = tower.step(end, action)
        assert (end.hero.hp if end.won else None) == right, "the route ends elsewhere"
    return "lost" if right is None else "won"


@pytest.mark.parametrize("name", RECIPES)
def test_optimum_equals_brute_force(name: str) -> None:
    found = Counter(check(small_tower(name, seed), ((),)) for seed in QUICK)
    assert found["won"] and found["lost"], f"one-sided towers: {found}"


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_optimum_equals_brute_force_on_many(name: str) -> None:
    some = COMBINATIONS[:: len(COMBINATIONS) // 5]
    found = Counter(check(small_tower(name, seed), some) for seed in SLOW)
    assert found["won"] + found["lost"] >= len(SLOW) * 0.7, found


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_every_combination_of_reductions_gives_the_same_value(name: str) -> None:
    found = Counter(check(small_tower(name, seed), COMBINATIONS) for seed in range(3))
    assert found["won"] + found["lost"]


@pytest.mark.parametrize("path", SMALL_FILES, ids=lambda path: path.stem)
def test_every_kind_of_object_is_solved_as_by_brute_force(path: Path) -> None:
    assert check(load(path), ((),)) != "too big"


@pytest.mark.parametrize("name", RECIPES)
def test_values_along_an_episode_equal_brute_force(name: str) -> None:
    rng = np.random.default_rng(5)
    for seed in range(2):
        tower = small_tower(name, seed)
        try:
            right = state_values(tower, tower.initial_state(), 60_000)
        except TooMany:
            continue
        states = list(right)
        for i in rng.permutation(len(states))[:40]:
            state = states[int(i)]
            assert (solve(tower, state).hp or 0) == right[state]


def test_simple_floor_has_its_known_optimum_and_counts() -> None:
    tower = load("simple")
    assert solve(tower).hp == 13
    plain = solve(tower, reductions=("items", "free"))
    assert (plain.hp, plain.expanded) == (13, 1449)
