"""Gymnasium's contract, for every id and observation, and for the small towers."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import mt_gym
from mt_gym.envs.keywords import OBSERVATIONS, TOWER_OBSERVATIONS, render_modes
from mt_gym.errors import IllegalAction, MtGymError
from tests.engine.towers import DATA, NAMES

IDS = tuple(id for id in mt_gym.register_envs() if id != "MagicTower-v0")
Env = gym.Env[Any, Any]


def observations(floors: int) -> tuple[str, ...]:
    return OBSERVATIONS if floors == 1 else TOWER_OBSERVATIONS


def floors_of(id: str) -> int:
    name = id.removeprefix("MagicTower-").removesuffix("-v0")
    return 1 if name == "generated" else len(mt_gym.load(name).floors)


CASES = [(id, observation) for id in IDS for observation in observations(floors_of(id))]
SMALL = [
    (name, observation)
    for name in NAMES
    for observation in observations(len(mt_gym.load(DATA / f"{name}.toml").floors))
]


def make(name: str, **keywords: Any) -> Env:
    """A small tower of the tests, or a registered id."""
    keywords.setdefault("disable_env_checker", True)
    if name.startswith("MagicTower"):
        return gym.make(name, **keywords)
    return gym.make("MagicTower-v0", tower=str(DATA / f"{name}.toml"), **keywords)


@pytest.mark.parametrize(("id", "observation"), CASES)
def test_gymnasiums_checker_passes(id: str, observation: str) -> None:
    env = gym.make(id, observation=observation)
    check_env(env.unwrapped)
    env.close()


def soak(env: Env, steps: int, seed: int = 0) -> list[Any]:
    """Random play, every fifth choice at random over all indices; a trace."""
    rng = np.random.default_rng(seed)
    trace: list[Any] = []
    observation, info = env.reset(seed=seed)
    masks = env.get_wrapper_attr("action_masks")
    for step in range(steps):
        assert observation in env.observation_space
        assert info["action_mask"].dtype == np.int8
        assert np.array_equal(info["action_mask"], masks())
        legal = np.flatnonzero(info["action_mask"])
        assert len(legal), "nothing to choose, but the episode goes on"
        action = int(rng.choice(legal))
        if step % 5 == 4:
            action = int(rng.integers(env.action_space.n))  # type: ignore[attr-defined]
        observation, reward, terminated, truncated, info = env.step(action)
        assert type(reward) is float
        assert type(terminated) is bool
        assert type(truncated) is bool
        assert not (terminated and truncated)
        assert ("outcome" in info) == (terminated or truncated)
        trace.append([reward, terminated, truncated, plain(observation), plain(info)])
        if terminated or truncated:
            assert observation in env.observation_space
            assert not info["action_mask"].any()
            observation, info = env.reset()
    return trace


def plain(value: Any) -> Any:
    """Arrays as lists, so that traces can be compared and written."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("id", "observation"), CASES)
def test_500_random_steps_stay_in_the_spaces(id: str, observation: str) -> None:
    env = make(id, observation=observation, max_turns=60)
    first = soak(env, 500)
    assert soak(make(id, observation=observation, max_turns=60), 500) == first


@pytest.mark.parametrize(("name", "observation"), SMALL)
def test_random_steps_on_every_small_tower(name: str, observation: str) -> None:
    soak(make(name, observation=observation, info_level="full", max_turns=40), 60)


TRACE = """
import json, sys
from tests.envs.test_contract import make, soak
import random
import numpy as np
before = random.getstate(), str(np.random.get_state())
traces = [soak(make(*case), 60) for case in (
    ("MagicTower-simple-v0",), ("character_gifts",), ("stairs_twice",), ("key_trader",)
)]
assert before == (random.getstate(), str(np.random.get_state()))
print(json.dumps(traces))
"""


def test_three_processes_with_other_hash_seeds_give_equal_traces() -> None:
    """And none of them touches the global random state."""
    root = Path(__file__).parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", TRACE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())) == 4


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_every_call_returns_fresh_objects(observation: str) -> None:
    env = make("MagicTower-simple-v0", observation=observation, info_level="full")
    one, first = env.reset(seed=0)
    two, second = env.reset(seed=0)
    arrays = [first["action_mask"], second["action_mask"]]
    arrays.append(env.get_wrapper_attr("action_masks")())
    if isinstance(one, dict):
        arrays += [*one.values(), *two.values()]
    for i, a in enumerate(arrays):
        for b in arrays[i + 1 :]:
            assert not np.shares_memory(a, b)
    assert first["actions"][0] is not second["actions"][0]
    assert first["executed"] is not second["executed"]
    first["action_mask"][:] = 1
    assert not np.array_equal(first["action_mask"], second["action_mask"])


def test_step_and_questions_before_the_first_reset_need_a_reset() -> None:
    env = make("MagicTower-simple-v0").unwrapped
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.get_wrapper_attr("state")


def won(**keywords: Any) -> Env:
    env = make("gates_bars", **keywords)
    env.reset(seed=0)
    tower = env.get_wrapper_attr("tower")
    while True:
        legal = tower.legal_actions(env.get_wrapper_attr("state"))
        if env.step(legal[0].index)[2]:
            return env


def test_step_after_the_end_raises_reset_needed() -> None:
    env = won()
    with pytest.raises(ResetNeeded, match="ended"):
        env.step(0)
    env.reset()
    assert env.unwrapped.moment.outcome is None  # type: ignore[attr-defined]


def test_close_twice_is_safe() -> None:
    for mode in (None, "ansi", "rgb_array"):
        env = make("MagicTower-simple-v0", render_mode=mode)
        env.reset()
        env.close()
        env.close()


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_a_copy_goes_on_on_its_own(how: str, observation: str) -> None:
    env = make("MagicTower-simple-v0", observation=observation, info_level="full")
    env.reset(seed=0)
    action = env.get_wrapper_attr("tower").action("fight 6,4").index
    twin: Env = (
        copy.deepcopy(env) if how == "deepcopy" else pickle.loads(pickle.dumps(env))
    )
    assert plain(twin.step(action)) == plain(env.step(action))
    env.reset()
    assert twin.get_wrapper_attr("turn") == 2
    assert twin.get_wrapper_attr("tower") == env.get_wrapper_attr("tower")


def test_an_illegal_choice_is_a_penalised_turn_in_which_nothing_happens() -> None:
    env = make("MagicTower-simple-v0")
    env.reset(seed=0)
    before = env.get_wrapper_attr("state")
    boss = env.get_wrapper_attr("tower").action("fight 5,10").index
    _, reward, terminated, truncated, info = env.step(boss)
    assert (reward, terminated, truncated) == (-0.01, False, False)
    assert env.get_wrapper_attr("state") == before
    assert info["turn"] == 2
    (turn,) = info["executed"]
    assert (turn["action"], turn["text"], turn["replaces"]) == (None, None, boss)
    assert "cannot be reached" in turn["reason"]


def test_an_illegal_choice_may_raise_instead_and_then_costs_no_turn() -> None:
    env = make("MagicTower-simple-v0", on_illegal="raise")
    env.reset(seed=0)
    boss = env.get_wrapper_attr("tower").action("fight 5,10").index
    with pytest.raises(IllegalAction, match="'fight 5,10' is not legal"):
        env.step(boss)
    assert env.get_wrapper_attr("turn") == 1


@pytest.mark.parametrize("action", [-1, 37, 1.5, "fight 6,4", None])
def test_what_is_no_action_index_is_always_an_error(action: Any) -> None:
    env = make("MagicTower-simple-v0")
    env.reset()
    with pytest.raises(IllegalAction, match="no action index: an integer from 0 to 36"):
        env.step(action)


def test_numpy_integers_are_action_indices() -> None:
    env = make("MagicTower-simple-v0")
    env.reset()
    env.step(np.int64(14))
    env.step(np.array(21))
    assert [t.action.text for t in env.unwrapped.history] == [  # type: ignore[attr-defined]
        "collect 5,1",
        "fight 6,4",
        "fight 5,6",
    ]


def test_padded_indices_are_never_legal_and_do_nothing() -> None:
    env = make("MagicTower-simple-v0", num_actions=40, observation="features")
    observation, info = env.reset()
    assert env.action_space.n == 40  # type: ignore[attr-defined]
    assert info["action_mask"].shape == (40,)
    assert not observation["objects"][37:].any()
    observation, reward, *_, info = env.step(39)
    assert observation in env.observation_space
    assert reward == -0.01
    assert info["turn"] == 2


class TestReset:
    def test_it_begins_in_a_state_at_turn_0_without_history(self) -> None:
        env = make("MagicTower-simple-v0")
        env.reset(seed=0)
        for text in ("fight 6,4", "fight 5,6"):
            env.step(env.get_wrapper_attr("tower").action(text).index)
        state = env.get_wrapper_attr("state")
        text, info = env.reset(options={"state": state})
        assert info["turn"] == 0
        assert info["executed"] == ()
        assert env.get_wrapper_attr("state") == state
        assert "Turn 0/300" in text
        assert "T1:" not in text

    def test_a_state_that_has_ended_is_refused(self) -> None:
        env = won()
        state = env.get_wrapper_attr("state")
        with pytest.raises(MtGymError, match="already ended"):
            env.reset(options={"state": state})

    def test_a_state_of_another_tower_is_refused(self) -> None:
        env = make("MagicTower-simple-v0")
        other = mt_gym.load(DATA / "stairs.toml").initial_state()
        with pytest.raises(mt_gym.StateMismatch):
            env.reset(options={"state": other})

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sate": None}, "unknown keyword 'sate'; did you mean 'state'"),
            ({"state": "x"}, "must be a State"),
            (3, "options must be None or a dict .* got 3"),
            ([], "options must be None or a dict"),
        ],
    )
    def test_other_options_are_refused(self, options: Any, message: str) -> None:
        env = make("MagicTower-simple-v0")
        with pytest.raises(MtGymError, match=message):
            env.reset(options=options)


class TestEndings:
    def test_won(self) -> None:
        env = make("MagicTower-simple-v0", assists=False)
        env.reset()
        tower = env.get_wrapper_attr("tower")
        route = tower.certificate.route
        for text in route[:-1]:
            _, reward, terminated, *_ = env.step(tower.action(text).index)
            assert (reward, terminated) == (0.0, False)
        *_, reward, terminated, truncated, info = env.step(
            tower.action(route[-1]).index
        )
        assert (reward, terminated, truncated) == (1.0, True, False)
        assert info["outcome"] == "won"
        assert info["turn"] == len(route)
        assert info["actions"] == ()

    def test_died(self) -> None:
        env = make("MagicTower-simple-v0", overrides=[])
        env.reset()
        tower = env.get_wrapper_attr("tower")
        state = env.get_wrapper_attr("state")
        weak = state._replace(hero=state.hero._replace(hp=60))
        env.reset(options={"state": weak})
        *_, terminated, truncated, info = env.step(tower.action("fight 4,2").index)
        assert (terminated, truncated, info["outcome"]) == (True, False, "died")
        assert env.get_wrapper_attr("state").hero.hp == 0

    def test_stuck(self) -> None:
        env = make("MagicTower-simple-v0")
        env.reset()
        tower = env.get_wrapper_attr("tower")
        state = env.get_wrapper_attr("state")
        weak = state._replace(hero=state.hero._replace(hp=58, yellow=0))
        env.reset(options={"state": weak})
        *_, terminated, truncated, info = env.step(tower.action("fight 5,3").index)
        assert (terminated, truncated, info["outcome"]) == (True, False, "stuck")

    def test_the_turn_limit_truncates(self) -> None:
        env = make("MagicTower-simple-v0", max_turns=3)
        env.reset()
        boss = env.get_wrapper_attr("tower").action("fight 5,10").index
        assert env.step(boss)[2:4] == (False, False)
        _, reward, terminated, truncated, info = env.step(boss)
        assert (terminated, truncated, info["outcome"]) == (False, True, "turn_limit")
        assert reward == -0.01  # no monster is defeated, so the goal score is 0


def test_the_render_modes() -> None:
    env = make("MagicTower-simple-v0", render_mode="ansi")
    text, _ = env.reset()
    assert env.render() == text
    env = make("MagicTower-simple-v0", render_mode="rgb_array", observation="bare")
    env.reset()
    image: Any = env.render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    again: Any = env.render()
    assert np.array_equal(image, again)
    assert not np.shares_memory(image, again)


def test_an_unknown_render_mode_is_an_error() -> None:
    with pytest.raises(MtGymError, match=r"render_mode='ascii' is unknown.*ansi"):
        mt_gym_env(render_mode="ascii")


def mt_gym_env(**keywords: Any) -> Any:
    from mt_gym.envs.env import MagicTowerEnv

    return MagicTowerEnv(shipped="simple", **keywords)


def test_a_window_needs_pygame_and_says_so() -> None:
    if "human" in render_modes():
        env = mt_gym_env(render_mode="human")
        env.reset()
        assert env.render() is None
        env.close()
        env.close()
    else:
        with pytest.raises(MtGymError, match=r"pip install 'mt-gym\[render\]'"):
            mt_gym_env(render_mode="human")
