"""What was executed, by whom and why: the unit of histories and logs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mt_gym.engine.actions import Action

SOURCES: Final = (
    "policy",
    "repair",
    "fallback",
    "heuristic",
    "plan",
    "only_choice",
    "assist",
    "override",
)
"""Who decided: a policy says the first four, `CommitPlan` the fifth, the rest are
the environment's."""


@dataclass(frozen=True, slots=True)
class Executed:
    """One executed turn.

    Attributes:
        turn: number of the turn, from 1.
        action: what was executed; None for an illegal choice that did nothing.
        source: one of `SOURCES`.
        reason: why, in a few words; empty for a plain choice.
        replaces: the policy's own choice, if another action was executed.
        hp_before: HP before the turn; `hp_after` after it.
    """

    turn: int
    action: Action | None
    source: str
    reason: str
    replaces: Action | None
    hp_before: int
    hp_after: int
