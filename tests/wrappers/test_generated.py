"""Wrappers over the environment that plays another floor in every episode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.errors import MtGymError
from mt_gym.wrappers import (
    Annotate,
    Assist,
    ExploringStarts,
    Features,
    Override,
    ShapeReward,
    SpareHP,
)
from tests.wrappers.test_composition import trace

Env = gym.Env[Any, Any]


def make(**keywords: Any) -> Env:
    return gym.make("MagicTower-generated-v0", disable_env_checker=True, **keywords)


def bare(**keywords: Any) -> Env:
    return make(observation="bare", assists=False, overrides=[], **keywords)


def floor(env: Env) -> mt_gym.Tower:
    tower: mt_gym.Tower = env.get_wrapper_attr("tower")
    return tower


def test_annotate_assist_override_equals_the_keywords() -> None:
    stack = Annotate(Assist(Override(bare(level=2))))
    whole = make(level=2)
    assert stack.observation_space == whole.observation_space
    for seed in range(3):
        assert trace(stack, 40, seed) == trace(whole, 40, seed)


def test_a_deeper_lookahead_has_a_longer_space() -> None:
    depth = {"lookahead_depth": 5}
    deep = Annotate(bare(), None, 5)
    assert deep.observation_space == make(**depth).observation_space
    assert deep.observation_space != Annotate(bare()).observation_space


def test_features_equals_the_keyword() -> None:
    stack = Features(Annotate(Assist(Override(bare(level=2)))))
    whole = make(level=2, observation="features", info_level="full")
    for seed in range(3):
        assert trace(stack, 40, seed) == trace(whole, 40, seed)


def test_shaping_divides_by_the_start_hp_of_the_floor_that_is_played() -> None:
    env = ShapeReward(bare(level=3), {"hp": 1})
    starts = set()
    for seed in range(4):
        env.reset(seed=seed)
        state = floor(env).initial_state()
        assert env.potential(state) == 1
        starts.add(state.hero.hp)
    assert len(starts) > 1


BEGINNINGS: dict[str, Callable[[Env], Env]] = {
    "spare HP": lambda env: SpareHP(env, 7, 7),
    "exploring": lambda env: ExploringStarts(env, 1.0),
    "now and then": lambda env: ExploringStarts(env, 0.5),
    "both": lambda env: SpareHP(ExploringStarts(env, 0.5), 7, 7),
    "both, exploring first": lambda env: ExploringStarts(SpareHP(env, 7, 7), 0.5),
}


@pytest.mark.parametrize("floors", ["train", "test"])
@pytest.mark.parametrize("name", BEGINNINGS)
def test_another_beginning_leaves_the_floors_as_they_are(
    name: str, floors: str
) -> None:
    env, plain = BEGINNINGS[name](bare(floors=floors)), bare(floors=floors)
    seen = []
    for seed in (3, None, None, 8, None):
        env.reset(seed=seed)
        plain.reset(seed=seed)
        assert floor(env) == floor(plain)
        seen.append(floor(env).digest)
    assert len(set(seen)) == 5


def test_spare_hp_comes_on_top_of_the_floors_own() -> None:
    env = SpareHP(bare(level=3), 7, 7)
    for seed in range(3):
        env.reset(seed=seed)
        start = floor(env).initial_state().hero.hp
        assert env.get_wrapper_attr("state").hero.hp == start + 7


def test_a_given_state_keeps_its_floor() -> None:
    env = SpareHP(bare(level=3), 7, 7)
    env.reset(seed=1)
    here, state = floor(env), floor(env).initial_state()
    env.reset(options={"state": state})
    assert floor(env) is here
    assert env.get_wrapper_attr("state").hero.hp == state.hero.hp + 7


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (3, "options must be None or a dict"),
        ({"seed": 1}, "unknown keyword 'seed'"),
        ({"state": "start"}, "must be a State"),
    ],
)
def test_wrong_options_are_refused_before_a_floor_is_drawn(
    options: Any, says: str
) -> None:
    env = bare()
    env.reset(seed=0)
    tower = env.get_wrapper_attr("tower")
    with pytest.raises(MtGymError, match=says):
        env.unwrapped.reset(options=options)
    assert env.get_wrapper_attr("tower") is tower
