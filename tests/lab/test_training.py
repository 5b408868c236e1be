"""Training: the same network in torch, and short runs that get better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra rl")
pytest.importorskip("sb3_contrib", reason="needs the extra rl")

import mt_gym
from mt_gym.agents.rl.network import Network, Shape
from mt_gym.envs.batch.core import Batch
from mt_gym.generator.generate import generate
from mt_gym.lab.arena import Arena, Help
from mt_gym.lab.clone import Teacher, clone
from mt_gym.lab.measure import play
from mt_gym.lab.network import Scorer
from mt_gym.lab.ppo import Plan, flat_shape, train
from mt_gym.lab.vec_env import ArenaVecEnv
from mt_gym.observation.features import FEATURE_COLUMNS

SIMPLE = mt_gym.load("simple")
BASE = tuple(column.name for column in FEATURE_COLUMNS)


@pytest.mark.parametrize(
    "shape",
    [Shape(columns=("present", "cost"), width=8), flat_shape(SIMPLE, 8)],
)
def test_torch_and_numpy_score_alike(shape: Shape) -> None:
    batch = Batch([SIMPLE], [0, 0])
    batch.paint()
    scorer = Scorer(shape)
    network = scorer.exported({})
    own = scorer.scores(batch.hero, batch.objects)
    assert np.allclose(own, network.scores(batch.hero, batch.objects), atol=1e-4)
    again = Scorer.imported(network).scores(batch.hero, batch.objects)
    assert np.array_equal(again, own)


def test_the_teacher_prefers_what_the_solver_prefers() -> None:
    floor = generate(3, index=0)
    state = floor.initial_state()
    answer = Teacher([floor]).answer(0, state)
    assert answer is not None
    assert sum(answer.values()) == pytest.approx(1)
    assert floor.certificate is not None
    first = next(t for t in floor.certificate.route if floor.action(t).index in answer)
    assert answer[floor.action(first).index] == max(answer.values())


def test_ppo_learns_a_floor_with_spare_hp(tmp_path: Path) -> None:
    floor = mt_gym.load("hand01")
    plan = Plan(
        frames=24_576,
        copies=64,
        seed=1,
        minibatch=512,
        aid=Help(spare=100, explore=0.5, starts=40),
        shape=flat_shape(floor, 64),
        every=100_000,
    )
    before = play([floor], None, episodes=200, rng=np.random.default_rng(0))
    _, watch = train([floor], plan, folder=tmp_path, say=lambda line: None)
    after = watch.looks[-1]["sampled"]
    assert after["success"] > before.success + 0.2
    network = Network.load(tmp_path / "final.npz")
    assert play([floor], network.scores).hp[0, 0] == watch.looks[-1]["hp"]
    more = Plan(frames=30_000, copies=64, seed=1, aid=plan.aid, shape=plan.shape)
    model, _ = train([floor], more, folder=tmp_path, resume=True, say=lambda line: None)
    assert model.num_timesteps >= 30_000


def test_cloning_learns_easy_floors() -> None:
    floors = [generate(3, index=i) for i in range(8)]
    rng = np.random.default_rng(0)
    shape = Shape(columns=BASE, width=16, attention=0)
    network = clone(floors, rng, shape=shape, rounds=1, epochs=5, say=lambda line: None)
    drawn = play(floors, None, episodes=50, rng=np.random.default_rng(0))
    learnt = play(floors, network.scores)
    assert learnt.score > drawn.score + 0.1


def test_the_vector_environment_never_takes_an_illegal_action() -> None:
    arena = Arena([SIMPLE], 8, np.random.default_rng(0), Help(spare=200))
    env = ArenaVecEnv(arena)
    shown = env.reset()
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(60):
        masks = np.stack(env.env_method("action_masks"))
        assert np.array_equal(masks, shown["action_mask"] != 0)
        shown, _, dones, infos = env.step(
            np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        )
        assert arena.batch.legal.all()
        for done, info in zip(dones, infos, strict=True):
            assert bool(done) == ("episode" in info)
        ended += int(dones.sum())
    assert ended > 8
