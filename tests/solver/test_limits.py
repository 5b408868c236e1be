"""Limits, honest statuses and bad input."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.kinds import Goal
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.solver import Progress, Solution, regret, solve, state_value, values
from mt_gym.solver.ceiling import ceiling
from mt_gym.solver.limits import parse_memory
from tests.solver.towers import small_tower


def hard_tower() -> Tower:
    """Minutes of search for the plain dynamic program."""
    return random_tower(np.random.default_rng([11, 60]), Recipe(60, "loose"))


def check_bounded(tower: Tower, solution: Solution) -> None:
    """A bounded solution tells no more than it knows."""
    assert solution.status == "bounded"
    assert solution.bound is not None
    state = tower.initial_state()
    for action in solution.route:
        state = tower.step(state, action)
    if solution.hp is None:
        assert solution.route == ()
    else:
        assert state.won and state.hero.hp == solution.hp
        assert solution.hp <= solution.bound


@pytest.mark.parametrize("nodes", [1, 7, 50, 300])
def test_node_limit_gives_a_route_and_a_bound_around_the_optimum(nodes: int) -> None:
    tower = load("complex")
    solution = solve(tower, node_limit=nodes)
    check_bounded(tower, solution)
    assert solution.expanded <= nodes
    assert (solution.hp or 0) <= 41 <= (solution.bound or 0)


def test_limits_of_the_general_search_hold_too() -> None:
    tower = small_tower("shop", 2)
    best = solve(tower)
    for nodes in (1, 10, 100):
        solution = solve(tower, node_limit=nodes)
        if solution.status == "bounded":
            check_bounded(tower, solution)
            assert solution.expanded <= nodes
            assert (best.hp or 0) <= (solution.bound or 0)


def test_bound_of_an_unfinished_search_follows_what_has_been_paid() -> None:
    """The general search tells the best bound of its open states, not of the start."""
    tower = small_tower("shop", 2)
    top = ceiling(tower, tower.initial_state())
    best = solve(tower)
    bounds = [
        solution.bound
        for nodes in (1, 30, best.expanded - 1)
        if (solution := solve(tower, node_limit=nodes, reductions=("items",))).bound
    ]
    assert top is not None and all(bound <= top for bound in bounds)
    assert min(bounds) < top and min(bounds) >= (best.hp or 0)


def test_time_limit_ends_the_search() -> None:
    tower = hard_tower()
    solve(tower, node_limit=1)
    start = time.perf_counter()
    solution = solve(tower, time_limit=0.2, reductions=("items",))
    assert time.perf_counter() - start < 5
    check_bounded(tower, solution)


def test_memory_limit_ends_the_search() -> None:
    tower = hard_tower()
    solution = solve(tower, memory_limit="2MiB", reductions=("items",))
    check_bounded(tower, solution)
    assert solution.memory <= 2 << 20


def test_interrupt_ends_with_status_bounded() -> None:
    tower = hard_tower()
    solve(tower, node_limit=1)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        solution = solve(tower, reductions=("items",), time_limit=60)
    finally:
        timer.join()
    check_bounded(tower, solution)
    assert solution.seconds < 30


def test_progress_is_reported() -> None:
    told: list[Progress] = []
    solve(hard_tower(), time_limit=1.5, reductions=("items",), progress=told.append)
    assert told
    assert all(a.expanded <= b.expanded for a, b in pairwise(told))
    assert told[-1].bound is not None and told[-1].stored > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda t: solve(t, node_limit=0),
            "node_limit must be None or an integer >= 1",
        ),
        (lambda t: solve(t, node_limit=True), "node_limit"),
        (
            lambda t: solve(t, time_limit=0),
            "must be None or a finite number of seconds above 0",
        ),
        (lambda t: solve(t, time_limit=-1.0), "time_limit"),
        (lambda t: solve(t, time_limit=float("inf")), "finite number of seconds"),
        (lambda t: solve(t, time_limit=float("nan")), "finite number of seconds"),
        (lambda t: solve(t, memory_limit=0), "from 1MiB to 64TiB"),
        (lambda t: solve(t, memory_limit=1), "got 1 bytes"),
        (lambda t: solve(t, memory_limit="1"), r"got '1' \(bytes: no unit is given\)"),
        (lambda t: solve(t, memory_limit="1023KiB"), "from 1MiB .* got '1023KiB'"),
        (lambda t: solve(t, memory_limit="99999999TiB"), "to 64TiB .*'99999999TiB'"),
        (lambda t: solve(t, memory_limit=9 * 10**5000), "to 64TiB"),
        (lambda t: solve(t, memory_limit="4GB"), "KiB, MiB, GiB or TiB.*'4GB'"),
        (lambda t: solve(t, memory_limit="-4GiB"), "whole number of bytes"),
        (lambda t: solve(t, memory_limit=True), "whole number of bytes"),
        (lambda t: solve(t, memory_limit="lots"), "'lots'"),
        (
            lambda t: solve(t, reductions=("magic",)),
            "unknown reduction.*chains",
        ),
        (lambda t: solve(t, reductions=5), "unknown reduction 5"),  # type: ignore[arg-type]
        (lambda t: solve("simple"), "must be a Tower.*not 'simple'"),  # type: ignore[arg-type]
        (
            lambda t: regret(t, t.initial_state(), "fight 6,4"),  # type: ignore[arg-type]
            "must be an Action.*not 'fight 6,4'",
        ),
        (lambda t: values(t, t.initial_state(), node_limit=0), "node_limit"),
        (lambda t: state_value(t, t.initial_state(), memory_limit=0), "memory"),
    ],
)
def test_bad_arguments_are_refused(
    call: Callable[[Tower], object], message: str
) -> None:
    with pytest.raises(MtGymError, match=message):
        call(load("simple"))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GiB", 4 << 30),
        ("500 MiB", 500 << 20),
        ("7000kib", 7000 << 10),
        ("2TiB", 2 << 40),
        (1 << 20, 1 << 20),
        ("64TiB", 64 << 40),
    ],
)
def test_memory_limits_are_read(text: int | str, size: int) -> None:
    assert parse_memory(text) == size


def test_a_defective_tower_is_refused_with_its_problems() -> None:
    tower = load("simple")
    broken = Tower(replace(tower.data, goal=Goal("defeat", "Nobody")))
    assert broken.problems()
    with pytest.raises(MtGymError, match="Nobody"):
        solve(broken)


def test_a_bounded_value_is_no_value() -> None:
    tower = load("complex")
    state = tower.initial_state()
    with pytest.raises(LimitReached, match=r"no win was found, at most"):
        state_value(tower, state, node_limit=20)
    assert {value.status for value in values(tower, state, node_limit=20).values()} >= {
        "bounded"
    }
