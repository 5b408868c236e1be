"""The reader of the text format: every code, both encodings, every error."""

from dataclasses import replace
from pathlib import Path

import pytest

from mt_gym.engine.formats import text
from mt_gym.engine.kinds import Abilities, Kind, TowerData
from mt_gym.engine.load import load, loads
from mt_gym.engine.tower import Tower
from mt_gym.errors import MapError

DATA = Path(__file__).parent.parent / "data" / "formats"

BASE = """\
1
2 3
0 201 299
1 0 21
1 2 3 4 5 6 7 8 9
2
201 10 5 1 7 0
299 10 5 1 0 0
0 0 0 0 0 0
100 10 10 0 0 0 0 0 0 0 0
"""


def changed(line: int, words: str, base: str = BASE) -> str:
    """The base map with one line replaced."""
    lines = base.splitlines()
    lines[line - 1] = words
    return "\n".join(lines) + "\n"


def kinds(data: TowerData) -> dict[str, Kind]:
    return {kind.name: kind for kind in data.kinds}


@pytest.fixture(scope="module")
def every() -> Tower:
    return load(DATA / "every.txt")


def what_stands(tower: Tower) -> dict[str, str]:
    """Action text of the first action -> name, of every object."""
    return {str(thing.actions[0]): thing.name for thing in tower.board.objects}


def test_every_cell_code_becomes_its_object(every: Tower) -> None:
    assert every.problems() == []
    found = what_stands(every)
    expected = {
        "collect 1,0": "Yellow Key",
        "collect 2,0": "Blue Key",
        "collect 3,0": "Red Key",
        "collect 4,0": "Green Key",
        "collect 5,0": "Red Gem",
        "collect 6,0": "Blue Gem",
        "open 0,1": "Yellow Door",
        "open 1,1": "Blue Door",
        "open 2,1": "Red Door",
        "open 3,1": "Green Door",
        "collect 4,1": "Green Gem",
        "collect 5,1": "Red Potion",
        "collect 6,1": "Blue Potion",
        "collect 0,2": "Green Potion",
        "collect 1,2": "Yellow Potion",
        "collect 2,2": "Sword",
        "collect 3,2": "Shield",
        "buy 4,2 #1": "Shop",
        "climb 6,2": "Stairs Up",
        "fight 5,3": "Monster 201",
        **{f"fight {x},4": f"Monster {202 + x}" for x in range(7)},
    }
    first = {k.partition(":")[2]: v for k, v in found.items() if k[:3] == "MT0"}
    assert first == expected
    second = {k.partition(":")[2]: v for k, v in found.items() if k[:3] == "MT1"}
    assert second == {
        **{f"fight {x},0": f"Monster {209 + x}" for x in range(4)},
        "fight 1,3": "Boss",
        "climb 6,3": "Stairs Down",
    }


def test_item_values_come_in_the_order_of_the_file_not_of_the_codes(
    every: Tower,
) -> None:
    gains = {
        kind.name: kind.rows[0].gain for kind in every.data.kinds if kind.type == "item"
    }
    assert gains == {
        "Yellow Key": (("yellow", 1),),
        "Blue Key": (("blue", 1),),
        "Red Key": (("red", 1),),
        "Green Key": (("green", 1),),
        "Red Gem": (("atk", 1),),
        "Blue Gem": (("def", 2),),
        "Green Gem": (("mdef", 3),),
        "Red Potion": (("hp", 10),),
        "Blue Potion": (("hp", 20),),
        "Yellow Potion": (("hp", 30),),
        "Green Potion": (("hp", 40),),
        "Sword": (("atk", 5),),
        "Shield": (("def", 6),),
    }


def test_specials_become_our_abilities_and_are_packed_base_100(every: Tower) -> None:
    found = {name: kind.abilities for name, kind in kinds(every.data).items()}
    assert found["Monster 201"] == Abilities()
    assert found["Monster 202"] == Abilities(first_strike=True)
    assert found["Monster 203"] == Abilities(magic=True)
    assert found["Monster 204"] == Abilities(solid=True)
    assert found["Monster 205"] == Abilities(hits=2)
    assert found["Monster 206"] == Abilities(hits=3)
    assert found["Monster 207"] == Abilities(hits=4)
    assert found["Monster 208"] == Abilities(armour_break=(9, 10))
    assert found["Monster 209"] == Abilities(counter=(1, 10))
    assert found["Monster 210"] == Abilities(purify=3)
    assert found["Monster 211"] == Abilities(mimic=True)
    assert found["Monster 212"] == Abilities(solid=True, hits=4)
    assert found["Boss"] == Abilities(magic=True, hits=2, first_strike=True)


def test_where_other_programs_of_the_format_count_differently_is_noted(
    every: Tower,
) -> None:
    notes = [line for line in every.data.about.splitlines() if "Other programs" in line]
    assert [note.split()[6] for note in notes] == ["209", "210", "211"]
    assert "T - 1" in notes[0]
    assert "2 * MDEF" in notes[1]


def test_the_hero_starts_where_and_as_the_file_says(every: Tower) -> None:
    hero = every.initial_state().hero
    assert (hero.hp, hero.atk, hero.defense, hero.mdef) == (300, 10, 9, 1)
    assert (hero.gold, hero.yellow, hero.blue, hero.red) == (25, 1, 2, 3)
    assert str(every.board.spots[hero.position]) == "MT0:5,2"


def test_the_shop_sells_each_thing_at_one_growing_price(every: Tower) -> None:
    state = every.initial_state()
    state = every.step(state, every.action("MT0:buy 4,2 #2"))
    assert (state.hero.gold, state.hero.atk) == (5, 12)
    assert state.world.counts == (1,)
    price = every.game.cost(state, every.action("MT0:buy 4,2 #1").row)
    assert [amount for _, amount in price] == [25]


def test_stairs_lead_to_the_next_floor_and_back(every: Tower) -> None:
    state = every.step(every.initial_state(), every.action("MT0:climb 6,2"))
    legal = {str(action) for action in every.legal_actions(state)}
    assert "MT1:fight 1,3" in legal
    assert str(every.board.spots[state.hero.position]) == "MT1:6,3"


def test_the_boss_is_the_goal(every: Tower) -> None:
    assert every.data.goal.type == "defeat"
    assert [thing.name for thing in every.board.objects if thing.goal] == ["Boss"]


@pytest.mark.parametrize("numbers", ["0 0 0 0 0 0", "999999 0 0 0 0 0"])
def test_a_file_without_a_shop_has_none(numbers: str) -> None:
    data = text.loads(changed(9, numbers))
    assert [kind for kind in data.kinds if kind.type == "shop"] == []


def test_a_gb18030_file_is_the_same_map_with_its_words(every: Tower) -> None:
    path = DATA / "every_gb18030.txt"
    with pytest.raises(UnicodeDecodeError):
        path.read_text(encoding="utf-8")
    data = load(path).data
    assert data.about.startswith("魔塔样例\n")
    assert replace(data, name="every", about=every.data.about) == every.data


def test_a_byte_order_mark_is_no_part_of_the_map(tmp_path: Path, every: Tower) -> None:
    path = tmp_path / "every.txt"
    path.write_bytes(b"\xef\xbb\xbf" + (DATA / "every.txt").read_bytes())
    assert load(path).data == every.data


def test_tabs_spaces_and_line_ends_do_not_matter(every: Tower) -> None:
    source = (DATA / "every.txt").read_text()
    for same in (
        source.replace("\t", " "),
        source.replace("\n", "\r\n"),
        " ".join(source.split()),
    ):
        assert text.loads(same, name="every") == every.data


def test_the_name_is_that_of_the_file_and_several_floors_get_longer_play(
    every: Tower,
) -> None:
    assert every.name == "every"
    assert every.data.settings.max_turns == 5000
    assert text.loads(BASE).settings.max_turns == 300


def test_an_item_that_gives_nothing_is_floor_and_noted() -> None:
    data = text.loads(changed(4, "1 0 36", changed(5, "1 2 3 4 5 6 7 8 0")))
    assert data.floors[0].rows[1] == "#.."
    assert "Shield (36) gives nothing here" in data.about


def test_an_object_behind_walls_is_left_out_and_noted() -> None:
    data = text.loads(changed(3, "0 299 1", changed(4, "1 1 21")))
    assert data.floors[0].rows[1] == "##."
    assert data.about == "Left out, walled off: 'Yellow Key' at MT0:2,1."
    assert Tower(data).problems() == []


def test_a_boss_behind_walls_is_a_defect_of_the_map() -> None:
    tower = Tower(text.loads(changed(3, "0 1 299", changed(4, "1 1 1"))))
    assert any(p.startswith("goal-unreachable") for p in tower.problems())


def test_loads_takes_the_format_by_its_suffix() -> None:
    assert loads(BASE, format="txt").data == text.loads(BASE)


ERRORS = {
    "a word": (changed(4, "1 x 21"), "'x' stands where the cell of", 4, 3),
    "a fraction": (changed(5, "1.5 2 3 4 5 6 7 8 9"), "'1.5' stands where", 5, 1),
    "the end": (changed(10, "100 10 10"), "ends where the hero's MDEF", 10, 10),
    "no text": ("", "ends where the number of floors", 1, 1),
    "no floor": (changed(1, "0"), "number of floors is 0", 1, 1),
    "no row": (changed(2, "0 3"), "number of rows is 0", 2, 1),
    "unknown cell": (
        changed(4, "1 0 77"),
        "floor 0, row 1, column 2: unknown cell 77",
        4,
        5,
    ),
    "negative cell": (changed(4, "1 -1 0"), "row 1, column 1 is -1", 4, 3),
    "unlisted monster": (
        changed(4, "1 0 250"),
        "row 1, column 2: monster 250 is not in the list of monsters (201, 299)",
        4,
        5,
    ),
    "no boss": (changed(3, "0 201 0"), "no floor has a boss (299)", None, None),
    "two bosses": (
        changed(4, "1 299 0"),
        "row 1, column 1: a boss (299) again; one is on floor 0, row 0, column 2",
        4,
        3,
    ),
    "shop cell without shop": (
        changed(4, "1 40 0"),
        "row 1, column 1: a shop (40), but the file sells nothing",
        4,
        3,
    ),
    "stairs to nowhere": (
        changed(4, "1 87 0"),
        "row 1, column 1: stairs (87) to floor 1, which has no 88",
        4,
        3,
    ),
    "stairs below the first floor": (
        changed(4, "1 88 0"),
        "stairs (88) to floor -1, which has no 87",
        4,
        3,
    ),
    "stairs twice": (
        changed(4, "87 87 0"),
        "row 1, column 1: the floor has 87 twice",
        4,
        4,
    ),
    "monster id": (changed(7, "200 10 5 1 7 0"), "monster 1's id is 200", 7, 1),
    "monster twice": (
        changed(7, "299 10 5 1 7 0"),
        "monster 2: the id 299 is there twice",
        8,
        1,
    ),
    "monster HP": (changed(7, "201 0 5 1 7 0"), "monster 1's HP is 0", 7, 5),
    "monster gold": (changed(7, "201 9 5 1 -7 0"), "monster 1's gold is -7", 7, 11),
    "special": (
        changed(7, "201 10 5 1 7 311"),
        "monster 1: unknown special 11 in 311",
        7,
        14,
    ),
    "item value": (changed(5, "1 2 3 4 5 -6 7 8 9"), "the value of 34", 5, 11),
    "free shop": (changed(9, "0 5 1 0 0 0"), "the shop sells for nothing", 9, 1),
    "empty shop": (changed(9, "5 5 0 0 0 0"), "has nothing to sell", 9, 1),
    "dead hero": (changed(10, "0 1 1 0 0 0 0 0 0 0 0"), "the hero's HP is 0", 10, 1),
    "start floor": (
        changed(10, "100 10 10 0 0 0 0 0 1 0 0"),
        "the floor of the start is 1 (allowed: 0 to 0)",
        10,
        21,
    ),
    "start row": (
        changed(10, "100 10 10 0 0 0 0 0 0 2 0"),
        "the row of the start is 2 (allowed: 0 to 1)",
        10,
        23,
    ),
    "start column": (
        changed(10, "100 10 10 0 0 0 0 0 0 0 3"),
        "the column of the start is 3 (allowed: 0 to 2)",
        10,
        25,
    ),
    "start on a monster": (
        changed(10, "100 10 10 0 0 0 0 0 0 0 1"),
        "row 0, column 1: the hero starts on 201",
        3,
        3,
    ),
    "more numbers": (BASE + "5\n", "complete, but the number 5 follows", 11, 1),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_defect_is_named_with_line_column_and_cell(name: str) -> None:
    source, message, line, column = ERRORS[name]
    with pytest.raises(MapError) as caught:
        text.loads(source, "small.txt")
    assert message in str(caught.value)
    assert str(caught.value).startswith("small.txt: ")
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(("words", "row"), [("0 201", 0), ("0 201 299 0", 1)])
def test_a_row_of_another_length_is_named(words: str, row: int) -> None:
    """It moves all numbers after it, so that the error itself is elsewhere."""
    hint = f"floor 0, row {row} goes from line 3 to line 4: does a row there"
    with pytest.raises(MapError, match=hint):
        text.loads(changed(3, words))
    with pytest.raises(MapError) as caught:
        text.loads(" ".join(changed(3, words).split()))
    assert "does a row" not in str(caught.value)


def test_a_file_in_no_known_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "binary.txt"
    path.write_bytes(b"1\n\xff\xff\xff")
    with pytest.raises(MapError, match="neither UTF-8 nor GB18030"):
        load(path)


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="directory"):
        text.load(tmp_path)
