"""A small simulator of the `.mt` game, used only as a test oracle.

It shares no code with `mt_gym`: it reads `.mt` files and key routes itself, keeps
the maps as a dictionary of cell codes, walks cell by cell and fights blow by blow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

Place = tuple[int, int, int]
"""Map, column, row."""

STEPS = {"h": (-1, 0), "j": (0, 1), "k": (0, -1), "l": (1, 0)}
STAT_OF_KEY = {"a": "atk", "d": "def", "m": "mdef"}
NAMES = (
    *("hp", "atk", "def", "mdef", "yellow", "blue", "red"),
    *("gold", "token", "pickaxe", "bomb"),
)
"""The hero's numbers, in the order of the file."""

FOUND = {56: "yellow", 57: "blue", 58: "red", 60: "token", 61: "pickaxe", 62: "bomb"}
LOCKED = {96: "yellow", 97: "blue", 98: "red"}


@lru_cache(maxsize=100_000)
def loss_of_fight(
    atk: int, defense: int, mdef: int, enemy: tuple[int, int, int], special: int
) -> int | None:
    """HP lost against (HP, ATK, DEF), or None if the blows do nothing."""
    left, enemy_atk, enemy_def = enemy
    blow = atk - enemy_def
    if blow <= 0:
        return None
    if special & 32:
        blow = 1
    hit = enemy_atk if special & 16 else enemy_atk - defense
    hit = max(hit, 0) * ((special & 15) + 1)
    total = hit if special & 64 else 0
    while True:
        left -= blow
        if left <= 0:
            break
        total += hit
    return max(total - mdef, 0)


@dataclass
class Sim:
    """A game of one `.mt` map; `press` plays one key."""

    cells: dict[Place, int]
    bag: dict[str, int]
    unit: dict[str, int]
    enemies: list[tuple[int, ...]]
    links: dict[Place, Place]
    at: Place
    flags: int = 0
    ready: str = ""
    scores: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, text: str) -> Sim:
        """Read the text of an `.mt` file."""
        numbers = [int(word) for word in text.split()]
        head, rest = numbers[:27], numbers[27:]
        maps, enemies, portals = head[20:23]
        hero = head[6:17]
        x, y, z = head[17:20]
        cells = {(i // 225, i % 15, i // 15 % 15): rest[i] for i in range(maps * 225)}
        rest = rest[maps * 225 :]
        links = {}
        for i in range(portals):
            one, two = rest[enemies * 5 + 2 * i : enemies * 5 + 2 * i + 2]
            a, b = ((c // 225, c % 15, c // 15 % 15) for c in (one, two))
            links[a], links[b] = b, a
        return cls(
            cells,
            dict(zip(NAMES, hero, strict=True)),
            dict(zip(("hp", "atk", "def", "mdef"), head[23:27], strict=True)),
            [tuple(rest[5 * i : 5 * i + 5]) for i in range(enemies)],
            links,
            (z, x, y),
            scores=head[:6],
        )

    def play(self, route: str) -> None:
        """Play all keys of a route."""
        for key in "".join(route.split()):
            self.press(key)

    def press(self, key: str) -> None:
        z, x, y = self.at
        if key in STEPS:
            dx, dy = STEPS[key]
            if 0 <= x + dx < 15 and 0 <= y + dy < 15:
                self.step_onto((z, x + dx, y + dy))
        elif key == "g":
            if self.at in self.links:
                self.step_onto(self.links[self.at])
        elif key == "p" and self.bag["pickaxe"]:
            self.ready = "p"
        elif key == "b" and self.bag["bomb"]:
            self.ready = "b"
        elif key == "s" and self.bag["gold"] >= 100:
            self.ready = "s"
        elif key in STAT_OF_KEY:
            self.raise_stat(STAT_OF_KEY[key])

    def raise_stat(self, stat: str) -> None:
        """A purchase once the shop is open, else the choice of a white crystal."""
        code = self.cells[self.at]
        if self.ready == "s":
            if self.bag["gold"] >= 100:
                self.bag["gold"] -= 100
                self.bag[stat] += self.unit[stat] * 2 ** self.bag["token"]
        elif 32 <= code < 40:
            self.bag[stat] += self.unit[stat] * 2 ** (code - 32)
            self.cells[self.at] = 0

    def step_onto(self, place: Place) -> None:
        """Deal with what is on a cell and stand on it, unless it stops the hero."""
        tool, self.ready = self.ready, ""
        if self.clear(place, self.cells[place], tool):
            self.at = place

    def clear(self, place: Place, code: int, tool: str) -> bool:
        bag = self.bag
        if code == 100 or (code == 99 and tool != "p"):
            return False
        if code in LOCKED and not bag[LOCKED[code]]:
            return False
        if code >= 128 and not self.beat(code - 128, tool == "b"):
            return False
        if code == 99:
            bag["pickaxe"] -= 1
        elif code in LOCKED:
            bag[LOCKED[code]] -= 1
        elif code in FOUND:
            bag[FOUND[code]] += 1
        elif code == 59:
            bag["gold"] += 100
        elif code == 63:
            self.flags += 1
        elif 40 <= code < 56:
            bag["hp"] += self.unit["hp"] * 2 ** (code - 40)
        elif 8 <= code < 32:
            stat = ("atk", "def", "mdef")[code // 8 - 1]
            bag[stat] += self.unit[stat] * 2 ** (code % 8)
        if not 32 <= code < 40:
            self.cells[place] = 0
        return True

    def beat(self, number: int, bomb: bool) -> bool:
        """Whether the enemy is gone, by a bomb or by a fight that is survived."""
        if bomb and not self.enemies[number][4] & 128:
            self.bag["bomb"] -= 1
            return True
        loss = self.loss(number)
        if loss is None or loss >= self.bag["hp"]:
            return False
        self.bag["hp"] -= loss
        self.bag["gold"] += self.enemies[number][3]
        return True

    def loss(self, number: int) -> int | None:
        """HP that an enemy costs now, or None if it cannot be hurt."""
        hp, atk, defense, _, special = self.enemies[number]
        bag = self.bag
        return loss_of_fight(
            bag["atk"], bag["def"], bag["mdef"], (hp, atk, defense), special
        )

    def offers(self) -> set[tuple[str, Place | None]]:
        """Everything that could be done from the cells the hero can walk to.

        Pairs (verb, place); purchases have no place.  Lethal fights are in, fights
        without any effect are not.  The hero may walk over the flag.
        """
        seen, stack = {self.at}, [self.at]
        found: set[tuple[str, Place | None]] = set()
        while stack:
            z, x, y = here = stack.pop()
            if self.cells[here]:
                found |= {(verb, here) for verb in self.verbs(here)}
            near = [(z, x + dx, y + dy) for dx, dy in STEPS.values()]
            if here in self.links:
                near.append(self.links[here])
            for place in near:
                code = self.cells.get(place, 100)
                if code in (0, 63) or 32 <= code < 40:
                    if place not in seen:
                        seen.add(place)
                        stack.append(place)
                else:
                    found |= {(verb, place) for verb in self.verbs(place)}
        if self.bag["gold"] >= 100:
            found.add(("buy", None))
        return found

    def verbs(self, place: Place) -> list[str]:
        """What the hero's things allow to do with a cell next to him."""
        code, bag = self.cells.get(place, 100), self.bag
        if code >= 128:
            fight = ["fight"] if self.loss(code - 128) is not None else []
            boss = self.enemies[code - 128][4] & 128
            return fight + (["bomb"] if bag["bomb"] and not boss else [])
        if code in LOCKED:
            return ["open"] if bag[LOCKED[code]] else []
        if code == 99:
            return ["break"] if bag["pickaxe"] else []
        if code == 63:
            return ["finish"]
        if 32 <= code < 40:
            return ["choose"]
        return ["collect"] if 8 <= code < 63 else []
