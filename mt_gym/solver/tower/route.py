"""From the operations of the compiled search to actions of the engine, and back.

A route is replayed by `tower.step` as it is written, and every step is compared
with the compiled state: the two must agree on every number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import GOLD, HP, YELLOW
from mt_gym.engine.state import N_RESOURCES, State, bits
from mt_gym.solver.tower import final, kernel, purchases
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.beam import KEY_MIX
from mt_gym.solver.tower.net import Net, Tables

Operation = tuple[int, int, int, int, int]
"""Object, row, mix of purchases, their units, purchases of HP."""


@dataclass(frozen=True, slots=True)
class Play:
    """Operations up to the state from which the end is played, and its plan."""

    operations: tuple[Operation, ...]
    plan: tuple[int, ...]
    hp: int


class Board:
    """A state of the compiled search together with the engine's."""

    def __init__(self, net: Net, state: State, optional: int = 100) -> None:
        self.net = net
        self.game = net.tower.game
        self.state = state
        self.tables = net.tables(optional)
        self.objects = self.tables.objects
        self.stack = np.empty(4096, np.int64)
        self.row = start_row(net, state, self.tables, self.stack)
        self.actions: list[Action] = []

    def do(self, operation: Operation) -> bool:
        """Execute an operation in the compiled state only; False changes nothing."""
        thing, row = operation[:2]
        if self.objects[thing, at.CLASS] == at.INERT or not self.in_reach(thing):
            return False
        before = self.row.copy()
        self.buy(np.zeros(len(self.net.offers) + 1, np.int64), operation)
        if kernel.act(self.row, self.tables, thing, row, self.stack):
            return True
        self.row[:] = before
        return False

    def in_reach(self, thing: int) -> bool:
        """Whether an object is among the targets of the compiled state."""
        targets = self.row[at.FRONT : at.FRONT + int(self.row[at.COUNT])]
        return thing in targets and not kernel.is_gone(self.row, thing)

    def buy(self, counts: Any, operation: Operation) -> None:
        """The purchases of an operation, counted per offer."""
        thing, _, mix, units, extra = operation
        offers = self.net.offers
        if mix == KEY_MIX:
            key = self.objects[thing, at.KEY]
            purchases.purchase(self.row, offers, counts, key, 1, GOLD)
        elif mix:
            purchases.purchase_mix(self.row, offers, counts, mix, units)
        if extra:
            purchases.purchase(self.row, offers, counts, HP, extra, -1)

    # -- writing actions -----------------------------------------------------------

    def settle(self) -> None:
        """Let the engine take everything that the search takes by itself."""
        while self._collect() or self._talk() or self._fight():
            pass
        self._compare()

    def settle_end(self) -> None:
        """`settle` while the compiled state is ahead already."""
        while not self.state.won and (self._collect() or self._talk() or self._fight()):
            pass

    def _there(self, group: int) -> list[int]:
        """Objects of a class that can be acted on now."""
        things = bits(self.game.candidates(self.state))
        return [thing for thing in things if self.objects[thing, at.CLASS] == group]

    def _collect(self) -> bool:
        """Items, gates and stairs; whether there was any."""
        found = self._there(at.AUTO)
        for thing in found:
            if not self.state.world.gone >> thing & 1:
                self.step(self.game.board.objects[thing].actions[0])
        return bool(found)

    def _talk(self) -> bool:
        """The first row that runs by itself; whether there was one."""
        rows, actions = self.net.rows, self.game.board.actions
        for thing in self._there(at.SPECIAL):
            start = int(self.objects[thing, at.ROWS])
            for number in range(start, start + int(self.objects[thing, at.N_ROWS])):
                action = actions[int(rows[number, at.R_ACTION])]
                if rows[number, at.R_AUTO] and self.game.is_legal(self.state, action):
                    self.step(action)
                    return True
        return False

    def _fight(self) -> bool:
        """Fights that cost nothing; whether there was any."""
        free = [
            thing
            for thing in self._there(at.FIGHT_OBJECT)
            if self.objects[thing, at.FREE_FIGHT]
            and self.game.loss(self.state, thing) == 0
        ]
        for thing in free:
            self.step(self.game.board.objects[thing].actions[0])
        return bool(free)

    def step(self, action: Action) -> None:
        """Execute and note an action of the engine."""
        self.state = self.game.step(self.state, action)
        self.actions.append(action)

    def _compare(self) -> None:
        numbers = tuple(int(value) for value in self.row[:N_RESOURCES])
        if numbers != tuple(self.state.hero[:N_RESOURCES]):
            raise AssertionError(
                f"search and engine disagree: {numbers} and "
                f"{self.state.hero[:N_RESOURCES]} after {self.actions[-1:]}"
            )

    def write(self, operation: Operation) -> None:
        """Execute an operation in both, and write its actions."""
        thing, row = operation[:2]
        counts = np.zeros(len(self.net.offers) + 1, np.int64)
        self.buy(counts, operation)
        self._write_purchases(self.net.offers, counts)
        if not kernel.act(self.row, self.tables, thing, row, self.stack):
            raise AssertionError(f"an operation cannot be executed: {operation}")
        self._write_action(thing, row)
        self.settle()

    def _write_purchases(self, table: Any, counts: Any) -> None:
        for number in range(len(table)):
            action = self.game.board.actions[int(table[number, at.O_ACTION])]
            for _ in range(int(counts[number])):
                self.step(action)

    def _write_action(self, thing: int, row: int) -> None:
        board = self.game.board
        if row >= 0 and self.objects[thing, at.CLASS] != at.DOOR:
            self.step(board.actions[int(self.net.rows[row, at.R_ACTION])])
        else:
            self.step(board.objects[thing].actions[0])

    def write_end(self, plan: tuple[int, ...]) -> int:
        """Play the end in both; returns the final HP."""
        net = self.net
        counts = np.zeros(len(net.offers) + 1, np.int64)
        sold = np.zeros(len(net.sales) + 1, np.int64)
        log = np.empty(512, np.int64)
        hp = int(
            final.play_end(
                self.row,
                self.tables,
                np.array(plan, np.int64),
                counts,
                sold,
                log,
                self.stack,
            )
        )
        if hp < 0:
            return hp
        self._write_purchases(net.sales, sold)
        self._write_purchases(net.offers, counts)
        place = 0
        while log[place] >= 0:
            self._write_action(int(net.rows[log[place], at.R_OBJECT]), int(log[place]))
            self.settle_end()
            place += 1
        place += 1
        while log[place] >= 0:
            self._write_action(int(log[place]), -1)
            self.settle_end()
            place += 1
        self._compare()
        return hp


def start_row(net: Net, state: State, tables: Tables, stack: Any) -> Any:
    """A state of the engine as a settled row of the search."""
    board = net.tower.board
    objects = tables.objects
    world, hero = state
    row = np.zeros(net.width, np.int64)
    row[:N_RESOURCES] = hero[:N_RESOURCES]
    row[at.FLAGS] = world.flags
    row[at.STIRRED] = 1
    for thing in bits(board.start_hidden & ~world.hidden):
        row[at.REVEALED] |= 1 << int(objects[thing, at.HIDDEN])
    for slot, epoch in enumerate(world.epochs):
        row[at.EPOCHS] |= epoch << (4 * slot)
    for thing in bits(world.gone):
        _set_bit(row, at.MASKS, thing)
        row[at.HASH] ^= net.keys[thing]
    for thing in bits(hero.reach & board.object_mask):
        _set_bit(row, at.MASKS + net.words, thing)
    for thing in range(board.n_objects):
        if world.gone >> thing & 1:
            row[at.LAYER] += objects[thing, at.GATEWAY]
            continue
        kind, key = int(objects[thing, at.KIND]), int(objects[thing, at.KEY])
        if kind >= 0:
            row[at.ALIVE + kind] += objects[thing, at.WEIGHT]
        if key >= 0 and objects[thing, at.MANDATORY]:
            row[at.NEEDED + key - YELLOW] += 1
        for action in board.objects[thing].actions[:1]:
            for resource, amount in action.row.gain:
                if 0 <= resource - YELLOW < kernel.N_COLOURS:
                    if board.objects[thing].kind.type == "item":
                        row[at.LYING + resource - YELLOW] += amount
    top = 0
    there = hero.reach & ~(world.gone | world.hidden) & board.object_mask
    for thing in bits(there):
        if kernel.expose(row, tables.objects, tables.hash_keys, thing):
            stack[top] = thing
            top += 1
    kernel.settle(row, tables, stack, top)
    return row


def _set_bit(row: Any, start: int, thing: int) -> None:
    row[start + (thing >> 6)] |= np.uint64(1 << (thing & 63)).astype(np.int64)


def write_route(net: Net, state: State, play: Play) -> tuple[Action, ...]:
    """Every action of a play, from a state to the goal."""
    board = Board(net, state)
    board.settle()
    for operation in play.operations:
        board.write(operation)
    hp = board.write_end(play.plan)
    if hp != play.hp or board.state.hero.hp != hp or not board.state.won:
        raise AssertionError(f"the end gives {hp} HP instead of {play.hp}")
    return tuple(board.actions)
