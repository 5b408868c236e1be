"""Planning modes: what a request asks for, and the plan that an answer holds.

An entry of `NEXT:` is a verb and a position, as in an action's text.  A plan ends at
the first entry that is no action of the tower: what follows was meant to come after.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.agents.llm.config import LLMConfig
from mt_gym.agents.llm.parse import visible_part
from mt_gym.agents.llm.prompts import request_text
from mt_gym.agents.policy import MAX_QUANTITY, REPEATED
from mt_gym.engine.board import COLLECT, Action
from mt_gym.engine.tower import Tower

VERB_WORDS: Final = {
    "fight": "fight",
    "attack": "fight",
    "kill": "fight",
    "open": "open",
    "open_door": "open",
    "open_gate": "open",
    "door": "open",
    "climb": "climb",
    "stairs": "climb",
    "staircase": "climb",
    "collect": "collect",
    "take": "collect",
    "choose": "choose",
    "buy": "buy",
    "sell": "sell",
    "trade": "trade",
    "talk": "talk",
    "break": "break",
    "bomb": "bomb",
    "finish": "finish",
    "travel": "travel",
}
"""Words for a verb that entries may use."""

_NEXT = re.compile(r"^[ \t>*_#-]*NEXT[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_OTHER_LINE = re.compile(
    r"^[ \t>*_#-]*(?:FINAL[_ ]CHOICE|PLAN|QUANTITY)[ \t*_]*:",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING = re.compile(
    r"[\s\[(<]*(?:none|nothing|empty|n/?a|-)?[\s\])>.]*", re.IGNORECASE
)
_WORDS = "|".join(sorted(VERB_WORDS, key=len, reverse=True))
_BETWEEN = re.compile(
    rf"\s*(?:;|→|->|\||\n)\s*|\s*,\s*(?=(?:[\w-]+:)?\s*(?:{_WORDS})\b)", re.IGNORECASE
)
_ENTRY = re.compile(
    rf"""^[\s*_`\[]*(?:\d+[.)]\s+)?
    (?:(?P<floor>[\w-]+)\s*:\s*)?
    \[?(?P<verb>{_WORDS})\]?\b
    (?P<name>[^\d(]*?)
    (?:(?:\bat\b|@)\s*(?P<there>[\w-]+)\s*(?=\())?
    \(?\s*(?P<x>\d+)\s*,\s*(?P<y>\d+)\s*\)?
    (?:\s*\#(?P<choice>\d+))?
    (?:\s*[×x*]\s*(?P<times>\d+))?
    [\s*_`.\])]*$""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """One entry of a plan.

    Attributes:
        text: as the model wrote it.
        action: index of the action that it names; None if it names none.
        problem: why it is not part of the plan; empty if it is.
    """

    text: str
    action: int | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an answer.

    Attributes:
        entries: everything that was written, in order.
        actions: indices to be executed after the choice.
    """

    entries: tuple[PlanEntry, ...] = ()
    actions: tuple[int, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        """The entries for the log."""
        return [
            {"text": entry.text, "action": entry.action, "problem": entry.problem}
            for entry in self.entries
        ]


def instruction(config: LLMConfig, tower: Tower) -> str:
    """What a request adds for a planning mode; empty if nothing is to be planned."""
    count = config.commitment
    if count == 1:
        return ""
    name = config.planning
    if name.startswith("commit-"):
        name = "commit"
    elif name == "single-call":
        name = "long-plan:floor"
    floor = tower.floors[0].id
    place = f"{floor}:" if len(tower.floors) > 1 else ""
    example = f'"{place}fight 3,4" or "{place}open 5,6"'
    text = request_text(name, count=count, more=count - 1, example=example)
    return f"{text} {request_text('next_tower')}" if place else text


def parse_plan(
    content: str | None, tower: Tower, floor: str, chosen: int, most: int
) -> Plan:
    """The plan below the last `NEXT:` of the visible answer.

    Args:
        content: of the message.
        tower: whose actions the entries name.
        floor: id of the floor that an entry without one means.
        chosen: index of the choice, which an entry may repeat by mistake.
        most: entries that are allowed.
    """
    if most < 1:
        return Plan()
    text = visible_part(content).text
    marks = list(_NEXT.finditer(text))
    if not marks:
        return Plan()
    rest = text[marks[-1].end() :]
    stop = _OTHER_LINE.search(rest)
    written = [
        part.strip() for part in _BETWEEN.split(rest[: stop.start() if stop else None])
    ]
    entries: list[PlanEntry] = []
    actions: list[int] = []
    broken = False
    for part in written:
        if _NOTHING.fullmatch(part):
            continue
        steps, entry = _read(part, tower, floor)
        if broken:
            entry = PlanEntry(entry.text, entry.action, "after an entry that is none")
        elif entry.problem:
            broken = True
        elif steps and steps[0] == chosen and not entries and len(steps) == 1:
            entry = PlanEntry(entry.text, entry.action, "the choice again")
        elif _automatic(tower, steps[0]):
            entry = PlanEntry(entry.text, entry.action, "an item: it needs no entry")
        elif len(actions) >= most:
            entry = PlanEntry(entry.text, entry.action, f"more than {most} entries")
        else:
            actions += steps[: most - len(actions)]
        entries.append(entry)
    return Plan(tuple(entries), tuple(actions))


def _read(part: str, tower: Tower, floor: str) -> tuple[list[int], PlanEntry]:
    found = _ENTRY.match(part)
    if found is None:
        return [], PlanEntry(part, None, "no verb and position")
    verb = VERB_WORDS[found["verb"].lower()]
    place = (int(found["x"]), int(found["y"]))
    before, behind = found["floor"], found["there"]
    if before and behind and before.lower() != behind.lower():
        return [], PlanEntry(part, None, f"on which floor, {before} or {behind}?")
    where = before or behind or floor
    choice = int(found["choice"] or 0)
    there = [
        action
        for action in tower.actions
        if action.position == place
        and action.verb == verb
        and action.floor.lower() == where.lower()
    ]
    named = [action for action in there if action.choice == choice]
    if there and not named:
        return [], PlanEntry(part, None, f"which one of #1 to #{len(there)}?")
    if not named:
        known = [one.id for one in tower.floors]
        if where.lower() not in (one.lower() for one in known):
            return [], PlanEntry(part, None, f"there is no floor {where}")
        return [], PlanEntry(part, None, f"nothing to {verb} at {place[0]},{place[1]}")
    times = max(1, min(int(found["times"] or 1), MAX_QUANTITY))
    if verb not in REPEATED:
        times = 1
    return [named[0].index] * times, PlanEntry(part, named[0].index)


def _automatic(tower: Tower, index: int) -> bool:
    action: Action = tower.actions[index]
    return action.code == COLLECT and bool(
        tower.board.automatic_items >> action.object & 1
    )
