"""What the rows of towers must have room for, and what their HP decide."""

from __future__ import annotations

from collections.abc import Sequence

from mt_gym.engine.board import TALK, Board
from mt_gym.engine.kinds import HP
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.layout import Shape


def needs_regions(board: Board) -> bool:
    """Whether sets must hold regions too: talks that leave their character there."""
    return any(a.code == TALK and not a.row.removes for a in board.actions)


def hp_counts(board: Board) -> bool:
    """Whether HP decide what a fight costs or whether an action can be paid."""
    rows = (*(a.row for a in board.actions), *board.triggers)
    paid = any(slot == HP for row in rows for slot, _ in (*row.cost, *row.needs))
    return paid or any(m.abilities.vampire is not None for m in board.monsters)


def shape_of(towers: Sequence[Tower]) -> Shape:
    """The sizes of a row that holds a state of any of these towers."""
    boards = [tower.board for tower in towers]
    nodes = [b.n_objects + (b.n_regions if needs_regions(b) else 0) for b in boards]
    flags = [len(b.flag_names) + len(b.floor_ids) for b in boards]
    return Shape(
        words=max(1, max(-(-n // 64) for n in nodes)),
        flags=max(-(-n // 64) for n in flags),
        counts=max(len(b.counter_names) for b in boards),
        epochs=max(len(b.epoch_names) for b in boards),
    )
