"""Which objects no winning play can do without.

An object is mandatory if the goal cannot be reached even when every cost is
waived but that one object never goes away.
"""

from __future__ import annotations

from mt_gym.engine.actions import REMOVE, REVEAL, SET, WON, CompiledRow
from mt_gym.engine.board import Board


def wins_for_free(board: Board, without: int = -1) -> bool:
    """Whether a hero who pays nothing wins if one object stays where it is.

    A relaxation: fights, keys, prices and amounts cost nothing, flags are never
    cleared, and stairs of no return lead back.
    """
    gone, hidden, flags = 0, board.start_hidden, 0
    reach = board.start_reach
    kept = 1 << without if without >= 0 else 0
    done: set[int] = set()

    def run(row: CompiledRow) -> int:
        nonlocal gone, hidden, flags
        removed = row.removes
        for code, a, _, _ in row.effects:
            if code == SET:
                flags |= a
            elif code == REMOVE:
                removed |= a & ~kept
                hidden &= ~a
            elif code == REVEAL:
                hidden &= ~a
        gone |= removed
        return removed

    def holds(row: CompiledRow) -> bool:
        enough = not row.gone or (row.gone & gone).bit_count() >= row.count
        return enough and not row.flags & ~flags

    fresh = True
    while fresh and not flags & WON:
        fresh = False
        there = reach & ~(gone | hidden) & board.object_mask & ~kept
        removed = 0
        while there:
            low = there & -there
            there ^= low
            thing = board.objects[low.bit_length() - 1]
            for action in thing.actions:
                if action.index not in done and holds(action.row):
                    done.add(action.index)
                    removed |= run(action.row)
                    fresh = True
                    if thing.placement.one_way:
                        landing = board.near_cell(thing.landing)
                        reach |= landing
                        removed |= landing & gone
        for number, row in enumerate(board.triggers):
            if -1 - number not in done and holds(row):
                done.add(-1 - number)
                removed |= run(row)
                fresh = True
        reach = board.spread(reach, removed, gone, hidden)
    return bool(flags & WON)


def mandatory_objects(board: Board) -> frozenset[int]:
    """Numbers of the objects without which nobody wins; no gates, no plain items."""
    if not wins_for_free(board):
        return frozenset()
    return frozenset(
        thing.index
        for thing in board.objects
        if thing.actions
        and thing.kind.type not in ("shop", "stairs", "gate")
        and not (board.automatic_items >> thing.index & 1 and not thing.kind.carried)
        and not wins_for_free(board, thing.index)
    )
