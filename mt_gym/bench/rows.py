"""What the rows of a log hold: their keys, and the types of what stands there.

A log is read again by many; one look at its rows when they are read spares each of
them a look of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mt_gym.errors import MtGymError

_WORDS: Final[Mapping[str, tuple[type, ...]]] = {
    "an integer": (int,),
    "an integer or null": (int, type(None)),
    "a number": (int, float),
    "a number or null": (int, float, type(None)),
    "a text": (str,),
    "a text or null": (str, type(None)),
    "a list": (list,),
    "an object": (dict,),
    "an object or null": (dict, type(None)),
    "anything": (object,),
}

ROWS: Final[Mapping[str, Mapping[str, str]]] = {
    "start": {
        "format": "an integer",
        "episode": "an integer",
        "seed": "an integer",
        "policy": "a text",
        "tower": "a text",
        "digest": "a text",
        "hp": "an integer",
        "state": "an object",
        "reference_hp": "an integer",
        "reference": "a text",
    },
    "question": {
        "turn": "an integer",
        "floor": "a text",
        "state": "a text",
        "observation": "anything",
        "options": "a list",
    },
    "decision": {
        "turn": "an integer",
        "action": "an integer or null",
        "text": "a text or null",
        "plan": "a list",
        "distribution": "an object or null",
        "source": "a text",
        "trace": "an object",
    },
    "turn": {
        "turn": "an integer",
        "action": "an integer or null",
        "text": "a text or null",
        "source": "a text",
        "reason": "a text",
        "hp_before": "an integer",
        "hp_after": "an integer",
    },
    "step": {"turn": "an integer", "reward": "a number", "state": "a text"},
    "end": {
        "episode": "an integer",
        "seed": "an integer",
        "outcome": "a text",
        "hp": "an integer",
        "hero": "an object",
        "highest_floor": "a text",
        "turns": "an integer",
        "decisions": "an integer",
        "goal_score": "a number or null",
        "reward": "a number",
    },
}
"""Keys that a row of an episode must have, and what stands there."""

_HERO: Final = ("hp", "atk", "def", "mdef")
_OPTION: Final[Mapping[str, str]] = {
    "number": "an integer",
    "action": "an integer",
    "token": "a text",
    "label": "a text",
    "verb": "a text",
    "enabled": "anything",
}
_GAME_END: Final[Mapping[str, str]] = {
    "episode": "an integer",
    "seed": "an integer",
    "players": "a list",
    "outcome": "a text",
    "outcomes": "a list",
    "hp": "a list",
    "turns": "a list",
    "decisions": "a list",
    "goal_score": "a list",
    "reward": "a list",
}
_GAME_START: Final[Mapping[str, str]] = {
    **ROWS["start"],
    "players": "a list",
    "player_seeds": "a list",
    "observations": "a list",
}


def check_row(row: Mapping[str, Any], where: str, game: bool = False) -> None:
    """Refuse a row that lacks something, or holds something of another type.

    Args:
        row: with its texts.
        where: file and line, for the error.
        game: whether it is one of a game of several players.

    Raises:
        MtGymError: the first thing that is wrong.
    """
    kind = row.get("row")
    if not isinstance(kind, str) or kind not in ROWS:
        raise MtGymError(f"{where}: it lacks a known 'row' (there are {_kinds()})")
    wanted = ROWS[kind]
    if game and kind in ("start", "end"):
        wanted = _GAME_START if kind == "start" else _GAME_END
    _check(row, wanted, where)
    if kind == "question":
        for number, option in enumerate(row["options"], start=1):
            place = f"{where}: option {number}"
            if not isinstance(option, dict) or option.keys() - _OPTION:
                raise MtGymError(f"{place} must be an object of {', '.join(_OPTION)}")
            _check(option, _OPTION, place)
    elif kind == "end" and not game:
        _check(row["hero"], dict.fromkeys(_HERO, "an integer"), f"{where}: hero")


def _check(found: Mapping[str, Any], wanted: Mapping[str, str], where: str) -> None:
    missing = [key for key in wanted if key not in found]
    if missing:
        raise MtGymError(f"{where}: it lacks {', '.join(map(repr, missing))}")
    for key, what in wanted.items():
        value = found[key]
        flag = isinstance(value, bool) and what != "anything"
        if flag or not isinstance(value, _WORDS[what]):
            raise MtGymError(f"{where}: {key!r} must be {what}, got {_short(value)}")


def _kinds() -> str:
    return ", ".join(ROWS)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
