"""Training: the same network in torch, and short runs that get better."""

from __future__ import annotations

import importlib.resources
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra rl")
pytest.importorskip("sb3_contrib", reason="needs the extra rl")

import mt_gym
from mt_gym.agents.rl.network import Network, Shape
from mt_gym.envs.batch.core import Batch
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.generator.generate import generate
from mt_gym.lab.arena import Arena, Help
from mt_gym.lab.checkpoint import checkpoint
from mt_gym.lab.clone import LessonPlan, clone
from mt_gym.lab.folder import TrainFolder
from mt_gym.lab.judge import Judge
from mt_gym.lab.lessons import Teacher
from mt_gym.lab.measure import play, summary
from mt_gym.lab.network import Scorer
from mt_gym.lab.ppo import Plan, flat_shape, spare_now, train
from mt_gym.lab.vec_env import ArenaVecEnv
from mt_gym.observation.features import FEATURE_COLUMNS

SIMPLE = mt_gym.load("simple")
BASE = tuple(column.name for column in FEATURE_COLUMNS)


def silent(line: str) -> None:
    pass


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


EASY = Plan(
    frames=24_576,
    copies=64,
    seed=1,
    minibatch=512,
    aid=Help(weight=10, spare=100, explore=0.5, starts=40),
    spare_end=20,
    shape=flat_shape(mt_gym.load("hand01"), 64),
    every=8_192,
)


def test_ppo_learns_a_floor_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    floor = mt_gym.load("hand01")
    before = play([floor], None, episodes=200, rng=np.random.default_rng(0))
    folder = TrainFolder(tmp_path, {"seed": 1, "frames": EASY.frames})
    train([floor], EASY, folder=folder, say=silent, tensorboard=tmp_path / "tb")
    first = json.loads((tmp_path / "train.json").read_text(encoding="utf-8"))
    after = first["final"]["sampled"]
    assert after["episodes"] == 200
    assert after["success"] > before.success + 0.2
    assert after["hp_over_optimum"] > before.score + 0.2
    assert [row["frames"] for row in first["looks"]] == [8_192, 16_384, 24_576]
    network = Network.load(tmp_path / "final.npz")
    seen = summary(play([floor], network.scores, judge=Judge()))
    assert first["final"]["argmax"] == seen
    best = Network.load(tmp_path / "best.npz")
    assert best.about["frames"] == first["best"]["frames"]
    assert scalars(tmp_path / "tb") >= {
        f"{kind}/{name}"
        for kind in ("argmax", "sampled")
        for name in (
            "return",
            "success",
            "hp_over_optimum",
            "regret",
            "optimal_moves",
            "mean_reward",
            "success_rate",
        )
    } | {"rollout/ep_rew_mean", "help/spare"}

    longer = replace(EASY, frames=32_768)
    again = TrainFolder(tmp_path, {"seed": 1, "frames": longer.frames}, resume=True)
    model, _ = train([floor], longer, folder=again, say=silent)
    assert model.num_timesteps == 32_768
    second = json.loads((tmp_path / "train.json").read_text(encoding="utf-8"))
    assert second["looks"][:3] == first["looks"]
    assert [row["frames"] for row in second["looks"][3:]] == [32_768]
    assert second["seconds"] > first["seconds"]
    assert second["final"]["sampled"]["success"] > before.success + 0.2
    again.looks.clear()  # as if it had been stopped before the first
    with pytest.raises(MtGymError, match="has 32768 already"):
        train([floor], EASY, folder=again, say=silent)


def scalars(folder: Path) -> set[str]:
    """Names of the scalars in the event files below a folder."""
    loader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator"
    )
    found: set[str] = set()
    for events in folder.rglob("events.*"):
        loaded: Any = loader.EventAccumulator(str(events))
        loaded.Reload()
        found |= set(loaded.Tags()["scalars"])
    return found


def test_equal_seeds_train_equal_networks() -> None:
    floor = mt_gym.load("hand01")
    plan = replace(EASY, frames=2_048, every=2_048)
    weights = []
    for seed in (1, 1, 2):
        model, _ = train([floor], replace(plan, seed=seed), say=silent)
        weights.append(model.policy.network.exported({}).digest())
    assert weights[0] == weights[1] != weights[2]


def test_an_interruption_leaves_a_checkpoint(tmp_path: Path) -> None:
    floor = mt_gym.load("hand01")

    def stop(done: int, wanted: int) -> None:
        if done >= 4_096:
            raise KeyboardInterrupt

    folder = TrainFolder(tmp_path, {})
    with pytest.raises(KeyboardInterrupt):
        train([floor], EASY, folder=folder, say=silent, progress=stop)
    again = TrainFolder(tmp_path, {}, resume=True)
    model, watch = train([floor], replace(EASY, frames=6_144), folder=again, say=silent)
    assert model.num_timesteps == 6_144
    assert watch.looks[-1]["frames"] == 6_144


def test_spare_hp_falls_in_a_line_and_stays() -> None:
    plan = replace(EASY, frames=1_000, anneal=0.5)
    found = [spare_now(plan, frames) for frames in (0, 250, 500, 1_000)]
    assert found == [100, 60, 20, 20]


def test_a_warm_start_learns_the_value_first() -> None:
    floor = mt_gym.load("hand01")
    start = Scorer(EASY.shape).exported({})
    plan = replace(EASY, frames=2_048, warm=2_048, every=2_048)
    model, _ = train([floor], plan, say=silent, start=start)
    learnt = model.policy.network.exported({}).weights
    same = {
        name for name in learnt if np.array_equal(learnt[name], start.weights[name])
    }
    assert same == {name for name in learnt if not name.startswith("value.")}


def test_cloning_learns_easy_floors(tmp_path: Path) -> None:
    floors = [generate(3, index=i) for i in range(8)]
    shape = Shape(columns=BASE, width=16, attention=0)
    plan = LessonPlan(shape=shape, rounds=1, epochs=5, least=300)
    clone(floors, plan, folder=TrainFolder(tmp_path, {}), say=silent)
    drawn = play(floors, None, episodes=50, rng=np.random.default_rng(0))
    learnt = play(floors, Network.load(tmp_path / "final.npz").scores)
    assert learnt.score > drawn.score + 0.1
    rows = json.loads((tmp_path / "train.json").read_text(encoding="utf-8"))["looks"]
    assert [row["round"] for row in rows] == [0, 1]
    assert rows[1]["decisions"] > rows[0]["decisions"]
    assert rows[1]["argmax"]["hp_over_optimum"] == pytest.approx(learnt.score, abs=1e-4)


def test_cloning_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    floors = [generate(3, index=i) for i in range(3)]
    shape = Shape(columns=BASE, width=8, attention=0)
    short = LessonPlan(shape=shape, rounds=0, epochs=1, least=10)
    whole = replace(short, rounds=1)
    clone(floors, short, folder=TrainFolder(tmp_path, {"rounds": 0}), say=silent)
    folder = TrainFolder(tmp_path, {"rounds": 1}, resume=True)
    resumed = clone(floors, whole, folder=folder, say=silent)
    once = clone(floors, whole, say=silent)
    assert resumed.exported({}).digest() == once.exported({}).digest()


def test_a_truncated_episode_has_its_last_observation_always() -> None:
    text = importlib.resources.files("mt_gym.floors").joinpath("simple.toml")
    short = text.read_text(encoding="utf-8").replace("max_turns = 300", "max_turns = 3")
    floor = mt_gym.loads(short, format="toml")
    env = ArenaVecEnv(Arena([floor], 4, np.random.default_rng(0)), last=False)
    shown, seen = env.reset(), 0
    for _ in range(12):
        choices = (shown["action_mask"] != 0).argmax(axis=1)
        shown, _, dones, infos = env.step(choices)
        for info in (info for info, done in zip(infos, dones, strict=True) if done):
            assert ("terminal_observation" in info) == info["TimeLimit.truncated"]
            seen += info["TimeLimit.truncated"]
    assert seen > 4


def test_a_folder_is_taken_up_with_equal_settings_alone(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="no training that could go on"):
        TrainFolder(tmp_path, {"seed": 1}, resume=True)
    TrainFolder(tmp_path, {"seed": 1, "frames": 10})
    with pytest.raises(MtGymError, match="--resume"):
        TrainFolder(tmp_path, {"seed": 1, "frames": 10})
    TrainFolder(tmp_path, {"seed": 1, "frames": 20}, resume=True)
    with pytest.raises(MtGymError, match="seed is 1 and not 2"):
        TrainFolder(tmp_path, {"seed": 2, "frames": 10}, resume=True)
    file = tmp_path / "train.json"
    about = json.loads(file.read_text(encoding="utf-8"))
    about |= {"looks": [{"frames": 16}], "settings": {"seed": 1, "frames": 15}}
    file.write_text(json.dumps(about), encoding="utf-8")
    TrainFolder(tmp_path, {"seed": 1, "frames": 15}, resume=True)  # ended by an update
    with pytest.raises(MtGymError, match="--frames 14 is less than the 16"):
        TrainFolder(tmp_path, {"seed": 1, "frames": 14}, resume=True)
    (tmp_path / "train.json").write_text("{", encoding="utf-8")
    with pytest.raises(MtGymError, match="cannot be read"):
        TrainFolder(tmp_path, {"seed": 1}, resume=True)


def test_a_checkpoint_that_is_missing_or_damaged_is_told(tmp_path: Path) -> None:
    folder = TrainFolder(tmp_path, {"seed": 1})
    folder.looks.append({"frames": 8})
    folder.write()
    assert checkpoint(folder) is None  # a new training
    again = TrainFolder(tmp_path, {"seed": 1}, resume=True)
    with pytest.raises(MtGymError, match=r"there is no .*model\.zip"):
        checkpoint(again)
    for content in (b"", b"PK\x03\x04", b"text"):
        (tmp_path / "model.zip").write_bytes(content)
        with pytest.raises(MtGymError, match=r"model\.zip.* is no checkpoint"):
            checkpoint(again)
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as archive:
        archive.writestr("other", "")
    with pytest.raises(MtGymError, match=r"model\.zip.* is no checkpoint"):
        checkpoint(again)


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
            if done:
                assert not info["terminal_observation"]["action_mask"].any()
                assert info["is_success"] == info["won"]
        ended += int(dones.sum())
    assert ended > 8
    for wrong in (np.zeros(8), np.zeros(9, int), np.full(8, -1), np.full(8, 99), None):
        with pytest.raises(IllegalAction):
            env.step(wrong)
