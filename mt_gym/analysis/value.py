"""Lookahead value and effective cost: hand-set prices over the lookahead tree."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.tree import KEY_SLOTS, Tree
from mt_gym.analysis.weights import DEPTH_PERCENT, DOOR, KEY, POINT, STAIRS
from mt_gym.engine.actions import FIGHT, MapObject
from mt_gym.engine.kinds import KEYS, RESOURCES
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

_SCALE = 10_000
"""Values are held in hundredths of hundredths: quarters of doors times depth."""


@dataclass(frozen=True, slots=True)
class LookaheadValue:
    """What an action unlocks, in HP-equivalents.

    Attributes:
        raw: value of everything unlocked, discounted by depth, floored.
        gateways: HP cost of the gateways in front of it, each once.
        value: max(0, raw - gateways), floored.
        effective_cost: the fight's cost minus `value`; None if the value is 0
            although gateways lie on the way.  For other actions 0 in place of the
            fight's cost.
    """

    raw: int
    gateways: int
    value: int
    effective_cost: int | None


def item_value(thing: MapObject) -> int:
    """HP-equivalents of an item's attributes and keys."""
    total = 0
    for slot, amount in thing.actions[0].row.gain:
        name = RESOURCES[slot]
        total += amount * (POINT.get(name, 0) + KEY.get(name, 0))
    return total


def thing_value(tower: Tower, state: State, index: int) -> int:
    """Value of a newly exposed object in 1/100 of an HP-equivalent."""
    thing = tower.board.objects[index]
    kind = thing.kind
    if kind.type == "item":
        return 100 * item_value(thing)
    if kind.type == "door":
        cost = thing.actions[0].row.cost if thing.actions else ()
        for slot, _ in cost:
            if slot in KEY_SLOTS:
                colour = KEYS[KEY_SLOTS.index(slot)]
                share = 75 if state.hero[slot] > 1 else 100
                return DOOR[colour] * share
        return 0
    if kind.type == "stairs":
        floor = tower.board.cell_floor[thing.landing]
        return 0 if state.world.visited >> floor & 1 else 100 * STAIRS
    if kind.type == "shop":
        return 100 * _shop_value(thing)
    return 0


def _shop_value(thing: MapObject) -> int:
    """One purchase of each offer of the shop that sells a single attribute."""
    total = 0
    for action in thing.actions:
        gain = action.row.gain
        if len(gain) == 1:
            total += gain[0][1] * POINT.get(RESOURCES[gain[0][0]], 0)
    return total


def gateway_cost(tower: Tower, state: State, index: int) -> int:
    """HP cost of passing an object at the current attributes; 0 but for fights."""
    if tower.board.monster_mask >> index & 1:
        return max(0, tower.game.loss(state, index))
    return 0


def lookahead_value(tower: Tower, state: State, tree: Tree) -> LookaheadValue:
    """Price a lookahead tree."""
    raw = 0
    gateways: dict[int, None] = {}
    for node in tree.nodes:
        node_raw = sum(
            thing_value(tower, state, index)
            for index in (*node.items, *node.doors, *node.others)
        )
        if node_raw:
            raw += node_raw * DEPTH_PERCENT[node.depth]
            gateways |= dict.fromkeys(node.path)
    paid = sum(gateway_cost(tower, state, index) for index in gateways)
    value = max(0, raw - paid * _SCALE) // _SCALE
    damage = 0
    if tree.action.code == FIGHT:
        damage = max(0, tower.game.loss(state, tree.action.object))
    effective: int | None = damage - value
    if value == 0 and gateways:
        effective = None
    return LookaheadValue(raw // _SCALE, paid, value, effective)
