"""One side of a map's numbers times a factor: what losses are made of, or strikes.

With k the factor, a fight of T strikes at p damage costs k * (T - 1) * p if HP,
monster ATK, DEF and MDEF are k times as large, and keeps T if the hero's ATK and the
monsters' HP and DEF are.  What breaks these equations is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import Final

from mt_gym.engine.formats.fields import LIMIT
from mt_gym.engine.kinds import Amounts, Kind, Row, Script, Stats, TowerData
from mt_gym.errors import MtGymError


@dataclass(frozen=True, slots=True)
class Side:
    """Which numbers belong together.

    Attributes:
        what: the transformation's name.
        resources: the hero's numbers; stats: the monsters'.
        fixed: whether fixed damage belongs to them.
        broken_by: abilities under which the equation fails, with the reason.
    """

    what: str
    resources: tuple[str, ...]
    stats: tuple[str, ...]
    fixed: bool
    broken_by: tuple[tuple[str, str], ...]


LOSSES: Final = Side(
    "rescale",
    ("hp", "def", "mdef"),
    ("atk",),
    True,
    (
        ("vampire", "a share of HP is rounded down"),
        ("counter", "its damage grows with ATK, which is not rescaled"),
        ("armour_break", "a share of DEF is rounded down"),
        ("mimic", "it takes the hero's ATK, which is not rescaled"),
    ),
)
STRIKES: Final = Side(
    "restrike",
    ("atk",),
    ("hp", "defense"),
    False,
    (
        ("solid", "each strike does 1, whatever the ATK is"),
        ("counter", "its damage grows with the hero's ATK"),
        ("mimic", "it takes the hero's ATK and DEF"),
    ),
)


def rescaled(data: TowerData, side: Side, factor: int) -> TowerData:
    """The map with one side of its numbers times a factor.

    Raises:
        MtGymError: something on the map breaks the equation, with the reason, or a
            number gets more digits than a map file may hold.
    """
    if factor != 1:
        _refuse(data, side)
    return replace(
        data,
        hero=_times(data.hero, side, factor),
        kinds=tuple(_kind(kind, side, factor) for kind in data.kinds),
        scripts=tuple(
            Script(_row(s.row, side, factor), s.at, s.name) for s in data.scripts
        ),
    )


def product(number: int, factor: int) -> int:
    """A number of a map times a factor.

    Raises:
        MtGymError: it gets more digits than a map file may hold.
    """
    found = number * factor
    if abs(found) >= LIMIT:
        raise MtGymError(
            f"the factor {factor} is too large: {number} times it has more than 18 "
            "digits"
        )
    return found


def _refuse(data: TowerData, side: Side) -> None:
    for kind in data.kinds:
        for ability, reason in side.broken_by:
            if getattr(kind.abilities, ability):
                raise MtGymError(
                    f"{side.what!r} does not hold on {data.name!r}: {kind.name!r} has "
                    f"{ability}, and {reason}"
                )
    rows = [row for kind in data.kinds for row in kind.rows]
    rows += [script.row for script in data.scripts]
    for row in rows:
        for effect in row.effects:
            num, den = effect.ratio
            whole = den // gcd(num, den) == 1
            if effect.op == "scale" and effect.name in side.resources and not whole:
                raise MtGymError(
                    f"{side.what!r} does not hold on {data.name!r}: {effect.name} "
                    f"times {num}/{den} is rounded down"
                )


def _times(numbers: Amounts, side: Side, factor: int) -> Amounts:
    return tuple(
        (name, product(number, factor) if name in side.resources else number)
        for name, number in numbers
    )


def _kind(kind: Kind, side: Side, factor: int) -> Kind:
    abilities = kind.abilities
    if side.fixed:
        abilities = replace(abilities, fixed=product(abilities.fixed, factor))
    return replace(
        kind,
        rows=tuple(_row(row, side, factor) for row in kind.rows),
        values=tuple(_stats(stats, side, factor) for stats in kind.values),
        abilities=abilities,
    )


def _stats(stats: Stats, side: Side, factor: int) -> Stats:
    return replace(
        stats, **{name: product(getattr(stats, name), factor) for name in side.stats}
    )


def _row(row: Row, side: Side, factor: int) -> Row:
    grows = any(name in side.resources for name, _ in row.cost)
    return replace(
        row,
        condition=replace(
            row.condition, holds=_times(row.condition.holds, side, factor)
        ),
        cost=_times(row.cost, side, factor),
        gain=_times(row.gain, side, factor),
        growth=product(row.growth, factor) if grows else row.growth,
    )
