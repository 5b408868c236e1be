"""Pools: generated floors as files in a folder, drawn once and read many times."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.canonical import canonical_form
from mt_gym.generator.certify import check_certificate
from mt_gym.generator.generate import floor_name, generate
from mt_gym.generator.levels import level_of, size_of
from mt_gym.generator.profile import gateways
from mt_gym.generator.sets import SETS, set_of

MANIFEST: Final = "pool.json"
"""Written last: a folder of floors without it is an unfinished pool."""

FORMAT: Final = 1

_PART: Final = "part"
"""A file that is not written to its end."""


@dataclass(frozen=True)
class Pool:
    """A folder of floors of one level, size and set.

    Attributes:
        folder: where it is; level, size, floors: what is in it.
        forms: canonical form of each floor, by number.
    """

    folder: Path
    level: int
    size: int
    floors: str
    forms: tuple[str, ...]
    _loaded: dict[int, Tower] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.forms)

    def tower(self, number: int) -> Tower:
        """A floor, read once; its certificate is replayed when it is read.

        Raises:
            MtGymError: no such floor, a file that is missing or changed, or one that
                contradicts its certificate.
        """
        if not isinstance(number, int) or not 0 <= number < len(self):
            raise MtGymError(f"{str(self.folder)!r} has no floor {number!r}")
        if number not in self._loaded:
            file = self.folder / floor_file(number)
            if not file.is_file():
                raise MtGymError(
                    f"{floor_file(number)} of {str(self.folder)!r} is missing: "
                    f"{MANIFEST} names {len(self)} floors"
                )
            tower = load(file)
            check_certificate(tower)
            if gateways(tower) != self.size:
                raise MtGymError(
                    f"{floor_file(number)} of {str(self.folder)!r} has "
                    f"{gateways(tower)} gateways, and {MANIFEST} says {self.size}"
                )
            if canonical_form(tower.data) != self.forms[number]:
                raise MtGymError(
                    f"{floor_file(number)} of {str(self.folder)!r} is not the floor "
                    f"that {MANIFEST} names"
                )
            self._loaded[number] = tower
        return self._loaded[number]


def floor_file(number: int) -> str:
    """Name of a floor's file in a pool."""
    return f"{number:06d}.toml"


def write_pool(
    folder: str | Path,
    *,
    level: int,
    size: int | None = None,
    floors: str = "train",
    count: int | None = None,
    apart_from: Sequence[Pool] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Pool:
    """Generate floors into a new folder, or go on with an unfinished pool.

    Args:
        folder: where; it must not exist, be empty, or hold the first floors of the
            same pool and no manifest yet.
        level, size, floors: see `generate`.
        count: how many, the first of the set; None for all of a set that ends.
        apart_from: pools that must hold no twin of a floor.
        progress: called with floors done and wanted.

    Raises:
        MtGymError: as `generate`, a folder in use, a number of floors that the set
            does not have, or a floor with a twin in the set or another pool.
    """
    path = Path(folder)
    own = set_of(floors)
    size = size_of(level_of(level), size)
    wanted = own.count if count is None else count
    if wanted is None:
        raise MtGymError(f"the set {floors!r} has no end: say how many floors")
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
        raise MtGymError(f"count must be an integer >= 1, got {count!r}")
    own.check(wanted - 1)
    begun = unfinished(path)
    empty = not path.exists() or (path.is_dir() and not _names(path))
    if not empty and not begun:
        raise MtGymError(
            f"{str(path)!r} is in use, and not by a pool to be finished: name a new or "
            "an empty folder"
        )
    if begun > wanted:
        raise MtGymError(
            f"{str(path)!r} holds {begun} floors of an unfinished pool already: ask "
            "for as many at least, or name a new folder"
        )
    taken = {form: str(pool.folder) for pool in apart_from for form in pool.forms}
    forms: list[str] = []
    for index in range(wanted):
        name = floor_name(level, size, floors, index)
        if index < begun:
            tower = _kept(path / floor_file(index), name)
        else:
            tower = generate(level, size, floors=floors, index=index)
        form = canonical_form(tower.data)
        if form in taken:
            raise MtGymError(f"{tower.name!r} has a twin in {taken[form]!r}")
        if own.count is not None:
            taken[form] = tower.name
        forms.append(form)
        if index >= begun:
            path.mkdir(parents=True, exist_ok=True)
            _write(path / floor_file(index), tower.to_toml())
        if progress is not None:
            progress(index + 1, wanted)
    about = {
        "format": FORMAT,
        "level": level,
        "size": size,
        "floors": floors,
        "forms": forms,
    }
    _write(path / MANIFEST, json.dumps(about, indent=1) + "\n")
    return Pool(path, level, size, floors, tuple(forms))


def unfinished(folder: str | Path) -> int:
    """How many floors an unfinished pool holds; 0 for any other folder."""
    names = _names(Path(folder)) if Path(folder).is_dir() else set()
    count = len(names)
    return count if names == {floor_file(number) for number in range(count)} else 0


def _names(folder: Path) -> set[str]:
    """Names in a folder, but for what an interrupted write left."""
    return {one.name for one in folder.iterdir()} - {_PART}


def _kept(file: Path, name: str) -> Tower:
    """A floor of an unfinished pool, if it is the one of that name."""
    tower = load(file)
    if tower.name != name:
        raise MtGymError(
            f"{str(file.parent)!r} is an unfinished pool of other floors: it holds "
            f"{tower.name!r} in place of {name!r}; name a new folder"
        )
    check_certificate(tower)
    return tower


def _write(file: Path, text: str) -> None:
    """Write a file so that it is whole or not there."""
    part = file.parent / _PART
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def read_pool(folder: str | Path) -> Pool:
    """The pool in a folder; its floors are read when they are asked for.

    Raises:
        MtGymError: there is no pool, or its manifest is damaged.
    """
    file = Path(folder) / MANIFEST
    try:
        about: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        begun = unfinished(folder)
        if begun:
            raise MtGymError(
                f"{str(folder)!r} is a pool of {begun} floors so far: the command that "
                "began it finishes it"
            ) from error
        raise MtGymError(
            f"{str(folder)!r} is neither a set ({', '.join(SETS)}) nor the folder of a "
            "pool; mt-gym generate --count N --out FOLDER makes one"
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise MtGymError(f"{str(file)!r} cannot be read: {error}") from error
    keys = ("format", "level", "size", "floors", "forms")
    if not isinstance(about, dict) or sorted(about) != sorted(keys):
        raise MtGymError(f"{str(file)!r}: an object with {', '.join(keys)} is expected")
    if about["format"] != FORMAT or not isinstance(about["forms"], list):
        raise MtGymError(f"{str(file)!r}: another format than {FORMAT}")
    level = level_of(about["level"])
    size = size_of(level, about["size"])
    own = set_of(about["floors"])
    forms = tuple(str(form) for form in about["forms"])
    if not forms:
        raise MtGymError(f"{str(file)!r} names no floor")
    for number, form in enumerate(forms):
        if not re.fullmatch("[0-9a-f]+", form) or not own.owns(form):
            raise MtGymError(
                f"{str(file)!r}: floor {number} cannot belong to the set {own.name!r}"
            )
    return Pool(Path(folder), level.number, size, own.name, forms)


def check_disjoint(pools: Iterable[Pool]) -> None:
    """Raise an error if two pools share a floor or a twin of one."""
    seen: dict[str, tuple[str, int]] = {}
    for pool in pools:
        for number, form in enumerate(pool.forms):
            where = seen.get(form)
            if where is not None and where[0] != str(pool.folder):
                raise MtGymError(
                    f"{where[0]!r} and {str(pool.folder)!r} overlap: floors {where[1]} "
                    f"and {number} are the same or twins"
                )
            seen[form] = (str(pool.folder), number)
