"""Every scripted event of the tower, where the witness runs into it."""

from __future__ import annotations

from typing import Any

import pytest

from mt_gym.engine.kinds import Spot
from mt_gym.engine.state import State
from mt_gym.errors import IllegalAction
from tests.tower.fixtures import around, states, tower, witness


def _there(state: State, *spots: str) -> list[bool]:
    found = []
    for text in spots:
        floor, _, cell = text.partition(":")
        x, y = (int(part) for part in cell.split(","))
        index = tower().board.object_at(Spot(floor, x, y))
        found.append(not (state.world.gone | state.world.hidden) >> index & 1)
    return found


def _spots(name: str, floor: str) -> list[str]:
    return [
        str(thing.spot)
        for thing in tower().board.objects
        if thing.name == name and thing.spot is not None and thing.spot.floor == floor
    ]


def _stats(state: State, name: str) -> Any:
    board = tower().board
    number = [kind.name for kind in board.monsters].index(name)
    return tower().game.stats(number, state.world)


def test_the_fairy_gives_three_keys_and_frees_the_way() -> None:
    before, after = around("Fairy", "talk", 1)
    assert (before.hero.yellow, before.hero.blue, before.hero.red) == (0, 0, 0)
    assert (after.hero.yellow, after.hero.blue, after.hero.red) == (1, 1, 1)
    bars = _spots("Iron Bars", "MT0")
    assert _there(before, *bars) == [True] and _there(after, *bars) == [False]


def test_the_cross_adds_a_third_of_everything_and_opens_the_way_to_mt21() -> None:
    before, after = around("Fairy", "talk", 2)
    for name in ("hp", "atk", "defense"):
        old = getattr(before.hero, name)
        assert getattr(after.hero, name) == old + old // 3
    bars = _spots("Iron Bars", "MT20")
    assert _there(before, *bars) == [True] and _there(after, *bars) == [False]
    assert not tower().game.is_legal(after, tower().action("MT0:talk 6,7 #2"))


def test_the_thief_opens_the_wing_and_with_the_pickaxe_the_ice() -> None:
    before, after = around("Thief", "talk", 1)
    bars, ice = _spots("Iron Bars", "MT2"), _spots("Ice Wall", "MT18")
    assert _there(before, *bars) == [True] and _there(after, *bars) == [False]
    second = next(
        a for a in tower().actions if a.text.endswith("#2") and "MT4:" in a.text
    )
    with pytest.raises(IllegalAction):
        tower().step(after, second)
    before, after = around("Thief", "talk", 2)
    assert _there(before, *ice) == [True] and _there(after, *ice) == [False]


def test_the_seal_breaks_with_the_fourth_guard_and_not_before() -> None:
    guards, bars = _spots("White Warrior", "MT7"), _spots("Iron Bars", "MT7")
    assert len(guards) == 4 and len(bars) == 3
    for state in states():
        closed = _there(state, *bars)
        assert closed == [any(_there(state, *guards))] * 3


def test_each_guard_of_the_seal_stands_behind_a_blue_door() -> None:
    board = tower().board
    doors = [t.index for t in board.objects if t.name == "Blue Door" and t.floor == 7]
    assert len(doors) == 4
    for guard in _spots("White Warrior", "MT7"):
        floor, _, cell = guard.partition(":")
        x, y = (int(part) for part in cell.split(","))
        index = board.object_at(Spot(floor, x, y))
        assert any(board.near[index] >> door & 1 for door in doors)


def test_the_red_demon_king_strengthens_four_kinds() -> None:
    before, after = around("Red Demon King", "fight")
    for name in ("Spirit Warrior", "Nether Captain", "Spirit Mage", "Red Demon King"):
        assert _stats(before, name).atk < _stats(after, name).atk, name
    assert _stats(before, "Nether Demon King") == _stats(after, "Nether Demon King")


def test_the_nether_demon_king_grows_with_his_defeat() -> None:
    before, after = around("Nether Demon King", "fight")
    assert not after.won
    assert _stats(before, "Nether Demon King").hp == 30000
    assert _stats(after, "Nether Demon King").hp == 45000


def test_the_princess_shows_the_stairs() -> None:
    before, after = around("Princess", "talk")
    stairs = _spots("Stairs Up", "MT18")
    assert _there(before, *stairs) == [False] and _there(after, *stairs) == [True]


def test_the_holy_water_doubles_hp() -> None:
    before, after = around("Holy Water", "collect")
    assert after.hero.hp == 2 * before.hero.hp


def test_mt21_is_one_way_and_sells_nothing() -> None:
    number = next(i for i, a in enumerate(witness()) if a.text.startswith("MT20:climb"))
    state = states()[number + 1]
    assert state.world.visited >> 21 & 1
    actions = tower().legal_actions(state)
    assert {action.floor for action in actions} == {"MT21"}
    assert not {"buy", "sell", "climb"} & {action.verb for action in actions}


def test_a_trade_of_mt15_can_be_made_once() -> None:
    board = tower().board
    for name, price, gain in (
        ("Magic Anvil", ("exp", 500), ("atk", 120)),
        ("Magic Armour", ("gold", 500), ("def", 120)),
    ):
        thing = next(o for o in board.objects if o.name == name)
        row = thing.actions[0].row
        assert row.source.cost == (price,) and row.source.gain == (gain,)
        assert row.removes == 1 << thing.index
