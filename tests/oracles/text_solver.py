"""A small solver of the text map format, a program of its own: `text_solver.py MAP`.

It prints the best final HP, or 0 if the boss cannot be beaten, and ends with code 1
on what it does not know.  It shares no code with the package.
"""

import sys
from typing import Any

Cell = tuple[int, int]
Hero = dict[str, Any]

DOORS = {81: 0, 82: 1, 83: 2}
KEYS = {21: 0, 22: 1, 23: 2}
ITEMS = {27: ("atk", 0), 28: ("def", 1), 29: ("mdef", 2), 31: ("hp", 3)}
ITEMS |= {32: ("hp", 4), 33: ("hp", 5), 34: ("hp", 6), 35: ("atk", 7), 36: ("def", 8)}
BOSS = 299


def read(
    path: str,
) -> tuple[dict[Cell, int], list[int], dict[int, list[int]], list[int]]:
    """Map, item values, monsters and hero of a file with one floor."""
    with open(path, encoding="utf-8") as file:
        numbers = map(int, file.read().split())
    floors, rows, columns = (next(numbers) for _ in range(3))
    if floors != 1:
        sys.exit("more than one floor")
    cells = {(r, c): next(numbers) for r in range(rows) for c in range(columns)}
    values = [next(numbers) for _ in range(9)]
    monsters = {}
    for _ in range(next(numbers)):
        row = [next(numbers) for _ in range(6)]
        if row[5] > 6:
            sys.exit(f"unknown special {row[5]}")
        monsters[row[0]] = row[1:]
    shop = [next(numbers) for _ in range(6)]
    if shop[0] not in (0, 999999):
        sys.exit("a shop")
    hero = [next(numbers) for _ in range(11)]
    return cells, values, monsters, hero


def loss(hero: Hero, monster: list[int]) -> int | None:
    """HP that a fight costs, or None if the hero does no damage."""
    hp, atk, defense, _, special = monster
    if special == 3:
        defense = max(defense, hero["atk"] - 1)
    strike: int = hero["atk"] - defense
    if strike <= 0:
        return None
    hit = atk if special == 2 else max(0, atk - hero["def"])
    hit *= {4: 2, 5: 3, 6: 4}.get(special, 1)
    blows: int = (hp - 1) // strike + (1 if special == 1 else 0)
    cost: int = max(0, blows * hit - hero["mdef"])
    return cost


def explore(
    cells: dict[Cell, int], values: list[int], hero: Hero, gone: frozenset[Cell]
) -> tuple[set[Cell], frozenset[Cell]]:
    """Collect all in reach; what stands next to it."""
    front: set[Cell] = set()
    seen, pending = {hero["at"]}, [hero["at"]]
    while pending:
        row, column = pending.pop()
        for cell in (
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (
                row,
                column + 1,
            ),
        ):
            what = cells.get(cell, 1)
            if what == 1 or cell in seen:
                continue
            if cell not in gone and (what >= 200 or what in DOORS):
                front.add(cell)
                continue
            seen.add(cell)
            pending.append(cell)
            if cell not in gone and what:
                gone = gone | {cell}
                if what in KEYS:
                    hero["keys"][KEYS[what]] += 1
                elif what in ITEMS:
                    name, place = ITEMS[what]
                    hero[name] += values[place]
                else:
                    sys.exit(f"unknown cell {what}")
    return front, gone


def best(path: str) -> int:
    """The best final HP, by the sets of removed things, smaller sets first."""
    cells, values, monsters, start = read(path)
    hero: Hero = dict(zip(("hp", "atk", "def", "mdef"), start, strict=False))
    hero |= {"keys": start[5:8], "at": (start[9], start[10])}
    layer: dict[frozenset[Cell], Hero] = {frozenset(): hero}
    found = 0
    while layer:
        after: dict[frozenset[Cell], Hero] = {}
        for gone, hero in layer.items():
            hero = {**hero, "keys": list(hero["keys"])}
            front, gone = explore(cells, values, hero, gone)
            for cell in front:
                what, new = cells[cell], {**hero, "keys": list(hero["keys"])}
                if what in DOORS:
                    new["keys"][DOORS[what]] -= 1
                    if new["keys"][DOORS[what]] < 0:
                        continue
                else:
                    cost = loss(new, monsters[what])
                    if cost is None or cost >= new["hp"]:
                        continue
                    new["hp"] -= cost
                    if what == BOSS:
                        found = max(found, new["hp"])
                        continue
                key = frozenset(gone | {cell})
                if key not in after or after[key]["hp"] < new["hp"]:
                    after[key] = new
        layer = after
    return found


if __name__ == "__main__":
    print("best final HP:", best(sys.argv[1]))
