"""What is measured: the same regrets as the bench's, judged by the exact solver."""

from __future__ import annotations

import numpy as np
import pytest

import mt_gym
from mt_gym.agents.rl.network import annotations_of
from mt_gym.agents.rl.policy import RLPolicy
from mt_gym.bench.policies import play_measured
from mt_gym.bench.setup import make_environment
from mt_gym.lab.judge import Judge
from mt_gym.lab.measure import JUDGED, judged_copies, play, summary


@pytest.mark.parametrize("name", ["hand03", "hand08"])
def test_regrets_are_those_of_the_bench(name: str) -> None:
    policy = RLPolicy(temperature=1.0)
    env = make_environment(f"MagicTower-{name}-v0", policy, {"overrides": []})
    wanted = play_measured(env, policy, 0)
    shown = annotations_of(policy.network.shape.columns)
    floor = mt_gym.load(name)
    found = play([floor], policy.network.scores, annotations=shown, judge=Judge())
    assert found.regrets == pytest.approx(wanted.regrets)
    assert found.regrets
    assert int(found.hp[0, 0]) == wanted.hp
    assert found.regret == pytest.approx(np.mean(wanted.regrets))
    assert summary(found)["regret"] == pytest.approx(found.regret, abs=1e-4)


def test_what_is_lost_gives_up_all_and_then_nothing_more() -> None:
    floor = mt_gym.load("simple")
    found = play(
        [floor], None, episodes=10, rng=np.random.default_rng(0), judge=Judge()
    )
    assert not found.won.any()
    assert found.regrets.count(1.0) == 10  # each of the ten lost the goal, once
    assert all(0 <= share <= 1 for share in found.regrets)
    assert found.optimal_moves == pytest.approx(
        sum(share == 0 for share in found.regrets) / len(found.regrets)
    )


def test_without_a_judge_there_is_no_regret() -> None:
    found = play([mt_gym.load("hand01")], None)
    assert (found.regrets, found.regret, found.optimal_moves) == ((), None, None)
    assert "regret" not in summary(found)


def test_a_search_that_needs_too_much_judges_nothing() -> None:
    floor = mt_gym.load("complex")
    found = play([floor], None, judge=Judge(node_limit=1))
    assert found.regrets == ()


def test_every_floor_is_judged_and_few_floors_more_often() -> None:
    assert judged_copies(1, 200) == tuple(range(JUDGED))
    assert judged_copies(100, 2) == tuple(range(0, 200, 2))
    assert judged_copies(4, 50)[:6] == (0, 1, 2, 3, 4, 50)
