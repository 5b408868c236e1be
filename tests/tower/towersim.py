"""Plays the tower cell by cell, from the map files alone.

An independent witness: it reads the TOML files itself, keeps one dictionary of
cells, floods the map at every step and fights strike by strike.  It shares no code
with `mt_gym` and knows no graph, so a hole in the compiled graph cannot hide here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Cell = tuple[str, int, int]
"""(floor, column, row)."""

STEPS = ((0, -1), (-1, 0), (1, 0), (0, 1))
DOORS = {f"{colour.title()} Door": colour for colour in ("yellow", "blue", "red")}
COLOURS = ("yellow", "blue", "red", "green")
RESOURCES = ("hp", "atk", "def", "mdef", "gold", "exp", "level", *COLOURS)


class Refused(Exception):
    """An action that the cells do not allow."""


@dataclass
class Thing:
    """What stands on a cell."""

    name: str
    to: str = ""
    one_way: bool = False
    talked: set[int] = field(default_factory=set)


def spot(text: str) -> Cell:
    """The cell of `MT3:5,4`."""
    floor, _, place = text.partition(":")
    x, y = place.split(",")
    return floor, int(x), int(y)


class TowerSim:
    """One game, from the start.

    Attributes:
        hero: amounts by resource; `where` the cell on which he stands.
        things: what stands where; a cell that is in `ground` but not here is free.
    """

    def __init__(self, folder: Path) -> None:
        self.file = tomllib.loads((folder / "tower.toml").read_text("utf-8"))
        self.ground: set[Cell] = set()
        self.things: dict[Cell, Thing] = {}
        self.hidden: dict[Cell, Thing] = {}
        self.gone: set[Cell] = set()
        self.flags: set[str] = set()
        self.stronger: dict[str, int] = {}
        self.links: dict[Cell, Cell] = {}
        self.fired: set[int] = set()
        self.won = False
        self.hero = dict.fromkeys(RESOURCES, 0) | self.file["hero"]
        for name in self.file["floor_files"]:
            self._read_floor(tomllib.loads((folder / name).read_text("utf-8")))
        self.goal = spot(self.file["goal"]["at"])
        self.gained = 0

    def _read_floor(self, floor: dict[str, Any]) -> None:
        for y, row in enumerate(floor["map"].strip().splitlines()):
            for x, letter in enumerate(row.strip()):
                cell = (str(floor["id"]), x, y)
                if letter == "#":
                    continue
                self.ground.add(cell)
                if letter == "@":
                    self.where = cell
                elif letter != ".":
                    self.things[cell] = self._thing(floor["legend"][letter])
        for entry in floor.get("hidden", []):
            cell = (str(floor["id"]), *spot("x:" + entry["at"])[1:])
            self.hidden[cell] = self._thing(entry)

    @staticmethod
    def _thing(entry: Any) -> Thing:
        if isinstance(entry, str):
            return Thing(entry)
        name = f"Stairs {entry['stairs'].title()}"
        return Thing(name, entry["to"], entry.get("one_way", False))

    # -- walking -------------------------------------------------------------------

    def reach(self) -> set[Cell]:
        """Every cell on which the hero can stand without doing anything."""
        found = {self.where}
        queue = [self.where]
        for cell in queue:
            for other in self.around(cell):
                if other in found or other in self.things or other not in self.ground:
                    continue
                found.add(other)
                queue.append(other)
        return found

    def around(self, cell: Cell) -> Iterable[Cell]:
        """Neighbours on the floor, and the other end of climbed stairs."""
        floor, x, y = cell
        for dx, dy in STEPS:
            yield floor, x + dx, y + dy
        if cell in self.links:
            yield self.links[cell]

    def _other_end(self, cell: Cell, thing: Thing) -> Cell:
        if ":" in thing.to:
            return spot(thing.to)
        for other, end in self.things.items():
            if other[0] == thing.to and end.to == cell[0]:
                return other
        raise Refused(f"stairs at {cell} lead nowhere")

    # -- actions -------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Execute an action by its text; raises `Refused`."""
        if self.won or self.hero["hp"] <= 0:
            raise Refused("the game is over")
        place, _, rest = text.partition(":")
        words = rest.split()
        x, y = words[1].split(",")
        cell = (place, int(x), int(y))
        choice = int(words[2][1:]) if len(words) > 2 else 0
        before = self.hero["hp"]
        thing = self.things.get(cell)
        if thing is None:
            raise Refused(f"{text}: nothing is there")
        if not any(other in self.reach() for other in self.around(cell)):
            raise Refused(f"{text}: the hero cannot get next to it")
        verb = words[0]
        if verb == "fight":
            self._fight(cell, thing.name)
        elif verb == "open":
            if thing.name in DOORS:
                self._pay({DOORS[thing.name]: 1})
            elif thing.name != "Gate":
                raise Refused(f"{text}: {thing.name} does not open")
            self._clear(cell)
        elif verb == "collect":
            self._collect(cell, self.file["items"][thing.name], thing.name)
        elif verb == "climb":
            self._climb(cell, thing)
        elif verb in ("buy", "sell"):
            self._buy(self.file["shops"][thing.name], verb, choice)
        elif verb == "trade":
            row = self.file["trades"][thing.name]
            self._pay(row["price"])
            self._gain(row["gives"])
            self._clear(cell)
        elif verb == "talk":
            self._talk(cell, thing, max(choice, 1))
        else:
            raise Refused(f"{text}: unknown verb")
        self._triggers()
        self.gained += max(0, self.hero["hp"] - before)

    def _pay(self, price: dict[str, int]) -> None:
        for name, amount in price.items():
            if self.hero[name] < amount:
                raise Refused(f"{amount} {name} needed, {self.hero[name]} there")
            self.hero[name] -= amount

    def _gain(self, amounts: dict[str, Any]) -> None:
        for name in RESOURCES:
            self.hero[name] += amounts.get(name, 0)

    def _clear(self, cell: Cell) -> None:
        del self.things[cell]
        self.gone.add(cell)
        self.where = cell

    def _monster(self, name: str) -> dict[str, Any]:
        row: dict[str, Any] = self.file["monsters"][name]
        times = self.stronger.get(name, 0)
        return {**row, **row["strengthened"][times - 1]} if times else row

    def _fight(self, cell: Cell, name: str) -> None:
        monster, hero = self._monster(name), self.hero
        strike = hero["atk"] - monster["def"]
        if strike <= 0:
            raise Refused(f"{name} cannot be hurt")
        if "vampire" in monster:
            share, of = monster["vampire"]
            hero["hp"] -= hero["hp"] * share // of
        left = monster["hp"]
        while True:
            left -= strike
            if left <= 0:
                break
            hero["hp"] -= max(0, monster["atk"] - hero["def"])
        hero["hp"] -= monster.get("fixed", 0)
        if hero["hp"] <= 0:
            raise Refused(f"{name} kills the hero")
        hero["gold"] += monster["gold"]
        hero["exp"] += monster["exp"]
        self._clear(cell)
        for script in self.file["scripts"]:
            if "at" in script and spot(script["at"]) == cell:
                self._effects(script)
        if cell == self.goal:
            self.won = True

    def _collect(self, cell: Cell, item: dict[str, Any], name: str) -> None:
        self._gain(item)
        if item.get("carried"):
            self.flags.add(name)
        self._clear(cell)
        self._effects(item)

    def _climb(self, cell: Cell, thing: Thing) -> None:
        other = self._other_end(cell, thing)
        self._clear(cell)
        if not thing.one_way:
            self._clear(other)
            self.links[cell], self.links[other] = other, cell
        self.where = other

    def _buy(self, shop: dict[str, Any], verb: str, choice: int) -> None:
        offer = shop["offers"][choice - 1]
        price = offer.get("price", shop.get("price"))
        if (verb == "sell") != ("gold" in offer):
            raise Refused(f"{verb} does not fit the shop")
        self._pay(price)
        self._gain(offer)

    def _talk(self, cell: Cell, thing: Thing, choice: int) -> None:
        row = self.file["characters"][thing.name]["talks"][choice - 1]
        missing = set(row.get("needs", {}).get("flags", ())) - self.flags
        if missing or choice in thing.talked:
            raise Refused(f"{thing.name} has nothing to say: {missing}")
        thing.talked.add(choice)
        self._gain(row.get("gives", {}))
        if row.get("leaves"):
            self._clear(cell)
        self._effects(row)

    # -- scripts -------------------------------------------------------------------

    def _effects(self, row: dict[str, Any]) -> None:
        for name, (num, den) in row.get("scale", {}).items():
            self.hero[name] = self.hero[name] * num // den
        for name in row.get("clears", ()):
            self.flags.discard(name)
        for name in row.get("strengthens", ()):
            self.stronger[name] = self.stronger.get(name, 0) + 1
        for text in row.get("removes", ()):
            del self.things[spot(text)]
            self.gone.add(spot(text))
        for text in row.get("reveals", ()):
            self.things[spot(text)] = self.hidden.pop(spot(text))
            self.ground.add(spot(text))

    def _triggers(self) -> None:
        for number, script in enumerate(self.file["scripts"]):
            if "at" in script or number in self.fired:
                continue
            needs = script["needs"]
            fallen = sum(spot(text) in self.gone for text in needs["gone"])
            if fallen >= needs.get("count", len(needs["gone"])):
                self.fired.add(number)
                self._effects(script)
