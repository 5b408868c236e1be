"""Each hand-drawn floor teaches what its file says: who ignores it pays for it."""

import re

import pytest

from mt_gym.engine.load import load, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.generator.profile import play_settings
from mt_gym.play.episode import begin
from mt_gym.solver import state_value
from tests.generator.decisions import best_with_assists

LADDER = [f"hand{number:02d}" for number in range(1, 11)]

# What a player does who has not learnt the lesson, from the first turn on.
MISTAKES = {
    "hand01": ("fight 4,5",),  # the soldier first, who opens the way on
    "hand02": ("open 1,3",),  # a potion, for the key that would have brought two
    "hand03": ("open 5,3",),  # a door into a room that the rat guards
    "hand04": ("collect 1,7", "open 9,3"),  # the larger gem, against wizards
    "hand05": ("open 2,3", "collect 2,2", "collect 1,1"),  # drinks before the bite
    "hand06": ("open 1,3", "collect 1,1"),  # the sword first
    "hand07": ("buy 1,4 #1",),  # HP while attributes are cheap
    "hand08": ("fight 7,1", "fight 5,1", "fight 3,1"),  # the purse that buys less
    "hand09": ("F1:fight 4,5",),  # the knight before going upstairs
    "hand10": ("fight 2,3", "collect 1,1", "talk 1,5"),  # speaks before the ghosts
}


def after(tower: Tower, texts: tuple[str, ...]) -> State:
    state = tower.initial_state()
    for text in texts:
        state = tower.step(state, tower.action(text))
    return state


def test_the_ladder_is_shipped_whole() -> None:
    assert set(LADDER) <= set(shipped())
    assert sorted(MISTAKES) == LADDER


@pytest.mark.parametrize("name", LADDER)
def test_ignoring_the_lesson_costs_a_tenth_of_the_optimum(name: str) -> None:
    tower = load(name)
    assert tower.certificate is not None
    optimum = tower.certificate.optimum
    value = state_value(tower, after(tower, MISTAKES[name])) or 0
    assert 10 * value <= 9 * optimum


@pytest.mark.parametrize("name", LADDER)
def test_assists_cost_nothing_on_the_ladder(name: str) -> None:
    tower = load(name)
    assert tower.certificate is not None
    assert best_with_assists(tower) == tower.certificate.optimum
    assert tower.certificate.assisted_optimum is None


def test_on_hand01_the_first_decision_is_turn_1() -> None:
    tower = load("hand01")
    moment, played = begin(tower, tower.initial_state(), play_settings(tower))
    assert moment.turn == 0
    assert played == ()
    assert len(tower.legal_actions(moment.state)) > 1


@pytest.mark.parametrize("name", LADDER)
def test_the_file_says_in_two_sentences_what_it_tests_and_no_more(name: str) -> None:
    tower = load(name)
    about = " ".join(tower.data.about.split())
    assert about.count(". ") + 1 == 2
    assert about.endswith(".")
    assert tower.certificate is not None
    for secret in (*tower.certificate.route, str(tower.certificate.optimum)):
        assert secret not in about
        assert secret not in tower.data.title


@pytest.mark.parametrize("name", [*LADDER, "simple", "complex"])
def test_no_file_says_which_or_how_many_choices_win_or_lose(name: str) -> None:
    assert not re.search(r"\b(win|won|lose|lost)", load(name).data.about)


LESSONS = {
    "hand04": lambda tower: any(k.abilities.magic for k in tower.board.monsters),
    "hand05": lambda tower: any(k.abilities.vampire for k in tower.board.monsters),
    "hand06": lambda tower: (
        any(k.abilities.first_strike for k in tower.board.monsters)
        and any(k.abilities.counter for k in tower.board.monsters)
    ),
    "hand07": lambda tower: any(a.row.growth for a in tower.actions),
    "hand08": lambda tower: (
        {
            resource
            for a in tower.actions
            if a.verb == "buy"
            for resource, _ in a.row.cost
        }
        == {4, 5}
    ),
    "hand09": lambda tower: len(tower.floors) == 2,
    "hand10": lambda tower: any(
        a.verb == "talk" and a.row.effects for a in tower.actions
    ),
}


@pytest.mark.parametrize("name", LESSONS)
def test_the_floor_holds_what_it_teaches(name: str) -> None:
    assert LESSONS[name](load(name))
