"""Replays key routes of the `.mt` game: a walker, cell by cell, on a tower.

Only the walk is played here; whatever the walker meets is an action of the tower.
A key that does nothing in the foreign program (into a wall, a closed door, a fight
that would kill) does nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import GOLD
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MapError, MtGymError

MOVES: Final = {"h": (-1, 0), "j": (0, 1), "k": (0, -1), "l": (1, 0)}
CHOICES: Final = {"a": "atk", "d": "def", "m": "mdef"}
TOOLS: Final = {"p": ("break", "pickaxe"), "b": ("bomb", "bomb")}
KEYS: Final = "hjklgpbsadm"
WALKED_INTO: Final = ("fight", "open", "collect", "finish")
"""Verbs of what a walker does by walking into a cell."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a key route did.

    Attributes:
        states: the first state, then the state after each action.
        actions: the actions, one fewer than states.
        keys: for each action, the number of the key that did it, from 0.
        used: keys of the route that were played; fewer than it has if the game
            ended before.
        flag: the state in which the walker first came to the goal, or None.
        cell: cell number where the walker stands at the end.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...]
    keys: tuple[int, ...]
    used: int
    flag: State | None
    cell: int

    @property
    def final(self) -> State:
        """The state after the last action."""
        return self.states[-1]


def replay_keys(tower: Tower, route: str) -> Replay:
    """Play a key route from the tower's first state.

    Keys: h, j, k, l walk left, down, up, right; g goes through the portal of the
    cell; p or b before any of these five breaks the wall or bombs the monster
    there; s opens the purchases until the next step, and then each of a, d, m buys
    ATK, DEF or MDEF; without s they choose at the white crystal of the cell.
    Whitespace is skipped.  On a tower read with `play_on` the walker walks over
    the flag and goes on.

    Raises:
        MapError: a sign that is no key, with its line and column.
        MtGymError: the walker meets something that no key can deal with.
    """
    walker = Walker(tower)
    used = 0
    for line, text in enumerate(route.splitlines(), 1):
        for column, key in enumerate(text, 1):
            if key.isspace():
                continue
            if key not in KEYS:
                raise MapError(
                    f"{key!r} is no key (allowed: {', '.join(KEYS)})",
                    "<route>",
                    line,
                    column,
                )
            if walker.over:
                continue
            walker.press(key, used)
            used += 1
    return Replay(
        tuple(walker.states),
        tuple(walker.actions),
        tuple(walker.keys),
        used,
        walker.flag,
        walker.cell,
    )


class Walker:
    """Where the hero stands, which key waits for the next, and what he did.

    Attributes:
        cell: cell number where the hero stands.
        waiting: p, b or s if that key acts on the next one, else empty.
        states, actions, keys, flag: as in `Replay`.
        over: whether the game is won.
        portals: the other end of each portal cell.
    """

    def __init__(self, tower: Tower) -> None:
        self.tower, self.board = tower, tower.board
        self.cell = self.board.start_cell
        self.waiting = ""
        self.states = [tower.initial_state()]
        self.actions: list[Action] = []
        self.keys: list[int] = []
        self.flag: State | None = None
        self.over = False
        self.number = 0
        self.portals: dict[int, int] = {}
        for one, two in tower.data.portals:
            self.portals[self.board.cell(one)] = self.board.cell(two)
            self.portals[self.board.cell(two)] = self.board.cell(one)

    @property
    def state(self) -> State:
        """The state after the last action."""
        return self.states[-1]

    def press(self, key: str, number: int) -> None:
        """Play one key."""
        self.number = number
        if key in MOVES:
            target = self.neighbour(self.cell, key)
        elif key == "g":
            target = self.portals.get(self.cell)
        else:
            target = None
            self._other(key)
        if target is not None:
            tool, self.waiting = self.waiting, ""
            self._enter(target, tool)

    def neighbour(self, cell: int, key: str) -> int | None:
        """The cell next to a cell; None beyond the edge of the floor."""
        spot = self.board.spots[cell]
        floor = self.tower.floors[self.board.cell_floor[cell]]
        dx, dy = MOVES[key]
        if 0 <= spot.x + dx < floor.width and 0 <= spot.y + dy < floor.height:
            return cell + dy * floor.width + dx
        return None

    def _other(self, key: str) -> None:
        """Tools and the shop wait for the next key; letters buy or choose."""
        hero = self.state.hero
        if key in TOOLS:
            if getattr(hero, TOOLS[key][1]):
                self.waiting = key
        elif key == "s":
            if self._purchases() and hero.gold >= self._price():
                self.waiting = key
        elif self.waiting == "s":
            self._try(self._giving(self._purchases(), CHOICES[key]))
        else:
            self._choose(CHOICES[key])

    def _purchases(self) -> list[Action]:
        """What can be bought anywhere."""
        return [
            action
            for action in self.tower.actions
            if action.verb == "buy" and action.position is None
        ]

    def _price(self) -> int:
        return min(
            dict(self.tower.game.cost(self.state, action.row))[GOLD]
            for action in self._purchases()
        )

    @staticmethod
    def _giving(actions: list[Action], resource: str) -> Action | None:
        """The action whose gain is of a resource."""
        for action in actions:
            if resource in dict(action.row.source.gain):
                return action
        return None

    def _choose(self, resource: str) -> None:
        for index in self._present(self.cell):
            found = [a for a in self.board.objects[index].actions if a.verb == "choose"]
            self._try(self._giving(found, resource))

    def _present(self, cell: int) -> list[int]:
        """Objects that are there."""
        world = self.state.world
        return [
            index
            for index in self.board.at.get(cell, [])
            if not (world.gone | world.hidden) >> index & 1
        ]

    def _enter(self, target: int, tool: str) -> None:
        """Step onto a cell if what is there can be dealt with."""
        world = self.state.world
        blocking = [
            index
            for index in self._present(target)
            if self.board.objects[index].kind.blocks
        ]
        if blocking:
            if not self._try(self._action_on(blocking[0], tool)):
                return
        elif not self.board.is_open(target, world.gone, world.hidden):
            return
        self.cell = target
        at_goal = any(self.board.objects[i].goal for i in self.board.at.get(target, ()))
        if at_goal and self.flag is None:
            self.flag = self.state

    def _action_on(self, index: int, tool: str) -> Action | None:
        """What the walker does with an object; None if it just stops him."""
        thing = self.board.objects[index]
        verbs = {action.verb: action for action in thing.actions}
        wanted = TOOLS[tool][0] if tool in TOOLS else ""
        if wanted in verbs:
            return verbs[wanted]
        for verb in WALKED_INTO:
            if verb in verbs:
                return verbs[verb]
        if thing.kind.type in ("wall", "bars"):
            return None
        raise MtGymError(
            f"no key can deal with {thing.name!r} at {thing.spot}: a key route can "
            + ", ".join((*WALKED_INTO, "break", "bomb", "choose", "buy"))
        )

    def _try(self, action: Action | None) -> bool:
        """Execute an action unless it cannot be paid or survived."""
        if action is None:
            return False
        game, state = self.tower.game, self.state
        if not game.payable(state, action) or game.is_lethal(state, action):
            return False
        self.states.append(self.tower.step(state, action))
        self.actions.append(action)
        self.keys.append(self.number)
        self.over = self.tower.outcome(self.state) == "won"
        return True
