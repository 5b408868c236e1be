"""The reader of the `.mt` format: every code, the tools, every error."""

from pathlib import Path

import pytest

from mt_gym.engine.formats import mt
from mt_gym.engine.kinds import Abilities, Kind
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MapError
from tests.formats.mt_text import mt_text

DATA = Path(__file__).parent.parent / "data" / "formats"


@pytest.fixture(scope="module")
def every() -> Tower:
    return load(DATA / "every.mt")


def tower(*maps: str, **parts: str) -> Tower:
    return Tower(mt.loads(mt_text(*maps, **parts)))


def play(game: Tower, *actions: str) -> State:
    state = game.initial_state()
    for action in actions:
        state = game.step(state, game.action(action))
    return state


def legal(game: Tower, state: State) -> list[str]:
    return [str(action) for action in game.legal_actions(state)]


def kind(game: Tower, name: str) -> Kind:
    return next(kind for kind in game.data.kinds if kind.name == name)


# -- cells -----------------------------------------------------------------------


def test_every_cell_code_becomes_its_object(every: Tower) -> None:
    assert every.problems() == []
    assert every.describe()
    codes = [
        [int(word) for word in line.split()]
        for line in (DATA / "every.mt").read_text().splitlines()
    ]
    grid = [row for row in codes if len(row) == 15][:15]
    names = {str(thing.spot): thing.name for thing in every.board.objects}
    colours = ("Red", "Blue", "Green", "White")
    single = {
        **{56: "Yellow Key", 57: "Blue Key", 58: "Red Key", 59: "Gold"},
        **{60: "Token", 61: "Pickaxe", 62: "Bomb", 63: "Flag"},
        **{96: "Yellow Door", 97: "Blue Door", 98: "Red Door"},
        99: "Breakable Wall",
    }
    seen = set()
    for y, row in enumerate(grid):
        for x, code in enumerate(row):
            seen.add(code)
            if 8 <= code < 40:
                name, level = f"{colours[code // 8 - 1]} Crystal", code % 8
            elif 40 <= code < 56:
                name, level = "Potion", code - 40
            elif code >= 128:
                name, level = f"Monster {code - 128}", 0
            elif code in single:
                name, level = single[code], 0
            else:
                name, level = "", 0
            wanted = f"{name} x{2**level}" if level else name
            assert names.get(f"MT0:{x},{y}", "") == wanted
    assert seen >= {0, *range(8, 64), 96, 97, 98, 99, 100, 128}


def test_crystals_and_potions_give_the_unit_doubled_by_each_level(every: Tower) -> None:
    for name, resource, unit in (
        ("Red Crystal", "atk", 1),
        ("Blue Crystal", "def", 2),
        ("Green Crystal", "mdef", 3),
        ("Potion", "hp", 50),
    ):
        for level in range(8):
            full = f"{name} x{2**level}" if level else name
            gain = ((resource, unit * 2**level),)
            assert kind(every, full).rows[0].gain == gain
    assert kind(every, "Potion x32768").rows[0].gain == (("hp", 50 * 2**15),)


def test_a_white_crystal_lets_the_hero_choose_and_never_blocks() -> None:
    game = tower("0 33 8 63")
    state = game.initial_state()
    assert legal(game, state) == [
        *("choose 1,0 #1", "choose 1,0 #2", "choose 1,0 #3"),
        "collect 2,0",
    ]
    for number, stat in ((1, "atk"), (2, "defense"), (3, "mdef")):
        after = play(game, f"choose 1,0 #{number}")
        grown = getattr(after.hero, stat) - getattr(state.hero, stat)
        assert grown == 2 * (1, 2, 3)[number - 1]
        assert legal(game, after) == ["collect 2,0"]


def test_a_crystal_stays_offered_after_the_hero_has_walked_past() -> None:
    game = tower("0 32 8 63")
    assert "choose 1,0 #2" in legal(game, play(game, "collect 2,0"))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, Abilities()),
        (1, Abilities(hits=3)),
        (2, Abilities(magic=True)),
        (3, Abilities(solid=True)),
        (4, Abilities(first_strike=True)),
        (5, Abilities()),
        (6, Abilities(hits=4, magic=True, solid=True, first_strike=True)),
    ],
)
def test_special_bits_become_our_abilities(
    every: Tower, number: int, expected: Abilities
) -> None:
    found = kind(every, f"Monster {number}")
    assert found.abilities == expected
    assert found.boss == (number in (5, 6))


def test_the_hero_starts_where_and_as_the_file_says(every: Tower) -> None:
    hero = every.initial_state().hero
    assert (hero.hp, hero.atk, hero.defense, hero.mdef) == (500, 10, 10, 2)
    assert (hero.yellow, hero.blue, hero.red) == (1, 0, 1)
    assert (hero.gold, hero.token, hero.pickaxe, hero.bomb) == (200, 1, 1, 1)
    assert str(every.board.spots[hero.position]) == "MT0:7,6"


def test_score_thresholds_are_noted(every: Tower) -> None:
    assert every.data.about == "Score thresholds: 0 10 20 30 40 50."


# -- gold, tools, portals, flag -----------------------------------------------------


def test_at_any_time_100_gold_buys_a_unit_doubled_by_each_token() -> None:
    game = tower("0 60 63", bag="350 0 0 0")
    state = play(game, "buy #1", "collect 1,0", "buy #2", "buy #3")
    assert (state.hero.atk, state.hero.defense, state.hero.mdef) == (11, 14, 8)
    assert state.hero.gold == 50
    assert legal(game, state) == ["finish 2,0"]


def test_a_map_without_gold_has_no_offers() -> None:
    assert [a for a in tower("0 8 63").actions if a.verb == "buy"] == []
    for with_gold in (
        tower("0 59 63"),
        tower("0 128 63", enemies="10 5 5 7 0"),
        tower("0 8 63", bag="1 0 0 0"),
    ):
        assert len([a for a in with_gold.actions if a.verb == "buy"]) == 3


def test_a_pickaxe_breaks_a_wall_and_the_hero_stands_in_the_gap() -> None:
    game = tower("0 99 63\n99", bag="0 0 1 0")
    assert legal(game, game.initial_state()) == ["break 1,0", "break 0,1"]
    state = play(game, "break 1,0")
    assert state.hero.pickaxe == 0
    assert str(game.board.spots[state.hero.position]) == "MT0:1,0"
    assert legal(game, state) == ["finish 2,0"]


def test_walls_are_objects_only_where_pickaxes_can_exist() -> None:
    assert tower("0 99 61\n0 0 0 63").board.n_objects == 3
    plain = tower("0 99 56\n0 0 0 63")
    assert plain.data.floors[0].rows[0].startswith("@#y#")
    assert plain.board.n_objects == 2


def test_a_solid_wall_never_breaks() -> None:
    game = tower("0 100 8\n0 0 0 63", bag="0 0 3 0")
    assert [a for a in game.actions if a.verb == "break"] == []


def test_a_bomb_removes_a_monster_for_no_gold_and_no_hp() -> None:
    game = tower("0 128 63", bag="0 0 0 1", enemies="50 90 2 30 0")
    state = play(game, "bomb 1,0")
    assert (state.hero.bomb, state.hero.gold, state.hero.hp) == (0, 0, 100)
    assert legal(game, state) == ["finish 2,0"]


def test_a_boss_cannot_be_bombed() -> None:
    game = tower("0 128 63", bag="0 0 0 1", enemies="10 11 2 0 128")
    assert legal(game, game.initial_state()) == ["fight 1,0"]
    with pytest.raises(IllegalAction, match="no action 'bomb 1,0'"):
        game.action("bomb 1,0")


def test_bombing_is_offered_only_with_a_bomb_in_the_bag() -> None:
    game = tower("0 62 0\n128 0 63", enemies="10 11 2 0 0")
    assert "bomb 0,1" not in legal(game, game.initial_state())
    assert "bomb 0,1" in legal(game, play(game, "collect 1,0"))


def test_a_portal_joins_two_cells_and_is_no_action() -> None:
    far = "100 100 0 63"
    game = tower("0 0", far, portals=f"1 {225 + 2}")
    assert legal(game, game.initial_state()) == ["MT1:finish 3,0"]
    assert {action.verb for action in game.actions} == {"finish", "travel"}


def test_an_object_on_a_portals_end_is_acted_on_from_the_other() -> None:
    game = tower("0 0 100 128 63", portals="1 3", enemies="10 11 2 0 0")
    assert legal(game, game.initial_state()) == ["fight 3,0"]
    assert legal(game, play(game, "fight 3,0")) == ["finish 4,0"]


def test_a_portal_that_ends_in_a_wall_is_left_out_and_noted() -> None:
    data = mt.loads(mt_text("0 0 100 63\n0 0 0 0", portals="1 2"))
    assert data.portals == ()
    assert "the portal MT0:1,0 - MT0:2,0, one end of which is a wall" in data.about


def test_taking_the_flag_wins() -> None:
    game = tower("0 63 8")
    state = game.initial_state()
    assert legal(game, state) == ["finish 1,0"]
    assert game.outcome(play(game, "finish 1,0")) == "won"


def test_with_play_on_the_flag_can_be_walked_over_and_taken_later() -> None:
    game = Tower(mt.loads(mt_text("0 63 8"), play_on=True))
    assert game.problems() == []
    assert legal(game, game.initial_state()) == ["finish 1,0", "collect 2,0"]
    state = play(game, "collect 2,0", "finish 1,0")
    assert game.outcome(state) == "won"
    assert state.hero.atk == 11


def test_what_is_worth_nothing_is_floor() -> None:
    data = mt.loads(mt_text("0 24 32 63", units="0 1 0 0", bag="100 0 0 0"))
    assert data.floors[0].rows[0][:4] == "@.wF"
    white, _, shop = data.kinds
    assert [row.gain for row in white.rows] == [(("atk", 1),)]
    assert [row.gain for row in shop.rows] == [(("atk", 1),)]


def test_what_is_walled_off_is_left_out_and_noted() -> None:
    data = mt.loads(mt_text("0 63 100 8 99 61 100 99"))
    assert "Left out, walled off: 'Red Crystal' at MT0:3,0." in data.about
    assert "Wall" not in data.about
    assert data.floors[0].rows[0].startswith("@F#.#.##")
    assert Tower(data).problems() == []


def test_a_map_with_tools_survives_our_own_format(every: Tower) -> None:
    assert loads(every.to_toml()).data == every.data


def test_several_maps_get_longer_play(every: Tower) -> None:
    assert every.data.settings.max_turns == 5000
    assert tower("0 63").data.settings.max_turns == 300


# -- errors --------------------------------------------------------------------------


def changed(line: int, words: str, source: str) -> str:
    lines = source.splitlines()
    lines[line - 1] = words
    return "\n".join(lines) + "\n"


BASE = mt_text("0 128 63", "0", enemies="10 5 5 7 0", portals="1 225")
WALLS = " ".join(["100"] * 12)

ERRORS = {
    "no text": ("", "ends where score threshold 1 is expected", 1, 1),
    "a word": (changed(1, "0 1 2 3 four 5", BASE), "'four' stands where", 1, 9),
    "dead hero": (changed(2, "0 1 1 1", BASE), "the hero's HP is 0", 2, 1),
    "negative ATK": (changed(2, "9 -1 1 1", BASE), "the hero's ATK is -1", 2, 3),
    "negative keys": (changed(3, "0 0 -1", BASE), "the hero's red-keys is -1", 3, 5),
    "negative bombs": (changed(4, "0 0 0 -1", BASE), "the hero's bombs is -1", 4, 7),
    "start outside": (
        changed(5, "0 15 0", BASE),
        "the y of the start is 15 (allowed: 0 to 14)",
        5,
        3,
    ),
    "start floor": (
        changed(5, "0 0 2", BASE),
        "the floor of the start is 2 (allowed: 0 to 1)",
        5,
        5,
    ),
    "start on an enemy": (
        changed(5, "1 0 0", BASE),
        "map 0, row 0, column 1: the hero starts on 128",
        8,
        3,
    ),
    "start in a wall": (
        changed(5, "4 2 1", BASE),
        "map 1, row 2, column 4: the hero starts on 100",
        25,
        17,
    ),
    "no maps": (changed(6, "0 1 0", BASE), "the number of maps is 0", 6, 1),
    "negative unit": (changed(7, "1 1 -1 1", BASE), "the unit's DEF is -1", 7, 5),
    "unknown cell": (
        changed(8, f"0 128 63 64 {WALLS}"[:-4], BASE),
        "map 0, row 0, column 3: unknown cell 64",
        8,
        10,
    ),
    "low unknown cell": (
        changed(8, f"0 128 63 7 {WALLS}"[:-4], BASE),
        "map 0, row 0, column 3: unknown cell 7",
        8,
        10,
    ),
    "unknown enemy": (
        changed(8, f"0 129 63 {WALLS}", BASE),
        "map 0, row 0, column 1: enemy 1 (129) is not in the list of 1",
        8,
        3,
    ),
    "no flag": (changed(8, f"0 128 0 {WALLS}", BASE), "no map has a flag", None, None),
    "two flags": (
        changed(23, f"0 0 63 {WALLS}", BASE),
        "map 1, row 0, column 2: a second flag (63); one is on map 0, row 0, column 2",
        23,
        5,
    ),
    "enemy HP": (changed(38, "0 5 5 7 0", BASE), "enemy 0's HP is 0", 38, 1),
    "special": (changed(38, "9 5 5 7 256", BASE), "unknown special 256", 38, 9),
    "portal cell": (
        changed(39, "3 450", BASE),
        "portal 1: there is no cell 450 (allowed: 0 to 449)",
        39,
        3,
    ),
    "portal end twice": (
        changed(39, "3 3", BASE),
        "portal 1: cell 3 is already an end of portal 1",
        39,
        3,
    ),
    "missing portal": (changed(39, "3", BASE), "ends where an end of portal 1", 39, 2),
    "more numbers": (BASE + "1\n", "complete, but the number 1 follows", 40, 1),
    "words": (BASE + "end\n", "complete, but 'end' follows", None, None),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_defect_is_named_with_line_column_and_cell(name: str) -> None:
    source, message, line, column = ERRORS[name]
    with pytest.raises(MapError) as caught:
        mt.loads(source, "small.mt")
    assert message in str(caught.value)
    assert str(caught.value).startswith("small.mt: ")
    if name != "words":
        assert (caught.value.line, caught.value.column) == (line, column)


def test_a_row_of_another_length_is_named() -> None:
    lines = BASE.splitlines()
    first = next(i for i, line in enumerate(lines) if len(line.split()) == 15)
    short = changed(first + 1, " ".join(lines[first].split()[1:]), BASE)
    where = f"map 0, row 0 goes from line {first + 1} to line {first + 2}"
    with pytest.raises(MapError, match=where):
        mt.loads(short)


def test_the_base_of_the_errors_itself_is_sound() -> None:
    assert Tower(mt.loads(BASE)).problems() == []
