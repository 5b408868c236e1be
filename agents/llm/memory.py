"""What a player carries from one decision to the next: its plan, and its history.

The plan is a line that the model writes to itself.  Nothing in it is executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mt_gym.agents.llm.parse import visible_part
from mt_gym.agents.llm.prompts import request_text
from mt_gym.engine.tower import Tower
from mt_gym.observation.names import action_name

LONGEST_PLAN: Final = 600
"""Characters of a plan that are kept."""

MOST_DONE: Final = 12
"""Actions that are listed as done since a plan was written."""

_PLAN = re.compile(r"^[ \t>*_#-]*PLAN[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_NEXT_TOKEN = re.compile(
    r"^[ \t>*_#-]*(?:FINAL[_ ]CHOICE|NEXT|QUANTITY|PLAN)[ \t*_]*:|\bFINAL_CHOICE\b",
    re.IGNORECASE | re.MULTILINE,
)


def plan_line(content: str | None, reasoning: str | None) -> str | None:
    """The last plan of the visible answer, else of the reasoning; None without one.

    It may run over several lines, up to the next token line or an empty line.
    """
    visible = visible_part(content)
    for text in (visible.text, visible.thinking, reasoning or ""):
        marks = list(_PLAN.finditer(text))
        if marks:
            rest = text[marks[-1].end() :]
            stop = _NEXT_TOKEN.search(rest)
            rest = rest[: stop.start()] if stop else rest
            plan = " ".join(rest.split("\n\n", 1)[0].split()).strip(" *_`")
            if plan:
                return plan[:LONGEST_PLAN].rstrip()
    return None


@dataclass(slots=True)
class PlanMemory:
    """The plan of an earlier decision, and what was done since.

    Attributes:
        plan: the line, None before the first one.
        turn: of the decision that wrote it; floor: where the hero stood.
        done: names of what was executed since, oldest first.
    """

    plan: str | None = None
    turn: int = 0
    floor: str = ""
    done: list[str] = field(default_factory=list)

    def note(self, tower: Tower, executed: Sequence[Mapping[str, Any]]) -> None:
        """Add the turns that were executed after the last decision."""
        if self.plan is not None:
            self.done += [done_name(tower, entry) for entry in executed]

    def keep(self, plan: str | None, turn: int, floor: str) -> None:
        """Replace the plan, if the answer wrote a new one."""
        if plan is not None:
            self.plan, self.turn, self.floor = plan, turn, floor
            self.done = []

    def text(self) -> str:
        """The block that opens the next request; empty without a plan."""
        if self.plan is None:
            return ""
        shown = "; ".join(self.done[-MOST_DONE:]) or "nothing"
        earlier = len(self.done) - MOST_DONE
        if earlier > 0:
            shown += f"; and {earlier} earlier"
        return request_text(
            "plan_shown", turn=self.turn, floor=self.floor, plan=self.plan, done=shown
        )


def done_name(tower: Tower, entry: Mapping[str, Any]) -> str:
    """The name of an executed turn, with the choice that it replaced.

    Args:
        tower: where it was executed.
        entry: one of `info["executed"]`.
    """
    replaced = entry["replaces"]
    index = entry["action"]
    name = (
        "nothing" if index is None else action_name(tower, None, tower.actions[index])
    )
    if replaced is None:
        return name
    choice = action_name(tower, None, tower.actions[replaced])
    why = str(entry["reason"]).split(":", 1)[0]
    return f"{name} (instead of {choice}: {why})"


@dataclass(slots=True)
class History:
    """The last observations with their answers, as messages.

    Attributes:
        length: decisions that are repeated; 0 for none.
    """

    length: int
    _turns: list[tuple[str, str]] = field(default_factory=list)

    def add(self, observation: str, answer: str) -> None:
        """Remember a decision."""
        if self.length:
            self._turns = [*self._turns, (observation, answer)][-self.length :]

    def messages(self) -> list[dict[str, str]]:
        """The remembered decisions, oldest first."""
        found = []
        for observation, answer in self._turns:
            found.append({"role": "user", "content": observation})
            found.append({"role": "assistant", "content": answer})
        return found
