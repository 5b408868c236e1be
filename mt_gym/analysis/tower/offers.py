"""Offers of attributes at open shops, and the order in which coins buy them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from mt_gym.analysis.memory import memory
from mt_gym.engine.board import BUY, Action
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, MDEF, TOKEN
from mt_gym.engine.state import REACH, State, bits
from mt_gym.engine.tower import Tower

COINS = (EXP, GOLD)
"""Currencies in the order in which texts name them."""

MOST_STEPS = 3
"""Purchases of each currency that a step table looks at."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A purchase of points of one attribute for gold or exp.

    Attributes:
        action: what buys it; floor: number of its floor.
        currency: GOLD or EXP; attribute: ATK, DEF or MDEF.
        points: what it gives; price: of the next purchase.
        growth: what each purchase at the shop adds to the price.
        counter: number of the shop's counter; -1 if its prices stay.
    """

    action: Action
    floor: int
    currency: int
    attribute: int
    points: int
    price: int
    growth: int
    counter: int

    def is_better(self, other: Offer, price: int, other_price: int) -> bool:
        """Whether it comes first in a ladder at these prices."""
        one, two = price * other.points, other_price * self.points
        if one != two:
            return one < two
        mine = (-self.points, self.floor, self.action.index)
        return mine < (-other.points, other.floor, other.action.index)


def shop_offers(tower: Tower, state: State, thing: int) -> list[Offer]:
    """The single-attribute offers of a shop, open or not, in the file's order."""
    own = tower.board.objects[thing]
    found = []
    for action in own.actions:
        row = action.row
        gain, cost = tower.game.gain(state, row), tower.game.cost(state, row)
        if action.code != BUY or len(gain) != 1 or len(cost) != 1 or row.effects:
            continue
        if gain[0][0] not in (ATK, DEF, MDEF) or cost[0][0] not in COINS:
            continue
        if tower.game.holds(state, row) and gain[0][1] > 0 and cost[0][1] > 0:
            slot, points = gain[0]
            coin, price = cost[0]
            growth, counter = row.growth, row.counter
            found.append(
                Offer(action, own.floor, coin, slot, points, price, growth, counter)
            )
    return found


def open_offers(tower: Tower, state: State) -> tuple[Offer, ...]:
    """The single-attribute offers of every shop that the hero has found."""
    there = tower.game.candidates(state) & shop_mask(tower)
    if not there:
        return ()
    known = memory(tower, "offers")
    hero = state.hero
    conditional = there & tower.board.general_mask
    key = (there, state.world.counts, hero[TOKEN], hero[:REACH] if conditional else ())
    found = known.recall(key)
    if found is None:
        offers = [o for shop in bits(there) for o in shop_offers(tower, state, shop)]
        found = known.keep(key, tuple(offers))
    return found  # type: ignore[no-any-return]


def shop_mask(tower: Tower) -> int:
    """All shops of the tower."""
    found = tower.caches.get("shop mask")
    if found is None:
        found = tower.board.mask(lambda o: o.kind.type == "shop")
        tower.caches["shop mask"] = found
    return int(found)


class Ladder(NamedTuple):
    """Purchases of one attribute for one currency, the cheapest point first.

    Attributes:
        offers: what is bought, in order; points and prices: sums after each
            purchase, beginning with 0.
    """

    offers: tuple[Offer, ...]
    points: tuple[int, ...]
    prices: tuple[int, ...]


def ladder(
    offers: Sequence[Offer],
    currency: int,
    attribute: int,
    wallet: int,
    bought: Iterable[Offer] = (),
) -> Ladder:
    """Again and again the affordable offer with the lowest price per point.

    Args:
        offers: those to choose from.
        currency: GOLD or EXP; attribute: ATK or DEF.
        wallet: coins in hand.
        bought: purchases made before, which raise growing prices.
    """
    own = [o for o in offers if o.currency == currency and o.attribute == attribute]
    counts: dict[int, int] = {}
    for offer in bought:
        counts[offer.counter] = counts.get(offer.counter, 0) + 1
    chosen: list[Offer] = []
    points, prices = [0], [0]
    if not any(offer.growth for offer in own):
        for offer in sorted(own, key=_constant_rank):
            for _ in range((wallet - prices[-1]) // offer.price):
                chosen.append(offer)
                points.append(points[-1] + offer.points)
                prices.append(prices[-1] + offer.price)
        return Ladder(tuple(chosen), tuple(points), tuple(prices))
    while True:
        best: Offer | None = None
        least = 0
        for offer in own:
            price = offer.price + offer.growth * counts.get(offer.counter, 0)
            if price <= wallet - prices[-1]:
                if best is None or offer.is_better(best, price, least):
                    best, least = offer, price
        if best is None:
            return Ladder(tuple(chosen), tuple(points), tuple(prices))
        counts[best.counter] = counts.get(best.counter, 0) + 1
        chosen.append(best)
        points.append(points[-1] + best.points)
        prices.append(prices[-1] + least)


def _constant_rank(offer: Offer) -> tuple[Fraction, int, int, int]:
    """Where an offer of a constant price stands in a ladder."""
    share = Fraction(offer.price, offer.points)
    return share, -offer.points, offer.floor, offer.action.index


@dataclass(frozen=True, slots=True)
class Steps:
    """What one, two and three purchases of each currency add to an attribute.

    Attributes:
        attribute: ATK or DEF.
        points: gains, each larger than the one before.
        counts: how many purchases of each currency are meant by each gain.
        prices: pairs (coins, currency) of the purchases, exp first.
    """

    attribute: int
    points: tuple[int, ...]
    counts: tuple[int, ...]
    prices: tuple[tuple[int, int], ...]


def steps(offers: Sequence[Offer], attribute: int, gold: int, exp: int) -> Steps | None:
    """The first purchases of both ladders together; None if none can be paid."""
    wallets = {GOLD: gold, EXP: exp}
    both = [ladder(offers, coin, attribute, wallets[coin]) for coin in COINS]
    points: list[int] = []
    counts: list[int] = []
    for count in range(1, MOST_STEPS + 1):
        total = sum(one.points[min(count, len(one.offers))] for one in both)
        if total and (not points or total != points[-1]):
            points.append(total)
            counts.append(count)
    if not points:
        return None
    prices: dict[tuple[int, int], None] = {}
    for one in both:
        for number, offer in enumerate(one.offers[: counts[-1]]):
            price = one.prices[number + 1] - one.prices[number]
            prices[price, offer.currency] = None
    return Steps(attribute, tuple(points), tuple(counts), tuple(prices))
