"""Levels of generated floors: what is drawn, and which measured profile is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mt_gym.engine.generate import SHAPES, Recipe
from mt_gym.errors import MtGymError
from mt_gym.generator.profile import Profile

Range = tuple[int, int]
"""Least and most, both allowed."""

SIZES: Final[Range] = (4, 40)
"""Gateways that can be asked for."""

_ANY: Final[Range] = (0, 1 << 30)
_SIMPLE: Final = ("magic", "first_strike")
_MORE: Final = ("magic", "first_strike", "hits", "solid", "fixed")


@dataclass(frozen=True, slots=True)
class Level:
    """One level.

    Attributes:
        number: 1 to 10.
        size: gateways if none are asked for.
        shape: how the passages are laid (see `engine.generate.SHAPES`).
        doors: share of doors among the gateways, in percent.
        specials: abilities that monsters may have, all of them such that more of
            anything never makes a fight dearer.
        plain: monsters without any, in percent.
        spare: start HP beyond what the best route costs, in percent of it.
        slack, gap, loss_depth: what is accepted of `Profile`.
        winning_first_moves: likewise.
    """

    number: int
    size: int
    shape: str
    doors: int
    specials: tuple[str, ...]
    plain: int
    spare: Range
    slack: Range
    gap: Range
    loss_depth: Range
    winning_first_moves: Range = (1, 1 << 30)

    def recipe(self, size: int) -> Recipe:
        """What is drawn for a number of gateways."""
        return Recipe(
            gateways=size,
            shape=self.shape,
            doors=self.doors,
            specials=self.specials,
            plain=self.plain,
        )

    def misfit(self, found: Profile) -> str:
        """The first figure that does not fit the level, or nothing."""
        if found.first_moves < 2:
            return "no choice at the first decision"
        for name in ("slack", "gap", "winning_first_moves", "loss_depth"):
            least, most = getattr(self, name)
            value = getattr(found, name)
            if value < least:
                return f"{name} below {least}"
            if value > most:
                return f"{name} above {most}"
        return ""


LEVELS: Final = {
    level.number: level
    for level in (
        Level(1, 5, "loose", 15, (), 100, (60, 90), (300, 500), (0, 700), (0, 0)),
        Level(2, 6, "loose", 20, (), 100, (45, 65), (250, 420), (0, 1000), (0, 0)),
        Level(3, 7, "loose", 20, (), 100, (35, 50), (200, 350), (50, 1000), _ANY),
        Level(4, 8, "loose", 25, _SIMPLE, 75, (28, 40), (150, 300), (100, 1000), _ANY),
        Level(5, 10, "tight", 25, _SIMPLE, 75, (22, 32), (120, 250), (200, 1000), _ANY),
        Level(
            6, 12, "tight", 25, _SIMPLE, 70, (17, 26), (90, 220), (300, 1000), (1, 99)
        ),
        Level(7, 14, "tight", 25, _MORE, 70, (13, 20), (70, 180), (500, 1000), (1, 99)),
        Level(
            8,
            16,
            "tight",
            25,
            _MORE,
            65,
            (10, 16),
            (50, 150),
            (700, 1000),
            (1, 8),
            (1, 3),
        ),
        Level(
            9,
            19,
            "tight",
            25,
            _MORE,
            60,
            (7, 12),
            (30, 120),
            (1000, 1000),
            (1, 7),
            (1, 3),
        ),
        Level(
            10,
            22,
            "tight",
            25,
            _MORE,
            60,
            (4, 8),
            (15, 90),
            (1000, 1000),
            (1, 6),
            (1, 3),
        ),
    )
}


def level_of(number: object) -> Level:
    """The level of a number.

    Raises:
        MtGymError: there is none.
    """
    plain = isinstance(number, int) and not isinstance(number, bool)
    if not plain or number not in LEVELS:
        raise MtGymError(
            f"level={number!r} is unknown (allowed: the integers from 1 to "
            f"{len(LEVELS)})"
        )
    return LEVELS[number]


def size_of(level: Level, size: object) -> int:
    """The number of gateways: the one asked for, or the level's.

    Raises:
        MtGymError: it is no integer in `SIZES`.
    """
    if size is None:
        return level.size
    least, most = SIZES
    if isinstance(size, bool) or not isinstance(size, int) or not least <= size <= most:
        raise MtGymError(
            f"size={size!r}: the number of gateways is an integer from {least} to "
            f"{most}, or None for the {level.size} of level {level.number}"
        )
    return size


def action_rows(size: int) -> int:
    """Actions that no generated floor of a size exceeds, whatever its level.

    Each gateway and each room holds at most one object with one action; a tree of
    passages has one room more than passages.
    """
    emptiest = max(shape.empty for shape in SHAPES.values())
    return size + size * 100 // (100 - emptiest) + 1
