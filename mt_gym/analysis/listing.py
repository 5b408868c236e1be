"""What can be chosen in a state, in the order in which policies read it."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.engine.actions import (
    BOMB,
    BREAK,
    BUY,
    CHOOSE,
    CLIMB,
    COLLECT,
    FIGHT,
    FINISH,
    NO_CELL,
    OPEN,
    SELL,
    TALK,
    TRADE,
    Action,
)
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

_GROUP = {
    FIGHT: 0,
    OPEN: 1,
    COLLECT: 3,
    CHOOSE: 3,
    TALK: 4,
    TRADE: 5,
    CLIMB: 6,
    BUY: 7,
    SELL: 7,
    BREAK: 8,
    BOMB: 8,
    FINISH: 9,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the action list.

    Attributes:
        action: what is done.
        enabled: False for an unwinnable fight, which is shown but not legal.
        damage: HP the fight costs; None for other verbs and unwinnable fights.
        lethal: the fight is unwinnable, or costs all HP or more.
    """

    action: Action
    enabled: bool
    damage: int | None
    lethal: bool


def group(tower: Tower, action: Action) -> int:
    """Rank of an action's group in the list."""
    if action.code == OPEN and tower.board.objects[action.object].kind.type != "door":
        return 2
    return _GROUP[action.code]


def current_floor(tower: Tower, state: State) -> int:
    """Number of the floor where the hero stands."""
    return tower.board.cell_floor[state.hero.position]


def rank(tower: Tower, action: Action, here: int) -> tuple[int, int, int]:
    """What the list is sorted by: floor, group, index.

    With several floors the hero's own comes first, then the others from the last
    down, then purchases.
    """
    board = tower.board
    block = 0
    if len(board.floor_ids) > 1:
        thing = board.objects[action.object]
        if action.code in (BUY, SELL) or thing.cell == NO_CELL:
            block = len(board.floor_ids) + 1
        elif thing.floor != here:
            block = len(board.floor_ids) - thing.floor
    return block, group(tower, action), action.index


def entries(tower: Tower, state: State) -> tuple[Entry, ...]:
    """Every choice of a state: legal actions and unwinnable fights.

    Fights, doors, gates, items, characters, trades, stairs, offers, tools, finish;
    each group in reading order, floor by floor.  Empty after the end.
    """
    game, board = tower.game, tower.board
    legal = game.legal_actions(state)
    if not legal and (state.won or state.hero.hp <= 0):
        return ()
    found = []
    hp = state.hero.hp
    for action in legal:
        if action.code == FIGHT:
            damage = game.loss(state, action.object)
            found.append(Entry(action, True, damage, damage >= hp))
        else:
            found.append(Entry(action, True, None, False))
    barred = game.candidates(state) & board.monster_mask & ~game.winnable(state)
    while barred:
        low = barred & -barred
        barred ^= low
        action = board.objects[low.bit_length() - 1].actions[0]
        if game.holds(state, action.row):
            assert game.loss(state, action.object) == UNWINNABLE
            found.append(Entry(action, False, None, True))
    here = current_floor(tower, state)
    found.sort(key=lambda entry: rank(tower, entry.action, here))
    return tuple(found)
