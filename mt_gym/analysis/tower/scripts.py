"""Which rows of a tower are events, and which of them open or reveal what.

Worked out once per tower; whether an event is still to come depends on the state.
"""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.engine.actions import (
    CLEAR,
    REMOVE,
    REVEAL,
    SCALE,
    SET,
    STRENGTHEN,
    Action,
    CompiledRow,
)
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower

_HOLDERS = ("character", "monster", "item", "gate", "door")
_MATTERS = (REMOVE, REVEAL, STRENGTHEN, SCALE, CLEAR)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A row that does more than its object's own gain.

    Attributes:
        holder: object whose action runs it; -1 for a trigger.
        action: that action; None for a trigger.
        row: the row itself.
    """

    holder: int
    action: Action | None
    row: CompiledRow


@dataclass(frozen=True, slots=True, eq=False)
class Scripts:
    """The events of a tower.

    Attributes:
        events: those of objects, by object and action.
        triggers: those that run as soon as their condition holds.
        opens: per object, the events that take it away; reveals: that show it.
        carriers: per flag bit, the objects that set it when they are collected.
        setters: per flag bit, the events that set it.
    """

    events: tuple[Event, ...]
    triggers: tuple[Event, ...]
    opens: dict[int, tuple[Event, ...]]
    reveals: dict[int, tuple[Event, ...]]
    carriers: dict[int, tuple[int, ...]]
    setters: dict[int, tuple[Event, ...]]


def scripts(tower: Tower) -> Scripts:
    """The events of a tower, found at the first use."""
    found = tower.caches.get("scripts")
    if found is None:
        found = tower.caches["scripts"] = _find(tower)
    return found


def _find(tower: Tower) -> Scripts:
    board = tower.board
    events = [
        Event(thing.index, action, action.row)
        for thing in board.objects
        if thing.kind.type in _HOLDERS
        for action in thing.actions
        if _is_event(thing.kind.type, action, thing.kind.carried)
    ]
    triggers = tuple(Event(-1, None, row) for row in board.triggers)
    opens: dict[int, list[Event]] = {}
    reveals: dict[int, list[Event]] = {}
    setters: dict[int, list[Event]] = {}
    for event in (*events, *triggers):
        for code, mask, _, _ in event.row.effects:
            where = {REMOVE: opens, REVEAL: reveals, SET: setters}.get(code)
            if where is not None:
                for index in bits(mask):
                    where.setdefault(index, []).append(event)
    carriers: dict[int, list[int]] = {}
    for thing in board.objects:
        if thing.kind.carried:
            bit = board.flag_names.index(thing.name)
            carriers.setdefault(bit, []).append(thing.index)
    return Scripts(
        tuple(events),
        triggers,
        _frozen(opens),
        _frozen(reveals),
        {bit: tuple(found) for bit, found in carriers.items()},
        _frozen(setters),
    )


def _frozen(found: dict[int, list[Event]]) -> dict[int, tuple[Event, ...]]:
    return {index: tuple(events) for index, events in found.items()}


def _is_event(kind: str, action: Action, carried: bool) -> bool:
    """Every talk; for others an effect beyond winning and beyond carrying a thing."""
    if kind == "character":
        return True
    effects = [e for e in action.row.effects if e[0] in _MATTERS]
    flags = [e for e in action.row.effects if e[0] == SET and e[1] != 1]
    return bool(effects) or len(flags) > carried


def is_to_come(state: State, event: Event) -> bool:
    """Whether an event can still happen: its object is there, it has not happened.

    An object that is hidden so far does not count: nobody has seen it.
    """
    world = state.world
    if event.row.without & world.flags:
        return False
    if event.holder < 0:
        return True
    return not (world.gone | world.hidden) >> event.holder & 1
