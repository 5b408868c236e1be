"""Everything that coins in hand can buy: points of ATK, then of DEF for the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis.tower.offers import Ladder, Offer, ladder
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD

Numbers = NDArray[np.int64]


class Side:
    """One currency's purchases.

    Attributes:
        atk: its ladder of ATK.
        most: after each number of its purchases, the points of DEF that the rest
            buys.
    """

    def __init__(self, offers: Sequence[Offer], coin: int, wallet: int) -> None:
        self._offers = [one for one in offers if one.currency == coin]
        self._coin, self._wallet = coin, wallet
        self.atk = ladder(self._offers, coin, ATK, wallet)
        self._known: dict[int, Ladder] = {}
        longest = ladder(self._offers, coin, DEF, wallet).offers
        order = tuple(dict.fromkeys(longest))
        if any(one.growth for one in self._offers):
            counts = range(len(self.atk.prices))
            self.most = [self.defense(count).points[-1] for count in counts]
        else:
            self.most = [_points(order, wallet - paid) for paid in self.atk.prices]

    def defense(self, count: int) -> Ladder:
        """The ladder of DEF after a number of purchases of ATK."""
        found = self._known.get(count)
        if found is None:
            rest = self._wallet - self.atk.prices[count]
            bought = self.atk.offers[:count]
            found = ladder(self._offers, self._coin, DEF, rest, bought)
            self._known[count] = found
        return found


def _points(order: Sequence[Offer], wallet: int) -> int:
    """Points that a wallet buys of offers at constant prices, in the ladder's order.

    An offer that the whole wallet does not buy is bought by no rest of it.
    """
    points = 0
    for offer in order:
        count, wallet = divmod(wallet, offer.price)
        points += count * offer.points
    return points


class Purse:
    """The purchases of gold and exp together.

    Attributes:
        gold: of gold; exp likewise.
        atk: points of ATK for every pair of counts, by gold, then by exp.
        most: points of DEF for these pairs if all the rest goes there.
    """

    def __init__(self, gold: int, exp: int, offers: Sequence[Offer]) -> None:
        self.gold, self.exp = Side(offers, GOLD, gold), Side(offers, EXP, exp)
        self.atk = _sums(self.gold.atk.points, self.exp.atk.points)
        self.most = _sums(self.gold.most, self.exp.most)

    def pair(self, number: int) -> tuple[int, int]:
        """Counts of ATK purchases for gold and for exp of a pair."""
        return divmod(number, len(self.exp.most))


def _sums(one: Sequence[int], two: Sequence[int]) -> Numbers:
    first, second = np.array(one, np.int64), np.array(two, np.int64)
    return (first[:, None] + second[None, :]).ravel()
