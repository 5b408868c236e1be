"""The contract checks pass what keeps the contract and name what breaks it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.engine.board import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.errors import MapError, PolicyError, UnknownFloor
from mt_gym.testing import check_policy, check_tower

DATA = sorted((Path(__file__).parent / "data").glob("*.toml"))


def test_shipped_floor_keeps_the_contract() -> None:
    check_tower("simple", episodes=6)


@pytest.mark.parametrize("file", DATA, ids=lambda file: file.stem)
def test_small_towers_keep_the_contract(file: Path) -> None:
    check_tower(file, episodes=6)


def test_missing_or_torn_map_is_its_own_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownFloor):
        check_tower("no such floor")
    torn = tmp_path / "torn.toml"
    torn.write_text("name = ")
    with pytest.raises(MapError):
        check_tower(torn)


# -- towers that break a rule -------------------------------------------------------


class Broken(Tower):
    """`simple` with one method replaced by the test."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        super().__init__(mt_gym.load("simple").data)
        for name, method in methods.items():
            setattr(self, name, lambda *a, m=method: m(super(Broken, self), *a))


def lethal_is_refused(tower: Any, state: State) -> tuple[Action, ...]:
    legal: tuple[Action, ...] = tower.legal_actions(state)
    return tuple(a for a in legal if a.verb != "fight")


def heals(tower: Any, state: State, action: Action) -> State:
    after: State = tower.step(state, action)
    return after._replace(world=after.world._replace(gone=0))


def restores(tower: Any, state: State, action: Action) -> State:
    """Brings back what was taken before, a sound state of the same tower."""
    start: State = tower.initial_state()
    after: State = tower.step(state, action)
    return start if state.world.gone else after


class Drifts:
    """Gives other HP at each call."""

    calls = 0

    def __call__(self, tower: Any, state: State, action: Action) -> State:
        self.calls += 1
        after: State = tower.step(state, action)
        return after._replace(hero=after.hero._replace(hp=after.hero.hp + self.calls))


def backwards(tower: Any, state: State) -> tuple[Action, ...]:
    legal: tuple[Action, ...] = tower.legal_actions(state)
    return legal[::-1]


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            {"problems": lambda tower: ["a hole"]},
            "'simple' has no defects, but: a hole",
        ),
        (
            {"action": lambda tower, text: tower.actions[0]},
            "the text 'open 7,0' means action 1 and no other",
        ),
        ({"legal_actions": backwards}, "legal actions come once, by index"),
        (
            {"legal_actions": lethal_is_refused},
            "step refuses 'fight 4,2', which is not",
        ),
        ({"legal_actions": lambda tower, state: ()}, "where nothing is legal"),
        ({"step": heals}, "the state is sound, but the state's reach"),
        ({"step": Drifts()}, "certificate"),
    ],
)
def test_broken_rule_of_a_tower_is_named(
    methods: dict[str, Callable[..., Any]], message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_tower(Broken(**methods), episodes=3)


def without_certificate(**methods: Callable[..., Any]) -> Tower:
    text = mt_gym.load("simple").to_toml()
    plain = mt_gym.loads(text[: text.index("[certificate]")])
    tower = Broken(**methods)
    tower._data = plain.data
    return tower


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (restores, "what is gone never comes back"),
        (Drifts(), "equal steps give equal states"),
    ],
)
def test_transition_that_is_not_pure_or_not_monotone_is_named(
    step: Callable[..., Any], message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_tower(without_certificate(step=step), episodes=3)


def test_masks_that_differ_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(env: MagicTowerEnv) -> Any:
        return np.zeros(env.config.rows, np.bool_)

    monkeypatch.setattr(MagicTowerEnv, "action_masks", nothing)
    with pytest.raises(AssertionError, match="equals action_masks"):
        check_tower("simple", episodes=1)


# -- policies ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "heuristic", "witness"])
def test_own_policies_keep_the_contract(name: str) -> None:
    check_policy(make_policy(name), episodes=2)


class Scripted:
    """A policy whose players answer with a function."""

    name = "scripted"
    observation = None

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        self.answer = answer

    def new_episode(self, env: Any, seed: int) -> Any:
        self.env = env
        return self

    def act(self, observation: Any, info: dict[str, Any]) -> Any:
        return self.answer(info)


def legal(info: dict[str, Any]) -> list[int]:
    return [int(i) for i in np.flatnonzero(info["action_mask"])]


class Counts:
    """Another legal action at each call, whoever asks."""

    calls = 0

    def __call__(self, info: dict[str, Any]) -> Decision:
        self.calls += 1
        options = legal(info)
        return Decision(options[self.calls // 3 % len(options)])


def rubs_out(info: dict[str, Any]) -> Decision:
    chosen = legal(info)[0]
    info["turn"] = 0
    return Decision(chosen)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda info: legal(info)[0],
            "act must return a mt_gym.agents.Decision, got 1",
        ),
        (lambda info: Decision(9999), "action is 9999; the actions .* are 0 to 36"),
        (lambda info: Decision(36), "turn 2: action 36 is not legal; legal are"),
        (
            lambda info: Decision(legal(info)[0], distribution={legal(info)[0]: 1.0}),
            "must cover exactly the enabled actions",
        ),
        (Counts(), "equal seeds give equal decisions, whoever else plays"),
        (rubs_out, "turn 2: the player changed the info"),
    ],
)
def test_broken_rule_of_a_policy_is_named(
    answer: Callable[[dict[str, Any]], Any], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        check_policy(Scripted(answer))


def test_policy_that_steps_the_environment_is_refused() -> None:
    def steps(info: dict[str, Any]) -> Decision:
        chosen = legal(info)[0]
        policy.env.step(chosen)
        return Decision(chosen)

    policy = Scripted(steps)
    with pytest.raises(PolicyError, match="changed the environment"):
        check_policy(policy)


def test_policy_without_players_is_refused() -> None:
    class Empty:
        name = "empty"
        observation = None

        def new_episode(self, env: Any, seed: int) -> Any:
            return None

    with pytest.raises(PolicyError, match="'empty': new_episode must return a player"):
        check_policy(Empty())


def test_object_that_is_no_policy_is_refused() -> None:
    not_one: Any = object()
    with pytest.raises(PolicyError, match="is no policy: 'name' must be a str"):
        check_policy(not_one)
