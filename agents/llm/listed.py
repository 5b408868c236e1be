"""A numbered list of actions as a message's text shows it, and nothing else.

For clients that send messages alone: a policy that needs no more than the text and
the list can answer them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mt_gym.agents.llm.wire import FIELD
from mt_gym.agents.policy import Decision, Policy
from mt_gym.errors import MtGymError, PolicyError

_LINE: Final = re.compile(r"^\s*(\d+)[.)]\s+(?:\[(\w+)\]\s*)?(\S.*)$")
_BARRED: Final = "UNWINNABLE"
"""In the line of a fight that is listed but cannot be chosen."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list.

    Attributes:
        number: from 1; verb: in brackets before the text, or "".
        text: the rest; enabled: whether it can be chosen.
    """

    number: int
    verb: str
    text: str
    enabled: bool


def listed(messages: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[Line, ...]]:
    """The last user message with a list, and its list.

    A list counts from 1 without a gap.  Of several in one message the last with verbs
    in brackets is taken, else the last.

    Raises:
        MtGymError: no user message has one.
    """
    for message in reversed(messages):
        if message.get("role") != "user":
            continue
        text = text_of(message.get("content"))
        runs = _runs(text)
        tagged = [run for run in runs if all(line.verb for line in run)]
        for run in reversed(tagged or runs):
            if any(line.enabled for line in run):
                return text, tuple(run)
    raise MtGymError(
        f"the request has no field {FIELD!r} with the game (mt-gym's own client sends "
        "it), and no user message has a numbered list of actions such as '1. [fight] "
        "Slime at (4,2)'"
    )


def text_of(content: Any) -> str:
    """A message's content as text: a string, or a list of parts."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _runs(text: str) -> list[list[Line]]:
    runs: list[list[Line]] = []
    for row in text.splitlines():
        found = _LINE.match(row)
        if found is None:
            continue
        number = int(found[1])
        line = Line(number, found[2] or "", found[3], _BARRED not in found[3])
        if number == 1:
            runs.append([line])
        elif runs and number == runs[-1][-1].number + 1:
            runs[-1].append(line)
    return runs


class _NoGame:
    """In the place of the environment: there is none to ask."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise PolicyError(
            f"the request has no field {FIELD!r} with the game, which {self._name!r} "
            "needs: its client sends messages alone (mt-gym's own client sends the "
            "game; random and policies that read only the text and the list can do "
            "without)"
        )


def answered(
    policy: Policy, text: str, lines: Sequence[Line], seed: int
) -> tuple[Decision, int]:
    """What a policy decides by the text and the list; the number that it chose.

    Raises:
        PolicyError: it needs the game, or chose what cannot be chosen.
    """
    actions = tuple(
        {
            "number": line.number,
            "action": line.number - 1,
            "text": line.text,
            "verb": line.verb,
            "name": None,
            "floor": None,
            "position": None,
            "enabled": line.enabled,
            "damage": None,
            "hp_after": None,
            "tags": (),
        }
        for line in lines
    )
    mask = np.array([line.enabled for line in lines], np.int8)
    own = np.random.SeedSequence([seed, zlib.crc32(text.encode())])
    env: Any = _NoGame(policy.name)
    player = policy.new_episode(env, int(own.generate_state(1)[0]))
    info = {"action_mask": mask, "actions": actions, "turn": 0, "executed": ()}
    decision = player.act(text, info)
    if not 0 <= decision.action < len(lines) or not lines[decision.action].enabled:
        raise PolicyError(
            f"{policy.name!r} chose action {decision.action}, which the list lacks"
        )
    return decision, decision.action + 1
