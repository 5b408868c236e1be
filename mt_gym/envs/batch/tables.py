"""Turns a tower into the integers that the compiled transition reads."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mt_gym.analysis.keys import keys_of
from mt_gym.analysis.options import Options
from mt_gym.analysis.stat_route import gain_of, healing_of
from mt_gym.analysis.tree import KEY_SLOTS
from mt_gym.analysis.value import thing_value
from mt_gym.engine.actions import CLEAR, REMOVE, REVEAL, SCALE, SET
from mt_gym.engine.board import (
    FIGHT,
    NO_CELL,
    Action,
    CompiledRow,
    MapObject,
)
from mt_gym.engine.kinds import BLUE, GREEN, HP, RED, YELLOW
from mt_gym.engine.state import bits
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch import layout as at
from mt_gym.envs.batch.layout import Ints, Shape
from mt_gym.envs.batch.losses import loss_table
from mt_gym.envs.batch.sizes import hp_counts
from mt_gym.envs.rewards import reference_hp
from mt_gym.errors import MtGymError
from mt_gym.observation.features import resource_scales
from mt_gym.solver.arrays import as_words


class _Writer:
    """Writes one tower's table."""

    def __init__(self, tower: Tower, shape: Shape, options: Options) -> None:
        self.tower, self.board, self.shape = tower, tower.board, shape
        self.options = options
        self.pool: list[int] = []
        self.data: list[int] = [0] * at.T_HEAD

    def part(self, head: int, numbers: Iterable[int]) -> None:
        self.data[head] = len(self.data)
        self.data += numbers

    def listed(self, numbers: Iterable[int], size: int = 1) -> tuple[int, int]:
        """Place in the pool and number of entries of a list."""
        found = list(numbers)
        start = len(self.pool)
        self.pool += found
        return start, len(found) // size

    def write(self, limit: int) -> Ints:
        board, data = self.board, self.data
        counts = (
            (at.T_OBJECTS, board.n_objects),
            (at.T_ACTIONS, len(board.actions)),
            (at.T_FLOORS, len(board.floor_ids)),
            (at.T_KINDS, len(board.monsters)),
            (at.T_COUNTERS, len(board.counter_names)),
            (at.T_EPOCHS, len(board.epoch_names)),
            (at.T_TRIGGERS, len(board.triggers)),
            (at.T_FLAGS, len(board.flag_names)),
            (at.T_MAX_TURNS, self.options.max_turns),
            (at.T_REFERENCE, reference_hp(self.tower).hp),
            (at.T_MONSTERS, board.monster_mask.bit_count()),
            (at.T_START_CELL, board.start_cell),
            (at.T_GENERAL, 1 if board.general_mask else 0),
            (at.T_START_HP, dict(board.data.hero).get("hp", 0)),
            (at.T_CELLS, board.n_cells),
            (at.T_DEPTH, self.options.lookahead_depth),
            (at.T_SHARE_NUM, self.options.rule4_share[0]),
            (at.T_SHARE_DEN, self.options.rule4_share[1]),
        )
        for place, number in counts:
            data[place] = number
        self.part(at.T_MASK_AT, self._masks())
        self.part(at.T_OBJECT_AT, [n for o in board.objects for n in self._object(o)])
        self.part(at.T_ACTION_AT, [n for a in board.actions for n in self._action(a)])
        painted = [self._painted(a) for a in board.actions]
        data[at.T_STRAIGHT] = int(all(p[0] == i for i, p in enumerate(painted)))
        data[at.T_CHANGES] = int(any(p[4] for p in painted))
        data[at.T_HP_COUNTS] = int(hp_counts(board))
        self.part(at.T_PAINT_AT, [n for row in painted for n in row])
        self.part(at.T_SCALE_AT, resource_scales(self.tower))
        rows = [self._row(row, -1, -1) for row in board.triggers]
        self.part(at.T_TRIGGER_AT, [n for row in rows for n in row])
        self.part(at.T_CELL_AT, self._cells())
        self.part(at.T_KIND_AT, self._kinds())
        stairs = [o.index for o in board.objects if o.kind.type == "stairs"]
        data[at.T_STAIRS] = len(stairs)
        self.part(at.T_STAIRS_AT, stairs)
        self.part(at.T_POOL_AT, self.pool)
        found = loss_table(self.tower, self.shape.words, limit)
        if found is not None:
            for place, axis in enumerate(found.axes):
                data[at.T_ATK + place] = axis.low
                data[at.T_ATKS + place] = len(axis.places)
                self.part(at.T_ATK_AXIS + place, axis.places)
            self.part(at.T_LOSSES, found.numbers)
        return np.array(data, np.int64)

    # -- parts -------------------------------------------------------------------------

    def _masks(self) -> list[int]:
        board = self.board
        doors = dict(board.door_masks)
        neutral = ~(board.scripted_mask | board.goal_mask)
        plain = board.free_mask & ~(board.item_mask | board.gate_mask) & neutral
        wanted = board.goal_mask | board.scripted_mask
        for row in (*(a.row for a in board.actions), *board.triggers):
            wanted |= row.gone
        masks = {
            at.M_FREE: board.free_mask,
            at.M_FIGHT: board.fight_mask,
            at.M_GENERAL: board.general_mask,
            at.M_MONSTER: board.monster_mask,
            at.M_ITEMS: board.automatic_items,
            at.M_FIGHTS: board.automatic_fights,
            at.M_GATES: board.gate_mask & board.free_mask & neutral,
            at.M_STAIRS: board.mask(lambda o: bool(plain >> o.index & 1) and _up(o)),
            at.M_YELLOW: doors.get(YELLOW, 0),
            at.M_BLUE: doors.get(BLUE, 0),
            at.M_RED: doors.get(RED, 0),
            at.M_GREEN: doors.get(GREEN, 0),
            at.M_ANYWHERE: board.anywhere,
            at.M_ITEM: board.item_mask,
            at.M_DOOR: board.door_mask,
            at.M_GATE: board.gate_mask,
            at.M_GOAL: board.goal_mask,
            at.M_NEEDED: wanted,
            at.M_OBJECTS: board.object_mask,
        }
        masks[at.M_AUTOMATIC] = 0
        for part in (at.M_ITEMS, at.M_FIGHTS, at.M_GATES, at.M_STAIRS):
            masks[at.M_AUTOMATIC] |= masks[part]
        found: list[int] = []
        for number in range(at.N_MASKS):
            found += self.words(masks[number])
        for mask in board.floor_mask:
            found += self.words(mask)
        return found

    def words(self, mask: int) -> list[int]:
        return as_words(mask, self.shape.words)

    def _object(self, thing: MapObject) -> list[int]:
        board = self.board
        landing = 0
        if thing.landing != NO_CELL:
            landing = board.near_cell(thing.landing) | board.anywhere
        kind = thing.kind.type
        return [
            thing.actions[0].index if thing.actions else -1,
            len(thing.actions),
            thing.monster,
            board.stacked.get(thing.index, -1),
            thing.cell,
            thing.floor,
            thing.landing,
            int(thing.placement.one_way),
            int(thing.kind.blocks),
            int(thing.placement.direction != "down"),
            at.TYPES.index(kind) if kind in at.TYPES else len(at.TYPES),
            thing.partner,
            *self._priced(thing),
            *self.words(board.near[thing.index]),
            *self.words(landing),
        ]

    def _priced(self, thing: MapObject) -> list[int]:
        """What the annotations read of an object."""
        value = 0
        if thing.kind.type in ("item", "shop"):
            value = thing_value(self.tower, self.tower.initial_state(), thing.index)
        cost = thing.actions[0].row.cost if thing.actions else ()
        colours = [slot for slot, _ in cost if slot in KEY_SLOTS]
        gain = gain_of(thing)
        return [
            value,
            colours[0] if colours else -1,
            gain.atk,
            gain.defense,
            gain.mdef,
            healing_of(thing),
            *keys_of(thing),
        ]

    def _action(self, action: Action) -> list[int]:
        general = 0
        if action.object >= 0:
            general = self.board.general_mask >> action.object & 1
        row = self._row(action.row, action.code, action.object)
        row[at.A_GENERAL] = general
        return row

    def _painted(self, action: Action) -> list[int]:
        changes = bool(action.row.growth) or action.row.doubles >= 0
        general = kind = 0
        if action.object >= 0:
            thing = self.board.objects[action.object]
            general = self.board.general_mask >> action.object & 1
            kind = thing.monster
            if action.code == FIGHT:
                changes = len(thing.kind.values) > 1
        gain = sum(n for slot, n in action.row.gain if slot == HP)
        gain -= sum(n for slot, n in action.row.cost if slot == HP)
        fights = action.code == FIGHT
        return [action.object, kind if fights else -1, gain, general, int(changes)]

    def _row(self, row: CompiledRow, code: int, thing: int) -> list[int]:
        flat = [n for pair in row.cost for n in pair]
        effects: list[int] = []
        for op, a, b, c in row.effects:
            if op in (REMOVE, REVEAL, SET, CLEAR):
                for bit in bits(a):
                    effects += (op, bit, 0, 0)
            elif op == SCALE and c <= 0:
                raise MtGymError(f"{self.tower.name!r}: a scale by {b}/{c}")
            else:
                effects += (op, a, b, c)
        return [
            code,
            thing,
            *self.listed(flat, 2),
            *self.listed([n for pair in row.gain for n in pair], 2),
            *self.listed([n for pair in row.needs for n in pair], 2),
            *self.listed(bits(row.flags)),
            *self.listed(bits(row.without)),
            *self.listed(bits(row.gone)),
            row.count,
            row.counter,
            row.growth,
            row.doubles,
            *self.listed(bits(row.removes)),
            *self.listed(effects, 4),
            0,
        ]

    def _cells(self) -> list[int]:
        board = self.board
        found: list[int] = []
        for cell in range(board.n_cells):
            found += [
                board.cell_floor[cell],
                int(board.wall[cell]),
                board.region_of[cell],
                *self.listed(board.steps[cell]),
                *self.listed(board.at.get(cell, ())),
            ]
        return found

    def _kinds(self) -> list[int]:
        board, game = self.board, self.tower.game
        start = len(self.data)
        heads: list[int] = []
        values: list[int] = []
        size = at.K_HEAD * len(board.monsters)
        for number, kind in enumerate(board.monsters):
            vampire = kind.abilities.vampire is not None
            first = start + size + len(values)
            heads += [first, board.epoch_of[number], int(vampire)]
            for stats, fighter in zip(kind.values, game.fighters[number], strict=True):
                values += [*fighter, stats.gold, stats.exp]
        return heads + values


def _up(thing: MapObject) -> bool:
    """Whether the stairs assist may climb it, its floor aside."""
    place = thing.placement
    up = thing.landing != NO_CELL and place.direction != "down"
    return up and not place.one_way


def tower_table(tower: Tower, shape: Shape, options: Options, limit: int) -> Ints:
    """One tower as integers.

    Args:
        tower: any tower.
        shape: sizes of a row of its batch.
        options: turn limit, depth, share.
        limit: most integers of the table of losses.
    """
    return _Writer(tower, shape, options).write(limit)
