"""Prompts: their size, what they must not know, and the labelled one that does."""

from pathlib import Path
from typing import Any

import pytest

from mt_gym.agents.llm.config import make_config
from mt_gym.agents.llm.planning import instruction
from mt_gym.agents.llm.policy import LLMPolicy
from mt_gym.agents.llm.prompts import (
    COMPILED,
    GENERAL,
    load_prompt,
    request_text,
    route_text,
    system_text,
)
from mt_gym.agents.llm.validator import prompt_problems
from mt_gym.engine.load import load
from mt_gym.errors import PolicyError


@pytest.mark.parametrize("name", GENERAL)
def test_general_prompts_know_no_map(name: str) -> None:
    prompt = load_prompt(name)
    assert not prompt.compiled
    assert prompt_problems(prompt.text) == []
    assert "FINAL_CHOICE:" in prompt.text


def test_the_floor_prompt_has_about_2500_characters() -> None:
    assert 2300 <= len(load_prompt("floor").text) <= 2700
    assert len(load_prompt("bare").text) < len(load_prompt("floor").text) / 2


@pytest.mark.parametrize(
    "tag",
    [
        *("damage", "hpAfter", "SAFE", "MODERATE", "RISKY", "LETHAL", "FREE if DEF≥"),
        *("min-cost", "lookahead", "effCost", "unlocks", "via", "next fight", "ORDER"),
        *("ALTERNATIVE ROUTE", "OPTIONAL", "DEAD END", "key budget", "net"),
    ],
)
def test_the_floor_prompt_explains_what_the_observation_prints(tag: str) -> None:
    assert tag.lower() in load_prompt("floor").text.lower()


@pytest.mark.parametrize("name", COMPILED)
def test_the_route_prompt_carries_the_route_and_is_labelled(name: str) -> None:
    tower = load("simple")
    prompt = load_prompt(name)
    text = system_text(prompt, tower)
    assert prompt.compiled
    assert "1. Fight Black Slime at (6,4)\n2. Fight Green Slime at (5,6)" in text
    assert "Fight Boss at (5,10)" in text
    assert "Collect" not in route_text(tower)
    assert prompt_problems(text)


def test_a_map_without_a_route_has_no_route_prompt() -> None:
    with pytest.raises(PolicyError, match="'stairs' has no certificate"):
        system_text(load_prompt("route"), load("tests/data/stairs.toml"))


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("Go to (6,4) early.", "coordinates"),
        ("Go to [6, 4] early.", "coordinates"),
        ("The door at 7,5 is a trap.", "coordinates"),
        ("Take the door in row 5.", "coordinates"),
        ("Beware of x=7.", "coordinates"),
        ("Fight the Black Slime early.", "a monster's name: 'Black Slime'"),
        ("Fight black slimes early.", "a monster's name: 'Black Slime'"),
        ("The bat is strong.", "a monster's name: 'Bat'"),
        ("gem → key → boss", "a route"),
        ("First open the yellow door, then take the gems.", "a route"),
        ("Fight the weak one, then open the door, then take the gem.", "a route"),
        ("Step 1: open the door", "a route"),
        ("Prefer the left door.", "a route"),
        ("Allowed fights: the weak ones.", "a list"),
        ("Only these fights are worth it.", "a list"),
        ("Monsters that are forbidden: all strong ones.", "a list"),
        ("You need 470 HP.", "a number of 100 or more: '470'"),
        ("You need 1,157 HP.", "a number of 100 or more: '1,157'"),
        ("Keep 100 % of it.", "a number of 100 or more: '100'"),
        ("Keep a hundred HP.", "a number of 100 or more: 'hundred'"),
    ],
)
def test_the_validator_rejects_knowledge_of_a_map(sentence: str, what: str) -> None:
    found = prompt_problems(load_prompt("floor").text + "\n" + sentence)
    assert any(problem.startswith(what) for problem in found), found


@pytest.mark.parametrize(
    "sentence",
    [
        "Spend at most 40 % of the HP, 60 % on a tower.",
        "Combat is exact; the boss comes last.",
        "Compare two or three actions, then decide.",
        "A fight costs (rounds - 1) × damage.",
        "Take stat gems first, 1 or 2 at a time.",
    ],
)
def test_the_validator_accepts_general_advice(sentence: str) -> None:
    assert prompt_problems(sentence) == []


def test_names_of_the_maps_that_are_asked_for_count() -> None:
    stairs = load("tests/data/stairs.toml")
    assert prompt_problems("Beware of rats on F2.", [stairs]) == [
        "a monster's name: 'Rat'",
        "a floor's name: 'F2'",
    ]
    assert prompt_problems("Beware of rats on F2.", []) == []


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    shipped = "no prompt 'flor': floor, tower, bare, route, auto"
    with pytest.raises(PolicyError, match=shipped):
        load_prompt("flor")


def test_requests_are_filled_in() -> None:
    text = request_text("commit", count=4, more=3, example='"fight 3,4"')
    assert "next 4 actions" in text and "3 actions after" in text and "$" not in text


def test_the_tower_prompt_has_about_6000_characters_and_its_rules() -> None:
    text = load_prompt("tower").text
    assert 5500 <= len(text) <= 6500
    for word in ("SHOP NOT USED YET", "Never buy HP", "DEF before ATK", "Cross"):
        assert word in text
    for word in ("Way up", "ON EVERY WAY UP", "KEY RESERVE", "Treasures", "vampire"):
        assert word in text


@pytest.mark.parametrize(("share", "told"), [(None, "60 %"), ((2, 5), "40 %")])
def test_rule_4_names_the_share_that_holds(
    share: tuple[int, int] | None, told: str
) -> None:
    text = system_text(load_prompt("tower"), load("tower"), share)
    assert f"cost more than {told} of the current HP" in text
    assert "$" not in text


def test_entries_of_a_plan_name_their_floor_on_a_tower() -> None:
    found = instruction(make_config({"planning": "commit-4"}), load("tower"))
    assert '"MT0:fight 3,4"' in found and "×n" in found
    single = instruction(make_config({"planning": "commit-4"}), load("simple"))
    assert "×n" not in single


def test_an_own_prompt_with_knowledge_of_a_map_must_say_so(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")

    def policy(text: str, **options: Any) -> LLMPolicy:
        file = tmp_path / "own.md"
        file.write_text(text, encoding="utf-8")
        return LLMPolicy(model="m", base_url="http://h/v1", prompt=str(file), **options)

    assert not policy("Choose well.").compiled
    with pytest.raises(PolicyError, match=r"knowledge of a map: coordinates.*3,4"):
        policy("Fight what stands at (3,4) first.")
    assert policy("Fight what stands at (3,4) first.", compiled=True).compiled
    assert policy("Go along this route: $route").compiled
