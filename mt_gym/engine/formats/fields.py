"""Typed access to the tables of a map file.

Every read says what it expects; what does not fit becomes a `MapError` with the
file, the place in it, what is wrong and what is allowed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from mt_gym.engine.kinds import RESOURCES, Amounts, Ratio, Spot, amounts
from mt_gym.errors import MapError

_CELL = re.compile(r"(\d+),(\d+)")

LIMIT = 10**18
"""No number of a map file may reach it, so that sums and products stay countable."""


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the closest allowed name, or nothing."""
    near = difflib.get_close_matches(name, list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def listed(names: Iterable[str]) -> str:
    """Names for a sentence: `a, b, c`, or `none`."""
    return ", ".join(names) or "none"


class Fields:
    """One table, with the place where it stands.

    Args:
        values: what the TOML reader returned; anything but a table is refused.
        place: where it stands, for messages (`[monsters] 'Bat'`).
        path: the file.
        allowed: keys that may stand in it; None where keys are names.
        floor: floor of spots that name none; empty if they must name one.
    """

    def __init__(
        self,
        values: object,
        place: str,
        path: str,
        allowed: Sequence[str] | None,
        floor: str = "",
    ) -> None:
        self.place, self.path, self.floor = place, path, floor
        if not isinstance(values, dict):
            raise self.error(f"a table is expected, not {_shown(values)}")
        self.values: dict[str, object] = values
        if allowed is not None:
            for key in values:
                if key not in allowed:
                    raise self.error(
                        f"unknown key {key!r}{did_you_mean(key, allowed)} "
                        f"(allowed: {listed(allowed)})"
                    )

    def error(self, message: str) -> MapError:
        """The error to raise for this table."""
        return MapError(
            f"{self.place}: {message}" if self.place else message, self.path
        )

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def _get(self, key: str) -> object:
        if key not in self.values:
            raise self.error(f"{key!r} is missing")
        return self.values[key]

    def _wrong(self, key: str, expected: str, found: object) -> MapError:
        return self.error(f"{key!r} must be {expected}, not {_shown(found)}")

    def text(self, key: str, default: str | None = None) -> str:
        """A string; required unless there is a default."""
        if default is not None and key not in self.values:
            return default
        found = self._get(key)
        if not isinstance(found, str):
            raise self._wrong(key, "a string", found)
        return found

    def integer(self, key: str, default: int | None = None) -> int:
        """An integer; required unless there is a default."""
        if default is not None and key not in self.values:
            return default
        found = self._get(key)
        if isinstance(found, bool) or not isinstance(found, int):
            raise self._wrong(key, "an integer", found)
        if abs(found) >= LIMIT:
            raise self._wrong(key, "an integer of at most 18 digits", found)
        return found

    def optional_integer(self, key: str) -> int | None:
        """An integer, or None if it is not named."""
        return self.integer(key) if key in self.values else None

    def truth(self, key: str, default: bool) -> bool:
        """`true` or `false`."""
        found = self.values.get(key, default)
        if not isinstance(found, bool):
            raise self._wrong(key, "true or false", found)
        return found

    def ratio(self, key: str) -> Ratio | None:
        """A share `[numerator, denominator]`, or None if it is not named."""
        if key not in self.values:
            return None
        found = self.values[key]
        expected = "a ratio of two integers such as [1, 4]"
        if not isinstance(found, list) or len(found) != 2:
            raise self._wrong(key, expected, found)
        num, den = found
        for part in (num, den):
            if isinstance(part, bool) or not isinstance(part, int):
                raise self._wrong(key, expected, found)
        return int(num), int(den)

    def items(self, key: str) -> list[object]:
        """A list; empty if it is not named."""
        found = self.values.get(key, [])
        if not isinstance(found, list):
            raise self._wrong(key, "a list", found)
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty if it is not named."""
        found = self.items(key)
        for item in found:
            if not isinstance(item, str):
                raise self._wrong(key, "a list of strings", item)
        return tuple(str(item) for item in found)

    def spot(self, key: str) -> Spot:
        """A cell such as `MT3:5,4`, or `5,4` where the floor is clear."""
        return self.parse_spot(self.text(key), key)

    def spots(self, key: str) -> tuple[Spot, ...]:
        """A list of cells; empty if it is not named."""
        return tuple(self.parse_spot(text, key) for text in self.texts(key))

    def parse_spot(self, text: str, key: str) -> Spot:
        """The cell that a text names."""
        floor, colon, cell = text.rpartition(":")
        match = _CELL.fullmatch(cell)
        if match is None or (colon and not floor):
            raise self._wrong(
                key, "a cell: floor, column and row such as 'MT3:5,4'", text
            )
        if not colon:
            if not self.floor:
                raise self.error(
                    f"{key!r}: the cell {text!r} must name its floor ('MT3:{cell}')"
                )
            floor = self.floor
        return Spot(floor, int(match[1]), int(match[2]))

    def amounts(self, key: str) -> Amounts:
        """A table of resources; empty if it is not named."""
        if key not in self.values:
            return ()
        inner = self.table(key, RESOURCES)
        return inner.resources()

    def resources(self) -> Amounts:
        """The resources that stand directly in this table."""
        return amounts({n: self.integer(n) for n in RESOURCES if n in self.values})

    def table(self, key: str, allowed: Sequence[str] | None) -> Fields:
        """An inner table; an empty one if it is not named."""
        place = f"{self.place}, {key!r}" if self.place else f"[{key}]"
        return Fields(self.values.get(key, {}), place, self.path, allowed, self.floor)

    def tables(self, key: str, allowed: Sequence[str]) -> list[Fields]:
        """An array of tables; empty if it is not named."""
        return [
            Fields(
                item,
                f"{self.place}, {key!r} no. {number}"
                if self.place
                else f"[[{key}]] no. {number}",
                self.path,
                allowed,
                self.floor,
            )
            for number, item in enumerate(self.items(key), 1)
        ]

    def named(self, key: str, allowed: Sequence[str]) -> Iterator[tuple[str, Fields]]:
        """The tables of a section whose keys are names, in file order."""
        section = self.table(key, None)
        for name, values in section.values.items():
            place = f"{section.place} {name!r}"
            yield name, Fields(values, place, self.path, allowed, self.floor)


def _shown(value: object) -> str:
    """A value with the name of its type, for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return (
            f"the float {value!r} (every number is an integer; a share is a ratio "
            "such as [1, 4])"
        )
    if isinstance(value, dict):
        return "a table"
    return repr(value)
