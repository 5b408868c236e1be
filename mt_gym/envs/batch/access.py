"""Compiled: sets of objects in words, and where entries of a table are."""

from __future__ import annotations

from mt_gym.envs.batch.layout import (
    A_STRIDE,
    O_STRIDE,
    T_ACTION_AT,
    T_OBJECT_AT,
    Z_WORDS,
)
from mt_gym.envs.batch.pointer import (
    Integers,
)
from mt_gym.solver.compile import (
    compiled,
)


@compiled
def has(words: Integers, at: int, index: int) -> bool:
    """Whether a number is in a set."""
    return (words[at + (index >> 6)] >> (index & 63)) & 1 != 0


@compiled
def add(words: Integers, at: int, index: int) -> None:
    """Put a number into a set."""
    words[at + (index >> 6)] |= 1 << (index & 63)


@compiled
def drop(words: Integers, at: int, index: int) -> None:
    """Take a number out of a set."""
    words[at + (index >> 6)] &= ~(1 << (index & 63))


@compiled
def clear(words: Integers, at: int, count: int) -> None:
    """Empty a set of so many words.

    The first apart: with one word, as on most floors, no loop is begun.
    """
    words[at] = 0
    for w in range(1, count):
        words[at + w] = 0


@compiled
def object_at(z: Integers, data: Integers, b: int, index: int) -> int:
    """Place of an object's entry."""
    return b + data[b + T_OBJECT_AT] + index * (O_STRIDE + 2 * z[Z_WORDS])


@compiled
def action_at(data: Integers, b: int, index: int) -> int:
    """Place of an action's entry."""
    return b + data[b + T_ACTION_AT] + index * A_STRIDE
