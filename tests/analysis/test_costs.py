"""Risk classes, thresholds of DEF and ATK, the cost at maximum attributes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mt_gym.analysis import Options, facts
from mt_gym.analysis.costs import (
    Gain,
    MinCost,
    _free_at,
    _winnable_at,
    free_at,
    min_cost,
    risk,
    winnable_at,
)
from mt_gym.engine.game import fight_arguments
from mt_gym.engine.kinds import Abilities, Kind, Stats
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from tests.analysis.scenes import one_monster


@pytest.mark.parametrize(
    ("damage", "hp", "found"),
    [
        (15, 100, "safe"),
        (16, 100, "moderate"),
        (30, 100, "moderate"),
        (31, 100, "risky"),
        (99, 100, "risky"),
        (100, 100, "lethal"),
        (None, 100, "lethal"),
        (151, 1000, "moderate"),
        (301, 1000, "risky"),
    ],
)
def test_risk_is_the_exact_share_of_hp(damage: int | None, hp: int, found: str) -> None:
    assert risk(damage, hp) == found


shares = st.sampled_from([None, (1, 10), (9, 10), (3, 2)])
monsters = st.builds(
    lambda stats, able: (stats, able),
    st.builds(
        Stats,
        hp=st.integers(1, 60),
        atk=st.integers(0, 25),
        defense=st.integers(0, 15),
    ),
    st.builds(
        Abilities,
        mimic=st.booleans(),
        solid=st.booleans(),
        magic=st.booleans(),
        hits=st.integers(1, 3),
        counter=shares,
        first_strike=st.booleans(),
        armour_break=shares,
        purify=st.sampled_from([0, 0, 3]),
        fixed=st.sampled_from([0, 0, 5]),
    ),
)
heroes = st.tuples(st.integers(1, 20), st.integers(0, 12), st.integers(0, 6))


@given(monsters, heroes)
def test_free_at_is_the_first_def_without_loss(
    monster: tuple[Stats, Abilities], hero: tuple[int, int, int]
) -> None:
    stats, able = monster
    atk, defense, mdef = hero
    args = fight_arguments(Kind("M", "monster", abilities=able), stats)
    slow = None
    if fight_loss(atk, defense, mdef, 1, *args) != UNWINNABLE:
        for value in range(defense, 80):
            if fight_loss(atk, value, mdef, 1, *args) == 0:
                slow = value
                break
    if not able.magic:
        assert _free_at(args, able, atk, defense, mdef) == slow


@given(monsters, heroes, st.integers(1, 120))
def test_winnable_at_is_the_first_atk_that_survives(
    monster: tuple[Stats, Abilities], hero: tuple[int, int, int], hp: int
) -> None:
    stats, able = monster
    atk, defense, mdef = hero
    args = fight_arguments(Kind("M", "monster", abilities=able), stats)
    slow = None
    for value in range(atk + 1, 120):
        loss = fight_loss(value, defense, mdef, hp, *args)
        if loss != UNWINNABLE and loss < hp:
            slow = value
            break
    now = fight_loss(atk, defense, mdef, hp, *args)
    if now == UNWINNABLE or now >= hp:
        assert _winnable_at(args, able, atk, defense, mdef, hp) == slow


@pytest.mark.parametrize(
    "abilities",
    [
        "magic = true",
        "vampire = [1, 4]",
        "fixed = 3",
        "counter = [1, 3]",
        "armour_break = [9, 10]",
        "mimic = true",
    ],
)
def test_no_def_makes_these_free(abilities: str) -> None:
    tower = one_monster(f"hp = 30, atk = 12, def = 3, {abilities}")
    assert free_at(tower, tower.initial_state(), 0) is None


def test_magic_that_costs_nothing_now_has_no_def_threshold_either() -> None:
    """The tag of magic stands in its place, whatever the cost."""
    tower = one_monster("hp = 1, atk = 12, def = 3, magic = true")
    assert tower.game.loss(tower.initial_state(), 0) == 0
    assert free_at(tower, tower.initial_state(), 0) is None


def test_an_unwinnable_fight_has_no_def_threshold() -> None:
    tower = one_monster("hp = 30, atk = 12, def = 9")
    state = tower.initial_state()
    assert free_at(tower, state, 0) is None
    assert winnable_at(tower, state, 0) is not None


@pytest.mark.parametrize("abilities", ["solid = true", "fixed = 100"])
def test_no_atk_survives_these(abilities: str) -> None:
    tower = one_monster(f"hp = 50, atk = 12, def = 3, {abilities}")
    entry = facts(tower, tower.initial_state(), Options.of(tower)).entries[0]
    assert entry.risk == "lethal"
    assert entry.hp_after == 0
    assert entry.winnable_at is None


def test_min_cost_needs_a_saving_of_ten_and_a_fight_without_magic() -> None:
    tower = one_monster("hp = 30, atk = 6, def = 3")  # 8 at DEF 4
    state = tower.initial_state()
    assert tower.game.loss(state, 0) == 8
    assert min_cost(tower, state, 0, 8, Gain(0, 2)) is None
    tower = one_monster("hp = 30, atk = 7, def = 3")  # 12 at DEF 4
    state = tower.initial_state()
    assert min_cost(tower, state, 0, 12, Gain(0, 3)) == MinCost(0, 12)
    assert min_cost(tower, state, 0, 12, Gain(0, 2)) is None
    tower = one_monster("hp = 55, atk = 8, def = 4")  # ten rounds of 4
    assert min_cost(tower, tower.initial_state(), 0, 40, Gain(0, 1)) == MinCost(30, 10)
    tower = one_monster("hp = 50, atk = 8, def = 4")  # nine rounds of 4
    assert min_cost(tower, tower.initial_state(), 0, 36, Gain(0, 1)) is None
    tower = one_monster("hp = 60, atk = 7, def = 3, magic = true")
    state = tower.initial_state()
    assert min_cost(tower, state, 0, tower.game.loss(state, 0), Gain(9, 0)) is None


@pytest.mark.parametrize("abilities", ["", ", counter = [1, 10]", ", mimic = true"])
def test_atk_that_survives_a_giant_is_found_at_once(abilities: str) -> None:
    """Numbers of strikes that no hero could pay for are not looked at one by one."""
    tower = one_monster(f"hp = {10**17}, atk = 12, def = 3{abilities}")
    found = winnable_at(tower, tower.initial_state(), 0)
    hero = tower.initial_state().hero
    args = tower.game.fighters[0][0]

    def loss(atk: int) -> int:
        return fight_loss(atk, hero.defense, hero.mdef, hero.hp, *args)

    if found is not None:
        assert loss(found) < hero.hp <= loss(found - 1)
