"""A slow, obvious simulator of the game, used only as a test oracle.

It shares no code with `mt_gym` and uses no clever tricks: the map is a dictionary
of cells, reachability is a flood fill over 4-neighbours, and a fight is played
strike by strike.  If the fast engine and this file disagree, one of them is wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

Cell = tuple[int, int]
"""(x, y) = (column, row), (0, 0) at the top left."""

Action = tuple[str, int, int]
"""(verb, x, y); the verbs are `fight`, `open_door`, `open_gate` and `collect`."""

Ratio = tuple[int, int]
"""A share as (numerator, denominator); results are rounded down."""

STEPS: tuple[Cell, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
"""Neighbours in the order that breaks ties: up, left, right, down."""


@dataclass(frozen=True)
class Monster:
    """A monster and its special abilities (all of `rules.md`, section 2)."""

    hp: int
    atk: int
    defense: int
    magic: bool = False
    solid: bool = False
    mimic: bool = False
    first_strike: bool = False
    hits: int = 1
    vampire: Ratio | None = None
    counter: Ratio | None = None
    armour_break: Ratio | None = None
    purify: int = 0
    fixed: int = 0
    name: str = "Monster"
    boss: bool = False
    gold: int = 0
    exp: int = 0


@dataclass(frozen=True)
class Door:
    """A closed door; it takes one key of its colour."""

    colour: str


@dataclass(frozen=True)
class Gate:
    """A gate; it needs no key and only frees the way."""


@dataclass(frozen=True)
class Item:
    """Something to pick up: a gem, potion, key, key box, sword, shield, ..."""

    name: str
    atk: int = 0
    defense: int = 0
    mdef: int = 0
    hp: int = 0
    keys: tuple[str, ...] = ()


Thing = Monster | Door | Gate | Item


def share(value: int, ratio: Ratio) -> int:
    """Return `value` times `ratio`, rounded down."""
    numerator, denominator = ratio
    return value * numerator // denominator


def fight(
    hero_atk: int, hero_def: int, hero_mdef: int, hero_hp: int, monster: Monster
) -> int | None:
    """Play a fight strike by strike and return the HP lost.

    Returns None if the hero cannot hurt the monster.  The loss may be as large as
    `hero_hp` or larger: such a fight is lethal, which is for the caller to judge.
    """
    monster_atk, monster_def = monster.atk, monster.defense
    if monster.mimic:
        monster_atk, monster_def = hero_atk, hero_def
    if monster.solid and monster_def < hero_atk - 1:
        monster_def = hero_atk - 1

    hero_strike = hero_atk - monster_def
    if hero_strike <= 0:
        return None
    one_hit = monster_atk if monster.magic else monster_atk - hero_def
    monster_strike = max(0, one_hit) * monster.hits

    suffered = 0
    # Before the first strike.
    if monster.vampire is not None:
        suffered += share(hero_hp, monster.vampire)
    if monster.first_strike:
        suffered += monster_strike
    if monster.armour_break is not None:
        suffered += share(hero_def, monster.armour_break)
    suffered += monster.purify * hero_mdef

    # The exchange: the hero begins, a dead monster does not answer.
    monster_hp = monster.hp
    while True:
        monster_hp -= hero_strike
        if monster.counter is not None:
            suffered += share(hero_atk, monster.counter)
        if monster_hp <= 0:
            break
        suffered += monster_strike

    # The shield takes its part, except of the fixed damage.
    return max(0, suffered - hero_mdef) + monster.fixed


@dataclass
class Hero:
    """The hero: attributes, keys by colour, and the cell where he stands."""

    hp: int
    atk: int
    defense: int
    mdef: int = 0
    cell: Cell = (0, 0)
    keys: dict[str, int] = field(default_factory=dict)
    gold: int = 0
    exp: int = 0


class Floor:
    """One floor with a hero on it.

    `rows` are strings of equal length, one letter per cell.  `#` is wall, `.` is
    floor, `@` is the hero's start (floor); every other letter is looked up in
    `legend`.  Everything outside the grid is wall.
    """

    def __init__(
        self, rows: Sequence[str], legend: Mapping[str, Thing], hero: Hero
    ) -> None:
        self.hero = replace(hero, keys=dict(hero.keys))
        self.open_cells: set[Cell] = set()
        self.things: dict[Cell, Thing] = {}
        for y, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise ValueError(f"row {y} has another length than row 0")
            for x, letter in enumerate(row):
                if letter == "#":
                    continue
                self.open_cells.add((x, y))
                if letter == "@":
                    self.hero.cell = (x, y)
                elif letter != ".":
                    self.things[x, y] = legend[letter]

    def copy(self) -> Floor:
        """Return an independent copy."""
        twin = Floor([], {}, self.hero)
        twin.open_cells = self.open_cells
        twin.things = dict(self.things)
        return twin

    def flood(self, start: Cell) -> tuple[list[Cell], list[Cell]]:
        """Walk freely from `start`; things stop the walk.

        Returns the cells walked on and the cells of the things met, both in the
        order in which they are found (so nearest first, ties by `STEPS`).
        """
        walked, met = [start], []
        seen = {start}
        queue = deque([start])
        while queue:
            x, y = queue.popleft()
            for step_x, step_y in STEPS:
                cell = (x + step_x, y + step_y)
                if cell in seen or cell not in self.open_cells:
                    continue
                seen.add(cell)
                if cell in self.things:
                    met.append(cell)
                else:
                    walked.append(cell)
                    queue.append(cell)
        return walked, met

    def region(self) -> set[Cell]:
        """Return the cells the hero can walk to without touching anything."""
        return set(self.flood(self.hero.cell)[0])

    def exposed(self) -> list[Cell]:
        """Return the cells of all things next to the region, nearest first."""
        return self.flood(self.hero.cell)[1]

    def loss(self, cell: Cell) -> int | None:
        """Return what the fight at `cell` would cost now (None: unwinnable)."""
        monster = self.things[cell]
        if not isinstance(monster, Monster):
            raise ValueError(f"no monster at {cell}")
        hero = self.hero
        return fight(hero.atk, hero.defense, hero.mdef, hero.hp, monster)

    def verb(self, cell: Cell) -> str:
        """Return the verb that acts on the thing at `cell`."""
        thing = self.things[cell]
        if isinstance(thing, Monster):
            return "fight"
        if isinstance(thing, Door):
            return "open_door"
        return "open_gate" if isinstance(thing, Gate) else "collect"

    def can(self, cell: Cell) -> bool:
        """Tell whether the thing at `cell` can be acted on (and survived) now."""
        thing = self.things[cell]
        if isinstance(thing, Monster):
            loss = self.loss(cell)
            return loss is not None and loss < self.hero.hp
        if isinstance(thing, Door):
            return self.hero.keys.get(thing.colour, 0) > 0
        return True

    def actions(self) -> list[Action]:
        """Return everything that can be done now, in reading order."""
        cells = sorted(self.exposed(), key=lambda cell: (cell[1], cell[0]))
        return [(self.verb(cell), *cell) for cell in cells if self.can(cell)]

    def act(self, cell: Cell) -> Action:
        """Fight, open or take the thing at `cell`; the hero then stands there."""
        if cell not in self.exposed():
            raise ValueError(f"{cell} is out of reach")
        if not self.can(cell):
            raise ValueError(f"nothing can be done at {cell}")
        verb, thing, hero = self.verb(cell), self.things[cell], self.hero
        if isinstance(thing, Monster):
            hero.hp -= self.loss(cell) or 0
            hero.gold += thing.gold
            hero.exp += thing.exp
        elif isinstance(thing, Door):
            hero.keys[thing.colour] -= 1
        elif isinstance(thing, Item):
            hero.hp += thing.hp
            hero.atk += thing.atk
            hero.defense += thing.defense
            hero.mdef += thing.mdef
            for colour in thing.keys:
                hero.keys[colour] = hero.keys.get(colour, 0) + 1
        del self.things[cell]
        hero.cell = cell
        return (verb, *cell)

    def next_assist(self) -> Cell | None:
        """Return what the assists do next: the nearest item, else a free fight."""
        exposed = self.exposed()
        for cell in exposed:
            if isinstance(self.things[cell], Item):
                return cell
        for cell in exposed:
            thing = self.things[cell]
            if isinstance(thing, Monster) and not thing.boss and self.loss(cell) == 0:
                return cell
        return None

    def assist(self) -> list[Action]:
        """Take items and fight for free until neither is left; return the actions."""
        taken: list[Action] = []
        while (cell := self.next_assist()) is not None:
            taken.append(self.act(cell))
        return taken
