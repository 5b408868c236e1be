"""The anytime search: what it promises about results, limits and seeds."""

from __future__ import annotations

import pytest

from mt_gym.engine.load import load, loads
from mt_gym.errors import MtGymError, StateMismatch
from mt_gym.solver import solve
from mt_gym.solver.tower import search_tower, upper_bound
from tests.tower.fixtures import tower

SMALL = """
name = "small"
[hero]
hp = 100
atk = 10
def = 5
[goal]
defeat = "Boss"
[monsters]
Guard = { hp = 30, atk = 12, def = 4, gold = 10 }
Thug = { hp = 20, atk = 15, def = 2, gold = 5 }
Boss = { hp = 30, atk = 14, def = 9 }
[items]
Potion = { hp = 50 }
Gem = { atk = 3 }
[shops.Shop]
price = { gold = 10 }
offers = [{ hp = 20 }, { atk = 2 }, { def = 2 }]
[[floors]]
id = "small"
map = '''
#########
#p.G@T.a#
#.###.###
#..S#.B.#
#########
'''
[floors.legend]
G = "Guard"
T = "Thug"
B = "Boss"
S = "Shop"
p = "Potion"
a = "Gem"
"""


def test_a_beam_of_width_100_wins_the_tower() -> None:
    found = search_tower(tower(), width=100)
    assert found.hp is not None and found.hp > 0
    state = tower().initial_state()
    for action in found.route:
        state = tower().step(state, action)
    assert state.won and state.hero.hp == found.hp


def test_equal_seeds_and_node_limits_find_equal_plays() -> None:
    one = search_tower(tower(), node_limit=400_000, seed=3)
    two = search_tower(tower(), node_limit=400_000, seed=3)
    assert one.route == two.route and one.hp == two.hp
    assert one.stats.transitions == two.stats.transitions


def test_a_limit_is_required() -> None:
    with pytest.raises(MtGymError, match="time_limit"):
        search_tower(tower())


def test_a_state_of_another_tower_is_refused() -> None:
    with pytest.raises(StateMismatch):
        search_tower(tower(), state=load("simple").initial_state(), width=10)


def test_the_search_and_the_bound_enclose_the_optimum_of_a_small_floor() -> None:
    small = loads(SMALL)
    exact = solve(small)
    found = search_tower(small, node_limit=20_000)
    assert exact.hp is not None and found.hp is not None
    assert found.hp <= exact.hp <= upper_bound(small)
    assert found.hp * 10 >= 9 * exact.hp


def test_growing_prices_are_refused_in_one_sentence() -> None:
    growing = loads(SMALL.replace("price = {", "growth = 1\nprice = {"))
    with pytest.raises(MtGymError, match="changes"):
        search_tower(growing, width=10)


def test_a_search_continues_from_a_state() -> None:
    state = tower().initial_state()
    state = tower().step(state, tower().legal_actions(state)[0])
    found = search_tower(tower(), state=state, width=20)
    for action in found.route:
        state = tower().step(state, action)
    assert found.hp is None or state.hero.hp == found.hp
