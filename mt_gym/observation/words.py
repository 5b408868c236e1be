"""Words for amounts, prices, conditions and effects of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mt_gym.engine.board import Action
from mt_gym.engine.kinds import RESOURCES, Condition, Effect, Spot
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

NAMES: Final = {
    "hp": "HP",
    "atk": "ATK",
    "def": "DEF",
    "mdef": "MDEF",
    "gold": "gold",
    "exp": "exp",
    "level": "level",
    "yellow": "yellow key",
    "blue": "blue key",
    "red": "red key",
    "green": "green key",
    "pickaxe": "pickaxe",
    "bomb": "bomb",
    "token": "token",
}
"""How each of the hero's numbers is called."""

_POINTS = ("hp", "atk", "def", "mdef", "level")
Pairs = Iterable[tuple[int, int]]


def tenths(part: int, whole: int) -> str:
    """A share in percent with one decimal, rounded half up."""
    value = (2000 * part + whole) // (2 * whole)
    return f"{value // 10}.{value % 10}"


def percents(part: int, whole: int) -> int:
    """A share in whole percent, rounded half up."""
    return (200 * part + whole) // (2 * whole)


def ratio_text(price: int, points: int) -> str:
    """A price per point with at most two decimals, rounded half up."""
    value = (200 * price + points) // (2 * points)
    return f"{value // 100}.{value % 100:02d}".rstrip("0").rstrip(".")


def counted(number: int, name: str) -> str:
    """`1 yellow key`, `2 yellow keys`; gold and exp have no plural."""
    plural = "" if number == 1 or name in ("gold", "exp", "HP") else "s"
    return f"{number} {name}{plural}"


def price(pairs: Pairs) -> str:
    """What is paid: `25 gold`, `1 yellow key and 20 HP`."""
    return " and ".join(counted(n, NAMES[RESOURCES[slot]]) for slot, n in pairs)


def offer(pairs: Pairs) -> str:
    """What an offer gives: `ATK +4`, `yellow key`, `HP +200, 2 blue keys`."""
    parts = []
    for slot, number in pairs:
        name = RESOURCES[slot]
        if name in _POINTS:
            parts.append(f"{NAMES[name]} +{number}")
        elif number == 1 and name not in ("gold", "exp"):
            parts.append(NAMES[name])
        else:
            parts.append(counted(number, NAMES[name]))
    return ", ".join(parts) or "nothing"


def goods(pairs: Pairs) -> str:
    """What is given away in a sale: `yellow key`, `ATK -4`."""
    return offer(pairs).replace(" +", " -")


def plus(pairs: Pairs) -> str:
    """What an item gives, in brackets: `+75 HP`, `+10 ATK, +10 DEF`."""
    return ", ".join(f"+{number} {NAMES[RESOURCES[slot]]}" for slot, number in pairs)


def place(tower: Tower, spot: Spot) -> str:
    """A cell, with its floor if the tower has several."""
    floor = spot.floor if len(tower.floors) > 1 else ""
    return f"{floor}({spot.x},{spot.y})"


def effect(tower: Tower, what: Effect) -> str:
    """What an effect does; empty for flags, which mean nothing by themselves."""
    if what.op == "win":
        return "wins the game"
    if what.op == "strengthen":
        return f"strengthens {what.name} for the rest of the game"
    if what.op == "scale":
        return f"{NAMES[what.name]} ×{what.ratio[0]}" + (
            f"/{what.ratio[1]}" if what.ratio[1] != 1 else ""
        )
    if what.op in ("set", "clear") or what.spot is None:
        return ""
    things = tower.board.at.get(tower.board.cell(what.spot), [])
    names = [tower.board.objects[index].name for index in things]
    if what.op == "remove":
        return f"clears {names[0]} at {place(tower, what.spot)}"
    return f"reveals {names[-1]} at {place(tower, what.spot)}"


def condition(tower: Tower, needed: Condition) -> list[str]:
    """What must hold, one part each: amounts, carried things, things gone."""
    parts = [f"{counted(n, NAMES[name])} in hand" for name, n in needed.holds]
    carried = {kind.name for kind in tower.data.kinds if kind.carried}
    parts += [flag for flag in needed.flags if flag in carried]
    if needed.gone:
        count = needed.count or len(needed.gone)
        spots = ", ".join(place(tower, spot) for spot in needed.gone)
        some = f"{count} of " if count < len(needed.gone) else ""
        parts.append(f"{some}{spots} gone")
    return parts


def deeds(tower: Tower, state: State, action: Action) -> str:
    """What an action gives, does, asks and needs, as the parts of one sentence."""
    game, row = tower.game, action.row
    parts = []
    gain, cost = game.gain(state, row), game.cost(state, row)
    if gain:
        parts.append(f"gives {offer(gain)}")
    parts += [text for what in row.source.effects if (text := effect(tower, what))]
    if cost:
        parts.append(f"asks {price(cost)}")
    needed = condition(tower, row.source.condition)
    if needed:
        parts.append(f"needs {' and '.join(needed)}")
    if not parts:
        parts.append(row.source.text or "steps aside")
    return ", ".join(parts)
