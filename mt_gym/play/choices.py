"""What the policy may choose: the game's actions, or those of one floor and travel."""

from __future__ import annotations

from mt_gym.analysis.listing import Entry, entries
from mt_gym.engine.board import TRAVEL, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.settings import PlaySettings


def choices(tower: Tower, state: State, settings: PlaySettings) -> tuple[Entry, ...]:
    """The numbered list: every legal action and every unwinnable fight.

    With `one_floor`, those of the hero's floor, then travel to each other floor
    that he has visited.
    """
    listed = entries(tower, state)
    if not settings.one_floor or not listed:
        return listed
    here = on_floor(tower, state)
    own = [entry for entry in listed if here >> entry.action.object & 1]
    trips = [Entry(action, True, None, False) for action in _trips(tower, state)]
    return (*own, *trips)


def legal_actions(
    tower: Tower, state: State, settings: PlaySettings
) -> tuple[Action, ...]:
    """The actions that are executed if they are chosen, by index."""
    legal = tower.legal_actions(state)
    if not settings.one_floor or not legal:
        return legal
    here = on_floor(tower, state)
    own = [action for action in legal if here >> action.object & 1]
    return (*own, *_trips(tower, state))


def is_legal(
    tower: Tower, state: State, action: Action, settings: PlaySettings
) -> bool:
    """Whether an action is executed if it is chosen."""
    if action.code == TRAVEL:
        return settings.one_floor and tower.game.is_legal(state, action)
    if settings.one_floor and not on_floor(tower, state) >> action.object & 1:
        return False
    return tower.game.is_legal(state, action)


def on_floor(tower: Tower, state: State) -> int:
    """Objects of the hero's floor, and those that belong to no visited floor.

    The latter are offers without a cell, and what a portal leads to.
    """
    board = tower.board
    here = board.cell_floor[state.hero.position]
    elsewhere = 0
    for number, mask in enumerate(board.floor_mask):
        if number != here and state.world.visited >> number & 1:
            elsewhere |= mask
    return board.object_mask & ~elsewhere


def _trips(tower: Tower, state: State) -> list[Action]:
    floors = len(tower.board.floor_ids)
    if floors == 1:
        return []
    return [a for a in tower.actions[-floors:] if tower.game.is_legal(state, a)]
