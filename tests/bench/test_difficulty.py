"""Chances of random play: one pass over the states against slow, plain ways."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mt_gym.analysis.options import Options
from mt_gym.bench import difficulty
from mt_gym.bench.difficulty import chance_at, chances, hp_decides, random_play
from mt_gym.engine.generate import SPECIALS, Recipe, random_tower
from mt_gym.engine.load import load, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.play.settings import ASSISTS, PlaySettings
from mt_gym.play.settle import settle

DATA = Path(__file__).parents[1] / "data"


def slowly(tower: Tower, hp: int, assists: bool) -> float:
    """The chance by plain recursion through the engine, HP and all."""
    chosen = frozenset(ASSISTS if assists else ())
    settings = PlaySettings(Options.of(tower), assists=chosen, overrides=())
    known: dict[object, float] = {}

    def won(state: State) -> float:
        outcome = tower.outcome(state)
        if outcome is not None:
            return float(outcome == "won")
        if state.key not in known:
            total = 0.0
            legal = tower.legal_actions(state)
            for action in legal:
                total += won(settled(tower.step(state, action)))
            known[state.key] = total / len(legal)
        return known[state.key]

    def settled(state: State) -> State:
        taken = settle(tower, state, settings)
        return taken[-1].state if taken else state

    start = tower.initial_state()
    return won(settled(start._replace(hero=start.hero._replace(hp=hp))))


@pytest.mark.parametrize("assists", [True, False])
@pytest.mark.parametrize("name", ["hand02", "hand04", "hand08", "hand09", "hand10"])
def test_one_pass_gives_what_recursion_gives(name: str, assists: bool) -> None:
    tower = load(name)
    own = tower.initial_state().hero.hp
    found = chances(tower, 2 * own, assists=assists)
    assert found.won[0] == 0 and (np.diff(found.won) >= 0).all()
    for hp in (1, own // 2, own - 1, own, own + 7, 2 * own):
        expected = slowly(tower, hp, assists)
        assert found.won[hp] == pytest.approx(expected, rel=1e-6, abs=1e-15)
        assert chance_at(tower, hp, assists=assists)[0] == pytest.approx(expected)


def test_random_floors_give_what_recursion_gives() -> None:
    rng = np.random.default_rng(2)
    some = 0.0
    for number in range(12):
        recipe = Recipe(gateways=7, specials=SPECIALS if number % 2 else ())
        tower = random_tower(rng, recipe)
        own = tower.initial_state().hero.hp
        for hp in (own // 2, own, 2 * own):
            expected = slowly(tower, hp, True)
            some += expected * (1 - expected)
            assert chance_at(tower, hp)[0] == pytest.approx(expected)
            if not hp_decides(tower):
                found = chances(tower, 2 * own)
                assert found.won[hp] == pytest.approx(expected, rel=1e-6, abs=1e-15)
    assert some > 0.5  # neither all won nor all lost


def test_simple_is_won_by_chance_as_often_as_played() -> None:
    tower = load("simple")
    found = chances(tower, 800)
    assert found.won[469] < found.won[470] < 1e-8
    assert found.won[500] < 1e-5
    rng = np.random.default_rng(4)
    env = MagicTowerEnv(tower="simple", overrides=[], info_level="mask")
    start = tower.initial_state()
    state = start._replace(hero=start.hero._replace(hp=700))
    episodes, wins = 150, 0
    for _ in range(episodes):
        _, info = env.reset(options={"state": state})
        while "outcome" not in info:
            choice = rng.choice(np.flatnonzero(info["action_mask"]))
            _, _, _, _, info = env.step(int(choice))
        wins += info["outcome"] == "won"
    share = found.won[700]
    assert abs(wins - episodes * share) < 4 * (episodes * share * (1 - share)) ** 0.5


def test_a_floor_whose_hp_decide_more_needs_each_hp_on_its_own() -> None:
    tower = load("hand05")  # vampires take a share
    with pytest.raises(MtGymError, match="HP decide more"):
        chances(tower, 100)
    row = random_play(tower)
    assert row.hp == (180, 225, 270)
    for hp, won in zip(row.hp, row.won, strict=True):
        assert won == pytest.approx(slowly(tower, hp, True))
    assert hp_decides(load(DATA / "holy_water.toml"))
    assert not hp_decides(load("simple"))


def test_the_page_of_the_floors_has_these_chances() -> None:
    page = (Path(__file__).parents[2] / "docs" / "floors.md").read_text("utf-8")
    told = {}
    for line in page.split("| × 1.25 | × 1.5 |")[1].splitlines()[2:]:
        cells = [cell.strip(" `") for cell in line.split("|")[1:-1]]
        if not cells:
            break
        told[cells[0]] = cells[1:]
    floors = {name for name in shipped() if len(load(name).floors) < 5}
    assert set(told) == floors
    for name in floors - {"complex"}:  # takes half a minute
        row = random_play(load(name))
        assert told[name] == [f"{row.states:,}", *(f"{won:.2g}" for won in row.won)]


def test_what_is_too_large_is_left_out_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(LimitReached, match="more than 100 states"):
        chances(load("simple"), 470, most_states=100)
    monkeypatch.setattr(difficulty, "MOST_STATES", 100)
    row = random_play(load("simple"))
    assert row.won == () and "more than 100 states" in row.reason
    assert random_play(load("tower")).reason == "has 22 floors"
    with pytest.raises(MtGymError, match="most must be at least 1"):
        chances(load("simple"), 0)
    with pytest.raises(MtGymError, match="hp must be at least 1"):
        chance_at(load("simple"), 0)
