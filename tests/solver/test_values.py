"""State values, values of actions and regret."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, LimitReached, StateMismatch
from mt_gym.solver import regret, solve, state_value, values
from tests.solver.towers import RECIPES, small_tower

CLASSES = st.sampled_from([name for name in RECIPES if "shop" not in name])
ANY_CLASS = st.sampled_from(list(RECIPES))


def some_state(tower: Tower, seed: int, steps: int) -> State:
    """A state that random actions lead to."""
    rng = np.random.default_rng(seed)
    state = tower.initial_state()
    for _ in range(steps):
        actions = tower.legal_actions(state)
        if not actions:
            break
        state = tower.step(state, actions[int(rng.integers(len(actions)))])
    return state


SIMPLE = {
    "open 7,0": None,
    "fight 4,2": None,
    "fight 5,3": None,
    "fight 6,4": 13,
    "collect 5,1": 13,
}


def test_first_decision_on_the_simple_floor() -> None:
    tower = load("simple")
    state = tower.step(tower.initial_state(), tower.action("collect 5,1"))
    found = {str(action): value.hp for action, value in values(tower, state).items()}
    assert found == {k: v for k, v in SIMPLE.items() if k != "collect 5,1"}
    assert {value.status for value in values(tower, state).values()} == {
        "optimal",
        "infeasible",
    }
    assert state_value(tower, state) == 13
    assert regret(tower, state, tower.action("fight 6,4")) == 0
    assert regret(tower, state, tower.action("fight 5,3")) == 13


def test_the_action_that_loses_the_goal_costs_all_and_none_after_it() -> None:
    tower = load("simple")
    state = tower.step(tower.initial_state(), tower.action("collect 5,1"))
    lost = tower.step(state, tower.action("fight 5,3"))
    assert state_value(tower, lost) is None
    assert all(regret(tower, lost, a) == 0 for a in tower.legal_actions(lost))


def test_an_action_that_does_nothing_has_no_regret() -> None:
    tower = load("simple")
    start = tower.initial_state()
    boss = tower.action("fight 5,10")
    with pytest.raises(IllegalAction):
        tower.step(start, boss)
    assert regret(tower, start, boss) == 0


@settings(max_examples=60)
@given(CLASSES, st.integers(0, 10_000), st.integers(0, 12))
def test_value_is_the_best_of_the_values_of_actions(
    name: str, seed: int, steps: int
) -> None:
    tower = small_tower(name, seed)
    state = some_state(tower, seed, steps)
    value = state_value(tower, state)
    found = values(tower, state)
    if found:
        best = max((v.hp or 0) for v in found.values())
        assert (value or 0) == best
    regrets = {a: regret(tower, state, a) for a in found}
    assert all(r >= 0 for r in regrets.values())
    if value is not None and not state.won:
        assert min(regrets.values()) == 0
        for action, r in regrets.items():
            assert r == value - (found[action].hp or 0)


@settings(max_examples=60)
@given(ANY_CLASS, st.integers(0, 10_000), st.integers(0, 10), st.integers(1, 60))
def test_more_hp_never_lowers_the_value(
    name: str, seed: int, steps: int, more: int
) -> None:
    tower = small_tower(name, seed)
    state = some_state(tower, seed, steps)
    if state.hero.hp <= 0:
        return
    richer = State(state.world, state.hero._replace(hp=state.hero.hp + more))
    before = solve(tower, state, node_limit=3000)
    after = solve(tower, richer, node_limit=3000)
    if "bounded" not in (before.status, after.status):
        assert (after.hp or 0) >= (before.hp or 0)


def test_values_of_a_finished_state_are_its_own() -> None:
    tower = load("simple")
    state = tower.initial_state()
    for action in solve(tower).route:
        state = tower.step(state, action)
    assert values(tower, state) == {}
    assert state_value(tower, state) == 13
    dead = State(state.world._replace(flags=0), state.hero._replace(hp=0))
    assert state_value(tower, dead) is None


def test_a_value_that_a_limit_cut_off_is_an_error() -> None:
    tower = small_tower("shop", 1)
    with pytest.raises(LimitReached, match="limit"):
        state_value(tower, tower.initial_state(), node_limit=1)


def test_an_action_of_another_tower_has_no_regret_here() -> None:
    tower, other = load("simple"), small_tower("tree", 0)
    with pytest.raises(IllegalAction, match="is no action of 'simple'"):
        regret(tower, tower.initial_state(), other.actions[0])


def test_a_foreign_state_is_refused() -> None:
    state = load("simple").initial_state()
    other = small_tower("tree", 0)
    action = other.actions[0]
    for call in (
        lambda: solve(other, state),
        lambda: values(other, state),
        lambda: state_value(other, state),
        lambda: regret(other, state, action),
    ):
        with pytest.raises(StateMismatch, match="belongs to tower"):
            call()


def test_what_lies_behind_a_one_way_staircase_is_left_behind() -> None:
    """The value after the climb counts nothing of the floor that is closed now."""
    tower = load("tests/data/one_way.toml")
    state = tower.initial_state()
    climb = next(a for a in tower.legal_actions(state) if a.verb == "climb")
    state = tower.step(state, climb)
    assert state_value(tower, state) == best_by_trying(tower, state)


def best_by_trying(tower: Tower, state: State) -> int | None:
    """The best final HP over every sequence of actions, each state once."""
    best: int | None = None
    seen, waiting = {state}, [state]
    while waiting:
        now = waiting.pop()
        if tower.outcome(now) == "won":
            best = max(best or 0, now.hero.hp)
        for action in tower.legal_actions(now):
            after = tower.step(now, action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return best
