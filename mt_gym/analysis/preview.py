"""The fights that an action brings next, cheapest first."""

from __future__ import annotations

from mt_gym.analysis.tree import Tree
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

OBJECTS_NAMED = 12
"""Objects that an action names; fights get what its items and doors leave."""

DEEPEST = 2


def next_fights(tower: Tower, state: State, tree: Tree) -> tuple[int, ...]:
    """Monsters exposed behind at most `DEEPEST` gateways, the goal left out.

    By cost, those that cannot be won last, then reading order; as many as the
    items and doors of the tree leave of `OBJECTS_NAMED`, at least one.
    """
    board = tower.board
    named = 0
    ranked = []
    for node in tree.nodes:
        named += len(node.items) + len(node.doors) + len(node.others)
        if node.depth > DEEPEST:
            continue
        for index in node.monsters:
            if not board.goal_mask >> index & 1:
                cost = tower.game.loss(state, index)
                ranked.append((cost == UNWINNABLE, cost, index))
    ranked.sort()
    return tuple(rank[2] for rank in ranked[: max(1, OBJECTS_NAMED - named)])
