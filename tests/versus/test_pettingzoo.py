"""PettingZoo's own tests on every shipped floor and every small map."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

import pettingzoo
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from mt_gym.engine.load import shipped
from mt_gym.versus import duel, race, register_games
from mt_gym.versus.registration import game_id
from mt_gym.versus.wrappers import numeric_only, text_only
from tests.engine.towers import DATA, NAMES
from tests.versus.zoo import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

FLOORS = [*shipped(), *(str(DATA / f"{name}.toml") for name in NAMES)]

# What PettingZoo's tests say of every environment whose observation is a Dict, and of
# the mask of a player whose game has ended.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


def name_of(floor: str) -> str:
    return floor.rpartition("/")[2]


@pytest.mark.parametrize("floor", FLOORS, ids=name_of)
class TestEveryFloor:
    def test_duel_passes_api_test(self, floor: str) -> None:
        api_test(duel.env(floor), num_cycles=200)

    def test_duel_passes_seed_test(self, floor: str) -> None:
        seed_test(lambda: duel.env(floor), num_cycles=100)

    def test_race_passes_parallel_api_test(self, floor: str) -> None:
        parallel_api_test(race.parallel_env(floor, players=3), num_cycles=60)

    def test_race_by_rank_passes_parallel_api_test(self, floor: str) -> None:
        game = race.parallel_env(floor, players=2, reward="rank", max_turns=40)
        parallel_api_test(game, num_cycles=80)

    def test_race_passes_seed_test(self, floor: str) -> None:
        # It samples without masks.
        parallel_seed_test(
            lambda: race.parallel_env(floor, on_illegal="penalise"), num_cycles=40
        )

    def test_games_pass_render_test(
        self, floor: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if importlib.util.find_spec("pygame") is None:
            pytest.skip("needs pygame, of the extra render")

        # Windows need not wait for people.
        monkeypatch.setattr("mt_gym.versus.screen.RENDER_FPS", 0)

        def aec_race(render_mode: str) -> Any:
            return parallel_to_aec(race.parallel_env(floor, render_mode=render_mode))

        render_test(lambda render_mode: duel.env(floor, render_mode=render_mode))
        render_test(aec_race)


def test_race_passes_api_test_as_a_game_in_turns() -> None:
    api_test(parallel_to_aec(race.parallel_env("simple")), num_cycles=200)


def test_wrapped_games_pass_the_tests() -> None:
    api_test(numeric_only(duel.env("simple")), num_cycles=200)
    parallel_api_test(numeric_only(race.parallel_env("simple")), num_cycles=60)
    seed_test(lambda: text_only(duel.env("simple")), num_cycles=50)
    # Its api_test reads the dtype of an array, which a text has not.


def test_games_are_in_pettingzoos_registry() -> None:
    assert set(register_games()) <= {
        *pettingzoo.aec_registry,
        *pettingzoo.parallel_registry,
    }
    for floor in shipped():
        made = pettingzoo.make("aec", game_id("duel", floor))
        assert made.unwrapped.tower.name == floor
        raced = pettingzoo.make("parallel", game_id("race", floor), players=4)
        assert len(raced.possible_agents) == 4
    assert pettingzoo.make("aec", "MagicTower/duel_v0", tower="simple")


def test_pettingzoos_wrapper_makes_an_illegal_choice_lose() -> None:
    game = TerminateIllegalWrapper(duel.env("simple"), illegal_reward=-1)
    game.reset(seed=0)
    mask = game.observe("player_0")["action_mask"]
    game.step(int(np.flatnonzero(mask == 0)[0]))
    assert game.unwrapped.terminations == {"player_0": True, "player_1": True}
    assert game.unwrapped.rewards["player_0"] == -1


def test_spaces_are_one_object_a_player_and_hold_every_observation() -> None:
    game = duel.env("simple")
    assert game.observation_space("player_0") is game.observation_space("player_0")
    assert game.observation_space("player_0") is not game.observation_space("player_1")
    rng = np.random.default_rng(0)
    for _ in range(5):
        game.reset()
        for agent in game.agent_iter():
            for player in game.possible_agents:
                assert game.observation_space(player).contains(game.observe(player))
            _, _, ended, cut, info = game.last(observe=False)
            legal = np.flatnonzero(info["action_mask"])
            game.step(None if ended or cut else int(rng.choice(legal)))
            assert agent in game.possible_agents
