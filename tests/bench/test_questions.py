"""Decisions as typed questions: what the log holds, and that choices are followed."""

import json
from pathlib import Path
from typing import Any

import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.bench import run
from mt_gym.bench.question import decision_of, question_of, state_id
from mt_gym.bench.read import read_episode
from mt_gym.errors import PolicyError
from tests.bench.players import ID, Scripted, texts

FIRST = ("fight 4,2", "fight 5,3", "fight 6,4", "open 7,0")


def first(rows: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(row for row in rows if row["row"] == kind)


def stored(policy: Any, folder: Path, **options: Any) -> list[dict[str, Any]]:
    run(ID, policy, out=folder, **options)
    return read_episode(folder / "episode-00001.jsonl")


def test_question_lists_options_and_context_but_no_truth(tmp_path: Path) -> None:
    rows = stored(make_policy("random"), tmp_path / "run")
    question = first(rows, "question")
    assert [option["token"] for option in question["options"]] == list(FIRST)
    assert {option["enabled"] for option in question["options"]} == {True}
    assert (question["floor"], question["turn"]) == ("simple", 2)
    assert question["observation"].startswith("=== Floor: simple | Turn 1/300 ===")
    assert set(question) == {
        "row",
        "turn",
        "floor",
        "state",
        "observation",
        "options",
    }


def test_question_and_decision_read_back(tmp_path: Path) -> None:
    tower = mt_gym.load("simple")
    rows = stored(make_policy("random"), tmp_path / "run")
    question, row = first(rows, "question"), first(rows, "decision")
    decision = decision_of(tower, row)
    assert decision.action == row["action"]
    assert decision.distribution is not None
    assert tuple(decision.distribution) == tuple(sorted(question_of(question).actions))


def test_distribution_is_logged_over_exactly_the_enabled_options(
    tmp_path: Path,
) -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        shares = dict(zip(texts(env, *FIRST), (0.1, 0.2, 0.3, 0.4), strict=True))
        if info["turn"] > 1:
            return Decision(info["actions"][0]["action"])
        return Decision(texts(env, "open 7,0")[0], distribution=shares)

    rows = stored(Scripted(choose), tmp_path / "run", settings={"max_turns": 2})
    assert first(rows, "decision")["distribution"] == {
        "fight 4,2": 0.1,
        "fight 5,3": 0.2,
        "fight 6,4": 0.3,
        "open 7,0": 0.4,
    }


def test_distribution_over_other_options_is_refused() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        return Decision(texts(env, "fight 6,4")[0], distribution={3: 1.0})

    with pytest.raises(PolicyError, match="cover exactly the enabled actions"):
        run(ID, Scripted(choose))


@pytest.mark.parametrize("text", FIRST[:3])
def test_forced_choice_is_what_is_executed(text: str, tmp_path: Path) -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        if info["turn"] == 1:
            return Decision(texts(env, text)[0])
        return Decision(next(e["action"] for e in info["actions"] if e["enabled"]))

    rows = stored(Scripted(choose), tmp_path / text, settings={"max_turns": 4})
    turn = next(row for row in rows if row["row"] == "turn" and row["turn"] == 2)
    assert (turn["text"], turn["source"]) == (text, "policy")
    tower = mt_gym.load("simple")
    state = tower.initial_state()
    for name in ("collect 5,1", text):
        state = tower.step(state, tower.action(name))
    assert turn["state"] == state_id(state)


def test_other_choices_give_another_outcome() -> None:
    def always(wanted: str) -> Any:
        def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
            enabled = [e for e in info["actions"] if e["enabled"]]
            named = [e for e in enabled if e["text"] == wanted]
            return Decision((named or enabled)[0]["action"])

        return run(ID, Scripted(choose)).episodes[0]

    ends = {(one.outcome, one.hp, one.turns) for one in map(always, FIRST[:3])}
    assert len(ends) > 1


def test_state_identity_is_that_of_the_key() -> None:
    tower = mt_gym.load("simple")
    start = tower.initial_state()
    later = tower.step(start, tower.action("collect 5,1"))
    moved = start._replace(hero=start.hero._replace(position=later.hero.position))
    assert state_id(moved) == state_id(start) != state_id(later)


def test_texts_are_stored_once_by_their_hash(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(ID, make_policy("witness"), episodes=5, out=folder)
    lines = (folder / "texts.jsonl").read_text().splitlines()
    names = [json.loads(line)["text"] for line in lines]
    rows = read_episode(folder / "episode-00005.jsonl")
    seen = {row["observation"] for row in rows if row["row"] == "question"}
    assert len(names) == len(set(names)) == len(seen)
    whole = sum(len(text) for text in seen)
    assert (folder / "texts.jsonl").stat().st_size < 0.6 * whole


def test_array_observation_is_logged_by_its_hash(tmp_path: Path) -> None:
    rows = stored(
        make_policy("witness"), tmp_path / "run", settings={"observation": "features"}
    )
    hashes = [row["observation"]["hash"] for row in rows if row["row"] == "question"]
    assert len(set(hashes)) == len(hashes) > 10


def test_trace_may_not_use_the_mark_of_stored_texts(tmp_path: Path) -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        return Decision(info["actions"][0]["action"], trace={"x": {"$text": "y"}})

    with pytest.raises(PolicyError, match="must not use the key"):
        run(ID, Scripted(choose), out=tmp_path / "run")
