"""Whether a system prompt is free of knowledge about a map.

A general prompt that names places, monsters, routes, allowed fights or large numbers
would make a model's result the author's.  Every finding is told, not the first alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mt_gym.engine.load import load, shipped
from mt_gym.engine.tower import Tower

COMMON_WORDS: Final = frozenset({"boss", "monster", "guard", "king", "vampire"})
"""Names of monsters that are also words of the game; a prompt may use them."""

LARGEST: Final = 99

_COORDINATES: Final = (
    re.compile(r"[(\[]\s*\d+\s*[,;/|]\s*\d+\s*[)\]]"),
    re.compile(r"(?<![\d,.])\d{1,2}\s*,\s*\d{1,2}(?![\d,.%])"),
    re.compile(r"\b[xy]\s*=\s*\d+", re.IGNORECASE),
    re.compile(r"\b(?:row|column|col)\s*(?:number\s*)?\d+", re.IGNORECASE),
)
_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:[, '_]\d{3})+(?!\d)|\d+")
_LARGE_WORDS = re.compile(r"\b(?:hundreds?|thousands?|dozens of)\b", re.IGNORECASE)
_STEP = r"(?:fight|kill|defeat|attack|open|take|collect|go|climb|enter|buy)"
_ROUTES: Final = (
    re.compile(r"(?:[^\n→]{1,60}(?:→|->|=>)){2}[^\n]{0,60}"),
    re.compile(
        rf"\b{_STEP}\b[^.\n]*\b(?:then|next|after that)\b[^.\n]*\b{_STEP}\b[^.\n]*"
        rf"\b(?:then|next|after that|finally)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:first|start|begin)\b[^.\n]*\bdoor\b[^.\n]*\bthen\b", re.IGNORECASE
    ),
    re.compile(r"\b(?:step|phase)\s*\d+\s*[:.)]", re.IGNORECASE),
    re.compile(
        r"\b(?:left|right|upper|lower|north|south|east|west)(?:ern)?[- ]"
        r"(?:most |hand )?(?:door|room|corner|wing|side)\b",
        re.IGNORECASE,
    ),
)
_LISTS: Final = (
    re.compile(
        r"\b(?:allowed|permitted|forbidden|banned|mandatory|required)\s+"
        r"(?:fights?|monsters?|doors?|enem(?:y|ies))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:fights?|monsters?|doors?|enem(?:y|ies))\s+(?:that are\s+)?"
        r"(?:allowed|permitted|forbidden|banned)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:white|black|allow|deny)[- ]?list\b", re.IGNORECASE),
    re.compile(
        r"\bonly (?:these|the following) (?:fights?|monsters?)\b", re.IGNORECASE
    ),
)


def prompt_problems(text: str, towers: Iterable[Tower] | None = None) -> list[str]:
    """Every reason why a prompt is not general, with what was found; [] if it is.

    Args:
        text: the prompt.
        towers: whose monsters and floors must not be named; None for every
            shipped map.
    """
    maps = [load(name) for name in shipped()] if towers is None else list(towers)
    found = [
        *_matches("coordinates", _COORDINATES, text),
        *_names(text, maps),
        *_matches("a route", _ROUTES, text),
        *_matches("a list of fights or doors", _LISTS, text),
    ]
    for one in _NUMBER.finditer(text):
        digits = re.sub(r"\D", "", one[0])
        if int(digits) > LARGEST:
            found.append(f"a number of {LARGEST + 1} or more: {one[0]!r}")
    found += [
        f"a number of {LARGEST + 1} or more: {one[0]!r}"
        for one in _LARGE_WORDS.finditer(text)
    ]
    return list(dict.fromkeys(found))


def _matches(what: str, patterns: Iterable[re.Pattern[str]], text: str) -> list[str]:
    return [
        f"{what}: {_short(one[0])!r}"
        for pattern in patterns
        for one in pattern.finditer(text)
    ]


def _names(text: str, maps: list[Tower]) -> list[str]:
    monsters: dict[str, None] = {}
    floors: dict[str, None] = {}
    for tower in maps:
        for thing in tower.board.objects:
            if thing.kind.type == "monster":
                monsters[thing.name] = None
        if len(tower.floors) > 1:
            floors.update((floor.id, None) for floor in tower.floors)
    found = []
    for name in monsters:
        if name.lower() not in COMMON_WORDS and _word(name, plural=True).search(text):
            found.append(f"a monster's name: {name!r}")
    for floor in floors:
        if _word(floor).search(text):
            found.append(f"a floor's name: {floor!r}")
    return found


def _word(name: str, plural: bool = False) -> re.Pattern[str]:
    body = r"[\s_-]*".join(re.escape(part) for part in name.split())
    return re.compile(rf"\b{body}{'(?:e?s)?' if plural else ''}\b", re.IGNORECASE)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."
