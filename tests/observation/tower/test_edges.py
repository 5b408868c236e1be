"""Where a line of the tower's observation changes: one HP, one key, one purchase."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mt_gym.engine.tower import Tower
from tests.analysis.tower import towers
from tests.analysis.tower.towers import entry_lines, start, text_of

TOP = "#####\n#<.Z#\n#####"


def below(drawing: str, hero: str = "hp = 1000\natk = 60\ndef = 40") -> Tower:
    return towers.tower({"MT1": drawing, "MT2": TOP}, hero)


def read(own: Tower, numbers: Mapping[str, int]) -> str:
    """The text before the stairs are climbed."""
    state = own.initial_state()
    return text_of(own, state._replace(hero=state.hero._replace(**numbers)))


@pytest.mark.parametrize(
    ("hp", "told"),
    [
        (1400, "passable, 127 HP left at the staircase"),
        (1274, "passable, 1 HP left at the staircase"),
        (1273, "stops at Beastman@(4,1): costs 608, 608 HP left"),
    ],
)
def test_the_gem_behind_the_first_fight_makes_the_second_cheaper(
    hp: int, told: str
) -> None:
    own = below("########\n#@B.B.>#\n###d####\n########")
    assert f"in path order, spending before each fight: {told}" in read(own, {"hp": hp})


def test_the_passable_treasure_that_costs_less_comes_first() -> None:
    own = below("#######\n#@...>#\n##B#j##\n##X#(##\n#######")
    assert (
        "Treasures: shield DEF +10@MT1(4,3): 1 fight — passable, 970 HP left; "
        "key box@MT1(2,3): 1 fight — passable, 335 HP left" in read(own, {})
    )


def test_a_fight_that_costs_all_hp_is_lethal_and_becomes_survivable() -> None:
    own = towers.hero_x()
    for hp, expected in ((665, True), (666, False)):
        text = text_of(own, start(own, {"hp": hp}))
        told = "".join(entry_lines(text, "gold shop at MT3(3,6): ATK +4"))
        assert ("survivable: Beastman@MT6" in told) == expected


@pytest.mark.parametrize(("item", "reserve"), [("y", False), ("a", True)])
def test_a_key_behind_a_door_is_part_of_the_reserve(item: str, reserve: bool) -> None:
    own = below(f"########\n#@..1.>#\n##1#####\n##{item}#####\n########")
    door = entry_lines(read(own, {"yellow": 1}), "[open_door] Yellow Door at (2,2)")
    line = " → KEY RESERVE: leaves 0 yellow key(s); the way up needs 1: MT1(4,1)"
    assert (line in door) == reserve


@pytest.mark.parametrize(("atk", "count"), [(505, "99"), (504, "never")])
def test_more_than_99_purchases_are_never(atk: int, count: str) -> None:
    hero = f"hp = 1000\natk = {atk}\ndef = 40\ngold = 60"
    own = below("######\n#@..>#\n#4####\n######", hero)
    text = text_of(own, start(own))
    assert f" → how many: Demon King winnable {count}, ≤60% never\n" in text


def test_stairs_count_120_and_a_shop_one_purchase_of_each_attribute() -> None:
    own = below("#######\n#@1.>.#\n#1#####\n#4#####\n#######")
    text = read(own, {"yellow": 2})
    stairs = entry_lines(text, "[open_door] Yellow Door at (2,1)")
    assert "lookahead=120(raw=120-gw=0)" in stairs[0]
    shop = entry_lines(text, "[open_door] Yellow Door at (1,2)")
    assert "lookahead=640(raw=640-gw=0)" in shop[0]


@pytest.mark.parametrize(
    ("count", "more"), [(5, ""), (6, "; +1 more"), (7, "; +2 more")]
)
def test_five_treasures_are_shown_and_the_others_counted(count: int, more: str) -> None:
    shields = "(" * count + "#" * (7 - count)
    own = below(f"#########\n#@.....>#\n#{shields}#\n#########")
    (line,) = [t for t in read(own, {}).splitlines() if t.startswith("Treasures: ")]
    assert line.count("shield DEF +10") == 5
    assert line.endswith(f"@MT1(5,2): reachable now{more}")
