"""Worths on the tower are intervals: from a known completion to a valid bound."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import pytest

from mt_gym.agents import make_policy
from mt_gym.agents.question import ask
from mt_gym.bench.episode import play
from mt_gym.bench.ledger import Worths, ledger
from mt_gym.bench.loop import run
from mt_gym.bench.report import report
from mt_gym.bench.truth import truth
from mt_gym.engine.load import load
from mt_gym.errors import StateMismatch
from mt_gym.solver.tower import bounds, is_too_big, upper_bound
from tests.tower.fixtures import states, tower

ID = "MagicTower-tower-v0"


def test_only_the_tower_is_too_big_to_be_solved() -> None:
    assert is_too_big(tower())
    assert not is_too_big(load("complex")) and not is_too_big(load("hand09"))


def test_along_the_witness_the_lower_bound_is_its_final_hp() -> None:
    final = states()[-1].hero.hp
    for state in states()[:-1:200]:
        assert bounds(tower(), state) == (final, upper_bound(tower(), state))
    assert bounds(tower(), states()[-1]) == (final, final)


def test_beside_the_witness_nothing_is_known_without_a_search() -> None:
    state = tower().initial_state()
    poorer = state._replace(hero=state.hero._replace(hp=state.hero.hp - 1))
    lower, upper = bounds(tower(), poorer)
    assert lower is None and upper == upper_bound(tower(), poorer)
    dead = state._replace(hero=state.hero._replace(hp=0))
    assert bounds(tower(), dead) == (0, 0)


def test_a_search_gives_a_lower_bound_where_it_wins() -> None:
    late = states()[-40]
    richer = late._replace(hero=late.hero._replace(gold=late.hero.gold + 1))
    lower, upper = bounds(tower(), richer, node_limit=20_000)
    assert lower is not None and upper is not None and 0 < lower <= upper


def test_a_state_of_another_tower_has_no_bounds() -> None:
    with pytest.raises(StateMismatch):
        bounds(tower(), load("simple").initial_state())


def test_the_ledger_of_a_tower_is_an_interval_and_never_a_point() -> None:
    env = gym.make(ID, max_turns=60, info_level="full")
    rows = list(play(env, make_policy("random"), 1, 0))
    account = ledger(tower(), rows, Worths(tower()))
    final = states()[-1].hero.hp
    assert account.start.low == final and account.start.high is not None
    assert account.start.high >= final and not account.exact
    assert not account.total.exact
    most = account.total.high
    parts = [part.high for part in account.by_source().values()]
    assert most is not None and parts
    assert all(part is not None and part <= most for part in parts)
    highs = [worth.high for worth in account.curve if worth.high is not None]
    assert len(highs) == len(account.curve) and highs == sorted(highs, reverse=True)


def test_a_report_of_a_tower_gives_regret_as_an_interval(tmp_path: Path) -> None:
    settings = {"max_turns": 30}
    run(ID, make_policy("random"), settings=settings, out=tmp_path / "run")
    found = report(tmp_path / "run")
    (row,) = found.rows()
    assert row["regret_share"] is None and " to " in str(row["regret_interval"])
    assert str(row["regret_interval"]) in found.table()
    assert row["optimal_decisions"] is None and row["expected_regret"] is None


def test_questions_of_a_tower_have_no_proved_regrets() -> None:
    env = gym.make(ID, info_level="full")
    _, info = env.reset(seed=0)
    question = ask(env, info)
    found = truth(tower(), env.get_wrapper_attr("state"), question, Worths(tower()))
    assert found.value is None and not found.known
