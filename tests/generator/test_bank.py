"""The decision bank: exact values, every floor and stake, and scores of policies."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mt_gym.agents import Decision, make_policy
from mt_gym.bench.bank import Answer, Score, calibration_error, score_bank
from mt_gym.engine.load import load
from mt_gym.errors import MtGymError, NoAnswer
from mt_gym.generator.bank import (
    STRATA,
    BankDecision,
    build_bank,
    read_bank,
    stratified,
    write_bank,
)
from mt_gym.generator.profile import play_settings
from mt_gym.play.settle import next_step
from mt_gym.solver import regret, state_value

FLOORS = [load(name) for name in ("simple", "hand03", "hand07")]


@pytest.fixture(scope="module")
def bank() -> list[BankDecision]:
    return build_bank(FLOORS, 60, seed=3)


def test_values_are_those_of_the_solver(bank: list[BankDecision]) -> None:
    for one in bank[::4]:
        assert one.value == state_value(one.tower, one.state)
        legal = one.tower.legal_actions(one.state)
        assert list(one.values) == [action.index for action in legal]
        for action in legal:
            assert one.regret(action.index) == regret(one.tower, one.state, action)
        assert one.optimal


def test_states_are_decisions_of_the_environment(bank: list[BankDecision]) -> None:
    for one in bank:
        assert len(one.values) >= 2
        assert next_step(one.tower, one.state, play_settings(one.tower)) is None


def test_floors_share_equally_and_no_state_comes_twice(
    bank: list[BankDecision],
) -> None:
    floors = Counter(one.tower.name for one in bank)
    assert len(bank) == 60
    assert max(floors.values()) <= 60 // 2
    assert set(floors) == {tower.name for tower in FLOORS}
    assert len({one.state for one in bank}) == 60


def test_strata_are_ranges_of_the_stake(bank: list[BankDecision]) -> None:
    for one in bank:
        assert one.stratum in STRATA
        assert (one.stratum == "none") == (len(one.optimal) == len(one.values))
        if one.stratum == "decisive":
            assert one.stake >= 500


def test_every_beginning_of_a_floors_decisions_mixes_the_stakes() -> None:
    tower = FLOORS[0]
    state = tower.initial_state()
    decisive: dict[int, int | None] = {0: 10, 1: None}
    small: dict[int, int | None] = {0: 100, 1: 99}
    none: dict[int, int | None] = {0: 5, 1: 5}
    worths = [decisive] * 6 + [small] * 2 + [none]
    found = [
        BankDecision(tower, state, turn, "random", max(w[0] or 0, w[1] or 0), w)
        for turn, w in enumerate(worths)
    ]
    order = stratified(found, np.random.default_rng(0))
    names = [one.stratum for one in order]
    assert names[:3] == ["none", "small", "decisive"]
    assert names[3:5] == ["small", "decisive"]
    assert sorted(one.turn for one in order) == list(range(9))
    assert stratified(found, np.random.default_rng(1)) != order


def test_equal_seeds_build_equal_banks(bank: list[BankDecision]) -> None:
    again = build_bank(FLOORS, 60, seed=3)
    assert again == bank
    assert build_bank(FLOORS, 60, seed=4) != bank


def test_a_bank_is_read_as_it_was_written(
    bank: list[BankDecision], tmp_path: Path
) -> None:
    file = tmp_path / "bank.jsonl"
    write_bank(bank, file)
    assert read_bank(file) == bank


def test_damaged_banks_are_refused(bank: list[BankDecision], tmp_path: Path) -> None:
    file = tmp_path / "bank.jsonl"
    write_bank(bank[:2], file)
    lines = file.read_text(encoding="utf-8").splitlines()
    for damage, message in (
        (lines[:-2], "holds no decision"),
        (["{}", *lines[1:]], "line 1: no 'row'"),
        ([*lines[:2], "nonsense"], "line 3: "),
        (
            [*lines[:-1], lines[-1].replace('"value": ', '"value": -')],
            "worth more than",
        ),
        (
            [*lines[:-1], lines[-1].replace('"fight ', '"figth ')],
            "has no action 'figth",
        ),
    ):
        file.write_text("\n".join(damage), encoding="utf-8")
        with pytest.raises(MtGymError, match=message):
            read_bank(file)
    with pytest.raises(MtGymError, match="cannot be read"):
        read_bank(tmp_path / "none")


def test_bad_requests_are_refused() -> None:
    with pytest.raises(MtGymError, match="count must be"):
        build_bank(FLOORS, 0)
    with pytest.raises(MtGymError, match="floors of different names"):
        build_bank([FLOORS[0], FLOORS[0]], 5)
    with pytest.raises(MtGymError, match="floors of different names"):
        build_bank([], 5)


def test_the_solver_scores_full_marks_and_random_its_chance(
    bank: list[BankDecision],
) -> None:
    best = score_bank(bank, make_policy("solver", node_limit=100_000)).figures()
    assert (best["accuracy"], best["regret"]) == (1.0, 0.0)
    blind = score_bank(bank, make_policy("random")).figures()
    assert blind["decisions"] == 60
    assert abs(blind["accuracy"] - blind["chance"]) < 0.2
    shares = [one.stake / 1000 for one in bank]
    assert blind["expected_regret"] == pytest.approx(sum(shares) / 60, abs=0.002)
    assert 0 < blind["calibration_error"] < 0.3
    assert best["calibration_error"] is None


class Fixed:
    """Answers with the same index, or not at all."""

    name = "fixed"
    observation = "bare"

    def __init__(self, index: int | None) -> None:
        self.index = index

    def new_episode(self, env: Any, seed: int) -> "Fixed":
        return self

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        if self.index is None:
            raise NoAnswer("no idea")
        return Decision(self.index)


def test_illegal_and_missing_answers_are_counted_and_cost_everything(
    bank: list[BankDecision],
) -> None:
    silent = score_bank(bank[:5], Fixed(None)).figures()
    assert (silent["no_answer"], silent["accuracy"], silent["regret"]) == (1, 0, 1)
    chosen = next(one for one in bank if 0 not in one.values)
    wrong = score_bank([chosen], Fixed(0)).figures()
    assert (wrong["illegal"], wrong["accuracy"], wrong["regret"]) == (1, 0, 1)
    assert wrong["no_answer"] == 0


def test_calibration_compares_confidence_with_success(
    bank: list[BankDecision],
) -> None:
    one = next(d for d in bank if len(d.values) - len(d.optimal) > 0)
    good = one.optimal[0]
    bad = next(index for index in one.values if index not in one.optimal)
    sure = Answer(one, good, {good: 1.0})
    wrong = Answer(one, bad, {bad: 1.0})
    assert calibration_error([sure]) == 0
    assert calibration_error([wrong]) == 1
    assert calibration_error([sure, wrong]) == pytest.approx(0.5)
    assert calibration_error([Answer(one, good)]) is None
    assert sure.expected_regret == 0
    assert wrong.expected_regret == one.regret(bad) / one.value


def test_the_table_has_a_line_for_every_stake(bank: list[BankDecision]) -> None:
    score = Score("x", tuple(Answer(one, one.optimal[0]) for one in bank))
    lines = score.table().splitlines()
    assert [line.split()[0] for line in lines] == ["stake", *STRATA, "all"]
    assert lines[-1].split()[1:3] == ["60", "1.000"]
