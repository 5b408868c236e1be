"""The solver's face on a tower that no exact search can take."""

from __future__ import annotations

from typing import Any

import pytest

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached
from mt_gym.solver import Progress, Solution, regret, solve, state_value, values
from mt_gym.solver.extent import is_too_big
from mt_gym.solver.tower import upper_bound
from mt_gym.solver.tower.search import Portfolio

NODES = 3000
"""Transitions of a search: enough for one narrow beam."""


@pytest.fixture(scope="module")
def tower() -> Tower:
    return load("tower")


def check_bounded(tower: Tower, solution: Solution) -> None:
    assert solution.status == "bounded"
    assert solution.bound == upper_bound(tower)
    state = tower.initial_state()
    for action in solution.route:
        state = tower.step(state, action)
    assert (solution.hp is None) == (solution.route == ())
    if solution.hp is not None:
        assert state.won and state.hero.hp == solution.hp <= (solution.bound or 0)


def test_only_big_towers_are_left_to_beams(tower: Tower) -> None:
    assert is_too_big(tower)
    assert not any(is_too_big(load(name)) for name in ("simple", "complex", "hand09"))


def test_a_limited_search_is_bounded(tower: Tower) -> None:
    solution = solve(tower, node_limit=NODES)
    check_bounded(tower, solution)
    assert 0 < solution.expanded <= 2 * NODES


@pytest.mark.slow
def test_a_route_is_found_that_the_engine_replays(tower: Tower) -> None:
    told: list[Progress] = []
    solution = solve(tower, node_limit=1_500_000, progress=told.append)
    check_bounded(tower, solution)
    assert solution.hp is not None
    assert told and told[-1].bound == solution.bound


def test_an_interrupt_keeps_what_was_found(
    tower: Tower, monkeypatch: pytest.MonkeyPatch
) -> None:
    beams = 0

    def one_beam(self: Portfolio, *given: Any, **named: Any) -> int:
        nonlocal beams
        beams += 1
        raise KeyboardInterrupt

    monkeypatch.setattr(Portfolio, "one_beam", one_beam)
    check_bounded(tower, solve(tower, time_limit=60))
    assert beams == 1


def test_values_are_bounds_and_never_points(tower: Tower) -> None:
    state = tower.initial_state()
    for limits in ({}, {"node_limit": 500}):
        found = values(tower, state, **limits)
        assert found and {value.status for value in found.values()} == {"bounded"}
        for action, value in found.items():
            after = tower.step(state, action)
            assert value.bound == upper_bound(tower, after)
            assert value.hp is None or value.hp <= value.bound
    with pytest.raises(LimitReached, match=r"no win was found, at most \d+"):
        state_value(tower, state)
    action = tower.legal_actions(state)[0]
    with pytest.raises(LimitReached, match="not proved"):
        regret(tower, state, action)
