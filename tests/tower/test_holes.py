"""Nobody wins without a link of the chain: in the graph and on the cells."""

from __future__ import annotations

import pytest

from mt_gym.solver.tower.features import Feature, measure, without
from mt_gym.solver.tower.mandatory import mandatory_objects, wins_for_free
from tests.tower.fixtures import FOLDER, tower
from tests.tower.towersim import Refused, TowerSim

CHAIN = ("Fairy", "Thief", "Ice Pickaxe", "Princess", "Cross")
PLENTY = 10**9


def flood(left_out: str) -> bool:
    """Whether a hero who can pay and beat everything wins on the cells.

    Everything in reach is done again and again, except what is left out; the last
    stairs are climbed when nothing else is left.
    """
    sim = TowerSim(FOLDER)
    sim.hero |= dict.fromkeys(("atk", "def", "yellow", "blue", "red"), PLENTY)
    sim.hero |= {"hp": PLENTY**2, "gold": PLENTY, "exp": PLENTY}
    again = True
    while again and not sim.won:
        again = False
        reach = sim.reach()
        last = []
        for cell, thing in list(sim.things.items()):
            beside = any(other in reach for other in sim.around(cell))
            if not beside or thing.name == left_out or cell not in sim.things:
                continue
            texts = actions_of(sim, cell, thing.name)
            if thing.one_way:
                last += texts
            else:
                again |= sum(done(sim, text) for text in texts) > 0
        if not again and last:
            again = sum(done(sim, text) for text in last) > 0
    return sim.won


def actions_of(sim: TowerSim, cell: tuple[str, int, int], name: str) -> list[str]:
    """What can be tried with an object of the file."""
    floor, x, y = cell
    if name in sim.file["monsters"]:
        return [f"{floor}:fight {x},{y}"]
    if name in sim.file["items"]:
        return [f"{floor}:collect {x},{y}"]
    if name in sim.file["characters"]:
        talks = len(sim.file["characters"][name]["talks"])
        return [f"{floor}:talk {x},{y} #{n + 1}" for n in range(talks)]
    if name.startswith("Stairs"):
        return [f"{floor}:climb {x},{y}"]
    if name.endswith("Door") or name == "Gate":
        return [f"{floor}:open {x},{y}"]
    if name in sim.file["trades"]:
        return [f"{floor}:trade {x},{y}"]
    return []


def done(sim: TowerSim, text: str) -> bool:
    """Whether an action could be executed."""
    where = sim.where
    try:
        sim.play(text)
    except Refused:
        return False
    sim.where = where if not text.startswith("MT20:climb") else sim.where
    return True


def test_a_hero_who_can_pay_everything_wins() -> None:
    assert wins_for_free(tower().board)
    assert flood("")


@pytest.mark.parametrize("name", CHAIN)
def test_nobody_wins_without_a_link_of_the_chain(name: str) -> None:
    board = tower().board
    (thing,) = (o.index for o in board.objects if o.name == name)
    assert not wins_for_free(board, thing)
    assert not flood(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAIN)
def test_the_search_wins_nothing_without_a_link_of_the_chain(name: str) -> None:
    found = measure(tower(), Feature(name, without(name)), 400_000)
    assert found.hp is None and found.route == ()


def test_both_red_doors_of_mt18_and_the_four_blue_ones_of_mt7_are_mandatory() -> None:
    board = tower().board
    names = [
        (board.objects[index].name, board.objects[index].floor)
        for index in mandatory_objects(board)
    ]
    assert names.count(("Red Door", 18)) == 2
    assert names.count(("Blue Door", 7)) == 4
