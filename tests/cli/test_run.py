"""`run` and `replay`: what is shown, what is stored, and what a replay refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mt_gym
from mt_gym.cli import call

RUN = ["run", "simple", "--policy"]


def output(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code = call(arguments)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert call(arguments) != 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    return err


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def write_rows(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run of two witness episodes."""
    folder = tmp_path / "stored"
    output([*RUN, "witness", "--episodes", "2", "--out", str(folder)], capsys)
    return folder


def test_run_shows_every_turn_with_source_reason_and_hp(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = output([*RUN, "witness"], capsys).splitlines()
    turns = [line for line in lines if re.match(r"T\d+ ", line)]
    assert [int(line[1:5]) for line in turns] == list(range(1, 37))
    assert re.match(
        r"T1 +assist +HP +470 → 470 +collect 5,1 \(Yellow Key\) +\S", turns[0]
    )
    assert re.match(
        r"T2 +policy +HP +470 → 415 +fight 6,4 \(Black Slime\) +next on", turns[1]
    )
    assert re.search(
        r"won after 36 turns .* with 13 HP .best possible 13.; goal score 1.000",
        lines[-1],
    )


def test_heuristic_gives_a_reason_for_each_of_its_choices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = output([*RUN, "heuristic"], capsys).splitlines()
    own = [line for line in lines if re.match(r"T\d+ +policy ", line)]
    assert own
    assert all(re.search(r"\)  +\S.*\S$", line.rstrip()) for line in own), own


def test_equal_seeds_give_equal_episodes(capsys: pytest.CaptureFixture[str]) -> None:
    one = output([*RUN, "random", "--seed", "7"], capsys)
    assert output([*RUN, "random", "--seed", "7"], capsys) == one
    assert output([*RUN, "random", "--seed", "8"], capsys) != one


def test_many_episodes_end_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = output([*RUN, "witness", "--episodes", "3"], capsys)
    assert re.search(r"^won +3/3 *$", text, re.MULTILINE)
    assert re.search(r"^final HP of wins, mean +13.0 \(optimum 13\)", text, re.M)
    assert re.search(r"^goal score, mean +1.000", text, re.MULTILINE)


def test_settings_reach_environment_and_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = ["--set", "max_turns=3", "--set", "policy.rule4_share=[1, 2]"]
    folder = str(tmp_path / "run")
    text = output([*RUN, "heuristic", *settings, "--out", folder], capsys)
    assert "out of turns after 3 turns" in text
    about = json.loads((tmp_path / "run" / "run.json").read_text())
    assert about["environment"]["kwargs"]["max_turns"] == 3


def test_label_names_a_folder_in_runs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    output([*RUN, "random", "--label", "first"], capsys)
    names = sorted(path.name for path in (tmp_path / "runs" / "first").iterdir())
    assert names == [
        ".lock",
        "episode-00001.jsonl",
        "run.json",
        "table.json",
        "texts.jsonl",
    ]


def test_stored_episode_holds_start_decisions_turns_and_end(stored: Path) -> None:
    rows = rows_of(stored / "episode-00002.jsonl")
    tower = mt_gym.load("simple")
    assert [rows[0]["row"], rows[-1]["row"]] == ["start", "end"]
    assert rows[0]["digest"] == tower.digest
    turns = [row for row in rows if row["row"] == "turn"]
    texts = {row["text"] for row in turns}
    assert tower.certificate is not None
    assert texts == set(tower.certificate.route)
    decided = [row["text"] for row in rows if row["row"] == "decision"]
    chosen = [row["text"] for row in turns if row["source"] == "policy"]
    assert decided == chosen
    assert rows[-1]["decisions"] == len(decided)


def test_run_folder_is_never_overwritten(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in stored.iterdir()}
    line = error([*RUN, "random", "--out", str(stored)], capsys)
    assert "is not empty and is never overwritten" in line
    assert {path: path.read_bytes() for path in stored.iterdir()} == before


def test_map_in_a_file_is_run_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(mt_gym.load("simple").to_toml(), encoding="utf-8")
    folder = str(tmp_path / "run")
    command = ["run", str(file), "--policy", "witness", "--out", folder]
    assert "with 13 HP" in output(command, capsys)
    assert "all 36 turns are as stored" in output(["replay", folder], capsys)


def test_own_policy_in_the_current_folder_is_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first_one_policy.py").write_text(OWN_POLICY)
    spec = "first_one_policy:FirstOne"
    text = output(["run", "simple", "--policy", spec], capsys)
    assert "FirstOne" in text.splitlines()[0]


OWN_POLICY = """
from mt_gym.agents import Decision

class FirstOne:
    name = "FirstOne"
    observation = "bare"
    def new_episode(self, env, seed):
        return self
    def act(self, observation, info):
        assert "Available" in observation or observation
        return Decision(next(e["action"] for e in info["actions"] if e["enabled"]))
"""

STOPS = """
from mt_gym.agents import make_policy

class Stops:
    name = "stops"
    observation = None
    episodes = 0
    def new_episode(self, env, seed):
        self.episodes += 1
        if self.episodes == 3:
            {stop}
        return make_policy("random").new_episode(env, seed)
"""


@pytest.mark.parametrize(
    ("stop", "message", "code"),
    [
        ("raise KeyboardInterrupt", "interrupted; 2 of 5 episodes finished", 130),
        ("return self", "'Stops' object has no attribute 'act'", 1),
    ],
)
def test_interrupted_run_loses_no_finished_episode(
    stop: str,
    message: str,
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    module = f"stops_with_{code}"
    (tmp_path / f"{module}.py").write_text(STOPS.format(stop=stop))
    command = ["run", "simple", "--policy", f"{module}:Stops", "--episodes", "5"]
    assert call([*command, "--label", "cut"]) == code
    line = capsys.readouterr().err
    assert message in line or "act(observation, info)" in line
    folder = tmp_path / "runs" / "cut"
    names = sorted(path.name for path in folder.glob("*pisode*.jsonl"))
    assert names == ["episode-00001.jsonl", "episode-00002.jsonl"]
    output(["replay", str(folder), "--episode", "2"], capsys)


def test_replay_shows_what_the_run_showed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    shown = output([*RUN, "random", "--seed", "3", "--out", folder], capsys)
    again = output(["replay", folder], capsys)
    assert again.splitlines()[:-1] == shown.splitlines()[:-1]
    assert again.splitlines()[-1].startswith("Executed again: all ")


def test_replay_takes_one_file(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(["replay", str(stored / "episode-00002.jsonl")], capsys)
    assert "seed 1" in text.splitlines()[0]


def change_turn(rows: list[dict[str, Any]], key: str, value: Any) -> None:
    next(row for row in rows if row.get("turn") == 2 and row["row"] == "turn")[key] = (
        value
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r[0].update(digest="0" * 16), "of another tower 'simple' .hash 0+"),
        (lambda r: change_turn(r, "hp_after", 416), "turn 2 .* hp_after is 416.* 415"),
        (lambda r: change_turn(r, "text", "open 7,5"), "turn 2 .* index is 14.* 18"),
        (lambda r: change_turn(r, "text", "jump"), "turn 2 .* no action 'jump'"),
        (lambda r: r[-1].update(hp=14), "final HP is 14, the engine gives 13"),
        (lambda r: r[-1].update(outcome="stuck"), "outcome is 'stuck'.* gives 'won'"),
        (lambda r: r[-1].update(turns=35), "turns is 35, the engine gives 36"),
        (lambda r: r.pop(), "the episode is cut: its last line is no end"),
        (lambda r: r.pop(0), "line 1: no start of an episode"),
        (lambda r: r[0].update(format=99), "log format 99; this version reads 1"),
        (lambda r: r[-1].pop("hp"), "it lacks 'hp'"),
    ],
)
def test_replay_refuses_a_log_that_does_not_fit(
    change: Any, message: str, stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = stored / "episode-00001.jsonl"
    rows = rows_of(file)
    change(rows)
    write_rows(file, rows)
    line = error(["replay", str(stored)], capsys)
    assert re.search(message, line), line


def test_replay_refuses_a_torn_line(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = stored / "episode-00001.jsonl"
    file.write_text(file.read_text()[:-20])
    assert re.search(r"line \d+: no JSON", error(["replay", str(stored)], capsys))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "run.json").unlink(), "it has no run.json"),
        (lambda folder: (folder / "run.json").write_text("{"), "run.json: no JSON"),
        (lambda folder: (folder / "run.json").write_text("[]"), "JSON object is expe"),
        (lambda folder: (folder / "run.json").write_text('{"format": 1}'), "'tower'"),
        (lambda folder: [p.unlink() for p in folder.glob("e*")], "no finished episode"),
    ],
)
def test_replay_refuses_a_folder_that_is_no_run(
    spoil: Any, message: str, stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(stored)
    assert message in error(["replay", str(stored)], capsys)


def test_replay_names_the_episodes_that_there_are(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = error(["replay", str(stored), "--episode", "9"], capsys)
    assert "no episode 9 (finished: 1, 2)" in line
