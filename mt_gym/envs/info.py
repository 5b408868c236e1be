"""What `info` says about the choices and about what was executed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from mt_gym.analysis.listing import Entry
from mt_gym.engine.board import FIGHT, FINISH
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.record import Executed


class ActionInfo(TypedDict):
    """One line of the numbered list; None where a part does not apply.

    Attributes:
        number: its place in the list, from 1.
        action: its index, the argument of `step`.
        text: its text, as `tower.action` reads it.
        verb: one of `engine.kinds.VERBS`.
        name: of its object; None for `travel`.
        floor: floor id; position: (column, row).
        enabled: False for a fight that cannot be won.
        damage: HP that a fight costs; hp_after: HP left, 0 if it kills.
        tags: the annotations' tags, as the text prints them.
    """

    number: int
    action: int
    text: str
    verb: str
    name: str | None
    floor: str
    position: tuple[int, int] | None
    enabled: bool
    damage: int | None
    hp_after: int | None
    tags: tuple[str, ...]


class ExecutedInfo(TypedDict):
    """One executed turn; `action` and `text` are None if nothing happened."""

    turn: int
    action: int | None
    text: str | None
    source: str
    reason: str
    replaces: int | None
    hp_before: int
    hp_after: int


def action_infos(
    tower: Tower,
    state: State,
    listed: Sequence[Entry],
    tags: Sequence[tuple[str, ...]],
) -> tuple[ActionInfo, ...]:
    """The numbered list of a state; `tags` has one tuple per entry."""
    hp = state.hero.hp
    infos: list[ActionInfo] = []
    for number, (entry, own) in enumerate(zip(listed, tags, strict=True), 1):
        action = entry.action
        after: int | None = None
        if action.code == FIGHT and entry.damage is not None:
            after = max(0, hp - entry.damage)
        elif action.code == FINISH:
            after = hp
        thing = action.object
        infos.append(
            {
                "number": number,
                "action": action.index,
                "text": action.text,
                "verb": action.verb,
                "name": tower.board.objects[thing].name if thing >= 0 else None,
                "floor": action.floor,
                "position": action.position,
                "enabled": entry.enabled,
                "damage": entry.damage,
                "hp_after": after,
                "tags": own,
            }
        )
    return tuple(infos)


def retagged(
    infos: Sequence[ActionInfo], tags: Sequence[tuple[str, ...]]
) -> tuple[ActionInfo, ...]:
    """The same list with other tags."""
    return tuple({**info, "tags": own} for info, own in zip(infos, tags, strict=True))


def executed_info(record: Executed) -> ExecutedInfo:
    """A record of a turn as `info` shows it."""
    action, replaces = record.action, record.replaces
    return {
        "turn": record.turn,
        "action": None if action is None else action.index,
        "text": None if action is None else action.text,
        "source": record.source,
        "reason": record.reason,
        "replaces": None if replaces is None else replaces.index,
        "hp_before": record.hp_before,
        "hp_after": record.hp_after,
    }
