"""From a state of a plain tower to the arrays of the compiled search."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from mt_gym.engine.actions import SCALE, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import (
    B_SIZE,
    BASE,
    COLOURS,
    DOORS_OF,
    F_STRIDE,
    FIGHT,
    FREE_AT,
    G_DEN,
    G_NUM,
    G_STRIDE,
    GATE,
    GOAL,
    GOAL_COST,
    HARM,
    HEADER,
    ITEMS,
    KEY_LIMIT,
    KEYS_OF,
    KINDS,
    LOSS,
    MUST_OPEN,
    OPENS,
    ORDER,
    OWN,
    PRIZE,
    PROFIT_AT,
    R_STRIDE,
    REGION,
    TABLE,
    WEIGHT,
    WEIGHTS,
    WHOLE,
    WORTHY,
    Ints,
    M,
    N,
    as_words,
)
from mt_gym.solver.instance import Gains, Instance, NotPlain, layout_of, pack_keys
from mt_gym.solver.layout import PAID, Layout, live_actions
from mt_gym.solver.magnitude import is_large

TABLE_LIMIT: Final = 1 << 21
"""Entries of the table of losses; beyond, losses are computed when needed."""
SETS: Final = 1
"""Sets of weights in the bound."""


def build(tower: Tower, state: State, explicit: frozenset[int]) -> Instance:
    """Compile a state.

    Raises:
        NotPlain: something that is still alive needs the general search.
    """
    layout = layout_of(tower, state, explicit)
    if not layout.is_plain(state):
        raise NotPlain("scripts, prices or choices")
    if is_large(tower, state):
        raise NotPlain("numbers beyond its words")
    return _Builder(tower, state, layout).build()


class _Builder:
    def __init__(self, tower: Tower, state: State, layout: Layout) -> None:
        self.tower, self.state, self.layout = tower, state, layout
        board, gone = tower.board, state.world.gone
        self.n = len(layout.objects)
        self.words = max(1, (self.n + 63) // 64)
        self.actions = [
            live_actions(board, board.objects[index], layout.dead)[0]
            for index in layout.objects
        ]
        self.removed = 0
        for g, index in enumerate(layout.objects):
            if gone >> index & 1:
                self.removed |= 1 << g
        self.own = [Gains.of([action]) for action in self.actions]
        reach = state.hero.reach
        self.exposed = layout.gateways(reach)
        start: list[Action] = []
        self.regions: list[tuple[int, Gains]] = []
        self.number: dict[int, int] = {}
        for r, region in enumerate(layout.regions):
            actions = [
                live_actions(board, board.objects[i], layout.dead)[0]
                for i in region.members
                if not gone >> i & 1
            ]
            if region.nodes & reach:
                start += actions
                self.exposed |= region.exposes
            else:
                gains = Gains.of(actions)
                if gains:
                    self.number[r] = len(self.regions)
                    self.regions.append((region.near, gains))
        self.start = Gains.of(start)

    def build(self) -> Instance:
        hero = self.state.hero
        alive = [g for g in range(self.n) if not self.removed >> g & 1]
        given = [self.start, *(self.own[g] for g in alive)]
        given += [gains for _, gains in self.regions]
        total = [
            sum(column) for column in zip(*(g.numbers for g in given), strict=True)
        ]
        held = [hero[resource] for resource in PAID]
        all_keys = [h + t for h, t in zip(held, total[4:], strict=True)]
        if max(all_keys) > KEY_LIMIT:
            raise NotPlain("too many keys")
        self._lay_axes(total[1:4], given)
        instance = Instance(
            layout=self.layout,
            data=self._allocate(),
            removed=np.array(as_words(self.removed, self.words), np.int64),
            exposed=np.array(as_words(self.exposed, self.words), np.int64),
            hp=hero.hp + self.start.numbers[0],
            keys=pack_keys(held) + self.start.keys,
            attr=self._attr(self.start),
            best_attr=sum(self._attr(gains) for gains in given),
            all_hp=total[0] - self.start.numbers[0],
            tag=(0,) * self.words,
        )
        self._fill(instance)
        instance.rows(KEYS_OF, COLOURS, 2)[:, 1] = all_keys
        return instance

    def _lay_axes(self, total: list[int], given: list[Gains]) -> None:
        """Number the attributes that can be had: units, sizes, strides."""
        self.units = [
            math.gcd(*(gains.numbers[1 + axis] for gains in given)) or 1
            for axis in range(3)
        ]
        sizes = [t // unit + 1 for t, unit in zip(total, self.units, strict=True)]
        strides = (sizes[1] * sizes[2], sizes[2])
        hero = self.state.hero
        self.base = [
            hero.atk,
            hero.defense,
            hero.mdef,
            *strides,
            *sizes,
            *self.units,
        ]
        self.strides = (*strides, 1)
        self.attributes = math.prod(sizes)

    def _attr(self, gains: Gains) -> int:
        return sum(
            gains.numbers[1 + axis] // self.units[axis] * self.strides[axis]
            for axis in range(3)
        )

    def _monsters(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """Row of each gateway's monster in `fight`, or -1, and these rows."""
        game, board, world = self.tower.game, self.tower.board, self.state.world
        rows: dict[int, int] = {}
        kinds: list[int] = []
        for index in self.layout.objects:
            monster = board.objects[index].monster
            if monster < 0 or self.actions[len(kinds)].verb != "fight":
                kinds.append(-1)
            else:
                kinds.append(rows.setdefault(monster, len(rows)))
        return kinds, [
            game.fighters[monster][game.epoch(monster, world)] for monster in rows
        ]

    def _allocate(self) -> Ints:
        """An array with the offsets of all parts, which are 0."""
        n, m, words = self.n, len(self.regions), self.words
        self.kinds, self.fights = self._monsters()
        kinds = len(self.fights)
        table = self.attributes if self.attributes * kinds <= TABLE_LIMIT else 0
        self.opens = [
            [self.number[r] for r in found if r in self.number]
            for found in self.layout.opens
        ]
        sizes = {
            GATE: n * (G_STRIDE + words),
            REGION: m * (R_STRIDE + words),
            OPENS: sum(len(found) for found in self.opens),
            OWN: m,
            ORDER: n,
            FIGHT: kinds * F_STRIDE,
            BASE: B_SIZE,
            LOSS: kinds * table,
            FREE_AT: table * words,
            PROFIT_AT: table * words,
            GOAL: words,
            ITEMS: words,
            HARM: words,
            DOORS_OF: COLOURS * words,
            MUST_OPEN: COLOURS * words,
            KEYS_OF: COLOURS * 2,
            WEIGHT: SETS * 3,
            PRIZE: SETS * m,
            WHOLE: SETS * n,
            GOAL_COST: SETS * max(1, table),
            WORTHY: words,
        }
        data = np.zeros(HEADER + sum(sizes.values()), np.int64)
        at = HEADER
        for part, size in sizes.items():
            data[part] = at
            at += size
        data[N], data[M], data[KINDS], data[TABLE] = n, m, kinds, table
        data[WEIGHTS] = SETS
        return data

    def _fill(self, instance: Instance) -> None:
        """Write gateways, regions, monsters and attributes."""
        board, words = self.tower.board, self.words
        place, rows, opened = 0, [], []
        for g, action in enumerate(self.actions):
            cost = action.row.cost
            colour, amount = (PAID.index(cost[0][0]), cost[0][1]) if cost else (-1, 0)
            scale = next((e[2:] for e in action.row.effects if e[0] == SCALE), (1, 1))
            own = self.own[g]
            found = self.opens[g]
            row = [self.kinds[g], colour, amount, own.numbers[0], own.keys]
            row += [self._attr(own), *scale, place, place + len(found)]
            row += [0, 0, 0, -1, 0, 0, *as_words(self.layout.exposes[g], words)]
            rows.append(row)
            opened += found
            place += len(found)
        if rows:
            instance.gates()[:] = rows
        instance.data[instance.data[OPENS] :][:place] = opened
        if self.regions:
            instance.regions()[:] = [
                [g.numbers[0], g.keys, self._attr(g), *as_words(near, words)]
                for near, g in self.regions
            ]
        if self.fights:
            instance.fights()[:] = [
                [*fight, 1 if fight[5] else 0] for fight in self.fights
            ]
        instance.rows(BASE, 1, B_SIZE)[0] = self.base
        goal = sum(
            1 << g
            for g, index in enumerate(self.layout.objects)
            if board.objects[index].goal
        )
        instance.words(GOAL)[:] = as_words(goal, words)
        worthy = goal
        for g, gains in enumerate(self.own):
            scaled = rows[g][G_NUM] != rows[g][G_DEN]
            if gains or scaled:
                worthy |= 1 << g
        instance.words(WORTHY)[:] = as_words(worthy, words)
