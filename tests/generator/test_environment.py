"""`MagicTower-generated-v0`: another certified floor with every reset."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.analysis.options import Options
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError, StateMismatch
from mt_gym.generator.generate import generate
from mt_gym.generator.levels import LEVELS, action_rows
from mt_gym.generator.pools import write_pool
from mt_gym.generator.widest import widest
from mt_gym.observation import max_length
from mt_gym.observation.names import labels

ID = "MagicTower-generated-v0"
NONE: frozenset[str] = frozenset()


def make(**keywords: Any) -> gym.Env[Any, Any]:
    return gym.make(ID, disable_env_checker=True, **keywords)


def floor(env: gym.Env[Any, Any]) -> mt_gym.Tower:
    tower: mt_gym.Tower = env.get_wrapper_attr("tower")
    return tower


def test_equal_seeds_give_equal_episodes_and_others_other_floors() -> None:
    one, two = make(level=3), make(level=3)
    first, again = one.reset(seed=5), two.reset(seed=5)
    assert first[0] == again[0]
    assert floor(one) == floor(two)
    assert one.reset()[0] == two.reset()[0]
    assert floor(one) == floor(two)
    floors = set()
    for seed in range(6):
        one.reset(seed=seed)
        floors.add(floor(one).digest)
    assert len(floors) == 6


@pytest.mark.parametrize("name", ["validation", "test"])
def test_a_seed_is_the_number_of_a_floor_in_a_set_that_ends(name: str) -> None:
    env = make(level=1, floors=name)
    for seed, index in ((4, 4), (200 + 7, 7)):
        env.reset(seed=seed)
        assert floor(env) == generate(1, floors=name, index=index)
    env.reset()
    assert floor(env) == generate(1, floors=name, index=8)


@pytest.mark.parametrize("observation", ["annotated", "bare", "features"])
def test_the_spaces_depend_on_the_size_alone(observation: str) -> None:
    size = LEVELS[5].size
    spaces = []
    for level, floors in ((5, "train"), (5, "test"), (2, "train")):
        env = make(level=level, size=size, floors=floors, observation=observation)
        spaces.append((env.observation_space, env.action_space))
        assert env.action_space == gym.spaces.Discrete(action_rows(size))
        for seed in range(3):
            seen, _ = env.reset(seed=seed)
            assert seen in env.observation_space
    assert spaces[0] == spaces[1] == spaces[2]


@pytest.mark.parametrize(("level", "size"), [(1, 4), (5, None), (10, None), (7, 40)])
def test_texts_of_every_size_fit_the_space(level: int, size: int | None) -> None:
    env = make(level=level, size=size, lookahead_depth=4)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        assert seen in env.observation_space


@pytest.mark.parametrize("level", LEVELS)
def test_a_map_with_more_of_everything_bounds_the_texts_of_all_floors(
    level: int,
) -> None:
    most = widest(LEVELS[level].size)
    items = [one for one in labels(most) if one.left != one.lower]
    shortest = min(max(len(str(part)) for part in one) for one in items)
    for index in range(2):
        tower = generate(level, index=index)
        assert len(tower.board.objects) <= len(items)
        assert len(tower.data.kinds) <= len(most.data.kinds)
        assert max(len(str(p)) for one in labels(tower) for p in one) <= shortest
        for depth, turns in ((0, 1), (3, 300), (6, 10**9)):
            options = Options.of(tower, lookahead_depth=depth, max_turns=turns)
            for kind in ("annotated", "bare"):
                bounds = [max_length(t, kind, NONE, options) for t in (tower, most)]
                assert bounds[0] <= bounds[1]


def test_many_turns_leave_the_texts_room() -> None:
    env = make(level=1, max_turns=10**40)
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space


def test_a_map_of_other_hands_beyond_the_texts_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    write_pool(folder, level=1, count=2)
    file = folder / "000001.toml"
    tower = load(file)
    text = "long " * 100_000
    goal = replace(tower.data.goal, text=text)
    file.write_text(Tower(replace(tower.data, goal=goal)).to_toml(), encoding="utf-8")
    env = make(floors=str(folder))
    env.reset(seed=0)
    with pytest.raises(MtGymError, match="the space of its size holds"):
        env.reset(seed=1)


def test_the_reward_divides_by_the_floors_own_optimum() -> None:
    env = make(level=2)
    env.reset(seed=1)
    certificate = floor(env).certificate
    assert certificate is not None
    reference = env.get_wrapper_attr("reference_hp")
    assert reference == (certificate.optimum, "optimum")


def test_a_pool_gives_its_floors_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    write_pool(folder, level=2, size=5, count=3)
    env = make(floors=str(folder))
    for index in (0, 1, 2, 0):
        env.reset()
        assert floor(env) == generate(2, 5, index=index)
    env.reset(seed=5)
    assert floor(env) == generate(2, 5, index=2)


def test_a_state_of_the_present_floor_keeps_it() -> None:
    env = make(level=1)
    env.reset(seed=1)
    here, state = floor(env), env.get_wrapper_attr("state")
    env.reset(options={"state": state})
    assert floor(env) == here
    env.reset(seed=2)
    with pytest.raises(StateMismatch):
        env.reset(options={"state": state})


def test_vector_environments_play_their_own_floors() -> None:
    vector = gym.make_vec(
        ID, num_envs=3, vectorization_mode="sync", level=1, observation="features"
    )
    observation, info = vector.reset(seed=0)
    assert observation["objects"].shape[:2] == (3, action_rows(LEVELS[1].size))
    assert isinstance(vector, gym.vector.SyncVectorEnv)
    digests = {tower.digest for tower in vector.get_attr("tower")}
    assert len(digests) == 3
    for _ in range(20):
        actions = [int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]]
        _, _, _, _, info = vector.step(np.array(actions))
        if not info["action_mask"].any(axis=1).all():
            break
    vector.close()


def test_the_identity_is_in_the_spec_and_rebuilds_it() -> None:
    env = make(level=4, size=7, floors="validation")
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert env.reset(seed=3)[0] == again.reset(seed=3)[0]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"level": 0}, "level=0 is unknown"),
        ({"size": 99}, "size=99: the number of gateways is an integer from 4 to 40"),
        (
            {"floors": "nowhere"},
            "'nowhere' is neither a set .* nor the folder of a pool",
        ),
        ({"floors": 7}, "floors must be a set or a folder"),
        ({"tower": "simple"}, "unknown keyword 'tower'"),
        ({"levle": 1}, "unknown keyword 'levle'; did you mean 'level'"),
        ({"num_actions": 3}, "num_actions=3 is too small: floors of 5 gateways"),
    ],
)
def test_bad_keywords_are_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        make(**keywords)


def test_a_pool_of_another_size_is_refused(tmp_path: Path) -> None:
    write_pool(tmp_path / "pool", level=1, size=4, count=1)
    with pytest.raises(MtGymError, match=r"size=6: the floors of .* have 4 gateways"):
        make(floors=str(tmp_path / "pool"), size=6)
