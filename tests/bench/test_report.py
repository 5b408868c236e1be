"""Reports: figures, attribution, tables, files."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.bench import report, run, run_suite
from mt_gym.bench.analyse import analyse
from mt_gym.bench.measures import hp_scale
from mt_gym.bench.report import COLUMNS
from mt_gym.errors import MtGymError
from tests.bench.players import ID, Breaking, Scripted, failure, texts


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with a run of the heuristic and one of random play."""
    for policy in ("heuristic", "random"):
        run(ID, make_policy(policy), episodes=4, out=tmp_path / policy)
    return tmp_path


def test_figures_of_a_run_are_those_of_its_log(runs: Path) -> None:
    heuristic, random = report(runs).rows()
    assert list(heuristic) == list(COLUMNS)
    assert (heuristic["won"], heuristic["episodes"]) == (4, 4)
    assert heuristic["low"] == pytest.approx(0.5101, abs=1e-4)
    assert heuristic["hp_share"] == pytest.approx(10 / 13)
    assert heuristic["regret_share"] == pytest.approx(3 / 1170)
    assert heuristic["goal_score"] == pytest.approx(0.5 + 0.5 * 10 / 13)
    # A rule is sure of its choice: 3 HP are given up in 16 decisions.
    assert heuristic["expected_regret"] == pytest.approx(3 / 16)
    assert random["won"] == 0
    assert random["hp_share"] is None
    assert random["regret_share"] == pytest.approx(13 / 1170)
    assert isinstance(random["expected_regret"], float)
    assert hp_scale(mt_gym.load("simple"), 470) == 1170


def test_report_without_solver_has_no_regrets(runs: Path) -> None:
    found = report(runs / "random", solver=False)
    (row,) = found.rows()
    assert row["regret_share"] is row["optimal_decisions"] is None
    assert row["episodes"] == 4
    assert found.notes() == []


def test_table_and_markdown_have_one_line_a_run(runs: Path) -> None:
    found = report(runs)
    lines = found.table().splitlines()
    assert lines[0].split()[:3] == ["run", "policy", "floor"]
    assert lines[1].startswith("heuristic  heuristic  simple  model        4/4")
    assert lines[2].startswith("random     random     simple  model        0/4")
    marked = found.markdown().splitlines()
    assert marked[1].startswith("| --- |")
    assert {line.count("|") for line in marked[:4]} == {marked[0].count("|")}


def test_notes_say_where_hp_was_given_up(runs: Path) -> None:
    text = report(runs).table()
    assert "random: HP given up in all, by source: assist 0, policy 52" in text
    assert "random: the goal was lost by: fight" in text


def test_csv_reads_back(runs: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(report(runs).csv())))
    assert [row["run"] for row in rows] == ["heuristic", "random"]
    assert float(rows[0]["hp_share"]) == pytest.approx(10 / 13)
    assert rows[1]["hp_share"] == ""


def test_report_is_written_with_pictures(runs: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need the extra render")
    written = report(runs).write(tmp_path / "out")
    names = ["report.md", "report.csv", "success.png", "state-value.png"]
    assert [path.name for path in written] == names
    for path in written[2:]:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_excluded_episodes_are_listed_and_in_no_rate(tmp_path: Path) -> None:
    run(ID, Breaking({1: failure()}), episodes=3, out=tmp_path / "run")
    file = tmp_path / "run" / "run.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "episodes": 5}))
    (row,) = report(tmp_path / "run").rows()
    assert row["episodes"] == 2
    assert row["not_counted"] == "infra_error 1, missing 2"


def test_strategic_override_makes_a_run_engine_assisted(tmp_path: Path) -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        legal = [e for e in info["actions"] if e["enabled"] and e["damage"]]
        dear = max(legal, key=lambda e: e["damage"], default=info["actions"][0])
        return Decision(dear["action"])

    settings = {"overrides": ["mechanical", "rule4"], "rule4_share": [1, 100]}
    run(ID, Scripted(choose), settings=settings, out=tmp_path / "rule4")
    run(ID, make_policy("random"), episodes=5, out=tmp_path / "mechanical")
    assisted, alone = report(tmp_path / "rule4", tmp_path / "mechanical").rows()
    assert assisted["attribution"] == "engine-assisted"
    assert isinstance(assisted["strategic_overrides"], int)
    assert assisted["strategic_overrides"] > 0
    assert alone["attribution"] == "model"
    assert isinstance(alone["overrides"], int)
    assert alone["overrides"] > 0
    assert alone["strategic_overrides"] == 0


def test_route_condition_is_reported_apart(tmp_path: Path) -> None:
    labels = {"condition": "route"}
    run(ID, make_policy("witness"), out=tmp_path / "run", labels=labels)
    assert analyse(tmp_path / "run").attribution == "route"


def test_plans_are_counted(tmp_path: Path) -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        if info["turn"] == 1:
            choice, *plan = texts(env, "fight 6,4", "fight 5,6", "open 7,0", "open 4,7")
            return Decision(choice, plan=tuple(plan))
        return Decision(next(e["action"] for e in info["actions"] if e["enabled"]))

    run(ID, Scripted(choose), out=tmp_path / "run", commit=5)
    (row,) = report(tmp_path / "run").rows()
    assert (row["plans"], row["clean_plans"], row["new_per_plan"]) == (1, 0, 3)
    assert row["broken_steps"] == 1  # one key for two doors


def test_suite_plays_every_single_floor(tmp_path: Path) -> None:
    found = run_suite("floors", make_policy("random"), tmp_path, episodes=1)
    assert "simple" in found
    again = run_suite(
        "floors", make_policy("random"), tmp_path, episodes=1, resume=True
    )
    figures = {name: result.figures() for name, result in found.items()}
    assert {name: result.figures() for name, result in again.items()} == figures
    rows = report(tmp_path, solver=False).rows()
    assert [row["floor"] for row in rows] == sorted(found)


def test_a_suite_takes_settings_but_those_that_it_decides(tmp_path: Path) -> None:
    random = make_policy("random")
    run_suite("floors", random, tmp_path, episodes=1, settings={"overrides": []})
    about = json.loads((tmp_path / "simple" / "run.json").read_text("utf-8"))
    assert "'overrides': []" in str(about)
    with pytest.raises(MtGymError, match="suite 'bare' decides observation itself"):
        run_suite("bare", random, tmp_path, settings={"observation": "bare"})


def test_unknown_suite_and_missing_run_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="unknown suite 'all'; there are floors"):
        run_suite("all", make_policy("random"), tmp_path)
    with pytest.raises(MtGymError, match=r"is no run folder: it has no run.json"):
        report(tmp_path)
    with pytest.raises(MtGymError, match="there is no run folder"):
        report(tmp_path / "nowhere")
    with pytest.raises(MtGymError, match="at least one run"):
        report()


def test_runs_on_several_floors_say_how_high_they_came(tmp_path: Path) -> None:
    tower = str(Path(__file__).resolve().parent.parent / "data" / "stairs.toml")
    settings = {"tower": tower}
    policy = make_policy("heuristic")
    result = run(
        "MagicTower-v0", policy, settings=settings, episodes=2, out=tmp_path / "run"
    )
    last = mt_gym.load(tower).floors[-1].id
    assert {one.highest_floor for one in result.episodes} == {last}
    assert f"highest floors            {last} 2" in result.table()
    (row,) = report(tmp_path / "run").rows()
    assert row["highest_floors"] == f"{last}:2"
    assert row["gateways"] == result.episodes[0].gateways
    end = result.episodes[0]
    numbers = f"{end.hp}.0, {end.hero['atk']}.0, {end.hero['def']}.0"
    assert f"final HP, ATK, DEF, mean  {numbers}" in result.table()
    note = report(tmp_path / "run").notes()[0]
    assert note.startswith(f"run: highest floor {last} 2x; alive 2/2; ")
    assert f"HP, ATK, DEF {numbers}; gateways removed {end.gateways}.0" in note
    assert row["alive"] == 2
    assert row["final_atk"] == result.episodes[0].hero["atk"]


@pytest.mark.parametrize("observation", ["tower-final", "tower-1", "tower-2"])
def test_rule_4_enforced_on_several_floors_is_engine_assisted(
    observation: str, tmp_path: Path
) -> None:
    tower = str(Path(__file__).resolve().parent.parent / "data" / "stairs.toml")
    settings = {"tower": tower, "observation": observation}
    run("MagicTower-v0", make_policy("random"), settings=settings, out=tmp_path / "a")
    found = analyse(tmp_path / "a", solver=False)
    assert not any(one.strategic for one in found.episodes)
    expected = "model" if observation == "tower-final" else "engine-assisted"
    assert found.attribution == expected
