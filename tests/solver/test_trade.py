"""The compiled search for purchases, tools and choices, on random `.mt` floors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mt_gym.engine.formats import mt
from mt_gym.engine.formats.key_writer import write_keys
from mt_gym.engine.kinds import RESOURCES, amounts
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver import general, solve
from mt_gym.solver.limits import Budget
from mt_gym.solver.trade import run as trade
from mt_gym.solver.trade import states, worth
from mt_gym.solver.trade.play import route_of
from mt_gym.solver.trade.problem import build
from mt_gym.solver.trade.search import Search
from mt_gym.solver.trade.tables import NotTrade, guards, pack
from tests.formats.random_mt import random_floor
from tests.oracles.mtsim import Sim
from tests.solver.brute import TooMany, state_values
from tests.solver.towers import small_tower

SEEDS = range(60)
STATES = 4000
"""States that the brute force of a quick test may visit."""


def floor(seed: int) -> tuple[Tower, str] | None:
    text = random_floor(np.random.default_rng(seed))
    tower = Tower(mt.loads(text))
    return None if tower.problems() else (tower, text)


def found(tower: Tower, state: State) -> int:
    result = trade.run(tower, state, Budget.of(None, None, "1GiB"))
    assert result.proved and result.bound == result.best
    return result.best


def values_of(tower: Tower, most: int) -> dict[State, int]:
    try:
        return state_values(tower, tower.initial_state(), most)
    except TooMany:
        return {}


def test_every_route_ends_as_promised_in_the_simulator() -> None:
    won = 0
    verbs: set[str] = set()
    for seed in SEEDS:
        if (pair := floor(seed)) is None:
            continue
        tower, text = pair
        solution = solve(tower)
        assert solution.status != "bounded"
        if solution.hp is not None:
            sim = Sim.read(text)
            sim.play(write_keys(tower, solution.route))
            assert sim.flags == 1
            assert sim.bag["hp"] == solution.hp
            won += 1
            verbs |= {action.verb for action in solution.route}
    assert won > 40
    assert {"fight", "open", "choose", "buy", "break", "bomb"} <= verbs


def check_values(seeds: range, most: int, states_each: int) -> int:
    """Compare the values of some states with the brute force; how many."""
    checked = 0
    for seed in seeds:
        if (pair := floor(seed)) is None:
            continue
        right = values_of(pair[0], most)
        states_of = list(right)
        order = np.random.default_rng(seed).permutation(len(states_of))
        for i in [len(states_of) - 1, *order[:states_each]] if right else []:
            state = states_of[int(i)]
            if not state.won and state.hero.hp > 0:
                assert found(pair[0], state) == right[state], seed
                checked += 1
    return checked


def test_values_equal_brute_force_along_an_episode() -> None:
    assert check_values(range(200, 240), STATES, 3) > 8


@pytest.mark.slow
def test_values_equal_brute_force_on_many() -> None:
    assert check_values(range(300, 500), 40_000, 6) > 200


@pytest.mark.parametrize("name", ["shop", "shop, growing price"])
def test_values_with_a_shop_in_a_place_equal_brute_force(name: str) -> None:
    """All three offers are bought on these floors."""
    bought: set[str] = set()
    checked = 0
    for seed in range(25):
        data = small_tower(name, seed).data
        hero = {**dict(data.hero), "gold": 40}
        tower = Tower(replace(data, hero=amounts(hero)))
        for action in solve(tower).route:
            if action.verb == "buy":
                bought |= {RESOURCES[resource] for resource, _ in action.row.gain}
        if not (right := values_of(tower, STATES)):
            continue
        states_of = list(right)
        order = np.random.default_rng(seed).permutation(len(states_of))
        for i in [len(states_of) - 1, *order[:4]]:
            state = states_of[int(i)]
            if not state.won and state.hero.hp > 0:
                assert found(tower, state) == right[state], seed
                checked += 1
    assert checked > 30
    assert bought == {"hp", "atk", "def"}


@pytest.mark.slow
def test_optimum_equals_the_general_search() -> None:
    proved = 0
    for seed in range(1000, 1030):
        if (pair := floor(seed)) is None:
            continue
        tower, start = pair[0], pair[0].initial_state()
        other = general.run(tower, start, Budget.of(1000, None, "1GiB"))
        best = found(tower, start)
        assert best >= other.best
        if other.proved:
            proved += 1
            assert best == other.best, seed
    assert proved > 5


def test_a_narrow_beam_never_claims_more_than_the_optimum() -> None:
    for seed in SEEDS[:40]:
        if (pair := floor(seed)) is None:
            continue
        tower, start = pair[0], pair[0].initial_state()
        problem = build(tower, start)
        beam = Search(problem, 2, 0, (8, 400, 20, 60, seed % 8, seed % 2))
        beam.run(Budget.of(None, None, "1GiB"), 0)
        best = found(tower, start)
        assert beam.best <= best
        assert beam.best == best or not beam.complete
        if beam.best:
            route_of(tower, start, problem, beam.choices(), beam.best)


def test_bound_is_a_bound_on_every_state_of_small_floors() -> None:
    checked = 0
    for seed in range(200, 240):
        if (pair := floor(seed)) is None:
            continue
        for state, value in values_of(pair[0], 1000).items():
            if state.won or state.hero.hp <= 0:
                continue
            search = Search(build(pair[0], state), 0, 0)
            bound = worth.bound(search.tables, search.levels[0], search.v)
            assert bound >= value, seed
            checked += 1
    assert checked > 100


@pytest.mark.parametrize("name", ["crystal", "tokens"])
def test_a_fight_may_need_several_improvements_at_once(name: str) -> None:
    """A beam that tries them one by one must not pass for a complete search."""
    tower = load(Path(__file__).parent.parent / "data" / f"{name}.toml")
    start = tower.initial_state()
    assert found(tower, start) == state_values(tower, start)[start]


def test_limits_end_the_search_with_an_honest_answer() -> None:
    tower, _ = next(pair for seed in range(8, 99) if (pair := floor(seed)))
    start = tower.initial_state()
    best = found(tower, start)
    for nodes in range(1, 12):
        solution = solve(tower, node_limit=nodes)
        assert (solution.hp or 0) <= best
        if solution.status != "bounded":
            assert (solution.hp or 0) == best
        elif solution.bound is not None:
            assert solution.bound >= best


def test_packed_words_compare_field_by_field() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        one, two = ({n: int(rng.integers(3)) for n in ("atk", "def", "mdef")},) * 2
        two = {name: int(rng.integers(3)) for name in one}
        right = all(one[name] >= two[name] for name in one)
        assert states.covers(pack(one, 0), pack(two, 0), guards(0)) == right


@pytest.mark.parametrize("name", ["vampires", "rising losses", "shop and vampires"])
def test_what_it_does_not_know_is_refused(name: str) -> None:
    tower = small_tower(name, 0)
    with pytest.raises(NotTrade):
        build(tower, tower.initial_state())
