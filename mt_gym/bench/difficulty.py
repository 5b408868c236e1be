"""How likely random play wins a floor, by the HP that the hero starts with.

Exact, and for all start HP at once.  Play takes one of the legal actions with equal
probability at every decision, fights that would kill included, with the assists and
without overrides.  Where HP decides nothing but survival, the choices do not depend on
them, so that every line of play needs some number of HP to win; one pass over the
states, those that they lead to first, gives the distribution of that number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.actions import SCALE
from mt_gym.engine.kinds import HP
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch import graph
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.layout import Ints
from mt_gym.envs.batch.recall import salts
from mt_gym.envs.batch.sizes import hp_counts
from mt_gym.errors import LimitReached, MtGymError

MOST_STATES: Final = 5_000_000
MOST_MASSES: Final = 1 << 29
MOST_FLOORS: Final = 4
"""A tower of more is left out at once: its states are too many."""
FACTORS: Final = ((1, 1), (5, 4), (3, 2))
"""Start HP of the table, in shares of a floor's own."""
_PLENTY: Final = 1 << 40
_CHUNK: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Chances:
    """What random play reaches on a floor.

    Attributes:
        states: that play can reach, those that differ only in HP counted once.
        most: start HP up to which `won` goes.
        won: (most + 1,) chance of a win by start HP.
    """

    states: int
    most: int
    won: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """How random play fares on a floor.

    Attributes:
        name: of the floor.
        hp: start HP, the floor's own times each of `FACTORS`.
        won: chance of a win with each; empty where it is not known.
        states: that play can reach (with its own start HP, where HP decide more than
            survival); 0 where that is not known.
        reason: why it is not known.
    """

    name: str
    hp: tuple[int, ...]
    won: tuple[float, ...]
    states: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Graph:
    """States and what play does from them; state 0 is the start."""

    first: Ints
    child: graph.Numbers
    low: graph.Numbers
    net: graph.Numbers


def chances(
    tower: Tower, most: int, *, assists: bool = True, most_states: int | None = None
) -> Chances:
    """Chances of random play by start HP, the turn limit aside.

    Args:
        tower: a floor whose states are few enough.
        most: start HP up to which the chances are wanted.
        assists: whether the assists act.
        most_states: limit; None for `MOST_STATES`.

    Raises:
        LimitReached: there are more states, or their distributions are too large.
        MtGymError: `hp_decides`, so that one pass does not do (`chance_at` does), or
            play can come back to a state.
    """
    if most < 1:
        raise MtGymError(f"most must be at least 1, got {most!r}")
    if hp_decides(tower):
        raise MtGymError(
            f"{tower.name!r}: HP decide more there than whether the hero survives "
            "(a vampire, a price in HP, or a ratio of them)"
        )
    found, begun = _explore(tower, _PLENTY, False, assists, most_states)
    own = (found.child, found.low, found.net)
    order = _ordered(tower, found)
    start = begun - _PLENTY  # what the assists give at once
    least, cap = graph.spans(order, found.first, *own, most + start)
    width = np.maximum(0, cap - least + 1)
    places = np.concatenate([[0], np.cumsum(width)])
    if places[-1] > MOST_MASSES:
        raise LimitReached(f"{tower.name!r}: {places[-1]:,} chances do not fit")
    mass = np.zeros(places[-1], np.float32)
    total = graph.masses(order, found.first, *own, least, cap, places, mass)
    won = np.zeros(most + 1)
    for n, share in enumerate(total):
        won[max(1, int(least[0]) + n - start) :] += share
    return Chances(len(order), most, won)


def chance_at(
    tower: Tower, hp: int, *, assists: bool = True, most_states: int | None = None
) -> tuple[float, int]:
    """The chance of random play with some start HP, and the states it can reach.

    Right on every tower; states that differ in HP are different ones.

    Raises:
        LimitReached: there are more states.
        MtGymError: play can come back to a state.
    """
    if hp < 1:
        raise MtGymError(f"hp must be at least 1, got {hp!r}")
    found, _ = _explore(tower, hp, True, assists, most_states)
    order = _ordered(tower, found)
    return float(graph.chance(order, found.first, found.child)), len(order)


def random_play(tower: Tower) -> Row:
    """How random play fares with the floor's own start HP and with more."""
    own = tower.initial_state().hero.hp
    hp = tuple(own * top // bottom for top, bottom in FACTORS)
    if len(tower.floors) > MOST_FLOORS:
        return Row(tower.name, hp, (), 0, f"has {len(tower.floors)} floors")
    try:
        if hp_decides(tower):
            found = [chance_at(tower, one) for one in hp]
            return Row(tower.name, hp, tuple(won for won, _ in found), found[0][1])
        once = chances(tower, max(hp))
    except LimitReached as error:
        return Row(tower.name, hp, (), 0, str(error))
    return Row(tower.name, hp, tuple(float(once.won[n]) for n in hp), once.states)


def hp_decides(tower: Tower) -> bool:
    """Whether HP decide what is legal or what a fight costs, or are multiplied."""
    board = tower.board
    rows = (*(a.row for a in board.actions), *board.triggers)
    scaled = any(op == SCALE and a == HP for r in rows for op, a, _, _ in r.effects)
    return scaled or any(r.doubles == HP for r in rows) or hp_counts(board)


def _start(tower: Tower, batch: Batch, hp: int, assists: bool) -> Ints:
    """The row in which the policy decides first."""
    state = tower.initial_state()
    row = batch.row_of(0, state._replace(hero=state.hero._replace(hp=hp)))
    if assists:
        z, data, base, work, memo = batch.compiled()
        graph.settle_free(z, data, base, row, work, memo)
    return row


def _explore(
    tower: Tower, hp: int, own_hp: bool, assists: bool, most_states: int | None
) -> tuple[_Graph, int]:
    """All states from a start, in the order in which they are met; its HP.

    Args:
        hp: at the start, before the assists act.
        own_hp: whether states that differ in HP are different ones.
    """
    most = MOST_STATES if most_states is None else most_states
    batch = Batch([tower], [0])
    z, data, base, work, memo = batch.compiled()
    salt = salts(batch.shape, own_hp)
    rows = _start(tower, batch, hp, assists)[None]
    begun = int(rows[0, 0])
    mask = np.zeros(batch.width, np.int8)
    keys = np.zeros((1 << 12, 3), np.int64)
    graph.put(keys, rows.reshape(-1), salt, 0)
    known = 1
    counts: list[Ints] = []
    edges: list[tuple[graph.Numbers, graph.Numbers, graph.Numbers]] = []
    while len(rows):
        fresh: list[Ints] = []
        for i in range(0, len(rows), _CHUNK):
            part = rows[i : i + _CHUNK]
            count = np.zeros(len(part), np.int64)
            flat = part.reshape(-1)
            graph.count_legal(z, data, base, flat, work, mask, count)
            total = int(count.sum())
            while len(keys) < 2 * (known + total):
                keys = graph.grown(keys, 2 * len(keys))
            new = np.zeros((total, batch.shape.stride), np.int64)
            child, low, net = (np.zeros(total, np.int32) for _ in range(3))
            before = known
            known = graph.expand(
                z, data, base, flat, len(part), work, memo, mask, salt, keys, known,
                new.reshape(-1), child, low, net, assists,
            )  # fmt: skip
            if known > most:
                raise LimitReached(
                    f"{tower.name!r}: play can reach more than {most:,} states"
                )
            fresh.append(new[: known - before].copy())
            counts.append(count)
            edges.append((child, low, net))
        rows = np.concatenate(fresh)
    first = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    child, low, net = (np.concatenate(part) for part in zip(*edges, strict=True))
    return _Graph(first, child, low, net), begun


def _ordered(tower: Tower, found: _Graph) -> graph.Numbers:
    order = graph.children_first(found.first, found.child)
    if not len(order):
        raise MtGymError(f"{tower.name!r}: play can come back to a state")
    return order
