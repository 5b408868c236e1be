"""What coins are best spent on before a fight: the cheapest fight, then least spent.

First points of ATK, then points of DEF from what is left, in each currency along its
ladder.  More DEF never makes a plain fight dearer, so for every pair of ATK counts
only the fewest DEF purchases that reach the least cost are looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mt_gym.analysis.memory import memory
from mt_gym.analysis.tower.offers import Offer
from mt_gym.analysis.tower.purse import Purse
from mt_gym.analysis.tower.thresholds import falls
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

NEVER: Final = 1 << 62
"""In place of the loss of a fight that cannot be won."""

_NO_DEF: Final = 1 << 62
"""More DEF than any purse buys."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Purchases before a fight.

    Attributes:
        offers: what is bought, in order: exp before gold, ATK before DEF.
        gold: coins spent; exp likewise.
        atk: points bought; defense likewise.
        cost: HP of the fight then; None if it still cannot be won.
    """

    offers: tuple[Offer, ...]
    gold: int
    exp: int
    atk: int
    defense: int
    cost: int | None


def best_bundle(
    tower: Tower, state: State, thing: int, offers: Sequence[Offer]
) -> Bundle | None:
    """The purchases that make a fight cheapest; None if none makes it cheaper."""
    return _remembered(tower, state, thing, offers, free=False)


def free_by_def(
    tower: Tower, state: State, thing: int, offers: Sequence[Offer]
) -> Bundle | None:
    """The fewest DEF purchases that make a fight free, None if none do.

    Among as many, the least gold, then the least exp.
    """
    return _remembered(tower, state, thing, offers, free=True)


def _remembered(
    tower: Tower, state: State, thing: int, offers: Sequence[Offer], free: bool
) -> Bundle | None:
    """Remembered by everything that the purchases of a fight depend on."""
    if not offers:
        return None
    hero, kind = state.hero, tower.board.objects[thing].monster
    able = tower.board.monsters[kind].abilities
    purse_key = (hero.gold, hero.exp, tuple((o.action.index, o.price) for o in offers))
    key = (
        *(free, kind, tower.game.epoch(kind, state.world), hero[1:4]),
        *(hero.hp if able.vampire is not None else 0, purse_key),
    )
    known = memory(tower, "bundles")
    found = known.recall(key)
    if found is None:
        purses = memory(tower, "purses")
        purse = purses.recall(purse_key)
        if purse is None:
            purse = purses.keep(purse_key, Purse(hero.gold, hero.exp, offers))
        fight = _Fight(tower, state, kind, purse)
        found = known.keep(key, (fight.free() if free else fight.best(),))
    return found[0]  # type: ignore[no-any-return]


class _Fight:
    """One monster kind's loss after purchases."""

    def __init__(self, tower: Tower, state: State, kind: int, purse: Purse) -> None:
        hero = state.hero
        self.purse = purse
        self.atk, self.defense, self.rest = hero.atk, hero.defense, (hero.mdef, hero.hp)
        self.args = tower.game.fighters[kind][tower.game.epoch(kind, state.world)]
        self.able = tower.board.monsters[kind].abilities
        self.smooth = falls(self.able, atk=False)

    def loss(self, atk: int, defense: int) -> int:
        """The loss after a gain; one that no HP pays if the fight cannot be won."""
        found = fight_loss(
            self.atk + atk, self.defense + defense, *self.rest, *self.args
        )
        return NEVER if found == UNWINNABLE else found

    def free(self) -> Bundle | None:
        """Only DEF, until the fight costs nothing."""
        gold, exp = self.purse.gold.defense(0), self.purse.exp.defense(0)
        most = gold.points[-1] + exp.points[-1]
        if self.able.vampire is not None or self.loss(0, 0) in (0, NEVER):
            return None
        if self.smooth and self.loss(0, most):
            return None
        needed = self._least_def(0, most, 0) if self.smooth else 0
        best: tuple[tuple[int, int, int], int, int] | None = None
        for i, points in enumerate(gold.points):
            for j, more in enumerate(exp.points):
                if best is not None and i + j > best[0][0]:
                    break
                if points + more < needed or self.loss(0, points + more):
                    continue
                key = (i + j, gold.prices[i], exp.prices[j])
                if best is None or key < best[0]:
                    best = (key, i, j)
                break
        if best is None:
            return None
        _, i, j = best
        bought = (*exp.offers[:j], *gold.offers[:i])
        points = gold.points[i] + exp.points[j]
        return Bundle(bought, gold.prices[i], exp.prices[j], 0, points, 0)

    def best(self) -> Bundle | None:
        """The smallest (cost, gold, exp, ATK purchases, those for gold)."""
        least, pairs = self._by_class() if self.smooth else self._one_by_one()
        if least >= self.loss(0, 0):
            return None
        purse = self.purse
        gold, exp = purse.gold, purse.exp
        best: tuple[int, ...] | None = None
        for number, needed in pairs:
            i, j = purse.pair(number)
            if best is not None and gold.atk.prices[i] > best[0]:
                break
            for k, m in self._fewest(i, j, least, needed):
                key = (
                    gold.atk.prices[i] + gold.defense(i).prices[k],
                    exp.atk.prices[j] + exp.defense(j).prices[m],
                    *(i + j, i, k, m),
                )
                if best is None or key < best:
                    best = key
        assert best is not None
        return self._bundle(best, least)

    def _by_class(self) -> tuple[int, Iterable[tuple[int, int]]]:
        """The least cost, and the pairs that reach it with the DEF that this takes.

        ATK decides a loss by the number of strikes alone, unless it has a price of
        its own: one loss for each number, with the most DEF, is enough.
        """
        purse = self.purse
        strike = self.atk + purse.atk - self.args[2]
        classes = np.where(strike > 0, (self.args[0] - 1) // np.maximum(strike, 1), -1)
        if self.able.counter is not None:
            classes = purse.atk
        _, first, member = np.unique(classes, return_index=True, return_inverse=True)
        most = np.zeros(len(first), np.int64)
        np.maximum.at(most, member, purse.most)
        gains = [int(purse.atk[number]) for number in first]
        costs = [self.loss(a, int(d)) for a, d in zip(gains, most, strict=True)]
        least = min(costs)
        needed = np.array(
            [
                self._least_def(a, int(d), least) if cost == least else _NO_DEF
                for a, d, cost in zip(gains, most, costs, strict=True)
            ],
            np.int64,
        )[member]
        able = np.flatnonzero(purse.most >= needed)
        return least, zip(able.tolist(), needed[able].tolist(), strict=True)

    def _one_by_one(self) -> tuple[int, Iterable[tuple[int, int]]]:
        """As `_by_class`, where more DEF may make a fight dearer; no DEF is told."""
        purse = self.purse
        costs = []
        for number, atk in enumerate(purse.atk):
            i, j = purse.pair(number)
            costs.append(
                min(
                    self.loss(int(atk), p + q)
                    for p in purse.gold.defense(i).points
                    for q in purse.exp.defense(j).points
                )
            )
        least = min(costs)
        return least, [(n, -1) for n, cost in enumerate(costs) if cost == least]

    def _bundle(self, best: tuple[int, ...], least: int) -> Bundle:
        gold, exp = self.purse.gold, self.purse.exp
        paid_gold, paid_exp, count, i, k, m = best
        j = count - i
        for_gold, for_exp = gold.defense(i), exp.defense(j)
        bought = (
            *(*exp.atk.offers[:j], *for_exp.offers[:m]),
            *(*gold.atk.offers[:i], *for_gold.offers[:k]),
        )
        atk = gold.atk.points[i] + exp.atk.points[j]
        defense = for_gold.points[k] + for_exp.points[m]
        return Bundle(bought, paid_gold, paid_exp, atk, defense, least)

    def _fewest(self, i: int, j: int, least: int, needed: int) -> list[tuple[int, int]]:
        """Counts of DEF purchases for gold and exp that reach the least cost."""
        gold, exp = self.purse.gold, self.purse.exp
        one, two = gold.defense(i).points, exp.defense(j).points
        if needed < 0:
            atk = gold.atk.points[i] + exp.atk.points[j]
            return [
                (k, m)
                for k, p in enumerate(one)
                for m, q in enumerate(two)
                if self.loss(atk, p + q) == least
            ]
        k = bisect_left(one, needed - two[-1])
        return [(k, bisect_left(two, needed - one[k]))]

    def _least_def(self, atk: int, most: int, limit: int) -> int:
        """The fewest points of DEF, up to enough ones, within a loss."""
        if self.loss(atk, 0) <= limit:
            return 0
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            if self.loss(atk, middle) <= limit:
                high = middle
            else:
                low = middle
        return high
