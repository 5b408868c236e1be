"""The table of legal actions, row by row: mask, list, override, execution."""

from __future__ import annotations

import numpy as np
import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices
from mt_gym.play.episode import Moment, Turns, advance
from mt_gym.play.heuristic import choose
from mt_gym.play.masks import action_mask, row_table
from mt_gym.play.settings import PlaySettings
from tests.engine.towers import play, tower

LETHAL = """
name = "lethal"
[hero]
hp = 30
atk = 7
def = 2
[goal]
defeat = "Warden"
[monsters]
Rat = { hp = 8, atk = 5, def = 1 }
Bear = { hp = 40, atk = 14, def = 2 }
Ghost = { hp = 10, atk = 5, def = 7 }
Warden = { hp = 8, atk = 5, def = 1 }
[items]
Potion = { hp = 5 }
[[floors]]
id = "lethal"
map = '''
#######
#p.r@G#
#####g#
#Z.B..#
#####.#
#....R#
#######
'''
[floors.legend]
p = "Potion"
r = "Rat"
G = "Ghost"
g = "Bear"
B = "Rat"
R = "Rat"
Z = "Warden"
"""


def settings(game: Tower, *overrides: str) -> PlaySettings:
    return PlaySettings(Options.of(game), frozenset(), overrides)


def choice(
    game: Tower, state: State, text: str, *overrides: str
) -> tuple[Moment, Turns]:
    moment = Moment(state, 0, None, frozenset())
    return advance(game, moment, game.action(text), settings(game, *overrides))


def in_mask(game: Tower, state: State, text: str) -> bool:
    table = row_table(game, len(game.actions))
    mask = action_mask(table, state, settings(game))
    return bool(mask[game.action(text).index])


def listed(game: Tower, state: State) -> dict[str, bool]:
    found = choices(game, state, settings(game))
    return {entry.action.text: entry.enabled for entry in found}


ORDINARY = [
    ("gates_bars", (), "open 3,1", "gate"),
    ("doors_keys", (), None, "doors with their keys"),
    ("items", (), "collect 2,1", "item"),
    ("shop_constant", (), None, "offers that can be paid"),
    ("character_gifts", (), "talk 1,1 #1", "talk"),
    ("stairs", (), "F1:climb 3,1", "stairs"),
    ("goal_reach", ("fight 1,2",), "finish 3,3", "goal cell"),
    ("crystal", (), "choose 2,1 #1", "wish"),
]


@pytest.mark.parametrize(("name", "before", "text", "what"), ORDINARY)
def test_what_is_possible_is_in_the_mask_and_executed(
    name: str, before: tuple[str, ...], text: str | None, what: str
) -> None:
    game = tower(name)
    state = play(game, *before)
    legal = [str(action) for action in game.legal_actions(state)]
    for chosen in legal if text is None else [text]:
        assert chosen in legal, what
        assert in_mask(game, state, chosen)
        assert listed(game, state)[chosen]
        _, played = choice(game, state, chosen)
        assert str(played[0].action) == chosen
        assert played[0].source == "policy"


def test_a_winnable_and_survivable_fight_is_executed_with_and_without_overrides() -> (
    None
):
    game = load("simple")
    state = game.initial_state()
    for overrides in ((), ("mechanical",)):
        _, played = choice(game, state, "fight 6,4", *overrides)
        assert str(played[0].action) == "fight 6,4"
        assert played[0].after.hero.hp == 470 - 55


class TestDeadEndDoor:
    game = load("simple")
    state = play(game, "collect 5,1")

    def test_it_is_in_the_mask(self) -> None:
        assert in_mask(self.game, self.state, "open 7,0")
        assert listed(self.game, self.state)["open 7,0"]

    def test_mechanical_executes_the_heuristics_action_instead(self) -> None:
        _, played = choice(self.game, self.state, "open 7,0", "mechanical")
        expected = choose(self.game, self.state, Options.of(self.game)).action
        assert played[0].action == expected
        assert played[0].source == "override"
        assert str(played[0].replaces) == "open 7,0"
        assert "dead end" in played[0].reason

    def test_without_override_it_is_executed(self) -> None:
        _, played = choice(self.game, self.state, "open 7,0")
        assert str(played[0].action) == "open 7,0"
        assert played[0].after.hero.yellow == 0


class TestLethalFight:
    game = loads(LETHAL.replace("p.r@G", "p.r.@"))
    state = game.initial_state()
    bear = "fight 5,2"

    def test_it_is_in_the_mask_although_it_kills(self) -> None:
        assert in_mask(self.game, self.state, self.bear)
        assert listed(self.game, self.state)[self.bear]

    def test_mechanical_replaces_it_while_something_else_is_left(self) -> None:
        _, played = choice(self.game, self.state, self.bear, "mechanical")
        assert str(played[0].action) == "fight 3,1"
        assert str(played[0].replaces) == self.bear
        assert "lethal" in played[0].reason

    def test_without_override_the_hero_dies_and_the_monster_stays(self) -> None:
        moment, played = choice(self.game, self.state, self.bear)
        assert moment.outcome == "died"
        assert moment.state.hero.hp == 0
        bear = self.game.action(self.bear).object
        assert not moment.state.world.gone >> bear & 1
        assert played[0].source == "policy"

    def test_nothing_but_lethal_and_unwinnable_fights_is_stuck(self) -> None:
        game = loads(LETHAL.replace("p.r@G", "####@"))
        state = game.initial_state()
        assert game.outcome(state) == "stuck"


class TestUnwinnableFight:
    game = loads(LETHAL)
    state = game.initial_state()
    ghost = "fight 5,1"

    def test_it_is_listed_but_not_in_the_mask(self) -> None:
        assert not in_mask(self.game, self.state, self.ghost)
        assert listed(self.game, self.state)[self.ghost] is False

    def test_mechanical_executes_the_heuristics_action_and_logs_it(self) -> None:
        _, played = choice(self.game, self.state, self.ghost, "mechanical")
        assert str(played[0].action) == "fight 3,1"
        assert played[0].source == "override"
        assert str(played[0].replaces) == self.ghost
        assert "unwinnable" in played[0].reason

    def test_without_override_nothing_happens_and_a_turn_passes(self) -> None:
        moment, played = choice(self.game, self.state, self.ghost)
        assert played[0].action is None
        assert str(played[0].replaces) == self.ghost
        assert moment.state == self.state
        assert moment.turn == 1


NOT_LISTED = [
    ("simple", "open 4,7"),  # out of reach
    ("simple", "fight 5,10"),
    ("simple", "open 7,0"),  # no key before the first turn
]


@pytest.mark.parametrize("overrides", [(), ("mechanical",), ("mechanical", "rule4")])
@pytest.mark.parametrize(("name", "text"), NOT_LISTED)
def test_anything_else_is_not_listed_and_does_nothing_whatever_the_override(
    name: str, text: str, overrides: tuple[str, ...]
) -> None:
    game = load(name)
    state = game.initial_state()
    assert not in_mask(game, state, text)
    assert text not in listed(game, state)
    moment, played = choice(game, state, text, *overrides)
    assert played[0].action is None
    assert played[0].source == "policy"
    assert moment.state == state
    assert moment.turn == 1


def test_travel_is_never_legal_where_every_floor_is_in_reach() -> None:
    game = tower("stairs")
    state = play(game, "F1:climb 3,1")
    assert not in_mask(game, state, "F1:travel")
    moment, played = choice(game, state, "F1:travel")
    assert played[0].action is None
    assert moment.state == state


def test_if_only_dead_end_doors_and_lethal_fights_remain_the_first_door_is_opened() -> (
    None
):
    game = loads(
        LETHAL.replace("Potion = { hp = 5 }", 'Key = { yellow = 1, category = "key" }')
        .replace("p.r@G", "YY@#.")
        .replace('p = "Potion"', 'Y = "Yellow Door"')
        .replace("def = 2\n[goal]", "def = 2\nyellow = 1\n[goal]")
        .replace("#####g#", "###g###")
    )
    state = game.initial_state()
    assert listed(game, state) == {"fight 3,2": True, "open 2,1": True}
    for text in listed(game, state):
        _, played = choice(game, state, text, "mechanical")
        assert str(played[0].action) == "open 2,1"


def test_after_the_end_the_mask_is_all_zero() -> None:
    game = load("simple")
    assert game.certificate is not None
    state = play(game, *game.certificate.route)
    table = row_table(game, len(game.actions))
    assert not np.any(action_mask(table, state, settings(game)))
    assert choices(game, state, settings(game)) == ()
