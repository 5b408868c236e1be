"""The numbers of a foreign map file, each with its place in the file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from mt_gym.errors import MapError

_WORD = re.compile(r"\S+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


class Number(NamedTuple):
    """An integer of a file; line and column count from 1."""

    value: int
    line: int
    column: int


class Numbers:
    """Takes the integers of a text one by one; whitespace of any kind parts them.

    Args:
        text: the whole text.
        path: its name in messages.
    """

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self._position = 0
        self._line = 1
        self._line_start = 0
        self._broken_row = ""

    def error(self, message: str, at: Number | None = None) -> MapError:
        """The error to raise, at a number or at the current end."""
        if at is None:
            at = self._place(0, self._position)
        return MapError(message + self._broken_row, self.path, at.line, at.column)

    def take(self, what: str, least: int | None = None) -> Number:
        """The next integer.

        Args:
            what: names it in messages ("the hero's ATK").
            least: the smallest value allowed.

        Raises:
            MapError: the text ends, the next word is no integer of at most 18
                digits, or it is too small.
        """
        match = _WORD.search(self.text, self._position)
        if match is None:
            self._position = len(self.text.rstrip())
            raise self.error(f"the file ends where {what} is expected")
        word = match[0]
        number = self._place(0, match.start())
        if not _INTEGER.fullmatch(word):
            shown = word if len(word) <= 20 else word[:17] + "..."
            raise self.error(
                f"{shown!r} stands where {what} is expected (allowed: an integer of "
                "at most 18 digits)",
                number,
            )
        self._position = match.end()
        number = number._replace(value=int(word))
        if least is not None and number.value < least:
            raise self.error(
                f"{what} is {number.value} (allowed: {least} or more)", number
            )
        return number

    def values(self, owner: str, names: str, least: int | None = 0) -> list[int]:
        """One integer per word of `names`, in their order."""
        return [self.take(f"{owner}'s {name}", least).value for name in names.split()]

    def row(self, owner: str, columns: int) -> list[Number]:
        """The cells of one row of a map.

        Lines mean nothing, but the first row that does not end on its line is named
        in all later errors: a row of another length moves every number after it.

        Args:
            owner: names the row in messages ("floor 0, row 3").
        """
        cells = [
            self.take(f"the cell of {owner}, column {x}", 0) for x in range(columns)
        ]
        first, last = cells[0].line, cells[-1].line
        if first != last and not self._broken_row:
            self._broken_row = (
                f"; {owner} goes from line {first} to line {last}: does a row there "
                f"not have {columns} cells?"
            )
        return cells

    def remainder(self) -> str:
        """The words after the last number taken; a further number is an error."""
        rest = self.text[self._position :]
        match = _WORD.search(self.text, self._position)
        if match is not None and _INTEGER.fullmatch(match[0]):
            place = self._place(int(match[0]), match.start())
            raise self.error(
                f"the map is complete, but the number {match[0]} follows", place
            )
        return rest.strip()

    def _place(self, value: int, position: int) -> Number:
        """Line and column of a position; positions only grow."""
        end = self.text.find("\n", self._line_start, position)
        while end >= 0:
            self._line += 1
            self._line_start = end + 1
            end = self.text.find("\n", self._line_start, position)
        return Number(value, self._line, position - self._line_start + 1)


def read_text(path: Path | str) -> str:
    """The text of a file in UTF-8, with or without a mark, or in GB18030.

    Raises:
        MapError: the file cannot be read, or is in neither encoding.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise MapError(error.strerror or str(error), str(path)) from error
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise MapError("neither UTF-8 nor GB18030", str(path))
