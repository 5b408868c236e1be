"""Draws the floors of a foreign map: one letter per kind of object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters, digits
from typing import Final

from mt_gym.engine.check_map import reachable
from mt_gym.engine.kinds import GROUND, START, WALL, Floor, Placement, TowerData
from mt_gym.engine.survey import Survey
from mt_gym.errors import MtGymError

Cell = Placement | str
"""What stands on a cell: a placement, or one of the signs for wall, floor, start."""

Cells = list[list[Cell]]
"""A floor, row by row."""

LETTERS: Final = (
    ascii_letters
    + digits
    + "!$%&*+,-/:;<=>?^_~|()[]{}"
    + "".join(letter for letter in map(chr, range(0xC0, 0x590)) if letter.isalpha())
)
"""Letters for legends, in the order in which they are given away."""

TAKEN: Final = ("Key", "Gem", "Crystal", "Potion", "Gold", "Token", "Pickaxe", "Bomb")
"""Words in the names of kinds that get a small letter."""


def drawn(cells: Sequence[Cells], prefix: str = "MT") -> tuple[Floor, ...]:
    """The floors of a tower, named `MT0`, `MT1` and so on.

    A kind has the same letter on every floor: the first of its name where that is
    free, capital for what stands in the way, small for what is taken.

    Raises:
        MtGymError: there are more kinds than letters.
    """
    letters: dict[Placement, str] = {}
    for rows in cells:
        for row in rows:
            for cell in row:
                if isinstance(cell, Placement) and cell not in letters:
                    letters[cell] = _fresh(cell.kind, letters)
    floors = []
    for number, rows in enumerate(cells):
        placements = dict.fromkeys(
            cell for row in rows for cell in row if isinstance(cell, Placement)
        )
        drawing = tuple(
            "".join(cell if isinstance(cell, str) else letters[cell] for cell in row)
            for row in rows
        )
        legend = tuple((letters[cell], cell) for cell in placements)
        floors.append(Floor(f"{prefix}{number}", drawing, legend))
    return tuple(floors)


def _fresh(name: str, letters: dict[Placement, str]) -> str:
    used = set(letters.values())
    for letter in _initial(name) + LETTERS:
        if letter not in used:
            return letter
    raise MtGymError(
        f"more than {len(LETTERS)} kinds of objects; there is no letter for {name!r}"
    )


def _initial(name: str) -> str:
    small = any(word in TAKEN for word in name.split())
    return name[0].lower() if small else name[0].upper()


def without_walled_off(data: TowerData) -> tuple[TowerData, tuple[str, ...]]:
    """The tower without the objects that no way leads to, and their places.

    Foreign games do not mind an object behind solid walls; a map of ours may not
    have one.  A breakable wall becomes a plain one, everything else floor.  The
    goal stays where it is, so that a map without a way to it is found out.
    """
    survey = Survey(data)
    reached = reachable(survey)
    dropped = [
        thing
        for thing in survey.objects
        if thing.spot is not None
        and thing.spot not in reached
        and thing.kind.name != data.goal.name
    ]
    if not dropped:
        return data, ()
    signs = {
        thing.spot: WALL if thing.kind.type == "wall" else GROUND for thing in dropped
    }
    floors = []
    for floor in data.floors:
        rows = [list(row) for row in floor.rows]
        for spot, sign in signs.items():
            if spot is not None and spot.floor == floor.id:
                rows[spot.y][spot.x] = sign
        drawing = tuple("".join(row) for row in rows)
        used = set("".join(drawing))
        legend = tuple(pair for pair in floor.legend if pair[0] in used)
        floors.append(replace(floor, rows=drawing, legend=legend))
    placed = {place.kind for floor in floors for _, place in floor.legend}
    kinds = tuple(k for k in data.kinds if k.name in placed or k.anywhere)
    places = tuple(str(thing) for thing in dropped if thing.kind.type != "wall")
    return replace(data, floors=tuple(floors), kinds=kinds), places


def note_about(about: str, notes: Sequence[str]) -> str:
    """A map's description with notes of its reader, each on a line, none twice."""
    known = about.splitlines()
    return "\n".join([*known, *(note for note in notes if note not in known)])


__all__ = [
    "GROUND",
    "START",
    "WALL",
    "Cell",
    "Cells",
    "drawn",
    "note_about",
    "without_walled_off",
]
