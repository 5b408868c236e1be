"""The plan check: every plan of a log simulated from the state where it was written.

A step breaks when its target cannot be reached, needs what the hero does not have, or
is a fight that cannot be won or survived at that point; the check goes on behind it.
Items, and actions that were taken before their entry comes, are no steps.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mt_gym.bench.question import Row, action_index
from mt_gym.bench.replay import walk
from mt_gym.engine.board import COLLECT, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction
from mt_gym.play.choices import is_legal
from mt_gym.play.episode import Moment, advance
from mt_gym.play.settings import PlaySettings


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """One plan.

    Attributes:
        turn: of the decision that wrote it.
        entries: what it lists besides the choice itself.
        new: entries that are decisions: neither an item nor taken already.
        broken: how many of those break.
    """

    turn: int
    entries: int
    new: int
    broken: int

    @property
    def clean(self) -> bool:
        """Whether no step breaks."""
        return self.broken == 0


def check_plans(
    tower: Tower, settings: PlaySettings, rows: Sequence[Row]
) -> list[PlanCheck]:
    """Check every plan of an episode.

    Args:
        tower: that was played.
        settings: of the run's environment; its overrides and its turn limit are left
            out.
        rows: of the episode.
    """
    endless = replace(settings.options, max_turns=sys.maxsize)
    plain = replace(settings, overrides=(), options=endless)
    return [
        check_plan(tower, plain, step.before, step.row)
        for step in walk(tower, rows)
        if step.row["row"] == "decision" and entries_of(tower, step.row)
    ]


def check_plan(
    tower: Tower, settings: PlaySettings, state: State, row: Row
) -> PlanCheck:
    """Check the plan of a decision that was made in a state."""
    entries = entries_of(tower, row)
    moment = Moment(state, 0, None, frozenset())
    choice = tower.actions[row["action"]]
    moment = _after(tower, settings, moment, choice) or moment
    new = broken = 0
    for action in entries:
        if action is not None and _is_no_step(action, moment.state):
            continue
        new += 1
        later = None
        if action is not None:
            later = _after(tower, settings, moment, action)
        if later is None:
            broken += 1
        else:
            moment = later
    return PlanCheck(row["turn"], len(entries), new, broken)


def entries_of(tower: Tower, row: Row) -> list[Action | None]:
    """The entries of a decision's plan; None for one that names no action.

    A language model's plan is taken from its trace, as it was written.
    """
    if row["action"] is None:
        return []
    written = row["trace"].get("next")
    if isinstance(written, list) and written:
        return [_written(tower, entry) for entry in written]
    return [tower.actions[action_index(tower, text)] for text in row["plan"]]


def _written(tower: Tower, entry: Any) -> Action | None:
    index = entry.get("action") if isinstance(entry, Mapping) else None
    known = isinstance(index, int) and 0 <= index < len(tower.actions)
    return tower.actions[index] if known and index is not None else None


def _is_no_step(action: Action, state: State) -> bool:
    if action.code == COLLECT:
        return True
    return action.object >= 0 and bool(state.world.gone >> action.object & 1)


def _after(
    tower: Tower, settings: PlaySettings, moment: Moment, action: Action
) -> Moment | None:
    """The moment after a step and its assists; None if the step breaks."""
    if moment.outcome is not None:
        return None
    if not is_legal(tower, moment.state, action, settings):
        return None
    try:
        survived = tower.step(moment.state, action).hero.hp > 0
    except IllegalAction:
        return None
    if not survived:
        return None
    return advance(tower, moment, action, settings)[0]
