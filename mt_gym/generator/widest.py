"""A map whose texts may be as long as those of any generated floor of a size.

The bound of a text grows with the number of objects and kinds, with the length of
names and tags, and with every number on the map; nothing shortens it.  So a map that
has at least as much of each as any floor has a bound for all of them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mt_gym.engine.generate import KINDS
from mt_gym.engine.kinds import (
    START,
    Abilities,
    Floor,
    Goal,
    Kind,
    Placement,
    Row,
    Stats,
    TowerData,
    amounts,
)
from mt_gym.engine.tower import Tower
from mt_gym.generator.generate import FLOOR_ID, PLENTY
from mt_gym.generator.levels import LEVELS, action_rows

NAME: Final = 16
"""Letters of each name: some more than any kind of a generated floor has."""

ITEMS: Final = 7
"""Kinds of items that a generated floor may hold: gems, potions, keys."""

GAIN: Final = 99
"""At least what any item gives, of each of two resources; they give one."""

MONSTER: Final = Stats(hp=99, atk=99, defense=99)
"""At least what any monster has; it has all abilities that any level knows."""

ABLE: Final = Abilities(solid=True, magic=True, hits=9, first_strike=True, fixed=99)

START_HP: Final = PLENTY * (100 + max(one.spare[1] for one in LEVELS.values())) // 100
"""At least the start HP of any floor: the best route costs less than `PLENTY`."""


@cache
def widest(size: int) -> Tower:
    """The map for a number of gateways; it is made to be measured, not to be played."""
    count = action_rows(size)
    names = [chr(ord("A") + place) * NAME for place in range(KINDS + 1 + ITEMS)]
    boss, *rest = names
    gain = amounts({"hp": GAIN, "mdef": GAIN})
    items = [
        Kind(name, "item", (Row("collect", gain=gain),), category="potion")
        for name in rest
    ]
    rows = (START + "".join(rest[i % len(rest)][0] for i in range(count)) + boss[0],)
    return Tower(
        TowerData(
            name="widest",
            hero=amounts({"hp": START_HP, "atk": GAIN, "def": GAIN}),
            floors=(
                Floor(
                    id=FLOOR_ID,
                    rows=rows,
                    legend=tuple((name[0], Placement(name)) for name in names),
                ),
            ),
            goal=Goal("defeat", boss),
            kinds=(Kind(boss, "monster", (), (MONSTER,), ABLE, boss=True), *items),
        )
    )
