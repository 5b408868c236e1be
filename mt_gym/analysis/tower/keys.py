"""Keys of the whole tower: budgets, reserves for the way up, sellers, free fights."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.keys import KeyBudget, key_budgets, keys_in
from mt_gym.analysis.tower.cells import (
    floors_in_reach,
)
from mt_gym.analysis.tower.offers import shop_mask
from mt_gym.analysis.tower.way import (
    Way,
)
from mt_gym.analysis.tree import KEY_SLOTS, Tree
from mt_gym.engine.actions import BUY, Action
from mt_gym.engine.kinds import GOLD, KEYS, RED
from mt_gym.engine.state import REACH, State, bits
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class KeyReserve:
    """An action that leaves fewer keys of a colour than the way up needs.

    Attributes:
        colour: one of `kinds.KEYS`.
        left: keys in hand after the action and what lies directly behind it.
        doors: closed doors of the colour on the way up, in path order.
    """

    colour: str
    left: int
    doors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seller:
    """An open shop that sells a key.

    Attributes:
        action: what buys it; price: in gold.
    """

    action: Action
    price: int


@dataclass(frozen=True, slots=True)
class FreeBehind:
    """Fights for nothing that an action makes reachable.

    Attributes:
        count: how many; gold: what they pay; exp likewise.
    """

    count: int
    gold: int
    exp: int


def tower_budgets(tower: Tower, state: State) -> tuple[KeyBudget, ...]:
    """Keys and closed doors of the visited floors, one per colour with a door."""
    board, world = tower.board, state.world
    here = 0
    for floor in bits(floors_in_reach(tower, state)):
        here |= board.floor_mask[floor]
    return key_budgets(tower, state, here & ~(world.gone | world.hidden))


def key_reserve(
    tower: Tower, state: State, action: Action, tree: Tree | None, way: Way | None
) -> KeyReserve | None:
    """The first colour of which an action leaves less than the way up needs.

    Args:
        tower: where the state belongs.
        state: the present one.
        action: a door that is not on the way up, or a sale of keys.
        tree: the door's lookahead tree; None for a sale.
        way: the way up; None if there is none.
    """
    if way is None:
        return None
    objects = tower.board.objects
    found = (0, 0, 0, 0) if tree is None else keys_in(tower, [tree.root])
    for slot, amount in tower.game.cost(state, action.row):
        if slot not in KEY_SLOTS:
            continue
        rank = KEY_SLOTS.index(slot)
        doors = tuple(
            door
            for door in way.doors
            if slot in dict(objects[door].actions[0].row.cost)
        )
        left = state.hero[slot] - amount + found[rank]
        if left < len(doors):
            return KeyReserve(KEYS[rank], left, doors)
    return None


def closed_red_doors(tower: Tower, state: State, floor: int) -> list[int]:
    """Red doors in reach on a floor for which no key is in hand."""
    if state.hero[RED]:
        return []
    board = tower.board
    there = tower.game.candidates(state) & board.floor_mask[floor] & board.door_mask
    return [
        index
        for index in bits(there)
        if dict(board.objects[index].actions[0].row.cost).get(RED, 0)
    ]


def red_key_seller(tower: Tower, state: State) -> Seller | None:
    """The cheapest open offer of a red key for gold; ties by floor."""
    best: Seller | None = None
    for shop in bits(tower.game.candidates(state) & shop_mask(tower)):
        for action in tower.board.objects[shop].actions:
            cost = tower.game.cost(state, action.row)
            sells = action.code == BUY and action.row.gain == ((RED, 1),)
            if sells and len(cost) == 1 and cost[0][0] == GOLD:
                if best is None or cost[0][1] < best.price:
                    best = Seller(action, cost[0][1])
    return best


def free_behind(tower: Tower, state: State, action: Action) -> FreeBehind | None:
    """Fights for nothing behind an action, at the present attributes; None if none.

    Items are walked over, monsters that are free are removed again and again.
    """
    board, world, hero = tower.board, state.world, state.hero
    removed = action.row.removes
    if action.object < 0 or not removed:
        return None
    floor = board.floor_mask[board.objects[action.object].floor]
    passed = floor & ~(hero[REACH] | world.hidden | world.gone | removed)
    items, fights = passed & board.automatic_items, passed & board.automatic_fights
    if not fights:
        return None
    fights &= _free_monsters(tower, state, fights)
    gone, reach = world.gone | removed, hero[REACH]
    won = 0
    while removed:
        reach = board.spread(reach, removed, gone, world.hidden)
        removed = reach & (items | fights) & ~gone
        won |= removed & fights
        gone |= removed
    if not won:
        return None
    objects = board.objects
    paid = [tower.game.stats(objects[i].monster, world) for i in bits(won)]
    return FreeBehind(len(paid), sum(s.gold for s in paid), sum(s.exp for s in paid))


def _free_monsters(tower: Tower, state: State, things: int) -> int:
    game = tower.game
    return sum(1 << index for index in bits(things) if game.loss(state, index) == 0)
