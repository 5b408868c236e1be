"""Choices of one floor and travel, and how the heuristic travels."""

from __future__ import annotations

import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices, is_legal, legal_actions
from mt_gym.play.episode import Moment, advance, begin
from mt_gym.play.heuristic import choose
from mt_gym.play.settings import PlaySettings
from tests.engine.towers import NAMES, play, states, tower

SEVERAL = tuple(name for name in NAMES if len(tower(name).floors) > 1)


def settings(game: Tower, *assists: str) -> PlaySettings:
    return PlaySettings(Options.of(game), frozenset(assists), (), one_floor=True)


def texts(game: Tower, state: State) -> list[str]:
    return [str(e.action) for e in choices(game, state, settings(game))]


def test_the_other_floors_are_masked_and_travel_leads_to_those_visited() -> None:
    game = tower("stairs")
    assert texts(game, game.initial_state()) == ["F1:climb 3,1"]
    above = play(game, "F1:climb 3,1")
    assert texts(game, above) == ["F2:fight 2,2", "F1:travel"]
    above = play(game, "F2:fight 2,2", "F2:collect 1,1", state=above)
    assert texts(game, above) == ["F1:travel"]
    below = play(game, "F1:travel", state=above)
    assert texts(game, below) == ["F1:open 2,3", "F2:travel"]


def test_travel_is_a_turn_that_moves_the_hero_and_nothing_else() -> None:
    game = tower("stairs")
    above = play(game, "F1:climb 3,1")
    moment = Moment(above, 1, None, frozenset())
    after, played = advance(game, moment, game.action("F1:travel"), settings(game))
    assert played[0].source == "policy"
    assert after.turn == 2
    assert after.state == above
    assert game.board.cell_floor[after.state.hero.position] == 0


def test_an_action_of_another_floor_is_illegal() -> None:
    game = tower("stairs")
    above = play(game, "F1:climb 3,1", "F2:fight 2,2", "F2:collect 1,1")
    door = game.action("F1:open 2,3")
    assert game.game.is_legal(above, door)
    assert not is_legal(game, above, door, settings(game))
    moment = Moment(above, 3, None, frozenset())
    _, played = advance(game, moment, door, settings(game))
    assert played[0].action is None
    assert "not offered here" in played[0].reason


@pytest.mark.parametrize("name", SEVERAL)
def test_legal_actions_are_the_enabled_entries(name: str) -> None:
    game = tower(name)
    rules = settings(game)
    for state in states(game, 200):
        legal = legal_actions(game, state, rules)
        enabled = [e.action for e in choices(game, state, rules) if e.enabled]
        assert sorted(a.index for a in enabled) == [a.index for a in legal]
        assert all(is_legal(game, state, action, rules) for action in legal)
        if game.outcome(state) is None:
            assert legal, "the episode goes on with nothing to choose"


@pytest.mark.parametrize("name", SEVERAL)
def test_the_heuristic_travels_to_what_it_would_choose(name: str) -> None:
    game = tower(name)
    rules = settings(game, "collect", "free_fights", "gates")
    moment, _ = begin(game, game.initial_state(), rules)
    while moment.outcome is None:
        listed = choices(game, moment.state, rules)
        choice = choose(game, moment.state, rules.options, listed)
        assert choice.action in [entry.action for entry in listed]
        moment, played = advance(game, moment, choice.action, rules)
        assert played[0].action == choice.action
    assert moment.outcome == "won"
