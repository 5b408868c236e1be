"""Truths about questions: optimal options, regrets, expected regrets, unknowns."""

from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.agents import Decision
from mt_gym.bench.episode import play
from mt_gym.bench.ledger import Worths
from mt_gym.bench.truth import Judged, judge
from tests.bench.players import ID, Scripted, silence, texts

OPTIONS = ("fight 4,2", "fight 5,3", "fight 6,4", "open 7,0")


def judged(choose: Any, limit: int | None = None, **settings: Any) -> list[Judged]:
    env = gym.make(ID, **settings)
    rows = list(play(env, Scripted(choose), 1, 0))
    tower = mt_gym.load("simple")
    return list(judge(tower, rows, Worths(tower, node_limit=limit)))


def spread(seed: int, env: Any, info: dict[str, Any]) -> Decision:
    """Half on the only good option, the rest on the others."""
    good, *others = texts(env, "fight 6,4", "fight 4,2", "fight 5,3", "open 7,0")
    shares = {good: 0.5, **dict.fromkeys(others, 0.5 / 3)}
    if info["turn"] > 1:
        return Decision(info["actions"][0]["action"])
    return Decision(good, distribution=shares)


def test_only_one_option_keeps_the_win_at_the_first_decision() -> None:
    tower = mt_gym.load("simple")
    first = judged(spread, max_turns=2)[0]
    assert first.truth.value == 13
    assert first.truth.optimal == (tower.action("fight 6,4").index,)
    named = {str(tower.actions[i]): r for i, r in first.truth.regrets.items()}
    assert named == {
        "fight 4,2": 13,
        "fight 5,3": 13,
        "fight 6,4": 0,
        "open 7,0": 13,
    }
    assert first.regret == 0
    assert first.truth.known


def test_expected_regret_weighs_the_options() -> None:
    first = judged(spread, max_turns=2)[0]
    assert first.expected_regret == pytest.approx(0.5 * 13)


def test_regret_judges_the_choice_and_not_what_replaced_it() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        return Decision(texts(env, "open 7,0")[0])

    first = judged(choose, max_turns=2)[0]
    assert (first.text, first.regret) == ("open 7,0", 13)


def test_truth_is_unknown_where_the_solver_reached_its_limit() -> None:
    first = judged(spread, limit=1, max_turns=2)[0]
    assert first.truth.value is None
    assert not first.truth.known
    assert first.expected_regret is None


def test_nothing_is_lost_after_the_goal_is_lost() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        wanted = "fight 4,2" if info["turn"] == 1 else info["actions"][0]["text"]
        return Decision(texts(env, wanted)[0])

    later = judged(choose)[1:]
    assert later
    assert all(one.truth.value is None and one.regret == 0 for one in later)


def test_a_missing_answer_is_no_decision_that_gave_up_nothing() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        raise silence()

    (only,) = judged(choose)
    assert (only.text, only.regret, only.truth.value) == (None, None, 13)
