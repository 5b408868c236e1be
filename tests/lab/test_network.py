"""The scoring network: in numpy, on any floor, in any order, and as a policy."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.agents import make_policy
from mt_gym.agents.rl.network import Network, Shape, annotations_of, chances
from mt_gym.agents.rl.policy import LEAST
from mt_gym.bench import run
from mt_gym.envs.batch.core import Batch
from mt_gym.errors import PolicyError
from mt_gym.observation.annotations import ALL, resolve

SIMPLE = mt_gym.load("simple")
SHAPES = (Shape(width=8), Shape(width=8, attention=0), Shape(columns=("legal", "cost")))


def random_network(shape: Shape, seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    weights = {}
    for name, (inputs, outputs) in shape.layers().items():
        weights[f"{name}.weight"] = rng.normal(0, 0.3, (outputs, inputs))
        weights[f"{name}.bias"] = rng.normal(0, 0.3, outputs)
    arrays = {k: w.astype(np.float32) for k, w in weights.items()}
    return Network(shape, arrays, {"seed": seed})


def shown(shape: Shape) -> Batch:
    batch = Batch([SIMPLE], [0, 0], annotations=annotations_of(shape.columns))
    first = np.flatnonzero(batch.masks()[0])
    batch.step(first[:2])
    batch.paint()
    return batch


@pytest.mark.parametrize("shape", SHAPES)
def test_scores_follow_the_rows_wherever_they_are(shape: Shape) -> None:
    network, batch = random_network(shape), shown(shape)
    scores = network.scores(batch.hero, batch.objects)
    order = np.random.default_rng(1).permutation(batch.width)
    moved = network.scores(batch.hero, batch.objects[:, order])
    assert np.allclose(moved, scores[:, order], atol=1e-5)
    padded = np.concatenate([batch.objects, np.zeros_like(batch.objects)], axis=1)
    more = network.scores(batch.hero, padded)
    assert np.allclose(more[:, : batch.width], scores, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_files_hold_the_whole_network(shape: Shape, tmp_path: Path) -> None:
    network, batch = random_network(shape), shown(shape)
    network.save(tmp_path / "net.npz")
    again = Network.load(tmp_path / "net.npz")
    assert again.shape == shape
    assert again.about == {"seed": 0}
    scores = network.scores(batch.hero, batch.objects)
    assert np.array_equal(again.scores(batch.hero, batch.objects), scores)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("nothing", encoding="utf-8")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    for name in ("text.npz", "other.npz", "missing.npz"):
        with pytest.raises(PolicyError, match=name):
            Network.load(tmp_path / name)
    network = random_network(Shape(width=8))
    del network.weights["floor.bias"]
    with pytest.raises(PolicyError, match=r"floor\.bias"):
        Network(network.shape, network.weights, {})


def test_a_damaged_or_foreign_file_is_refused_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    random_network(Shape(width=8)).save(file)
    whole = file.read_bytes()
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    name = "score.0.bias"
    bad: dict[str, object] = {
        "head": np.array('{"format": 1, "shape": {"columns": 3}, "about": {}}'),
        name: np.full(8, np.nan, np.float32),
    }
    damaged = [whole[: len(whole) // 2], whole.replace(b"\x00", b"\x01"), b"PK\x03\x04"]
    for content in damaged:
        file.write_bytes(content)
        with pytest.raises(PolicyError, match=r"net\.npz"):
            make_policy(f"rl:{file}")
    for key, value in (*bad.items(), (name, np.full(8, "x")), (name, np.ones(8, "c8"))):
        np.savez(file, **(arrays | {key: value}))
        with pytest.raises(PolicyError, match=r"net\.npz"):
            make_policy(f"rl:{file}")
    np.save(tmp_path / "net.npy", np.zeros(3))
    with pytest.raises(PolicyError, match=r"net\.npy"):
        make_policy(f"rl:{tmp_path / 'net.npy'}")
    file.write_bytes(whole)
    assert make_policy("rl", weights=file).name == "rl:net"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("temperature", "warm"),
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("temperature", 1e-300),
        ("temperature", True),
        ("sample", "maybe"),
        ("weights", 3),
    ],
)
def test_options_of_another_kind_are_refused(option: str, value: object) -> None:
    with pytest.raises(PolicyError, match=option):
        make_policy("rl", **{option: value})


def test_scores_survive_the_lowest_temperature() -> None:
    scores = np.array([3000.0, -3000.0, 2999.0], np.float32)
    share = chances(scores, np.ones(3, np.int8), LEAST)
    assert share.tolist() == [1.0, 0.0, 0.0]


def test_an_index_above_the_towers_actions_is_chosen_if_nothing_else_can_be() -> None:
    policy = make_policy("rl", sample=True)
    env = gym.make("MagicTower-simple-v0", observation="features", overrides=[])
    observation, info = env.reset()
    player = policy.new_episode(env, 0)
    known = np.flatnonzero(info["action_mask"])
    passing = {"action_mask": np.append(info["action_mask"], 1)}
    decision = player.act(observation, passing)
    decision.check(passing)
    assert decision.action in known
    nothing = {"action_mask": np.append(0 * info["action_mask"], 1)}
    decision = player.act(observation, nothing)
    decision.check(nothing)
    assert decision.action == len(info["action_mask"])
    env.close()


def test_chances_are_of_legal_actions_alone() -> None:
    share = chances(np.array([1.0, 5.0, 1.0], np.float32), np.array([1, 0, 1], np.int8))
    assert share.tolist() == [0.5, 0.0, 0.5]


def test_the_needed_annotations_follow_from_the_columns() -> None:
    assert annotations_of(("legal",)) == frozenset()
    assert annotations_of(("dead_end", "stat_net")) == {"dead_end", "stat_route"}
    assert annotations_of(Shape().columns) <= ALL == resolve(None)


def test_a_network_plays_as_a_policy(tmp_path: Path) -> None:
    random_network(Shape(width=8)).save(tmp_path / "net.npz")
    policy = make_policy(f"rl:{tmp_path / 'net.npz'}")
    assert policy.name == "rl:net"
    one = run("MagicTower-simple-v0", policy, episodes=2)
    assert one.episodes[0].hp == one.episodes[1].hp
    sampled = make_policy(f"rl:{tmp_path / 'net.npz'}", sample=True)
    assert len(run("MagicTower-simple-v0", sampled, episodes=2).episodes) == 2
    with pytest.raises(PolicyError, match="temperature"):
        make_policy(f"rl:{tmp_path / 'net.npz'}", temperature=0)
    with pytest.raises(PolicyError, match="nowhere"):
        make_policy("rl:nowhere")
