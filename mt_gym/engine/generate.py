"""Random maps without a promise: solvable or not, for tests and benchmarks.

Rooms stand on a lattice, joined by a random tree of passages and some loops; a
passage holds a monster, a door, a gate or nothing, a room an item or nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from mt_gym.engine.game import fight_arguments
from mt_gym.engine.kinds import (
    GROUND,
    START,
    WALL,
    Abilities,
    Effect,
    Floor,
    Goal,
    Kind,
    Placement,
    Row,
    Stats,
    TowerData,
    amounts,
)
from mt_gym.engine.rules import fight_loss
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError


@dataclass(frozen=True, slots=True)
class Shape:
    """What a class of maps looks like.

    Attributes:
        loops: passages beyond a tree, in percent of the tree's.
        empty: passages without a gateway, in percent.
        air: start HP in percent of what all monsters cost, half of the gems found.
    """

    loops: int
    empty: int
    air: int


SHAPES: Final = {
    "maze": Shape(loops=0, empty=0, air=35),
    "tight": Shape(loops=5, empty=10, air=15),
    "loose": Shape(loops=10, empty=30, air=70),
    "open": Shape(loops=45, empty=10, air=35),
}
SPECIALS: Final = (
    "mimic",
    "solid",
    "vampire",
    "magic",
    "hits",
    "counter",
    "first_strike",
    "armour_break",
    "purify",
    "fixed",
)
GOALS: Final = ("defeat", "reach", "take")
KINDS: Final = 8
RECENT: Final = 4
"""Half of all passages leave from one of this many newest rooms."""
HERO: Final = {"atk": 10, "def": 6}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a random map holds.

    Attributes:
        gateways: monsters, doors and gates, the boss included.
        shape: one of `SHAPES`.
        doors: share of gateways that are doors, in percent; `gates` likewise.
        specials: abilities that monsters may have.
        plain: monsters without any, in percent.
        floors: floors, joined by stairs.
        shop: whether a gold shop stands by the way; `growth` of its price.
        holy_water: how many lie about.
        goal: one of `GOALS`.
    """

    gateways: int = 12
    shape: str = "maze"
    doors: int = 25
    gates: int = 0
    specials: tuple[str, ...] = ("magic", "hits", "first_strike")
    plain: int = 60
    floors: int = 1
    shop: bool = False
    growth: int = 0
    holy_water: int = 0
    goal: str = "defeat"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("shape", self.shape, tuple(SHAPES)),
            ("goal", self.goal, GOALS),
            *(("specials", special, SPECIALS) for special in self.specials),
        ):
            if value not in allowed:
                raise MtGymError(
                    f"unknown {name} {value!r}; allowed are {', '.join(allowed)}"
                )
        if self.gateways < 1 or self.floors < 1:
            raise MtGymError("a random map needs at least one gateway and one floor")


def random_tower(
    rng: np.random.Generator, recipe: Recipe, name: str = "random"
) -> Tower:
    """A random tower.

    Args:
        rng: all randomness; equal generators give equal towers.
        recipe: what it holds.
    """
    return Tower(_Draft(rng, recipe, name).data())


Place = tuple[int, int, int]
"""Floor, column, row of the lattice of rooms."""


class _Draft:
    def __init__(self, rng: np.random.Generator, recipe: Recipe, name: str) -> None:
        self.rng, self.recipe, self.name = rng, recipe, name
        self.contents: dict[Place, str] = {}

    def data(self) -> TowerData:
        shape = SHAPES[self.recipe.shape]
        wanted = self.recipe.gateways * 100 // (100 - shape.empty)
        loops = wanted * shape.loops // 100
        tree = max(1, wanted - loops)
        passages: list[tuple[Place, Place]] = []
        while len(passages) < wanted:  # a sparse tree leaves no room for loops
            passages = self._grow(tree)
            passages += self._loops(passages, wanted - tree)
            tree += wanted - len(passages)
        monsters = self._monsters()
        self._fill_passages(passages)
        self._fill_rooms(passages)
        return self._write(passages, monsters, shape)

    # -- rooms and passages ------------------------------------------------------

    def _grow(self, edges: int) -> list[tuple[Place, Place]]:
        """A random tree of rooms; floors are joined where it passes them."""
        floors = self.recipe.floors
        side = math.isqrt((edges + 1) * 3 // (2 * floors)) + 2
        self.side = side
        self.stairs: list[tuple[Place, Place]] = []
        start = (0, side // 2, side // 2)
        rooms = [start]
        self.depth = {start: 0}
        found: list[tuple[Place, Place]] = []
        quota = -(-edges // floors)
        for floor in range(floors):
            if floor:
                below = max(self._on(floor - 1), key=lambda r: (self.depth[r], r))
                first = (floor, below[1], below[2])
                self.stairs.append((below, first))
                self.depth[first] = self.depth[below] + 1
                rooms = [first]
            stop = min(edges, (floor + 1) * quota)
            while len(found) < stop:
                recent = max(0, len(rooms) - RECENT) if self.rng.integers(2) else 0
                room = rooms[int(self.rng.integers(recent, len(rooms)))]
                ways = [p for p in self._beside(room) if p not in self.depth]
                if not ways:
                    rooms.remove(room)
                    rooms = rooms or self._with_space(floor)
                    continue
                new = ways[int(self.rng.integers(len(ways)))]
                self.depth[new] = self.depth[room] + 1
                found.append((room, new))
                rooms.append(new)
        return found

    def _on(self, floor: int) -> list[Place]:
        return [room for room in self.depth if room[0] == floor]

    def _with_space(self, floor: int) -> list[Place]:
        return [
            room
            for room in self._on(floor)
            if any(way not in self.depth for way in self._beside(room))
        ]

    def _beside(self, room: Place) -> list[Place]:
        floor, x, y = room
        return [
            (floor, u, v)
            for u, v in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
            if 0 <= u < self.side and 0 <= v < self.side
        ]

    def _loops(
        self, tree: list[tuple[Place, Place]], wanted: int
    ) -> list[tuple[Place, Place]]:
        joined = {frozenset(edge) for edge in tree}
        free = [
            (room, way)
            for room in self.depth
            for way in self._beside(room)
            if way in self.depth and room < way and frozenset((room, way)) not in joined
        ]
        order = self.rng.permutation(len(free))[:wanted]
        return [free[int(i)] for i in order]

    # -- what stands in them -------------------------------------------------------

    def _monsters(self) -> list[Kind]:
        """Kinds from weak to strong."""
        kinds = []
        for rank in range(KINDS):
            own: tuple[str, ...] = ()
            if self.recipe.specials and self.rng.integers(100) >= self.recipe.plain:
                count = 1 + int(self.rng.integers(4) == 0)
                picked = self.rng.permutation(len(self.recipe.specials))[:count]
                own = tuple(self.recipe.specials[int(i)] for i in picked)
            stats = Stats(
                hp=int(self.rng.integers(12, 40)) + 6 * rank,
                atk=HERO["def"] + 1 + rank + int(self.rng.integers(6)),
                defense=int(self.rng.integers(0, 4)) + rank // 2,
                gold=int(self.rng.integers(1, 4)) + rank // 2,
            )
            kinds.append(
                Kind(f"Monster {rank + 1}", "monster", (), (stats,), self._able(own))
            )
        grown = min(6, self.recipe.gateways // 6)
        boss = Stats(60, HERO["def"] + 8 + grown, HERO["atk"] - 4 + grown, 5)
        return [*kinds, Kind("Boss", "monster", (), (boss,), boss=True)]

    def _able(self, own: tuple[str, ...]) -> Abilities:
        rng = self.rng
        return Abilities(
            mimic="mimic" in own,
            solid="solid" in own,
            vampire=(1, int(rng.integers(3, 6))) if "vampire" in own else None,
            magic="magic" in own,
            hits=int(rng.integers(2, 5)) if "hits" in own else 1,
            counter=(1, int(rng.integers(3, 11))) if "counter" in own else None,
            first_strike="first_strike" in own,
            armour_break=(int(rng.integers(3, 10)), 10)
            if "armour_break" in own
            else None,
            purify=int(rng.integers(2, 4)) if "purify" in own else 0,
            fixed=int(rng.integers(3, 15)) if "fixed" in own else 0,
        )

    def _fill_passages(self, passages: list[tuple[Place, Place]]) -> None:
        recipe, rng = self.recipe, self.rng
        count = min(len(passages), recipe.gateways - (recipe.goal == "defeat"))
        chosen = rng.permutation(len(passages))[:count]
        self.passage = ["" for _ in passages]
        self.colours = {"Yellow": 0, "Blue": 0}
        deepest = max(self.depth.values()) or 1
        self.strength: list[int] = []
        for i in sorted(int(c) for c in chosen):
            roll = int(rng.integers(100))
            if roll < recipe.doors:
                colour = "Yellow" if rng.integers(4) else "Blue"
                self.colours[colour] += 1
                self.passage[i] = f"{colour} Door"
            elif roll < recipe.doors + recipe.gates:
                self.passage[i] = "Gate"
            else:
                depth = max(self.depth[end] for end in passages[i])
                middle = depth * (KINDS - 1) // deepest
                rank = middle + int(rng.integers(4)) + int(rng.integers(4)) - 3
                rank = min(KINDS - 1, max(0, rank))
                self.strength.append(rank)
                self.passage[i] = f"Monster {rank + 1}"

    def _fill_rooms(self, passages: list[tuple[Place, Place]]) -> None:
        recipe, rng = self.recipe, self.rng
        ends = {place for pair in self.stairs for place in pair}
        rooms = [r for r in self.depth if self.depth[r] and r not in ends]
        if not rooms:
            rooms = [r for r in self.depth if r not in ends]
        goal = max(rooms, key=lambda r: (self.depth[r], r))
        names = {"defeat": "Boss", "reach": "Exit", "take": "Crown"}
        self.contents[goal] = names[recipe.goal]
        rest = [r for r in rooms if r != goal]
        rest = [rest[int(i)] for i in rng.permutation(len(rest))]
        for colour, doors in self.colours.items():
            for _ in range(doors - int(rng.integers(3) == 0)):
                if rest:
                    self.contents[rest.pop()] = f"{colour} Key"
        ends_of = [end for edge in passages for end in edge]
        leaves = [room for room in rest if ends_of.count(room) == 1]
        if recipe.shop and leaves:
            self.contents[leaves[-1]] = "Shop"  # it stays, so it must block nothing
            rest.remove(leaves[-1])
        for _ in range(recipe.holy_water):
            if rest:
                self.contents[rest.pop()] = "Holy Water"
        items = ("Red Gem", "Blue Gem", "Green Gem", "Red Potion", "Blue Potion", "")
        shares = (20, 20, 10, 25, 10, 15)  # percent
        table = [
            item
            for item, share in zip(items, shares, strict=True)
            for _ in range(share)
        ]
        for room in rest:
            item = table[int(rng.integers(100))]
            if item:
                self.contents[room] = item

    # -- the map file ----------------------------------------------------------------

    def _price(self, monsters: list[Kind]) -> int:
        """What all monsters cost a hero who has found about half of the gems."""
        half = self.recipe.gateways // 10
        atk, defense = HERO["atk"] + half, HERO["def"] + half
        losses = [
            fight_loss(atk, defense, 0, 1, *fight_arguments(kind, kind.values[0]))
            for kind in monsters
        ]
        return sum(max(0, losses[rank]) for rank in self.strength) + max(0, losses[-1])

    def _write(
        self, passages: list[tuple[Place, Place]], monsters: list[Kind], shape: Shape
    ) -> TowerData:
        size = 2 * self.side - 1
        grids = [
            [[WALL] * size for _ in range(size)] for _ in range(self.recipe.floors)
        ]
        letters: dict[str, str] = {}
        legends: list[dict[str, Placement]] = [{} for _ in grids]

        def put(
            floor: int, x: int, y: int, kind: str, to: str = "", way: str = ""
        ) -> None:
            key = kind + to
            letter = letters.setdefault(key, _LETTERS[len(letters)]) if kind else GROUND
            grids[floor][y][x] = letter
            if kind:
                legends[floor][letter] = Placement(kind, to, way)

        for floor, x, y in self.depth:
            put(floor, 2 * x, 2 * y, self.contents.get((floor, x, y), ""))
        for (one, two), kind in zip(passages, self.passage, strict=True):
            put(one[0], one[1] + two[1], one[2] + two[2], kind)
        for low, high in self.stairs:
            up = f"F{high[0]}:{2 * high[1]},{2 * high[2]}"
            down = f"F{low[0]}:{2 * low[1]},{2 * low[2]}"
            put(low[0], 2 * low[1], 2 * low[2], "Stairs Up", up, "up")
            put(high[0], 2 * high[1], 2 * high[2], "Stairs Down", down, "down")
        grids[0][2 * (self.side // 2)][2 * (self.side // 2)] = START
        hero = {"hp": max(20, self._price(monsters) * shape.air // 100), **HERO}
        return TowerData(
            name=self.name,
            hero=amounts(hero),
            floors=tuple(
                Floor(
                    id=f"F{number}",
                    rows=tuple("".join(row) for row in grid),
                    legend=tuple(legends[number].items()),
                )
                for number, grid in enumerate(grids)
            ),
            goal=_GOALS[self.recipe.goal],
            kinds=(*monsters, *_items(self.recipe)),
        )


_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_GOALS: Final = {
    "defeat": Goal("defeat", "Boss"),
    "reach": Goal("reach"),
    "take": Goal("take", "Crown"),
}


def _items(recipe: Recipe) -> list[Kind]:
    def item(name: str, category: str, **gain: int) -> Kind:
        return Kind(
            name, "item", (Row("collect", gain=amounts(gain)),), category=category
        )

    double = Row("collect", effects=(Effect("scale", "hp", ratio=(2, 1)),))
    offers = tuple(
        Row("buy", cost=(("gold", 8),), gain=gain, growth=recipe.growth, consumes=False)
        for gain in ((("hp", 30),), (("atk", 1),), (("def", 1),))
    )
    return [
        item("Red Gem", "gem", atk=1),
        item("Blue Gem", "gem", **{"def": 1}),
        item("Green Gem", "gem", mdef=2),
        item("Red Potion", "potion", hp=25),
        item("Blue Potion", "potion", hp=60),
        item("Yellow Key", "key", yellow=1),
        item("Blue Key", "key", blue=1),
        item("Crown", "quest"),
        Kind("Holy Water", "item", (double,), category="holy_water", manual=True),
        Kind("Shop", "shop", offers),
    ]
