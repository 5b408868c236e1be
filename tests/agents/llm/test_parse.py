"""From an answer's text to a number: every number is checked, nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mt_gym.agents.llm.parse import (
    OUTCOMES,
    parse_choice,
    parse_repair,
    visible_part,
)

LISTED = (1, 2, 3, 12)


@pytest.mark.parametrize(
    "text",
    [
        "FINAL_CHOICE: 3",
        "final_choice: 3",
        "Final Choice: 3.",
        "**FINAL_CHOICE: 3**",
        "**FINAL_CHOICE:** 3",
        "FINAL_CHOICE: [3]",
        "FINAL_CHOICE: <3>",
        "FINAL_CHOICE: `3`",
        "FINAL_CHOICE = 3",
        "FINAL_CHOICE: number 3",
        "FINAL_CHOICE: action 3",
        "FINAL_CHOICE: 3 (Black Slime at (6,4), 55 HP)",
        "FINAL_CHOICE: 3\nNEXT: fight 4,2; open 7,5",
        "FINAL_CHOICE: 1\nNo, wait.\nFINAL_CHOICE: 3\nDone, 12 steps.",
        "Option 1 costs 24 HP, option 12 is free.\n\nFINAL_CHOICE: 3",
        "<think>FINAL_CHOICE: 1</think>\nFINAL_CHOICE: 3",
        "FINAL_CHOICE: 03",
    ],
)
def test_the_last_choice_of_the_visible_answer_counts(text: str) -> None:
    parsed = parse_choice(text, "stop", LISTED)
    assert (parsed.outcome, parsed.number) == ("ok", 3)
    assert parsed.span is not None
    assert int(text[slice(*parsed.span)]) == 3


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("", "empty"),
        (None, "empty"),
        (" \n ", "empty"),
        ("<think>FINAL_CHOICE: 3", "empty"),
        ("<think>FINAL_CHOICE: 3</think>", "empty"),
        ("3", "no_number"),
        ("I choose 3.", "no_number"),
        ("FINAL_CHOICE: <number>", "no_number"),
        ("FINAL_CHOICE: none", "no_number"),
        ("FINAL_CHOICE: 1\nFINAL_CHOICE:", "no_number"),
        ("FINAL_CHOICE:\n3", "no_number"),
        ("FINAL_CHOICE: 3.5", "no_number"),
        ("FINAL_CHOICE: three", "no_number"),
        ("FINAL_CHOICE: ٣", "no_number"),
        ("FINAL_CHOICE: 3 or 1", "ambiguous"),
        ("FINAL_CHOICE: 3, 1", "ambiguous"),
        ("FINAL_CHOICE: 1-3", "ambiguous"),
        ("FINAL_CHOICE: 1 3", "ambiguous"),
        ("FINAL_CHOICE: 1 and then 3", "ambiguous"),
        ("FINAL_CHOICE: **1** / **3**", "ambiguous"),
        ("FINAL_CHOICE: 4", "unlisted"),
        ("FINAL_CHOICE: 0", "unlisted"),
        ("FINAL_CHOICE: -3", "unlisted"),
        ("FINAL_CHOICE: 31", "unlisted"),
        ("FINAL_CHOICE: 1\nFINAL_CHOICE: 99", "unlisted"),
    ],
)
def test_anything_else_is_no_choice(text: str | None, outcome: str) -> None:
    assert parse_choice(text, "stop", LISTED).outcome == outcome


def test_nothing_is_taken_out_of_a_truncated_answer() -> None:
    parsed = parse_choice("FINAL_CHOICE: 1", "length", LISTED)
    assert (parsed.outcome, parsed.number) == ("truncated", None)
    assert parse_repair('{"choice": 1}', "length", LISTED).outcome == "truncated"


def test_a_withheld_answer_is_an_outcome_of_its_own() -> None:
    assert parse_choice("", "content_filter", LISTED).outcome == "filtered"


@pytest.mark.parametrize(
    ("text", "outcome", "number"),
    [
        ('{"choice": 3}', "ok", 3),
        ('{\n  "choice"\n:\n3 }', "ok", 3),
        ('```json\n{"choice": 3}\n```', "ok", 3),
        ("FINAL_CHOICE: 3", "ok", 3),
        ('{"choice": 4}', "unlisted", 4),
        ('{"choice": true}', "no_number", None),
        ('{"choice": 3.0}', "no_number", None),
        ('{"choice": "3"}', "no_number", None),
        ('{"choice": 3, "why": "x"}', "no_number", None),
        ('{"number": 3}', "no_number", None),
        ("[3]", "no_number", None),
        ("3", "no_number", None),
        ("{", "no_number", None),
    ],
)
def test_a_repair_is_one_integer_out_of_the_allowed(
    text: str, outcome: str, number: int | None
) -> None:
    parsed = parse_repair(text, "stop", LISTED)
    assert (parsed.outcome, parsed.number) == (outcome, number)


@pytest.mark.parametrize(
    ("line", "quantity", "noted"),
    [
        ("", None, False),
        ("QUANTITY: 4", 4, False),
        ("QUANTITY: 4.", 4, False),
        ("**QUANTITY:** 4", 4, False),
        ("QUANTITY: 11", 10, True),
        ("QUANTITY: 0", None, True),
        ("QUANTITY: many", None, True),
        ("QUANTITY: 2.5", None, True),
    ],
)
def test_a_quantity_is_an_integer_from_1_to_10(
    line: str, quantity: int | None, noted: bool
) -> None:
    parsed = parse_choice(f"FINAL_CHOICE: 3\n{line}", "stop", LISTED)
    assert parsed.number == 3
    assert parsed.quantity == quantity
    assert bool(parsed.note) is noted


def test_thinking_in_the_content_is_no_part_of_the_answer() -> None:
    visible = visible_part("<think>first 1, then 2</think>So: 3")
    assert (visible.text, visible.thinking) == ("So: 3", "first 1, then 2")
    assert "<think>first 1, then 2</think>So: 3"[visible.offset :] == visible.text
    assert visible_part("a lone end</think>3").text == "3"


@given(st.text() | st.none(), st.sampled_from(["stop", "length", None]))
def test_every_text_has_one_outcome_and_only_listed_numbers_are_ok(
    text: str | None, finish: str | None
) -> None:
    for parse in (parse_choice, parse_repair):
        parsed = parse(text, finish, LISTED)
        assert parsed.outcome in OUTCOMES
        assert (parsed.outcome == "ok") <= (parsed.number in LISTED)


@given(st.text(), st.integers(-5, 20), st.text())
def test_a_number_is_ok_exactly_if_it_is_listed(a: str, n: int, b: str) -> None:
    text = f"{a}\nFINAL_CHOICE: {n}\n{b}"
    if "<" in text or "choice" in (a + b).lower():
        return
    outcome = parse_choice(text, "stop", LISTED).outcome
    assert outcome == ("ok" if n in LISTED else "unlisted")
