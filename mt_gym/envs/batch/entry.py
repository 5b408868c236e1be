"""Compiled: what Python calls, with arrays; inside, everything is pointers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mt_gym.envs.batch import masks, paint
from mt_gym.envs.batch.access import (
    add,
)
from mt_gym.envs.batch.annotate import SPAN, annotate
from mt_gym.envs.batch.assist import settle
from mt_gym.envs.batch.entries import E_HEAD, ROOM
from mt_gym.envs.batch.facts import (
    note_legal,
)
from mt_gym.envs.batch.fights import (
    locate,
)
from mt_gym.envs.batch.layout import (
    NONE,
    S_OUTCOME,
    S_TOWER,
    T_ACTIONS,
    Z_STRIDE,
    Z_WORDS,
    Floats,
    Ints,
)
from mt_gym.envs.batch.lookahead import L_SETS, N_ITEMS
from mt_gym.envs.batch.pointer import pointer
from mt_gym.envs.batch.recall import (
    R_ACTIONS,
    R_HIGH,
    R_LOW,
    R_ONE,
    R_TWO,
    digest,
    recall,
    remember,
)
from mt_gym.envs.batch.step import reward_of, step_row
from mt_gym.envs.rewards import ILLEGAL
from mt_gym.solver.compile import compiled, lowest


@compiled
def locate_one(z: Ints, data: Ints, b: int, row: Ints) -> None:
    """Find a row's attributes in the table of losses, and note what is legal."""
    locate(pointer(data), b, pointer(row), 0)
    note_legal(pointer(z), pointer(data), b, pointer(row), 0)


@compiled
def settle_one(z: Ints, data: Ints, b: int, rows: Ints, work: Ints, memo: Ints) -> None:
    """Settle the first of two rows as a reset does; the second is room."""
    p = pointer(z)
    room = p[Z_STRIDE]
    settle(p, pointer(data), b, pointer(rows), 0, pointer(work), pointer(memo), room)
    note_legal(p, pointer(data), b, pointer(rows), 0)


@compiled
def step_all(
    z_: Ints,
    data_: Ints,
    bases: Ints,
    rows_: Ints,
    work_: Ints,
    memo_: Ints,
    starts: Ints,
    towers: Ints,
    actions: Ints,
    settings: Ints,
    rewards: NDArray[np.float64],
    legal: NDArray[np.bool_],
) -> None:
    """Step all copies; those that have ended begin again instead, or stay.

    Args:
        starts: a row per tower; towers: of each copy, where it begins again.
        settings: whether assists act, number of the reward, whether to begin again.
    """
    z, data, rows = pointer(z_), pointer(data_), pointer(rows_)
    work, memo = pointer(work_), pointer(memo_)
    assists, reward, again = settings[0] != 0, settings[1], settings[2] != 0
    stride = z[Z_STRIDE]
    for i in range(len(actions)):
        x = i * stride
        if rows[x + S_OUTCOME] != NONE:
            rewards[i] = 0.0
            legal[i] = True
            if again:
                start = towers[i] * stride
                for k in range(stride):
                    rows[x + k] = starts[start + k]
            continue
        b = bases[rows[x + S_TOWER]]
        hp = rows[x]
        action = actions[i] if actions[i] < data[b + T_ACTIONS] else -1
        done = step_row(z, data, b, rows, x, work, memo, action, assists)
        legal[i] = done
        rewards[i] = reward_of(z, data, b, rows, x, reward, hp)
        if not done:
            rewards[i] += ILLEGAL


@compiled
def mask_all(
    z: Ints,
    data: Ints,
    bases: Ints,
    rows: Ints,
    work: Ints,
    mask: NDArray[np.int8],
    width: int,
) -> None:
    """Write the action masks of all copies, (copies * width,)."""
    masks.paint_masks(
        pointer(z),
        pointer(data),
        pointer(bases),
        pointer(rows),
        pointer(work),
        pointer(mask),
        width,
        len(mask) // width,
    )


@compiled
def paint_all(
    z: Ints,
    data: Ints,
    bases: Ints,
    rows: Ints,
    work: Ints,
    mask: NDArray[np.int8],
    painted: Ints,
    templates: Floats,
    scales: Floats,
    nets: Ints,
    first: int,
    columns: int,
    hero: Floats,
    objects: Floats,
    width: int,
) -> None:
    """Write masks, heroes and rows of all copies; see `paint.paint_all`."""
    paint.paint_all(
        pointer(z),
        pointer(data),
        pointer(bases),
        pointer(rows),
        pointer(work),
        pointer(mask),
        pointer(painted),
        pointer(templates),
        pointer(scales),
        pointer(nets),
        len(nets) >> 1,
        first,
        columns,
        pointer(hero),
        pointer(objects),
        width,
        len(painted),
    )


def room_of(objects: int, words: int) -> int:
    """Integers of scratch before the entries of `annotate_all`."""
    return (L_SETS + (objects + 2) * 7) * words + (objects + 2) * N_ITEMS + ROOM


@compiled
def annotate_all(
    z_: Ints,
    data_: Ints,
    bases: Ints,
    rows_: Ints,
    note_: Ints,
    first: int,
    where_: Ints,
    marks_: Ints,
    salts_: Ints,
    answers_: Ints,
    written_: Floats,
    sizes: Ints,
    one_sided: bool,
    base: int,
    columns: int,
    objects_: Floats,
    width: int,
) -> None:
    """Write the annotation columns of all copies.

    Args:
        note_: scratch, its entries from `first` on.
        where_: place of each column, -1 for one that is not shown.
        marks_: a set per copy, of the rows in which something is written.
        salts_, answers_, written_, sizes: what is remembered; see `recall`.
        base: columns before them.
    """
    z, data, rows = pointer(z_), pointer(data_), pointer(rows_)
    note, where, objects = pointer(note_), pointer(where_), pointer(objects_)
    marks, salt = pointer(marks_), pointer(salts_)
    answers, written = pointer(answers_), pointer(written_)
    stride, slots, listed = z[Z_STRIDE], sizes[0], sizes[1]
    entry = E_HEAD + z[Z_WORDS]
    size = width * columns
    sets = (width + 63) // 64
    for i in range(len(objects_) // size):
        x = i * z[Z_STRIDE]
        o = i * size
        for w in range(i * sets, i * sets + sets):
            word = marks[w]
            marks[w] = 0
            while word:
                row = o + (64 * (w - i * sets) + lowest(word)) * columns
                word &= word - 1
                for c in range(base, columns):
                    objects[row + c] = 0.0
        if rows[x + S_OUTCOME] != NONE:
            continue
        one = digest(rows, x, stride, salt, 0)
        two = digest(rows, x, stride, salt, stride)
        slot = (one >> 40) & (slots - 1)
        at = slot * (R_ACTIONS + listed)
        f = slot * listed * (columns - base)
        if answers[at + R_ONE] == one and answers[at + R_TWO] == two:
            if answers[at + R_LOW] <= rows[x] < answers[at + R_HIGH]:
                recall(
                    answers, at, written, f, base, columns, objects, o, marks, i * sets
                )
                continue
        b = bases[rows[x + S_TOWER]]
        count = annotate(
            z, data, b, rows, x, note, first, where, one_sided, columns, objects, o
        )
        for k in range(count):
            add(marks, i * sets, note[first + k * entry])
        if count <= listed:
            answers[at + R_ONE], answers[at + R_TWO] = one, two
            answers[at + R_LOW] = note[first + SPAN]
            answers[at + R_HIGH] = note[first + SPAN + 1]
            remember(
                answers, at, written, f, base, columns, objects, o, note, first, entry,
                count,
            )  # fmt: skip
