"""Abilities of the text format: codes packed base 100, and ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from mt_gym.engine.kinds import Abilities, Kind

ABILITY_CODES: Final = {
    1: "first strike",
    2: "magic attack",
    3: "solid",
    4: "2 hits",
    5: "3 hits",
    6: "4 hits",
    7: "armour break",
    8: "counter",
    9: "purify",
    10: "mimic",
}
HITS: Final = {4: 2, 5: 3, 6: 4}

COUNTER: Final = (1, 10)
ARMOUR_BREAK: Final = (9, 10)
PURIFY: Final = 3


def unpacked(special: int) -> list[int]:
    """The codes in a packed number, ascending; each counts once, 0 is none."""
    found = set()
    while special:
        special, code = divmod(special, 100)
        found.add(code)
    return sorted(found - {0})


def abilities_of(special: int) -> Abilities:
    """Our abilities for a packed number of known codes."""
    found = unpacked(special)
    hits = 1
    for code, times in HITS.items():
        hits *= times if code in found else 1
    return Abilities(
        mimic=10 in found,
        solid=3 in found,
        magic=2 in found,
        hits=hits,
        counter=COUNTER if 8 in found else None,
        first_strike=1 in found,
        armour_break=ARMOUR_BREAK if 7 in found else None,
        purify=PURIFY if 9 in found else 0,
    )


def packed(able: Abilities) -> int:
    """The codes of abilities that can be said, packed in ascending order."""
    codes = [
        code
        for code, present in (
            (1, able.first_strike),
            (2, able.magic),
            (3, able.solid),
            (7, able.armour_break),
            (8, able.counter),
            (9, able.purify),
            (10, able.mimic),
        )
        if present
    ]
    special = 0
    for code in sorted([*codes, *(_hits(able.hits) or ())]):
        special = special * 100 + code
    return special


def unsayable(able: Abilities) -> list[str]:
    """What the format has no code for, as ends of sentences about the monster."""
    found = []
    if _hits(able.hits) is None:
        found.append(f"hits {able.hits} times")
    if able.counter not in (None, COUNTER):
        found.append("has a counter that is not 1/10")
    if able.armour_break not in (None, ARMOUR_BREAK):
        found.append("has an armour break that is not 9/10")
    if able.purify not in (0, PURIFY):
        found.append(f"purifies {able.purify} times MDEF, not {PURIFY}")
    if able.vampire is not None:
        found.append("is a vampire")
    if able.fixed:
        found.append("deals fixed damage")
    return found


def _hits(times: int) -> Sequence[int] | None:
    """Codes whose hits multiply to `times`; None if there are none."""
    for count in range(len(HITS) + 1):
        for codes in combinations(HITS, count):
            product = 1
            for code in codes:
                product *= HITS[code]
            if product == times:
                return codes
    return None


def differences(kind: Kind) -> list[str]:
    """Where the format's own programs count a monster's damage in another way."""
    able, found = kind.abilities, []
    if able.counter:
        found.append("counters T - 1 times in one of them, each time with its hit")
    if able.purify:
        found.append("purifies 2 * MDEF in one of them")
    if able.mimic:
        found.append("mimics in one of them only")
    if able.magic and able.armour_break:
        found.append("does not break armour in one of them, as its attack is magic")
    return [f"Other programs of this format: {kind.name} {text}." for text in found]
