"""The static map of a tower as text, for the system prompt of a language model.

It says what the map file says and nothing about a state: numbers of monsters are
those of the start.  The same tower always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mt_gym.engine.actions import MapObject
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import (
    GROUND,
    START,
    WALL,
    Abilities,
    Amounts,
    Effect,
    Floor,
    Kind,
    Row,
    Spot,
)
from mt_gym.engine.tower import Tower

WORDS: Final = {
    "hp": "HP",
    "atk": "ATK",
    "def": "DEF",
    "mdef": "MDEF",
    "gold": "gold",
    "exp": "EXP",
    "level": "level",
    "yellow": "yellow key",
    "blue": "blue key",
    "red": "red key",
    "green": "green key",
    "pickaxe": "pickaxe",
    "bomb": "bomb",
    "token": "token",
}
"""Words for the hero's numbers."""

SECTIONS: Final = (
    ("Monsters", ("monster",)),
    ("Items", ("item", "crystal")),
    ("Doors", ("door",)),
    ("Gates, bars and breakable walls", ("gate", "bars", "wall")),
    ("Shops and trades", ("shop", "trade")),
    ("Characters", ("character",)),
    ("Stairs", ("stairs",)),
    ("Goal cells", ("goal",)),
)
"""Headings and the types of objects under them."""


def describe(tower: Tower, floors: Sequence[str] | None = None) -> str:
    """The static floor map as text: floors, their objects, their drawings.

    Hidden objects are left out; scripts are left to the texts of objects, and notes
    for people (`about`, which may tell how a map is won) to people.  Cells of floors
    that are not shown are not told: neither the goal's nor where stairs arrive.

    Args:
        tower: what is described.
        floors: ids of the floors that are shown, in this order; None for all.
    """
    data, board = tower.data, tower.board
    by_id = {floor.id: floor for floor in data.floors}
    shown = frozenset(by_id if floors is None else floors)
    lines = [f"# {data.title or data.name}"]
    lines.append(f"The hero starts with {amounts_text(data.hero)}.")
    lines.append(f"Goal: {_goal(board, shown)}")
    anywhere = [thing for thing in board.objects if thing.spot is None]
    if anywhere:
        lines.append("Open from everywhere:")
        lines += [f"- {_object(thing, board, shown)}" for thing in anywhere]
    for name in by_id if floors is None else floors:
        lines += ["", *_floor(by_id[name], board, shown)]
    return "\n".join(lines) + "\n"


def amounts_text(values: Amounts, sign: str = "") -> str:
    """Amounts in words: `HP 470, ATK 9`, or with a sign `HP +75`."""
    return ", ".join(f"{WORDS[name]} {sign}{amount}" for name, amount in values)


def abilities_text(able: Abilities) -> str:
    """Special abilities in words, in the order in which they act."""
    parts = []
    if able.mimic:
        parts.append("mimic (has the hero's ATK and DEF)")
    if able.solid:
        parts.append("solid (a strike takes at most 1 HP)")
    if able.vampire is not None:
        num, den = able.vampire
        parts.append(f"vampire (first takes {num}/{den} of the hero's HP)")
    if able.magic:
        parts.append("magic attack (ignores DEF)")
    if able.hits > 1:
        parts.append(f"{able.hits} hits a round")
    if able.counter is not None:
        num, den = able.counter
        parts.append(f"counter ({num}/{den} of the hero's ATK back for each strike)")
    if able.first_strike:
        parts.append("first strike")
    if able.armour_break is not None:
        num, den = able.armour_break
        parts.append(f"armour break (first {num}/{den} of the hero's DEF as damage)")
    if able.purify:
        parts.append(f"purify ({able.purify} times the hero's MDEF as damage)")
    if able.fixed:
        parts.append(f"fixed damage {able.fixed}")
    return ", ".join(parts)


def _goal(board: Board, shown: frozenset[str]) -> str:
    goal = board.data.goal
    if goal.text:
        return goal.text
    if goal.type == "script":
        return "an event wins the game."
    places = ", ".join(
        _place(o.spot, board)
        for o in board.objects
        if o.goal and o.spot and o.spot.floor in shown
    )
    if not places:
        return f"{goal.type} {goal.name or 'the goal cell'}, on a floor not shown here."
    name = f" {goal.name}" if goal.name else " the goal cell"
    return f"{goal.type}{name} at {places}."


def _floor(floor: Floor, board: Board, shown: frozenset[str]) -> list[str]:
    title = f": {floor.title}" if floor.title else ""
    lines = [f"## Floor {floor.id}{title} ({floor.width} columns, {floor.height} rows)"]
    number = board.floor_number[floor.id]
    here = [o for o in board.objects if o.floor == number and not o.hidden and o.spot]
    for heading, types in SECTIONS:
        found = [thing for thing in here if thing.kind.type in types]
        if found:
            lines.append(f"{heading}:")
            lines += [f"- {line}" for line in _grouped(found, board, shown)]
    portals = [
        " and ".join(
            _place(spot, board) if spot.floor in shown else spot.floor
            for spot in (one, two)
        )
        for one, two in board.data.portals
        if floor.id in (one.floor, two.floor)
    ]
    if portals:
        lines.append(f"Portals join {'; '.join(portals)}.")
    lines.append("Map (column, row; the cell at the top left is 0,0):")
    lines += list(floor.rows)
    used = set("".join(floor.rows))
    legend = [f"{WALL} wall", f"{GROUND} floor", f"{START} start"]
    legend = [entry for entry in legend if entry[0] in used]
    legend += [
        f"{letter} {place.kind}" for letter, place in floor.legend if letter in used
    ]
    lines.append(f"Legend: {', '.join(legend)}.")
    return lines


def _grouped(
    found: list[MapObject], board: Board, shown: frozenset[str]
) -> Iterable[str]:
    """One line for all objects of a kind, in the order of their first cells."""
    groups: dict[str, list[MapObject]] = {}
    for thing in found:
        key = f"{thing.name} {thing.placement.to} {thing.placement.one_way}"
        groups.setdefault(key, []).append(thing)
    for things in groups.values():
        cells = ", ".join(f"({o.spot.x},{o.spot.y})" for o in things if o.spot)
        yield f"{things[0].name} at {cells}{_about(things[0], board, shown)}"


def _object(thing: MapObject, board: Board, shown: frozenset[str]) -> str:
    return f"{thing.name}{_about(thing, board, shown)}"


def _about(thing: MapObject, board: Board, shown: frozenset[str]) -> str:
    kind = thing.kind
    if kind.type == "stairs":
        landing = board.spots[thing.landing]
        way = " (no way back)" if thing.placement.one_way else ""
        if landing.floor not in shown:
            return f": to floor {landing.floor}{way}"
        return f": to floor {landing.floor}, arriving at ({landing.x},{landing.y}){way}"
    if kind.type == "monster":
        return f": {_monster(kind)}"
    rows = [_row(row, board, shown) for row in kind.rows]
    rows = [text for text in rows if text]
    if kind.type == "bars":
        return ": no key opens it"
    if kind.type == "gate" and not rows:
        return ": needs no key"
    if len(rows) > 1:
        return ": " + "; ".join(f"({i}) {text}" for i, text in enumerate(rows, 1))
    return f": {rows[0]}" if rows else ""


def _monster(kind: Kind) -> str:
    stats = kind.values[0]
    text = f"HP {stats.hp}, ATK {stats.atk}, DEF {stats.defense}"
    if stats.gold:
        text += f", gold {stats.gold}"
    if stats.exp:
        text += f", EXP {stats.exp}"
    able = abilities_text(kind.abilities)
    return f"{text}; {able}" if able else text


def _row(row: Row, board: Board, shown: frozenset[str]) -> str:
    """What a row costs, gives and does."""
    parts = []
    if row.text:
        parts.append(row.text)
    if row.condition.holds:
        parts.append(f"needs {amounts_text(row.condition.holds)}")
    if row.condition.flags:
        parts.append(f"needs {', '.join(row.condition.flags)}")
    if row.cost:
        growth = f", {row.growth} more each time" if row.growth else ""
        parts.append(f"costs {amounts_text(row.cost)}{growth}")
    if row.gain:
        doubles = ""
        if row.doubles_with:
            doubles = f", doubled by each {WORDS[row.doubles_with]}"
        parts.append(f"gives {amounts_text(row.gain, '+')}{doubles}")
    told = (_effect(effect, board, shown) for effect in row.effects)
    parts += [text for text in told if text]
    return ", ".join(parts)


def _effect(effect: Effect, board: Board, shown: frozenset[str]) -> str:
    """The effects that a map may tell beforehand; the others are for play."""
    if effect.op == "scale":
        num, den = effect.ratio
        return f"multiplies {WORDS[effect.name]} by {num}/{den}"
    if effect.op == "remove" and effect.spot is not None:
        if effect.spot.floor not in shown:
            return f"clears the way on {effect.spot.floor}"
        name = board.placed[board.object_at(effect.spot)].kind.name
        return f"opens {name} at {_place(effect.spot, board)}"
    return "wins the game" if effect.op == "win" else ""


def _place(spot: Spot, board: Board) -> str:
    if len(board.floor_ids) > 1:
        return f"{spot.floor} ({spot.x},{spot.y})"
    return f"({spot.x},{spot.y})"
