"""A tower: its data, its compiled board and its rules behind one face."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from mt_gym.engine.board import Action, Board
from mt_gym.engine.game import Game
from mt_gym.engine.kinds import RESOURCES, Certificate, Floor, TowerData
from mt_gym.engine.state import State
from mt_gym.errors import IllegalAction, MtGymError, StateMismatch


class Tower:
    """A floor, or a whole tower of floors, ready to be played.

    Frozen: equal data give equal towers, and copies share the compiled board.

    >>> import mt_gym
    >>> tower = mt_gym.load("simple")
    >>> state = tower.initial_state()
    >>> [str(action) for action in tower.legal_actions(state)][:2]
    ['open 7,0', 'fight 4,2']
    """

    def __init__(self, data: TowerData) -> None:
        self._data = data
        self.caches: dict[str, Any] = {}
        """Room for what others compute from this tower, by the name of the owner,
        who bounds it.  No part of equality, pickles or files."""

    @property
    def data(self) -> TowerData:
        """What the map file says."""
        return self._data

    @property
    def name(self) -> str:
        """The tower's short name."""
        return self._data.name

    @property
    def floors(self) -> tuple[Floor, ...]:
        """Its floors, in order."""
        return self._data.floors

    @property
    def certificate(self) -> Certificate | None:
        """What is known about the best play, or None."""
        return self._data.certificate

    @property
    def digest(self) -> str:
        """Hash of everything that matters to the game."""
        return self.board.digest

    @cached_property
    def board(self) -> Board:
        """The compiled map; a map with defects is refused with all of them."""
        defects = self.problems()
        if defects:
            raise MtGymError(
                f"{self.name!r} has {len(defects)} defect(s): " + "; ".join(defects)
            )
        return Board(self._data)

    @cached_property
    def game(self) -> Game:
        """The rules on the board."""
        return Game(self.board)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action that may ever exist; `actions[i].index == i`."""
        return self.board.actions

    def action(self, text: str) -> Action:
        """The action of a text, as `str(action)` writes it.

        Raises:
            IllegalAction: no action of this tower has that text.
        """
        found = self.board.by_text.get(text.strip())
        if found is None:
            near = [t for t in self.board.by_text if t.split()[-1] in text] or list(
                self.board.by_text
            )
            raise IllegalAction(
                f"{self.name!r} has no action {text!r}; there are, for example, "
                + ", ".join(repr(t) for t in near[:3])
            )
        return found

    def problems(self) -> list[str]:
        """Every defect of the map, with floor and cell; [] if there is none."""
        from mt_gym.engine.problems import find_problems

        return find_problems(self._data)

    def describe(self) -> str:
        """The static floor map as text."""
        from mt_gym.engine.describe import describe

        return describe(self)

    def to_toml(self) -> str:
        """The map file."""
        from mt_gym.engine.formats.toml import dumps

        return dumps(self._data)

    def initial_state(self) -> State:
        """The state before the first turn."""
        return self.game.initial_state()

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every action that a state allows, by index; () after the end."""
        return self.game.legal_actions(state)

    def step(self, state: State, action: Action) -> State:
        """The state after an action; raises `IllegalAction`."""
        return self.game.step(state, action)

    def outcome(self, state: State) -> str | None:
        """None, `won`, `died` or `stuck`."""
        return self.game.outcome(state)

    def check(self, state: State) -> None:
        """Raise `StateMismatch` unless a state can belong to this tower."""
        if not isinstance(state, State):
            raise StateMismatch(f"not a state: {state!r}")
        board, world, hero = self.board, state.world, state.hero
        if world.tower != board.digest:
            raise StateMismatch(
                f"the state belongs to tower {world.tower}, not to {self.name!r} "
                f"({board.digest})"
            )
        outside = (world.gone | world.hidden) & ~board.object_mask
        shape = (
            len(world.counts) == len(board.counter_names)
            and all(count >= 0 for count in world.counts)
            and len(world.epochs) == len(board.epoch_names)
            and all(
                slot < 0 or 0 <= world.epochs[slot] < len(kind.values)
                for slot, kind in zip(board.epoch_of, board.monsters, strict=True)
            )
            and 0 <= hero.position < board.n_cells
            and world.visited < 1 << len(board.floor_ids)
            and world.flags < 1 << len(board.flag_names)
        )
        if outside or not shape or world.hidden & ~board.start_hidden:
            raise StateMismatch(f"the state does not fit the objects of {self.name!r}")
        for name, number in zip(RESOURCES, hero, strict=False):
            if type(number) is not int or number < 0:
                raise StateMismatch(
                    f"the state's hero has {name} {number!r}, no integer of 0 or more"
                )
        if hero.reach not in board.reaches(world.gone, world.hidden):
            raise StateMismatch(
                "the state's reach does not follow from what is gone in it"
            )
        if not board.can_hold(hero.position, world.gone, hero.reach):
            raise StateMismatch(
                f"the state's hero cannot stand on cell {hero.position} of "
                f"{self.name!r}"
            )
        floor = board.cell_floor[hero.position]
        if not world.visited >> floor & 1:
            raise StateMismatch(
                f"the state's hero stands on {board.floor_ids[floor]!r}, which is not "
                "among the visited floors"
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tower) and self._data == other._data

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        return f"<Tower {self.name!r}: {len(self.floors)} floor(s)>"

    def __copy__(self) -> Tower:
        return self

    def __deepcopy__(self, memo: object) -> Tower:
        return self

    def __reduce__(self) -> tuple[type[Tower], tuple[TowerData]]:
        return (Tower, (self._data,))
