"""States as arrays for networks: one row per action, one vector for the hero.

What does not change in an episode is written once per tower; a state then costs a
copy and a few column writes.  Every number is finite and within `LIMIT`.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis.options import Options
from mt_gym.engine.board import (
    BOMB,
    BREAK,
    BUY,
    CHOOSE,
    CLIMB,
    COLLECT,
    FIGHT,
    FINISH,
    OPEN,
    SELL,
    TALK,
    TRADE,
    TRAVEL,
    Action,
)
from mt_gym.engine.kinds import EXP, GOLD, HP, RESOURCES, Stats
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import N_RESOURCES, REACH, State
from mt_gym.engine.tower import Tower
from mt_gym.observation.base_columns import (
    FEATURE_COLUMNS,
    HERO_COLUMNS,
    N_COLUMNS,
    NET_COLUMNS,
    NO_ANNOTATIONS,
    feature_columns,
)
from mt_gym.observation.columns import LIMIT, AnnotationWriter
from mt_gym.play.masks import Mask, row_table

Vector = NDArray[np.float32]


_INDEX: Final = {column.name: i for i, column in enumerate(FEATURE_COLUMNS)}
_SETS: Final = slice(_INDEX["present"], _INDEX["legal"] + 1)
_LEGAL, _SURVIVABLE = _INDEX["legal"], _INDEX["survivable"]
_COSTS: Final = slice(_INDEX["cost"], _INDEX["hp_after"] + 1)
_GROUP: Final = {
    FIGHT: "is_fight",
    COLLECT: "is_item",
    CHOOSE: "is_offer",
    BUY: "is_offer",
    SELL: "is_offer",
    TRADE: "is_offer",
    TALK: "is_talk",
    CLIMB: "is_stairs",
    TRAVEL: "is_stairs",
    BREAK: "is_gate",
    BOMB: "is_gate",
    FINISH: "is_goal",
}
_CACHE_ROWS: Final = 200_000
"""Rows of costs that a table keeps; about twelve bytes each."""

_TEMPLATES: Final = 16
"""Templates that a table keeps, one for every set of prices and strengths."""


class Features(TypedDict):
    """A state as arrays: `hero` (16,), `objects` (rows, columns), `action_mask`."""

    hero: NDArray[np.float32]
    objects: NDArray[np.float32]
    action_mask: Mask


class _Fights(NamedTuple):
    """Per row: whether the hero survives it; its columns `cost` and `hp_after`."""

    alive: NDArray[np.int8]
    costs: Vector


class FeatureTable:
    """Writes the features of a tower's states.

    Args:
        tower: whose actions are the rows.
        rows: rows of `objects`; more than the tower has actions pads with zeros.
        annotations: names of those whose columns follow the base columns.
        options: of the annotations; None for the map's own.
    """

    def __init__(
        self,
        tower: Tower,
        rows: int,
        annotations: frozenset[str] = NO_ANNOTATIONS,
        options: Options | None = None,
    ) -> None:
        self.tower = tower
        self.table = row_table(tower, rows)
        self.rows = rows
        self.scales = resource_scales(tower)
        board = tower.board
        own = Options.of(tower) if options is None else options
        self._writer = AnnotationWriter(tower, annotations, own, self.scales)
        self._annotated = len(self._writer.columns)
        self.template = np.zeros((rows, N_COLUMNS + self._annotated), np.float32)
        for action in board.actions:
            self._describe(action)
        self._hp_gain = self._hp_gains()
        self._objects = board.object_mask
        self._real = len(board.actions)
        self._fights = [a for a in board.actions if a.code == FIGHT]
        self._changing = [a for a in board.actions if self._changes(a)]
        self._known: dict[tuple[object, ...], _Fights] = {}
        self._templates: dict[tuple[object, ...], NDArray[np.float32]] = {}
        self._doubling = sorted({a.row.doubles for a in board.actions} - {-1})
        ones = (1.0, 1.0)
        self.hero_scale = 1 / np.array((*self.scales, *ones), np.float32)
        self._monsters = board.monster_mask
        self._n_monsters = max(1, board.monster_mask.bit_count())

    def _hp_gains(self) -> NDArray[np.int64]:
        """HP that each row gives, less what it takes as a price."""
        gains = np.zeros(self.rows, np.int64)
        for action in self.tower.board.actions:
            gains[action.index] = sum(n for s, n in action.row.gain if s == HP)
            gains[action.index] -= sum(n for s, n in action.row.cost if s == HP)
        return gains

    def _changes(self, action: Action) -> bool:
        """Whether what an action gives or takes depends on the state."""
        if action.code == FIGHT:
            return len(self.tower.board.objects[action.object].kind.values) > 1
        return bool(action.row.growth) or action.row.doubles >= 0

    def _describe(self, action: Action) -> None:
        """Write the columns that no state changes."""
        row = self.template[action.index]
        board = self.tower.board
        name = _GROUP.get(action.code, "is_gate")
        thing = board.objects[action.object] if action.object >= 0 else None
        if action.code == OPEN and thing is not None and thing.kind.type == "door":
            name = "is_door"
        row[_INDEX[name]] = 1
        if thing is not None and thing.goal and action.code != BOMB:
            row[_INDEX["is_goal"]] = 1
        gain = action.row.gain
        if action.code == FIGHT and thing is not None:
            gain = (*gain, *_pay(thing.kind.values[0]))
        self._write_net(row, gain, action.row.cost)

    def _write_net(
        self,
        row: NDArray[np.float32],
        gain: tuple[tuple[int, int], ...],
        cost: tuple[tuple[int, int], ...],
    ) -> None:
        net = [0] * N_RESOURCES
        for slot, amount in gain:
            net[slot] += amount
        for slot, amount in cost:
            net[slot] -= amount
        for column, slot in NET_COLUMNS:
            share = net[slot] / self.scales[slot]
            row[column] = min(LIMIT, max(-LIMIT, share))

    def features(self, state: State, turn_share: float, ended: bool) -> Features:
        """The arrays of a state; all of them fresh.

        Args:
            state: where the hero is.
            turn_share: completed turns over the turn limit.
            ended: the episode is over, so that nothing is legal any more.
        """
        objects, mask = self.objects(state, ended)
        return {
            "hero": self.hero(state, turn_share),
            "objects": objects,
            "action_mask": mask,
        }

    def hero(self, state: State, turn_share: float) -> Vector:
        """The hero's numbers, in the order of `HERO_COLUMNS`."""
        gone = state[0][0] & self._monsters
        defeated = gone.bit_count() / self._n_monsters
        numbers = (*state[1][:N_RESOURCES], turn_share, defeated)
        vector: Vector = np.array(numbers, np.float32)
        vector *= self.hero_scale
        return np.minimum(vector, LIMIT, out=vector)

    def objects(self, state: State, ended: bool) -> tuple[Vector, Mask]:
        """The rows of a state, and its action mask (the column `legal`)."""
        world, hero = state
        out = self._current(state).copy()
        simple, others = (0, []) if ended else self.table.legal(state)
        there = self._objects & ~(world[0] | world[1])
        sets = self.table.spread(there, there & hero[REACH], simple)
        mask: Mask = sets[2].astype(np.int8)
        out[:, _SETS] = sets.T
        if others:
            mask[others] = 1
            out[others, _LEGAL] = 1.0
        fights = self._fights_of(state)
        out[:, _SURVIVABLE] = mask * fights.alive
        out[:, _COSTS] = fights.costs
        if self.rows > self._real:
            out[self._real :] = 0.0
        if self._annotated and not ended:
            self._writer.write(state, out[:, N_COLUMNS:])
        return out, mask

    def _fights_of(self, state: State) -> _Fights:
        """The columns that depend on HP, attributes and epochs alone."""
        world, hero = state
        key = (hero[:4], world[4])
        found = self._known.get(key)
        if found is None:
            hp = hero[0]
            losses = np.zeros(self.rows)
            for action in self._fights:
                loss = self.tower.game.loss(state, action.object)
                losses[action.index] = hp + 1 if loss == UNWINNABLE else loss
            alive = (losses < hp) & (hp > 0)
            after = np.clip((hp + self._hp_gain - losses) / self.scales[HP], 0.0, LIMIT)
            costs = np.empty((self.rows, 2), np.float32)
            costs[:, 0] = np.minimum(losses / max(1, hp), 1.0)
            costs[:, 1] = after * alive
            if len(self._known) * self.rows >= _CACHE_ROWS:
                self._known.clear()
            found = self._known[key] = _Fights(alive.astype(np.int8), costs)
        return found

    def _current(self, state: State) -> NDArray[np.float32]:
        """The template with the prices and monsters that the state has."""
        if not self._changing:
            return self.template
        world, hero = state
        key = (world[3], world[4], *(hero[slot] for slot in self._doubling))
        found = self._templates.get(key)
        if found is None:
            if len(self._templates) >= _TEMPLATES:
                self._templates.clear()
            found = self._templates[key] = self.template.copy()
            self._write_changing(state, found)
        return found

    def _write_changing(self, state: State, out: NDArray[np.float32]) -> None:
        """Write what prices that grow, and monsters that do, give and take now."""
        game = self.tower.game
        for action in self._changing:
            gain, cost = game.gain(state, action.row), game.cost(state, action.row)
            if action.code == FIGHT:
                monster = self.tower.board.objects[action.object].monster
                gain = (*gain, *_pay(game.stats(monster, state.world)))
            self._write_net(out[action.index], gain, cost)


def resource_scales(tower: Tower) -> tuple[int, ...]:
    """Per resource, what counts as 1: start plus all that lies on the tower.

    That is the hero's own, every item, and what monsters pay before anything
    strengthens them; offers may be unlimited and are left out.  At least 1.
    """
    totals = [dict(tower.data.hero).get(name, 0) for name in RESOURCES]
    for thing in tower.board.objects:
        if thing.kind.type == "item" and thing.actions:
            for slot, amount in thing.actions[0].row.gain:
                totals[slot] += amount
        if thing.kind.values:
            for slot, amount in _pay(thing.kind.values[0]):
                totals[slot] += amount
    return tuple(max(1, total) for total in totals)


def _pay(stats: Stats) -> tuple[tuple[int, int], ...]:
    """Gold and exp that a monster pays, as a sparse vector."""
    return ((GOLD, stats.gold), (EXP, stats.exp))


def feature_table(
    tower: Tower,
    rows: int,
    annotations: frozenset[str] = NO_ANNOTATIONS,
    options: Options | None = None,
) -> FeatureTable:
    """The table of a tower for a number of rows, made at the first use."""
    known: dict[object, FeatureTable] = tower.caches.setdefault("features", {})
    key = (rows, annotations, options)
    if key not in known:
        known[key] = FeatureTable(tower, rows, annotations, options)
    return known[key]


__all__ = [
    "FEATURE_COLUMNS",
    "HERO_COLUMNS",
    "NET_COLUMNS",
    "NO_ANNOTATIONS",
    "FeatureTable",
    "Features",
    "feature_columns",
    "feature_table",
    "resource_scales",
]
