"""What a model's stored answers say, read again: the trace against the decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mt_gym.agents.llm.parse import parse_choice, parse_repair
from mt_gym.bench.measures import attempts_of
from mt_gym.bench.question import Row
from mt_gym.errors import StateMismatch

_READ: Final = ("kind", "outcome", "number", "options", "content", "finish_reason")
"""Keys of an attempt that holds an answer."""


def check_answers(question: Row, decision: Row, broken_off: bool = False) -> None:
    """Read the answers of a decision again and compare what they chose.

    A trace without answers is no model's, and says nothing that could be checked.

    Args:
        question: the row before the decision.
        decision: the row.
        broken_off: whether a server or a budget ended it: then nothing was decided.

    Raises:
        StateMismatch: an answer says something else than is logged, or something
            else was decided than it says.
    """
    attempts = [
        one for one in attempts_of(decision) if all(key in one for key in _READ)
    ]
    for number, attempt in enumerate(attempts, start=1):
        _check_answer(attempt, f"turn {decision['turn']}, answer {number}")
    if attempts and not broken_off:
        _check_choice(question, decision, attempts)


def _check_answer(attempt: Mapping[str, Any], where: str) -> None:
    read = parse_repair if attempt["kind"] == "repair" else parse_choice
    found = read(attempt["content"], attempt["finish_reason"], attempt["options"])
    for key, value in (("outcome", found.outcome), ("number", found.number)):
        if attempt[key] != value:
            raise StateMismatch(
                f"{where}: {key} is {attempt[key]!r}, the stored answer says {value!r}"
            )


def _check_choice(
    question: Row, decision: Row, attempts: list[Mapping[str, Any]]
) -> None:
    valid = [one for one in attempts if one["outcome"] == "ok"]
    repairs = [one for one in valid if one["kind"] == "repair"]
    source = decision["source"]
    where = f"turn {decision['turn']}: the source is {source!r}"
    if source in ("fallback", "none") and valid:
        raise StateMismatch(f"{where}, but an answer names {valid[-1]['number']}")
    if source == "repair" and not repairs:
        raise StateMismatch(f"{where}, but no repair names a number")
    if source == "policy" and not (valid and len(repairs) < len(valid)):
        raise StateMismatch(f"{where}, but no answer names a number")
    if source not in ("policy", "repair") or decision["distribution"] is not None:
        return
    by_number = {one["number"]: one["action"] for one in question["options"]}
    named = [by_number.get(one["number"]) for one in valid]
    if decision["action"] not in named:
        raise StateMismatch(
            f"turn {decision['turn']}: {decision['text']} was decided, which no answer "
            "names"
        )
