"""The writer of the text format: round trips, equal games, refusals."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mt_gym.engine.formats import text
from mt_gym.engine.kinds import (
    Abilities,
    Condition,
    Effect,
    Goal,
    Hidden,
    Kind,
    Placement,
    Row,
    Script,
    Spot,
    Stats,
    TowerData,
)
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

DATA = Path(__file__).parent.parent / "data"

SIMPLE_CODES = (0, 0, 1, 21, 22, 23, 24, 27, 28, 29, 31, 32, 33, 34, 35, 36)
DOORS = (81, 82, 83, 84)
SPECIALS = st.lists(st.integers(1, 10), unique=True, max_size=4)


@st.composite
def text_files(draw: st.DrawFn) -> str:
    """A random file of the format, of up to three floors."""
    floors = draw(st.integers(1, 3))
    rows, columns = draw(st.integers(2, 4)), draw(st.integers(3, 5))
    ids = draw(st.lists(st.integers(201, 298), unique=True, max_size=4))
    shop = draw(st.booleans())
    codes = [*SIMPLE_CODES, *DOORS, *ids, *([40] if shop else [])]
    size = rows * columns
    cells = [
        draw(st.lists(st.sampled_from(codes), min_size=size, max_size=size))
        for _ in range(floors)
    ]
    for z, grid in enumerate(cells):
        spots = draw(st.permutations(range(size)))
        if z + 1 < floors:
            grid[spots[0]] = 87
        if z:
            grid[spots[1]] = 88
        if z == floors - 1:
            grid[spots[2]] = 299
        if z == 0:
            grid[spots[3]] = 0
            start = spots[3]
    small = st.integers(0, 50)
    monsters = [
        [
            *(code, draw(st.integers(1, 99)), draw(small), draw(small), draw(small)),
            sum(s * 100**i for i, s in enumerate(draw(SPECIALS))),
        ]
        for code in (*ids, 299)
    ]
    offers = [draw(st.integers(1, 9)), *(draw(small) for _ in range(3))]
    hero = [draw(st.integers(1, 999)), *(draw(small) for _ in range(7))]
    numbers = [
        *(floors, rows, columns),
        *(code for grid in cells for code in grid),
        *(draw(small) for _ in range(9)),
        len(monsters),
        *(value for monster in monsters for value in monster),
        *([draw(st.integers(1, 50)), draw(small), *offers] if shop else [0] * 6),
        *(*hero, 0, start // columns, start % columns),
    ]
    separator = draw(st.sampled_from([" ", "\t", "\n"]))
    words = draw(st.sampled_from(["", "some words", "一层", "two\nlines"]))
    return separator.join(map(str, numbers)) + "\n" + words


@given(text_files())
def test_what_was_read_is_written_and_read_back_equal(source: str) -> None:
    data = text.loads(source)
    written = text.dumps(data)
    assert text.loads(written) == data
    assert text.dumps(text.loads(written)) == written


def walk(tower: Tower, other: Tower, seed: int, names: dict[str, str]) -> int:
    """Play both at random in lockstep; the number of steps taken."""
    rng = np.random.default_rng(seed)
    state, same = tower.initial_state(), other.initial_state()
    steps = 0
    while tower.outcome(state) is None and steps < 60:
        actions = tower.legal_actions(state)
        texts = [_renamed(str(action), names) for action in actions]
        assert texts == [str(action) for action in other.legal_actions(same)]
        pick = int(rng.integers(len(actions)))
        state = tower.step(state, actions[pick])
        same = other.step(same, other.action(texts[pick]))
        assert state.hero[:14] == same.hero[:14]
        steps += 1
    assert tower.outcome(state) == other.outcome(same)
    return steps


def _renamed(action: str, names: dict[str, str]) -> str:
    floor, colon, rest = action.partition(":")
    return f"{names[floor]}:{rest}" if colon else action


@pytest.mark.parametrize("name", ["simple", "stairs.toml", "shop_growing.toml"])
def test_a_map_of_ours_that_fits_is_the_same_game_afterwards(name: str) -> None:
    tower = load(DATA / name if name.endswith(".toml") else name)
    other = Tower(text.loads(text.dumps(tower.data)))
    assert other.problems() == []
    names = {
        one.id: two.id for one, two in zip(tower.floors, other.floors, strict=True)
    }
    assert sum(walk(tower, other, seed, names) for seed in range(20)) >= 20


@pytest.mark.parametrize("path", sorted(DATA.glob("*.toml")), ids=lambda p: p.stem)
def test_every_test_tower_fits_or_is_refused_with_a_reason(path: Path) -> None:
    tower = load(path)
    try:
        written = text.dumps(tower.data)
    except MtGymError as error:
        start = f"the text format cannot say {tower.name!r}: "
        assert str(error).startswith(start)
        assert len(str(error)) > len(start)
    else:
        assert Tower(text.loads(written)).problems() == []


BASE = text.loads(
    "1\n2 4\n0 201 299 27\n1 40 21 81\n1 2 3 4 5 6 7 8 9\n2\n201 10 5 1 7 0\n"
    "299 10 5 1 0 0\n20 5 100 0 1 0\n100 10 10 0 0 0 0 0 0 0 0\n"
)


def with_kind(name: str, **parts: Any) -> TowerData:
    """The base tower with parts of one kind replaced."""
    assert any(kind.name == name for kind in BASE.kinds)
    return replace(
        BASE,
        kinds=tuple(
            replace(kind, **parts) if kind.name == name else kind for kind in BASE.kinds
        ),
    )


def with_ability(**parts: Any) -> TowerData:
    return with_kind("Monster 201", abilities=Abilities(**parts))


def with_item(*gain: tuple[str, int], **row: Any) -> TowerData:
    return with_kind("Red Gem", rows=(Row("collect", gain=gain, **row),))


def with_offer(**parts: Any) -> TowerData:
    (shop,) = (kind for kind in BASE.kinds if kind.type == "shop")
    return with_kind("Shop", rows=(shop.rows[0], replace(shop.rows[1], **parts)))


def placed(kind: Kind) -> TowerData:
    """The base tower with another kind in place of the door."""
    floor = BASE.floors[0]
    legend = tuple(
        (sign, Placement(kind.name) if place.kind == "Yellow Door" else place)
        for sign, place in floor.legend
    )
    floors = (replace(floor, legend=legend),)
    return replace(BASE, floors=floors, kinds=(*BASE.kinds, kind))


SPOT = Spot("MT0", 1, 0)
REFUSED: dict[str, tuple[TowerData, str]] = {
    "script": (replace(BASE, scripts=(Script(Row("pass"), SPOT),)), "has scripts"),
    "portal": (replace(BASE, portals=((SPOT, SPOT),)), "has portals"),
    "goal": (replace(BASE, goal=Goal("take", "Red Gem")), "its goal is to take"),
    "hero": (replace(BASE, hero=(*BASE.hero, ("exp", 4))), "starts with exp 4"),
    "hidden": (
        replace(
            BASE,
            floors=(
                replace(BASE.floors[0], hidden=(Hidden(SPOT, Placement("Gate")),)),
            ),
        ),
        "hidden at MT0:1,0",
    ),
    "about": (replace(BASE, about="12 floors"), "description begins with a number"),
    "anywhere": (with_kind("Shop", anywhere=True), "open everywhere"),
    "walk through": (with_kind("Shop", blocks=False), "can be walked through"),
    "gate": (placed(Kind("Grille", "gate", (Row("open"),))), "'Grille' at MT0:3,1"),
    "strengthened": (
        with_kind("Monster 201", values=(Stats(1, 1, 1), Stats(2, 2, 2))),
        "can be strengthened",
    ),
    "exp": (with_kind("Monster 201", values=(Stats(1, 1, 1, exp=3),)), "gives exp"),
    "fight": (
        with_kind("Monster 201", rows=(Row("fight", effects=(Effect("win"),)),)),
        "a fight with effects",
    ),
    "vampire": (with_ability(vampire=(1, 4)), "is a vampire"),
    "fixed": (with_ability(fixed=9), "deals fixed damage"),
    "hits": (with_ability(hits=5), "hits 5 times"),
    "counter": (with_ability(counter=(1, 5)), "a counter that is not 1/10"),
    "armour": (with_ability(armour_break=(1, 2)), "an armour break that is not 9/10"),
    "purify": (with_ability(purify=2), "purifies 2 times MDEF"),
    "two gains": (with_item(("atk", 1), ("def", 1)), "gives more than one thing"),
    "two keys": (with_item(("yellow", 2)), "gives more than one thing"),
    "condition": (
        with_item(("atk", 1), condition=Condition(flags=("x",))),
        "does more than give",
    ),
    "gold": (with_item(("gold", 5)), "no code is left for an item that gives gold 5"),
    "offer": (with_offer(cost=(("gold", 9),)), "an offer is not one of"),
    "offer twice": (with_offer(gain=(("hp", 9),)), "offers the same thing twice"),
    "no shop price": (
        with_kind(
            "Shop",
            rows=(Row("buy", cost=(("exp", 9),), gain=(("hp", 1),), consumes=False),),
        ),
        "the price is not gold below 999999",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_format_cannot_say_is_refused_with_the_reason(name: str) -> None:
    data, reason = REFUSED[name]
    with pytest.raises(MtGymError, match="the text format cannot say 'map': ") as error:
        text.dumps(data)
    assert reason in str(error.value)


def test_the_base_of_the_refusals_itself_can_be_written() -> None:
    assert text.loads(text.dumps(BASE)) == BASE


def test_all_reasons_are_given_at_once() -> None:
    data = replace(BASE, portals=((SPOT, SPOT),), goal=Goal("take", "Red Gem"))
    with pytest.raises(MtGymError) as error:
        text.dumps(data)
    assert "portals" in str(error.value)
    assert "its goal" in str(error.value)


def test_only_the_monster_that_is_the_goal_becomes_the_boss() -> None:
    """Of two monsters of one kind, a goal with a place takes one."""
    boss = next(kind for kind in BASE.kinds if kind.name == "Boss")
    floor = replace(
        BASE.floors[0],
        rows=("@MM.", "####"),
        legend=(("M", Placement("Boss")),),
    )
    data = replace(
        BASE,
        floors=(floor,),
        kinds=(boss,),
        goal=Goal("defeat", "Boss", at=Spot("MT0", 2, 0)),
    )
    other = Tower(text.loads(text.dumps(data)))
    names = [thing.name for thing in other.board.objects]
    assert names == ["Monster 201", "Boss"]
    assert walk(Tower(data), other, 0, {}) == 2


def test_a_smaller_floor_is_filled_with_walls() -> None:
    tower = load(DATA / "stairs.toml")
    assert len({(floor.width, floor.height) for floor in tower.floors}) > 1
    data = text.loads(text.dumps(tower.data))
    assert len({(floor.width, floor.height) for floor in data.floors}) == 1


def test_a_third_amount_of_one_resource_has_no_code() -> None:
    gems = tuple(
        Kind(f"Gem {n}", "item", (Row("collect", gain=(("atk", n),)),), category="gem")
        for n in (1, 2, 3)
    )
    data = replace(BASE, kinds=(*BASE.kinds, *gems[1:]))
    with pytest.raises(MtGymError, match="'Gem 3': no code is left"):
        text.dumps(data)
