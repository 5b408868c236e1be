"""The lookahead by walking over cells, slow and obvious: an oracle for the analysis.

It reads the drawing of a one-floor map of monsters, doors, gates and items, and
knows nothing of the compiled board.  Costs come from the strike-by-strike fight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from mt_gym.engine.kinds import KEYS, Kind
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.oracles.cellsim import Cell, Monster, fight

DEPTH_HUNDREDTHS = (100, 70, 50, 35)
POINTS = {"atk": 70, "def": 90, "mdef": 45, "yellow": 60, "blue": 90, "red": 120}
DOORS = {"yellow": 80, "blue": 130, "red": 180, "green": 180}
POINTS["green"] = 120

Stats = tuple[int, int, int]


def reading(cells: Iterable[Cell]) -> list[Cell]:
    """Cells by row, then by column."""
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


@dataclass
class Node:
    """One node of the tree, by cells."""

    path: tuple[Cell, ...]
    items: list[Cell]
    doors: list[Cell]
    monsters: list[Cell]
    gates: list[Cell]
    things: dict[Cell, Kind]
    keys: dict[str, int]


@dataclass
class Scene:
    """A state as a drawing: open cells, what stands on them, and the hero."""

    open_cells: set[Cell]
    things: dict[Cell, Kind]
    goal: str
    stats: Stats
    hp: int
    keys: dict[str, int]
    start: Cell
    seen: set[Cell] = field(default_factory=set)

    @classmethod
    def of(cls, tower: Tower, state: State) -> Scene:
        """Read a state of a one-floor map."""
        (floor,) = tower.data.floors
        legend = dict(floor.legend)
        kinds = dict(tower.board.kinds)
        gone = {
            thing.spot
            for thing in tower.board.objects
            if state.world.gone >> thing.index & 1
        }
        cells, things, start = set(), {}, (0, 0)
        for y, row in enumerate(floor.rows):
            for x, letter in enumerate(row):
                if letter == "#":
                    continue
                cells.add((x, y))
                if letter == "@":
                    start = (x, y)
                if letter in legend:
                    if any(s is not None and (s.x, s.y) == (x, y) for s in gone):
                        continue
                    things[x, y] = kinds[legend[letter].kind]
        hero = state.hero
        keys = {name: getattr(hero, name) for name in KEYS}
        stats = (hero.atk, hero.defense, hero.mdef)
        return cls(cells, things, tower.data.goal.name, stats, hero.hp, keys, start)

    def flood(self, things: dict[Cell, Kind], start: Cell) -> set[Cell]:
        """Cells of the things next to what can be walked to from a cell."""
        met: set[Cell] = set()
        walked, stack = {start}, [start]
        while stack:
            x, y = stack.pop()
            for cell in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
                if cell not in self.open_cells or cell in walked:
                    continue
                if cell in things:
                    met.add(cell)
                else:
                    walked.add(cell)
                    stack.append(cell)
        return met

    def exposed(self) -> set[Cell]:
        """Everything next to the hero's region."""
        return self.flood(self.things, self.start)

    def cost(self, cell: Cell, gain: Stats = (0, 0, 0)) -> int | None:
        """What the fight at a cell costs; 0 for anything else."""
        kind = self.things[cell]
        if kind.type != "monster":
            return 0
        values, able = kind.values[0], kind.abilities
        monster = Monster(
            values.hp,
            values.atk,
            values.defense,
            magic=able.magic,
            mimic=able.mimic,
            solid=able.solid,
            hits=able.hits,
            first_strike=able.first_strike,
            fixed=able.fixed,
        )
        atk, defense, mdef = (a + b for a, b in zip(self.stats, gain, strict=True))
        return fight(atk, defense, mdef, self.hp, monster)

    # -- section 4: the tree --------------------------------------------------

    def tree(self, action: Cell, limit: int) -> list[Node]:
        """All nodes, breadth first."""
        self.seen = set(self.exposed())
        nodes = [self.grow(self.things, self.keys, action, ())]
        for node in nodes:
            if len(node.path) >= limit:
                continue
            for gateway in (*node.monsters, *node.doors, *node.gates):
                kind = self.things[gateway]
                if kind.type == "monster" and (
                    kind.name == self.goal or self.cost(gateway) is None
                ):
                    continue
                if kind.type == "door" and any(
                    node.keys[colour] < n for colour, n in kind.rows[0].cost
                ):
                    continue
                path = (*node.path, gateway)
                nodes.append(self.grow(node.things, node.keys, gateway, path))
        return nodes

    def grow(
        self,
        things: dict[Cell, Kind],
        keys: dict[str, int],
        cell: Cell,
        path: tuple[Cell, ...],
    ) -> Node:
        """Remove what stands on a cell, collect what lies behind, note what is new."""
        things, keys = dict(things), dict(keys)
        removed = things.pop(cell)
        if removed.type == "door":
            for colour, number in removed.rows[0].cost:
                keys[colour] -= number
        if removed.type == "item":
            for name, number in removed.rows[0].gain:
                if name in keys:
                    keys[name] += number
        new: set[Cell] = set()
        listed = self.exposed()
        while True:
            met = self.flood(things, cell)
            new |= met
            lying = [c for c in met if things[c].type == "item" and c not in listed]
            if not lying:
                break
            for found in lying:
                for name, number in things.pop(found).rows[0].gain:
                    if name in keys:
                        keys[name] += number
        new -= self.seen
        for boss in [c for c in new if self.things[c].name == self.goal]:
            if self.cost(boss) is None:
                new.discard(boss)
        self.seen |= new

        def of(kind: str) -> list[Cell]:
            return reading(c for c in new if self.things[c].type == kind)

        return Node(
            path, of("item"), of("door"), of("monster"), of("gate"), things, keys
        )

    # -- sections 4.1, 6 and 7: what the numbers say -----------------------------

    def item_value(self, cell: Cell) -> int:
        """Worth of an item."""
        return sum(
            POINTS.get(name, 0) * number
            for name, number in self.things[cell].rows[0].gain
        )

    def door_hundredths(self, cell: Cell) -> int:
        """Worth of a new door, in hundredths."""
        ((colour, _),) = self.things[cell].rows[0].cost
        return DOORS[colour] * (75 if self.keys[colour] > 1 else 100)

    def value(
        self, action: Cell, nodes: list[Node]
    ) -> tuple[int, int, int, int | None]:
        """Raw value, gateways, net value and effective cost."""
        raw, gates = 0, set()
        for node in nodes:
            worth = sum(100 * self.item_value(c) for c in node.items)
            worth += sum(self.door_hundredths(c) for c in node.doors)
            raw += worth * DEPTH_HUNDREDTHS[len(node.path)]
            if node.doors or any(self.item_value(c) for c in node.items):
                gates |= set(node.path)
        paid = sum(self.cost(c) or 0 for c in gates)
        net = max(0, raw - 10_000 * paid) // 10_000
        effective: int | None = (self.cost(action) or 0) - net
        if net == 0 and gates:
            effective = None
        return raw // 10_000, paid, net, effective

    def gain(self, nodes: list[Node]) -> Stats:
        """Attributes of all items of a tree."""
        total = [0, 0, 0]
        for node in nodes:
            for cell in node.items:
                for name, number in self.things[cell].rows[0].gain:
                    if name in ("atk", "def", "mdef"):
                        total[("atk", "def", "mdef").index(name)] += number
        return total[0], total[1], total[2]

    def route(self, action: Cell, nodes: list[Node], gain: Stats) -> int | None:
        """HP of an action and of the gateways in front of its attribute items."""
        gates = {
            gate
            for node in nodes
            for gate in node.path
            if any(
                name in ("atk", "def", "mdef")
                for cell in node.items
                for name, _ in self.things[cell].rows[0].gain
            )
        }
        costs = [self.cost(cell, gain) for cell in (action, *gates)]
        return None if None in costs else sum(cost or 0 for cost in costs)
