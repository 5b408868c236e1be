"""Pools: generated floors as files in a folder, drawn once and read many times."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.canonical import canonical_form
from mt_gym.generator.certify import check_certificate
from mt_gym.generator.generate import generate
from mt_gym.generator.levels import level_of, size_of
from mt_gym.generator.sets import SETS, set_of

MANIFEST: Final = "pool.json"
FORMAT: Final = 1


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
        if not 0 <= number < len(self):
            raise MtGymError(f"{str(self.folder)!r} has no floor {number!r}")
        if number not in self._loaded:
            tower = load(self.folder / floor_file(number))
            check_certificate(tower)
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
    """Generate floors into a new folder.

    Args:
        folder: where; it must not exist, or be empty.
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
    gateways = size_of(level_of(level), size)
    wanted = own.count if count is None else count
    if wanted is None:
        raise MtGymError(f"the set {floors!r} has no end: say how many floors")
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
        raise MtGymError(f"count must be an integer >= 1, got {count!r}")
    own.check(wanted - 1)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise MtGymError(f"{str(path)!r} is in use: name a new or an empty folder")
    path.mkdir(parents=True, exist_ok=True)
    taken = {form: str(pool.folder) for pool in apart_from for form in pool.forms}
    forms: list[str] = []
    for index in range(wanted):
        tower = generate(level, gateways, floors=floors, index=index)
        form = canonical_form(tower.data)
        if form in taken:
            raise MtGymError(f"{tower.name!r} has a twin in {taken[form]!r}")
        if own.count is not None:
            taken[form] = tower.name
        forms.append(form)
        (path / floor_file(index)).write_text(tower.to_toml(), encoding="utf-8")
        if progress is not None:
            progress(index + 1, wanted)
    about = {
        "format": FORMAT,
        "level": level,
        "size": gateways,
        "floors": floors,
        "forms": forms,
    }
    (path / MANIFEST).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return Pool(path, level, gateways, floors, tuple(forms))


def read_pool(folder: str | Path) -> Pool:
    """The pool in a folder; its floors are read when they are asked for.

    Raises:
        MtGymError: there is no pool, or its manifest is damaged.
    """
    file = Path(folder) / MANIFEST
    try:
        about: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise MtGymError(
            f"{str(folder)!r} is neither a set ({', '.join(SETS)}) nor the folder of a "
            "pool; mt-gym generate --count N --out FOLDER makes one"
        ) from error
    except (OSError, ValueError) as error:
        raise MtGymError(f"{str(file)!r} cannot be read: {error}") from error
    keys = ("format", "level", "size", "floors", "forms")
    if not isinstance(about, dict) or sorted(about) != sorted(keys):
        raise MtGymError(f"{str(file)!r}: an object with {', '.join(keys)} is expected")
    if about["format"] != FORMAT or not isinstance(about["forms"], list):
        raise MtGymError(f"{str(file)!r}: another format than {FORMAT}")
    level = level_of(about["level"])
    size = size_of(level, about["size"])
    forms = tuple(str(form) for form in about["forms"])
    if not forms:
        raise MtGymError(f"{str(file)!r} names no floor")
    return Pool(Path(folder), level.number, size, set_of(about["floors"]).name, forms)


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
