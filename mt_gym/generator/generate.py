"""Floors by number: drawn at random, solved, measured, and kept if they fit.

Equal level, size, set and number give equal floors on every machine: all draws are
integers of one PCG64 generator, and limits count states, never seconds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

import numpy as np

from mt_gym.engine.generate import KINDS, random_tower
from mt_gym.engine.kinds import Certificate, Floor, Kind, TowerData, amounts
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.generator.canonical import canonical_form
from mt_gym.generator.levels import Level, level_of, size_of
from mt_gym.generator.profile import profile
from mt_gym.generator.sets import FloorSet, set_of
from mt_gym.solver import solve

METHOD: Final = "mt_gym.solver: all states that could beat it expanded"

DRAFTS: Final = 600
"""Drafts after which a floor is given up."""

NODE_LIMIT: Final = 30_000
"""States of each search; a draft that needs more is dropped."""

PLENTY: Final = 1_000_000
"""Start HP with which no fight on a draft is lethal."""

FLOOR_ID: Final = "floor"

LEAST: Final = 20
"""HP that the best route must cost at least."""

NAMES: Final = ("Rat", "Slime", "Bat", "Goblin", "Skeleton", "Orc", "Ogre", "Knight")
"""Monsters from weak to strong."""
assert len(NAMES) == KINDS


def generate(
    level: int = 1, size: int | None = None, *, floors: str = "train", index: int = 0
) -> Tower:
    """A certified floor.

    Args:
        level: 1 to 10.
        size: gateways; None for the level's.
        floors: `train`, `validation` or `test`.
        index: its number in that set, from 0.

    >>> generate(1, index=7) == generate(1, index=7)
    True

    Raises:
        MtGymError: an unknown level, size or set, a number that the set does not
            have, or a size at which no draft fits the level, with what was in the way.
    """
    chosen, own = level_of(level), set_of(floors)
    gateways = size_of(chosen, size)
    own.check(index)
    seed = np.random.SeedSequence([chosen.number, gateways, own.code, index])
    rng = np.random.Generator(np.random.PCG64(seed))
    name = floor_name(chosen.number, gateways, own.name, index)
    return drawn(rng, chosen, gateways, own, name)


def floor_name(level: int, size: int, floors: str, index: int) -> str:
    """Name of the floor of a number, by which it can be drawn again."""
    return f"generated-{level}-{size}-{floors}-{index}"


def drawn(
    rng: np.random.Generator, level: Level, size: int, own: FloorSet, name: str
) -> Tower:
    """The first draft of a generator that fits; raises as `generate`."""
    failures: Counter[str] = Counter()
    for _ in range(DRAFTS):
        draft = _named(random_tower(rng, level.recipe(size), name).data)
        spare = int(rng.integers(level.spare[0], level.spare[1] + 1))
        if not own.owns(canonical_form(draft)):
            continue
        try:
            found = _accepted(draft, level, size, spare)
        except LimitReached:
            found = f"more than {NODE_LIMIT} states"
        if isinstance(found, Tower):
            return found
        failures[found] += 1
    told = ", ".join(f"{count} {reason}" for reason, count in failures.most_common(5))
    raise MtGymError(
        f"no floor of level {level.number} with {size} gateways in {DRAFTS} drafts "
        f"({told}); the level's own size is {level.size}"
    )


def _accepted(draft: TowerData, level: Level, size: int, spare: int) -> Tower | str:
    """The draft with its start HP and certificate, or why it does not fit."""
    rich = solve(_with_hp(draft, PLENTY), node_limit=NODE_LIMIT)
    if rich.status == "bounded":
        return f"more than {NODE_LIMIT} states"
    if rich.hp is None:
        return "cannot be won"
    cost = PLENTY - rich.hp
    if cost < LEAST:
        return "cost nothing"
    tower = _with_hp(draft, (cost + 1) * (100 + spare) // 100)
    found = solve(tower, node_limit=NODE_LIMIT)
    if found.status == "bounded":
        return f"more than {NODE_LIMIT} states"
    if found.hp is None:
        return "die on the best route"
    figures = profile(tower, found.hp, NODE_LIMIT)
    if figures.gateways != size:
        return "another number of gateways"
    misfit = level.misfit(figures)
    if misfit:
        return f"have {misfit}"
    certificate = Certificate(
        optimum=found.hp,
        route=tuple(str(action) for action in found.route),
        method=METHOD,
        profile=tuple(figures.to_dict().items()),
    )
    return Tower(replace(tower.data, certificate=certificate))


def _with_hp(data: TowerData, hp: int) -> Tower:
    return Tower(replace(data, hero=amounts(dict(data.hero) | {"hp": hp})))


def _named(data: TowerData) -> TowerData:
    """The draft with proper names, only the kinds that stand on it, and no gold."""
    names = {f"Monster {rank}": name for rank, name in enumerate(NAMES, 1)}
    used = {place.kind for floor in data.floors for _, place in floor.legend}

    def kind(old: Kind) -> Kind:
        values = tuple(replace(stats, gold=0) for stats in old.values)
        return replace(old, name=names.get(old.name, old.name), values=values)

    def floor(old: Floor) -> Floor:
        legend = tuple(
            (letter, replace(place, kind=names.get(place.kind, place.kind)))
            for letter, place in old.legend
        )
        return replace(old, id=FLOOR_ID, legend=legend)

    return replace(
        data,
        floors=tuple(floor(one) for one in data.floors),
        kinds=tuple(kind(one) for one in data.kinds if one.name in used),
    )
