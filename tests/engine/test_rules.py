"""Fights: the golden table, and a fight played strike by strike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mt_gym.engine.rules import (
    FIRST_STRIKE,
    MAGIC,
    MIMIC,
    SOLID,
    UNWINNABLE,
    fight_loss,
    price,
    scaled,
)


def loss(hp: int, atk: int, defense: int, flags: int = 0) -> int:
    """Loss of the golden table's hero."""
    return fight_loss(9, 4, 0, 470, hp, atk, defense, flags, 1, 0, 1, 0, 1, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("monster", "expected"),
    [
        ((50, 7, 3), 24),
        ((70, 11, 1), 56),
        ((45, 5, 5, MAGIC), 55),
        ((80, 10, 5), 114),
        ((100, 17, 2), 182),
        ((50, 20, 12), UNWINNABLE),
    ],
)
def test_golden_losses(monster: tuple[int, ...], expected: int) -> None:
    assert loss(*monster) == expected


def test_boss_is_winnable_from_atk_13_on() -> None:
    boss = (50, 20, 12, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0)
    assert fight_loss(12, 4, 0, 470, *boss) == UNWINNABLE
    assert fight_loss(13, 4, 0, 470, *boss) == 49 * 16


def strike_by_strike(
    hero: tuple[int, int, int, int],
    monster: tuple[int, int, int],
    flags: int,
    hits: int,
    vampire: tuple[int, int],
    counter: tuple[int, int],
    armour_break: tuple[int, int],
    purify: int,
    fixed: int,
) -> int | None:
    """Play the fight; None if the hero's strikes do nothing."""
    atk, defense, mdef, hp = hero
    left, m_atk, m_def = monster
    if flags & MIMIC:
        m_atk, m_def = atk, defense
    harm = 1 if flags & SOLID and m_def < atk - 1 else atk - m_def
    if harm < 1:
        return None
    blow = m_atk if flags & MAGIC else max(m_atk - defense, 0)
    damage = (hp * vampire[0]) // vampire[1]
    damage += (defense * armour_break[0]) // armour_break[1]
    damage += mdef * purify
    if flags & FIRST_STRIKE:
        damage += sum(blow for _ in range(hits))
    while True:
        left -= harm
        damage += (atk * counter[0]) // counter[1]
        if left <= 0:
            break
        for _ in range(hits):
            damage += blow
    return max(damage - mdef, 0) + fixed


ratios = st.tuples(st.integers(0, 12), st.integers(1, 10))


@given(
    st.tuples(
        st.integers(0, 40), st.integers(0, 40), st.integers(0, 60), st.integers(1, 999)
    ),
    st.tuples(st.integers(1, 120), st.integers(0, 60), st.integers(0, 40)),
    st.integers(0, 15),
    st.integers(1, 5),
    ratios,
    ratios,
    ratios,
    st.integers(0, 4),
    st.integers(0, 30),
)
def test_loss_is_that_of_the_fight_played_out(
    hero: tuple[int, int, int, int],
    monster: tuple[int, int, int],
    flags: int,
    hits: int,
    vampire: tuple[int, int],
    counter: tuple[int, int],
    armour_break: tuple[int, int],
    purify: int,
    fixed: int,
) -> None:
    expected = strike_by_strike(
        hero, monster, flags, hits, vampire, counter, armour_break, purify, fixed
    )
    found = fight_loss(
        *hero,
        *monster,
        flags,
        hits,
        *vampire,
        *counter,
        *armour_break,
        purify,
        fixed,
    )
    assert found == (UNWINNABLE if expected is None else expected)


def special(**able: int) -> int:
    """Loss of a hero with ATK 20, DEF 10, MDEF 4, HP 100 against 40/12/0."""
    usual = {
        "m_hp": 40,
        "m_atk": 12,
        "m_defense": 0,
        "flags": 0,
        "hits": 1,
        "vampire_num": 0,
        "vampire_den": 1,
        "counter_num": 0,
        "counter_den": 1,
        "break_num": 0,
        "break_den": 1,
        "purify": 0,
        "fixed": 0,
    }
    return fight_loss(20, 10, 4, 100, **(usual | able))


@pytest.mark.parametrize(
    ("able", "expected"),
    [
        ({}, 0),  # one round of 2, less than the shield
        ({"flags": MIMIC}, 26),  # 4 strikes of 10; 3 rounds of 10
        ({"flags": SOLID}, 74),  # 40 strikes; 39 rounds of 2
        ({"vampire_num": 1, "vampire_den": 4}, 23),
        ({"flags": MAGIC}, 8),  # one round of 12
        ({"hits": 4}, 4),  # one round of 8
        ({"counter_num": 1, "counter_den": 10}, 2),  # 2 for each of 2 strikes
        ({"flags": FIRST_STRIKE}, 0),  # 2 rounds of 2
        ({"flags": FIRST_STRIKE, "hits": 3}, 8),  # 2 rounds of 6
        ({"break_num": 9, "break_den": 10}, 7),
        ({"purify": 3}, 10),  # 12 paid, 4 shielded
        ({"fixed": 5}, 5),  # after the clamp
    ],
)
def test_each_ability_alone(able: dict[str, int], expected: int) -> None:
    assert special(**able) == expected


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 9))
def test_more_hp_before_a_vampire_is_never_less_after(
    one: int, two: int, den: int
) -> None:
    def left(hp: int) -> int:
        return hp - fight_loss(9, 4, 0, hp, 9, 4, 0, 0, 1, 1, den, 0, 1, 0, 1, 0, 0)

    assert left(min(one, two)) <= left(max(one, two))


def test_prices_grow_and_scaling_rounds_down() -> None:
    assert [price(20, 5, bought) for bought in range(3)] == [20, 25, 30]
    assert scaled(31, 3, 2) == 46
