"""Reader of the text format of the magic-tower-AI programs: files named `.txt`.

Whitespace-separated integers: floors, item values, monsters, one shop, the hero.
Words after the last number describe the map.  Where the programs of the format
count a fight differently, our rules stand and the map's `about` notes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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
from mt_gym.engine.formats.numbers import Number, Numbers, read_text
from mt_gym.engine.formats.text_abilities import (
    ABILITY_CODES,
    abilities_of,
    differences,
    unpacked,
)
from mt_gym.engine.formats.text_codes import (
    ALLOWED_CELLS,
    BOSS,
    DOOR_CODES,
    DOWN,
    FIRST_MONSTER,
    FLOOR,
    ITEM_CODES,
    KEY_CODES,
    NO_SHOP,
    SHOP,
    SOLID_WALL,
    UP,
)
from mt_gym.engine.formats.text_write import dumps
from mt_gym.engine.kinds import (
    Abilities,
    Goal,
    Kind,
    Placement,
    Row,
    Settings,
    Stats,
    TowerData,
    amounts,
)
from mt_gym.errors import MapError

__all__ = ["dumps", "load", "loads"]


def load(path: Path | str) -> TowerData:
    """Read a file in UTF-8 or GB18030; its name without suffix names the map.

    Raises:
        MapError: the file is not a map of the text format.
    """
    return loads(read_text(path), str(path), Path(path).stem)


def loads(text: str, path: str = "<text>", name: str = "map") -> TowerData:
    """Read a map from its text.

    Args:
        text: the whole file.
        path: its name in messages.
        name: name of the tower.

    Raises:
        MapError: with line and column of the number that is wrong; for a cell also
            with floor, row and column, counted from 0 as in the file itself.
    """
    return _Reader(Numbers(text, path)).tower(name)


class _Reader:
    """Reads one file: first all numbers in their order, then what they mean."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        count = numbers.take("the number of floors", 1).value
        rows = numbers.take("the number of rows", 1).value
        columns = numbers.take("the number of columns", 1).value
        self.codes = [
            [numbers.row(f"floor {z}, row {y}", columns) for y in range(rows)]
            for z in range(count)
        ]
        self.item_values = {
            code: numbers.take(f"the value of {code} ({item.name})", 0).value
            for code, item in ITEM_CODES.items()
        }
        self.notes: list[str] = []
        self.monsters: dict[int, Kind] = {}
        for number in range(numbers.take("the number of monsters", 0).value):
            self._monster(f"monster {number + 1}")
        self.shop = self._shop()
        self.hero = numbers.values("the hero", "HP", 1) + numbers.values(
            "the hero", "ATK DEF MDEF gold yellow-keys blue-keys red-keys"
        )
        self.start = tuple(
            numbers.take(f"the {what} of the start", 0)
            for what in ("floor", "row", "column")
        )
        self.about = numbers.remainder()

    def tower(self, name: str) -> TowerData:
        """The tower that the numbers say."""
        self._check_start()
        self._check_stairs()
        self._only(BOSS, "a boss")
        self._placed: dict[int, Kind] = {}
        cells: list[Cells] = [
            [
                [self._cell(z, y, x, code) for x, code in enumerate(row)]
                for y, row in enumerate(grid)
            ]
            for z, grid in enumerate(self.codes)
        ]
        names = ("hp", *("atk", "def", "mdef", "gold", "yellow", "blue", "red"))
        kinds = tuple(self._placed[code] for code in sorted(self._placed))
        data = TowerData(
            name=name,
            hero=amounts(dict(zip(names, self.hero, strict=True))),
            floors=drawn(cells),
            goal=Goal("defeat", self.monsters[BOSS].name),
            kinds=kinds,
            settings=settings_for(len(cells)),
        )
        data, walled_off = without_walled_off(data)
        notes = [
            note
            for code, kind in self.monsters.items()
            if code in self._placed
            for note in differences(kind)
        ]
        notes += [f"Left out, walled off: {place}." for place in walled_off]
        about = note_about(self.about, [*self.notes, *notes])
        return replace(data, about=about)

    # -- sections --------------------------------------------------------------

    def _monster(self, owner: str) -> None:
        take = self.numbers.take
        code = take(f"{owner}'s id", FIRST_MONSTER)
        if code.value in self.monsters:
            raise self.numbers.error(
                f"{owner}: the id {code.value} is there twice", code
            )
        hp = take(f"{owner}'s HP", 1).value
        atk, defense, gold = self.numbers.values(owner, "ATK DEF gold")
        special = take(f"{owner}'s special", 0)
        self.monsters[code.value] = Kind(
            "Boss" if code.value == BOSS else f"Monster {code.value}",
            "monster",
            values=(Stats(hp, atk, defense, gold),),
            abilities=self._abilities(owner, special),
            boss=code.value == BOSS,
        )

    def _abilities(self, owner: str, special: Number) -> Abilities:
        unknown = [c for c in unpacked(special.value) if c not in ABILITY_CODES]
        if unknown:
            allowed = ", ".join(f"{c} {n}" for c, n in ABILITY_CODES.items())
            raise self.numbers.error(
                f"{owner}: unknown special {unknown[0]} in {special.value} (allowed: "
                f"{allowed}; several packed base 100)",
                special,
            )
        return abilities_of(special.value)

    def _shop(self) -> Kind | None:
        """The shop; None if all its numbers are 0, or its price says there is none."""
        first = self.numbers.take("the shop's start price", 0)
        delta = self.numbers.take("the shop's price growth", 0).value
        offers = self.numbers.values("the shop", "HP ATK DEF MDEF")
        if first.value == NO_SHOP or not any((first.value, delta, *offers)):
            return None
        if first.value == 0 or not any(offers):
            what = "sells for nothing" if any(offers) else "has nothing to sell"
            raise self.numbers.error(
                f"the shop {what} (no shop: all zeros, or {NO_SHOP} first)", first
            )
        rows = tuple(
            Row(
                "buy",
                cost=(("gold", first.value),),
                gain=((resource, value),),
                growth=delta,
                consumes=False,
            )
            for resource, value in zip(
                ("hp", "atk", "def", "mdef"), offers, strict=True
            )
            if value
        )
        return Kind("Shop", "shop", rows)

    # -- cells -----------------------------------------------------------------

    def _error(self, z: int, y: int, x: int, message: str) -> MapError:
        return self.numbers.error(
            f"floor {z}, row {y}, column {x}: {message}", self.codes[z][y][x]
        )

    def _all(self, wanted: int) -> Iterator[tuple[int, int, int]]:
        for z, grid in enumerate(self.codes):
            for y, row in enumerate(grid):
                for x, code in enumerate(row):
                    if code.value == wanted:
                        yield z, y, x

    def _only(self, code: int, what: str) -> None:
        """Exactly one cell of this code."""
        found = list(self._all(code))
        if not found:
            raise MapError(f"no floor has {what} ({code})", self.numbers.path)
        if len(found) > 1:
            first = "floor {}, row {}, column {}".format(*found[0])
            raise self._error(*found[1], f"{what} ({code}) again; one is on {first}")

    def _check_start(self) -> None:
        sizes = (len(self.codes), len(self.codes[0]), len(self.codes[0][0]))
        names = ("floor", "row", "column")
        for number, size, what in zip(self.start, sizes, names, strict=True):
            if number.value >= size:
                raise self.numbers.error(
                    f"the {what} of the start is {number.value} (allowed: 0 to "
                    f"{size - 1})",
                    number,
                )
        z, y, x = (number.value for number in self.start)
        code = self.codes[z][y][x].value
        if code != FLOOR:
            raise self._error(z, y, x, f"the hero starts on {code} (allowed: 0, floor)")

    def _check_stairs(self) -> None:
        """Each staircase has its other end on the next floor."""
        ends: dict[tuple[int, int], tuple[int, int, int]] = {}
        for code in (UP, DOWN):
            for place in self._all(code):
                if (place[0], code) in ends:
                    raise self._error(*place, f"the floor has {code} twice")
                ends[place[0], code] = place
        for (z, code), place in ends.items():
            other, back = (z + 1, DOWN) if code == UP else (z - 1, UP)
            if (other, back) not in ends:
                raise self._error(
                    *place, f"stairs ({code}) to floor {other}, which has no {back}"
                )

    def _cell(self, z: int, y: int, x: int, number: Number) -> Cell:
        code = number.value
        if (z, y, x) == tuple(place.value for place in self.start):
            return START
        if code in (FLOOR, SOLID_WALL):
            return GROUND if code == FLOOR else WALL
        if code in DOOR_CODES:
            return Placement(f"{DOOR_CODES[code].title()} Door")
        if code == UP:
            return Placement("Stairs Up", f"MT{z + 1}", "up")
        if code == DOWN:
            return Placement("Stairs Down", f"MT{z - 1}", "down")
        kind = self._placed.get(code) or self._kind(z, y, x, code)
        if kind is None:
            return GROUND
        self._placed[code] = kind
        return Placement(kind.name)

    def _kind(self, z: int, y: int, x: int, code: int) -> Kind | None:
        """The kind of a cell's object; None for an item that gives nothing."""
        if code in KEY_CODES:
            colour = KEY_CODES[code]
            gain = ((colour, 1),)
            row = Row("collect", gain=gain)
            return Kind(f"{colour.title()} Key", "item", (row,), category="key")
        if code in ITEM_CODES:
            item, value = ITEM_CODES[code], self.item_values[code]
            if not value:
                note = f"{item.name} ({code}) gives nothing here; its cells are floor."
                if note not in self.notes:
                    self.notes.append(note)
                return None
            row = Row("collect", gain=((item.resource, value),))
            return Kind(item.name, "item", (row,), category=item.category)
        if code == SHOP:
            if self.shop is None:
                raise self._error(z, y, x, "a shop (40), but the file sells nothing")
            return self.shop
        if code < FIRST_MONSTER:
            raise self._error(
                z, y, x, f"unknown cell {code} (allowed: {ALLOWED_CELLS})"
            )
        if code not in self.monsters:
            listed = ", ".join(map(str, self.monsters)) or "none"
            raise self._error(
                z, y, x, f"monster {code} is not in the list of monsters ({listed})"
            )
        return self.monsters[code]


def settings_for(floors: int) -> Settings:
    """Turn limit, lookahead and share: those of a floor, or of a tower of floors."""
    return Settings() if floors == 1 else Settings(5000, 2, (3, 5))
