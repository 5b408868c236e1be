"""The certificates of the stages: the opening, the way, what is due."""

from __future__ import annotations

import pytest

from mt_gym.errors import MtGymError
from mt_gym.solver.tower import search_tower
from mt_gym.solver.tower.mandatory import wins_for_free
from mt_gym.solver.tower.stages import BEGIN, END, arrivals, mandatory, opening
from tests.tower.fixtures import ROOT, states, tower

ENOUGH, TOO_LITTLE = 1000, 100


def test_the_opening_is_a_tower_of_its_own_that_ends_at_its_last_stairs() -> None:
    first = opening(tower(), 4, ENOUGH)
    assert first.problems() == [] and len(first.floors) == 4
    assert [o.name for o in first.board.objects if o.goal] == ["Exit"]
    whole = [o.name for o in tower().board.objects if o.floor < 4]
    assert len(first.board.objects) == len(whole)
    with pytest.raises(MtGymError, match="22 floors"):
        opening(tower(), 22, ENOUGH)


def test_a_search_gets_out_of_the_opening_with_enough_hp_and_not_with_too_little() -> (
    None
):
    first = opening(tower(), 4, ENOUGH)
    found = search_tower(first, width=20)
    state = first.initial_state()
    for action in found.route:
        state = first.step(state, action)
    assert state.won and state.hero.hp == found.hp
    assert search_tower(opening(tower(), 4, TOO_LITTLE), width=20).hp is None


def test_the_hero_arrives_once_on_each_floor_but_the_first() -> None:
    found = list(arrivals(tower()))
    assert [name for name, _ in found] == [f"MT{n}" for n in range(1, 22)]
    assert all(state in states() for _, state in found)


def test_what_is_due_cannot_be_left_out() -> None:
    due = dict(mandatory(tower()))
    assert due["MT7"].startswith("4 × Blue Door") or "4 × Blue Door" in due["MT7"]
    assert "Ice Pickaxe" in due["MT12"] and "Nether Demon King" in due["MT21"]
    names = [o.index for o in tower().board.objects if o.name == "Ice Pickaxe"]
    assert not wins_for_free(tower().board, names[0])


def test_the_page_has_the_section_of_the_shipped_certificate() -> None:
    page = (ROOT / "docs" / "tower.md").read_text("utf-8")
    section = page[page.index(BEGIN) : page.index(END)]
    for name, state in arrivals(tower()):
        row = f"| {name} | {state.hero.hp} | {state.hero.atk} | {state.hero.defense} |"
        assert row in section, name
    for floor, names in mandatory(tower()):
        assert f"| {floor} | {names} |" in section, floor
