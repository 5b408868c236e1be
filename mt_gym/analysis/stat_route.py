"""The way to attribute items behind an action: its price and what they save."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mt_gym.analysis.costs import Gain, cost_with
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.tree import Tree
from mt_gym.engine.board import FIGHT, MapObject
from mt_gym.engine.kinds import ATK, DEF, HP, MDEF
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class StatRoute:
    """The attribute items in an action's tree, at the hero's current attributes.

    Attributes:
        gain: what they give together.
        price: HP of the action and of all gateways in front of them, each once.
        saving: HP they save on the other listed fights that can be won.
    """

    gain: Gain
    price: int
    saving: int

    @property
    def net(self) -> int:
        """Saving minus price."""
        return self.saving - self.price


def gain_of(thing: MapObject) -> Gain:
    """What an item adds to ATK, DEF and MDEF."""
    points = dict(thing.actions[0].row.gain) if thing.actions else {}
    return Gain(points.get(ATK, 0), points.get(DEF, 0), points.get(MDEF, 0))


def healing_of(thing: MapObject) -> int:
    """HP that an item gives."""
    if not thing.actions:
        return 0
    return sum(n for slot, n in thing.actions[0].row.gain if slot == HP)


def item_gains(tower: Tower) -> tuple[Gain, ...]:
    """What every object of the tower adds, worked out once."""
    found = tower.caches.get("item gains")
    if found is None:
        found = tuple(gain_of(thing) for thing in tower.board.objects)
        tower.caches["item gains"] = found
    return found


def gains(tower: Tower, items: Iterable[int]) -> Gain:
    """What items add together."""
    each = item_gains(tower)
    total = Gain()
    for index in items:
        if each[index]:
            total = total + each[index]
    return total


def stat_gateways(tower: Tower, tree: Tree) -> tuple[int, ...]:
    """Gateways in front of attribute items, each once."""
    each = item_gains(tower)
    found: dict[int, None] = {}
    for node in tree.nodes:
        if node.path and any(each[index] for index in node.items):
            found |= dict.fromkeys(node.path)
    return tuple(found)


def route_price(
    tower: Tower, state: State, entry: Entry, gateways: Iterable[int], gain: Gain
) -> int | None:
    """HP of an action and of gateways behind it after a gain of attributes.

    None if one of the fights cannot be won then.
    """
    board = tower.board
    things = list(gateways)
    if entry.action.code == FIGHT:
        things.append(entry.action.object)
    total = 0
    for index in things:
        if board.monster_mask >> index & 1:
            cost = cost_with(tower, state, index, gain)
            if cost == UNWINNABLE:
                return None
            total += cost
    return total


def saving(
    tower: Tower, state: State, gain: Gain, fights: Iterable[Entry], own: Entry
) -> int:
    """HP that a gain saves on listed fights that can be won, `own` left out.

    Negative where attributes make a fight dearer (a mimic).
    """
    total = 0
    for entry in fights:
        if entry.action is own.action or entry.damage is None:
            continue
        then = cost_with(tower, state, entry.action.object, gain)
        if then != UNWINNABLE:
            total += entry.damage - then
    return total
