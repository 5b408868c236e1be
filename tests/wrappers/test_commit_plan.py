"""CommitPlan: what it executes, what drops the rest, and its masks."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.wrappers import CommitPlan
from tests.engine.towers import DATA

TOWER = mt_gym.load("simple")
N = len(TOWER.actions)
BEST = ("fight 6,4", "fight 5,6", "open 4,7", "fight 3,7", "open 7,0", "open 8,0")


def planned(k: int, **keywords: Any) -> Any:
    env: gym.Env[Any, Any] = gym.make("MagicTower-simple-v0", **keywords)
    env = CommitPlan(env, k)
    env.reset(seed=0)
    return env


def plan(*texts: str, k: int) -> list[int]:
    indices = [TOWER.action(text).index for text in texts]
    return indices + [N] * (k - len(indices))


def turns(info: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(turn["text"], turn["source"]) for turn in info["executed"]]


def test_the_action_space() -> None:
    env = planned(3)
    assert env.action_space == gym.spaces.MultiDiscrete([N, N + 1, N + 1])
    assert planned(1).action_space == gym.spaces.MultiDiscrete([N])


def test_it_executes_the_entries_with_the_assists_in_between() -> None:
    env = planned(6)
    info = env.step(plan(*BEST, k=6))[-1]
    assert turns(info) == [
        ("fight 6,4", "policy"),
        ("fight 5,6", "plan"),
        ("open 4,7", "plan"),
        ("fight 3,7", "plan"),
        ("collect 3,9", "assist"),
        ("collect 1,9", "assist"),
        ("collect 1,10", "assist"),
        ("open 7,0", "plan"),
        ("open 8,0", "plan"),
    ]
    assert [turn["turn"] for turn in info["executed"]] == list(range(2, 11))
    assert info["turn"] == 10


def test_its_reward_is_the_sum() -> None:
    env = planned(3, reward="hp_difference")
    assert env.step(plan("fight 6,4", "fight 5,6", k=3))[1] == -55 - 24


def test_no_entry_is_skipped() -> None:
    env = planned(3)
    one, two = plan("fight 6,4", "fight 5,6", k=2)
    assert turns(env.step([one, N, two])[-1]) == [
        ("fight 6,4", "policy"),
        ("fight 5,6", "plan"),
    ]


def test_an_entry_that_is_not_legal_drops_the_rest_and_costs_no_turn() -> None:
    env = planned(3)
    info = env.step(plan("fight 6,4", "fight 5,9", "fight 5,6", k=3))[-1]
    assert turns(info) == [("fight 6,4", "policy")]
    assert info["turn"] == 2


def test_an_entry_that_is_replaced_drops_the_rest() -> None:
    env = planned(3)
    info = env.step(plan("fight 6,4", "open 7,0", "fight 5,6", k=3))[-1]
    (_, replaced) = info["executed"]
    assert replaced["source"] == "override"
    assert replaced["replaces"] == TOWER.action("open 7,0").index
    assert info["turn"] == 3


def test_a_first_entry_that_is_replaced_or_illegal_drops_the_rest() -> None:
    env = planned(2)
    info = env.step(plan("open 7,0", "fight 5,3", k=2))[-1]
    assert turns(info) == [("fight 6,4", "override")]
    env = planned(2)
    _, reward, *_, info = env.step(plan("fight 5,9", "fight 5,3", k=2))
    assert (turns(info), reward) == ([(None, "policy")], -0.01)


def test_dropping_works_without_turns_in_info() -> None:
    env = planned(3, observation="features")
    info = env.step(plan("fight 6,4", "open 7,0", "fight 5,3", k=3))[-1]
    assert info["turn"] == 3


def test_the_end_drops_the_rest() -> None:
    env = planned(3, max_turns=3)
    *_, truncated, info = env.step(plan("fight 6,4", "fight 5,6", "open 4,7", k=3))
    assert truncated
    assert info["turn"] == 3


def test_equal_entries_are_a_quantity() -> None:
    tower = str(DATA / "key_trader.toml")
    env: Any = CommitPlan(gym.make("MagicTower-v0", tower=tower, assists=False), 10)
    env.reset()
    offer = env.unwrapped.tower.action("buy 1,1 #1").index
    info = env.step([offer] * 10)[-1]  # 25 gold, 10 a key
    assert turns(info) == [("buy 1,1 #1", "policy"), ("buy 1,1 #1", "plan")]


def test_its_own_masks() -> None:
    env = planned(3)
    masks = env.action_masks()
    assert masks.shape == (N + 2 * (N + 1),)
    first, second, third = masks[:N], masks[N : 2 * N + 1], masks[2 * N + 1 :]
    assert np.array_equal(first, env.unwrapped.action_masks())
    assert np.array_equal(second, third)
    assert second[N]
    gone = TOWER.action("collect 5,1").index
    assert not second[gone]
    assert second.sum() == N  # all but the key that is gone, and "no entry"


def test_after_the_end_its_mask_is_all_zero() -> None:
    env = planned(2, max_turns=2)
    env.step(plan("fight 6,4", k=2))
    assert not env.action_masks().any()


@pytest.mark.parametrize(
    "action", [[N, N], [0], [0, 1, 2], 3, [0, N + 1], [-1, 0], [0, 1.5], None]
)
def test_anything_but_a_plan_is_an_error(action: Any) -> None:
    with pytest.raises(IllegalAction, match="is no plan: 2 action indices"):
        planned(2).step(action)


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "3"])
def test_k_is_a_positive_integer(k: Any) -> None:
    with pytest.raises(MtGymError, match="k must be an integer >= 1"):
        CommitPlan(gym.make("MagicTower-simple-v0"), k)


def test_it_wraps_discrete_actions_only() -> None:
    with pytest.raises(MtGymError, match="Discrete"):
        CommitPlan(planned(2), 2)
