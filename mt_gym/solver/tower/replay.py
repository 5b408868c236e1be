"""A route of the engine replayed by the compiled transitions alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import HP
from mt_gym.errors import IllegalAction
from mt_gym.solver.tower import final, kernel
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.net import Net
from mt_gym.solver.tower.route import Board

WON = 1


def replay(net: Net, actions: Sequence[Action]) -> int:
    """Final HP of a route from the start, by compiled code; -1 if it does not win.

    What the compiled search takes by itself (items, free fights, gates, gifts) is
    passed over in the route, once it has happened.

    Args:
        net: tables of the tower.
        actions: every action of the route.

    Raises:
        IllegalAction: an action cannot be executed when its turn comes.
    """
    board = Board(net, net.tower.initial_state())
    for number, action in enumerate(actions, 1):
        if not _does(board, action):
            raise IllegalAction(
                f"action {number}, {action.text!r}, cannot be executed by the compiled "
                "transitions"
            )
    return int(board.row[HP]) if board.row[at.FLAGS] & WON else -1


def _does(board: Board, action: Action) -> bool:
    """Execute one action, unless it has happened by itself; False if it cannot be."""
    net, row, tables = board.net, board.row, board.tables
    if action.verb in ("buy", "sell"):
        return _trades(row, net.sales if action.verb == "sell" else net.offers, action)
    thing = action.object
    if kernel.is_gone(row, thing):
        return True
    group = int(tables.objects[thing, at.CLASS])
    there = any(int(row[at.FRONT + i]) == thing for i in range(int(row[at.COUNT])))
    if group == at.LEAVE:
        if there:
            final.leave(row, tables, thing, board.stack)
        return there
    number = _row_of(net, action) if group != at.DOOR else -1
    if number >= 0 and not there:
        return False
    if number >= 0 and net.rows[number, at.R_AUTO]:
        return True  # has happened, or was not possible for the engine either
    return there and bool(kernel.act(row, tables, thing, number, board.stack))


def _row_of(net: Net, action: Action) -> int:
    start = int(net.objects[action.object, at.ROWS])
    for number in range(start, start + int(net.objects[action.object, at.N_ROWS])):
        if int(net.rows[number, at.R_ACTION]) == action.index:
            return number
    return -1


def _trades(row: Any, table: Any, action: Action) -> bool:
    for offer in table:
        if int(offer[at.O_ACTION]) != action.index:
            continue
        is_open = int(row[at.SHOPS]) >> int(offer[at.O_SHOP]) & 1
        pays = int(offer[at.O_CURRENCY])
        if not is_open or row[pays] < offer[at.O_PRICE]:
            return False
        row[pays] -= offer[at.O_PRICE]
        for resource in range(at.MANY):
            row[resource] += offer[at.O_GAIN + resource]
        return True
    return False
