"""The batch environment: copy by copy the single environment."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import mt_gym
from mt_gym.analysis.options import Options
from mt_gym.engine.generate import GOALS, SHAPES, SPECIALS, Recipe, random_tower
from mt_gym.engine.load import shipped
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import OUTCOMES
from mt_gym.envs.batch.vector import BatchEnv
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.envs.rewards import REWARDS
from mt_gym.errors import IllegalAction, MtGymError, StateMismatch
from mt_gym.observation.annotations import KINDS, resolve
from tests.engine.towers import NAMES

DATA = Path(__file__).parents[1] / "data"
MAPS = [*shipped(), *(str(DATA / f"{name}.toml") for name in NAMES)]
SIMPLE = "MagicTower-simple-v0"


def agree(batch: Batch, env: MagicTowerEnv, arrays: dict[str, Any]) -> None:
    """The first copy shows and holds what the single environment does."""
    batch.paint()
    assert np.array_equal(batch.mask[0], arrays["action_mask"])
    assert np.array_equal(batch.hero[0], arrays["hero"])
    assert np.array_equal(batch.objects[0], arrays["objects"])
    state = batch.state(0)
    assert state == env.state
    assert state.hero == env.state.hero  # where he stands and what he reaches too
    assert int(batch.turns[0]) == env.turn


def compare(
    tower: Tower | str,
    rng: np.random.Generator,
    episodes: int,
    *,
    legal: float = 0.95,
    assists: bool = True,
    reward: str = "goal_score",
    max_turns: int | None = None,
    annotations: list[str] | None = None,
) -> int:
    """Play random episodes in both; a share of the choices is legal."""
    env = MagicTowerEnv(
        tower=str(tower),
        observation="features",
        assists=assists,
        overrides=[],
        annotations=annotations,
        reward=reward,
        max_turns=max_turns,
    )
    options = Options.of(env.tower, max_turns=max_turns)
    batch = Batch(
        [env.tower],
        [0],
        assists=assists,
        reward=reward,
        options=[options],
        annotations=resolve(annotations),
    )
    steps = 0
    for _ in range(episodes):
        arrays, info = env.reset()
        batch.reset()
        while "outcome" not in info:
            agree(batch, env, arrays)
            action = int(rng.integers(batch.width))
            if rng.random() < legal:
                action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            arrays, paid, _, _, info = env.step(action)
            batch.step(np.array([action]))
            steps += 1
            assert batch.rewards[0] == paid
            assert OUTCOMES[batch.outcomes[0]] == info.get("outcome")
        agree(batch, env, arrays)
    return steps


@pytest.mark.parametrize("name", MAPS, ids=lambda name: Path(name).stem)
@pytest.mark.parametrize("assists", [True, False])
def test_random_episodes_are_the_single_environments(name: str, assists: bool) -> None:
    rng = np.random.default_rng(11)
    compare(name, rng, 8, assists=assists)
    compare(name, rng, 2, assists=assists, legal=0.3, reward="hp_difference")
    compare(name, rng, 6, assists=assists, max_turns=7, reward="sparse")


def _recipe(shape: str, number: int) -> Recipe:
    """A plain recipe, and one with everything in it."""
    if number % 2 == 0:
        return Recipe(shape=shape)
    return Recipe(
        shape=shape,
        gates=20,
        specials=SPECIALS,
        floors=2,
        shop=True,
        growth=number,
        holy_water=1,
        goal=GOALS[number // 2 % len(GOALS)],
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_random_floors_are_the_single_environments(shape: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for number in range(6):
        tower = random_tower(rng, _recipe(shape, number))
        if tower.outcome(tower.initial_state()) is not None:
            continue  # nothing to play
        path = tmp_path / f"{number}.toml"
        path.write_text(tower.to_toml(), encoding="utf-8")
        assert compare(str(path), rng, 4) >= 4


def same(one: Any, two: Any) -> None:
    """Equal infos or observations, their arrays' types included."""
    if isinstance(one, dict):
        assert sorted(one) == sorted(two)
        for key in one:
            same(one[key], two[key])
    elif one.dtype == object:
        assert len(one) == len(two)
        for a, b in zip(one, two, strict=True):
            same(a, b) if isinstance(a, dict) else None
            assert isinstance(a, dict) or a == b
    else:
        assert one.dtype == two.dtype
        assert np.array_equal(one, two)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_it_is_a_sync_vector_env_that_is_compiled(mode: str) -> None:
    count = 3
    fast = gym.make_vec(
        SIMPLE, count, vectorization_mode="vector_entry_point", autoreset_mode=mode
    )
    slow = gym.make_vec(
        SIMPLE,
        count,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        observation="features",
        overrides=[],
        annotations=[],
    )
    assert fast.metadata["autoreset_mode"] == slow.metadata["autoreset_mode"]
    assert fast.single_observation_space == slow.single_observation_space
    assert fast.observation_space == slow.observation_space
    assert fast.action_space == slow.action_space
    rng = np.random.default_rng(3)
    one, two = fast.reset(seed=1), slow.reset(seed=1)
    same(one[0], two[0])
    same(one[1], two[1])
    masks = one[0]["action_mask"]
    ended = 0
    for _ in range(80):
        scores = rng.random((count, 37)) * (masks + 0.05)
        actions = scores.argmax(axis=1)
        first, second = fast.step(actions), slow.step(actions)
        for a, b in zip(first, second, strict=True):
            same(a, b)
        masks = first[0]["action_mask"]
        ended += int((first[2] | first[3]).sum())
    assert ended > 10
    fast.close()
    slow.close()


def test_copies_may_play_different_floors() -> None:
    env = BatchEnv(5, tower=["simple", str(DATA / "shop_growing.toml")])
    names = [tower.name for tower in env.towers]
    assert names == ["simple", "shop_growing", "simple", "shop_growing", "simple"]
    arrays, _ = env.reset()
    assert arrays["objects"].shape[1] == max(len(t.actions) for t in env.towers)
    singles = [
        MagicTowerEnv(
            tower=name,
            observation="features",
            overrides=[],
            annotations=[],
            num_actions=env.batch.width,
        )
        for name in ("simple", str(DATA / "shop_growing.toml"))
    ]
    for single in singles:
        single.reset()
    rng = np.random.default_rng(0)
    for _ in range(12):
        pick = [int(rng.choice(np.flatnonzero(m))) for m in arrays["action_mask"][:2]]
        arrays, _, over, _, _ = env.step(np.array([*pick, *pick, pick[0]]))
        for number, single in enumerate(singles):
            shown = single.step(pick[number])[0]
            for key in shown:
                assert np.array_equal(shown[key], arrays[key][number])
                assert np.array_equal(shown[key], arrays[key][number + 2])
        if over.any():
            break


def test_an_episode_may_begin_in_a_state() -> None:
    tower = mt_gym.load("simple")
    state = tower.step(tower.initial_state(), tower.action("fight 6,4"))
    env = BatchEnv(2, tower="simple")
    single = MagicTowerEnv(
        tower="simple", observation="features", overrides=[], annotations=[]
    )
    arrays, _ = env.reset(options={"state": state})
    shown, _ = single.reset(options={"state": state})
    assert all(np.array_equal(arrays[k][1], shown[k]) for k in shown)
    assert env.states == (single.state, single.state)
    env.reset(options={"reset_mask": np.array([True, False])})
    assert env.states[1] == single.state != env.states[0]
    other = mt_gym.load(DATA / "stairs.toml").initial_state()
    with pytest.raises(StateMismatch):
        env.reset(options={"state": other})


def test_observations_are_fresh_unless_asked_otherwise() -> None:
    env = BatchEnv(2, tower="simple")
    first, infos = env.reset()
    kept = {key: array.copy() for key, array in first.items()}
    env.step(np.flatnonzero(first["action_mask"][0])[:1].repeat(2))
    assert all(np.array_equal(first[key], kept[key]) for key in kept)
    assert not np.shares_memory(infos["action_mask"], first["action_mask"])
    env = BatchEnv(2, tower="simple", copy=False)
    first, _ = env.reset()
    again, _ = env.reset()
    assert first["objects"] is again["objects"]


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"observation": "annotated"}, "features"),
        ({"overrides": ["mechanical"]}, "overrides"),
        ({"assists": ["collect"]}, "True or False"),
        ({"info_level": "full"}, "mask"),
        ({"colour": 1}, "colour"),
        ({"autoreset_mode": "never"}, "NextStep"),
        ({"num_envs": 0}, "num_envs"),
        ({"num_actions": 5}, "37"),
        ({"tower": 3}, "tower must be"),
        ({"tower": []}, "tower must be"),
        ({"overrides": np.array([])}, "overrides"),
        ({"copy": "no"}, "copy must be"),
    ],
)
def test_what_it_cannot_do_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(MtGymError, match=words):
        BatchEnv(**{"tower": "simple", "num_envs": 2, **keywords})


def test_illegal_choices_cost_a_turn_or_raise() -> None:
    env = BatchEnv(2, tower="simple")
    arrays, _ = env.reset()
    barred = int(np.flatnonzero(arrays["action_mask"][0] == 0)[0])
    legal = int(np.flatnonzero(arrays["action_mask"][0])[0])
    _, rewards, _, _, infos = env.step(np.array([barred, legal]))
    assert list(rewards) == [-0.01, 0.0]
    assert infos["turn"][0] == 2  # one assisted turn, and this one
    strict = BatchEnv(2, tower="simple", on_illegal="raise")
    strict.reset()
    with pytest.raises(IllegalAction, match="copy 0"):
        strict.step(np.array([barred, legal]))
    unequal = [0, [1, 2]]
    for wrong in ([0], [0, 37], [-1, 0], [0.5, 1.0], [True, False], unequal, None):
        with pytest.raises(IllegalAction):
            env.step(wrong)  # type: ignore[arg-type]
    assert list(infos["turn"]) == list(env.batch.turns)


def test_seeds_and_options_of_another_kind_are_refused() -> None:
    env = BatchEnv(2, tower="simple")
    for seed in ([1], "ab", 1.5, np.int64(3)):
        with pytest.raises(MtGymError, match="seed must be"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    for options in ("a", 3, {"colour": 1}, {"reset_mask": [1, 0]}):
        with pytest.raises(MtGymError):
            env.reset(options=options)  # type: ignore[arg-type]
    env.reset(seed=[1, 2])


def test_a_pickled_batch_goes_on_where_it_was() -> None:
    env = BatchEnv(2, tower=["simple", "hand05"], annotations=None)
    arrays, _ = env.reset()
    arrays, *_ = env.step(arrays["action_mask"].argmax(axis=1))
    again = pickle.loads(pickle.dumps(env))
    chosen = arrays["action_mask"].argmax(axis=1)
    for one, two in zip(env.step(chosen), again.step(chosen), strict=True):
        same(one, two)
    assert env.states == again.states
    env.close()
    env.close()


def test_steps_before_a_reset_and_after_the_end_are_refused() -> None:
    env = BatchEnv(1, tower="simple", autoreset_mode="Disabled", max_turns=2)
    assert env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    with pytest.raises(ResetNeeded):
        env.step(np.array([0]))
    arrays, _ = env.reset()
    env.step(np.flatnonzero(arrays["action_mask"][0])[:1])
    with pytest.raises(ResetNeeded):
        env.step(np.array([0]))


def test_rewards_have_the_names_of_the_environment() -> None:
    from mt_gym.envs.batch.core import REWARDS as OWN

    assert list(OWN) == list(REWARDS)


@pytest.mark.parametrize("name", [*KINDS, "exact"])
def test_annotations_are_switched_by_their_names(name: str) -> None:
    rng = np.random.default_rng(2)
    compare("simple", rng, 1, annotations=[name])
    env = BatchEnv(1, tower="simple", annotations=[name])
    single = MagicTowerEnv(
        tower="simple", observation="features", overrides=[], annotations=[name]
    )
    assert env.single_observation_space == single.observation_space
