"""The anytime search: a seeded portfolio of narrow beams with local restarts."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mt_gym.engine.actions import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower import beam, records
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.desk import make_desk
from mt_gym.solver.tower.net import Net, build
from mt_gym.solver.tower.route import Board, Operation, Play, write_route
from mt_gym.solver.tower.weights import (
    OPTIONAL,
    middle_weights,
    mutated,
    random_weights,
)

FIRST_WIDTH = 100
LEAST_SPENT = 2000
"""What a beam takes of the node limit at the least: one that is stuck at once must
not run for ever."""
WIDTHS = (20, 30, 40, 60, 100)
"""Widths of the portfolio's beams."""
RESTART_SHARE = 0.6
"""Share of the beams that restart along the best route, once there is one."""
HINT_SHARE = 0.3
"""Share of the beams that start along a hint, if there are any."""
MUTATION_SHARE = 0.5
"""Share of the beams whose weights are those of one of the best plays, changed."""
ELITE = 6
"""Best plays that are kept to restart from."""
PER_SET = 3


@dataclass(frozen=True, slots=True)
class SearchStats:
    """What a search did.

    Attributes:
        transitions: macro transitions: an action with its purchases and everything
            that follows by itself.
        beams: beams that ran; `wins` of them reached the goal.
        seconds: wall time of the beams, compilation left out.
        first_win: seconds until the first win, or None.
        deepest: most gateways that any beam removed.
        history: pairs (seconds, final HP) of each improvement.
    """

    transitions: int
    beams: int
    wins: int
    seconds: float
    first_win: float | None
    deepest: int
    history: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class TowerResult:
    """The best play that a search found.

    Attributes:
        route: every action of it, items and purchases included; () without a win.
        hp: its final HP, or None.
        stats: what the search did.
    """

    route: tuple[Action, ...]
    hp: int | None
    stats: SearchStats


def search_tower(
    tower: Tower,
    *,
    state: State | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    seed: int = 0,
    width: int | None = None,
) -> TowerResult:
    """The best play that a portfolio of beams finds within its limits.

    Deterministic for a seed and a node limit: a time limit only decides how many
    beams run.

    Args:
        tower: the tower.
        state: where to start; None for the start.
        time_limit: seconds, compilation left out; `node_limit` macro transitions.
            At least one of them, unless `width` is given.
        seed: of the weights.
        width: run one beam of this width with the middle of all weights, and stop.

    Raises:
        MtGymError: no limit is given, or the tower has something that this search
            does not know (growing prices, choices, bombs).
        StateMismatch: the state belongs to another tower.
    """
    if time_limit is None and node_limit is None and width is None:
        raise MtGymError(
            "search_tower needs time_limit (seconds), node_limit (transitions) or "
            "width (a single beam)"
        )
    if state is None:
        state = tower.initial_state()
    tower.check(state)
    return Portfolio(build(tower), state, seed).run(time_limit, node_limit, width)


class Portfolio:
    """Beams from one state, and the best play among them.

    `hints` are plays of a tower with the same objects: some beams start after
    operations of theirs, as far as those can be executed.
    """

    def __init__(
        self, net: Net, state: State, seed: int, hints: Sequence[Play] = ()
    ) -> None:
        self.net = net
        self.state = state
        self.hints = tuple(hints)
        self.random = np.random.default_rng(seed)
        self.best: Play | None = None
        gateways = int(net.objects[:, at.GATEWAY].sum())
        self.layers = gateways + len(net.rows) + 2
        self.transitions = self.spent = 0
        self.beams = self.wins = self.deepest = 0
        self.history: list[tuple[float, int]] = []
        self.first_win: float | None = None
        self.elite: list[tuple[Play, Any, int]] = []
        self.started = time.perf_counter()
        self._rooms: dict[int, records.Room] = {}

    def run(
        self, time_limit: float | None, node_limit: int | None, width: int | None
    ) -> TowerResult:
        """Run beams until a limit is reached."""
        self.one_beam((), middle_weights(self.net), OPTIONAL, 2, 1)
        self.transitions = self.spent = 0
        self.beams = self.wins = self.deepest = 0
        self.best, self.history, self.first_win = None, [], None
        self.elite = []
        self.started = time.perf_counter()
        if width is not None:
            limit = node_limit if node_limit is not None else 1 << 60
            self.one_beam((), middle_weights(self.net), OPTIONAL, width, limit)
        else:
            self.run_beams(time_limit, node_limit)
        route: tuple[Action, ...] = ()
        seconds = time.perf_counter() - self.started
        if self.best is not None:
            route = write_route(self.net, self.state, self.best)
        stats = SearchStats(
            transitions=self.transitions,
            beams=self.beams,
            wins=self.wins,
            seconds=seconds,
            first_win=self.first_win,
            deepest=self.deepest,
            history=tuple(self.history),
        )
        hp = None if self.best is None else self.best.hp
        return TowerResult(route, hp, stats)

    def run_beams(self, time_limit: float | None, node_limit: int | None) -> None:
        """Beams one after the other, until a limit is reached."""
        first = True
        while True:
            elapsed = time.perf_counter() - self.started
            if time_limit is not None and elapsed >= time_limit:
                return
            left = 1 << 60
            if node_limit is not None:
                left = node_limit - self.spent
                if left <= 0:
                    return
            if first:
                weights = middle_weights(self.net)
                self.one_beam((), weights, OPTIONAL, FIRST_WIDTH, left)
                first = False
            else:
                self._next_beam(left)

    def _next_beam(self, limit: int) -> None:
        """A beam from the start, or from a state of one of the best plays."""
        random = self.random
        weights, optional = random_weights(self.net, random)
        width = int(random.choice(WIDTHS))
        prefix: tuple[Operation, ...] = ()
        if self.hints and random.random() < HINT_SHARE:
            prefix = self.hints[int(random.integers(len(self.hints)))].operations
            prefix = prefix[: int(random.integers(len(prefix) + 1))]
        elif self.elite and random.random() < RESTART_SHARE:
            rank = min(int(random.exponential(1.5)), len(self.elite) - 1)
            play, _, _ = self.elite[rank]
            prefix = play.operations[: int(random.integers(len(play.operations) + 1))]
        if self.elite and random.random() < MUTATION_SHARE:
            _, weights, optional = self.elite[int(random.integers(len(self.elite)))]
            weights = mutated(weights, random)
        self.one_beam(prefix, weights, optional, width, limit)

    def one_beam(
        self,
        prefix: tuple[Operation, ...],
        weights: Any,
        optional: int,
        width: int,
        limit: int,
    ) -> int:
        """One beam from the state after some operations; its final HP or -1."""
        net = self.net
        board = Board(net, self.state, optional)
        possible = itertools.takewhile(board.do, prefix)
        prefix = tuple(possible)
        room = self._room(width)
        desk = make_desk(board.tables, net.width, width, weights)
        floor = self.elite[-1][0].hp if len(self.elite) == ELITE else -1
        beam.run_beam(board.row, board.tables, desk, room, width, PER_SET, floor, limit)
        control = room.control
        self.beams += 1
        transitions = int(control[records.TRANSITIONS])
        self.transitions += transitions
        self.spent += max(transitions, LEAST_SPENT)
        self.deepest = max(self.deepest, int(control[records.REACHED]))
        hp = int(control[records.BEST])
        if hp >= 0:
            self.wins += 1
            tail = operations_of(room.traces, int(control[records.BEST_TRACE]))
            play = Play(prefix + tail, tuple(int(p) for p in room.plan), hp)
            self._note(play, weights, optional)
        return hp

    def _note(self, play: Play, weights: Any, optional: int) -> None:
        """Keep a winning play among the best, one of each final HP."""
        now = time.perf_counter() - self.started
        if self.first_win is None:
            self.first_win = now
        if all(play.hp != other.hp for other, _, _ in self.elite):
            self.elite.append((play, weights, optional))
            self.elite.sort(key=lambda entry: -entry[0].hp)
            del self.elite[ELITE:]
        if self.best is None or play.hp > self.best.hp:
            self.best = play
            self.history.append((round(now, 2), play.hp))

    def _room(self, width: int) -> records.Room:
        if width not in self._rooms:
            self._rooms[width] = records.make_room(width, self.layers, self.net.width)
        return self._rooms[width]


def operations_of(traces: Any, trace: int) -> tuple[Operation, ...]:
    """The operations that led to a trace."""
    found: list[Operation] = []
    while trace >= 0:
        parent, thing, row, mix, units, extra = (int(v) for v in traces[trace])
        if parent >= 0:
            found.append((thing, row, mix, units, extra))
        trace = parent
    return tuple(reversed(found))
