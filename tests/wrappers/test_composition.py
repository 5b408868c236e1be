"""Wrappers over the bare environment give the trace of the keywords."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym import wrappers
from mt_gym.errors import MtGymError
from mt_gym.wrappers import (
    Annotate,
    Assist,
    CommitPlan,
    ExploringStarts,
    Features,
    Oracle,
    Override,
    ShapeReward,
    SpareHP,
)
from tests.engine.towers import DATA, NAMES

Env = gym.Env[Any, Any]


def make(name: str, **keywords: Any) -> Env:
    tower = name if name == "simple" else str(DATA / f"{name}.toml")
    return gym.make("MagicTower-v0", tower=tower, disable_env_checker=True, **keywords)


def bare(name: str = "simple", **keywords: Any) -> Env:
    return make(name, observation="bare", assists=False, overrides=[], **keywords)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def trace(env: Env, steps: int, seed: int) -> list[Any]:
    """Random play with every fourth choice at random over all indices."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    found = [plain([observation, info])]
    for step in range(steps):
        assert observation in env.observation_space
        listed = [entry["action"] for entry in info["actions"]]
        action = int(rng.choice(listed))
        if step % 4 == 3:
            action = int(rng.integers(env.action_space.n))  # type: ignore[attr-defined]
        observation, reward, terminated, truncated, info = env.step(action)
        found.append(plain([observation, reward, terminated, truncated, info]))
        if terminated or truncated:
            observation, info = env.reset()
            found.append(plain([observation, info]))
    return found


@pytest.mark.parametrize("reward", ["goal_score", "hp_difference"])
@pytest.mark.parametrize("name", ["simple", *NAMES])
def test_annotate_assist_override_equals_the_keywords(name: str, reward: str) -> None:
    whole = make(name, max_turns=30, reward=reward)
    stack = Annotate(Assist(Override(bare(name, max_turns=30, reward=reward))))
    assert trace(stack, 40, seed=1) == trace(whole, 40, seed=1)


def test_with_rule4_and_some_assists() -> None:
    names = ["collect", "only_choice"]
    whole = make(
        "simple",
        assists=names,
        overrides=["mechanical", "rule4"],
        rule4_share=[1, 5],
        annotations=["exact"],
    )
    inner = bare(rule4_share=[1, 5])
    stack = Override(inner, ["mechanical", "rule4"])
    env = Annotate(Assist(stack, names), ["exact"])
    found = trace(env, 150, seed=3)
    assert found == trace(whole, 150, seed=3)
    assert "more than 1/5" in json.dumps(found)


def test_features_equals_the_keyword() -> None:
    whole = make("simple", observation="features", info_level="full")
    env = Features(Annotate(Assist(Override(bare()))))
    assert trace(env, 60, seed=2) == trace(whole, 60, seed=2)


def test_the_spec_holds_the_stack_and_rebuilds_it() -> None:
    env: Env = Annotate(Assist(Override(bare()), ["collect"]), ["costs"])
    assert env.spec is not None
    text = env.spec.to_json()
    assert [w["name"] for w in json.loads(text)["additional_wrappers"]] == [
        "Override",
        "Assist",
        "Annotate",
    ]
    twin = gym.make(gym.envs.registration.EnvSpec.from_json(text))
    assert trace(twin, 20, seed=0) == trace(env, 20, seed=0)


ALL: dict[str, Any] = {
    "Annotate": lambda env: Annotate(env, ["exact"], 2, [1, 3]),
    "Assist": lambda env: Assist(env, ["collect"]),
    "CommitPlan": lambda env: CommitPlan(env, 3),
    "ExploringStarts": lambda env: ExploringStarts(env, 0.5, 1, 2),
    "Features": Features,
    "Oracle": lambda env: Oracle(env, 1000),
    "Override": lambda env: Override(env, ["rule4"], [1, 3]),
    "ShapeReward": lambda env: ShapeReward(env, {"hp": 1}, 0.99),
    "SpareHP": lambda env: SpareHP(env, 5, 9, par_shift=False),
}


def test_every_wrapper_is_tested() -> None:
    assert sorted(ALL) == wrappers.__all__


@pytest.mark.parametrize("name", ALL)
class TestEveryWrapper:
    def test_its_arguments_are_json_and_rebuild_it(self, name: str) -> None:
        env = ALL[name](bare())
        text = env.spec.to_json()
        (recorded,) = json.loads(text)["additional_wrappers"]
        assert recorded["name"] == name
        twin = gym.make(gym.envs.registration.EnvSpec.from_json(text))
        assert isinstance(twin, type(env))
        assert twin.spec is not None
        assert twin.spec.to_json() == text
        for key, value in vars(env).items():
            if key in ("low", "high", "probability", "par_shift", "_k", "_gamma"):
                assert getattr(twin, key) == value

    def test_it_can_be_copied_and_pickled(self, name: str) -> None:
        env = ALL[name](bare())
        env.reset(seed=4)
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            one, two = twin.reset(seed=4), env.reset(seed=4)
            assert plain(one) == plain(two)

    def test_equal_seeds_give_equal_episodes(self, name: str) -> None:
        one, two = ALL[name](bare()), ALL[name](bare())
        for seed in (3, None):
            assert plain(one.reset(seed=seed)) == plain(two.reset(seed=seed))

    def test_it_forwards_the_masks_and_the_state(self, name: str) -> None:
        env = ALL[name](bare())
        env.reset(seed=0)
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        space = env.action_space
        sizes = getattr(space, "nvec", [getattr(space, "n", 0)])
        assert masks.shape == (sum(int(size) for size in sizes),)
        tower = env.get_wrapper_attr("tower")
        tower.check(env.get_wrapper_attr("state"))

    def test_it_refuses_other_environments(self, name: str) -> None:
        with pytest.raises(MtGymError, match="not CartPoleEnv"):
            ALL[name](gym.make("CartPole-v1"))


def test_masks_survive_vector_environments() -> None:
    def one() -> Env:
        import mt_gym  # noqa: F401

        return CommitPlan(Features(Assist(Override(bare()))), 2)

    envs = gym.vector.SyncVectorEnv([one, one])
    _, info = envs.reset(seed=0)
    assert info["action_mask"].shape == (2, 37)
    single = one()
    single.reset(seed=0)
    masks = envs.call("action_masks")
    assert np.array_equal(masks[0], single.get_wrapper_attr("action_masks")())
    assert mt_gym.load("simple").actions
