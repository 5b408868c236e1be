"""MaskablePPO of sb3-contrib trains through the wrappers, on both of its vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra rl")
pytest.importorskip("sb3_contrib", reason="needs the extra rl")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecEnv,
    VecMonitor,
)

import mt_gym  # registers the environments
from mt_gym.errors import IllegalAction
from mt_gym.wrappers import Assist, CommitPlan, ExploringStarts, ShapeReward, SpareHP

FLOOR = "mt_gym:MagicTower-hand02-v0"


def spec_of(plan: int) -> Any:
    """An environment in which an illegal action is an error, with its wrappers."""
    env = gym.make(
        FLOOR,
        observation="features",
        annotations=[],
        assists=False,
        overrides=[],
        on_illegal="raise",
        disable_env_checker=True,
    )
    helped = ShapeReward(SpareHP(ExploringStarts(Assist(env)), 0, 30))
    return (CommitPlan(helped, plan) if plan else helped).spec


@pytest.mark.parametrize(
    ("vector", "plan"), [(DummyVecEnv, 0), (DummyVecEnv, 3), (SubprocVecEnv, 3)]
)
def test_training_through_assist_and_commit_takes_no_illegal_action(
    vector: type[VecEnv], plan: int
) -> None:
    venv = VecMonitor(vector([partial(gym.make, spec_of(plan))] * 2))
    model = MaskablePPO(
        "MultiInputPolicy",
        venv,
        n_steps=64,
        batch_size=64,
        n_epochs=2,
        seed=0,
        device="cpu",
    )
    before = model.policy.action_net.weight.detach().clone()
    model.learn(128)
    assert model.num_timesteps == 128
    assert not (before == model.policy.action_net.weight).all()
    assert len(model.ep_info_buffer or ()) > 5
    venv.close()


def test_an_illegal_action_would_have_been_an_error() -> None:
    env = gym.make(spec_of(0))
    env.reset(seed=0)
    masks = env.get_wrapper_attr("action_masks")()
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(~masks)[0]))
    assert mt_gym.load("hand02").actions
