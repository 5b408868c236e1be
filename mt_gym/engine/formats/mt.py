"""Reader of the `.mt` format: floors of 15 x 15 cells with tools, crystals, portals.

Whitespace-separated integers: thresholds, hero, units, maps, enemies, portals.  At
any time 100 gold buys ATK, DEF or MDEF; walls break where pickaxes can exist; the
flag is the goal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from mt_gym.engine.formats.drawing import (
    GROUND,
    START,
    WALL,
    Cell,
    Cells,
    drawn,
    note_about,
    without_walled_off,
)
from mt_gym.engine.formats.mt_kinds import (
    BREAKABLE,
    EMPTY,
    ENEMIES,
    FLAG,
    PICKAXE,
    PORTAL_NOTE,
    SOLID,
    enemy_kind,
    flag_kind,
    item_kind,
    shop_kind,
)
from mt_gym.engine.formats.numbers import Number, Numbers, read_text
from mt_gym.engine.formats.text import settings_for
from mt_gym.engine.kinds import Goal, Kind, Placement, Spot, TowerData, amounts
from mt_gym.errors import MapError

SIDE: Final = 15
"""Columns and rows of every floor."""

DOORS: Final = {96: "Yellow Door", 97: "Blue Door", 98: "Red Door"}
THRESHOLDS: Final = 6
ALL_SPECIALS: Final = 0xFF


def load(path: Path | str, *, play_on: bool = False) -> TowerData:
    """Read a file; its name without suffix names the map.

    Args:
        path: the file.
        play_on: as in `loads`.

    Raises:
        MapError: the file is not a map of this format.
    """
    return loads(read_text(path), str(path), Path(path).stem, play_on=play_on)


def loads(
    text: str, path: str = "<text>", name: str = "map", *, play_on: bool = False
) -> TowerData:
    """Read a map from its text.

    Args:
        text: the whole file.
        path: its name in messages.
        name: name of the tower.
        play_on: the flag does not stand in the way and can be walked over without
            taking it, as in the foreign program, where play goes on afterwards.

    Raises:
        MapError: with line and column of the number that is wrong; for a cell also
            with floor, row and column, counted from 0 as in the file itself.
    """
    return _Reader(Numbers(text, path), play_on).tower(name)


class _Reader:
    """Reads one file: first all numbers in their order, then what they mean."""

    def __init__(self, numbers: Numbers, play_on: bool) -> None:
        self.numbers, self.play_on = numbers, play_on
        take, values = numbers.take, numbers.values
        self.thresholds = [
            take(f"score threshold {number + 1}").value for number in range(THRESHOLDS)
        ]
        self.hero = dict(
            zip(
                ("hp", "atk", "def", "mdef", "yellow", "blue", "red"),
                [
                    take("the hero's HP", 1).value,
                    *values("the hero", "ATK DEF MDEF yellow-keys blue-keys red-keys"),
                ],
                strict=True,
            )
        )
        bag = values("the hero", "gold tokens pickaxes bombs")
        self.hero |= dict(zip(("gold", "token", "pickaxe", "bomb"), bag, strict=True))
        self.start = [
            take(f"the {what} of the start", 0) for what in ("x", "y", "floor")
        ]
        maps = take("the number of maps", 1).value
        enemies = take("the number of enemies", 0).value
        portals = take("the number of portals", 0).value
        self.units = values("the unit", "HP ATK DEF MDEF")
        self.codes = [
            [numbers.row(f"map {z}, row {y}", SIDE) for y in range(SIDE)]
            for z in range(maps)
        ]
        self.enemies = [self._enemy(number) for number in range(enemies)]
        self.portals: list[tuple[Spot, Spot]] = []
        self._portals(portals)
        rest = numbers.remainder()
        if rest:
            raise numbers.error(f"the map is complete, but {rest[:20]!r} follows")

    def tower(self, name: str) -> TowerData:
        """The tower that the numbers say."""
        self._check_start()
        self._check_flag()
        codes = [number.value for grid in self.codes for row in grid for number in row]
        self.breakable = bool(self.hero["pickaxe"]) or PICKAXE in codes
        self._placed: dict[int, Kind] = {}
        cells: list[Cells] = [
            [
                [self._cell(z, y, x, number) for x, number in enumerate(row)]
                for y, row in enumerate(grid)
            ]
            for z, grid in enumerate(self.codes)
        ]
        kinds = [self._placed[code] for code in sorted(self._placed)]
        shop = shop_kind(self.units[1:]) if self._gold_exists(kinds) else None
        goal, words = self._goal()
        portals, notes = self._open_portals(cells)
        data = TowerData(
            name=name,
            hero=amounts(self.hero),
            floors=drawn(cells),
            goal=Goal(goal, "Flag", text=words),
            kinds=(*kinds, *([shop] if shop else [])),
            portals=portals,
            settings=settings_for(len(cells)),
        )
        data, walled_off = without_walled_off(data)
        notes += [f"Left out, walled off: {place}." for place in walled_off]
        scores = "Score thresholds: " + " ".join(map(str, self.thresholds)) + "."
        return replace(data, about=note_about(scores, notes))

    def _goal(self) -> tuple[str, str]:
        words = "Take the flag and keep as much HP as you can."
        return ("reach" if self.play_on else "take"), words

    # -- sections --------------------------------------------------------------

    def _enemy(self, number: int) -> Kind:
        owner = f"enemy {number}"
        hp = self.numbers.take(f"{owner}'s HP", 1).value
        atk, defense, gold = self.numbers.values(owner, "ATK DEF gold")
        special = self.numbers.take(f"{owner}'s special", 0)
        if special.value > ALL_SPECIALS:
            raise self.numbers.error(
                f"{owner}: unknown special {special.value} (allowed: 0 to "
                f"{ALL_SPECIALS}: 1 to 15 more hits, 16 magic, 32 solid, 64 first "
                "strike, 128 boss)",
                special,
            )
        return enemy_kind(number, (hp, atk, defense, gold), special.value)

    def _portals(self, count: int) -> None:
        cells = len(self.codes) * SIDE * SIDE
        used: dict[int, int] = {}
        for number in range(1, count + 1):
            ends = [self.numbers.take(f"an end of portal {number}", 0) for _ in "ab"]
            for end in ends:
                if end.value >= cells:
                    raise self.numbers.error(
                        f"portal {number}: there is no cell {end.value} (allowed: 0 "
                        f"to {cells - 1})",
                        end,
                    )
                if end.value in used:
                    raise self.numbers.error(
                        f"portal {number}: cell {end.value} is already an end of "
                        f"portal {used[end.value]}",
                        end,
                    )
                used[end.value] = number
            self.portals.append((_spot(ends[0].value), _spot(ends[1].value)))

    def _open_portals(
        self, cells: list[Cells]
    ) -> tuple[tuple[tuple[Spot, Spot], ...], list[str]]:
        """The portals that can be used, and notes of those that end in a wall."""
        found, notes = [], []
        for pair in self.portals:
            signs = [cells[int(end.floor[2:])][end.y][end.x] for end in pair]
            if WALL in signs:
                notes.append(PORTAL_NOTE.format(*pair))
            else:
                found.append(pair)
        return tuple(found), notes

    # -- cells -----------------------------------------------------------------

    def _error(self, z: int, y: int, x: int, message: str) -> MapError:
        return self.numbers.error(
            f"map {z}, row {y}, column {x}: {message}", self.codes[z][y][x]
        )

    def _check_start(self) -> None:
        sizes = (SIDE, SIDE, len(self.codes))
        for number, size, what in zip(
            self.start, sizes, ("x", "y", "floor"), strict=True
        ):
            if number.value >= size:
                raise self.numbers.error(
                    f"the {what} of the start is {number.value} (allowed: 0 to "
                    f"{size - 1})",
                    number,
                )
        x, y, z = (number.value for number in self.start)
        code = self.codes[z][y][x].value
        if code != EMPTY:
            raise self._error(z, y, x, f"the hero starts on {code} (allowed: 0, floor)")

    def _check_flag(self) -> None:
        found = [
            (z, y, x)
            for z, grid in enumerate(self.codes)
            for y, row in enumerate(grid)
            for x, number in enumerate(row)
            if number.value == FLAG
        ]
        if not found:
            raise MapError(f"no map has a flag ({FLAG})", self.numbers.path)
        if len(found) > 1:
            first = "map {}, row {}, column {}".format(*found[0])
            raise self._error(*found[1], f"a second flag ({FLAG}); one is on {first}")

    def _cell(self, z: int, y: int, x: int, number: Number) -> Cell:
        code = number.value
        if [x, y, z] == [place.value for place in self.start]:
            return START
        if code == EMPTY:
            return GROUND
        if code == SOLID or (code == BREAKABLE and not self.breakable):
            return WALL
        if code == BREAKABLE:
            return Placement("Breakable Wall")
        if code in DOORS:
            return Placement(DOORS[code])
        kind = self._placed.get(code) or self._kind(z, y, x, code)
        if kind is None:
            return GROUND
        self._placed[code] = kind
        return Placement(kind.name)

    def _kind(self, z: int, y: int, x: int, code: int) -> Kind | None:
        """The kind of a cell's object; None for a crystal or potion of unit 0."""
        if code >= ENEMIES:
            if code - ENEMIES < len(self.enemies):
                return self.enemies[code - ENEMIES]
            raise self._error(
                z,
                y,
                x,
                f"enemy {code - ENEMIES} ({code}) is not in the list of "
                f"{len(self.enemies)}",
            )
        if code == FLAG:
            return flag_kind(self.play_on)
        if 8 <= code <= PICKAXE + 1:
            return item_kind(code, self.units)
        raise self._error(
            z,
            y,
            x,
            f"unknown cell {code} (allowed: 0, 8 to 63, 96 to 100, 128 and more)",
        )

    def _gold_exists(self, kinds: Iterable[Kind]) -> bool:
        return (
            bool(self.hero["gold"])
            or any("gold" in dict(row.gain) for kind in kinds for row in kind.rows)
            or any(values.gold for kind in kinds for values in kind.values)
        )


def _spot(cell: int) -> Spot:
    """The cell of a number: map * 225 + y * 15 + x."""
    z, rest = divmod(cell, SIDE * SIDE)
    y, x = divmod(rest, SIDE)
    return Spot(f"MT{z}", x, y)
