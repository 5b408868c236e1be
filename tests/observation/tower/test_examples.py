"""The examples of the tower's observation, word for word, and their switches."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from mt_gym.engine.load import loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.observation.annotations import ALL, TOWER
from tests.analysis.tower import towers
from tests.analysis.tower.towers import entry_lines, start, text_of


@functools.cache
def hero_x() -> tuple[Tower, State]:
    own = towers.hero_x()
    return own, start(own)


def lines_of(text: str, first: str) -> list[str]:
    """The lines of a text from one that begins so on, as long as they are indented."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(first))
    end = next(i for i in range(at + 1, len(lines)) if not lines[i].startswith("  "))
    return lines[at:end]


# -- the way up ------------------------------------------------------------------


def test_the_way_up_of_the_example_has_its_five_lines() -> None:
    assert lines_of(text_of(*hero_x()), "Way up") == [
        "Way up from MT8 to (1,9): yellow door (4,3), Skeleton Captain@(4,7) 1950 "
        "LETHAL [every route], Skeleton Captain@(4,9) 1950 LETHAL [every route] → "
        "total 3900 HP (390% of HP)",
        "  every fight ≤60% of HP from ATK≥81 alone or DEF≥75 alone",
        "  buying ATK +9/+18/+23 (1/2/3 each: 30 exp, 25 gold): Skeleton Captain "
        "1050/700/600, total 2100/1400/1200",
        "  buying DEF +9/+18/+23 (1/2/3 each: 30 exp, 25 gold): Skeleton Captain "
        "1599/1248/1053, total 3198/2496/2106",
        "  in path order, spending before each fight: stops at Skeleton "
        "Captain@(4,9): costs 546, 402 HP left",
    ]


def test_the_way_up_names_no_action_and_its_obstacles_are_tagged() -> None:
    text = text_of(*hero_x())
    door = entry_lines(text, "[open_door] Yellow Door at (4,3)")[0]
    assert "[ON EVERY WAY UP]" in door
    less = text_of(*hero_x(), annotations=ALL - {"way_up_tags"})
    assert "WAY UP]" not in less and "Way up from" in less
    less = text_of(*hero_x(), annotations=ALL - {"way_up"})
    assert "WAY UP]" not in less and "Way up from" not in less


def test_a_passable_way_says_what_was_bought_and_what_is_left() -> None:
    own, _ = hero_x()
    state = start(own, {"atk": 90, "defense": 40, "gold": 30, "exp": 0})
    told = lines_of(text_of(own, state), "Way up")
    assert told[1] == "  every fight is within 60% of HP"
    assert told[-1] == (
        "  in path order, spending before each fight: passable, 172 HP left at the "
        "staircase, after buying DEF +4"
    )


def test_without_a_key_the_way_stops_at_its_door() -> None:
    own, _ = hero_x()
    told = lines_of(text_of(own, start(own, {"yellow": 0})), "Way up")
    assert told[-1].endswith("stops at yellow door (4,3): no yellow key")


def test_the_last_floor_ends_at_the_goal_and_an_unwinnable_fight_stops_the_way() -> (
    None
):
    own = towers.shop_ahead()
    told = lines_of(text_of(own, start(own)), "Way up")
    assert told[0].startswith(
        "Way up from MT6 to Demon King@(3,1): Demon King@(3,1) UNWINNABLE (ATK≥901) "
        "[every route] → total 0 HP (0% of HP) + 1 unwinnable"
    )
    assert told[-1].endswith("stops at Demon King@(3,1): unwinnable even at ATK 30")


# -- attributes and purchases --------------------------------------------------------


def test_purchases_show_their_tower_value_and_how_many_are_needed() -> None:
    text = text_of(*hero_x())
    assert entry_lines(text, "gold shop at MT3(3,6): ATK +4")[1:] == [
        " → tower value (+4 ATK): saves 140 HP on 1 of 5 listed fights",
        " → how many: Skeleton Captain ≤60% 6; Beastman ≤60% 1; Rock Man winnable 2, "
        "≤60% 16",
    ]
    assert entry_lines(text, "exp shop at MT5(3,2): DEF +5")[1:] == [
        " → tower value (+5 DEF): saves 130 HP on 3 of 5 listed fights"
    ]


def test_fights_show_what_the_coins_in_hand_make_of_them() -> None:
    text = text_of(*hero_x())
    assert (
        " → purchases: DEF +5 ×2 at MT5 (60 exp) → FREE"
        in entry_lines(text, "[fight] Junior Mage")[1:]
    )
    assert (
        " → purchases: ATK +5 ×3 at MT5, ATK +4 ×1 and DEF +4 ×1 at MT3 (90 exp, 50 "
        "gold) → 598 HP" in entry_lines(text, "[fight] Skeleton Captain")[1:]
    )
    poor = start(hero_x()[0], {"gold": 24, "exp": 29})
    assert "→ purchases" not in text_of(hero_x()[0], poor)


def test_an_offer_has_its_price_a_point_and_whether_the_shop_was_used() -> None:
    own, state = hero_x()
    line = (
        "[buy] gold shop at MT3(3,6): ATK +4 for 25 gold (6.25 gold per point; you "
        "have 60: 2 affordable)"
    )
    assert f"{line} [SHOP NOT USED YET]" in text_of(own, state)
    shop = next(a.object for a in own.actions if a.text == "MT3:buy 3,6 #2")
    used = text_of(own, state, used=1 << shop)
    assert f"{line}\n" in used
    assert used.count("SHOP NOT USED YET") == 2
    less = text_of(own, state, annotations=ALL - {"purchase_points"})
    assert "ATK +4 for 25 gold (you have 60: 2 affordable)" in less


@functools.cache
def great() -> Tower:
    """As hero X, with the great shop of MT11 next to the fights."""
    floors = dict(towers.FLOORS_X)
    floors["MT11"] = "######\n#<..>#\n##6###\n######"
    order = ("MT3", "MT5", "MT11", "MT6", "MT8", "MT9")
    return towers.tower({name: floors[name] for name in order}, towers.HERO_X)


def test_a_cheaper_point_elsewhere_is_named_with_what_is_missing() -> None:
    own = great()
    text = text_of(own, start(own))
    assert entry_lines(text, "gold shop at MT3(3,6): ATK +4")[-1] == (
        " → cheaper: ATK +20 at MT11 for 100 gold (5 per point), 40 gold missing"
    )
    text = text_of(own, start(own, {"gold": 100}))
    assert entry_lines(text, "gold shop at MT3(3,6): DEF +4")[-1] == (
        " → cheaper: DEF +20 at MT11 for 100 gold (5 per point), affordable"
    )
    assert "cheaper" not in "".join(entry_lines(text, "great shop at MT11"))
    assert "exp per point" in text and "→ cheaper: ATK +5" not in text


def test_a_shop_with_the_same_price_a_point_is_not_cheaper() -> None:
    shop = '[shops."large shop"]\nprice = { gold = 125 }\noffers = [{ atk = 20 }]\n'
    floors = {
        "MT3": "######\n#@..>#\n#4.6.#\n######",
        "MT5": "#####\n#<.Z#\n#####",
    }
    hero = "hp = 1000\natk = 60\ndef = 40\ngold = 200"
    own = loads(towers.text(floors, hero, shop, letters={"6": "large shop"}))
    text = text_of(own, start(own, assists=False))
    assert text.count("6.25 gold per point") == 3
    assert "cheaper:" not in text


def test_the_value_of_items_counts_the_fighting_in_front_of_them() -> None:
    floors = {
        "MT1": "######\n#@..>#\n#j1#b#\n#a####\n######",
        "MT2": "#####\n#<.Z#\n#####",
    }
    own = towers.tower(floors, "hp = 1000\natk = 60\ndef = 40\nyellow = 1")
    text = text_of(own, start(own, assists=False))
    assert entry_lines(text, "[fight] Junior Mage")[1:] == [
        " → unlocks: Red Gem (+3 ATK) [STAT]",
        " → stat gems behind it (+3 ATK): 30 HP of fighting to reach them, then they "
        "save 0 HP on the other fights listed now → net -30 HP",
    ]
    strong = start(own, {"atk": 77}, assists=False)
    told = entry_lines(text_of(own, strong), "[fight] Junior Mage")
    assert (
        " → tower value (+3 ATK): saves 25 HP on 1 of 2 listed fights → net +5 HP"
        in (told[3])
    )


# -- shops ahead, keys, free fights ---------------------------------------------------


def test_a_shop_ahead_is_priced_on_the_action_that_leads_to_it() -> None:
    own = towers.shop_ahead()
    text = text_of(own, start(own))
    assert (
        " → shop ahead MT5 (exp): 70 exp buys ATK +5 ×2 or DEF +5 ×2; on the way: "
        "Junior Mage@(5,6) 672 LETHAL → 364 → 252 with ATK +4/+8; doors: 1 yellow"
        in entry_lines(text, "[fight] Junior Mage")
    )
    poor = text_of(own, start(own, {"exp": 10, "gold": 0}))
    assert (
        " → shop ahead MT5 (exp): 10 exp buys nothing yet (20 missing); on the way: "
        "Junior Mage@(5,6) 672 LETHAL; doors: 1 yellow\n" in poor
    )
    assert (
        " → shop ahead MT5 (exp): on the way: Junior Mage@(5,6) 672 LETHAL; doors: 1 "
        "yellow\n" in text_of(own, start(own), kind="tower-2")
    )


def test_keys_that_the_way_up_needs_red_doors_and_free_fights_are_told() -> None:
    own = towers.keys()
    text = text_of(own, start(own, assists=False))
    reserve = (
        " → KEY RESERVE: leaves 1 yellow key(s); the way up needs 2: MT9(8,3), (3,3)"
    )
    assert entry_lines(text, "[open_door] Yellow Door at (1,3)")[-2:] == [
        reserve,
        " → free fights behind it: 3 (4 gold, 4 exp)",
    ]
    assert entry_lines(text, "[sell] key buyer")[1:] == [reserve]
    assert entry_lines(text, "Red Door at (8,3)") == [
        "  Red Door at (8,3): not without a red key",
        " → red keys: 0 in hand; the key seller on MT5 asks 100 gold, you have 60",
    ]
    rich = text_of(own, start(own, {"yellow": 3, "red": 1}, assists=False))
    assert "KEY RESERVE" not in rich and "red keys" not in rich
    weak = text_of(own, start(own, {"defense": 15}, assists=False))
    assert "free fights behind" not in weak
    assert (
        "Key budget, all visited floors: yellow 2 in hand + 0 lying = 2 for 3 closed "
        "yellow door(s)" in text
    )


# -- events, seal, treasures, Cross -------------------------------------------


def test_an_event_names_its_condition_effects_ways_and_missing_keys() -> None:
    own = towers.thief()
    text = text_of(own, start(own, assists=False))
    assert (
        "Event: Thief@MT4(2,9) — with the Ice Pickaxe: clears the way on MT18; way: "
        "Red Bat@(2,7) 410, gate (2,8); Ice Pickaxe@MT12(1,10): way: blue door (4,10) "
        "— needs 1 blue key(s), you have 0\n" in text
    )
    rich = text_of(own, start(own, {"blue": 1}, assists=False))
    assert "Ice Pickaxe@MT12(1,10): way: blue door (4,10)\n" in rich


@pytest.mark.parametrize(("needed", "some"), [(4, ""), (2, " (any 2)")])
def test_the_seal_names_its_guards_and_the_doors_in_front(
    needed: int, some: str
) -> None:
    own = towers.sealed(needed)
    state = start(own, assists=False)
    doors = (
        "doors in front: blue (2,5), blue (8,5), blue (5,8) — 3 blue key(s) together, "
        "you have 1\n"
    )
    assert f"Seal on MT7, Cross@(5,5): 4 of 4 guards left{some}; {doors}" in text_of(
        own, state
    )
    state = own.step(state, own.action("MT7:fight 9,1"))
    left = " (any 1)" if some else ""
    assert f"Seal on MT7, Cross@(5,5): 3 of 4 guards left{left}; {doors}" in text_of(
        own, state
    )


def test_treasures_stand_passable_first_then_trades_then_the_rest() -> None:
    own = towers.treasures()
    text = text_of(own, start(own, assists=False))
    assert (
        "Treasures: shield DEF +10@MT5(8,2): 2 fights, 1 yellow door — passable, 670 "
        "HP left; ATK +120@MT15(1,3): 500 exp, you hold 320; key box@MT15(3,3): 1 "
        "blue door — stops at blue door (3,2): no blue key; Cross@MT15(7,3): 1 fight "
        "— stops at Skeleton Captain@(7,2): costs 1950, 700 HP left; ATK +70 from "
        "Smith@MT15(9,3): 1 blue door — stops at blue door (9,2): no blue key\n" in text
    )
    less = text_of(own, start(own, assists=False), annotations=ALL - {"in_order"})
    assert "Treasures: shield DEF +10@MT5(8,2): 2 fights, 1 yellow door; ATK" in less


def test_a_trade_is_an_action_only_once_its_price_is_held() -> None:
    own = towers.treasures()
    assert "[trade]" not in text_of(own, start(own, assists=False))
    rich = text_of(own, start(own, {"exp": 640}, assists=False))
    told = entry_lines(rich, "[trade]")
    assert "[trade] ATK +120 at (1,3) — 500 exp (you have 640)" in told[0]
    assert told[1].startswith(" → tower value (+120 ATK): survivable: Skeleton Captain")


@functools.cache
def blessed() -> tuple[Tower, State]:
    """The fairy of MT0, and the Cross in hand."""
    floors = {
        "MT0": "#####\n#@.>#\n#F#+#\n#####",
        "MT1": "#####\n#<.Z#\n#.j.#\n#####",
    }
    own = towers.tower(floors, "hp = 8431\natk = 640\ndef = 655", towers.GIFTS)
    return own, start(own)


def test_the_cross_says_what_handing_it_in_now_gives() -> None:
    own, state = blessed()
    line = (
        "Cross: handed in now HP +2810 ATK +213 DEF +218 (a third of each at that "
        "moment)"
    )
    text = text_of(own, state)
    talk = entry_lines(text, "HP, ATK, DEF ×4/3, takes Cross")
    assert f" → {line}" in talk
    assert " → event: with the Cross: HP, ATK, DEF ×4/3, takes Cross" in talk
    after = own.step(state, own.action("MT0:talk 1,2 #2"))
    assert after.hero[:3] == (8431 + 2810, 640 + 213, 655 + 218)


def test_the_cross_among_the_treasures_says_it_as_well() -> None:
    floors = {
        "MT0": "#######\n#@..>.#\n#F#j###\n###+###\n#######",
        "MT1": "#####\n#<.Z#\n#####",
    }
    own = towers.tower(floors, "hp = 90\natk = 60\ndef = 30", towers.GIFTS)
    text = text_of(own, start(own, assists=False))
    assert (
        "; Cross@MT0(3,3): 1 fight — passable, 30 HP left (Cross: handed in now HP "
        "+30 ATK +20 DEF +10 (a third of each at that moment))\n" in text
    )


def test_a_vampire_says_its_share_in_place_of_a_threshold() -> None:
    tag = (
        "[vampire: takes 25% of your current HP whatever your DEF, so it costs less "
        "when your HP is lower]"
    )
    own = towers.sealed()
    for hero, cost in (
        ({"hp": 2000}, 500),
        ({"hp": 1200}, 300),
        ({"hp": 2000, "defense": 200}, 1100),
    ):
        told = entry_lines(
            text_of(own, start(own, hero, assists=False)), "[fight] White Warrior"
        )[0]
        assert f"{tag} — damage={cost} " in told
        assert "FREE" not in told


# -- switches ------------------------------------------------------------------------

SCENES: dict[str, tuple[Callable[[], tuple[Tower, State]], str]] = {
    "tower_key_budget": (hero_x, "Key budget, all visited floors"),
    "atk_counts": (hero_x, "→ how many:"),
    "purchase_fights": (hero_x, "→ purchases:"),
    "purchase_points": (hero_x, "gold per point"),
    "red_door": (
        lambda: (towers.keys(), start(towers.keys(), assists=False)),
        "→ red keys:",
    ),
    "free_behind": (
        lambda: (towers.keys(), start(towers.keys(), assists=False)),
        "→ free fights behind it",
    ),
    "cross": (blessed, "Cross: handed in now"),
    "trades": (
        lambda: (
            towers.treasures(),
            start(towers.treasures(), {"exp": 640}, assists=False),
        ),
        "you have 640",
    ),
    "tower_value": (hero_x, "→ tower value"),
    "way_up": (hero_x, "Way up from"),
    "way_up_purchases": (hero_x, "  buying "),
    "way_up_tags": (hero_x, "[ON EVERY WAY UP]"),
    "in_order": (hero_x, "  in path order"),
    "shop_ahead": (
        lambda: (towers.shop_ahead(), start(towers.shop_ahead())),
        "→ shop ahead",
    ),
    "events": (
        lambda: (towers.thief(), start(towers.thief(), assists=False)),
        "Event: ",
    ),
    "seal": (
        lambda: (towers.sealed(), start(towers.sealed(), assists=False)),
        "Seal on",
    ),
    "treasures": (
        lambda: (towers.treasures(), start(towers.treasures(), assists=False)),
        "Treasures: ",
    ),
    "key_reserve": (
        lambda: (towers.keys(), start(towers.keys(), assists=False)),
        "→ KEY RESERVE",
    ),
}


def test_every_annotation_of_the_tower_has_a_scene() -> None:
    assert set(SCENES) == TOWER


@pytest.mark.parametrize("name", sorted(SCENES))
def test_an_annotation_switched_off_removes_its_text_and_adds_nothing(
    name: str,
) -> None:
    scene, mark = SCENES[name]
    full, less = text_of(*scene()), text_of(*scene(), annotations=ALL - {name})
    assert mark in full
    assert mark not in less
    letters = iter(full)
    assert all(letter in letters for letter in less), "something was added"
    entries = [line for line in full.splitlines() if "] " in line and ". [" in line]
    assert len(entries) == sum(
        "] " in line and ". [" in line for line in less.splitlines()
    )


def test_without_the_group_the_text_is_that_of_single_floors() -> None:
    own, state = hero_x()
    less = text_of(own, state, annotations=ALL - TOWER)
    assert all(mark not in less for _, mark in SCENES.values())
    first = text_of(own, state, kind="tower-1")
    assert all(mark not in first for _, mark in SCENES.values())


def test_tower_2_has_two_of_the_annotations() -> None:
    own, state = hero_x()
    text = text_of(own, state, kind="tower-2")
    assert "Key budget, all visited floors" in text
    assert "Way up" not in text and "tower value" not in text
    assert "Purchases (from any floor):" in text and "QUANTITY" not in text
    assert "--- MT6 | enemies 5/5" in text


def test_tower_1_lists_one_floor_and_a_line_for_each_other() -> None:
    own, state = hero_x()
    text = text_of(own, state, kind="tower-1")
    assert "[travel] Return to MT6: 5 fights (cheapest 30 HP)" in text
    assert "[travel] Return to MT3: shop" in text
    assert "[buy]" not in text and "QUANTITY" not in text
    assert "[fight]" not in text
