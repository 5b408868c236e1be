"""Exact yes-or-no facts about an action: dead ends and optional fights."""

from __future__ import annotations

from mt_gym.analysis.tree import KEY_SLOTS, lookahead_tree
from mt_gym.engine.actions import Action
from mt_gym.engine.state import REACH, State
from mt_gym.engine.tower import Tower


def is_dead_end(tower: Tower, state: State, action: Action) -> bool:
    """Whether a door opens nothing new.

    True if, after opening it and collecting what lies directly behind, there is no
    new item, no new winnable monster, no new door for which a key is then held,
    and nothing else to act on (stairs, shop, character, gate).
    """
    board = tower.board
    if board.objects[action.object].kind.type != "door":
        return False
    root = lookahead_tree(tower, state, action, 0).root
    if root.items or any(_matters(tower, state, index) for index in root.others):
        return False
    winnable = tower.game.winnable(state)
    if any(winnable >> index & 1 for index in root.monsters):
        return False
    if _leads_away(tower, state, action):
        return False
    held = dict(zip(KEY_SLOTS, root.keys, strict=True))
    for index in root.doors:
        cost = board.objects[index].actions[0].row.cost
        if all(held.get(slot, state.hero[slot]) >= amount for slot, amount in cost):
            return False
    return True


def _leads_away(tower: Tower, state: State, action: Action) -> bool:
    """Whether what lies directly behind a door is on another floor (a portal)."""
    board = tower.board
    world, reach = state.world, state.hero.reach
    gone = world.gone | action.row.removes
    after = board.spread(reach, action.row.removes, gone, world.hidden)
    own = board.floor_mask[board.objects[action.object].floor]
    away = after & board.object_mask & ~(own | reach | gone | world.hidden)
    return bool(away)


def _matters(tower: Tower, state: State, index: int) -> bool:
    """Whether a newly exposed object other than items, doors, monsters is of use.

    Bars and walls that the hero cannot break are not, nor is the other end of a
    staircase that he reaches already.
    """
    thing = tower.board.objects[index]
    if thing.kind.type == "bars":
        return False
    if thing.kind.type == "wall":
        return any(tower.game.payable(state, action) for action in thing.actions)
    reached = state.hero[REACH]
    return not (thing.partner >= 0 and reached >> thing.partner & 1)


def is_optional(tower: Tower, state: State, action: Action) -> bool:
    """Whether a monster blocks nothing that the goal could need.

    Its removal, and then the removal of every monster and gate newly exposed, again
    and again, turns up no item, door, goal, stairs, shop or character.  A monster
    that has a script, or that a script wants gone, is not optional.
    """
    board = tower.board
    world, hero = state
    gone, hidden = world.gone, world.hidden
    needed = board.goal_mask | board.scripted_mask | _wanted_gone(tower)
    if needed >> action.object & 1:
        return False
    start = hero[REACH]
    new = action.row.removes
    reach = start
    passable = (board.monster_mask | board.gate_mask) & ~needed
    while new:
        gone |= new
        reach = board.spread(reach, new, gone, hidden)
        new = reach & board.object_mask & ~(start | gone | hidden)
        if new & ~passable:
            return False
    return True


def _wanted_gone(tower: Tower) -> int:
    """Objects that the condition of a row or a trigger wants gone."""
    known = tower.caches.get("wanted gone")
    if known is None:
        known = 0
        for action in tower.board.actions:
            known |= action.row.gone
        for row in tower.board.triggers:
            known |= row.gone
        tower.caches["wanted gone"] = known
    return int(known)
