"""Kinds of the `.mt` format: what its cell codes and special bits stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mt_gym.engine.kinds import STATS, Abilities, Kind, Row, Stats

EMPTY, PICKAXE, BOMB, FLAG, BREAKABLE, SOLID, ENEMIES = 0, 61, 62, 63, 99, 100, 128

CRYSTALS: Final = {
    8: ("Red Crystal", "atk"),
    16: ("Blue Crystal", "def"),
    24: ("Green Crystal", "mdef"),
}
"""First code of each colour: name and what it raises."""

WHITE, POTION = 32, 40
CRYSTAL_LEVELS: Final = 8

SINGLE: Final = {
    56: ("Yellow Key", "key", "yellow", 1),
    57: ("Blue Key", "key", "blue", 1),
    58: ("Red Key", "key", "red", 1),
    59: ("Gold", "gold", "gold", 100),
    60: ("Token", "token", "token", 1),
    61: ("Pickaxe", "tool", "pickaxe", 1),
    62: ("Bomb", "tool", "bomb", 1),
}
"""Items of one code: name, category, and what they give."""

PRICE: Final = 100
"""Gold that any purchase costs."""

MAGIC, SOLID_SKIN, FIRST_STRIKE, BOSS, HITS = 16, 32, 64, 128, 15
"""Special bits of an enemy; `HITS` masks the number of further hits."""

PORTAL_NOTE: Final = "Left out: the portal {} - {}, one end of which is a wall."


def item_kind(code: int, units: Sequence[int]) -> Kind | None:
    """The item or white crystal of a code from 8 to 62.

    Args:
        code: the cell's code.
        units: what level 0 gives of HP, ATK, DEF, MDEF; each level doubles it.

    Returns:
        None if its unit is 0: it would give nothing.
    """
    if code in SINGLE:
        name, category, resource, amount = SINGLE[code]
        row = Row("collect", gain=((resource, amount),))
        return Kind(name, "item", (row,), category=category)
    if code >= POTION:
        level = code - POTION
        return _item(_levelled("Potion", level), "potion", "hp", units[0] << level)
    level = code % CRYSTAL_LEVELS
    if code >= WHITE:
        return _white_crystal(level, units)
    name, resource = CRYSTALS[code - level]
    unit = units[1 + STATS.index(resource)]
    return _item(_levelled(name, level), "gem", resource, unit << level)


def _levelled(name: str, level: int) -> str:
    """A name with what its level multiplies: `Potion x8`."""
    return f"{name} x{1 << level}" if level else name


def _item(name: str, category: str, resource: str, amount: int) -> Kind | None:
    if not amount:
        return None
    row = Row("collect", gain=((resource, amount),))
    return Kind(name, "item", (row,), category=category)


def _white_crystal(level: int, units: Sequence[int]) -> Kind | None:
    """A crystal that never stands in the way; one choice per attribute."""
    rows = tuple(
        Row("choose", gain=((resource, unit << level),))
        for resource, unit in zip(STATS, units[1:], strict=True)
        if unit
    )
    name = _levelled("White Crystal", level)
    return Kind(name, "crystal", rows, blocks=False) if rows else None


def flag_kind(play_on: bool) -> Kind:
    """The flag: an item that wins, or a goal that one may walk over."""
    if play_on:
        return Kind("Flag", "goal", (Row("finish"),), blocks=False)
    return Kind("Flag", "item", (Row("collect"),), category="quest")


def shop_kind(units: Sequence[int]) -> Kind | None:
    """The purchases that are open everywhere; None if no unit is above 0.

    Args:
        units: what a hero without tokens gets of ATK, DEF, MDEF.
    """
    rows = tuple(
        Row(
            "buy",
            cost=(("gold", PRICE),),
            gain=((resource, unit),),
            doubles_with="token",
            consumes=False,
        )
        for resource, unit in zip(STATS, units, strict=True)
        if unit
    )
    return Kind("Shop", "shop", rows, anywhere=True) if rows else None


def enemy_kind(number: int, values: tuple[int, int, int, int], special: int) -> Kind:
    """An enemy from its number in the file, (HP, ATK, DEF, gold), special bits."""
    return Kind(
        f"Monster {number}",
        "monster",
        values=(Stats(*values),),
        abilities=Abilities(
            solid=bool(special & SOLID_SKIN),
            magic=bool(special & MAGIC),
            hits=1 + (special & HITS),
            first_strike=bool(special & FIRST_STRIKE),
        ),
        boss=bool(special & BOSS),
    )
