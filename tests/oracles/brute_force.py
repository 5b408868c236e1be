"""Brute force over our `simple` floor with the slow simulator.

`python -m tests.oracles.brute_force` prints every number that the floor must give:
the optimum, all winning sequences, the states, and the values of known decisions.

Every decision is one of the fights that can be survived and the doors whose key is
held; the assists (items, then free fights) run before each decision.  The boss is
the goal: a game ends with that fight, or when no decision is left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tests.oracles.cellsim import (
    Action,
    Cell,
    Door,
    Floor,
    Hero,
    Item,
    Monster,
    Thing,
)

SIMPLE_ROWS: tuple[str, ...] = (
    ".a#..@.YYG.",
    "k.L#.k..#a.",
    "##..L...#pP",
    "##..#R.####",
    "pa##..K.#d.",
    ".k.B..#Y.Kp",
    "#####G#..#R",
    "dP#KY..#p#.",
    ".L..#..##..",
    "#k.d#B#.L..",
    "#k..#Z#da#.",
)

LEGEND: dict[str, Thing] = {
    "G": Monster(50, 7, 3, name="Green Slime"),
    "R": Monster(70, 11, 1, name="Red Slime"),
    "K": Monster(45, 5, 5, magic=True, name="Black Slime"),
    "L": Monster(80, 10, 5, name="Slime Lord"),
    "B": Monster(100, 17, 2, name="Bat"),
    "Z": Monster(50, 20, 12, name="Boss", boss=True),
    "Y": Door("yellow"),
    "k": Item("Yellow Key", keys=("yellow",)),
    "a": Item("Red Gem", atk=1),
    "d": Item("Blue Gem", defense=1),
    "p": Item("Red Potion", hp=75),
    "P": Item("Blue Potion", hp=200),
}

WIN_COUNTS: dict[int, int] = {13: 6, 10: 16, 7: 3, 6: 16, 4: 13, 3: 24, 2: 14, 1: 6}
"""Final HP -> number of winning decision sequences."""


def simple_floor() -> Floor:
    """Return the floor at its start, before the first assist."""
    return Floor(SIMPLE_ROWS, LEGEND, Hero(hp=470, atk=9, defense=4))


def boss_cell(floor: Floor) -> Cell | None:
    """Return the cell of the boss, or None once it is beaten."""
    for cell, thing in floor.things.items():
        if isinstance(thing, Monster) and thing.boss:
            return cell
    return None


def decisions(floor: Floor) -> list[Action]:
    """Return the decisions: fights in reading order, then doors."""
    return sorted(floor.actions(), key=lambda action: action[0] != "fight")


def after(floor: Floor, action: Action) -> Floor:
    """Return the floor after one decision and the assists that follow it."""
    child = floor.copy()
    child.act(action[1:])
    if boss_cell(child) is not None:
        child.assist()
    return child


def start() -> Floor:
    """Return the floor at the first decision."""
    floor = simple_floor()
    floor.assist()
    return floor


def replay(actions: Iterable[Action]) -> Floor:
    """Return the floor after the given decisions."""
    floor = start()
    for action in actions:
        floor = after(floor, action)
    return floor


Left = frozenset[Cell]
"""What is still on the floor; attributes and keys follow from it, HP does not."""


@dataclass(frozen=True)
class Exit:
    """One decision in a set: its price in HP, what comes in, what is left then."""

    action: Action
    loss: int
    gain: int
    left: Left


class WinCounter:
    """Count all winning decision sequences by final HP, remembering what is known.

    The exits of a set are worked out once, by a hero who cannot die.  That is right
    because no loss depends on the hero's HP (there is no vampire on the floor).
    """

    def __init__(self) -> None:
        self.rich: dict[Left, Floor] = {}
        self.exits: dict[Left, list[Exit]] = {}
        self.known: dict[tuple[Left, int], Counter[int]] = {}

    def count(self, floor: Floor) -> Counter[int]:
        """Return final HP -> number of winning sequences from this floor."""
        left = self.remember(floor)
        return self.count_from(left, floor.hero.hp)

    def best(self, floor: Floor) -> int | None:
        """Return the best final HP from this floor, or None if no win is left."""
        return max(self.count(floor), default=None)

    def values(self, floor: Floor) -> dict[Action, int | None]:
        """Return the best final HP after each decision (None: no win is left)."""
        return {action: self.best(after(floor, action)) for action in decisions(floor)}

    def remember(self, floor: Floor) -> Left:
        """Keep one floor for this set, with a hero who cannot die."""
        left = frozenset(floor.things)
        if left not in self.rich:
            self.rich[left] = floor.copy()
            self.rich[left].hero.hp = 10**6
        return left

    def exits_of(self, left: Left) -> list[Exit]:
        """Return all decisions in a set, also the lethal ones."""
        if left not in self.exits:
            floor = self.rich[left]
            self.exits[left] = []
            for action in decisions(floor):
                child = after(floor, action)
                loss = floor.loss(action[1:]) or 0 if action[0] == "fight" else 0
                gain = child.hero.hp - floor.hero.hp + loss
                exit_ = Exit(action, loss, gain, self.remember(child))
                self.exits[left].append(exit_)
        return self.exits[left]

    def count_from(self, left: Left, hp: int) -> Counter[int]:
        """Count the winning sequences from a set with this much HP."""
        if boss_cell(self.rich[left]) is None:
            return Counter({hp: 1})
        if (left, hp) not in self.known:
            total: Counter[int] = Counter()
            for exit_ in self.exits_of(left):
                if exit_.loss < hp:
                    total += self.count_from(exit_.left, hp - exit_.loss + exit_.gain)
            self.known[left, hp] = total
        return self.known[left, hp]


def best_route(counter: WinCounter) -> list[Action]:
    """Return the first best route in list order, with the assists' actions."""
    floor = simple_floor()
    route = floor.assist()
    best = counter.best(floor)
    while boss_cell(floor) is not None:
        values = counter.values(floor)
        action = next(action for action in values if values[action] == best)
        route.append(floor.act(action[1:]))
        if boss_cell(floor) is not None:
            route += floor.assist()
    return route


@dataclass
class StateCount:
    """How many states the plain dynamic program sees, by kind."""

    undecided: int
    won: int
    optimum: int | None


def plain_program() -> StateCount:
    """Run the plain dynamic program: the largest HP for each set of things left.

    The sets are visited by layers of equal size, so that a set is expanded once,
    after its largest HP is known.  Sets without the boss are terminal.
    """
    first = start()
    layers: dict[int, dict[Left, Floor]] = defaultdict(dict)
    layers[len(first.things)][frozenset(first.things)] = first
    undecided = won = 0
    optimum: int | None = None
    for size in range(len(first.things), -1, -1):
        for floor in layers[size].values():
            if boss_cell(floor) is None:
                won += 1
                optimum = max(optimum or 0, floor.hero.hp)
                continue
            undecided += 1
            for action in decisions(floor):
                child = after(floor, action)
                layer = layers[len(child.things)]
                known = layer.get(frozenset(child.things))
                if known is None or known.hero.hp < child.hero.hp:
                    layer[frozenset(child.things)] = child
    return StateCount(undecided, won, optimum)


def main() -> None:
    """Print what came out."""
    counter = WinCounter()
    wins = counter.count(start())
    print("optimum", max(wins), "- winning sequences", wins.total())
    print("distribution", dict(sorted(wins.items(), reverse=True)))
    print("plain dynamic program", plain_program())
    print("first decision", counter.values(start()))
    black, green = ("fight", 6, 4), ("fight", 5, 6)
    print("after Black + Green", counter.values(replay([black, green])))
    turn9 = replay([black, green, ("open_door", 4, 7), ("fight", 3, 7)])
    fights = [action for action in decisions(turn9) if action[0] == "fight"]
    print("turn 9", turn9.hero)
    print("losses", {action: turn9.loss(action[1:]) for action in fights})
    print("values", counter.values(turn9))
    print("best route", best_route(counter))


if __name__ == "__main__":
    main()
