"""Rewards as functions of one turn, and the HP that counts as full marks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.engine.kinds import Certificate
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.rewards import (
    REWARDS,
    defeated_share,
    goal_score,
    hp_difference,
    reference_hp,
    sparse,
)
from tests.engine.towers import play, tower

SIMPLE = mt_gym.load("simple")


def with_hp(state: State, hp: int) -> State:
    return state._replace(hero=state.hero._replace(hp=hp))


def certified(certificate: Certificate | None) -> Tower:
    return Tower(replace(SIMPLE.data, certificate=certificate))


def test_the_reference_is_the_proved_optimum() -> None:
    assert reference_hp(SIMPLE) == (13, "optimum")


def test_else_the_witness_of_a_bounded_certificate() -> None:
    bounded = certified(Certificate(10, status="bounded", bound=40))
    assert reference_hp(bounded) == (10, "witness")


def test_else_start_hp_and_all_potions_as_a_scale() -> None:
    assert reference_hp(certified(None)) == (470 + 700, "scale")
    # Holy Water, shops and levels are left out.
    assert reference_hp(tower("holy_water")) == (31 + 10, "scale")
    assert reference_hp(tower("shop_exp")) == (60, "scale")


def test_the_environment_says_its_reference() -> None:
    env = gym.make("MagicTower-simple-v0")
    assert env.unwrapped.reference_hp == (13, "optimum")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("hp", "score"), [(13, 1.0), (20, 1.0), (10, 0.5 + 5 / 13), (1, 0.5 + 0.5 / 13)]
)
def test_a_win_scores_half_a_point_and_its_share_of_the_reference(
    hp: int, score: float
) -> None:
    state = with_hp(SIMPLE.initial_state(), hp)
    assert goal_score(SIMPLE, state, None, state, "won") == pytest.approx(score)


def test_a_failure_scores_by_the_share_of_monsters_defeated() -> None:
    state = play(SIMPLE, "collect 5,1", "fight 6,4", "fight 5,6")
    assert defeated_share(SIMPLE, state) == 2 / 14
    for outcome, weight in (("stuck", 0.35), ("turn_limit", 0.35), ("died", 0.15)):
        score = goal_score(SIMPLE, state, None, state, outcome)
        assert score == pytest.approx(weight * 2 / 14)


def test_before_the_end_the_goal_score_is_0() -> None:
    state = SIMPLE.initial_state()
    assert goal_score(SIMPLE, state, None, state, None) == 0.0
    assert sparse(SIMPLE, state, None, state, None) == 0.0


def test_sparse_pays_for_a_win_alone() -> None:
    state = SIMPLE.initial_state()
    for outcome in ("died", "stuck", "turn_limit"):
        assert sparse(SIMPLE, state, None, state, outcome) == 0.0
    assert sparse(SIMPLE, state, None, state, "won") == 1.0


def test_hp_difference_is_signed() -> None:
    state = SIMPLE.initial_state()
    assert hp_difference(SIMPLE, state, None, with_hp(state, 460), None) == -10.0
    assert hp_difference(SIMPLE, state, None, with_hp(state, 545), None) == 75.0


@pytest.mark.parametrize("reward", REWARDS)
def test_a_steps_reward_is_the_sum_over_its_turns(reward: str) -> None:
    env: gym.Env[Any, Any] = gym.make("MagicTower-simple-v0", reward=reward)
    env.reset()
    base: Any = env.unwrapped
    for text in ("fight 6,4", "fight 5,6", "open 4,7", "fight 3,7"):
        count = len(base.played)
        _, total, _, _, info = env.step(SIMPLE.action(text).index)
        turns = base.played[count:]
        outcome = info.get("outcome")
        expected = sum(
            REWARDS[reward](
                SIMPLE,
                turn.before,
                turn.action,
                turn.after,
                outcome if i == len(turns) - 1 else None,
            )
            for i, turn in enumerate(turns)
        )
        assert total == expected


def test_an_illegal_turn_costs_a_hundredth_whatever_the_reward() -> None:
    for reward in REWARDS:
        env: gym.Env[Any, Any] = gym.make("MagicTower-simple-v0", reward=reward)
        env.reset()
        assert env.step(SIMPLE.action("fight 5,10").index)[1] == -0.01
