"""The pictures of a floor: what they show, and that they never change by chance."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest
from numpy.typing import NDArray

from mt_gym.envs.drawing import (
    TILE_NAMES,
    TINTS,
    Cell,
    HeroMark,
    Scene,
    draw_scene,
)

MONSTERS = (
    "Green Slime",
    "Red Slime",
    "Small Bat",
    "Black Slime",
    "Skeleton",
    "Skeleton Soldier",
    "Junior Mage",
    "Big Bat",
    "Beastman",
    "Skeleton Captain",
    "Rock Man",
    "Brown-robe Mage",
    "Junior Guard",
    "Red Bat",
    "Senior Mage",
    "Slime King",
    "White Warrior",
    "Gold Guard",
    "Red-robe Mage",
    "Beast Warrior",
    "Middle Guard",
    "Senior Guard",
    "Two-hand Swordsman",
    "Nether Warrior",
    "Gold Captain",
    "Spirit Mage",
    "Nether Captain",
    "Spirit Warrior",
    "Shadow Warrior",
    "Red Demon King",
    "Nether Demon King",
)
OTHER_MONSTERS = ("Slime Lord", "Boss", "Goblin", "Dark Knight", "Wolf", "Ghost")
SCENE = Scene(
    title="MT1",
    cells=(
        (Cell("wall"), Cell("door", tint="blue"), Cell("wall")),
        (Cell("monster", "Red Slime", badge="24"), Cell("floor"), Cell("goal")),
    ),
    heroes=(HeroMark(1, 1, "red"),),
    panel=("HP 1000", "ATK 10", "a line too long for large letters"),
)


def picture_of(cell: Cell) -> NDArray[np.uint8]:
    return draw_scene(Scene("", ((cell,),)))[-32:]


def all_differ(cells: list[Cell]) -> bool:
    return len({picture_of(cell).tobytes() for cell in cells}) == len(cells)


def test_a_picture_is_rgb_with_32_pixels_a_cell() -> None:
    bare = Scene("", tuple((Cell("floor"),) * 7 for _ in range(5)))
    picture = draw_scene(bare)
    assert picture.dtype == np.uint8
    assert picture.shape == (28 + 5 * 32, 7 * 32, 3)


def test_the_size_does_not_depend_on_what_is_written() -> None:
    other = dataclasses.replace(
        SCENE, title="x" * 99, heroes=(), panel=("", "HP " + "9" * 50, "?")
    )
    assert draw_scene(other).shape == draw_scene(SCENE).shape


def test_a_small_floor_has_room_for_every_panel_line() -> None:
    lines = tuple(f"line {number}" for number in range(12))
    tall = draw_scene(dataclasses.replace(SCENE, panel=lines))
    shorter = draw_scene(dataclasses.replace(SCENE, panel=(*lines[:-1], "")))
    assert not np.array_equal(tall, shorter)


def test_the_same_scene_gives_the_same_picture() -> None:
    assert np.array_equal(draw_scene(SCENE), draw_scene(SCENE))


def test_every_picture_is_a_fresh_array() -> None:
    first = draw_scene(SCENE)
    kept = first.copy()
    second = draw_scene(SCENE)
    assert not np.shares_memory(first, second)
    first[:] = 0
    assert np.array_equal(second, kept)
    assert np.array_equal(draw_scene(SCENE), kept)


def test_every_tile_looks_different() -> None:
    assert all_differ([Cell(tile) for tile in TILE_NAMES])


@pytest.mark.parametrize("tile", ["door", "key", "gem", "potion"])
def test_every_tint_looks_different(tile: str) -> None:
    assert all_differ([Cell(tile, tint=tint) for tint in TINTS])


def test_every_monster_looks_different() -> None:
    assert len(MONSTERS) == 31
    assert all_differ([Cell("monster", name) for name in MONSTERS + OTHER_MONSTERS])


def test_every_monster_looks_different_as_a_boss_too() -> None:
    monsters = [Cell("monster", name) for name in MONSTERS]
    assert all_differ([*monsters, *(Cell("boss", name) for name in MONSTERS)])


def test_case_does_not_change_a_monster() -> None:
    assert not all_differ([Cell("monster", "Bat"), Cell("monster", "bat")])


def test_characters_and_tools_follow_their_names() -> None:
    people = ("", "Fairy", "Thief", "Princess", "Prisoner")
    assert all_differ([Cell("character", name) for name in people])
    assert all_differ([Cell("tool", name) for name in ("", "Cross", "Compass")])


def test_badges_are_drawn_and_long_ones_are_marked_as_cut() -> None:
    badges = ("", "24", "25", "+1", "12345", "1234~")
    assert all_differ([Cell("floor", badge=badge) for badge in badges])
    assert not all_differ([Cell("floor", badge=b) for b in ("1234~", "123456")])


def test_every_printable_character_has_its_own_glyph() -> None:
    assert all_differ(
        [Cell("floor", badge=f"a{chr(code)}a") for code in range(32, 127)]
    )


def test_an_unknown_character_is_a_box() -> None:
    assert not all_differ(
        [Cell("floor", badge="\u9b54"), Cell("floor", badge="\u5854")]
    )
    assert all_differ([Cell("floor", badge="\u9b54"), Cell("floor")])


def test_heroes_on_one_cell_are_both_seen() -> None:
    pairs = [(), ("red",), ("blue",), ("red", "blue"), ("blue", "red")]
    scenes = [
        dataclasses.replace(
            SCENE, heroes=tuple(HeroMark(1, 1, colour) for colour in pair)
        )
        for pair in pairs
    ]
    assert len({draw_scene(scene).tobytes() for scene in scenes}) == len(scenes)


def test_a_hero_is_drawn_in_column_x_and_row_y() -> None:
    bare = draw_scene(dataclasses.replace(SCENE, heroes=()))
    there = dataclasses.replace(SCENE, heroes=(HeroMark(2, 0, "blue"),))
    rows, columns = np.nonzero((draw_scene(there) != bare).any(axis=2))
    assert 28 <= rows.min() <= rows.max() < 28 + 32
    assert 64 <= columns.min() <= columns.max() < 96


def test_an_unknown_tile_is_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match=r"tile 'lava'.*floor, wall, breakable"):
        picture_of(Cell("lava"))


def test_an_unknown_tint_is_refused_with_the_list() -> None:
    allowed = "yellow, blue, red, green, white"
    with pytest.raises(ValueError, match=f"tint 'mauve'.*{allowed}"):
        picture_of(Cell("door", tint="mauve"))
    with pytest.raises(ValueError, match=f"hero colour 'mauve'.*{allowed}"):
        draw_scene(dataclasses.replace(SCENE, heroes=(HeroMark(0, 0, "mauve"),)))


@pytest.mark.parametrize("spot", [(-1, 0), (3, 0), (0, 2)])
def test_a_hero_outside_the_grid_is_refused(spot: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="outside the 3 x 2 grid"):
        draw_scene(dataclasses.replace(SCENE, heroes=(HeroMark(*spot),)))


@pytest.mark.parametrize(
    "cells", [(), ((),), ((Cell("floor"),), (Cell("floor"), Cell("floor")))]
)
def test_a_grid_that_is_no_rectangle_is_refused(
    cells: tuple[tuple[Cell, ...], ...],
) -> None:
    with pytest.raises(ValueError, match="equal length"):
        draw_scene(Scene("", cells))


def test_drawing_a_seen_floor_is_quick() -> None:
    cells = tuple((Cell("monster", name),) * 11 for name in MONSTERS[:11])
    scene = Scene("MT1", cells, (HeroMark(5, 5),), ("HP 1000",) * 10)
    draw_scene(scene)
    times = []
    for _ in range(10):
        start = time.perf_counter()
        draw_scene(scene)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.02
