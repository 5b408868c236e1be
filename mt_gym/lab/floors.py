"""Floors to learn from and floors to look at, by what a command names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.generate import generate
from mt_gym.generator.levels import LEVELS
from mt_gym.generator.pools import MANIFEST, read_pool
from mt_gym.generator.sets import SETS

LEARNT = "train"
"""The set that may be learnt from; the others are for measuring."""

LOOKED_AT = "validation"
LOOKS = 20
"""Floors of each level that are looked at during a training."""

Progress = Callable[[int, int], None]


def is_set(name: str) -> bool:
    """Whether a name means several generated floors: a set, or a pool's folder."""
    return name in SETS or (Path(name) / MANIFEST).is_file()


def one_floor(name: str) -> Tower:
    """A floor to learn, that fits the batch environment.

    Raises:
        MtGymError: no such floor, one with defects, or one whose optimum nobody knows.
    """
    tower = load(name)
    tower.initial_state()
    if len(tower.floors) > 1:
        raise MtGymError(
            f"{name!r} has {len(tower.floors)} floors; networks are trained on single "
            "floors"
        )
    return tower


def levels_of(text: str) -> tuple[int, ...]:
    """The levels in a text such as `3`, `1-5` or `1-5,8`.

    Raises:
        MtGymError: something else, or a level that does not exist.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            found = []
            break
        found += range(int(first), int(last or first) + 1)
    if not found or len(set(found)) < len(found) or not LEVELS.keys() >= set(found):
        raise MtGymError(
            f"--levels {text!r}: a level or a range from {min(LEVELS)} to "
            f"{max(LEVELS)} such as 1-5 is expected"
        )
    return tuple(found)


def set_floors(
    name: str, levels: tuple[int, ...], count: int, progress: Progress
) -> tuple[list[Tower], list[Tower]]:
    """Floors to learn from, and the validation floors to look at.

    Args:
        name: `train`, or the folder of a pool of its floors.
        levels: of the set; a pool has its own.
        count: floors of each level; of a pool at most.
        progress: told of floors made, and wanted.

    Raises:
        MtGymError: a set or pool that is there to measure with.
    """
    towers: list[Tower] = []
    if name in SETS:
        _refuse_measuring(name, name)
        wanted = count * len(levels)
        for index in range(count):
            for level in levels:
                towers.append(generate(level, floors=name, index=index))
                progress(len(towers), wanted)
        return towers, looked_at(levels)
    pool = read_pool(name)
    _refuse_measuring(pool.floors, name)
    for number in range(min(count, len(pool))):
        towers.append(pool.tower(number))
        progress(number + 1, min(count, len(pool)))
    return towers, looked_at((pool.level,), pool.size)


def looked_at(levels: tuple[int, ...], size: int | None = None) -> list[Tower]:
    """The validation floors that are looked at."""
    return [
        generate(level, size, floors=LOOKED_AT, index=index)
        for level in levels
        for index in range(LOOKS)
    ]


def _refuse_measuring(floors: str, name: str) -> None:
    if floors != LEARNT:
        raise MtGymError(
            f"{name!r} holds floors of the set {floors!r}, which is there to measure "
            f"with: learn from {LEARNT!r}, or from a pool of its floors"
        )
