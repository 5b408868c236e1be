"""What the search for tools and purchases leaves out, and how its stages follow."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace

import numpy as np
import pytest

from mt_gym.engine.formats import mt
from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.kinds import amounts
from mt_gym.engine.tower import Tower
from mt_gym.solver import solve
from mt_gym.solver.limits import Budget
from mt_gym.solver.solution import BOUNDED, OPTIMAL, Solution
from mt_gym.solver.trade.problem import build
from mt_gym.solver.trade.search import DONE, Search
from mt_gym.solver.trade.tasting import FIRST, KEPT, RANGES, Tasting
from mt_gym.solver.trade.worth import bound
from tests.formats.mt_text import mt_text


def hard_tower() -> Tower:
    """A tower with a shop whose states do not fit into a few MiB."""
    recipe = Recipe(40, "open", shop=True, growth=1)
    data = random_tower(np.random.default_rng(5), recipe).data
    hero = {**dict(data.hero), "hp": 1500}
    return Tower(replace(data, hero=amounts(hero)))


def check_bounded(tower: Tower, solution: Solution) -> None:
    assert solution.status == BOUNDED
    assert solution.hp is not None
    assert solution.bound is not None and solution.bound >= solution.hp
    state = tower.initial_state()
    for action in solution.route:
        state = tower.step(state, action)
    assert (tower.outcome(state), state.hero.hp) == ("won", solution.hp)


def test_two_ways_into_the_same_room_end_in_one_state() -> None:
    """The monster that is left in the other way guards nothing any more."""
    drawing = "0 128 0 99 100\n128 41 0 129 63"
    tower = Tower(mt.loads(mt_text(drawing, enemies="20 16 5 0 0, 30 20 5 0 0")))
    search = Search(build(tower, tower.initial_state()), 0, 0)
    assert search.run(Budget.of(None, None, "1GiB"), None) == DONE
    assert search.stored == 2


def test_what_lies_behind_walls_counts_only_while_a_pickaxe_can_be_had() -> None:
    drawing = "41 99 0 99 42\n100 100 63 100 100"
    tower = Tower(mt.loads(mt_text(drawing, bag="0 0 1 0", start="2 0 0")))
    start = tower.initial_state()
    broken = next(a for a in tower.actions if a.position == (1, 0))
    for state, most in ((start, 100 + 100 + 200), (tower.step(start, broken), 200)):
        search = Search(build(tower, state), 0, 0)
        assert bound(search.tables, search.levels[0], search.v) == most


def test_the_goal_is_lost_with_the_last_pickaxe() -> None:
    for picks, best in ((1, 100), (2, 300)):
        text = mt_text("42 99 0 99 63", bag=f"0 0 {picks} 0", start="2 0 0")
        tower = Tower(mt.loads(text))
        assert solve(tower).hp == best
        left = next(a for a in tower.actions if a.position == (1, 0))
        solution = solve(tower, tower.step(tower.initial_state(), left))
        assert (solution.status, solution.hp) == (
            ("infeasible", None) if picks == 1 else ("optimal", 300)
        )


def test_rounds_of_tastes_vary_the_best_and_are_the_same_in_every_run() -> None:
    rounds = []
    for _ in range(2):
        tasting = Tasting()
        assert tuple(tasting.round()) == FIRST
        for hp, taste in enumerate(FIRST):
            tasting.note(taste, hp)
        rounds.append([tasting.round() for _ in range(30)])
    assert rounds[0] == rounds[1]
    good = list(reversed(FIRST))[: len(FIRST) - 1]
    for tastes in rounds[0]:
        assert tastes[: len(good)] == good
        assert len(tastes) == 2 * len(good) + KEPT
        for taste in tastes:
            for weight, (low, high) in zip(taste[:-1], RANGES, strict=True):
                assert low <= weight <= high
            assert taste[-1] in (0, 1)
    assert len({taste for tastes in rounds[0] for taste in tastes}) > 150


def test_a_better_beam_takes_the_place_of_a_worse_one() -> None:
    tasting = Tasting()
    tastes = [(2 + i, 30, 3, 10, 1, 0) for i in range(6)]
    for hp, taste in zip((5, 9, 0, 7, 3, 8), tastes, strict=True):
        tasting.note(taste, hp)
    tasting.note(tastes[0], 1)
    assert tasting.round()[:KEPT] == [tastes[i] for i in (1, 5, 3, 0)]


def test_beams_go_on_when_the_exact_search_has_no_room_left() -> None:
    tower = hard_tower()
    alone = solve(tower, memory_limit="8MiB")
    check_bounded(tower, alone)
    more = solve(tower, memory_limit="8MiB", node_limit=2 * alone.expanded)
    check_bounded(tower, more)
    assert more.expanded == 2 * alone.expanded
    assert (more.hp or 0) >= (alone.hp or 0)
    assert max(alone.memory, more.memory) <= 8 << 20


def test_an_interrupt_keeps_the_route() -> None:
    tower = hard_tower()
    solve(tower, node_limit=1)
    timer = threading.Timer(2.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        solution = solve(tower, time_limit=100)
    finally:
        timer.join()
    assert solution.seconds < 60
    check_bounded(tower, solution)


@pytest.mark.parametrize("nodes", [20, 300])
def test_the_bound_of_an_unfinished_search_holds(nodes: int) -> None:
    """The optimum of small floors lies below the bound of any part of the search."""
    checked = 0
    for seed in range(30):
        tower = random_tower(
            np.random.default_rng(seed), Recipe(14, "open", shop=True, growth=2)
        )
        part = solve(tower, node_limit=nodes)
        whole = solve(tower)
        assert whole.status != BOUNDED
        if part.status == BOUNDED and whole.status == OPTIMAL:
            assert part.bound is not None and whole.hp is not None
            assert (part.hp or 0) <= whole.hp <= part.bound
            checked += 1
    assert checked > 5
