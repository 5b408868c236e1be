"""ShapeReward, SpareHP and ExploringStarts: what they add, and what they leave."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.engine.state import State
from mt_gym.errors import MtGymError
from mt_gym.wrappers import ExploringStarts, ShapeReward, SpareHP

TOWER = mt_gym.load("simple")


def simple(**keywords: Any) -> gym.Env[Any, Any]:
    keywords.setdefault("observation", "bare")
    return gym.make("MagicTower-simple-v0", **keywords)


def episode(env: gym.Env[Any, Any], seed: int) -> tuple[list[float], bool]:
    """Rewards of random play; whether it terminated."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards = []
    while True:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, reward, terminated, truncated, info = env.step(action)
        rewards.append(float(reward))
        if terminated or truncated:
            return rewards, terminated


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_shaping_moves_every_return_by_the_first_potential(
    seed: int, gamma: float
) -> None:
    env = ShapeReward(simple(reward="hp_difference"), gamma=gamma)
    env.reset()
    first = env.potential(env.unwrapped.state)  # type: ignore[attr-defined]
    shaped, terminated = episode(env, seed)
    plain, _ = episode(simple(reward="hp_difference"), seed)
    assert terminated
    assert len(shaped) == len(plain)
    total = sum(
        gamma**t * (a - b) for t, (a, b) in enumerate(zip(shaped, plain, strict=True))
    )
    assert total == pytest.approx(-first)


def test_the_default_potential_is_the_observations_price_list() -> None:
    env = ShapeReward(simple())
    hero = TOWER.initial_state().hero
    state = TOWER.initial_state()
    richer = state._replace(
        hero=hero._replace(hp=100, atk=1, defense=1, mdef=1, yellow=1, blue=1, red=1)
    )
    assert env.potential(richer) == pytest.approx(
        (100 + 70 + 90 + 45 + 60 + 90 + 120) / 470
    )


def test_other_prices_are_taken_as_given() -> None:
    env = ShapeReward(simple(), {"hp": 2.0})
    assert env.potential(TOWER.initial_state()) == 2.0


def test_at_a_truncation_the_potential_stays() -> None:
    env = ShapeReward(simple(max_turns=2, reward="sparse"))
    env.reset()
    before = env.potential(env.unwrapped.state)  # type: ignore[attr-defined]
    _, reward, _, truncated, _ = env.step(TOWER.action("fight 6,4").index)
    after = env.potential(env.unwrapped.state)  # type: ignore[attr-defined]
    assert truncated
    assert reward == pytest.approx(after - before)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"prices": {"gems": 1}}, "unknown resource 'gems'"),
        ({"prices": ["hp"]}, "prices must be None or a mapping"),
        ({"prices": {"hp": "1"}}, "the price of hp must be a finite number, got '1'"),
        ({"prices": {"hp": float("nan")}}, "finite number, got nan"),
        ({"prices": {"hp": True}}, "finite number, got True"),
        ({"gamma": "1"}, "gamma must be a finite number, got '1'"),
        ({"gamma": float("nan")}, "gamma must be a finite number, got nan"),
        ({"gamma": True}, "gamma must be a finite number, got True"),
        ({"gamma": 0}, "gamma must be above 0"),
        ({"gamma": 1.1}, "gamma must be above 0"),
    ],
)
def test_shape_reward_refuses(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(MtGymError, match=says):
        ShapeReward(simple(), **arguments)


def hp(env: gym.Env[Any, Any]) -> int:
    state: State = env.get_wrapper_attr("state")
    return state.hero.hp


def test_spare_hp_is_drawn_between_its_bounds_and_can_be_annealed() -> None:
    env = SpareHP(simple(), 10, 12)
    drawn = set()
    env.reset(seed=0)
    for _ in range(40):
        env.reset()
        assert hp(env) == 470 + env.spare
        drawn.add(env.spare)
    assert drawn == {10, 11, 12}
    env.low = env.high = 0
    env.reset()
    assert hp(env) == 470


def test_spare_hp_is_added_to_a_given_state() -> None:
    env = SpareHP(simple(), 30, 30)
    state = TOWER.initial_state()
    given = state._replace(hero=state.hero._replace(hp=100))
    env.reset(options={"state": given})
    assert hp(env) == 130


def last_reward(env: gym.Env[Any, Any]) -> float:
    env.reset(seed=0)
    assert TOWER.certificate is not None
    total = 0.0
    for text in TOWER.certificate.route:
        total += float(env.step(TOWER.action(text).index)[1])
    return total


@pytest.mark.parametrize(("spare", "score"), [(0, 1.0), (5, 1.0), (430, 1.0)])
def test_par_shift_scores_a_final_hp_that_is_e_lower(spare: int, score: float) -> None:
    env = SpareHP(simple(assists=False), spare, spare)
    assert last_reward(env) == pytest.approx(score)
    env = SpareHP(simple(assists=False), spare, spare, par_shift=False)
    assert last_reward(env) == pytest.approx(1.0)


def test_par_shift_takes_from_a_win_below_par() -> None:
    # 500 HP at the start, and a route that ends with 10 instead of 13 plus 30.
    env = SpareHP(simple(), 30, 30)
    env.reset(seed=0)
    rewards = [
        env.step(TOWER.action(text).index)[1]
        for text in (
            "fight 6,4",
            "fight 5,6",
            "open 4,7",
            "fight 3,7",
            "open 7,0",
            "open 7,5",
            "fight 9,5",
            "fight 10,6",
            "fight 8,9",
            "fight 1,8",
            "fight 4,2",
            "fight 2,1",
            "open 8,0",
            "fight 3,5",
            "fight 5,9",
            "fight 5,10",
        )
    ]
    assert hp(env) == 40
    assert rewards[-1] == pytest.approx(0.5 + 0.5 * 10 / 13)


def test_par_shift_leaves_hp_difference_alone() -> None:
    for seed in range(3):
        with_par, _ = episode(SpareHP(simple(reward="hp_difference"), 20, 20), seed)
        without, _ = episode(
            SpareHP(simple(reward="hp_difference"), 20, 20, par_shift=False), seed
        )
        assert with_par == without


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((-1, 3), "low must be an integer >= 0, got -1"),
        ((5, 4), "0 <= low <= high"),
        ((0, "9"), "high must be an integer >= 0, got '9'"),
        ((0.5, 9), "low must be an integer >= 0, got 0.5"),
        ((0, float("nan")), "high must be an integer >= 0, got nan"),
        ((False, 9), "low must be an integer >= 0, got False"),
        ((0, 9, "yes"), "par_shift must be True or False, got 'yes'"),
    ],
)
def test_spare_hp_refuses_impossible_arguments(
    arguments: tuple[Any, ...], says: str
) -> None:
    with pytest.raises(MtGymError, match=says):
        SpareHP(simple(), *arguments)


def test_spare_hp_refuses_bounds_that_were_annealed_wrongly() -> None:
    env = SpareHP(simple(), 0, 10)
    env.high = 7.5  # type: ignore[assignment]
    with pytest.raises(MtGymError, match=r"high must be an integer >= 0, got 7\.5"):
        env.reset()


def test_exploring_starts_begin_after_harmless_choices() -> None:
    env = ExploringStarts(simple(), probability=1.0, low=1, high=4)
    env.reset(seed=0)
    starts = set()
    for _ in range(60):
        _, info = env.reset()
        state: State = env.get_wrapper_attr("state")
        starts.add(state)
        assert info["turn"] == 0
        assert TOWER.outcome(state) is None
        assert not TOWER.board.goal_mask & state.world.gone
    assert len(starts) > 10


def test_exploring_starts_open_no_dead_end() -> None:
    env = ExploringStarts(simple(overrides=[]), probability=1.0, low=1, high=1)
    env.reset(seed=0)
    door = TOWER.action("open 7,0").object
    first = set()
    for _ in range(40):
        env.reset()
        state: State = env.get_wrapper_attr("state")
        assert not state.world.gone >> door & 1
        first.add(state.hero.hp)
    assert first == {470 - 114, 470 - 56, 470 - 55}


def test_exploring_starts_leave_their_share_at_the_beginning() -> None:
    env = ExploringStarts(simple(), probability=0.3)
    env.reset(seed=1)
    usual = env.reset()[1]
    fresh = simple().reset()[1]
    begun = 0
    for _ in range(200):
        env.reset()
        begun += env.get_wrapper_attr("turn") == 1  # the key is collected
    assert 100 < begun < 180
    assert list(usual) == list(fresh)
    never = ExploringStarts(simple(), probability=0.0)
    assert all(never.reset()[1]["turn"] == 1 for _ in range(5))


def test_both_can_be_stacked() -> None:
    env = SpareHP(ExploringStarts(simple(), probability=1.0), 50, 50)
    env.reset(seed=0)
    state: State = env.get_wrapper_attr("state")
    assert env.get_wrapper_attr("turn") == 0
    assert state != TOWER.initial_state()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"probability": 1.5}, "probability must be from 0 to 1"),
        ({"probability": "0.5"}, "probability must be a finite number, got '0.5'"),
        ({"probability": float("nan")}, "probability must be a finite number"),
        ({"probability": True}, "probability must be a finite number, got True"),
        ({"low": 0}, "low must be an integer >= 1, got 0"),
        ({"high": 2.5}, "high must be an integer >= 1, got 2.5"),
        ({"high": True}, "high must be an integer >= 1, got True"),
        ({"low": 3, "high": 2}, "1 <= low <= high"),
    ],
)
def test_exploring_starts_refuse(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(MtGymError, match=says):
        ExploringStarts(simple(), **arguments)
