"""The tables of policies and of generated floors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mt_gym.agents import make_policy
from mt_gym.agents.rl.network import Network, Shape
from mt_gym.bench import policies
from mt_gym.bench.floors import FIGURES, bench_floors
from mt_gym.bench.policies import (
    Line,
    Played,
    bench_policies,
    groups,
    label_of,
    play_measured,
    text_table,
)
from mt_gym.bench.setup import make_environment
from mt_gym.engine.load import shipped
from mt_gym.errors import MtGymError, PolicyError
from mt_gym.generator.levels import LEVELS


def test_the_groups_hold_all_single_floors_the_ladder_and_the_test_set() -> None:
    found = {group.name: group.tasks for group in groups(generated=2)}
    assert len(found["ladder"]) == 10
    assert {"simple", "complex"} & set(shipped()) <= set(found)
    tests = [task for name in found if name.startswith("gen") for task in found[name]]
    assert len(tests) == 20
    assert {keywords["level"] for _, keywords, _ in tests} == set(LEVELS)
    assert all(keywords["floors"] == "test" for _, keywords, _ in tests)
    assert not any(group.name.startswith("gen") for group in groups(generated=0))


def test_the_solver_leaves_nothing_and_the_others_no_more() -> None:
    for name, best in (("solver", True), ("heuristic", False), ("random", False)):
        policy = make_policy(name)
        env = make_environment("MagicTower-hand02-v0", policy, {})
        played = play_measured(env, policy, 0)
        env.close()
        assert played.optimum == 42
        assert played.hp <= played.optimum
        if best:
            assert (played.won, played.hp, set(played.regrets)) == (True, 42, {0.0})
        else:
            assert sum(played.regrets) > 0


def test_the_regrets_multiply_to_what_is_lost() -> None:
    policy = make_policy("heuristic")
    env = make_environment("MagicTower-simple-v0", policy, {})
    played = play_measured(env, policy, 0)
    env.close()
    left = 1.0
    for share in played.regrets:
        left *= 1 - share
    assert left == pytest.approx(played.hp / played.optimum)


def test_the_table_sums_up_its_episodes() -> None:
    episodes = (
        Played(True, 20, 40, 0.75, (0.5, 0.0)),
        Played(False, 0, 10, 0.25, (1.0,)),
    )
    line = Line("here", "mine", episodes)
    assert (line.success, line.hp_share, line.score, line.regret) == (
        0.5,
        0.25,
        0.5,
        0.5,
    )
    text = text_table([line])
    shown = " ".join(text.splitlines()[1].split())
    assert shown == "here mine 2 0.50 0.250 0.500 0.500"
    marked = text_table([line], markdown=True)
    assert marked.splitlines()[2].startswith("| here | mine | 2 | 0.50 |")


def test_lines_come_for_every_group_and_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    small = tuple(group for group in groups(1) if group.name == "simple")
    monkeypatch.setattr(policies, "groups", lambda generated: small)
    seen: list[tuple[int, int]] = []
    lines = list(
        bench_policies(
            ("random", "heuristic"), repeats=3, progress=lambda *n: seen.append(n)
        )
    )
    assert [(line.policy, len(line.episodes)) for line in lines] == [
        ("random", 3),
        ("heuristic", 1),
    ]
    assert seen == [(1, 2), (2, 2)]


def test_a_network_is_labelled_by_its_training_and_plays_without_overrides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = tuple(group for group in groups(1) if group.name == "simple")
    monkeypatch.setattr(policies, "groups", lambda generated: small)
    made: list[dict[str, Any]] = []

    def watched(task: str, policy: Any, keywords: dict[str, Any]) -> Any:
        made.append(keywords)
        return make_environment(task, policy, keywords)

    monkeypatch.setattr(policies, "make_environment", watched)
    reasons: list[str] = []
    rows = bench_policies(("heuristic", "rl"), say=reasons.append)
    labels = [line.policy for line in rows]
    assert labels == ["heuristic", "rl (cloned, generated train set)"]
    assert made == [{}, {"overrides": []}]
    assert reasons == []


@pytest.mark.parametrize(
    ("about", "label"),
    [
        ({"algo": "clone", "set": "train"}, "rl (cloned, generated train set)"),
        ({"algo": "clone", "floor": "train"}, "rl (cloned, generated train set)"),
        ({"algo": "maskable-ppo", "floor": "simple"}, "rl (MaskablePPO, on simple)"),
        ({"algo": "clone", "floor": "/a/mine.toml"}, "rl (cloned, on mine)"),
        (
            {"algo": "maskable-ppo", "floor": "train", "start": "transfer"},
            "rl (MaskablePPO from transfer, generated train set)",
        ),
        ({}, "rl (trained in an unknown way, on unknown floors)"),
    ],
)
def test_labels_say_how_and_on_what(about: dict[str, str], label: str) -> None:
    policy: Any = make_policy("rl")
    policy.network.about = about
    assert label_of(policy) == label


def test_networks_that_cannot_play_are_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small = tuple(group for group in groups(1) if group.name == "simple")
    monkeypatch.setattr(policies, "groups", lambda generated: small)
    rng = np.random.default_rng(0)
    shape = Shape(columns=("present",), width=4, attention=0, rows=7)
    weights = {
        f"{name}.{part}": rng.random(size, dtype=np.float32)
        for name, (inputs, outputs) in shape.layers().items()
        for part, size in (("weight", (outputs, inputs)), ("bias", (outputs,)))
    }
    other = tmp_path / "other.npz"
    Network(shape, weights, {"algo": "maskable-ppo", "floor": "mine"}).save(other)
    reasons: list[str] = []
    names = ("rl:missing.npz", f"rl:{other}", "heuristic")
    lines = list(bench_policies(names, say=reasons.append))
    assert [line.policy for line in lines] == ["heuristic"]
    assert len(reasons) == 2
    assert reasons[0].startswith("left out: rl:missing.npz (no weights and no file")
    assert "left out: rl:other on simple (this network knows a floor of 7" in reasons[1]
    with pytest.raises(PolicyError):
        next(bench_policies(("nobody",), say=reasons.append))


def test_fifty_generated_floors_over_all_levels_are_winnable() -> None:
    found = list(bench_floors(50, prove=True))
    assert [one.level for one in found] == list(LEVELS)
    for one in found:
        assert len(one.profiles) == len(one.optima) == len(one.seconds) == 5
        assert min(one.optima) > 0
        assert all(not LEVELS[one.level].misfit(p) for p in one.profiles)
        assert one.middle("gateways") == LEVELS[one.level].size
    assert set(FIGURES) >= {"slack", "gap", "loss_depth", "winning_first_moves"}


@pytest.mark.slow
def test_a_thousand_generated_floors_are_winnable() -> None:
    assert sum(len(one.optima) for one in bench_floors(1000)) == 1000


def test_too_few_floors_are_refused() -> None:
    with pytest.raises(MtGymError, match="count must be at least 10"):
        next(bench_floors(3))
    assert len(next(bench_floors(3, [4])).optima) == 3
