"""TOML maps: round trips, and what the reader says about a wrong file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mt_gym.engine.board import Board
from mt_gym.engine.formats.toml import dumps, load, loads
from mt_gym.engine.kinds import (
    CATEGORIES,
    RESOURCES,
    TYPES,
    VERBS,
    Abilities,
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
    amounts,
)
from mt_gym.engine.load import load as load_tower
from mt_gym.engine.load import loads as loads_tower
from mt_gym.engine.load import shipped
from mt_gym.engine.problems import DEFECTS, find_problems
from mt_gym.errors import MapError, MtGymError, UnknownFloor
from tests.engine.towers import DATA, NAMES

T = TypeVar("T")

# -- round trips -------------------------------------------------------------------

# Strategies are built once: drawing them anew for each example takes most of the time.
IDS = ("F1", "F2", 'a "b"')
KIND_NAMES = ("Rat", "Bat", "Cross", "Old Man", 'the "x"')
LETTERS = "abR'\"\\é"

names = st.sampled_from(["a", "b c", "won", 'q"\\', "é→", "x.y", "#", "tab\t"])
texts = st.sampled_from(["", "One.", 'say "x"', "two\nlines", "\x7f\r", "'''", "\\"])
numbers = st.integers(-3, 10**18 - 1)
amount_lists = st.lists(st.tuples(st.sampled_from(RESOURCES), numbers), max_size=3).map(
    lambda pairs: amounts(dict(pairs))
)
ratios = st.tuples(numbers, numbers)
cells = st.builds(Spot, st.sampled_from(IDS), st.integers(0, 9), st.integers(0, 9))


def some(of: st.SearchStrategy[T], most: int = 2) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(of, max_size=most).map(tuple)


one_effect = st.one_of(
    st.builds(Effect, st.sampled_from(["strengthen", "set", "clear"]), names),
    st.builds(
        lambda op, spot: Effect(op, spot=spot),
        st.sampled_from(["remove", "reveal"]),
        cells,
    ),
    st.builds(
        lambda name, ratio: Effect("scale", name, ratio=ratio),
        st.sampled_from(RESOURCES),
        ratios,
    ),
    st.just(Effect("win")),
)
conditions = st.builds(
    Condition, amount_lists, some(names), some(names), some(cells), st.integers(0, 3)
)
any_row = st.builds(
    Row,
    st.sampled_from(VERBS),
    conditions,
    amount_lists,
    amount_lists,
    st.integers(0, 9),
    st.sampled_from(["", *RESOURCES]),
    st.booleans(),
    st.booleans(),
    some(one_effect, 4),
    texts,
)
plain_row = any_row.map(lambda row: replace(row, growth=0, doubles_with="", once=False))
abilities = st.builds(
    Abilities,
    st.booleans(),
    st.booleans(),
    st.none() | ratios,
    st.booleans(),
    st.integers(0, 4),
    st.none() | ratios,
    st.booleans(),
    st.none() | ratios,
    st.integers(0, 3),
    st.integers(0, 100),
)
stats = st.builds(Stats, numbers, numbers, numbers, numbers, numbers)
any_kind = st.builds(
    Kind,
    st.sampled_from(KIND_NAMES),
    st.sampled_from(TYPES),
    some(any_row),
    some(stats, 3),
    abilities,
    st.sampled_from(["", *CATEGORIES]),
    *(st.booleans() for _ in range(5)),
)
VERB_OF = {"item": "collect", "shop": "buy", "trade": "trade", "character": "talk"}


def usual(kind: Kind, row: Row, kind_type: str) -> Kind:
    """A kind that the short form of its section can say, as far as it goes."""
    if kind_type == "monster":
        return replace(
            Kind(kind.name, "monster"), values=kind.values, abilities=kind.abilities
        )
    row = replace(row, verb=VERB_OF[kind_type], consumes=kind_type != "shop")
    category = (kind.category or "gem") if kind_type == "item" else ""
    return Kind(kind.name, kind_type, rows=(row,), category=category)


kinds = any_kind | st.builds(
    usual, any_kind, plain_row, st.sampled_from(["monster", *VERB_OF])
)
placements = st.one_of(
    st.builds(
        Placement,
        st.sampled_from([*KIND_NAMES, "Stairs Up", "Stairs Down"]),
        st.sampled_from(["", "F2", "F2:3,4"]),
        st.sampled_from(["", "up", "down"]),
        st.booleans(),
    ),
    st.builds(Placement, st.sampled_from(KIND_NAMES)),
)
drawings = st.lists(
    st.text("#." + LETTERS, min_size=3, max_size=3), min_size=1, max_size=3
)
any_floor = st.builds(
    Floor,
    st.just(""),
    drawings.map(tuple),
    st.lists(placements, min_size=len(LETTERS), max_size=len(LETTERS)).map(
        lambda found: tuple(zip(LETTERS, found, strict=True))
    ),
    texts,
    some(st.builds(Hidden, cells, placements)),
    texts,
)
scripts = st.builds(
    lambda row, at, name: Script(replace(row, consumes=True), at, name),
    plain_row,
    st.none() | cells,
    texts,
)
goals = st.one_of(
    st.builds(
        Goal,
        st.sampled_from(["defeat", "reach", "take"]),
        st.sampled_from(KIND_NAMES),
        st.none() | cells,
        texts,
    ),
    st.builds(Goal, st.sampled_from(["reach", "script"])),
)
certificates = st.builds(
    Certificate,
    numbers,
    some(texts, 12),
    st.sampled_from(["optimal", "bounded"]),
    st.none() | numbers,
    st.none() | numbers,
    texts,
)


def numbered(floors: list[Floor]) -> tuple[Floor, ...]:
    """Floors with their ids, the start on the first one."""
    rows = floors[0].rows
    floors = [replace(floors[0], rows=("@" + rows[0][1:], *rows[1:])), *floors[1:]]
    return tuple(
        replace(floor, id=fid) for floor, fid in zip(floors, IDS, strict=False)
    )


towers = st.builds(
    TowerData,
    texts,
    amount_lists,
    st.lists(any_floor, min_size=1, max_size=3).map(numbered),
    goals,
    some(kinds, 4).map(lambda found: tuple({k.name: k for k in found}.values())),
    some(scripts),
    some(st.tuples(cells, cells)),
    st.builds(Settings, numbers, numbers, ratios),
    texts,
    texts,
    st.none() | certificates,
)
"""Any data that a map file can say, most of them no sensible map."""


@given(towers)
def test_what_is_written_reads_back_as_equal_data(data: TowerData) -> None:
    again = loads(dumps(data))
    assert again == data
    assert again.certificate == data.certificate


@given(towers)
def test_search_for_defects_never_raises_and_sound_data_compile(
    data: TowerData,
) -> None:
    problems = find_problems(data)
    assert all(text.partition(":")[0] in DEFECTS for text in problems)
    if not problems:
        Board(data)


@pytest.mark.parametrize("name", NAMES)
def test_small_towers_survive_writing(name: str) -> None:
    data = load(DATA / f"{name}.toml")
    assert loads(dumps(data)) == data
    assert dumps(loads(dumps(data))) == dumps(data)


@pytest.mark.parametrize("name", shipped())
def test_shipped_maps_survive_writing(name: str) -> None:
    tower = load_tower(name)
    again = loads_tower(tower.to_toml())
    assert again == tower
    assert again.certificate == tower.certificate
    assert again.digest == tower.digest


def test_data_that_a_file_cannot_say_are_refused() -> None:
    data = load(DATA / "seal.toml")
    lost = Script(Row("pass", growth=3))
    with pytest.raises(MtGymError, match="a map file cannot say"):
        dumps(replace(data, scripts=(lost,)))


def test_unusual_order_of_kinds_is_kept() -> None:
    data = load(DATA / "items.toml")
    turned = replace(data, kinds=data.kinds[::-1])
    assert "order = [" in dumps(turned)
    assert loads(dumps(turned)).kinds == turned.kinds


# -- short forms ---------------------------------------------------------------------


def kind(name: str, key: str) -> Kind:
    found = {kind.name: kind for kind in load(DATA / f"{name}.toml").kinds}
    return found[key]


def test_category_follows_from_what_an_item_gives() -> None:
    found = {k.name: k.category for k in load(DATA / "items.toml").kinds}
    assert found == {
        "Giant": "",
        "Red Gem": "gem",
        "Blue Gem": "gem",
        "Green Gem": "gem",
        "Potion": "potion",
        "Yellow Key": "key",
        "Key Box": "key_box",
        "Sword": "sword",
        "Shield": "shield",
        "Feather": "feather",
        "Gold Block": "gold",
        "Compass": "compass",
        "Cross": "quest",
        "Coin": "token",
    }


def test_what_scales_is_taken_by_hand() -> None:
    assert kind("holy_water", "Holy Water").manual
    assert not kind("holy_water", "Potion").manual


def test_price_in_keys_makes_a_sale() -> None:
    assert {row.verb for row in kind("key_trader", "Key Buyer").rows} == {"sell"}
    assert {row.verb for row in kind("key_trader", "Key Seller").rows} == {"buy"}


def test_talk_is_once_unless_it_may_be_repeated_or_ends() -> None:
    first, second = kind("character_gifts", "Fairy").rows
    assert (first.consumes, first.once) == (False, True)
    assert (second.consumes, second.once) == (True, False)
    again, _ = kind("character_gifts", "Sage").rows
    assert (again.consumes, again.once) == (False, False)


def test_short_spot_means_the_only_floor() -> None:
    (script,) = load(DATA / "seal.toml").scripts
    assert script.row.effects[0].spot == Spot("seal", 3, 4)


def test_a_byte_order_mark_is_no_part_of_the_map(tmp_path: Path) -> None:
    marked = tmp_path / "stairs.toml"
    marked.write_bytes(b"\xef\xbb\xbf" + (DATA / "stairs.toml").read_bytes())
    assert load(marked) == load(DATA / "stairs.toml")


def test_floor_files_stand_beside_the_map(tmp_path: Path) -> None:
    text = (DATA / "stairs.toml").read_text()
    head, *parts = text.split("[[floors]]\n")
    files = []
    for number, part in enumerate(parts):
        (tmp_path / f"f{number}.toml").write_text(part.replace("[floors.", "["))
        files.append(f"f{number}.toml")
    (tmp_path / "all.toml").write_text(f"floor_files = {files}\n{head}")
    assert load(tmp_path / "all.toml") == load(DATA / "stairs.toml")
    assert load_tower(tmp_path / "all.toml").problems() == []
    (tmp_path / "f1.toml").unlink()
    with pytest.raises(MapError, match=r"f1\.toml: No such file"):
        load(tmp_path / "all.toml")
    with pytest.raises(MapError, match="read from a file"):
        loads(f"floor_files = {files}\n{head}")


def test_error_in_a_floor_file_names_that_file(tmp_path: Path) -> None:
    head, *parts = (DATA / "stairs.toml").read_text().split("[[floors]]\n")
    (tmp_path / "a.toml").write_text('floor_files = ["b.toml"]\n' + head)
    floor = parts[0].replace("[floors.", "[").replace("..##", ".q##")
    (tmp_path / "b.toml").write_text(floor)
    with pytest.raises(MapError, match=r"b\.toml: row 3, column 3: unknown letter 'q'"):
        load(tmp_path / "a.toml")


# -- messages ------------------------------------------------------------------------

SEAL = (DATA / "seal.toml").read_text()
FULL = (
    SEAL
    + """
[certificate]
optimum = 1

[items]
Gem = { atk = 1 }

[shops.Shop]
price = { gold = 1 }
offers = [{ hp = 1 }]

[characters.Man]
talks = [{ text = "Hello" }]

[crystals]
White = { choices = [{ atk = 1 }] }
"""
)


def test_full_example_is_read() -> None:
    assert len(loads(FULL).kinds) == 6


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "#g.g.g#",
            "#q.g.g#",
            "x.toml: row 2, column 2: unknown letter 'q' on floor "
            "'seal' (allowed: '#' wall, '.' floor, '@' start, and of the legend 'g',",
        ),
        (
            "#g.g.g#",
            "#g.g.g##",
            "x.toml: row 2, column 8: 8 cells on floor 'seal', but row 1 has 7",
        ),
        ("#g.g.g#", "#g.g.g", "x.toml: row 2, column 7: 6 cells"),
        ("@", ".", "no floor has the start '@'"),
        (
            "..@",
            "@.@",
            "x.toml: row 4, column 4: a second start '@' on floor 'seal'; "
            "the first is at seal:1,3",
        ),
        ("hp = 100", "hp =", "x.toml: line 6, column 5: Invalid value"),
        ('name = "seal"', 'name = "seal', "x.toml: line 1, column 13: Illegal"),
        ("{ choices = [{ atk = 1 }] }", "[", "Invalid value, at the end of the text"),
        ("[goal]", "[gaol]", "unknown key 'gaol'; did you mean 'goal'? (allowed: name"),
        ('name = "seal"', "", "'name' is missing"),
        ('name = "seal"', "name = 3", "'name' must be a string, not 3"),
        ('[goal]\ndefeat = "Warden"', "", "[goal] is missing"),
        ("[hero]\nhp = 100", "[hero]", "[hero]: 'hp' is missing"),
        (
            "hp = 100",
            "hp = 1e2",
            "[hero]: 'hp' must be an integer, not the float 100.0",
        ),
        ("hp = 100", "hp = true", "'hp' must be an integer, not true"),
        ("hp = 100", "hp = 100\nbleu = 1", "unknown key 'bleu'; did you mean 'blue'?"),
        (
            'defeat = "W',
            'take = "x"\ndefeat = "W',
            "exactly one of defeat, reach, take, "
            "script is expected, found defeat, take",
        ),
        ('defeat = "Warden"', "script = 3", "'script' can only be true"),
        (
            'defeat = "Warden"',
            'defeat = "W"\nat = "x"',
            "'at' must be a cell: floor, column and row such as 'MT3:5,4', not 'x'",
        ),
        (
            "gold = 1",
            "golds = 1",
            "[monsters] 'Guard': unknown key 'golds'; did you mean 'gold'?",
        ),
        ("atk = 8, ", "", "[monsters] 'Guard': 'atk' is missing"),
        (
            "gold = 1",
            "vampire = 0.25",
            "'vampire' must be a ratio of two integers such "
            "as [1, 4], not the float 0.25",
        ),
        ("gold = 1", "counter = [1, 2, 3]", "'counter' must be a ratio"),
        ("gold = 1", "counter = [1, 0.5]", "'counter' must be a ratio"),
        ("gold = 1", "magic = 1", "'magic' must be true or false, not 1"),
        ("gold = 1", "strengthened = 1", "'strengthened' must be a list, not 1"),
        ("gold = 1", "strengthened = [1]", "'strengthened' no. 1: a table is expected"),
        (
            "{ atk = 1 }\n\n[shops",
            "{ atk = 1, hp = 1 }\n\n[shops",
            "[items] 'Gem': 'category' is missing and does not follow",
        ),
        (
            "{ atk = 1 }\n\n[shops",
            "{ category = 'x' }\n\n[shops",
            "unknown 'x' (allowed: gem, potion",
        ),
        ("offers = [{ hp = 1 }]", "", "[shops] 'Shop': 'offers' is missing or empty"),
        (
            "offers = [{ hp = 1 }]",
            "offers = [{ hp = 1, cost = 1 }]",
            "[shops] 'Shop', 'offers' no. 1: unknown key 'cost'",
        ),
        ("offers", 'doubles_with = "tokens"\noffers', "unknown resource 'tokens'"),
        ('talks = [{ text = "Hello" }]', "", "'talks' is missing or empty"),
        ("choices = [{ atk = 1 }]", "", "'choices' is missing or empty"),
        ('text = "Hello"', "effects = [{ set = 'a', win = true }]", "exactly one of"),
        ('text = "Hello"', "effects = [{ scale = { atk = 2 } }]", "must be a ratio"),
        ('"1,1", ', '"x1,1", ', "'gone' must be a cell"),
        ('"1,1", ', "3, ", "'gone' must be a list of strings, not 3"),
        ("count = 2", "counts = 2", "'needs': unknown key 'counts'; did you mean"),
        ('id = "seal"', "", "'id' is missing"),
        ('I = "Iron Bars"', 'II = "Iron Bars"', "'II' cannot be a letter"),
        ('I = "Iron Bars"', '"@" = "Iron Bars"', "'@' cannot be a letter"),
        ('I = "Iron Bars"', "I = 3", "letter 'I': a table is expected, not 3"),
        ('I = "Iron Bars"', "I = { to = 'F2' }", "exactly one of 'is' (a kind) and"),
        ('I = "Iron Bars"', "I = { stairs = 'left' }", "'stairs' must be 'up' or"),
        (
            'I = "Iron Bars"',
            "I = { stairs = 'up', to = 'F2:1' }",
            "'to' must be a floor",
        ),
        ('I = "Iron Bars"', "I = { stairs = 'up', direction = 'up' }", "'direction'"),
        ("optimum = 1", "optimum = 1\nstatus = 'good'", "'status' must be 'optimal'"),
        (
            'name = "seal"',
            'name = "seal"\nportals = [1]',
            "'portals' must be a list of",
        ),
        (
            'name = "seal"',
            'name = "seal"\nportals = [[1, 2]]',
            "must be pairs of cells",
        ),
        (
            'name = "seal"',
            'name = "seal"\norder = ["Guard"]',
            "'order' must name every",
        ),
        (
            "[crystals]\nWhite",
            "[crystals]\nGem",
            "a kind of this name is defined twice",
        ),
        (
            "[certificate]",
            "[settings]\nrule4_share = 0.4\n[certificate]",
            "'rule4_share' must be a ratio",
        ),
        ("[certificate]", "[things.X]\ntype = 'ship'\n[certificate]", "unknown 'ship'"),
        ('removes = ["3,4"]', 'verb = "jump"', "unknown verb 'jump'"),
    ],
)
def test_wrong_file_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    assert old in FULL
    with pytest.raises(MapError) as caught:
        loads(FULL.replace(old, new, 1), "x.toml")
    assert str(caught.value).startswith("x.toml: ")
    assert message in str(caught.value)


def test_map_without_floors() -> None:
    with pytest.raises(MapError, match="there is no floor"):
        loads(SEAL.partition("[[floors]]")[0])


def test_cell_without_floor_on_a_tower_of_several() -> None:
    text = (DATA / "hidden_stairs.toml").read_text().replace('"F1:1,3"', '"1,3"')
    with pytest.raises(MapError, match="the cell '1,3' must name its floor"):
        loads(text)


# -- finding files -------------------------------------------------------------------


def test_unknown_floor_lists_the_shipped_ones() -> None:
    with pytest.raises(
        UnknownFloor, match=r"'simpel'; did you mean 'simple'\?.*simple"
    ):
        load_tower("simpel")
    with pytest.raises(UnknownFloor, match="no file"):
        load_tower("nowhere/x.toml")


def test_unknown_format_and_suffix(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="unknown map format 'yaml'"):
        loads_tower("", "yaml")
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(MapError, match=r"unknown suffix '\.png'"):
        load_tower(tmp_path / "a.png")


def test_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MapError, match="not UTF-8"):
        load_tower(tmp_path / "a.toml")
