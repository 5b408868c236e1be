"""Random play on the simple floor, turn by turn, against the slow simulator."""

from __future__ import annotations

import numpy as np
import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load
from mt_gym.play.choices import choices
from mt_gym.play.episode import Played, advance, begin
from mt_gym.play.settings import PlaySettings
from tests.oracles import brute_force
from tests.oracles.cellsim import Action

GAME = load("simple")
# `only_choice` is off: the simulator has no such assist.
RULES = PlaySettings(Options.of(GAME), frozenset({"collect", "free_fights"}), ())


def cell(turn: Played) -> tuple[int, int]:
    assert turn.action is not None
    assert turn.action.position is not None
    return turn.action.position


@pytest.mark.parametrize("seed", range(40))
def test_turns_and_lists_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    floor = brute_force.simple_floor()
    moment, played = begin(GAME, GAME.initial_state(), RULES)
    assert [cell(turn) for turn in played] == [a[1:] for a in floor.assist()]
    while moment.outcome is None:
        listed = choices(GAME, moment.state, RULES)
        able = [e for e in listed if e.enabled and not e.lethal]
        decisions: list[Action] = brute_force.decisions(floor)
        assert [e.action.position for e in able] == [a[1:] for a in decisions]
        action = able[int(rng.integers(len(able)))].action
        assert action.position is not None
        moment, played = advance(GAME, moment, action, RULES)
        done = [floor.act(action.position)]
        if moment.outcome != "won":
            done += floor.assist()
        assert [cell(turn) for turn in played] == [a[1:] for a in done]
        hero = moment.state.hero
        assert (hero.hp, hero.atk, hero.defense) == (
            floor.hero.hp,
            floor.hero.atk,
            floor.hero.defense,
        )
    assert (moment.outcome == "won") == (brute_force.boss_cell(floor) is None)
