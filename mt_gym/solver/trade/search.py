"""The search on a state of a tower with purchases, tools and choices."""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.solver.arrays import as_words
from mt_gym.solver.limits import Budget
from mt_gym.solver.trade import kernel, records
from mt_gym.solver.trade.kernel import SOME, WIN
from mt_gym.solver.trade.pockets import pockets
from mt_gym.solver.trade.records import (
    BEST,
    BEST_FROM,
    CUT,
    FOUND,
    NARROW,
    NUMBERS,
    R_NEXT,
    R_PARENT,
    R_SCORE,
    RECORD,
    ROOM,
    STORED,
    TASTE,
    TRACE,
)
from mt_gym.solver.trade.states import STATE, settle
from mt_gym.solver.trade.tables import (
    CRYSTAL,
    GIFTS,
    ITEM,
    O_GOAL,
    O_HP,
    O_TYPE,
    SHOP,
    WALL,
    Problem,
    Table,
)
from mt_gym.solver.trade.tasting import Taste
from mt_gym.solver.trade.ways import VARIANT
from mt_gym.solver.trade.worth import most_of

DEPTH: Final = 128
VARIANTS: Final = 1 << 15
FIRST_ROOM: Final = 4096
SLICE: Final = 512
DONE, PAUSED, LIMIT = range(3)


class Search:
    """Layers of states by the number of gateways that are gone.

    Args:
        width: states expanded of each layer; 0 for all of them.
        best: only more final HP than this is looked for.
        taste: weights of the score by which a beam chooses.
    """

    def __init__(
        self, problem: Problem, width: int, best: int, taste: Taste = (0, 0, 0, 0, 0, 0)
    ) -> None:
        self.problem, self.width = problem, width
        v, w = problem.words
        self.v, self.w = v, w
        self.tables = _tables(problem)
        size = STATE + 2 * v + 2 * w
        self.levels = np.zeros((DEPTH, size), np.int64)
        self.frames = np.zeros((DEPTH, 4), np.int64)
        columns = VARIANT + GIFTS * max(1, len(problem.classes))
        self.variants = np.zeros((VARIANTS, columns), np.int64)
        self.log = np.zeros((DEPTH, columns), np.int64)
        self.numbers = np.zeros(NUMBERS, np.int64)
        self.numbers[BEST], self.numbers[BEST_FROM] = best, -1
        self.numbers[NARROW] = 1 + taste[-1] if width else 0
        self.numbers[TASTE:] = taste[:-1]
        self.stride = RECORD + STATE + v + w
        self.layers = len(problem.order) + problem.gateways + 2
        self.layer = -1
        self.todo = np.zeros(0, np.int64)
        self.next = 0
        self.target = np.zeros(size, np.int64)
        self._allocate(FIRST_ROOM)
        self._begin()

    def _allocate(self, room: int) -> None:
        self.records = np.zeros((room, self.stride), np.int64)
        self.slots = np.full(4 * room, -1, np.int32)
        self.heads = np.full(self.layers, -1, np.int64)
        self.numbers[ROOM], self.numbers[STORED] = room, 0

    def _begin(self) -> None:
        s = self.levels[0]
        start = self.problem.start
        s[:7] = start[:7]
        s[STATE + self.v : STATE + self.v + self.w] = start[7:]
        s[STATE + 2 * self.v + self.w :] = start[7:]
        settle(self.tables, s, self.v, self.w)
        records.store(
            self.tables, s, self.numbers, self.records, self.slots, self.heads, -1
        )

    @property
    def best(self) -> int:
        """Final HP of the best goal so far, or what the search had to beat."""
        return int(self.numbers[BEST])

    @property
    def found(self) -> int:
        """Final HP of the best goal so far; 0 if none beat what was to beat."""
        return self.best if self.numbers[BEST_FROM] >= 0 else 0

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.numbers[CUT]

    @property
    def bound(self) -> int | None:
        """No play ends with more HP; None if something was left out."""
        if not self.complete:
            return None
        done, state = records.R_DONE, records.RECORD
        return max(
            self.best, most_of(self.tables, self.records[: self.stored], done, state)
        )

    @property
    def stored(self) -> int:
        """States kept."""
        return int(self.numbers[STORED])

    @property
    def memory(self) -> int:
        """Bytes of the tables."""
        return int(self.records.nbytes + self.slots.nbytes)

    def beat(self, best: int) -> None:
        """Look only for more final HP than this from now on."""
        if best > self.best:
            self.numbers[BEST], self.numbers[BEST_FROM] = best, -1

    def run(
        self,
        budget: Budget,
        top: int | None,
        reserved: int = 0,
        most: int = 0,
        known: int = 0,
    ) -> int:
        """Search on until nothing is left, `most` states were expanded, or a limit."""
        expanded = 0
        while True:
            while self.next >= len(self.todo):
                if not self._next_layer():
                    return DONE
            part = min(SLICE, budget.slice(SLICE), len(self.todo) - self.next)
            count = self._expand(self.todo, self.next, part)
            self.next += count
            budget.expanded += count
            expanded += count
            if count < part and not self._grow(budget, reserved):
                return LIMIT
            if budget.spent():
                return LIMIT
            if budget.wants_report():
                budget.tell(self.stored, top, max(known, self.found) or None)
            if most and expanded >= most:
                return PAUSED

    def _expand(self, todo: Table, first: int, most: int) -> int:
        return int(
            kernel.expand(
                self.tables,
                self.levels,
                self.frames,
                self.variants,
                self.log,
                self.numbers,
                self.records,
                self.slots,
                self.heads,
                self.target,
                todo,
                first,
                most,
            )
        )

    def _members(self, layer: int) -> Table:
        """Records of a layer that are worth expanding, the best of a beam's."""
        out = np.empty(0, np.int64)
        count = records.collect(self.records, self.heads[layer], out)
        if count:
            out = np.empty(count, np.int64)
            records.collect(self.records, self.heads[layer], out)
        if self.width and count > self.width:
            self.numbers[CUT] = 1
            scores = self.records[out, R_SCORE]
            out = out[np.argpartition(-scores, self.width)[: self.width]]
        return out

    def _next_layer(self) -> bool:
        self.layer += 1
        if self.layer >= self.layers:
            return False
        self.todo, self.next = self._members(self.layer), 0
        return True

    def _grow(self, budget: Budget, reserved: int) -> bool:
        """Make room: by forgetting what a beam will not use, or by a larger table."""
        if self.width:
            self._forget()
            if 2 * self.stored < self.numbers[ROOM]:
                return True
        room = 2 * int(self.numbers[ROOM])
        needed = room * (8 * self.stride + 16) + self.records.nbytes
        if needed + reserved > budget.memory:
            return False
        old, heads, stored = self.records, self.heads, self.stored
        self._allocate(room)
        self.records[:stored] = old[:stored]
        self.heads, self.numbers[STORED] = heads, stored
        records.rehash(self.tables, self.numbers, self.records, self.slots)
        return True

    def _forget(self) -> None:
        """Keep the ancestors of what is still to be expanded, and the best of it."""
        stored = self.stored
        keep = np.zeros(stored, bool)
        used = np.flatnonzero(self.heads[self.layer + 1 :] >= 0) + self.layer + 1
        later = [self._members(int(layer)) for layer in used]
        ends = [self.todo, *later]
        if self.numbers[BEST_FROM] >= 0:
            ends.append(np.array([self.numbers[BEST_FROM]], np.int64))
        parents = self.records[:stored, R_PARENT]
        for members in ends:
            while len(members := members[~keep[members]]):
                keep[members] = True
                members = np.unique(parents[members])
                members = members[members >= 0]
        number = np.cumsum(keep) - 1
        rows = self.records[:stored][keep]
        up = rows[:, R_PARENT]
        rows[:, R_PARENT] = np.where(up >= 0, number[up], -1)
        self.records[: len(rows)] = rows
        self.numbers[STORED] = len(rows)
        self.todo = number[self.todo]
        if self.numbers[BEST_FROM] >= 0:
            self.numbers[BEST_FROM] = number[self.numbers[BEST_FROM]]
        self.heads[:] = -1
        for layer, members in zip(used, later, strict=True):
            chain = number[members]
            if len(chain):
                self.records[chain[1:], R_NEXT] = chain[:-1]
                self.records[chain[0], R_NEXT] = -1
                self.heads[layer] = chain[-1]
        self.slots[:] = -1
        records.rehash(self.tables, self.numbers, self.records, self.slots)

    # -- routes ----------------------------------------------------------------

    def choices(self) -> list[list[int]]:
        """The variants that lead to the best goal, in their order."""
        if self.numbers[BEST_FROM] < 0:
            return []
        found: list[list[int]] = []
        record, self.numbers[TRACE] = int(self.numbers[BEST_FROM]), WIN
        while record >= 0:
            self.numbers[FOUND] = 0
            self._expand(np.array([record], np.int64), 0, 1)
            depth = int(self.numbers[FOUND])
            if not depth:
                raise AssertionError("a stored state does not follow from its parent")
            found = [*self.log[:depth].tolist(), *found]
            self.target[:] = 0
            row = self.records[record, RECORD:]
            self.target[: len(row)] = row
            self.numbers[TRACE] = SOME
            record = int(self.records[record, R_PARENT])
        self.numbers[TRACE] = 0
        return found


def _tables(problem: Problem) -> tuple[object, ...]:
    """What the compiled functions read, in the order of the `T_` numbers."""
    v, w = problem.words
    objects, gates = problem.objects, problem.gateways
    types = objects[: len(problem.order), O_TYPE].tolist()
    walls = sum(1 << g for g in range(gates) if types[g] == WALL)
    goals = objects[objects[:, O_GOAL] == 1]
    # A choice that gave something is another layer: a thing is gone that is no wall,
    # or something is in reach that can be had at any time.
    had = sum(1 << g for g, t in enumerate(types) if t in (ITEM, CRYSTAL, SHOP))
    gone = ((1 << gates) - 1) & ~walls
    groups, beside = pockets(objects, len(problem.order))
    return (
        objects,
        problem.kinds,
        problem.classes,
        problem.limits,
        problem.must,
        problem.locks,
        problem.tools,
        np.array(as_words(walls, w), np.int64),
        np.array(as_words((1 << gates) - 1, v), np.int64),
        np.array([*as_words(gone, v), *as_words(had, w)], np.int64),
        problem.most_tokens,
        int(goals[:, O_HP].max(initial=0)),
        groups,
        beside,
        np.zeros(len(groups) + 1, np.int64),
    )
