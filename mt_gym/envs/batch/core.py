"""Many copies of towers as arrays, stepped by one call.

`Batch` knows no gymnasium: it steps, resets, writes masks and features, and turns a
copy's row into a `State` and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis.options import Options
from mt_gym.engine.state import N_RESOURCES, State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch import entry
from mt_gym.envs.batch import layout as at
from mt_gym.envs.batch.entries import E_HEAD
from mt_gym.envs.batch.layout import Floats, Ints
from mt_gym.envs.batch.recall import room, salts
from mt_gym.envs.batch.rows import as_row, as_state
from mt_gym.envs.batch.sizes import shape_of
from mt_gym.envs.batch.tables import tower_table
from mt_gym.errors import MtGymError
from mt_gym.observation.columns import ANNOTATION_COLUMNS
from mt_gym.observation.features import (
    FEATURE_COLUMNS,
    HERO_COLUMNS,
    NET_COLUMNS,
    NO_ANNOTATIONS,
    feature_columns,
    feature_table,
)

REWARDS: Final = ("goal_score", "hp_difference", "sparse")
NO_RESET, NEXT_STEP = 0, 1
_TABLE_LIMIT: Final = 100_000
_TABLES_LIMIT: Final = 20_000_000
_MEMO: Final = 1 << 12
_FIRST: Final = [c.name for c in FEATURE_COLUMNS].index("present")


class Batch:
    """Copies of towers.

    Args:
        towers: what is played.
        copies: number of the tower of each copy.
        width: rows of masks and features; None for the most actions of a tower.
        assists: whether the assists act.
        options: of each tower; None for its own.
        reward: a name out of `REWARDS`.
        annotations: names of those whose columns the features have.

    Attributes:
        rows: (copies, integers) the states; see `layout`.
        mask: (copies, width), hero: (copies, 16), objects: (copies, width, columns):
            what `paint` wrote last.
    """

    def __init__(
        self,
        towers: Sequence[Tower],
        copies: Sequence[int] | NDArray[np.integer[Any]],
        *,
        width: int | None = None,
        assists: bool = True,
        options: Sequence[Options] | None = None,
        reward: str = "goal_score",
        annotations: frozenset[str] = NO_ANNOTATIONS,
    ) -> None:
        self.towers = tuple(towers)
        self.copies = np.array(copies, np.int64)
        if not self.towers or not len(self.copies):
            raise MtGymError("a batch needs at least one tower and one copy")
        most = max(len(tower.actions) for tower in self.towers)
        self.width = most if width is None else width
        if self.width < most:
            raise MtGymError(f"width={width} is too small: a tower has {most} actions")
        if reward not in REWARDS:
            raise MtGymError(f"reward={reward!r} is unknown (allowed: {REWARDS})")
        self.shape = shape_of(self.towers)
        self.annotations = annotations
        own = options or [Options.of(tower) for tower in self.towers]
        self.options = tuple(own)
        limit = min(_TABLE_LIMIT, _TABLES_LIMIT // len(self.towers))
        tables = [
            tower_table(tower, self.shape, choice, limit)
            for tower, choice in zip(self.towers, own, strict=True)
        ]
        self._data = np.concatenate(tables)
        sizes = np.array([len(table) for table in tables], np.int64)
        self._bases = np.cumsum(sizes) - sizes
        cells = 1 + max(tower.board.n_cells for tower in self.towers)
        self._z = self.shape.numbers(_MEMO, cells)
        scratch = 8 + 4 * self.shape.words + N_RESOURCES + 4 * cells
        self._work = np.zeros(scratch, np.int64)
        self._memo = np.zeros(3 * _MEMO, np.int64)
        self.assists = assists
        self._settings = np.array([assists, REWARDS.index(reward), NEXT_STEP], np.int64)
        stride = self.shape.stride
        self.rows = np.zeros((len(self.copies), stride), np.int64)
        self.starts = np.zeros((len(self.towers), stride), np.int64)
        for number, tower in enumerate(self.towers):
            row = self.row_of(number, tower.initial_state())
            self.starts[number] = self.settled(row)
        self._rewards = np.zeros(len(self.copies))
        self._legal = np.zeros(len(self.copies), np.bool_)
        self._make_arrays()
        self.reset()

    def _make_arrays(self) -> None:
        """Room for masks and features, and what is copied into it."""
        n, width = len(self.copies), self.width
        columns = len(feature_columns(self.annotations))
        self.mask = np.zeros((n, width), np.int8)
        self.hero = np.zeros((n, len(HERO_COLUMNS)), np.float32)
        self.objects = np.zeros((n, width, columns), np.float32)
        self._painted = np.full(n, -1, np.int64)
        self._nets = np.array(NET_COLUMNS, np.int64).reshape(-1)
        self._static: tuple[Floats, Floats] | None = None
        self._note: tuple[Ints, int, Ints, Ints] | None = None
        self._known: tuple[Ints, Ints, Floats, Ints] | None = None

    def __len__(self) -> int:
        return len(self.copies)

    def compiled(self, number: int = 0) -> tuple[Ints, Ints, int, Ints, Ints]:
        """What compiled functions take: sizes, tables, a tower's place, scratch."""
        base = int(self._bases[number])
        return self._z, self._data, base, self._work, self._memo

    # -- episodes ------------------------------------------------------------------

    def reset(self, which: NDArray[np.integer[Any]] | None = None) -> None:
        """Put copies (None: all) to the starts of their towers (`copies`)."""
        chosen = np.arange(len(self)) if which is None else which
        self.rows[chosen] = self.starts[self.copies[chosen]]

    def begin(self, copy: int, state: State) -> None:
        """Begin an episode of a copy in a state of its tower.

        Raises:
            MtGymError: the game has already ended in it.
            StateMismatch: a state of another tower.
        """
        number = int(self.copies[copy])
        tower = self.towers[number]
        tower.check(state)
        ended = tower.outcome(state)
        if ended is not None:
            raise MtGymError(
                f"an episode cannot begin in a state of {tower.name!r} that has "
                f"already ended ({ended!r})"
            )
        self.rows[copy] = self.settled(self.row_of(number, state))

    def step(self, actions: NDArray[np.integer[Any]], again: bool = True) -> None:
        """Step every copy by an action index; see `rewards`, `outcomes`, `legal`.

        Args:
            actions: (copies,) indices from 0 to `width` - 1.
            again: a copy that has ended begins again; otherwise it stays.
        """
        self._settings[2] = NEXT_STEP if again else NO_RESET
        entry.step_all(
            self._z,
            self._data,
            self._bases,
            self.rows.reshape(-1),
            self._work,
            self._memo,
            self.starts.reshape(-1),
            self.copies,
            np.ascontiguousarray(actions, np.int64),
            self._settings,
            self._rewards,
            self._legal,
        )

    @property
    def rewards(self) -> NDArray[np.float64]:
        """Rewards of the last step."""
        return self._rewards

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether each choice of the last step was legal."""
        return self._legal

    @property
    def outcomes(self) -> NDArray[np.int64]:
        """How each copy's episode ended: numbers of `layout.OUTCOMES`; 0 if not."""
        return self.rows[:, at.S_OUTCOME]

    @property
    def turns(self) -> NDArray[np.int64]:
        """Completed turns of each copy."""
        return self.rows[:, at.S_TURN]

    # -- what is shown -------------------------------------------------------------

    def masks(self) -> NDArray[np.int8]:
        """Write the action masks into `mask` and return it."""
        entry.mask_all(
            self._z,
            self._data,
            self._bases,
            self.rows.reshape(-1),
            self._work,
            self.mask.reshape(-1),
            self.width,
        )
        return self.mask

    def paint(self) -> None:
        """Write `mask`, `hero` and `objects`."""
        if self._static is None:
            tables = [
                feature_table(tower, self.width, self.annotations, options)
                for tower, options in zip(self.towers, self.options, strict=True)
            ]
            templates: Floats = np.concatenate([t.template.ravel() for t in tables])
            scales: Floats = np.concatenate([t.hero_scale for t in tables])
            self._static = templates, scales
        entry.paint_all(
            self._z,
            self._data,
            self._bases,
            self.rows.reshape(-1),
            self._work,
            self.mask.reshape(-1),
            self._painted,
            *self._static,
            self._nets,
            _FIRST,
            self.objects.shape[2],
            self.hero.reshape(-1),
            self.objects.reshape(-1),
            self.width,
        )
        if self.objects.shape[2] > len(FEATURE_COLUMNS):
            self._annotate()

    def _annotate(self) -> None:
        """Write the annotation columns into `objects`."""
        if self._note is None or self._known is None:
            shown = [column.name for column in feature_columns(self.annotations)]
            names = [column.name for column in ANNOTATION_COLUMNS]
            places = [shown.index(n) if n in shown else -1 for n in names]
            objects = max(tower.board.n_objects for tower in self.towers)
            words = self.shape.words
            first = entry.room_of(objects, words)
            note = np.zeros(first + (self.width + 1) * (E_HEAD + words), np.int64)
            marks = np.zeros(len(self) * -(-self.width // 64), np.int64)
            self._note = note, first, np.array(places, np.int64), marks
            answers = room(self.width, self.objects.shape[2] - len(FEATURE_COLUMNS))
            self._known = salts(self.shape), *answers
        entry.annotate_all(
            self._z,
            self._data,
            self._bases,
            self.rows.reshape(-1),
            *self._note,
            *self._known,
            "stat_route_one_sided" in self.annotations,
            len(FEATURE_COLUMNS),
            self.objects.shape[2],
            self.objects.reshape(-1),
            self.width,
        )

    # -- rows and states -------------------------------------------------------------

    def row_of(self, number: int, state: State, turn: int = 0) -> Ints:
        """The row of a state of a tower, before any assist."""
        row = as_row(self.towers[number], self.shape, number, state, turn)
        entry.locate_one(self._z, self._data, self._bases[number], row)
        return row

    def settled(self, row: Ints) -> Ints:
        """A row after the assists of a reset, which never end the episode."""
        both = np.concatenate([row, row])
        if self.assists:
            b = self._bases[row[at.S_TOWER]]
            entry.settle_one(self._z, self._data, b, both, self._work, self._memo)
        found: Ints = both[: len(row)]
        return found

    def state(self, copy: int) -> State:
        """The state of a copy."""
        row = self.rows[copy]
        return as_state(self.towers[int(row[at.S_TOWER])], self.shape, row)


__all__ = ["REWARDS", "Batch"]
