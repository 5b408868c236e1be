"""Ladders, bundles and thresholds against plain enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mt_gym.analysis.tower.bundle import Bundle, best_bundle, free_by_def
from mt_gym.analysis.tower.offers import Offer, ladder, open_offers, steps
from mt_gym.analysis.tower.shops import affordable
from mt_gym.analysis.tower.thresholds import atk_for, def_for
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD
from mt_gym.engine.load import loads
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.analysis.tower import towers
from tests.analysis.tower.towers import start


def shops(more: str = "") -> Tower:
    """Every shop open, and one fight of each kind listed."""
    floors = {
        "MT1": """
#############
#@.........>#
#4#5#6#B#C#R#
#############
""",
        "MT2": """
#############
#<..........#
#b#j#m#W#t#Z#
#############
""",
    }
    return towers.tower(floors, "hp = 1000\natk = 60\ndef = 40", more)


def fights(own: Tower) -> list[int]:
    return [o.index for o in own.board.objects if o.kind.type == "monster"]


def climbs(offers: list[Offer], wallet: int) -> list[tuple[int, int]]:
    """Points and coins after each purchase, the cheapest point first."""
    found, points, spent = [(0, 0)], 0, 0
    while True:
        payable = [o for o in offers if o.price <= wallet - spent]
        if not payable:
            return found
        best = min(
            payable,
            key=lambda o: (o.price / o.points, -o.points, o.floor, o.action.index),
        )
        points, spent = points + best.points, spent + best.price
        found.append((points, spent))


def enumerated(own: Tower, state: State, thing: int) -> tuple[int, ...] | None:
    """The smallest (cost, gold, exp, ATK purchases, ATK purchases for gold)."""
    hero = state.hero
    offers = list(open_offers(own, state))
    sides = {}
    for coin, wallet in ((GOLD, hero.gold), (EXP, hero.exp)):
        atk = [o for o in offers if o.currency == coin and o.attribute == ATK]
        dfs = [o for o in offers if o.currency == coin and o.attribute == DEF]
        sides[coin] = [
            (i, a, d, paid + more)
            for i, (a, paid) in enumerate(climbs(atk, wallet))
            for d, more in climbs(dfs, wallet - paid)
        ]
    best: tuple[int, ...] | None = None
    kind = own.board.objects[thing].monster
    args = own.game.fighters[kind][0]
    for (i, a, d, gold), (j, b, e, exp) in product(sides[GOLD], sides[EXP]):
        loss = fight_loss(
            hero.atk + a + b, hero.defense + d + e, hero.mdef, hero.hp, *args
        )
        if loss == UNWINNABLE:
            continue
        key = (loss, gold, exp, i + j, i, a + b, d + e)
        if best is None or key[:5] < best[:5]:
            best = key
    return best


def spent(bundle: Bundle) -> tuple[int, ...]:
    assert bundle.cost is not None
    atk = [o for o in bundle.offers if o.attribute == ATK]
    return (
        bundle.cost,
        bundle.gold,
        bundle.exp,
        len(atk),
        sum(o.currency == GOLD for o in atk),
    )


def test_the_best_bundle_is_that_of_enumeration_and_can_be_bought() -> None:
    own = shops()
    rng = np.random.default_rng(7)
    found = 0
    for _ in range(60):
        numbers = {
            "hp": int(rng.integers(1, 3000)),
            "atk": int(rng.integers(20, 170)),
            "defense": int(rng.integers(10, 120)),
            "gold": int(rng.integers(0, 330)),
            "exp": int(rng.integers(0, 160)),
        }
        state = start(own, numbers, assists=False)
        offers = open_offers(own, state)
        for thing in fights(own):
            bundle = best_bundle(own, state, thing, offers)
            wanted = enumerated(own, state, thing)
            now = own.game.loss(state, thing)
            if wanted is None or (now != UNWINNABLE and wanted[0] >= now):
                assert bundle is None
                continue
            assert bundle is not None
            assert spent(bundle) == wanted[:5]
            after = state
            for offer in bundle.offers:
                after = own.step(after, offer.action)
            assert own.game.loss(after, thing) == bundle.cost
            assert state.hero.gold - after.hero.gold == bundle.gold
            found += 1
    assert found > 100


def test_fewest_purchases_of_def_that_make_a_fight_free() -> None:
    own = shops()
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(80):
        state = start(
            own,
            {
                "atk": int(rng.integers(50, 200)),
                "defense": int(rng.integers(30, 120)),
                "gold": int(rng.integers(0, 300)),
                "exp": int(rng.integers(0, 200)),
            },
            assists=False,
        )
        hero, offers = state.hero, open_offers(own, state)
        gold = ladder(offers, GOLD, DEF, hero.gold)
        exp = ladder(offers, EXP, DEF, hero.exp)
        for thing in fights(own):
            bundle = free_by_def(own, state, thing, offers)
            kind = own.board.objects[thing].monster
            args = own.game.fighters[kind][0]
            now = own.game.loss(state, thing)
            ways = [
                (i + j, gold.prices[i], exp.prices[j])
                for i, p in enumerate(gold.points)
                for j, q in enumerate(exp.points)
                if now > 0
                and fight_loss(hero.atk, hero.defense + p + q, 0, hero.hp, *args) == 0
            ]
            vampire = own.board.monsters[kind].abilities.vampire is not None
            if not ways or vampire:
                assert bundle is None
            else:
                assert bundle is not None
                told = (len(bundle.offers), bundle.gold, bundle.exp)
                assert told == min(ways)
                found += 1
    assert found > 20


def test_a_ladder_with_growing_prices_pays_what_the_engine_asks() -> None:
    more = """
[shops."growing shop"]
price = { gold = 10 }
growth = 3
offers = [{ atk = 2 }, { def = 2 }]
"""
    floors = {
        "MT1": "######\n#@..>#\n#s####\n######",
        "MT2": "#####\n#<.Z#\n#####",
    }
    hero = "hp = 100\natk = 5\ndef = 5\ngold = 60"
    own = loads(towers.text(floors, hero, more, letters={"s": "growing shop"}))
    state = start(own, assists=False)
    first = ladder(open_offers(own, state), GOLD, ATK, 60)
    assert first.prices == (0, 10, 23, 39, 58)
    for offer in first.offers:
        state = own.step(state, offer.action)
    assert state.hero.gold == 2
    state = start(own, assists=False)
    rest = ladder(open_offers(own, state), GOLD, DEF, 60 - 23, first.offers[:2])
    assert rest.prices == (0, 16, 35)


@pytest.mark.parametrize("growth", [0, 1, 3, 50])
def test_what_is_affordable_is_what_can_be_bought_in_a_row(growth: int) -> None:
    for coins, price in product((0, 9, 10, 59, 60, 61, 5000), (1, 10, 60)):
        left, paid, times = coins, price, 0
        while left >= paid:
            left, paid, times = left - paid, paid + growth, times + 1
        hero = (0, coins)
        assert affordable(hero, ((1, price),), growth) == times
    assert affordable((0, 40, 9), ((1, 4), (2, 3)), 0) == 3
    assert affordable((0, 40), (), growth) == 0


def test_steps_are_those_of_the_example() -> None:
    own = towers.hero_x()
    state = start(own)
    table = steps(open_offers(own, state), ATK, 60, 95)
    assert table is not None
    assert table.points == (9, 18, 23) and table.counts == (1, 2, 3)
    assert table.prices == ((30, EXP), (25, GOLD))
    assert steps(open_offers(own, state), ATK, 24, 29) is None


ABILITIES = (
    "",
    "magic = true",
    "fixed = 40",
    "vampire = [1, 4]",
    "solid = true",
    "mimic = true",
    "counter = [1, 10]",
    "armour_break = [9, 10]",
    "hits = 2",
    "first_strike = true",
)


def odd(able: str, niches: str = "#o#####") -> Tower:
    """A tower with one monster that has an ability, and shops beside it."""
    floor = f"#######\n#@...>#\n{niches}\n#######"
    text = towers.text(
        {"MT1": floor, "MT2": "#####\n#<.Z#\n#####"},
        "hp = 200\natk = 14\ndef = 5",
        letters={"o": "Odd"},
    )
    kind = f'"Odd" = {{ hp = 45, atk = 30, def = 12{", " + able if able else ""} }}'
    return loads(text.replace("[monsters]\n", f"[monsters]\n{kind}\n"))


@pytest.mark.parametrize("able", ABILITIES)
def test_the_best_bundle_is_that_of_enumeration_for_every_ability(able: str) -> None:
    own = odd(able, "#4#5#o#")
    thing = next(o.index for o in own.board.objects if o.name == "Odd")
    first = own.initial_state()
    rng = np.random.default_rng(2)
    for _ in range(25):
        numbers = {
            "hp": int(rng.integers(1, 300)),
            "atk": int(rng.integers(5, 30)),
            "defense": int(rng.integers(0, 30)),
            "gold": int(rng.integers(0, 140)),
            "exp": int(rng.integers(0, 140)),
        }
        state = State(first.world, first.hero._replace(**numbers))
        bundle = best_bundle(own, state, thing, open_offers(own, state))
        wanted, now = enumerated(own, state, thing), own.game.loss(state, thing)
        if wanted is None or (now != UNWINNABLE and wanted[0] >= now):
            assert bundle is None
        else:
            assert bundle is not None and spent(bundle) == wanted[:5]


@pytest.mark.parametrize("able", ABILITIES)
def test_thresholds_are_the_smallest_attributes_within_the_limit(able: str) -> None:
    own = odd(able)
    kind = next(o.monster for o in own.board.objects if o.name == "Odd")
    args = own.game.fighters[kind][0]
    first = own.initial_state()
    for atk, limit in ((14, 30), (14, 90), (10, 90), (20, 0), (40, 5)):
        state = State(first.world, first.hero._replace(atk=atk))

        def fits(a: int, d: int, most: int = limit) -> bool:
            loss = fight_loss(a, d, 0, 200, *args)
            return loss != UNWINNABLE and loss <= most

        by_atk = next((a for a in range(atk, 400) if fits(a, 5)), None)
        by_def = next((d for d in range(5, 400) if fits(atk, d)), None)
        assert atk_for(own, state, [kind], limit) == by_atk
        assert def_for(own, state, [kind], limit) == by_def
