"""States: identity, JSON, and the check that a state fits a tower."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mt_gym.engine.state import State
from mt_gym.errors import MtGymError, StateMismatch
from tests.engine.towers import NAMES, play, states, tower


@pytest.mark.parametrize("name", NAMES)
def test_json_round_trip_keeps_every_part(name: str) -> None:
    game = tower(name)
    for state in states(game, limit=60):
        again = State.from_json(state.to_json())
        assert tuple(again) == tuple(state)
        game.check(again)


def test_position_is_no_part_of_the_key() -> None:
    game = tower("seal")
    one = play(game, "fight 1,1", "fight 5,1")
    two = play(game, "fight 5,1", "fight 1,1")
    assert one.hero.position != two.hero.position
    assert one == two
    assert one.key == two.key
    assert hash(one) == hash(two)
    assert one != play(game, "fight 1,1")


def test_state_of_another_tower_does_not_fit() -> None:
    with pytest.raises(StateMismatch, match="belongs to tower"):
        tower("seal").check(tower("stairs").initial_state())


def changed(state: State, **parts: object) -> State:
    return State.from_json(json.dumps(json.loads(state.to_json()) | parts))


@pytest.mark.parametrize(
    "parts",
    [
        {"gone": [99]},
        {"hidden": [0]},
        {"counts": [1]},
        {"epochs": [1]},
        {"position": 4900},
        {"visited": [7]},
        {"flags": [40]},
    ],
)
def test_parts_that_the_tower_does_not_have_are_refused(
    parts: dict[str, object],
) -> None:
    game = tower("seal")
    with pytest.raises(StateMismatch, match="does not fit"):
        game.check(changed(game.initial_state(), **parts))


@pytest.mark.parametrize(
    ("name", "parts"),
    [("strengthen", {"epochs": (99,)}), ("shop_growing", {"counts": (-1,)})],
)
def test_counts_of_what_cannot_happen_are_refused(
    name: str, parts: dict[str, Any]
) -> None:
    game = tower(name)
    world, hero = game.initial_state()
    with pytest.raises(StateMismatch, match="does not fit"):
        game.check(State(world._replace(**parts), hero))


@pytest.mark.parametrize(
    "parts", [{"yellow": -1}, {"hp": -5}, {"atk": True}, {"hp": 2.5}]
)
def test_a_hero_with_impossible_numbers_is_refused(parts: dict[str, Any]) -> None:
    game = tower("seal")
    world, hero = game.initial_state()
    (name,) = parts
    with pytest.raises(StateMismatch, match=f"hero has {name} .* no integer of 0"):
        game.check(State(world, hero._replace(**parts)))


@pytest.mark.parametrize("thing", ["seal", None, (1, 2)])
def test_what_is_no_state_is_refused(thing: Any) -> None:
    with pytest.raises(StateMismatch, match="not a state"):
        tower("seal").check(thing)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"position": 0}, "cannot stand on cell 0 of 'seal'"),  # a wall
        ({"position": 8}, "cannot stand on cell 8 of 'seal'"),  # a guard's cell
        ({"position": 38}, "cannot stand on cell 38 of 'seal'"),  # behind the bars
        ({"visited": []}, "stands on 'seal', which is not among the visited floors"),
    ],
)
def test_hero_where_he_cannot_be_is_refused(
    parts: dict[str, object], message: str
) -> None:
    game = tower("seal")
    with pytest.raises(StateMismatch, match=message):
        game.check(changed(game.initial_state(), **parts))


def test_reach_that_does_not_follow_is_refused() -> None:
    game = tower("seal")
    with pytest.raises(StateMismatch, match="reach"):
        game.check(changed(game.initial_state(), reach=[]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a state"),
        ("[]", "a JSON object is expected"),
        ("{}", "missing"),
        ('{"more": 1}', "unknown"),
    ],
)
def test_text_that_is_no_state(text: str, message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        State.from_json(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hero": {"hp": 1}}, "'hero' needs exactly"),
        ({"gone": 3}, "must be a list of integers"),
        ({"gone": [-1]}, "must be an integer >= 0"),
        ({"position": True}, "must be an integer >= 0"),
        ({"position": 1.5}, "must be an integer >= 0"),
    ],
)
def test_wrong_part_of_a_state_is_named(parts: dict[str, object], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        changed(tower("seal").initial_state(), **parts)
