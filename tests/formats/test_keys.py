"""The replayer of key routes: each key, and the keys that do nothing."""

from pathlib import Path

import pytest

from mt_gym.engine.formats import mt
from mt_gym.engine.formats.keys import Replay, replay_keys
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MapError, MtGymError
from tests.formats.mt_text import mt_text

DATA = Path(__file__).parent.parent / "data"


def replay(route: str, *maps: str, **parts: str) -> Replay:
    return replay_keys(Tower(mt.loads(mt_text(*maps, **parts), play_on=True)), route)


def done(route: str, *maps: str, **parts: str) -> list[str]:
    return [str(action) for action in replay(route, *maps, **parts).actions]


def test_letters_walk_left_down_up_right() -> None:
    drawing = "63 8 9\n10 0 11\n12 13 14"
    assert done("lkhhjjlll", drawing, start="1 1 0") == [
        *("collect 2,1", "collect 2,0", "collect 1,0"),
        *("collect 0,1", "collect 0,2", "collect 1,2", "collect 2,2"),
    ]


def test_keys_into_walls_edges_and_closed_doors_do_nothing() -> None:
    found = replay("hkjll", "0 96 63\n100")
    assert (found.actions, found.used, found.cell) == ((), 5, 0)


def test_a_door_opens_once_its_key_is_there() -> None:
    drawing = "56 0 96 63"
    assert done("lhlll", drawing, start="1 0 0") == ["collect 0,0", "open 2,0"]


def test_a_fight_that_kills_or_cannot_be_won_does_not_happen() -> None:
    for enemy in ("100 60 0 0 0", "1 1 99 0 0"):
        assert done("ll", "0 128 63", enemies=enemy) == []
    assert done("ll", "0 128 63", enemies="20 12 0 0 0") == ["fight 1,0"]


def test_g_goes_through_the_portal_of_the_cell_and_only_there() -> None:
    found = replay("glgl", "0 0", "8 9 63", portals="1 225")
    assert [str(action) for action in found.actions] == [
        "MT1:collect 0,0",
        "MT1:collect 1,0",
    ]
    assert found.keys == (2, 3)


def test_a_portal_can_be_walked_past() -> None:
    assert done("ll", "0 0 8 63 0", portals="1 4") == ["collect 2,0"]


def test_p_breaks_the_wall_of_the_next_step_and_walks_there() -> None:
    assert done("lpll", "0 99 8 63", bag="0 0 1 0") == ["break 1,0", "collect 2,0"]


def test_p_without_a_pickaxe_or_before_no_wall_is_an_ordinary_step() -> None:
    assert done("pl", "0 99 61 63") == []
    found = replay("pll", "0 0 99 63", bag="0 0 1 0")
    assert (found.actions, found.cell) == ((), 1)


def test_a_tool_works_through_a_portal() -> None:
    drawing = "0 100 99 63"
    assert done("pg", drawing, bag="0 0 1 0", portals="0 2") == ["break 2,0"]


def test_b_bombs_and_a_boss_is_fought_instead() -> None:
    parts = {"bag": "0 0 0 1", "enemies": "20 12 0 0 0, 20 12 0 0 128"}
    assert done("bl", "0 128 63", **parts) == ["bomb 1,0"]
    assert done("bl", "0 129 63", **parts) == ["fight 1,0"]


def test_s_then_letters_buy_until_the_next_step() -> None:
    parts = {"bag": "350 0 0 0"}
    assert done("sadlm", "0 0 63", **parts) == ["buy #1", "buy #2"]
    assert done("saaaa", "0 0 63", **parts) == ["buy #1"] * 3
    assert done("adm", "0 0 63", **parts) == []


def test_letters_choose_at_a_white_crystal_unless_the_shop_is_open() -> None:
    assert done("lml", "0 32 63") == ["choose 1,0 #3"]
    parts = {"bag": "100 0 0 0"}
    assert done("lsd", "0 32 63", **parts) == ["buy #2"]
    assert done("lsdd", "0 32 63", **parts) == ["buy #2"]
    assert done("lsdhld", "0 32 63", **parts) == ["buy #2", "choose 1,0 #2"]


def test_a_white_crystal_is_chosen_only_where_the_walker_stands() -> None:
    assert done("all", "0 32 63") == []


def test_with_play_on_the_route_goes_on_after_the_flag() -> None:
    found = replay("lll", "0 40 63 41")
    assert [str(action) for action in found.actions] == ["collect 1,0", "collect 3,0"]
    assert found.flag is not None
    assert (found.flag.hero.hp, found.final.hero.hp) == (150, 250)


def test_without_play_on_the_flag_ends_the_route() -> None:
    game = Tower(mt.loads(mt_text("0 40 63 41")))
    found = replay_keys(game, "lll")
    assert [str(action) for action in found.actions] == ["collect 1,0", "finish 2,0"]
    assert found.used == 2
    assert game.outcome(found.final) == "won"
    assert found.flag == found.final


def test_states_follow_from_actions() -> None:
    game = Tower(mt.loads(mt_text("0 40 63 41"), play_on=True))
    found = replay_keys(game, "lll")
    state = game.initial_state()
    for before, after, action in zip(
        found.states, found.states[1:], found.actions, strict=False
    ):
        assert state == before
        state = game.step(state, action)
        assert state == after


def test_whitespace_is_skipped_and_another_sign_is_refused() -> None:
    assert done("l l\nl\n", "0 8 9 10 63") == [f"collect {x},0" for x in (1, 2, 3)]
    with pytest.raises(MapError, match="line 2, column 2: 'x' is no key") as error:
        replay("ll\nlx", "0 0 63")
    assert (error.value.line, error.value.column) == (2, 2)


def test_what_no_key_can_deal_with_is_said() -> None:
    game = load(DATA / "shop_constant.toml")
    with pytest.raises(MtGymError, match="no key can deal with '"):
        for route in ("h" * 9, "l" * 9, "k" * 9, "j" * 9):
            replay_keys(game, route)
