"""Arrays need no bound of a text's length, so none is computed for them."""

from __future__ import annotations

import gymnasium as gym
import pytest

import mt_gym  # registers the environments


def test_features_compute_no_bound_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> int:
        raise AssertionError("a bound was asked for")

    monkeypatch.setattr("mt_gym.envs.view.max_length", refuse)
    floor = "MagicTower-simple-v0"
    env = gym.make(floor, observation="features", disable_env_checker=True)
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    with pytest.raises(AssertionError, match="a bound was asked for"):
        gym.make(floor, observation="bare")
    assert mt_gym.load("simple").actions
