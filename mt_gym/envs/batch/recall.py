"""Compiled: annotation columns that are remembered by the state that they are of.

A state is known by two hashes of all that the columns depend on but HP, which decides
little: with every answer there is the span of HP over which it is the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.engine.state import N_RESOURCES
from mt_gym.envs.batch.access import (
    add,
)
from mt_gym.envs.batch.layout import (
    S_OUTCOME,
    S_POSITION,
    S_SETS,
    S_SPARE,
    S_TABLE,
    S_TURN,
    Floats,
    Ints,
    Shape,
)
from mt_gym.envs.batch.pointer import Integers, Reals
from mt_gym.solver.compile import compiled

# An answer: two hashes, the least HP, the least HP that is too much, how many actions
# are listed, then these; its columns are kept apart.
R_ONE, R_TWO, R_LOW, R_HIGH, R_COUNT, R_ACTIONS = range(6)

_MOST: Final = 1 << 13
"""Answers that are remembered at most, with at most so many actions each, in at most
so many bytes."""
_LISTED: Final = 32
_BYTES: Final = 1 << 24
_SEED: Final = 0x4D54
_FORGOTTEN: Final = (0, S_POSITION, S_TURN, S_OUTCOME, S_TABLE, S_SPARE)
"""Numbers in a row that the columns do not depend on: HP, the position, and others."""


def salts(shape: Shape, hp: bool = False) -> Ints:
    """Factors of a row's numbers in two sums, 0 for what does not matter.

    Args:
        shape: of the rows.
        hp: whether HP do.
    """
    rng = np.random.default_rng(_SEED)
    found = rng.integers(1 << 62, size=(2, shape.stride)) * 2 + 1
    found[:, list(_FORGOTTEN[hp:])] = 0
    legal = S_SETS + 3 * shape.words
    found[:, legal : legal + shape.words] = 0  # follows from the rest
    assert N_RESOURCES <= S_POSITION
    return found.reshape(-1)


def room(width: int, columns: int) -> tuple[Ints, Floats, Ints]:
    """An empty memory for floors of a width: answers, columns, sizes.

    Sizes: answers that there is room for (a power of two), actions of each.
    """
    listed = min(width, _LISTED)
    each = 8 * (R_ACTIONS + listed) + 4 * listed * columns
    slots = min(_MOST, 1 << (_BYTES // each).bit_length() - 1)
    answers = np.zeros(slots * (R_ACTIONS + listed), np.int64)
    written = np.zeros(slots * listed * columns, np.float32)
    return answers, written, np.array([slots, listed], np.int64)


@compiled
def digest(rows: Integers, x: int, stride: int, salt: Integers, s: int) -> int:
    """A hash of a row's numbers."""
    found = 0
    for i in range(stride):
        found += rows[x + i] * salt[s + i]
    return found ^ (found >> 29)


@compiled
def recall(
    answers: Integers, at: int, written: Reals, f: int, base: int, columns: int,
    out: Reals, o: int, marks: Integers, m: int,
) -> None:  # fmt: skip
    """Write what is remembered at a place into a copy's features at `o`."""
    shown = columns - base
    for k in range(answers[at + R_COUNT]):
        action = answers[at + R_ACTIONS + k]
        row = o + action * columns + base
        for c in range(shown):
            out[row + c] = written[f + k * shown + c]
        add(marks, m, action)


@compiled
def remember(
    answers: Integers, at: int, written: Reals, f: int, base: int, columns: int,
    out: Reals, o: int, note: Integers, first: int, size: int, count: int,
) -> None:  # fmt: skip
    """Keep at a place what a copy's features have for the listed actions."""
    shown = columns - base
    answers[at + R_COUNT] = count
    for k in range(count):
        action = note[first + k * size]
        answers[at + R_ACTIONS + k] = action
        row = o + action * columns + base
        for c in range(shown):
            written[f + k * shown + c] = out[row + c]
