"""The duel by walking over cells, slow and obvious, and its value by full search.

Two heroes of the slow simulator share one dictionary of things.  It knows nothing of
the compiled board, of masks or of the engine's transitions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mt_gym.engine.kinds import Kind
from mt_gym.engine.tower import Tower
from tests.oracles.cellsim import Cell, Door, Floor, Gate, Hero, Item, Monster, Thing

KEYS = ("yellow", "blue", "red", "green")


def thing_of(kind: Kind, goal: str) -> Thing:
    """A kind of the map file as a thing of the simulator."""
    if kind.type == "monster":
        able, stats = kind.abilities, kind.values[0]
        return Monster(
            stats.hp,
            stats.atk,
            stats.defense,
            magic=able.magic,
            solid=able.solid,
            mimic=able.mimic,
            first_strike=able.first_strike,
            hits=able.hits,
            fixed=able.fixed,
            name=kind.name,
            boss=kind.name == goal,
        )
    if kind.type == "door":
        ((colour, _),) = kind.rows[0].cost
        return Door(colour)
    if kind.type == "gate":
        return Gate()
    gain = dict(kind.rows[0].gain)
    return Item(
        kind.name,
        atk=gain.get("atk", 0),
        defense=gain.get("def", 0),
        mdef=gain.get("mdef", 0),
        hp=gain.get("hp", 0),
        keys=tuple(key for key in KEYS for _ in range(gain.get(key, 0))),
    )


@dataclass
class Duel:
    """Two heroes on one floor.

    Attributes:
        floor: holds the things; its own hero is whoever acts.
        heroes: both; defeated: monsters that each has beaten.
        monsters: how many there were.
        assists: items and free fights are taken around an action.
    """

    floor: Floor
    heroes: list[Hero]
    defeated: list[int]
    monsters: int
    assists: bool
    mover: int = 0
    passed: bool = False
    value: int | None = None
    """1 if player 0 has won, -1 if player 1 has, 0 for a draw; None: it goes on."""

    @classmethod
    def of(cls, tower: Tower, assists: bool) -> Duel:
        """The start of a duel on a one-floor map."""
        (drawn,) = tower.data.floors
        kinds, goal = dict(tower.board.kinds), tower.data.goal.name
        legend = {
            letter: thing_of(kinds[placed.kind], goal)
            for letter, placed in drawn.legend
        }
        start = dict(tower.data.hero)
        hero = Hero(
            start["hp"],
            start["atk"],
            start["def"],
            start.get("mdef", 0),
            keys={key: start.get(key, 0) for key in KEYS},
        )
        floor = Floor(drawn.rows, legend, hero)
        heroes = [_copy(floor.hero), _copy(floor.hero)]
        count = sum(isinstance(thing, Monster) for thing in floor.things.values())
        return cls(floor, heroes, [0, 0], count, assists)

    def copy(self) -> Duel:
        """An independent copy."""
        twin = replace(self, floor=self.floor.copy(), defeated=list(self.defeated))
        twin.heroes = [_copy(hero) for hero in self.heroes]
        return twin

    def _sit(self, player: int) -> None:
        self.floor.hero = self.heroes[player]

    def _won(self) -> bool:
        return not any(
            isinstance(thing, Monster) and thing.boss
            for thing in self.floor.things.values()
        )

    def _act(self, cell: Cell) -> None:
        beaten = isinstance(self.floor.things[cell], Monster)
        self.floor.act(cell)
        self.defeated[self.mover] += beaten

    def _assist(self, keep_open: bool) -> None:
        while self.assists and not self._won():
            cell = self.floor.next_assist()
            if cell is None:
                return
            if keep_open:
                trial = self.floor.copy()
                trial.hero = _copy(self.floor.hero)
                trial.act(cell)
                if not trial.actions():
                    return
            self._act(cell)

    def choices(self) -> list[Cell]:
        """Cells that the mover can act on, after the assists before his action."""
        ready = self.copy()
        ready._sit(ready.mover)
        ready._assist(keep_open=True)
        return [(x, y) for _, x, y in ready.floor.actions()]

    def move(self, cell: Cell | None) -> Duel:
        """The duel after the mover's turn; None to pass."""
        after = self.copy()
        mover = after.mover
        if cell is None:
            if self.passed:
                after.value = after.by_count()
        else:
            after._sit(mover)
            after._assist(keep_open=True)
            after._act(cell)
            after._assist(keep_open=False)
            after.value = after._judged()
        after.passed = cell is None
        after.mover = 1 - mover
        return after

    def _judged(self) -> int | None:
        mine = 1 if self.mover == 0 else -1
        if self._won():
            return mine
        stuck = []
        for player in (self.mover, 1 - self.mover):
            self._sit(player)
            stuck.append(not self.floor.actions())
        if all(stuck):
            return self.by_count()
        return -mine if stuck[0] else mine if stuck[1] else None

    def by_count(self) -> int:
        """Who has beaten more monsters."""
        first, second = self.defeated
        return (first > second) - (first < second)

    def key(self) -> tuple[object, ...]:
        """Identity, with the places of the heroes."""
        heroes = tuple(
            (h.hp, h.atk, h.defense, h.mdef, h.cell, tuple(h.keys.items()))
            for h in self.heroes
        )
        things = tuple(sorted(self.floor.things))
        return heroes, things, tuple(self.defeated), self.mover, self.passed


def value(duel: Duel, known: dict[tuple[object, ...], int]) -> int:
    """The value of a duel under best play of both, by looking at every game."""
    if duel.value is not None:
        return duel.value
    key = duel.key()
    if key not in known:
        options: list[Cell | None] = [*duel.choices(), None]
        values = [value(duel.move(cell), known) for cell in options]
        known[key] = max(values) if duel.mover == 0 else min(values)
    return known[key]


def _copy(hero: Hero) -> Hero:
    return replace(hero, keys=dict(hero.keys))
