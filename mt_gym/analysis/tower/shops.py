"""Shops that have been seen but not reached: their way, and what coins buy there."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from mt_gym.analysis.tower.cells import (
    floors_in_reach,
)
from mt_gym.analysis.tower.offers import Offer, shop_mask, shop_offers
from mt_gym.analysis.tower.way import (
    Way,
    way_to,
)
from mt_gym.analysis.tower.way_up import StepTable, step_tables
from mt_gym.engine.kinds import ATK
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class Purchases:
    """One offer of a shop, and how often the wallet pays it.

    Attributes:
        gain: pairs (resource, amount); cost likewise.
        times: how often it can be paid in a row.
        missing: coins that are missing for the first, 0 if none.
    """

    gain: tuple[tuple[int, int], ...]
    cost: tuple[tuple[int, int], ...]
    times: int
    missing: int


@dataclass(frozen=True, slots=True)
class ShopAhead:
    """A shop of a visited floor that is not open yet.

    Attributes:
        shop: its object; floor: number of its floor.
        way: the way to it, None if there is none.
        first: its first obstacle; -1 without one.
        offers: its single-attribute offers, else all of them.
        attributes: whether these are single-attribute offers.
        table: the fights of the way after purchases of ATK; None without an offer.
    """

    shop: int
    floor: int
    way: Way | None
    first: int
    offers: tuple[Purchases, ...]
    attributes: bool
    table: StepTable | None


def shops_ahead(tower: Tower, state: State) -> tuple[ShopAhead, ...]:
    """Every unopened shop of the visited floors, by floor."""
    board, world = tower.board, state.world
    away = world.gone | world.hidden | tower.game.candidates(state)
    floors = floors_in_reach(tower, state)
    found = []
    for shop in bits(shop_mask(tower) & ~away):
        floor = board.objects[shop].floor
        if not floors >> floor & 1:
            continue
        way = way_to(tower, state, shop)
        obstacles = () if way is None else way.obstacles
        fights = () if way is None else tuple(one.thing for one in way.fights)
        tables = step_tables(tower, state, fights, (ATK,)) if fights else ()
        offers, attributes = _offers(tower, state, shop)
        found.append(
            ShopAhead(
                shop,
                floor,
                way,
                obstacles[0].thing if obstacles else -1,
                offers,
                attributes,
                tables[0] if tables else None,
            )
        )
    return tuple(found)


def _offers(
    tower: Tower, state: State, shop: int
) -> tuple[tuple[Purchases, ...], bool]:
    single = shop_offers(tower, state, shop)
    chosen = [one.action for one in single] or tower.board.objects[shop].actions
    found = []
    for action in chosen:
        cost = tower.game.cost(state, action.row)
        gain = tower.game.gain(state, action.row)
        missing = sum(max(0, amount - state.hero[slot]) for slot, amount in cost)
        times = affordable(state.hero, cost, action.row.growth)
        found.append(Purchases(gain, cost, times, missing))
    return tuple(found), bool(single)


def affordable(
    hero: tuple[int, ...], cost: tuple[tuple[int, int], ...], growth: int
) -> int:
    """How often a price can be paid in a row, each purchase adding `growth` to it."""
    return min((_times(hero[slot], amount, growth) for slot, amount in cost), default=0)


def _times(coins: int, price: int, growth: int) -> int:
    """The greatest n such that n * price + growth * n * (n - 1) / 2 can be paid."""
    if growth <= 0:
        return coins // price if price > 0 else 0
    twice = 2 * price - growth
    return max(0, (isqrt(twice * twice + 8 * growth * coins) - twice) // (2 * growth))


def cheaper(offers: tuple[Offer, ...], own: Offer) -> Offer | None:
    """The cheapest offer of another shop with strictly less per point, if any.

    In the same currency and for the same attribute; ties by floor.
    """
    best: Offer | None = None
    for other in offers:
        if other.action.object == own.action.object:
            continue
        if (other.attribute, other.currency) != (own.attribute, own.currency):
            continue
        if other.price * own.points >= own.price * other.points:
            continue
        if best is None or other.price * best.points < best.price * other.points:
            best = other
    return best
