"""Keywords: defaults, what they do, and one clear error for everything else."""

from __future__ import annotations

import json
from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.envs.keywords import KEYWORDS, OBSERVATIONS, TOWER_OBSERVATIONS
from mt_gym.envs.rewards import REWARDS
from mt_gym.errors import MtGymError
from mt_gym.play.settings import ASSISTS
from tests.engine.towers import DATA

STAIRS = str(DATA / "stairs.toml")


def simple(**keywords: Any) -> MagicTowerEnv:
    return MagicTowerEnv(shipped="simple", **keywords)


def test_the_defaults_on_one_floor() -> None:
    config = simple().config
    assert config.observation == "annotated"
    assert config.settings.assists == frozenset(ASSISTS)
    assert config.settings.overrides == ("mechanical",)
    options = config.settings.options
    assert (options.lookahead_depth, options.rule4_share, options.max_turns) == (
        3,
        (2, 5),
        300,
    )
    assert (config.reward, config.on_illegal, config.info_level) == (
        "goal_score",
        "penalise",
        "full",
    )
    assert config.rows == len(mt_gym.load("simple").actions)


def test_the_defaults_of_each_observation_of_several_floors() -> None:
    for observation, assists, overrides, one_floor in (
        ("tower-final", ASSISTS, ("mechanical",), False),
        ("tower-2", ASSISTS, ("mechanical", "rule4"), False),
        ("tower-1", ("collect", "free_fights", "gates"), ("mechanical", "rule4"), True),
    ):
        env = MagicTowerEnv(tower=STAIRS, observation=observation)
        settings = env.settings
        assert env.config.observation == observation
        assert settings.assists == frozenset(assists)
        assert settings.overrides == overrides
        assert settings.one_floor is one_floor
        if "rule4" in overrides:
            assert settings.options.rule4_share == (2, 5)


def test_the_default_on_several_floors_is_the_final_observation() -> None:
    assert MagicTowerEnv(tower=STAIRS).config == (
        MagicTowerEnv(tower=STAIRS, observation="tower-final").config
    )


def test_features_report_the_mask_alone_unless_asked() -> None:
    env = simple(observation="features")
    assert env.config.info_level == "mask"
    assert list(env.reset()[1]) == ["action_mask", "turn"]
    env = simple(observation="features", info_level="full")
    assert list(env.reset()[1]) == ["action_mask", "actions", "turn", "executed"]


def test_the_maps_settings_can_be_replaced() -> None:
    env = simple(lookahead_depth=1, rule4_share=[1, 3], max_turns=7)
    options = env.settings.options
    assert (options.lookahead_depth, options.rule4_share, options.max_turns) == (
        1,
        (1, 3),
        7,
    )
    assert "Turn 1/7" in env.reset()[0]


def test_annotations_choose_what_the_text_shows() -> None:
    whole = simple().reset()[0]
    some = simple(annotations=["costs", "dead_end"]).reset()[0]
    assert "ORDER" in whole
    assert "ORDER" not in some
    assert "damage=55" in some
    assert "[DEAD END" in some


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"observation": "annotate"}, ["'annotate'", "did you mean 'annotated'"]),
        ({"observation": "tower-1"}, ["'tower-1'", ", ".join(OBSERVATIONS)]),
        ({"annotations": ["cost"]}, ["'cost'", "costs", "fight_order"]),
        ({"annotations": "costs"}, ["annotations must be", "'costs'"]),
        ({"lookahead_depth": 99}, ["lookahead_depth", "0 to 6", "99"]),
        ({"lookahead_depth": 1.5}, ["lookahead_depth", "1.5"]),
        ({"rule4_share": 0.4}, ["rule4_share", "[2, 5]", "0.4"]),
        ({"rule4_share": [5, 2]}, ["rule4_share", "at most 1"]),
        ({"max_turns": 0}, ["max_turns", ">= 1"]),
        ({"assists": "all"}, ["assists", "True, False or a list", "'all'"]),
        ({"assists": ["stair"]}, ["'stair'", "did you mean 'stairs'"]),
        ({"overrides": True}, ["overrides", "a list", "True"]),
        ({"overrides": ["rule5"]}, ["'rule5'", "mechanical, rule4"]),
        ({"reward": "score"}, ["'score'", ", ".join(REWARDS)]),
        ({"on_illegal": "ignore"}, ["'ignore'", "penalise, raise"]),
        ({"info_level": "none"}, ["'none'", "full, mask"]),
        ({"num_actions": 5}, ["num_actions=5", "37 actions"]),
        ({"num_actions": "40"}, ["num_actions", "'40'"]),
        ({"render_mode": "gif"}, ["render_mode='gif'", "ansi"]),
        ({"asists": True}, ["'asists'", "did you mean 'assists'"]),
        ({"level": 3}, ["unknown keyword 'level'", "max_turns"]),
        ({"tower": "simple"}, ["MagicTower-v0", "'simple'"]),
    ],
)
def test_anything_else_is_an_error_that_lists_what_is_allowed(
    keywords: dict[str, Any], says: list[str]
) -> None:
    with pytest.raises(MtGymError) as caught:
        simple(**keywords)
    for words in says:
        assert words in str(caught.value)


def test_a_single_floors_text_is_no_observation_of_several_floors() -> None:
    with pytest.raises(MtGymError) as caught:
        MagicTowerEnv(tower=STAIRS, observation="annotated")
    assert ", ".join(TOWER_OBSERVATIONS) in str(caught.value)


@pytest.mark.parametrize("tower", [None, 3, "nowhere", "nowhere.toml"])
def test_the_tower_is_a_shipped_name_or_a_file(tower: Any) -> None:
    with pytest.raises(MtGymError, match=r"tower|nowhere"):
        MagicTowerEnv(tower=tower)


def test_the_spec_rebuilds_the_environment_from_json() -> None:
    keywords = {"observation": "bare", "assists": ["collect"], "rule4_share": [1, 2]}
    env = gym.make("MagicTower-simple-v0", **keywords)  # type: ignore[arg-type]
    assert env.spec is not None
    text = env.spec.to_json()
    json.loads(text)
    twin = gym.make(gym.envs.registration.EnvSpec.from_json(text))
    assert twin.spec is not None
    assert twin.spec.to_json() == text
    assert twin.unwrapped.config == env.unwrapped.config  # type: ignore[attr-defined]


def test_every_keyword_of_the_constructor_is_known() -> None:
    values = {
        "tower": "simple",
        "observation": "bare",
        "annotations": [],
        "lookahead_depth": 2,
        "rule4_share": [1, 2],
        "max_turns": 10,
        "assists": True,
        "overrides": [],
        "reward": "sparse",
        "on_illegal": "raise",
        "info_level": "mask",
        "num_actions": 50,
        "render_mode": "ansi",
    }
    assert sorted(values) == sorted(KEYWORDS)
    MagicTowerEnv(**values)  # type: ignore[arg-type]
