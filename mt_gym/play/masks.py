"""Action masks: which indices are executed if they are chosen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mt_gym.engine.board import WON
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import legal_actions
from mt_gym.play.settings import PlaySettings

Mask = NDArray[np.int8]


class RowTable:
    """Sets of objects as columns over the action table.

    Attributes:
        rows: actions of the tower; more if the space is padded.
        general: objects whose actions are looked at one by one.
    """

    def __init__(self, tower: Tower, rows: int) -> None:
        board = tower.board
        self.tower = tower
        self.rows = rows
        self.general = board.general_mask
        self._bytes = (max(board.n_objects, rows) + 8) // 8
        owner = [a.object if a.object >= 0 else board.n_objects for a in board.actions]
        owner += [board.n_objects] * (rows - len(owner))
        straight = owner == list(range(rows))
        self._owner = None if straight else np.array(owner, np.intp)

    def spread(self, *masks: int) -> NDArray[np.uint8]:
        """Sets of objects as rows of 0 and 1, shape (sets, rows of the table)."""
        size = self._bytes
        data = b"".join([mask.to_bytes(size, "little") for mask in masks])
        flat = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        table = flat.reshape(len(masks), 8 * size)
        if self._owner is None:
            return table[:, : self.rows]
        return table.take(self._owner, axis=1)

    def legal(self, state: State) -> tuple[int, list[int]]:
        """Objects whose only action is legal, and indices of other legal actions."""
        game = self.tower.game
        if state[0][2] & WON or state[1][0] <= 0:
            return 0, []
        there = game.candidates(state)
        simple = game.legal_simple(state, there)
        found = []
        general = there & self.general
        while general:
            low = general & -general
            general ^= low
            for action in self.tower.board.objects[low.bit_length() - 1].actions:
                if game.payable(state, action):
                    found.append(action.index)
        return simple, found


def action_mask(
    table: RowTable, state: State, settings: PlaySettings, ended: bool = False
) -> Mask:
    """1 for every index that is executed if it is chosen; a fresh int8 array.

    All zero once the episode has ended.
    """
    if ended:
        return np.zeros(table.rows, np.int8)
    if settings.one_floor:
        own = np.zeros(table.rows, np.int8)
        for action in legal_actions(table.tower, state, settings):
            own[action.index] = 1
        return own
    simple, others = table.legal(state)
    mask: Mask = table.spread(simple)[0].astype(np.int8)
    if others:
        mask[others] = 1
    return mask


def row_table(tower: Tower, rows: int) -> RowTable:
    """The table of a tower for a number of rows, made at the first use."""
    known: dict[int, RowTable] = tower.caches.setdefault("rows", {})
    if rows not in known:
        known[rows] = RowTable(tower, rows)
    return known[rows]
