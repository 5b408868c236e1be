"""The oracle tells exact values, and without it none can be reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.errors import MtGymError
from mt_gym.solver import regret, state_value
from mt_gym.wrappers import Oracle

SIMPLE = "MagicTower-simple-v0"


def test_values_are_those_of_the_solver_along_random_episodes() -> None:
    env = Oracle(gym.make(SIMPLE, overrides=[]))
    rng = np.random.default_rng(3)
    for _ in range(5):
        _, info = env.reset()
        while "outcome" not in info:
            tower, state = env.unwrapped.tower, env.unwrapped.state  # type: ignore[attr-defined]
            assert info["state_value"] == state_value(tower, state)
            legal = np.flatnonzero(info["action_mask"])
            assert list(info["regret"]) == legal.tolist()
            for index, given_up in info["regret"].items():
                assert given_up == regret(tower, state, tower.actions[index])
            assert min(info["regret"].values()) == 0
            _, _, _, _, info = env.step(int(rng.choice(legal)))
        assert info["regret"] == {}


def test_a_win_is_worth_its_hp_and_a_lost_goal_nothing() -> None:
    env = Oracle(gym.make(SIMPLE, overrides=[]))
    _, info = env.reset()
    while "outcome" not in info:
        best = min(info["regret"], key=lambda index: (info["regret"][index], index))
        _, _, _, _, info = env.step(best)
    assert (info["outcome"], info["state_value"]) == ("won", 13)
    _, info = env.reset()
    worst = max(info["regret"], key=lambda index: info["regret"][index])
    _, _, _, _, info = env.step(worst)
    assert info["state_value"] is None
    assert info["state_value_status"] == "infeasible"
    assert set(info["regret"].values()) == {0}


def test_what_the_limit_leaves_open_is_unknown() -> None:
    _, info = Oracle(gym.make(SIMPLE), node_limit=1).reset()
    assert info["state_value_status"] == "bounded"
    assert info["state_value"] is None
    assert None in info["regret"].values()


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "10"])
def test_a_limit_that_is_no_count_is_refused(limit: Any) -> None:
    with pytest.raises(MtGymError, match="node_limit must be an integer >= 1"):
        Oracle(gym.make(SIMPLE), node_limit=limit)


def test_the_stack_is_rebuilt_from_its_spec() -> None:
    env = Oracle(gym.make(SIMPLE), node_limit=50_000)
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.reset()[1]["state_value"] == 13


def _words(value: Any) -> set[str]:
    """Every key and every string of a nested info."""
    if isinstance(value, dict):
        found = {str(key) for key in value}
        return found.union(*(_words(item) for item in value.values()), set())
    if isinstance(value, tuple | list):
        return set().union(*(_words(item) for item in value), set())
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize("observation", ["annotated", "bare"])
def test_without_it_no_value_or_route_can_be_read(observation: str) -> None:
    env = gym.make(SIMPLE, observation=observation)
    certificate = mt_gym.load("simple").certificate
    assert certificate is not None
    text, info = env.reset()
    rng = np.random.default_rng(0)
    while "outcome" not in info:
        words = _words(info)
        for secret in ("state_value", "regret", "oracle", "optimum", "certificate"):
            assert not any(secret in word.lower() for word in words)
            assert secret not in text.lower()
        assert not any(certificate.method in word for word in words)
        legal = np.flatnonzero(info["action_mask"])
        text, _, _, _, info = env.step(int(rng.choice(legal)))


def test_observation_and_info_do_not_depend_on_the_certificate(tmp_path: Path) -> None:
    """What follows from the proof would differ between the two maps."""
    plain = mt_gym.load("simple")
    text = plain.to_toml()
    bare = mt_gym.loads(text[: text.index("[certificate]")])
    assert bare.certificate is None
    assert bare.digest == plain.digest

    def trace(path: str) -> list[Any]:
        env = gym.make("MagicTower-v0", tower=path, reward="sparse")
        seen: list[Any] = [env.reset(seed=0)]
        rng = np.random.default_rng(5)
        while "outcome" not in seen[-1][-1]:
            legal = np.flatnonzero(seen[-1][-1]["action_mask"])
            seen.append(env.step(int(rng.choice(legal))))
        return [repr(item) for item in seen]

    path = tmp_path / "bare.toml"
    path.write_text(bare.to_toml(), encoding="utf-8")
    assert trace(str(path)) == trace("simple")


def test_a_tower_too_big_for_exact_values_has_bounds_within_a_limit() -> None:
    env = gym.make("MagicTower-tower-v0", overrides=[])
    with pytest.raises(MtGymError, match="too big for exact values"):
        Oracle(env)
    _, info = Oracle(env, node_limit=400).reset()
    least, most = info["state_value_bounds"]
    assert info["state_value_status"] == "bounded" and info["state_value"] is None
    assert most > (least or 0)
    assert set(info["regret"].values()) == {None}
