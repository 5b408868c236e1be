"""A tolerant reading of tower data, for the search for defects.

The board may assume that a map is sound; this may not.  Nothing here raises,
whatever the data say; each check adds its findings to `Survey.found`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mt_gym.engine.kinds import (
    BUILT_IN,
    GROUND,
    START,
    WALL,
    Kind,
    Placement,
    Row,
    Spot,
    TowerData,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """An object of the map; `spot` is None for an offer without a cell."""

    spot: Spot | None
    kind: Kind
    placement: Placement
    hidden: bool = False

    def __str__(self) -> str:
        name = f"{self.kind.name!r}"
        return name if self.spot is None else f"{name} at {self.spot}"


@dataclass(frozen=True, slots=True)
class Owned:
    """A row with its owner.

    Attributes:
        where: words for messages.
        spots: cells whose own action runs the row; empty for a trigger.
        trigger: whether it is a script without a place.
    """

    row: Row
    where: str
    spots: tuple[Spot, ...] = ()
    trigger: bool = False
    script: bool = False


class Survey:
    """What the data say, as far as it can be understood.

    Attributes:
        kinds: every usable kind by name, the first of a name.
        letters: the drawing; `objects`: everything placed; `at`: objects by cell,
            the hidden one last.
        rows: every row that may be executed, with its owner.
        starts: cells of the start sign.
        found: the defects, as (code, message).
    """

    def __init__(self, data: TowerData) -> None:
        self.data = data
        self.found: list[tuple[str, str]] = []
        self.kinds: dict[str, Kind] = {}
        for kind in (*BUILT_IN, *data.kinds):
            self.kinds.setdefault(kind.name, kind)
        self.letters: dict[Spot, str] = {}
        self.objects: list[Placed] = []
        self.starts: list[Spot] = []
        seen: set[str] = set()
        for floor in data.floors:
            if floor.id in seen:
                continue
            seen.add(floor.id)
            legend = dict(floor.legend)
            for y, row in enumerate(floor.rows):
                for x, letter in enumerate(row):
                    spot = Spot(floor.id, x, y)
                    self.letters[spot] = letter
                    if letter == START:
                        self.starts.append(spot)
                    elif letter not in (WALL, GROUND) and letter in legend:
                        self._add(spot, legend[letter], False)
            for hidden in floor.hidden:
                self._add(hidden.spot, hidden.placement, True)
        self.at: dict[Spot, list[Placed]] = {}
        for thing in sorted(self.objects, key=lambda o: o.hidden):
            if thing.spot is not None:
                self.at.setdefault(thing.spot, []).append(thing)
        self.objects += [
            Placed(None, kind, Placement(kind.name))
            for kind in data.kinds
            if kind.anywhere
        ]
        self.rows = list(self._rows())
        self.removed = {
            effect.spot
            for owned in self.rows
            for effect in owned.row.effects
            if effect.op == "remove" and effect.spot is not None
        }

    def _add(self, spot: Spot, placement: Placement, hidden: bool) -> None:
        kind = self.kinds.get(placement.kind)
        if kind is not None:
            self.objects.append(Placed(spot, kind, placement, hidden))

    def _rows(self) -> Iterator[Owned]:
        for kind in self.data.kinds:
            spots = tuple(
                spot
                for spot, things in self.at.items()
                if any(thing.kind is kind for thing in things)
            )
            for number, row in enumerate(kind.rows, 1):
                where = f"{kind.name!r}"
                if len(kind.rows) > 1:
                    where += f", {row.verb} no. {number}"
                yield Owned(row, where, spots)
        for number, script in enumerate(self.data.scripts, 1):
            where = f"script {script.name!r}" if script.name else f"script {number}"
            spots = () if script.at is None else (script.at,)
            yield Owned(script.row, where, spots, script.at is None, True)

    def report(self, code: str, message: str) -> None:
        """Add a defect."""
        self.found.append((code, message))

    def is_floor(self, spot: Spot) -> bool:
        """Whether a cell exists and is no wall, objects aside."""
        return self.letters.get(spot, WALL) != WALL

    def can_go(self, thing: Placed) -> bool:
        """Whether anything can ever free the cell of an object."""
        kind = thing.kind
        if not kind.blocks or kind.type == "monster":
            return True
        if any(row.consumes for row in kind.rows):
            return True
        return thing.spot in self.removed
