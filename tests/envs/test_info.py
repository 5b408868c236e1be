"""`info`: the list, the executed turns, their sources, and nothing that changes."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym import envs
from mt_gym.envs import ActionInfo, ExecutedInfo
from mt_gym.play.record import SOURCES
from tests.engine.towers import DATA


def make(name: str = "simple", **keywords: Any) -> gym.Env[Any, Any]:
    tower = name if name == "simple" else str(DATA / f"{name}.toml")
    return gym.make("MagicTower-v0", tower=tower, **keywords)


def test_the_keys_and_their_order() -> None:
    env = make()
    _, info = env.reset()
    assert list(info) == ["action_mask", "actions", "turn", "executed"]
    for entry in info["actions"]:
        assert list(entry) == list(ActionInfo.__annotations__)
    for turn in info["executed"]:
        assert list(turn) == list(ExecutedInfo.__annotations__)


def test_the_types_of_info_are_exported() -> None:
    assert envs.__all__ == ["ActionInfo", "ExecutedInfo"]
    with pytest.raises(AttributeError, match=r"'mt_gym\.envs' has no attribute 'Env'"):
        envs.Env  # noqa: B018


def test_the_first_list_of_the_simple_floor() -> None:
    env = make()
    _, info = env.reset()
    assert info["turn"] == 1
    assert [(e["number"], e["text"], e["enabled"]) for e in info["actions"]] == [
        (1, "fight 4,2", True),
        (2, "fight 5,3", True),
        (3, "fight 6,4", True),
        (4, "open 7,0", True),
    ]
    third = info["actions"][2]
    assert third["verb"] == "fight"
    assert third["name"] == "Black Slime"
    assert third["floor"] == "simple"
    assert third["position"] == (6, 4)
    assert (third["damage"], third["hp_after"]) == (55, 415)
    assert "SAFE" in third["tags"]
    door = info["actions"][3]
    assert (door["damage"], door["hp_after"]) == (None, None)
    assert door["tags"] == ("DEAD END - DO NOT OPEN",)


@pytest.mark.parametrize("name", ["simple", "stairs", "crystal", "shop_constant"])
def test_every_number_maps_to_its_index_and_text(name: str) -> None:
    env = make(name)
    _, info = env.reset()
    tower = env.get_wrapper_attr("tower")
    enabled = np.zeros(len(tower.actions), np.int8)
    for number, entry in enumerate(info["actions"], 1):
        assert entry["number"] == number
        assert tower.action(entry["text"]).index == entry["action"]
        enabled[entry["action"]] = entry["enabled"]
    assert np.array_equal(enabled, info["action_mask"])


def test_an_unwinnable_fight_is_listed_but_disabled() -> None:
    env = make()
    env.reset()
    tower = env.get_wrapper_attr("tower")
    state = env.get_wrapper_attr("state")
    weak = state._replace(hero=state.hero._replace(atk=5))
    _, info = env.reset(options={"state": weak})
    lord = next(e for e in info["actions"] if e["text"] == "fight 4,2")
    assert lord["enabled"] is False
    assert (lord["damage"], lord["hp_after"]) == (None, None)
    assert not info["action_mask"][tower.action("fight 4,2").index]


def test_a_lethal_fight_leaves_0_hp() -> None:
    env = make()
    env.reset()
    state = env.get_wrapper_attr("state")
    weak = state._replace(hero=state.hero._replace(hp=114))
    _, info = env.reset(options={"state": weak})
    lord = next(e for e in info["actions"] if e["text"] == "fight 4,2")
    assert lord["enabled"] is True
    assert (lord["damage"], lord["hp_after"]) == (114, 0)


def test_finish_says_the_hp_of_the_end() -> None:
    env = make("goal_reach", assists=False)
    env.reset()
    tower = env.get_wrapper_attr("tower")
    _, _, _, _, info = env.step(tower.action("fight 1,2").index)
    finish = next(e for e in info["actions"] if e["verb"] == "finish")
    assert finish["hp_after"] == env.get_wrapper_attr("state").hero.hp
    assert finish["damage"] is None


def test_an_offer_without_a_cell_has_no_position() -> None:
    env = make("one_way", assists=False)
    _, info = env.reset()
    offer = next(e for e in info["actions"] if e["verb"] == "buy")
    assert offer["position"] is None
    assert offer["name"] == "Purse"


def test_executed_holds_every_turn_since_the_last_call() -> None:
    env = make()
    _, info = env.reset()
    tower = env.get_wrapper_attr("tower")
    turns = list(info["executed"])
    for text in ("fight 6,4", "open 7,0", "fight 5,10", "fight 5,3"):
        *_, info = env.step(tower.action(text).index)
        turns += info["executed"]
        assert turns[-1]["turn"] == info["turn"]
    assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
    for turn, record in zip(turns, env.get_wrapper_attr("history"), strict=True):
        assert turn["turn"] == record.turn
        assert turn["source"] == record.source
        assert turn["source"] in SOURCES
    hp = 470
    for turn in turns:
        assert turn["hp_before"] == hp
        hp = turn["hp_after"]
    assert hp == env.get_wrapper_attr("state").hero.hp


def test_sources_name_who_decided_and_reasons_why() -> None:
    env = make()
    _, info = env.reset()
    tower = env.get_wrapper_attr("tower")
    (first,) = info["executed"]
    assert (first["source"], first["text"]) == ("assist", "collect 5,1")
    assert first["reason"]
    door = tower.action("open 7,0").index
    *_, info = env.step(door)
    (turn,) = info["executed"]
    assert (turn["source"], turn["replaces"]) == ("override", door)
    assert "dead end" in turn["reason"]
    *_, info = env.step(tower.action("fight 5,6").index)
    assert info["executed"][0]["source"] == "policy"
    assert info["executed"][0]["reason"] == ""
    assert info["executed"][0]["replaces"] is None


def test_an_only_choice_is_named() -> None:
    env = make("gates_bars")
    _, info = env.reset()
    assert [turn["source"] for turn in info["executed"]] == ["assist", "only_choice"]
    assert "outcome" not in info


def test_the_numbers_are_plain_python() -> None:
    env = make()
    env.reset()
    *_, info = env.step(np.int64(14))
    for entry in (*info["actions"], *info["executed"]):
        for value in entry.values():
            assert type(value) in (int, str, bool, tuple, type(None))


def test_the_bare_observation_has_no_tags() -> None:
    _, info = make(observation="bare").reset()
    assert all(entry["tags"] == () for entry in info["actions"])


def test_the_public_attributes() -> None:
    env = make()
    env.reset()
    assert env.unwrapped.tower == mt_gym.load("simple")  # type: ignore[attr-defined]
    assert env.unwrapped.state is env.get_wrapper_attr("state")  # type: ignore[attr-defined]
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
