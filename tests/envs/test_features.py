"""Features: columns, bounds, and every number against the engine."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.analysis.options import Options
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.view import features_space
from mt_gym.observation.columns import LIMIT
from mt_gym.observation.features import (
    FEATURE_COLUMNS,
    HERO_COLUMNS,
    feature_table,
    resource_scales,
)
from mt_gym.play.masks import action_mask, row_table
from mt_gym.play.settings import PlaySettings
from tests.engine.towers import NAMES, play, states, tower

COLUMN = {column.name: i for i, column in enumerate(FEATURE_COLUMNS)}
SIMPLE = mt_gym.load("simple")


def arrays(game: Tower, state: State) -> Any:
    return feature_table(game, len(game.actions)).features(state, 0.0, False)


def row(game: Tower, state: State, text: str) -> dict[str, float]:
    values = arrays(game, state)["objects"][game.action(text).index]
    return {name: float(values[i]) for name, i in COLUMN.items()}


def test_the_table_of_columns_is_what_it_says() -> None:
    assert len(COLUMN) == len(FEATURE_COLUMNS) == 24
    assert len({c.name for c in HERO_COLUMNS}) == 16
    assert [c.name for c in HERO_COLUMNS[:14]] == list(RESOURCES)
    for column in (*FEATURE_COLUMNS, *HERO_COLUMNS):
        assert -LIMIT <= column.low < column.high <= LIMIT
        assert column.meaning


def test_row_i_is_action_i_and_the_mask_is_the_environments() -> None:
    env: gym.Env[Any, Any] = gym.make("MagicTower-simple-v0", observation="features")
    observation, info = env.reset()
    assert list(observation) == ["hero", "objects", "action_mask"]
    assert observation["objects"].shape == (37, 34)
    assert observation["objects"].dtype == observation["hero"].dtype == np.float32
    assert observation["action_mask"].dtype == np.int8
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    legal = observation["objects"][:, COLUMN["legal"]]
    assert np.array_equal(legal, info["action_mask"])


def expected_row(game: Tower, state: State, index: int) -> dict[str, float]:
    """The dynamic columns of a row, one by one from the engine."""
    action = game.actions[index]
    if action.object < 0:
        return {"present": 0, "reachable": 0, "legal": 0, "survivable": 0, "cost": 0}
    world, hero = state
    bit = 1 << action.object
    present = not (world.gone | world.hidden) & bit
    legal = action in game.legal_actions(state)
    loss = 0
    if action.verb == "fight":
        loss = game.game.loss(state, action.object)
    kills = loss == UNWINNABLE or loss >= hero.hp
    scales = resource_scales(game)
    gain = dict(game.game.gain(state, action.row))
    cost = dict(game.game.cost(state, action.row))
    if action.verb == "fight":
        stats = game.game.stats(game.board.objects[action.object].monster, state.world)
        gain[4] = gain.get(4, 0) + stats.gold
        gain[5] = gain.get(5, 0) + stats.exp
    found = {
        "present": float(present),
        "reachable": float(present and bool(hero.reach & bit)),
        "legal": float(legal),
        "survivable": float(legal and not kills),
        "cost": 1.0 if kills else loss / hero.hp,
    }
    for slot, name in enumerate(RESOURCES):
        if name in COLUMN:
            net = gain.get(slot, 0) - cost.get(slot, 0)
            found[name] = max(-LIMIT, min(LIMIT, net / scales[slot]))
    after = 0 if kills else hero.hp - loss + gain.get(0, 0) - cost.get(0, 0)
    found["hp_after"] = min(LIMIT, after / scales[0])
    return found


@pytest.mark.parametrize("name", [*NAMES, "simple"])
def test_every_number_follows_from_the_engine(name: str) -> None:
    game = SIMPLE if name == "simple" else tower(name)
    space = features_space(len(game.actions))
    rules = PlaySettings(Options.of(game))
    table = row_table(game, len(game.actions))
    for state in states(game, 60):
        if game.outcome(state) == "died":
            continue
        found = arrays(game, state)
        assert found in space
        assert np.array_equal(found["action_mask"], action_mask(table, state, rules))
        for index in range(len(game.actions)):
            values = found["objects"][index]
            for column, value in expected_row(game, state, index).items():
                assert values[COLUMN[column]] == pytest.approx(value, abs=1e-6), (
                    game.actions[index],
                    column,
                )


def test_the_first_decision_of_the_simple_floor() -> None:
    state = play(SIMPLE, "collect 5,1")
    slime = row(SIMPLE, state, "fight 6,4")
    assert slime["is_fight"] == slime["legal"] == slime["survivable"] == 1
    assert slime["cost"] == pytest.approx(55 / 470)
    assert slime["hp_after"] == pytest.approx(415 / 1170)
    boss = row(SIMPLE, state, "fight 5,10")
    assert boss["is_goal"] == boss["present"] == boss["cost"] == 1
    assert boss["legal"] == boss["reachable"] == boss["hp_after"] == 0
    door = row(SIMPLE, state, "open 7,0")
    assert door["is_door"] == door["legal"] == 1
    assert door["yellow"] == pytest.approx(-1 / 5)
    gem = row(SIMPLE, state, "collect 1,0")
    assert gem["is_item"] == gem["present"] == 1
    assert gem["atk"] == pytest.approx(1 / 13)
    key = row(SIMPLE, state, "collect 5,1")
    assert key["present"] == key["legal"] == 0


@pytest.mark.parametrize(
    ("name", "text", "group"),
    [
        ("gates_bars", "open 3,1", "is_gate"),
        ("crystal", "choose 2,1 #2", "is_offer"),
        ("shop_constant", None, "is_offer"),
        ("character_gifts", "talk 1,1 #1", "is_talk"),
        ("stairs", "F1:climb 3,1", "is_stairs"),
        ("stairs", "F1:travel", "is_stairs"),
        ("goal_reach", "finish 3,3", "is_goal"),
        ("goal_take", None, "is_goal"),
        ("tools", None, "is_gate"),
    ],
)
def test_each_kind_has_its_column(name: str, text: str | None, group: str) -> None:
    game = tower(name)
    verbs = {"is_offer": "buy", "is_goal": "finish", "is_gate": "break"}
    if text is None:
        text = next(a.text for a in game.actions if a.verb == verbs[group])
    found = row(game, game.initial_state(), text)
    kinds = {name for name in COLUMN if name.startswith("is_") and found[name]}
    assert kinds == {group}


def test_what_grows_is_written_anew() -> None:
    game = tower("shop_growing")
    state = game.initial_state()
    scale = resource_scales(game)[4]
    texts = [a.text for a in game.actions if a.verb == "buy"]
    assert row(game, state, texts[0])["gold"] == pytest.approx(-10 / scale)
    after = play(game, texts[0])
    assert row(game, after, texts[0])["gold"] == pytest.approx(-15 / scale)
    game = tower("strengthen")
    wolf = next(a.text for a in game.actions if a.text == "fight 1,3")
    state = game.initial_state()
    scale = resource_scales(game)[4]
    assert row(game, state, wolf)["gold"] == pytest.approx(1 / scale)
    after = play(game, "fight 1,1")
    assert row(game, after, wolf)["gold"] == pytest.approx(2 / scale)


def test_the_heros_vector() -> None:
    state = play(SIMPLE, "collect 5,1", "fight 6,4")
    table = feature_table(SIMPLE, len(SIMPLE.actions))
    vector = table.hero(state, 0.25)
    names = {
        column.name: float(v) for column, v in zip(HERO_COLUMNS, vector, strict=True)
    }
    assert names["hp"] == pytest.approx(415 / 1170)
    assert names["atk"] == pytest.approx(9 / 13)
    assert names["yellow"] == pytest.approx(1 / 5)
    assert names["turn"] == 0.25
    assert names["defeated"] == pytest.approx(1 / 14)


def test_what_is_out_of_scale_is_clipped_to_the_limit() -> None:
    state = SIMPLE.initial_state()
    rich = state._replace(hero=state.hero._replace(hp=10**6, gold=10**9))
    found = arrays(SIMPLE, rich)
    assert found in features_space(len(SIMPLE.actions))
    assert found["hero"].max() == LIMIT
    assert found["objects"][:, COLUMN["hp_after"]].max() == LIMIT


def test_a_dead_hero_has_no_hp_after_anything() -> None:
    state = SIMPLE.initial_state()
    dead = state._replace(hero=state.hero._replace(hp=0))
    found = arrays(SIMPLE, dead)
    assert found in features_space(len(SIMPLE.actions))
    assert not found["objects"][:, COLUMN["hp_after"]].any()
    assert not found["action_mask"].any()


@pytest.mark.parametrize(("hp", "survivable"), [(115, 1), (114, 0)])
def test_a_fight_that_takes_all_hp_is_not_survivable(hp: int, survivable: int) -> None:
    state = play(SIMPLE, "collect 5,1")
    left = state._replace(hero=state.hero._replace(hp=hp))
    lord = row(SIMPLE, left, "fight 4,2")
    assert (lord["legal"], lord["survivable"]) == (1, survivable)
    assert lord["hp_after"] == pytest.approx(survivable / 1170)
    assert lord["cost"] == pytest.approx(114 / hp)


def test_after_the_end_nothing_is_legal() -> None:
    state = play(SIMPLE, "collect 5,1")
    table = feature_table(SIMPLE, len(SIMPLE.actions))
    found = table.features(state, 0.0, True)
    assert not found["action_mask"].any()
    assert not found["objects"][:, COLUMN["legal"]].any()
