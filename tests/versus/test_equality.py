"""Alone in a race, or against a hero who always passes, it is the single game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.engine.load import shipped
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.versus import duel, race
from mt_gym.versus.wrappers import numeric_only
from tests.engine.towers import DATA, NAMES

FLOORS = [*shipped(), *(str(DATA / f"{name}.toml") for name in NAMES)]


def single(floor: str, **keywords: Any) -> MagicTowerEnv:
    return MagicTowerEnv(tower=floor, on_illegal="raise", **keywords)


def choose(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("floor", FLOORS, ids=lambda f: f.rpartition("/")[2])
def test_race_of_one_is_the_single_environment_step_by_step(floor: str) -> None:
    game = race.parallel_env(floor, players=1, max_turns=60)
    env = single(floor, max_turns=60)
    features = MagicTowerEnv(
        tower=floor, observation="features", annotations=[], max_turns=60
    )
    rng = np.random.default_rng(3)
    for _ in range(2):
        seen, infos = game.reset(seed=1)
        text, info = env.reset(seed=1)
        arrays, _ = features.reset(seed=1)
        assert game.action_space("player_0") == env.action_space
        while True:
            own, told = seen["player_0"], infos["player_0"]
            assert own["text"] == text
            assert told.pop("others") == ()
            mask = told.pop("action_mask")
            assert (mask == own["action_mask"]).all()
            assert (mask == info["action_mask"]).all()
            assert told == {k: v for k, v in info.items() if k != "action_mask"}
            for name in ("hero", "objects"):
                part = own["observation"][game.views[0].sections[name]]
                assert (part == arrays[name].ravel()).all()
            if not game.agents:
                break
            action = choose(rng, mask)
            seen, paid, ended, cut, infos = game.step({"player_0": action})
            text, reward, terminated, truncated, info = env.step(action)
            arrays = features.step(action)[0]
            assert paid == {"player_0": reward}
            assert ended == {"player_0": terminated}
            assert cut == {"player_0": truncated}


@pytest.mark.parametrize("floor", FLOORS, ids=lambda f: f.rpartition("/")[2])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("assists", [False, None])
def test_duel_against_a_hero_who_passes_is_the_single_environment(
    floor: str, seat: int, assists: bool | None
) -> None:
    common: dict[str, Any] = {"max_turns": 60}
    own = False if assists is False else ["collect", "free_fights", "stairs", "gates"]
    game = duel.env(floor, assists=assists, reward="goal_score", **common)
    env = single(floor, assists=own, **common)
    rng = np.random.default_rng(4)
    me, other = f"player_{seat}", f"player_{1 - seat}"
    compared = 0
    for _ in range(2):
        game.reset(seed=0)
        text, info = env.reset(seed=0)
        reward, over, cut = 0.0, False, False
        for agent in game.agent_iter():
            seen, paid, ended, truncated, told = game.last()
            if ended or truncated:
                if agent == me and (over or cut):
                    assert (paid, ended, truncated) == (reward, over, cut)
                game.step(None)
                continue
            if agent == other:
                game.step(game.unwrapped.pass_index)
                continue
            assert not (over or cut)
            actions = told["actions"]
            assert actions[:-1] == info["actions"]
            assert actions[-1]["text"] == "pass"
            assert told["turn"] == info["turn"]
            assert told["executed"] == info["executed"]
            assert (told["action_mask"][:-1] == info["action_mask"]).all()
            assert (seen["action_mask"] == told["action_mask"]).all()
            head, entries = text.split("\n\nAvailable actions:")
            assert head in seen["text"]
            assert entries.split("\n\nChoose")[0] in seen["text"]
            state = game.unwrapped.seats[seat].state
            assert state == env.state
            assert state.hero == env.state.hero
            action = choose(rng, info["action_mask"])
            game.step(action)
            text, reward, over, cut, info = env.step(action)
            compared += 1
            if game.unwrapped.duel.result is not None and not (over or cut):
                # The hero who passed cannot go on, so that the duel ends before.
                assert game.unwrapped.duel.result.reason == "stuck"
    assert compared >= 2


def test_arrays_alone_are_those_of_the_whole_observation() -> None:
    whole, arrays = duel.env("simple"), numeric_only(duel.env("simple"))
    for game in (whole, arrays):
        game.reset(seed=0)
    rng = np.random.default_rng(0)
    for agent in whole.agent_iter():
        seen, own = whole.observe(agent), arrays.observe(agent)
        assert sorted(own) == ["action_mask", "observation"]
        assert arrays.observation_space(agent).contains(own)
        assert (own["observation"] == seen["observation"]).all()
        assert (own["action_mask"] == seen["action_mask"]).all()
        ended = whole.terminations[agent]
        action = None if ended else choose(rng, seen["action_mask"])
        whole.step(action)
        arrays.step(action)
