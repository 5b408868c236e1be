"""The rule-based choice: what a careful player does who looks a few gates ahead.

Free gains first, then stat items before the fights they make cheaper, then the
lowest effective cost among what makes progress; keys and HP are never spent on
what opens nothing.  Deterministic and total.  Source: section 5.4 of the thesis
chapter, whose prompt rules these are.
"""

from __future__ import annotations

from collections.abc import Sequence

from mt_gym.analysis.listing import Entry, entries
from mt_gym.analysis.options import Options
from mt_gym.engine.board import TRAVEL
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.play.judge import Choice, Judge

__all__ = ["Choice", "choose"]


def choose(
    tower: Tower,
    state: State,
    options: Options,
    listed: Sequence[Entry] | None = None,
) -> Choice:
    """The action that the rules of thumb recommend.

    Args:
        tower: where the state belongs.
        state: one that has not ended.
        options: the depth of the lookahead and the rule-4 share.
        listed: what can be chosen; None for everything that the state offers.  If
            it names only one floor and travel, the way leads to the floor of what
            would be chosen among everything.

    Raises:
        MtGymError: the state has ended, so that there is nothing to choose.
    """
    if listed is None:
        listed = entries(tower, state)
    able = [entry for entry in listed if entry.enabled and not entry.lethal]
    if not able:
        raise MtGymError(
            f"nothing can be chosen in this state of {tower.name!r}: it has ended "
            f"({tower.outcome(state)!r})"
        )
    if len(able) == 1:
        return Choice(able[0].action, "It is the only action that can be survived.")
    if any(entry.action.code == TRAVEL for entry in able):
        return _journey(choose(tower, state, options), able)
    return Judge(tower, state, options, tuple(listed), able).choose()


def _journey(wanted: Choice, able: Sequence[Entry]) -> Choice:
    """A choice, or the journey to its floor if it cannot be made from here."""
    trips = [entry.action for entry in able if entry.action.code == TRAVEL]
    here = any(entry.action == wanted.action for entry in able)
    for trip in trips:
        if not here and trip.floor == wanted.action.floor:
            return Choice(trip, f"On {trip.floor}: {wanted.reason}")
    return wanted
