"""What each policy plays, and what it refuses to play."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.agents import make_policy
from mt_gym.agents.solver import best_action
from mt_gym.analysis.options import Options
from mt_gym.bench import run
from mt_gym.errors import LimitReached, PolicyError
from mt_gym.play.heuristic import choose

ID = "MagicTower-simple-v0"


@pytest.fixture
def env() -> Iterator[gym.Env[Any, Any]]:
    made = gym.make(ID)
    yield made
    made.close()


def test_random_draws_every_legal_action_equally_often(env: gym.Env[Any, Any]) -> None:
    observation, info = env.reset(seed=0)
    legal = np.flatnonzero(info["action_mask"]).tolist()
    player = make_policy("random").new_episode(env, seed=1)
    drawn = Counter(player.act(observation, info).action for _ in range(4000))
    assert sorted(drawn) == legal
    assert all(abs(count - 1000) < 150 for count in drawn.values())


def test_random_states_its_distribution(env: gym.Env[Any, Any]) -> None:
    observation, info = env.reset(seed=0)
    decision = make_policy("random").new_episode(env, seed=1).act(observation, info)
    legal = np.flatnonzero(info["action_mask"]).tolist()
    assert decision.distribution == dict.fromkeys(legal, 0.25)


@pytest.mark.parametrize("name", ["heuristic", "witness"])
def test_a_rule_puts_everything_on_its_choice(
    name: str, env: gym.Env[Any, Any]
) -> None:
    observation, info = env.reset(seed=0)
    decision = make_policy(name).new_episode(env, seed=0).act(observation, info)
    decision.check(info)
    assert decision.distribution is not None
    assert decision.distribution[decision.action] == 1.0
    assert sum(decision.distribution.values()) == 1.0


def test_random_leaves_the_global_generators_alone(env: gym.Env[Any, Any]) -> None:
    before = np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002
    run(ID, make_policy("random"))
    after = np.random.get_state()[1]  # type: ignore[index]  # noqa: NPY002
    assert np.array_equal(before, after)


def test_heuristic_plays_what_play_heuristic_chooses(env: gym.Env[Any, Any]) -> None:
    observation, info = env.reset(seed=0)
    decision = make_policy("heuristic").new_episode(env, 0).act(observation, info)
    tower, state = env.get_wrapper_attr("tower"), env.get_wrapper_attr("state")
    choice = choose(tower, state, Options.of(tower))
    assert decision.action == choice.action.index
    assert decision.trace["reason"] == choice.reason


def test_heuristic_takes_the_environments_settings_unless_it_has_its_own() -> None:
    made = gym.make(ID, rule4_share=[1, 7], lookahead_depth=1)
    theirs = make_policy("heuristic").new_episode(made, 0)
    own = make_policy("heuristic", rule4_share=[1, 2]).new_episode(made, 0)
    made.close()
    assert theirs.options == Options(1, (1, 7), 300)  # type: ignore[attr-defined]
    assert own.options == Options(1, (1, 2), 300)  # type: ignore[attr-defined]


@pytest.mark.parametrize("assists", [True, False])
def test_witness_plays_the_certificates_route(assists: bool) -> None:
    settings = {"assists": assists}
    result = run(ID, make_policy("witness"), settings=settings)
    (one,) = result.episodes
    assert (one.outcome, one.hp, one.turns) == ("won", 13, 36)


def test_witness_refuses_a_map_without_a_route(tmp_path: Path) -> None:
    text = mt_gym.load("simple").to_toml()
    file = tmp_path / "plain.toml"
    file.write_text(text[: text.index("[certificate]")], encoding="utf-8")
    with pytest.raises(PolicyError, match="plays a certificate's route, and 'simple'"):
        run("MagicTower-v0", make_policy("witness"), settings={"tower": str(file)})


def test_witness_says_where_the_route_ends(env: gym.Env[Any, Any]) -> None:
    player = make_policy("witness").new_episode(env, 0)
    _, info = env.reset(seed=0)
    tower = env.get_wrapper_attr("tower")
    info["action_mask"][tower.action("fight 6,4").index] = 0
    with pytest.raises(PolicyError, match="asks for 'fight 6,4', which is not legal"):
        player.act("", info)


def test_best_action_takes_the_highest_hp_and_then_the_lowest_index() -> None:
    actions = mt_gym.load("simple").actions
    assert best_action({actions[3]: 5, actions[2]: 9, actions[1]: 9}) is actions[1]
    assert best_action({actions[2]: None, actions[3]: 0}) is actions[3]
    assert best_action({actions[4]: None, actions[3]: None}) is actions[3]


def solved(monkeypatch: pytest.MonkeyPatch, status: str) -> dict[str, Any]:
    """Let the solver give every action the HP of its index, and note its limits."""
    seen: dict[str, Any] = {}

    def values(tower: mt_gym.Tower, state: mt_gym.State, **limits: Any) -> Any:
        seen.update(limits)
        return {
            action: SimpleNamespace(status=status, hp=action.index, bound=None)
            for action in tower.legal_actions(state)
        }

    def kept(env: Any, action: mt_gym.Action, limits: Any) -> int:
        return action.index

    monkeypatch.setattr("mt_gym.solver.values", values, raising=False)
    monkeypatch.setattr("mt_gym.agents.solver.kept_value", kept)
    return seen


def test_solver_plays_an_action_of_the_best_value(
    env: gym.Env[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = solved(monkeypatch, "optimal")
    player = make_policy("solver", node_limit=7).new_episode(env, 0)
    observation, info = env.reset(seed=0)
    decision = player.act(observation, info)
    assert decision.action == max(np.flatnonzero(info["action_mask"]))
    assert decision.trace["value"] == decision.action
    assert seen == {"node_limit": 7}


def test_solver_never_passes_off_a_bound_as_a_value(
    env: gym.Env[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(monkeypatch, "bounded")
    player = make_policy("solver").new_episode(env, 0)
    observation, info = env.reset(seed=0)
    with pytest.raises(LimitReached, match="turn 2: a limit ended the search"):
        player.act(observation, info)


def test_solver_sees_what_assists_and_overrides_would_spoil() -> None:
    """Behind a door potions are drunk at once, and the vampire bites afterwards."""
    (one,) = run("MagicTower-hand05-v0", make_policy("solver")).episodes
    assert (one.outcome, one.hp) == ("won", 79)
