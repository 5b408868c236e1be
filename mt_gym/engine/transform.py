"""Other maps with the same game in them: turned, renamed, reordered, rescaled.

Each transformation owes a proof that the optimum of the new map is that of the old
one, or a multiple; where the proof does not hold, the map is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeVar

import numpy as np

from mt_gym.engine.board import Board
from mt_gym.engine.kinds import (
    BUILT_IN,
    Certificate,
    Effect,
    Floor,
    Goal,
    Kind,
    Placement,
    Spot,
    TowerData,
)
from mt_gym.engine.rebuild import each_field, rebuilt
from mt_gym.engine.rescale import LOSSES, STRIKES, product, rescaled
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

_NAMES: Final = """
Basilisk Chimera Cyclops Djinn Drake Dryad Ettin Fury Gargoyle Ghoul Gnoll Golem
Gorgon Griffin Harpy Hydra Imp Kelpie Kobold Kraken Lamia Lich Manticore Minotaur
Mummy Naga Nymph Ogress Phoenix Pixie Roc Satyr Shade Sphinx Sprite Sylph Troll
Warg Wight Wisp Wraith Wyrm Wyvern Yeti Zombie"""
NAMES: Final = tuple(_NAMES.split())
"""Names that `rename` hands out to monsters."""

MOST: Final = {"factor": 1000, "seed": 999_999_999}
"""Largest number of each sort."""

LONGEST: Final = 200
"""Letters of a twin's name, which is also that of its map file."""

Part = TypeVar("Part")


class Moved(NamedTuple):
    """New data, and where the old things are now.

    Attributes:
        data: the new map, still with the old certificate.
        spot: the new cell of an old one; name: the new name of an old kind.
        factor: the optimum is this many times the old one.
    """

    data: TowerData
    spot: Callable[[Spot], Spot]
    name: Callable[[str], str]
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Transform:
    """One transformation.

    Attributes:
        about: one line for lists, with what it does to the optimum.
        apply: the new map for a map and the number behind the colon.
        number: what that number is, empty if there is none; default: its value.
    """

    about: str
    apply: Callable[[TowerData, int], Moved]
    number: str = ""
    default: int = 0


def transformed(tower: Tower, spec: str) -> Tower:
    """The transformed tower, with its certificate if the old one has one.

    Args:
        spec: names of `TRANSFORMS`, each perhaps with a number, joined by `+`, and
            executed from left to right: `mirror`, `rename:7`, `mirror+rescale:3`.

    >>> import mt_gym
    >>> tower = transformed(mt_gym.load("simple"), "mirror+rescale:2")
    >>> tower.name, tower.certificate.optimum
    ('simple.mirror+rescale:2', 26)

    Raises:
        MtGymError: an unknown name or number, too long a list of them, or a map for
            which the obligation does not hold, with the reason.
    """
    steps = parse(spec)
    name = f"{tower.name}.{'+'.join(part.strip() for part in spec.split('+'))}"
    if len(name) > LONGEST:
        raise MtGymError(
            f"{len(steps)} transformations make too long a name: {len(name)} letters, "
            f"at most {LONGEST} are allowed"
        )
    for transform, number in steps:
        tower = _carried(tower, transform.apply(tower.data, number))
    return Tower(replace(tower.data, name=name))


def factor_of(spec: str) -> int:
    """How many times the old optimum the new one is."""
    found = 1
    for transform, number in parse(spec):
        found *= number if transform is TRANSFORMS["rescale"] else 1
    return found


def parse(spec: str) -> list[tuple[Transform, int]]:
    """The transformations of a text with their numbers.

    Raises:
        MtGymError: an unknown name, or a number that is none or out of range.
    """
    if not isinstance(spec, str):
        raise MtGymError(f"transformations are a text such as 'mirror', not {spec!r}")
    found = []
    for part in spec.split("+"):
        name, colon, text = part.strip().partition(":")
        transform = TRANSFORMS.get(name)
        if transform is None:
            raise MtGymError(
                f"unknown transformation {part!r} (allowed: {', '.join(TRANSFORMS)}; "
                "several joined by '+')"
            )
        if colon and not transform.number:
            raise MtGymError(f"the transformation {name!r} takes no number")
        least = 1 if transform.number == "factor" else 0
        most = MOST.get(transform.number, 0)
        number = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1
        if not colon:
            number = transform.default
        if not least <= number <= most:
            raise MtGymError(
                f"{part!r}: the {transform.number} must be an integer "
                f"from {least} to {most}"
            )
        found.append((transform, number))
    return found


# -- cells -------------------------------------------------------------------------


def _mirrored(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row[::-1] for row in rows)


def _transposed(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(column) for column in zip(*rows, strict=True))


def _rotated(rows: tuple[str, ...]) -> tuple[str, ...]:
    return _mirrored(_transposed(rows))


def _mirror(data: TowerData, number: int) -> Moved:
    width = {floor.id: floor.width for floor in data.floors}
    return _turned(
        data, _mirrored, lambda s: Spot(s.floor, width[s.floor] - 1 - s.x, s.y)
    )


def _transpose(data: TowerData, number: int) -> Moved:
    return _turned(data, _transposed, lambda s: Spot(s.floor, s.y, s.x))


def _rotate(data: TowerData, number: int) -> Moved:
    height = {floor.id: floor.height for floor in data.floors}
    return _turned(
        data, _rotated, lambda s: Spot(s.floor, height[s.floor] - 1 - s.y, s.x)
    )


def _turned(
    data: TowerData,
    draw: Callable[[tuple[str, ...]], tuple[str, ...]],
    spot: Callable[[Spot], Spot],
) -> Moved:
    """Steps join the same cells as before, and no rule knows a direction."""

    def part(value: object) -> object:
        if isinstance(value, Spot):
            return spot(value)
        if isinstance(value, Placement) and ":" in value.to:
            floor, _, cell = value.to.partition(":")
            x, y = (int(number) for number in cell.split(","))
            return replace(value, to=str(spot(Spot(floor, x, y))))
        if isinstance(value, Floor):
            return replace(each_field(value, part), rows=draw(value.rows))
        return None

    return Moved(rebuilt(data, part), spot, _same_name)


# -- names and order -----------------------------------------------------------------


def _rename(data: TowerData, seed: int) -> Moved:
    """No rule reads a monster's name."""
    taken = {kind.name for kind in (*BUILT_IN, *data.kinds)}
    monsters = [kind.name for kind in data.kinds if kind.type == "monster"]
    free = [name for name in NAMES if name not in taken]
    rounds = -(-len(monsters) // max(1, len(free)))
    free += [f"{name} {n}" for n in range(2, rounds + 1) for name in free]
    rng = np.random.Generator(np.random.PCG64(seed))
    picked = [free[int(i)] for i in rng.permutation(len(free))[: len(monsters)]]
    new = dict(zip(monsters, picked, strict=True))

    def name(old: str) -> str:
        return new.get(old, old)

    def text(old: str) -> str:
        longest_first = sorted(new, key=len, reverse=True)
        pattern = "|".join(rf"\b{re.escape(word)}\b" for word in longest_first)
        return re.sub(pattern, lambda m: new[m[0]], old) if new else old

    def part(value: object) -> object:
        if isinstance(value, Kind):
            kind = each_field(value, part)
            return replace(kind, name=name(kind.name)) if value.name in new else kind
        if isinstance(value, Placement):
            return replace(value, kind=name(value.kind))
        if isinstance(value, Effect) and value.op == "strengthen":
            return replace(value, name=name(value.name))
        if isinstance(value, Goal):
            return replace(value, name=name(value.name), text=text(value.text))
        return None

    return Moved(rebuilt(data, part), _same_spot, name)


def _permute(data: TowerData, seed: int) -> Moved:
    """No rule reads an order but that of scripts, which stays."""
    rng = np.random.Generator(np.random.PCG64(seed))
    kinds = _shuffled(rng, data.kinds)
    floors = tuple(
        replace(floor, legend=_shuffled(rng, floor.legend))
        for floor in _shuffled(rng, data.floors)
    )
    return Moved(replace(data, kinds=kinds, floors=floors), _same_spot, _same_name)


def _shuffled(rng: np.random.Generator, items: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(items[int(i)] for i in rng.permutation(len(items)))


# -- numbers -------------------------------------------------------------------------


def _rescale(data: TowerData, factor: int) -> Moved:
    """Each loss and each HP is `factor` times what it was."""
    return Moved(rescaled(data, LOSSES, factor), _same_spot, _same_name, factor)


def _restrike(data: TowerData, factor: int) -> Moved:
    """Each fight takes as many strikes as it took."""
    return Moved(rescaled(data, STRIKES, factor), _same_spot, _same_name)


TRANSFORMS: Final[dict[str, Transform]] = {
    "mirror": Transform("left and right change places; same optimum", _mirror),
    "rotate": Transform("a quarter turn to the right; same optimum", _rotate),
    "transpose": Transform("rows become columns; same optimum", _transpose),
    "rename": Transform("other names for the monsters; same optimum", _rename, "seed"),
    "permute": Transform(
        "another order of kinds and floors, and so of objects; same optimum",
        _permute,
        "seed",
    ),
    "rescale": Transform(
        "HP, monster ATK and the DEF side times a factor; so is the optimum",
        _rescale,
        "factor",
        2,
    ),
    "restrike": Transform(
        "hero's ATK, monster HP and DEF times a factor; same optimum",
        _restrike,
        "factor",
        2,
    ),
}
"""Transformations by name."""


# -- the certificate -------------------------------------------------------------------


def _same_spot(spot: Spot) -> Spot:
    return spot


def _same_name(name: str) -> str:
    return name


def _carried(tower: Tower, moved: Moved) -> Tower:
    """The new tower with the old certificate, as it reads there."""
    old = tower.certificate
    if old is None:
        return Tower(moved.data)
    new = Board(replace(moved.data, certificate=None))
    place = _places(new, _same_spot, _same_name)
    actions = {}
    for key, index in _places(tower.board, moved.spot, moved.name).items():
        before = tower.board.objects[index].actions
        after = new.objects[place[key]].actions
        for one, two in zip(before, after, strict=True):
            actions[one.text] = two.text
    actions |= {a.text: a.text for a in tower.actions if a.object < 0}

    def times(hp: int | None) -> int | None:
        return None if hp is None else product(hp, moved.factor)

    certificate = Certificate(
        optimum=product(old.optimum, moved.factor),
        route=tuple(actions[text] for text in old.route),
        status=old.status,
        bound=times(old.bound),
        assisted_optimum=times(old.assisted_optimum),
        method=old.method,
    )
    return Tower(replace(moved.data, certificate=certificate))


def _places(
    board: Board, spot: Callable[[Spot], Spot], name: Callable[[str], str]
) -> dict[tuple[object, ...], int]:
    """Numbers of all objects by what identifies them on both maps."""
    return {
        (
            name(thing.kind.name),
            None if thing.spot is None else spot(thing.spot),
            thing.hidden,
        ): thing.index
        for thing in board.objects
    }


__all__ = ["NAMES", "TRANSFORMS", "Transform", "factor_of", "parse", "transformed"]
