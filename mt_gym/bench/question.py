"""Questions and decisions as rows of the log, there and back.

A question is a closed list of options and their context, without any truth about
them: what is best is added from the log, afterwards, by `bench.truth`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from mt_gym.agents.policy import Decision, Env
from mt_gym.agents.question import Option, Question, ask
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

Row = dict[str, Any]

__all__ = [
    "Option",
    "Question",
    "Row",
    "action_index",
    "action_text",
    "ask",
    "decision_of",
    "decision_row",
    "observed",
    "question_of",
    "question_row",
    "state_id",
]


def state_id(state: State) -> str:
    """Identity of a state in a log: equal exactly for equal states."""
    return hashlib.blake2b(repr(state.key).encode(), digest_size=8).hexdigest()


def question_row(env: Env, observation: Any, info: Mapping[str, Any]) -> Row:
    """The question that an environment poses now, as a row of the log."""
    question = ask(env, info)
    state: State = env.get_wrapper_attr("state")
    return {
        "row": "question",
        "turn": question.context["turn"],
        "floor": question.context["floor"],
        "state": state_id(state),
        "observation": observed(observation),
        "options": [
            {
                "number": option.number,
                "action": option.action,
                "token": option.token,
                "label": option.label,
                "verb": option.verb,
                "enabled": option.enabled,
            }
            for option in question.options
        ],
    }


def question_of(row: Row) -> Question:
    """The question of a row."""
    context = {"floor": row["floor"], "turn": row["turn"], "state": row["state"]}
    return Question(tuple(Option(**option) for option in row["options"]), context)


def observed(observation: Any) -> Any:
    """An observation as a JSON value: a text as it is, arrays by their hash."""
    if isinstance(observation, str):
        return observation
    found = hashlib.blake2b(digest_size=16)
    parts = observation if isinstance(observation, Mapping) else {"": observation}
    for name in sorted(parts):
        found.update(f"{name}\0".encode())
        found.update(parts[name].tobytes())
    return {"hash": found.hexdigest()}


def action_text(tower: Tower, index: int) -> str:
    """An action's text; a padded action space has indices that no action has."""
    known = index < len(tower.actions)
    return str(tower.actions[index]) if known else f"index {index}"


def action_index(tower: Tower, text: str) -> int:
    """The index of a text that `action_text` wrote.

    Raises:
        IllegalAction: no action of the tower has that text.
    """
    word, _, number = text.partition(" ")
    if word == "index" and number.isdecimal():
        return int(number)
    return tower.action(text).index


def decision_row(tower: Tower, decision: Decision, turn: int) -> Row:
    """A decision as a row of the log."""
    shares = decision.distribution
    spread = None
    if shares is not None:
        spread = {action_text(tower, i): share for i, share in sorted(shares.items())}
    return {
        "row": "decision",
        "turn": turn,
        "action": decision.action,
        "text": action_text(tower, decision.action),
        "plan": [action_text(tower, index) for index in decision.plan],
        "distribution": spread,
        "source": decision.source,
        "trace": dict(decision.trace),
    }


def decision_of(tower: Tower, row: Row) -> Decision:
    """The decision of a row.

    Raises:
        IllegalAction, PolicyError: the row holds none of this tower.
    """
    spread = row["distribution"]
    return Decision(
        action_index(tower, row["text"]),
        tuple(action_index(tower, text) for text in row["plan"]),
        None
        if spread is None
        else {action_index(tower, text): share for text, share in spread.items()},
        row["source"],
        row["trace"],
    )
