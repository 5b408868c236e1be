"""The scoring network: in numpy, on any floor, in any order, and as a policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mt_gym
from mt_gym.agents import make_policy
from mt_gym.agents.rl.network import Network, Shape, annotations_of, chances
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
