"""Transitions: the order of effects, and each kind of row."""

from __future__ import annotations

import pickle

import pytest

from mt_gym.engine.load import loads
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, StateMismatch
from tests.engine.towers import legal, play, tower

ORDER = """
name = "order"
hero = { hp = 10, gold = 5, atk = 5 }
goal = { defeat = "Boss" }

[monsters]
Boss = { hp = 1, atk = 1, def = 1 }

[characters.Smith]
talks = [{ price = { gold = 5 }, gives = { atk = 3 }, leaves = true, effects = [
    { scale = { atk = [2, 1] } }, { set = "a" }, { scale = { gold = [3, 1] } },
    { clear = "a" }, { set = "b" },
] }]

[[floors]]
id = "order"
map = "@SZ"

[floors.legend]
S = "Smith"
Z = "Boss"
"""


def flags(game: Tower, mask: int) -> set[str]:
    names = game.board.flag_names
    return {name for number, name in enumerate(names) if mask >> number & 1}


def test_order_is_cost_gain_removal_then_effects_in_file_order() -> None:
    game = loads(ORDER)
    state = play(game, "talk 1,0")
    assert state.hero.atk == (5 + 3) * 2
    assert state.hero.gold == (5 - 5) * 3
    assert flags(game, state.world.flags) == {"b"}
    assert legal(game, state) == ["fight 2,0"]


def test_won_fight_pays_and_removes_the_monster() -> None:
    game = tower("shop_constant")
    state = play(game, "fight 1,3")
    assert (state.hero.hp, state.hero.gold) == (60 - 4, 20 + 25)
    assert "fight 1,3" not in legal(game, state)


def test_growing_price_counts_purchases_at_every_door_of_the_shop() -> None:
    game = tower("shop_growing")
    state = play(game, "buy 1,1 #1", "buy 4,1 #2")
    assert state.hero.gold == 40 - 10 - 15
    assert (state.hero.atk, state.hero.defense) == (7, 4)
    assert not any(text.startswith("buy") for text in legal(game, state))
    with pytest.raises(IllegalAction, match=r"costs gold 20 \(the hero has 15\)"):
        play(game, "buy 1,1 #1", state=state)


def test_gains_double_with_each_token() -> None:
    state = play(tower("tokens"), "buy #1", "collect 3,1", "buy #1")
    assert state.hero.atk == 5 + 2 + 4


def test_scale_multiplies_what_the_hero_has_and_rounds_down() -> None:
    game = tower("holy_water")
    assert play(game, "collect 1,1").hero.hp == 46
    assert play(game, "collect 3,1", "collect 1,1").hero.hp == 61


def test_keys_are_sold_and_bought() -> None:
    state = play(tower("key_trader"), "sell 4,1 #2", "buy 1,1 #1", "buy 1,1 #2")
    assert state.hero[7:10] == (1, 1, 0)
    assert state.hero.gold == 0


def test_trade_is_made_once_and_its_object_leaves() -> None:
    game = tower("trade_once")
    state = play(game, "trade 1,1", "trade 3,1")
    assert (state.hero.atk, state.hero.exp) == (12, 0)
    assert legal(game, state) == ["fight 2,3"]


def test_talks_happen_once_again_or_take_the_character_away() -> None:
    game = tower("character_gifts")
    assert legal(game, game.initial_state()) == ["talk 1,1 #1", "talk 4,1 #1"]
    state = play(game, "talk 1,1 #1")
    assert legal(game, state) == ["talk 4,1 #1", "open 2,3"]
    state = play(game, "talk 4,1 #1", "talk 4,1 #1", state=state)
    assert state.hero.exp == 2
    state = play(game, "talk 4,1 #2", state=state)
    assert legal(game, state) == ["open 2,3"]
    state = play(game, "open 2,3", "collect 2,4", "talk 1,1 #2", state=state)
    assert (state.hero.atk, state.hero.defense) == (8, 4)
    assert "Cross" not in flags(game, state.world.flags)


def test_remote_removal_counts_once_the_place_is_reached() -> None:
    game = tower("character_gifts")
    # The sage removes bars that lie behind the yellow door.
    state = play(game, "talk 1,1 #1", "talk 4,1 #1", "talk 4,1 #1", "talk 4,1 #2")
    (bars,) = (o.index for o in game.board.objects if o.name == "Iron Bars")
    assert state.world.gone >> bars & 1
    assert not state.hero.reach >> bars & 1
    state = play(game, "open 2,3", "collect 2,4", state=state)
    assert state.hero.reach >> bars & 1
    game.check(state)


REMOTE = """
name = "remote"
hero = { hp = 10, atk = 5 }
goal = { defeat = "Boss" }

[monsters]
Rat = { hp = 1, atk = 1, def = 1 }
Boss = { hp = 1, atk = 1, def = 1 }

[[scripts]]
at = "1,0"
removes = ["5,0"]

[[floors]]
id = "remote"
map = "@R.R.IZ"

[floors.legend]
R = "Rat"
I = "Iron Bars"
Z = "Boss"
"""


def test_door_opened_out_of_reach_joins_when_its_neighbour_falls() -> None:
    game = loads(REMOTE)
    state = play(game, "fight 1,0")
    assert legal(game, state) == ["fight 3,0"]
    assert legal(game, play(game, "fight 3,0", state=state)) == ["fight 6,0"]


def test_strengthening_reaches_the_last_values_and_stays_there() -> None:
    game = tower("strengthen")
    state = game.initial_state()
    wolf = [kind.name for kind in game.board.monsters].index("Wolf")
    values = []
    for text in ("fight 1,1", "fight 3,1", "fight 5,1"):
        state = play(game, text, state=state)
        values.append(game.game.stats(wolf, state.world).atk)
    assert values == [10, 12, 12]
    assert play(game, "fight 1,3", state=state).hero.gold == 3


def test_trigger_runs_once_when_its_condition_holds() -> None:
    game = tower("seal")
    assert legal(game, play(game, "fight 1,1")) == ["fight 3,1", "fight 5,1"]
    state = play(game, "fight 1,1", "fight 5,1")
    assert legal(game, state) == ["fight 3,1", "fight 3,5"]
    gift = loads(
        ORDER.replace(
            "[[floors]]",
            "[[scripts]]\nneeds = { atk = 5 }\ngives = { mdef = 7 }\n\n[[floors]]",
        )
    )
    state = play(gift, "talk 1,0")
    assert state.hero.mdef == 7
    assert play(gift, "fight 2,0", state=state).hero.mdef == 7


def test_a_trigger_sets_off_one_that_stands_before_it_in_the_file() -> None:
    chain = """
[[scripts]]
needs = { flags = ["rung"] }
gives = { mdef = 7 }

[[scripts]]
needs = { atk = 9 }
sets = ["rung"]

[[floors]]"""
    game = loads(ORDER.replace("[[floors]]", chain))
    assert play(game, "talk 1,0").hero.mdef == 7


@pytest.mark.parametrize(("price", "left"), [(8, 2), (9, 1), (10, None), (11, None)])
def test_a_price_in_hp_leaves_the_hero_at_least_1(price: int, left: int | None) -> None:
    game = loads(ORDER.replace("price = { gold = 5 }", f"price = {{ hp = {price} }}"))
    state, talk = game.initial_state(), game.action("talk 1,0")
    assert (legal(game, state) == ["talk 1,0"]) is (left is not None)
    if left is None:
        with pytest.raises(IllegalAction, match=rf"Smith costs hp {price} .* has 10"):
            game.step(state, talk)
    else:
        assert game.step(state, talk).hero.hp == left


def test_stairs_open_both_floors() -> None:
    game = tower("stairs")
    state = play(game, "F1:climb 3,1")
    assert legal(game, state) == ["F2:fight 2,2"]
    state = play(game, "F2:fight 2,2", "F2:collect 1,1", state=state)
    assert legal(game, state) == ["F1:open 2,3"]
    assert state.world.visited == 0b11


def test_one_way_stairs_close_the_rest_but_offers_without_a_cell_stay() -> None:
    game = tower("one_way")
    state = play(game, "F1:climb 3,1")
    assert legal(game, state) == ["F2:open 3,1", "F2:fight 1,2", "buy"]
    game.check(state)
    with pytest.raises(IllegalAction, match="cannot be reached"):
        play(game, "F1:collect 1,1", state=state)


def test_two_staircases_between_the_same_floors_join_different_rooms() -> None:
    game = tower("stairs_twice")
    state = play(game, "F1:climb 3,1")
    assert legal(game, state) == ["F2:fight 2,1"]
    state = play(game, "F2:fight 2,1", state=state)
    assert legal(game, state) == ["F2:climb 3,4"]
    assert legal(game, play(game, "F2:climb 3,4", state=state)) == ["F1:fight 5,3"]


def test_hidden_stairs_are_there_only_when_revealed() -> None:
    game = tower("hidden_stairs")
    with pytest.raises(IllegalAction, match="is not there yet"):
        play(game, "F1:climb 4,1")
    assert legal(game, play(game, "F1:fight 1,3")) == ["F1:climb 4,1"]


REMOVED_UNSEEN = """
name = "removed unseen"
hero = { hp = 10, atk = 5 }
goal = { defeat = "Boss" }
monsters = { Boss = { hp = 1, atk = 1, def = 1 }, Imp = { hp = 1, atk = 1, def = 1 } }

[characters]
Smith = { talks = [{ leaves = true, removes = ["2,0"] }] }
Witch = { talks = [{ leaves = true, reveals = ["2,0"] }] }

[[floors]]
id = "F"
map = '''
@S#Z
.W##
'''
hidden = [{ at = "2,0", is = "Imp" }]
legend = { S = "Smith", W = "Witch", Z = "Boss" }
"""


def test_what_is_removed_while_hidden_never_appears_and_its_wall_is_open() -> None:
    game = loads(REMOVED_UNSEEN)
    assert legal(game, play(game, "talk 1,1")) == ["talk 1,0"]
    state = play(game, "talk 1,0")
    assert state.world.hidden == 0
    assert legal(game, state) == ["fight 3,0", "talk 1,1"]
    assert legal(game, play(game, "talk 1,1", state=state)) == ["fight 3,0"]


def test_what_a_monster_leaves_stands_in_the_way() -> None:
    game = tower("stacked")
    state = play(game, "fight 2,1")
    assert legal(game, state) == ["collect 2,1"]
    state = play(game, "collect 2,1", state=state)
    assert legal(game, state) == ["fight 3,1"]
    game.check(state)


def test_tools_are_used_up_and_bombs_pay_nothing() -> None:
    game = tower("tools")
    state = play(game, "collect 2,1", "break 1,2")
    assert state.hero.pickaxe == 0
    state = play(game, "collect 4,1", "bomb 3,3", state=state)
    assert (state.hero.bomb, state.hero.hp) == (0, 40)
    assert legal(game, state) == ["fight 3,5"]


def test_crystal_gives_one_wish_and_leaves_the_hero_where_he_is() -> None:
    game = tower("crystal")
    state = play(game, "choose 2,1 #1")
    assert state.hero.atk == 8
    assert state.hero.position == game.initial_state().hero.position
    assert "choose 2,1 #2" not in legal(game, state)


def test_lethal_fight_kills_and_leaves_the_monster() -> None:
    game = loads(REMOTE.replace("Rat = { hp = 1, atk = 1", "Rat = { hp = 9, atk = 5"))
    state = play(game, "fight 1,0")
    assert state.hero.hp == 0
    assert state.world == game.initial_state().world
    assert game.outcome(state) == "died"
    assert legal(game, state) == []


def test_fight_that_costs_exactly_all_hp_is_lethal() -> None:
    exact = REMOTE.replace("Rat = { hp = 1, atk = 1", "Rat = { hp = 9, atk = 5")
    game = loads(exact.replace("hp = 10", "hp = 11"))
    assert game.outcome(game.initial_state()) is None
    assert play(game, "fight 1,0").hero.hp == 1
    game = loads(exact)
    assert game.outcome(game.initial_state()) == "stuck"
    assert play(game, "fight 1,0").hero.hp == 0


def test_unwinnable_fight_is_illegal() -> None:
    game = loads(
        REMOTE.replace(
            "Rat = { hp = 1, atk = 1, def = 1", "Rat = { hp = 1, atk = 1, def = 5"
        )
    )
    assert legal(game, game.initial_state()) == []
    assert game.outcome(game.initial_state()) == "stuck"
    with pytest.raises(IllegalAction, match="its DEF is not below ATK"):
        play(game, "fight 1,0")


def test_nothing_is_legal_after_the_end() -> None:
    game = tower("goal_take")
    state = play(game, "fight 1,2", "finish 3,3")
    assert game.outcome(state) == "won"
    assert legal(game, state) == []
    with pytest.raises(IllegalAction, match="the game is won"):
        play(game, "collect 3,1", state=state)


def test_only_the_named_one_of_two_flags_wins() -> None:
    game = tower("goal_take")
    assert game.outcome(play(game, "collect 3,1")) is None


def test_goals_by_cell_and_by_script() -> None:
    reach = tower("goal_reach")
    assert reach.outcome(play(reach, "fight 1,2", "finish 3,3")) == "won"
    script = tower("goal_script")
    with pytest.raises(IllegalAction, match="its condition does not hold"):
        play(script, "talk 3,1")
    assert script.outcome(play(script, "fight 1,2", "talk 3,1")) == "won"


def test_state_of_another_tower_is_refused() -> None:
    game = tower("seal")
    with pytest.raises(StateMismatch, match="belongs to tower"):
        game.step(tower("stairs").initial_state(), game.actions[0])


def test_an_action_of_another_tower_is_refused() -> None:
    game, other = tower("shop_constant"), tower("seal")
    state = game.initial_state()
    for action in other.actions:
        with pytest.raises(IllegalAction, match=f"{action.text!r} is no action of"):
            game.step(state, action)
    again = pickle.loads(pickle.dumps(game.action("fight 1,3")))
    assert game.step(state, again) == play(game, "fight 1,3")


def test_step_is_pure() -> None:
    game = tower("seal")
    before = game.initial_state()
    kept = before.to_json()
    play(game, "fight 1,1", state=before)
    assert before.to_json() == kept


def test_script_joins_a_talk_that_happens_once() -> None:
    text = ORDER.replace("leaves = true, effects", "effects").replace(
        "[[floors]]",
        '[[scripts]]\nat = "1,0"\nneeds = { atk = 4 }\nsets = ["c"]\n'
        'removes = ["1,0"]\n\n[[floors]]',
    )
    game = loads(text)
    state = play(game, "talk 1,0")
    assert {"b", "c"} <= flags(game, state.world.flags)
    assert legal(game, state) == ["fight 2,0"]


@pytest.mark.parametrize(("atk", "allowed"), [(5, False), (6, True)])
def test_two_needs_of_one_action_must_both_hold(atk: int, allowed: bool) -> None:
    scripts = "".join(
        f'[[scripts]]\nat = "1,0"\nneeds = {{ atk = {least} }}\n\n' for least in (4, 6)
    )
    text = ORDER.replace("[[floors]]", scripts + "[[floors]]")
    game = loads(text.replace("atk = 5 }", f"atk = {atk} }}"))
    assert ("talk 1,0" in legal(game, game.initial_state())) is allowed


RING = """
name = "ring"
hero = { hp = 10, atk = 5 }
goal = { defeat = "Boss" }

[monsters]
Boss = { hp = 1, atk = 1, def = 1 }

[[floors]]
id = "A"
map = "@U.Z"
[floors.legend]
U = { stairs = "up", to = "B:0,0", one_way = true }
Z = "Boss"

[[floors]]
id = "B"
map = ".U"
[floors.legend]
U = { stairs = "up", to = "A:0,0", one_way = true }
"""


def test_check_accepts_every_reach_after_several_one_way_stairs() -> None:
    game = loads(RING)
    state = game.initial_state()
    for text in ("A:climb 1,0", "B:climb 1,0", "A:fight 3,0"):
        state = play(game, text, state=state)
        game.check(state)
    assert game.outcome(state) == "won"
