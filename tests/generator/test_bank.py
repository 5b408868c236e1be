"""The decision bank: exact values, every floor and stake, and scores of policies."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.bench.bank import Answer, Score, calibration_error, score_bank
from mt_gym.engine.load import load
from mt_gym.errors import MtGymError, NoAnswer
from mt_gym.generator import bank as module
from mt_gym.generator.bank import STRATA, BankDecision, build_bank, stratified
from mt_gym.generator.bank_file import check_values, read_bank, write_bank
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


Row = dict[str, Any]


def damaged(**changes: Any) -> Callable[[list[Row]], None]:
    """Other values in the first decision."""

    def change(rows: list[Row]) -> None:
        next(r for r in rows if r["row"] == "decision").update(changes)

    return change


def revalued(worth: Any) -> Callable[[list[Row]], None]:
    def change(rows: list[Row]) -> None:
        row = next(r for r in rows if r["row"] == "decision")
        row["values"] = dict.fromkeys(row["values"], worth)

    return change


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda rows: rows.pop(0), "line 1: no bank begins here"),
        (lambda rows: rows[0].update(format=2), "line 1: no bank of format 1"),
        (lambda rows: rows[1].update(digest="0" * 16), "line 2: the map is 'simple'"),
        (lambda rows: rows[1].update(map=3), "line 2: the map must be a text"),
        (lambda rows: rows.insert(2, rows[1]), "line 3: the floor 'simple' once more"),
        (lambda rows: rows.insert(2, rows[0]), "a row 'floor' or 'decision' is due"),
        (lambda rows: rows.append(dict(rows[-1], number=3)), "same decision once more"),
        (lambda rows: rows.append(rows[-1]), "decision 3 is due, not another"),
        (damaged(row="decison"), "line 3: a row .* is due, not 'decison'"),
        (damaged(more=1), "line 3: a row 'decision' holds row, number"),
        (damaged(floor="hand03"), "line 3: there is no floor 'hand03' above"),
        (damaged(turn="3"), "line 3: 'turn' must be an integer >= 0, not '3'"),
        (damaged(sampler="me"), "line 3: the sampler is one of random"),
        (damaged(stratum="huge"), "line 3: the stratum is .*, not huge"),
        (damaged(value=10**6), "line 3: the state is not worth what its best action"),
        (damaged(value=0), "line 3: 'value' must be an integer >= 1, not 0"),
        (damaged(values=[]), "line 3: the values must be an object of HP by action"),
        (damaged(values={}), "line 3: the valued actions are not the legal ones"),
        (damaged(values={"figth 1,1": 3}), "line 3: .*has no action 'figth 1,1'"),
        (revalued(None), "line 3: the state is not worth what its best action"),
        (revalued(0), "line 3: '.*' must be an integer >= 1, not 0"),
        (revalued(True), "line 3: '.*' must be an integer >= 1, not True"),
        (lambda rows: rows.__delitem__(slice(2, None)), "holds no decision"),
    ],
)
def test_damaged_banks_are_refused(
    damage: Callable[[list[Row]], None],
    message: str,
    bank: list[BankDecision],
    tmp_path: Path,
) -> None:
    file = tmp_path / "bank.jsonl"
    write_bank([one for one in bank if one.tower.name == "simple"][:2], file)
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    damage(rows)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(MtGymError, match=message):
        read_bank(file)


def test_files_that_are_no_bank_are_refused(
    bank: list[BankDecision], tmp_path: Path
) -> None:
    file = tmp_path / "bank.jsonl"
    write_bank(bank[:2], file)
    whole = file.read_text(encoding="utf-8")
    for text, message in (
        ("", "line 1: Expecting value"),
        (whole[:-40], "line 4: Unterminated|line 4: Expecting|line 5: "),
        (whole.replace("\n", "\n\n", 1), "line 2: Expecting value"),
        ("[" * 100_000, "line 1: too deep"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(MtGymError, match=message):
            read_bank(file)
    with pytest.raises(MtGymError, match="cannot be read"):
        read_bank(tmp_path / "none")


def test_a_value_that_the_solver_does_not_find_is_named(
    bank: list[BankDecision],
) -> None:
    check_values(bank[:3])
    one = next(d for d in bank if None not in d.values.values() and not d.optimal[2:])
    low = min(one.values, key=lambda i: one.values[i] or 0)
    lying = replace(one, values={**one.values, low: 1})
    with pytest.raises(MtGymError, match=r"decision 2, .* is worth \d+ HP, not 1 HP"):
        check_values([bank[0], lying])
    richer = one.state._replace(hero=one.state.hero._replace(hp=5000))
    with pytest.raises(MtGymError, match=r"decision 1, .*: the state is worth \d+ HP"):
        check_values([replace(one, state=richer)])


def test_floors_without_a_proved_optimum_are_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(MtGymError, match="the optimum of 'tower' is not proved"):
        build_bank([load("tower")], 5)
    monkeypatch.setattr(module, "NODE_LIMIT", 1)
    bare = mt_gym.Tower(replace(load("simple").data, certificate=None))
    with pytest.raises(MtGymError, match="the optimum of 'simple' is not proved"):
        build_bank([bare], 5)


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
    outside = max(one.values) + 1
    half = Answer(one, good, {good: 0.5, outside: 0.5})
    assert half.expected_regret == 0.5  # what is no action gives up everything


def test_the_table_has_a_line_for_every_stake(bank: list[BankDecision]) -> None:
    score = Score("x", tuple(Answer(one, one.optimal[0]) for one in bank))
    lines = score.table().splitlines()
    assert [line.split()[0] for line in lines] == ["stake", *STRATA, "all"]
    assert lines[-1].split()[1:3] == ["60", "1.000"]
