"""Rows of integers from states, and states from rows."""

from __future__ import annotations

import numpy as np

from mt_gym.engine.state import N_RESOURCES, Hero, State, World
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch import layout as at
from mt_gym.envs.batch.layout import Ints, Shape
from mt_gym.envs.batch.sizes import needs_regions
from mt_gym.solver.arrays import as_mask, as_words


def as_row(tower: Tower, shape: Shape, number: int, state: State, turn: int) -> Ints:
    """The row of a state, without what follows from it (losses, what is legal).

    Args:
        tower: the state's; number: its place among those of a batch.
        shape: of the rows.
        state: in which the game has not ended.
        turn: completed turns.
    """
    world, hero = state
    row = np.zeros(shape.stride, np.int64)
    row[:N_RESOURCES] = hero[:N_RESOURCES]
    row[at.S_POSITION], row[at.S_TURN] = hero.position, turn
    row[at.S_TOWER] = number
    sets = (world.gone, world.hidden, hero.reach)
    words = [w for mask in sets for w in as_words(mask, shape.words)]
    row[at.S_SETS : at.S_SETS + len(words)] = words
    flags = world.flags | world.visited << len(tower.board.flag_names)
    end = shape.flags_at + shape.flags
    row[shape.flags_at : end] = as_words(flags, shape.flags)
    row[shape.counts_at : shape.counts_at + len(world.counts)] = world.counts
    row[shape.epochs_at : shape.epochs_at + len(world.epochs)] = world.epochs
    return row


def as_state(tower: Tower, shape: Shape, row: Ints) -> State:
    """The state in a row of a tower."""
    board = tower.board
    first, words = at.S_SETS, shape.words
    gone, hidden, reach = (
        as_mask(row[first + k * words : first + (k + 1) * words]) for k in range(3)
    )
    if not needs_regions(board):
        reach = _with_regions(tower, reach, gone, hidden)
    flags = as_mask(row[shape.flags_at : shape.flags_at + shape.flags])
    names = len(board.flag_names)
    counts = row[shape.counts_at : shape.counts_at + len(board.counter_names)]
    epochs = row[shape.epochs_at : shape.epochs_at + len(board.epoch_names)]
    world = World(
        gone,
        hidden,
        flags & ((1 << names) - 1),
        tuple(int(n) for n in counts),
        tuple(int(n) for n in epochs),
        flags >> names,
        board.digest,
    )
    numbers = [int(n) for n in row[:N_RESOURCES]]
    return State(world, Hero._make([*numbers, int(row[at.S_POSITION]), reach]))


def _with_regions(tower: Tower, reach: int, gone: int, hidden: int) -> int:
    """A reach with the regions that rows leave out."""
    objects = tower.board.object_mask
    for found in tower.board.reaches(gone, hidden):
        if found & objects == reach & objects:
            return found
    return reach
