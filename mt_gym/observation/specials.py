"""What the text says about each special ability: one tag each, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from mt_gym.engine.kinds import Abilities, Ratio


class Special(NamedTuple):
    """The tag of one special ability.

    Attributes:
        name: as the rules call it.
        has: whether a monster has it.
        tag: the words behind a fight, without brackets.
        short: the words where a threshold of DEF would stand; empty if such a
            threshold exists in spite of it.
    """

    name: str
    has: Callable[[Abilities], bool]
    tag: Callable[[Abilities], str]
    short: str


def percent(share: Ratio | None) -> int:
    """A share in whole percent, rounded down."""
    assert share is not None
    return 100 * share[0] // share[1]


SPECIALS: Final = (
    Special(
        "mimic",
        lambda able: able.mimic,
        lambda able: "mimic: fights with your own ATK and DEF",
        "mimic",
    ),
    Special(
        "solid",
        lambda able: able.solid,
        lambda able: "solid: each of your strikes takes only 1 HP whatever your ATK",
        "",
    ),
    Special(
        "vampire",
        lambda able: able.vampire is not None,
        lambda able: (
            f"vampire: takes {percent(able.vampire)}% of your current HP whatever "
            "your DEF, so it costs less when your HP is lower"
        ),
        "vampire",
    ),
    Special(
        "magic",
        lambda able: able.magic,
        lambda able: "magic-atk] [magic-atk: DEF useless — only ATK+MDEF reduce cost",
        "magic-atk",
    ),
    Special(
        "multi-hit",
        lambda able: able.hits > 1,
        lambda able: f"{able.hits} hits: strikes {able.hits} times a round",
        "",
    ),
    Special(
        "counter",
        lambda able: able.counter is not None,
        lambda able: (
            f"counter: returns {percent(able.counter)}% of your ATK at every strike "
            "of yours"
        ),
        "counter",
    ),
    Special(
        "first strike",
        lambda able: able.first_strike,
        lambda able: "first strike: one more round of its strikes before yours",
        "",
    ),
    Special(
        "armour break",
        lambda able: able.armour_break is not None,
        lambda able: (
            f"armour break: takes {percent(able.armour_break)}% of your DEF once"
        ),
        "armour break",
    ),
    Special(
        "purify",
        lambda able: able.purify > 0,
        lambda able: f"purify: takes {able.purify}× your MDEF once",
        "purify",
    ),
    Special(
        "fixed damage",
        lambda able: able.fixed > 0,
        lambda able: f"fixed damage: takes {able.fixed} HP that nothing reduces",
        "fixed damage",
    ),
)
"""The ten special abilities, in the order in which they act."""


def tags_of(able: Abilities, annotations: frozenset[str]) -> list[str]:
    """Tags of a monster's abilities; `vampire_tag` and `specials` switch them."""
    return [
        special.tag(able)
        for special in SPECIALS
        if special.has(able) and _switch(special) in annotations
    ]


def short_tags(able: Abilities, annotations: frozenset[str]) -> list[str]:
    """What stands in place of a DEF threshold that does not exist."""
    return [
        special.short
        for special in SPECIALS
        if special.short and special.has(able) and _switch(special) in annotations
    ]


def _switch(special: Special) -> str:
    return "vampire_tag" if special.name == "vampire" else "specials"
