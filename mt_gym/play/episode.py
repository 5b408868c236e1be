"""One episode as a pure transition: a choice, its override, and the assists after it.

The environment, the wrappers and the plan check all play through `begin` and
`advance`; what they remember is speed alone.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mt_gym.engine.board import TRAVEL, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.choices import is_legal
from mt_gym.play.overrides import Memory, remembered, replaced_by
from mt_gym.play.record import Executed
from mt_gym.play.settings import PlaySettings
from mt_gym.play.settle import settle

ENDINGS: Final = ("won", "died", "stuck", "turn_limit")
"""How an episode can end; the last one truncates it."""

_KNOWN_LIMIT: Final = 8192


class Moment(NamedTuple):
    """Where an episode stands.

    Attributes:
        state: the state of the game.
        turn: completed turns.
        outcome: one of `ENDINGS`, or None while the policy has to choose.
        memory: what the rule-4 override has replaced so far.
    """

    state: State
    turn: int
    outcome: str | None
    memory: Memory


class Played(NamedTuple):
    """One turn: what `Executed` says of it but its number, and the states around."""

    action: Action | None
    source: str
    reason: str
    replaces: Action | None
    before: State
    after: State

    def executed(self, turn: int) -> Executed:
        """The record of this turn under its number."""
        action, source, reason, replaces, before, after = self
        hp = before.hero.hp
        return Executed(turn, action, source, reason, replaces, hp, after.hero.hp)


Turns = tuple[Played, ...]

Known = dict[tuple[object, ...], tuple[Turns, str | None]]
"""Turns and outcome by world, hero and choice, for one tower and one setting."""


def known_turns(tower: Tower, settings: PlaySettings) -> Known:
    """The memory that `advance` may use for a tower and settings, shared by all."""
    known: dict[PlaySettings, Known] = tower.caches.setdefault("turns", {})
    return known.setdefault(settings, {})


def begin(tower: Tower, state: State, settings: PlaySettings) -> tuple[Moment, Turns]:
    """The first moment of an episode that starts in a state, after its assists.

    Raises:
        StateMismatch: the state belongs to another tower.
        MtGymError: the game has already ended in it.
    """
    tower.check(state)
    ended = tower.outcome(state)
    if ended is not None:
        raise MtGymError(
            f"an episode cannot begin in a state of {tower.name!r} that has already "
            f"ended ({ended!r})"
        )
    played: list[Played] = []
    state = _settle(tower, state, settings, 0, played, keep_open=True)
    return Moment(state, len(played), None, frozenset()), tuple(played)


def advance(
    tower: Tower,
    moment: Moment,
    action: Action | None,
    settings: PlaySettings,
    known: Known | None = None,
) -> tuple[Moment, Turns]:
    """Execute a choice, or what replaces it, and the assists after it.

    Args:
        tower: where the moment belongs.
        moment: one in which the policy has to choose.
        action: its choice; None for one that names no action of the tower.
        settings: assists, overrides, limits.
        known: `known_turns` of the same tower and settings; None to compute anew.

    Returns:
        The next moment and the turns that led to it, at least one.  A choice that
        is neither legal nor replaced does nothing: its turn has no action.
    """
    state, turn, _, memory = moment
    limit = settings.options.max_turns
    if known is None or "rule4" in settings.overrides:
        played, outcome, memory = _play(tower, moment, action, settings)
    else:
        key = (state[0], state[1], -1 if action is None else action.index)
        found = known.get(key)
        if found is None or turn + len(found[0]) > limit:
            played, outcome, memory = _play(tower, moment, action, settings)
            if turn + len(played) < limit:
                if len(known) >= _KNOWN_LIMIT:
                    known.clear()
                known[key] = (played, outcome)
        else:
            played, outcome = found
    turn += len(played)
    if outcome is None and turn >= limit:
        outcome = "turn_limit"
    return Moment(played[-1].after, turn, outcome, memory), played


def _play(
    tower: Tower, moment: Moment, action: Action | None, settings: PlaySettings
) -> tuple[Turns, str | None, Memory]:
    state, turn, _, memory = moment
    source, reason, replaces = "policy", "", None
    if action is not None and settings.overrides:
        found = replaced_by(tower, state, action, settings, memory)
        if found is not None:
            if found.rule == "rule4":
                memory = memory | {remembered(state, action)}
            source, replaces = "override", action
            action, reason, _ = found
    after, refusal = _execute(tower, state, action, settings)
    if refusal:
        action, reason, replaces = None, refusal, action
    played = [Played(action, source, reason, replaces, state, after)]
    after = _settle(tower, after, settings, turn + 1, played)
    return tuple(played), tower.outcome(after), memory


def _execute(
    tower: Tower, state: State, action: Action | None, settings: PlaySettings
) -> tuple[State, str]:
    """The state after a choice, or the same state and why it does nothing."""
    if action is None:
        return state, "no action of this tower has that index"
    if settings.one_floor or action.code == TRAVEL:
        if not is_legal(tower, state, action, settings):
            return state, f"{action.text!r} is not legal: it is not offered here"
    try:
        return tower.step(state, action), ""
    except IllegalAction as error:
        return state, str(error)


def _settle(
    tower: Tower,
    state: State,
    settings: PlaySettings,
    turn: int,
    played: list[Played],
    keep_open: bool = False,
) -> State:
    """Add the assisted turns to `played` and return the state after them."""
    steps = settle(tower, state, settings, turn, keep_open)
    for (action, source, reason), after in steps:
        played.append(Played(action, source, reason, None, state, after))
        state = after
    return state
