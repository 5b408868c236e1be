"""Find, read and compile a map: a shipped one by name, or any file by its path."""

from __future__ import annotations

import difflib
import importlib.resources
from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, NamedTuple

from mt_gym.engine.formats import mt, text, toml
from mt_gym.engine.kinds import TowerData
from mt_gym.engine.tower import Tower
from mt_gym.errors import MapError, MtGymError, UnknownFloor


class Format(NamedTuple):
    """How files of one suffix are read.

    Attributes:
        load: reads a file; `loads`: reads a text.
    """

    load: Callable[[Path], TowerData]
    loads: Callable[[str], TowerData]


FORMATS: Final[dict[str, Format]] = {
    "toml": Format(toml.load, toml.loads),
    "txt": Format(text.load, text.loads),
    "mt": Format(mt.load, mt.loads),
}
"""Formats by name, which is also the suffix of their files."""


def load(name_or_path: str | Path) -> Tower:
    """A shipped map by its name, or the map in a file.

    A text with a separator or a known suffix is a path, anything else a name.

    >>> load("simple").name
    'simple'

    Raises:
        UnknownFloor: no map of that name is shipped and there is no such file.
        MapError: the file is not a map.
    """
    path = Path(name_or_path)
    suffix = path.suffix.removeprefix(".").lower()
    is_path = (
        isinstance(name_or_path, Path) or suffix in FORMATS or path.name != str(path)
    )
    if not is_path and str(name_or_path) in shipped():
        return Tower(_shipped_data(str(name_or_path)))
    if not path.is_file():
        near = difflib.get_close_matches(str(name_or_path), shipped(), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownFloor(
            f"no shipped floor and no file {str(name_or_path)!r}{hint} "
            f"(shipped: {', '.join(shipped()) or 'none'})"
        )
    if suffix not in FORMATS:
        allowed = ", ".join(f".{name}" for name in FORMATS)
        raise MapError(
            f"unknown suffix {path.suffix!r} (allowed: {allowed})", str(path)
        )
    return Tower(FORMATS[suffix].load(path))


def loads(text: str, format: str = "toml") -> Tower:
    """The map in a text.

    Raises:
        MapError: the text is not a map of that format.
        MtGymError: there is no such format.
    """
    if format not in FORMATS:
        raise MtGymError(
            f"unknown map format {format!r} (allowed: {', '.join(FORMATS)})"
        )
    return Tower(FORMATS[format].loads(text))


def shipped() -> tuple[str, ...]:
    """Names of the shipped maps, in alphabetical order."""
    names = []
    for entry in importlib.resources.files("mt_gym.floors").iterdir():
        if entry.name.endswith(".toml"):
            names.append(entry.name.removesuffix(".toml"))
        elif entry.is_dir() and entry.joinpath(f"{entry.name}.toml").is_file():
            names.append(entry.name)
    return tuple(sorted(names))


def _shipped_data(name: str) -> TowerData:
    folder: Traversable = importlib.resources.files("mt_gym.floors")
    if folder.joinpath(name).is_dir():
        folder = folder.joinpath(name)

    def read(file: str) -> str:
        return folder.joinpath(file).read_text(encoding="utf-8")

    return toml.loads(read(f"{name}.toml"), f"{name}.toml", read)
