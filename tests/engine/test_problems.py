"""Every defect is found, with its code and place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mt_gym.engine.formats.toml import loads
from mt_gym.engine.kinds import (
    Certificate,
    Condition,
    Effect,
    Floor,
    Goal,
    Hidden,
    Kind,
    Placement,
    Row,
    Script,
    Settings,
    Spot,
    Stats,
    TowerData,
)
from mt_gym.engine.problems import DEFECTS, find_problems
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

BASE = loads(
    """
name = "base"
hero = { hp = 50, atk = 9, def = 2, gold = 10 }
goal = { defeat = "Boss" }

[monsters]
Rat = {hp = 5, atk = 3, def = 1, gold = 1, strengthened = [{hp = 6, atk = 4, def = 2}]}
Boss = { hp = 9, atk = 5, def = 3, boss = true }

[items]
Gem = { atk = 1 }
Cross = { carried = true }

[shops.Shop]
price = { gold = 5 }
offers = [{ hp = 10 }]

[characters.Sage]
talks = [{ gives = { def = 1 } }]

[[scripts]]
at = "F1:1,3"
removes = ["F1:3,3"]
strengthens = ["Rat"]

[[scripts]]
needs = { flags = ["Cross"], gone = ["F1:1,3"] }
reveals = ["F1:6,2"]

[[floors]]
id = "F1"
map = '''
#######
#@gcS.#
#.....#
#R.I.Z#
#A.####
#.U####
#######
'''

[floors.legend]
g = "Gem"
c = "Cross"
S = "Shop"
R = "Rat"
I = "Iron Bars"
Z = "Boss"
A = "Sage"
U = { stairs = "up", to = "F2" }

[[floors.hidden]]
at = "6,2"
is = "Gem"

[[floors]]
id = "F2"
map = '''
####
#D.#
####
'''

[floors.legend]
D = { stairs = "down", to = "F1" }
"""
)

F1, F2 = BASE.floors


def draw(
    x: int, y: int, letter: str, data: TowerData = BASE, floor: int = 0
) -> TowerData:
    """The data with another letter on a cell."""
    floors = list(data.floors)
    rows = list(floors[floor].rows)
    rows[y] = rows[y][:x] + letter + rows[y][x + 1 :]
    floors[floor] = replace(floors[floor], rows=tuple(rows))
    return replace(data, floors=tuple(floors))


def legend(letter: str, place: Placement, x: int, y: int, floor: int = 0) -> TowerData:
    """The data with a new letter, drawn once."""
    floors = list(BASE.floors)
    old = tuple(pair for pair in floors[floor].legend if pair[0] != letter)
    floors[floor] = replace(floors[floor], legend=(*old, (letter, place)))
    return draw(x, y, letter, replace(BASE, floors=tuple(floors)), floor)


def kind(name: str, **parts: object) -> TowerData:
    """The data with one kind changed."""
    return replace(
        BASE,
        kinds=tuple(
            replace(k, **parts) if k.name == name else k  # type: ignore[arg-type]
            for k in BASE.kinds
        ),
    )


def able(**parts: object) -> TowerData:
    (rat,) = (k for k in BASE.kinds if k.name == "Rat")
    return kind("Rat", abilities=replace(rat.abilities, **parts))  # type: ignore[arg-type]


def added(*kinds: Kind) -> TowerData:
    return replace(BASE, kinds=(*BASE.kinds, *kinds))


def scripted(row: Row, at: Spot | None = None) -> TowerData:
    return replace(BASE, scripts=(*BASE.scripts, Script(row, at)))


def offers(*rows: Row) -> TowerData:
    return kind("Shop", rows=rows)


def buy(cost: tuple[tuple[str, int], ...], gain: tuple[tuple[str, int], ...]) -> Row:
    return Row("buy", cost=cost, gain=gain, consumes=False)


def hide(x: int, y: int, reveal: Script | None = None) -> TowerData:
    hidden = (*F1.hidden, Hidden(Spot("F1", x, y), Placement("Gem")))
    data = replace(BASE, floors=(replace(F1, hidden=hidden), F2))
    return data if reveal is None else replace(data, scripts=(*data.scripts, reveal))


RAT, BOSS, SHOP = Spot("F1", 1, 3), Spot("F1", 5, 3), Spot("F1", 4, 1)
NOWHERE, WALL = Spot("F1", 2, 2), Spot("F1", 0, 0)
TALK = Row("talk", Condition(flags=("Cross",)))


def reveal(spot: Spot) -> Row:
    return Row("pass", effects=(Effect("reveal", spot=spot),))


def test_base_has_no_defect() -> None:
    assert find_problems(BASE) == []


CASES: list[tuple[str, TowerData, str]] = [
    ("hero-hp", replace(BASE, hero=()), "the hero starts with 0 HP"),
    ("hero-hp", replace(BASE, hero=(("hp", -1),)), "-1 HP"),
    (
        "resource",
        replace(BASE, hero=(("hp", 1), ("mana", 1))),
        "the hero: unknown 'mana'",
    ),
    ("resource", offers(replace(buy((("gold", 1),), ()), doubles_with="x")), "'x'"),
    ("resource", scripted(Row("pass", effects=(Effect("scale", "x"),)), RAT), "'x'"),
    ("amount", replace(BASE, hero=(("hp", 1), ("gold", -1))), "gold is -1, below 0"),
    ("amount", offers(buy((("gold", 5),), (("hp", -3),))), "'Shop': hp is -3"),
    (
        "doubling",
        replace(
            offers(replace(buy((("gold", 1),), (("atk", 1),)), doubles_with="token")),
            hero=(("hp", 1), ("token", 1001)),
        ),
        "the hero: 1001 token would",
    ),
    ("settings", replace(BASE, settings=Settings(max_turns=0)), "max_turns is 0"),
    ("settings", replace(BASE, settings=Settings(lookahead_depth=-1)), "is -1"),
    ("settings", replace(BASE, settings=Settings(rule4_share=(2, 0))), "(2, 0)"),
    ("certificate", replace(BASE, certificate=Certificate(9, bound=8)), "bound 8 is"),
    (
        "certificate",
        replace(BASE, certificate=Certificate(9, status="x")),
        "status 'x'",
    ),
    (
        "certificate",
        replace(BASE, certificate=Certificate(9, status="bounded")),
        "no bound",
    ),
    ("kind-name", added(Kind(" ", "bars")), "empty name"),
    ("kind-duplicate", added(Kind("Rat", "bars")), "'Rat' is defined 2 times"),
    ("kind-duplicate", added(Kind("Gate", "bars")), "'Gate' is a built-in kind"),
    ("kind-type", added(Kind("X", "ship")), "'X': unknown type 'ship'"),
    ("kind-type", kind("Sage", carried=True), "only an item can be carried"),
    ("kind-type", kind("Rat", blocks=False), "a monster cannot be walked through"),
    ("kind-type", kind("Gem", anywhere=True), "only a shop can be open anywhere"),
    ("kind-category", kind("Gem", category="stone"), "unknown category 'stone'"),
    ("kind-rows", kind("Gem", rows=()), "nothing can be done with this item"),
    ("kind-rows", kind("Rat", rows=(Row("fight"), Row("fight"))), "has one row"),
    ("kind-verb", kind("Gem", rows=(Row("open"),)), "'open' does not fit a item"),
    ("kind-unknown", legend("x", Placement("Gems"), 1, 2), "did you mean 'Gem'?"),
    ("kind-unknown", replace(BASE, goal=Goal("defeat", "Bos")), "did you mean 'Boss'?"),
    ("monster-values", kind("Rat", values=()), "'Rat': HP, ATK and DEF are missing"),
    ("monster-values", kind("Rat", values=(Stats(0, 1, 1),)), "HP is 0, below 1"),
    ("monster-values", kind("Rat", values=(Stats(1, -1, 1),) * 2), "atk is negative"),
    (
        "monster-values",
        kind("Rat", values=(Stats(1, 1, 1), Stats(1, 1, 1, gold=-1))),
        "'Rat' (strengthened 1 times): gold is negative",
    ),
    ("monster-ability", able(hits=0), "hits is 0, below 1"),
    ("monster-ability", able(fixed=-1), "fixed is negative"),
    ("monster-ability", able(purify=-1), "purify is negative"),
    ("ratio", able(vampire=(1, 0)), "vampire is 1/0"),
    ("ratio", able(counter=(-1, 4)), "counter is -1/4"),
    (
        "ratio",
        scripted(Row("pass", effects=(Effect("scale", "hp", ratio=(1, 0)),)), RAT),
        "scale hp is 1/0",
    ),
    (
        "growth",
        offers(replace(buy((("gold", 1), ("exp", 1)), (("hp", 1),)), growth=1)),
        "needs one resource",
    ),
    ("effect", scripted(Row("pass", effects=(Effect("jump"),)), RAT), "'jump'"),
    (
        "effect",
        scripted(Row("pass", effects=(Effect("remove"),)), RAT),
        "without a cell",
    ),
    ("effect", scripted(Row("pass", effects=(Effect("set"),)), RAT), "without a flag"),
    ("offer-price", offers(buy((), (("hp", 1),))), "'Shop', offer 1: it has no price"),
    (
        "offer-consumes",
        offers(Row("buy", cost=(("gold", 5),), gain=(("hp", 1),))),
        "'Shop', offer 1: a purchase ends the shop",
    ),
    (
        "endless-gain",
        offers(buy((("gold", 5),), (("gold", 5), ("hp", 1)))),
        "it gives at least what it costs",
    ),
    (
        "endless-gain",
        offers(
            buy((("gold", 5),), (("yellow", 1),)),
            replace(buy((("yellow", 1),), (("gold", 6),)), verb="sell"),
        ),
        "'Shop', buy no. 1 and 'Shop', sell no. 2: used in turn they gain",
    ),
    (
        "endless-gain",
        kind("Sage", rows=(Row("talk", gain=(("hp", 1),), consumes=False),)),
        "'Sage': it gives",
    ),
    ("floor-none", replace(BASE, floors=()), "the tower has no floor"),
    ("floor-id", replace(BASE, floors=(F1, replace(F2, id="F 2"))), "'F 2'"),
    ("floor-id", replace(BASE, floors=(F1, replace(F2, id="F:2"))), "'F:2'"),
    ("floor-duplicate", replace(BASE, floors=(F1, F2, F2)), "'F2' exists 2 times"),
    (
        "floor-empty",
        replace(BASE, floors=(F1, F2, Floor("F3", ()))),
        "F3: the floor has",
    ),
    (
        "floor-ragged",
        replace(BASE, floors=(F1, replace(F2, rows=("####", "#D.", "####")))),
        "F2: row 2 has 3 cells, row 1 has 4",
    ),
    ("floor-unreachable", draw(2, 5, "."), "F2: no way leads to the floor"),
    ("letter-unknown", draw(1, 2, "q"), "F1:1,2: 'q' is not in the legend"),
    ("letter-reserved", legend("#", Placement("Gem"), 0, 0), "'#' cannot be a letter"),
    (
        "letter-reserved",
        legend("ab", Placement("Gem"), 1, 2),
        "'ab' cannot be a letter",
    ),
    (
        "letter-reserved",
        replace(BASE, floors=(replace(F1, legend=(*F1.legend, F1.legend[0])), F2)),
        "letter 'g' has 2 meanings",
    ),
    ("start-none", draw(1, 1, "."), "no floor has the start"),
    ("start-several", draw(1, 2, "@"), "stands at F1:1,1, F1:1,2"),
    (
        "spot-outside",
        replace(
            BASE,
            floors=(
                replace(F1, hidden=(Hidden(Spot("F1", 9, 9), Placement("Gem")),)),
                F2,
            ),
        ),
        "F1:9,9: hidden object: no cell of floor 'F1'",
    ),
    (
        "stairs-target",
        legend("U", Placement("Stairs Up"), 2, 5),
        "does not name a floor",
    ),
    ("stairs-target", legend("U", Placement("Stairs Up", "F9"), 2, 5), "floor 'F9'"),
    ("stairs-target", legend("g", Placement("Gem", "F2"), 2, 1), "leads nowhere"),
    ("stairs-back", draw(1, 1, ".", floor=1), "no stairs of 'F2' lead back"),
    ("stairs-ambiguous", draw(2, 1, "D", floor=1), "2 stairs of 'F2' lead back"),
    (
        "stairs-landing",
        legend("U", Placement("Stairs Up", "F2:0,0"), 2, 5),
        "it lands on a wall at F2:0,0",
    ),
    (
        "stairs-landing",
        legend("U", Placement("Stairs Up", "F2:9,9"), 2, 5),
        "there is no cell F2:9,9",
    ),
    (
        "stairs-landing",
        legend("D", Placement("Stairs Down", "F1:2,1"), 1, 1, floor=1),
        "it lands on 'Gem' at F1:2,1",
    ),
    ("portal", replace(BASE, portals=((RAT, WALL),)), "end F1:0,0 is a wall"),
    ("portal", replace(BASE, portals=((RAT, Spot("F9", 0, 0)),)), "is no cell"),
    ("portal", replace(BASE, portals=((RAT, RAT),)), "with itself"),
    ("object-unreachable", draw(5, 5, "g"), "'Gem' at F1:5,5: walled off"),
    ("goal-type", replace(BASE, goal=Goal("win")), "unknown goal 'win'"),
    ("goal-type", replace(BASE, goal=Goal("defeat", "Gem")), "must be a monster"),
    ("goal-type", replace(BASE, goal=Goal("take", "Boss")), "must be a item"),
    ("goal-type", replace(BASE, goal=Goal("defeat")), "must be a monster"),
    ("goal-absent", draw(5, 3, "."), "defeat 'Boss': there is no such object"),
    ("goal-absent", replace(BASE, goal=Goal("reach", "Exit")), "no such object"),
    ("goal-absent", replace(BASE, goal=Goal("script")), "no row wins"),
    (
        "goal-absent",
        replace(BASE, goal=Goal("defeat", "Boss", RAT)),
        "no such object at F1:1,3",
    ),
    ("goal-several", draw(1, 2, "Z"), "name one of F1:1,2, F1:5,3 with 'at'"),
    (
        "goal-unreachable",
        draw(5, 2, "#", draw(4, 3, "#")),
        "'Boss' at F1:5,3: out of reach",
    ),
    (
        "flag-unknown",
        kind("Sage", rows=(replace(TALK, condition=Condition(flags=("Cros",))),)),
        "nothing sets 'Cros'; did you mean 'Cross'?",
    ),
    (
        "flag-unknown",
        kind("Sage", rows=(replace(TALK, condition=Condition(without=("met",))),)),
        "nothing sets 'met'",
    ),
    (
        "flag-unknown",
        scripted(Row("pass", effects=(Effect("clear", "met"),)), RAT),
        "met",
    ),
    (
        "flag-reserved",
        scripted(Row("pass", effects=(Effect("set", "won"),)), RAT),
        "won",
    ),
    (
        "flag-reserved",
        scripted(Row("pass", effects=(Effect("set", "script 2"),)), RAT),
        "the game uses 'script 2'",
    ),
    (
        "condition-never",
        kind(
            "Sage", rows=(Row("talk", Condition(flags=("Cross",), without=("Cross",))),)
        ),
        "needed and excluded",
    ),
    ("condition-never", scripted(Row("pass", Condition(gone=(SHOP,)))), "never goes"),
    (
        "condition-never",
        scripted(Row("pass", Condition(gone=(RAT,), count=2))),
        "count is 2 of 1",
    ),
    (
        "condition-never",
        scripted(Row("pass", Condition(holds=(("exp", 5),)))),
        "nothing ever gives exp",
    ),
    (
        "condition-merged",
        replace(
            BASE,
            scripts=(
                Script(Row("pass", Condition(gone=(BOSS, RAT), count=1)), RAT),
                Script(Row("pass", Condition(gone=(BOSS,))), RAT),
            ),
        ),
        "only one of the conditions",
    ),
    ("script-spot", scripted(Row("pass"), NOWHERE), "no object stands at F1:2,2"),
    ("script-spot", scripted(Row("pass", Condition(gone=(NOWHERE,)))), "at F1:2,2"),
    (
        "script-spot",
        scripted(Row("pass", effects=(Effect("remove", spot=NOWHERE),)), RAT),
        "at F1:2,2",
    ),
    (
        "script-spot",
        scripted(Row("pass", effects=(Effect("remove", spot=Spot("F1", 2, 5)),)), RAT),
        "'Stairs Up' at F1:2,5 cannot be removed",
    ),
    ("script-spot", scripted(reveal(SHOP), RAT), "'Shop' at F1:4,1 is not hidden"),
    ("script-never", scripted(Row("pass"), Spot("F1", 3, 3)), "with 'Iron Bars'"),
    (
        "script-ignored",
        scripted(Row("pass", growth=1, cost=(("gold", 1),)), RAT),
        "no g",
    ),
    (
        "script-ignored",
        scripted(Row("pass", Condition(gone=(RAT,)), cost=(("gold", 1),))),
        "a trigger has no price",
    ),
    (
        "script-strengthens",
        scripted(Row("pass", effects=(Effect("strengthen", "Boss"),)), RAT),
        "'Boss' has no further values",
    ),
    (
        "script-strengthens",
        scripted(Row("pass", effects=(Effect("strengthen", "Gem"),)), RAT),
        "'Gem' is no kind of monster",
    ),
    ("trigger-always", scripted(Row("pass", gain=(("hp", 1),))), "neither 'at' nor"),
    (
        "hidden-place",
        hide(2, 2, Script(reveal(NOWHERE), RAT)),
        "it would cut the floor",
    ),
    ("hidden-place", hide(6, 2), "F1:6,2: 2 hidden objects"),
    (
        "hidden-place",
        hide(3, 3, Script(reveal(Spot("F1", 3, 3)), RAT)),
        "'Iron Bars' never goes",
    ),
    ("hidden-never", hide(0, 2), "'Gem' at F1:0,2: nothing reveals it"),
    ("reveal-cuts", hide(5, 3, Script(reveal(BOSS), RAT)), "stands on 'Boss'"),
    ("reveal-cuts", hide(4, 1, Script(reveal(SHOP), SHOP)), "stands on 'Shop'"),
]


@pytest.mark.parametrize(
    ("code", "data", "words"),
    CASES,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(CASES)],
)
def test_defect_is_found(code: str, data: TowerData, words: str) -> None:
    found = [text for text in find_problems(data) if text.startswith(f"{code}: ")]
    assert found
    assert any(words in text for text in found)


def test_every_code_of_the_table_has_a_case() -> None:
    assert {code for code, _, _ in CASES} == set(DEFECTS)


def test_all_defects_are_told_at_once() -> None:
    data = replace(draw(1, 2, "q"), hero=(), goal=Goal("win"))
    codes = {text.partition(":")[0] for text in find_problems(data)}
    assert codes == {"hero-hp", "letter-unknown", "goal-type"}


def test_tower_with_defects_is_not_compiled() -> None:
    with pytest.raises(MtGymError, match=r"has 1 defect\(s\): hero-hp: the hero"):
        _ = Tower(replace(BASE, hero=())).board


def test_object_left_under_another_by_its_own_action_is_sound() -> None:
    assert find_problems(hide(1, 3, Script(reveal(RAT), RAT))) == []


def test_unused_kinds_and_flags_that_nothing_reads_are_no_defect() -> None:
    data = scripted(Row("pass", effects=(Effect("set", "met"),)), RAT)
    unused = Kind("Ghost", "monster", values=(Stats(1, 1, 1),))
    assert find_problems(replace(data, kinds=(*data.kinds, unused))) == []


def test_equal_prices_of_two_traders_are_no_defect() -> None:
    data = offers(
        buy((("gold", 5),), (("yellow", 1),)),
        replace(buy((("yellow", 1),), (("gold", 5),)), verb="sell"),
    )
    assert find_problems(data) == []
