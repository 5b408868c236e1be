"""Every number of the first decision, of turn 4 and of turn 9 on `simple`."""

from __future__ import annotations

import pytest

from mt_gym.analysis import EntryFacts
from mt_gym.analysis.costs import Gain, MinCost
from mt_gym.analysis.floor import BossFacts
from tests.analysis.scenes import TURN_4, TURN_9, by_text, facts_after, simple


def entries(*actions: str) -> dict[str, EntryFacts]:
    return by_text(facts_after(simple(), *actions))


def names(entry: EntryFacts, things: tuple[int, ...]) -> list[str]:
    found = []
    for index in things:
        thing = entry.tower.board.objects[index]
        assert thing.spot is not None
        found.append(f"{thing.name} {thing.spot.x},{thing.spot.y}")
    return found


def test_the_list_is_fights_in_reading_order_then_doors_with_their_key() -> None:
    assert list(entries()) == ["fight 4,2", "fight 5,3", "fight 6,4", "open 7,0"]
    assert list(entries(*TURN_9)) == [
        *("fight 4,2", "fight 5,3", "fight 3,5", "fight 1,8", "fight 5,9"),
        *("open 7,0", "open 7,5"),
    ]


@pytest.mark.parametrize(
    ("action", "damage", "risk", "free_at", "min_cost"),
    [
        ("fight 4,2", 114, "moderate", 10, MinCost(18, 96)),
        ("fight 5,3", 56, "safe", 11, MinCost(15, 41)),
        ("fight 6,4", 55, "safe", None, None),
    ],
)
def test_costs_of_the_first_decision(
    action: str, damage: int, risk: str, free_at: int | None, min_cost: MinCost | None
) -> None:
    entry = entries()[action]
    assert (entry.damage, entry.hp_after) == (damage, 470 - damage)
    assert (entry.risk, entry.free_at, entry.min_cost) == (risk, free_at, min_cost)
    assert entry.winnable_at is None
    assert not entry.optional


@pytest.mark.parametrize(
    ("action", "raw", "gateways", "value", "effective"),
    [
        ("fight 4,2", 91, 114, 0, None),
        ("fight 5,3", 220, 261, 0, None),
        ("fight 6,4", 345, 316, 29, 26),
    ],
)
def test_lookahead_values_of_the_first_decision(
    action: str, raw: int, gateways: int, value: int, effective: int | None
) -> None:
    found = entries()[action].value
    assert (found.raw, found.gateways, found.value) == (raw, gateways, value)
    assert found.effective_cost == effective


@pytest.mark.parametrize(
    ("action", "gain", "price", "saving", "net"),
    [
        ("fight 4,2", Gain(1, 0), 228, 22, -206),
        ("fight 5,3", Gain(1, 1), 317, 54, -263),
        ("fight 6,4", Gain(1, 2), 371, 75, -296),
    ],
)
def test_stat_routes_of_the_first_decision(
    action: str, gain: Gain, price: int, saving: int, net: int
) -> None:
    route = entries()[action].stat_route
    assert route is not None
    assert (route.gain, route.price, route.saving) == (gain, price, saving)
    assert route.net == net


@pytest.mark.parametrize(
    ("fight", "route", "first", "second", "saves"),
    [
        ("fight 4,2", 2, 380, 392, 12),
        ("fight 5,3", 1, 206, 277, 71),
        ("fight 6,4", 1, 175, 268, 93),
    ],
)
def test_fight_orders_of_the_first_decision(
    fight: str, route: int, first: int, second: int, saves: int
) -> None:
    order = entries()[fight].order
    assert order is not None
    assert (order.route, order.fight_first, order.route_first) == (route, first, second)
    assert order.take_first
    assert order.difference == saves


def test_what_stands_where_at_the_first_decision() -> None:
    known = entries()
    assert known["open 7,0"].dead_end
    alternative = known["fight 5,3"].alternative
    assert alternative is not None
    assert (alternative.number, alternative.more) == (3, True)
    assert known["fight 6,4"].alternative is None
    assert known["fight 4,2"].alternative is None
    assert [known[a].potions for a in list(known)[:3]] == [0, 75, 225]


def test_next_fights_fill_what_items_and_doors_leave_of_twelve() -> None:
    known = entries()
    one, two, three = (known[a] for a in list(known)[:3])
    assert names(one, one.next_fights) == ["Slime Lord 2,1"]
    assert names(two, two.next_fights) == [
        *("Green Slime 5,6", "Black Slime 3,7", "Bat 3,5", "Bat 5,9")
    ]
    assert names(three, three.next_fights) == ["Green Slime 5,6"]


def test_keys_of_the_first_decision() -> None:
    keys = entries()["fight 6,4"].keys
    assert keys.found == (0, 0, 0, 0)
    ((door,),) = (keys.doors,)
    assert names(entries()["fight 6,4"], (door.door,)) == ["Yellow Door 7,5"]
    assert door.passed
    assert door.keys == (0, 0, 0, 0)


def test_the_state_block_of_the_first_decision() -> None:
    known = facts_after(simple())
    block = known.floor(0)
    assert (block.left.monsters, block.left.monsters_ever) == (14, 14)
    assert len(block.left.items) == 18
    (budget,) = block.key_budgets
    assert (budget.colour, budget.held, budget.lying, budget.doors) == (
        "yellow",
        1,
        4,
        4,
    )
    tip = block.def_tip
    assert tip is not None
    assert (tip.points, tip.left, tip.saving) == (3, 4, 48)
    greens = [simple().board.objects[index].name for index in tip.monsters]
    assert greens == ["Green Slime", "Green Slime"]
    boss = block.boss
    assert boss == BossFacts(boss.thing if boss else -1, None, 13)
    hp = block.hp_budget
    assert hp is not None
    assert (hp.gain, hp.available, hp.healing) == (Gain(4, 4), 1170, 700)
    assert names(known.entries[0], hp.blockers) == ["Green Slime 5,6", "Bat 5,9"]
    assert (hp.needed, hp.margin) == (669, 501)
    assert (hp.others, hp.others_cost, hp.others_impossible) == (11, 258, 0)


def test_turn_9_separates_the_two_doors() -> None:
    known = entries(*TURN_9)
    damages = [e.damage for e in known.values() if e.is_fight]
    assert damages == [95, 48, 168, 95, 168]
    near, far = known["open 7,0"].stat_route, known["open 7,5"].stat_route
    assert near is not None
    assert far is not None
    assert (near.gain, near.price, near.saving, near.net) == (Gain(1, 0), 16, 94, 78)
    assert (far.gain, far.price, far.saving, far.net) == (Gain(1, 2), 198, 216, 18)
    assert far.price == 55 + 48 + 95
    for text, entry in known.items():
        if entry.is_fight:
            order = entry.order
            assert order is not None, text
            assert (order.route, order.take_first) == (6, False)


def test_turn_4_warns_of_the_door_that_gives_no_key_back() -> None:
    known = entries(*TURN_4)
    keyless, rich = known["open 7,5"].keys, known["open 4,7"].keys
    assert keyless.last == ("yellow",)
    assert keyless.held == (0, 0, 0, 0)
    assert rich.last == ()
    assert (rich.used, rich.found, rich.held) == (
        *((1, 0, 0, 0), (2, 0, 0, 0), (2, 0, 0, 0)),
    )
    assert names(known["open 4,7"], rich.past) == ["Black Slime 3,7"]
    assert known["open 7,0"].dead_end
    assert known["fight 5,3"].optional
