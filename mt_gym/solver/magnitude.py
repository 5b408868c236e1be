"""Whether a tower's numbers fit the words of the compiled searches."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from mt_gym.engine.actions import SCALE
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import HP
from mt_gym.engine.rules import fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import LOST

REPEATS: Final = 1 << 12
"""More purchases of one offer than any hero can pay."""

LARGEST_LOSS: Final = LOST >> 6
"""Sums of this over all gateways of a map stay far inside a word."""

_known: WeakKeyDictionary[Board, tuple[int, int, bool]] = WeakKeyDictionary()


def is_large(tower: Tower, state: State) -> bool:
    """Whether HP might reach `LOST`, or a loss grow so that sums of it overflow.

    Such towers are left to the general search, whose integers have no end.
    """
    board = tower.board
    if board not in _known:
        _known[board] = _extent(tower)
    gains, factor, costly = _known[board]
    return costly or (state.hero.hp + gains) * factor >= LOST


def _extent(tower: Tower) -> tuple[int, int, bool]:
    """All HP to be had, how often it might be multiplied, and whether a loss is large.

    Losses are those of the hero at the start, who is weakest, or of the first who
    can win the fight at all.
    """
    gains, factor = 0, 1
    for action in tower.board.actions:
        row = action.row
        times = (1 if row.removes else REPEATS) * (2 if row.doubles >= 0 else 1)
        gains += times * sum(max(0, amount) for slot, amount in row.gain if slot == HP)
        for effect in row.effects:
            if effect[0] == SCALE and effect[1] == HP:
                factor *= max(1, -(-effect[2] // effect[3]))
    hero = tower.initial_state().hero
    costly = any(
        fight_loss(
            max(hero.atk, fighter[2] + 1), hero.defense, hero.mdef, hero.hp, *fighter
        )
        > LARGEST_LOSS
        for fighters in tower.game.fighters
        for fighter in fighters
    )
    return gains, factor, costly
