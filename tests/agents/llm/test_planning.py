"""Plans: entries are matched to actions, and what is none of them ends the plan."""

import pytest

from mt_gym.agents.llm.config import make_config
from mt_gym.agents.llm.memory import History, PlanMemory, done_name, plan_line
from mt_gym.agents.llm.planning import Plan, instruction, parse_plan
from mt_gym.engine.load import load

SIMPLE = load("simple")
STAIRS = load("tests/data/stairs.toml")


def plan(text: str, most: int = 59, chosen: str = "fight 6,4") -> Plan:
    content = f"FINAL_CHOICE: 3\n{text}"
    return parse_plan(content, SIMPLE, "simple", SIMPLE.action(chosen).index, most)


def texts(found: Plan) -> list[str]:
    return [str(SIMPLE.actions[index]) for index in found.actions]


@pytest.mark.parametrize(
    "text",
    [
        "NEXT: fight 5,6; open 4,7",
        "next: fight (5,6); open (4,7)",
        "**NEXT:** fight 5,6; open_door 4,7.",
        "NEXT: [fight] Green Slime at (5,6) → [open_door] Yellow Door at (4,7)",
        "NEXT: fight Green Slime at (5,6), open yellow door at (4,7)",
        "NEXT:\n1. fight (5,6)\n2. open door (4,7)",
        "NEXT: simple:fight 5,6; simple:open 4,7",
        "NEXT: fight 1,1\nNEXT: fight 5,6; open 4,7",
        "NEXT: fight 5,6; open 4,7\nPLAN: keep the keys",
        "NEXT: fight 6,4; fight 5,6; open 4,7",
        "NEXT: fight 5,6; collect 3,9; open 4,7",
    ],
)
def test_entries_name_actions_by_kind_and_position(text: str) -> None:
    assert texts(plan(text)) == ["fight 5,6", "open 4,7"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NEXT: fight 5,6; open 5,6; open 4,7", "nothing to open at 5,6"),
        ("NEXT: fight 5,6; jump 1,1; open 4,7", "no verb and position"),
        ("NEXT: fight 5,6; fight the boss; open 4,7", "no verb and position"),
        ("NEXT: fight 5,6; F9:fight 5,6; open 4,7", "there is no floor F9"),
    ],
)
def test_a_plan_ends_at_an_entry_that_is_no_action(text: str, problem: str) -> None:
    found = plan(text)
    assert texts(found) == ["fight 5,6"]
    assert [entry.problem for entry in found.entries] == [
        "",
        problem,
        "after an entry that is none",
    ]


def test_what_is_left_out_of_a_plan_is_told() -> None:
    found = plan("NEXT: fight 6,4; collect 3,9; fight 5,6; open 4,7; fight 3,7", most=2)
    assert texts(found) == ["fight 5,6", "open 4,7"]
    assert [entry["problem"] for entry in found.to_json()] == [
        "the choice again",
        "an item: it needs no entry",
        "",
        "",
        "more than 2 entries",
    ]


@pytest.mark.parametrize("text", ["", "NEXT: none", "NEXT:", "NEXT: -"])
def test_no_entries_are_no_plan(text: str) -> None:
    assert plan(text) == Plan()


def test_a_plan_in_the_thinking_is_none() -> None:
    content = "<think>NEXT: fight 5,6</think>FINAL_CHOICE: 3"
    assert parse_plan(content, SIMPLE, "simple", 0, 9) == Plan()


def test_reactive_play_has_no_plan() -> None:
    assert plan("NEXT: fight 5,6", most=0) == Plan()
    assert instruction(make_config({}), SIMPLE) == ""
    assert instruction(make_config({"planning": "commit-1"}), SIMPLE) == ""


def test_on_several_floors_an_entry_may_name_its_floor() -> None:
    def found(text: str) -> list[str]:
        read = parse_plan(text, STAIRS, "F1", -1, 9)
        return [str(STAIRS.actions[index]) for index in read.actions]

    assert found("NEXT: climb 3,1; F2:fight 2,2; F1:open 2,3") == [
        "F1:climb 3,1",
        "F2:fight 2,2",
        "F1:open 2,3",
    ]
    assert found("NEXT: stairs (3,1)") == ["F1:climb 3,1"]
    named = "NEXT: Fight Slime at F2(2,2); Open yellow door@F1 (2,3) ×3"
    assert found(named) == ["F2:fight 2,2", "F1:open 2,3"]
    torn = parse_plan("NEXT: F1:fight Slime at F2(2,2)", STAIRS, "F1", -1, 9)
    assert torn.actions == ()
    assert torn.entries[0].problem == "on which floor, F1 or F2?"


def test_a_quantity_repeats_an_entry_and_a_choice_must_be_named() -> None:
    tower = load("tests/data/shop_constant.toml")
    offer = next(action for action in tower.actions if action.verb == "buy")
    text = f"NEXT: {offer} ×3"
    found = parse_plan(text, tower, tower.floors[0].id, -1, 9)
    assert found.actions == (offer.index,) * 3
    if offer.choice:
        bare = str(offer).split(" #")[0]
        unclear = parse_plan(f"NEXT: {bare}", tower, tower.floors[0].id, -1, 9)
        assert unclear.actions == () and "which one" in unclear.entries[0].problem


@pytest.mark.parametrize(
    ("planning", "words"),
    [
        ("commit-4", "next 4 actions"),
        ("long-plan:floor", "up to the goal"),
        ("long-plan:steps", "as many actions ahead as you can"),
        ("single-call", "up to the goal"),
    ],
)
def test_each_mode_asks_in_its_own_words(planning: str, words: str) -> None:
    text = instruction(make_config({"planning": planning}), SIMPLE)
    assert words in text and "NEXT:" in text and "fight 3,4" in text
    assert "F1:fight 3,4" in instruction(make_config({"planning": planning}), STAIRS)


def test_a_long_plan_has_up_to_59_further_actions() -> None:
    text = instruction(make_config({"planning": "long-plan:steps"}), SIMPLE)
    assert "at most 59" in text


@pytest.mark.parametrize(
    ("content", "reasoning", "expected"),
    [
        ("PLAN: save keys\nFINAL_CHOICE: 1", None, "save keys"),
        ("PLAN: a\nPLAN: b\nFINAL_CHOICE: 1", None, "b"),
        ("**PLAN:** save keys\nthen buy\nFINAL_CHOICE: 1", None, "save keys then buy"),
        ("FINAL_CHOICE: 1", "PLAN: from the thinking", "from the thinking"),
        ("PLAN: visible\nFINAL_CHOICE: 1", "PLAN: hidden", "visible"),
        ("<think>PLAN: hidden</think>FINAL_CHOICE: 1", None, "hidden"),
        ("My PLAN: is no line\nFINAL_CHOICE: 1", None, None),
        ("FINAL_CHOICE: 1", None, None),
        (None, None, None),
    ],
)
def test_the_last_plan_line_of_the_answer_else_of_the_reasoning(
    content: str | None, reasoning: str | None, expected: str | None
) -> None:
    assert plan_line(content, reasoning) == expected


def test_a_plan_is_cut_at_600_characters() -> None:
    assert len(plan_line("PLAN: " + "word " * 400, None) or "") <= 600


def executed(text: str, **fields: object) -> dict[str, object]:
    index = SIMPLE.action(text).index
    return {"action": index, "replaces": None, "reason": "", **fields}


def test_the_plan_block_tells_what_was_done_since() -> None:
    memory = PlanMemory()
    assert memory.text() == ""
    memory.note(SIMPLE, [executed("collect 5,1")])
    memory.keep("save keys", 1, "simple")
    memory.note(SIMPLE, [executed("fight 6,4"), executed("collect 3,9")])
    text = memory.text()
    assert (
        text.startswith(
            "YOUR PLAN FROM YOUR PREVIOUS DECISION (turn 1, on simple): save keys\n"
            "Done since then (your choice first, then automatic steps): "
            "Fight Black Slime at (6,4); Collect Blue Gem (+1 DEF) at (3,9).\n"
        )
        or "Fight Black Slime at (6,4); Collect Blue Gem at (3,9)." in text
    )


def test_an_old_plan_keeps_its_own_turn_and_a_new_one_begins_anew() -> None:
    memory = PlanMemory()
    memory.keep("first", 1, "simple")
    for _ in range(14):
        memory.note(SIMPLE, [executed("fight 6,4")])
    memory.keep(None, 9, "simple")
    assert "(turn 1, on simple): first" in memory.text()
    assert "; and 2 earlier" in memory.text()
    memory.keep("second", 9, "simple")
    assert "(turn 9, on simple): second" in memory.text()
    assert "Done since then (your choice first, then automatic steps): nothing." in (
        memory.text()
    )


def test_a_replaced_choice_is_told_with_its_reason() -> None:
    entry = executed(
        "fight 6,4",
        replaces=SIMPLE.action("open 7,0").index,
        reason="dead end: nothing new can be reached behind the Yellow Door; cheaper",
    )
    assert done_name(SIMPLE, entry) == (
        "Fight Black Slime at (6,4) (instead of Open yellow door at (7,0): dead end)"
    )


def test_history_repeats_the_last_decisions_alone() -> None:
    history = History(2)
    for number in range(4):
        history.add(f"state {number}", f"answer {number}")
    assert [one["content"] for one in history.messages()] == [
        "state 2",
        "answer 2",
        "state 3",
        "answer 3",
    ]
    none = History(0)
    none.add("state", "answer")
    assert none.messages() == []
