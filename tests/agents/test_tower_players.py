"""Players on the shipped tower."""

from __future__ import annotations

import gymnasium as gym
import pytest

from mt_gym.agents import make_policy
from mt_gym.engine.tower import Tower


@pytest.mark.parametrize("observation", ["tower-final", "bare"])
def test_the_witness_wins_with_and_without_annotations(observation: str) -> None:
    env = gym.make("MagicTower-tower-v0", observation=observation)
    tower: Tower = env.get_wrapper_attr("tower")
    assert tower.certificate is not None
    shown, info = env.reset(seed=0)
    player = make_policy("witness").new_episode(env, 0)
    while "outcome" not in info:
        shown, _, _, _, info = env.step(player.act(shown, info).action)
        assert all(turn["source"] != "override" for turn in info["executed"])
    assert info["outcome"] == "won"
    state = env.get_wrapper_attr("state")
    assert state.hero.hp >= tower.certificate.optimum
    env.close()
