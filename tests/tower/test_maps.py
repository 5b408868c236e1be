"""The files of the tower: form, counts, figures."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tower.fixtures import FOLDER, ROOT, tower
from tests.tower.towersim import TowerSim

FIGURES = """
Green Slime 50 20 1 1 1; Red Slime 70 15 2 2 2; Small Bat 100 20 5 3 3
Black Slime 200 35 10 5 5; Skeleton 110 25 5 5 4; Skeleton Soldier 150 40 20 8 6
Junior Mage 125 50 25 10 7; Big Bat 150 65 30 10 8; Beastman 300 75 45 13 10
Skeleton Captain 400 90 50 15 12; Rock Man 500 115 65 15 15
Brown-robe Mage 250 120 70 20 17; Junior Guard 450 150 90 22 19
Red Bat 550 160 90 25 20; Senior Mage 100 200 110 30 25
Slime King 700 250 125 32 30; White Warrior 1300 300 150 40 35
Gold Guard 850 350 200 45 40; Red-robe Mage 500 400 260 47 45
Beast Warrior 900 450 330 50 50; Middle Guard 1250 500 400 55 55
Senior Guard 1500 560 460 60 60; Two-hand Swordsman 1200 620 520 65 75
Nether Warrior 2000 680 590 70 65; Gold Captain 900 750 650 77 70
Spirit Mage 1500 830 730 80 70; Nether Captain 2500 900 850 84 75
Spirit Warrior 1200 980 900 88 75; Shadow Warrior 3100 1150 1050 92 80
Red Demon King 15000 1000 1000 100 100; Nether Demon King 30000 1700 1500 250 220
"""
STRONGER = {
    "Spirit Warrior": (1600, 1306, 1200, 117, 100),
    "Nether Captain": (3333, 1200, 1133, 112, 100),
    "Spirit Mage": (2000, 1106, 973, 106, 93),
    "Red Demon King": (20000, 1333, 1333, 133, 133),
    "Nether Demon King": (45000, 3800, 2250, 312, 275),
}
"""After the fall of a king; the ATK 3800 is the one figure of our own."""

COUNTS = {
    "Yellow Door": 61,
    "Blue Door": 23,
    "Red Door": 13,
    "Gate": 10,
    "Iron Bars": 6,
    "Ice Wall": 1,
    "Red Gem": 33,
    "Blue Gem": 33,
    "Red Potion": 46,
    "Blue Potion": 28,
    "Yellow Key": 70,
    "Blue Key": 23,
    "Red Key": 9,
    "Key Box": 2,
}


def test_the_tower_has_no_defects() -> None:
    assert tower().problems() == []


def test_there_are_22_floors_of_13_cells_with_a_wall_all_round() -> None:
    assert [floor.id for floor in tower().floors] == [f"MT{n}" for n in range(22)]
    for floor in tower().floors:
        assert (floor.width, floor.height) == (13, 13)
        border = floor.rows[0] + floor.rows[-1]
        border += "".join(row[0] + row[-1] for row in floor.rows)
        assert set(border) == {"#"}, floor.id


def test_every_monster_has_the_figures_of_the_classic_tower() -> None:
    found = {}
    for entry in FIGURES.replace("\n", ";").split(";"):
        if entry.strip():
            *words, hp, atk, defense, gold, exp = entry.split()
            numbers = (int(hp), int(atk), int(defense), int(gold), int(exp))
            found[" ".join(words)] = numbers
    kinds = {kind.name: kind for kind in tower().board.monsters}
    assert set(kinds) == set(found)
    for name, numbers in found.items():
        first = kinds[name].values[0]
        assert numbers == (
            first.hp,
            first.atk,
            first.defense,
            first.gold,
            first.exp,
        ), name
    for name, numbers in STRONGER.items():
        last = kinds[name].values[-1]
        assert numbers == (last.hp, last.atk, last.defense, last.gold, last.exp), name


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_objects_are_placed_as_often_as_in_the_classic_tower(name: str) -> None:
    placed = Counter(thing.name for thing in tower().board.objects)
    assert abs(placed[name] - COUNTS[name]) * 10 <= COUNTS[name]


def test_some_245_monsters_stand_in_the_tower() -> None:
    number = sum(thing.monster >= 0 for thing in tower().board.objects)
    assert abs(number - 245) * 10 <= 245


def test_the_cells_of_the_files_hold_the_objects_of_the_board() -> None:
    sim = TowerSim(FOLDER)
    on_cells = {cell: thing.name for cell, thing in (sim.things | sim.hidden).items()}
    on_board = {
        (o.spot.floor, o.spot.x, o.spot.y): o.name
        for o in tower().board.objects
        if o.spot is not None
    }
    assert on_cells == on_board


def test_the_page_shows_every_floor_as_its_file_draws_it() -> None:
    page = (ROOT / "docs" / "tower.md").read_text("utf-8")
    for floor in tower().floors:
        assert "```text\n" + "\n".join(floor.rows) + "\n```" in page, floor.id
