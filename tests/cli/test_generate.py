"""The commands about generated floors, certificates, twins and the bank."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mt_gym.bench import difficulty
from mt_gym.cli import call
from mt_gym.engine.load import load, loads, shipped
from mt_gym.generator.generate import generate


def test_generate_prints_a_floor_or_writes_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(["generate", "--level", "2", "--set", "test", "--index", "4"]) == 0
    made = generate(2, floors="test", index=4)
    assert loads(capsys.readouterr().out) == made
    file = tmp_path / "floor.toml"
    assert call(["generate", "--level", "2", "--size", "5", "--out", str(file)]) == 0
    assert load(file) == generate(2, 5)


def test_generate_makes_a_pool_and_verify_proves_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = str(tmp_path / "pool")
    assert call(["generate", "--count", "3", "--out", folder]) == 0
    assert "3 floors of level 1 with 5 gateways, set train" in capsys.readouterr().out
    assert call(["verify", folder]) == 0
    assert "3 floors, every certificate replayed." in capsys.readouterr().out
    assert call(["verify", folder, "--prove"]) == 0
    assert "every certificate proved again." in capsys.readouterr().out
    assert call(["generate", "--count", "3", "--out", folder]) == 1
    assert "is in use, and not by a pool to be finished" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--count", "3"], "a pool needs --out FOLDER"),
        (["--count", "3", "--all", "--out", "x"], "one of --count N and --all"),
        (["--all", "--out", "x"], "the set 'train' has no end"),
        (["--level", "12"], "level=12 is unknown"),
        (["--set", "exam"], "unknown set 'exam'"),
        (["--apart-from", "x"], "--apart-from goes with --count or --all"),
    ],
)
def test_bad_requests_are_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(["generate", *arguments]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_verify_proves_a_shipped_floor(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["verify", "hand03", "--prove"]) == 0
    assert "and again just now" in capsys.readouterr().out


def test_verify_refuses_a_file_that_contradicts_its_certificate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "wrong.toml"
    text = load("hand03").to_toml().replace("optimum = 22", "optimum = 30")
    file.write_text(text, encoding="utf-8")
    assert call(["verify", str(file)]) == 1
    assert (
        "says 30 HP: the route ends with 22 HP, not with 30" in capsys.readouterr().err
    )


def test_a_run_on_a_twin_stands_beside_the_run_on_the_floor(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = ["run", "hand02", "--policy", "witness", "--label"]
    assert call([*run, "plain"]) == 0
    assert call([*run, "twin", "--transform", "mirror+rename:3"]) == 0
    about = json.loads((tmp_path / "runs/twin/run.json").read_text(encoding="utf-8"))
    assert (about["transform"], about["twin_of"]) == ("mirror+rename:3", "hand02")
    assert call(["verify", "runs/twin"]) == 0
    capsys.readouterr()
    assert call(["report", "runs/plain", "runs/twin", "--no-solver"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "hand02 " in told[1]
    assert "hand02.mirror+rename-3" in told[2].replace(":", "-")
    heads, row = (re.split(r"  +", line) for line in told[-2:])
    assert heads == ["twins of", "policy", "the floor", "mirror+rename:3", "gap"]
    assert row == ["hand02", "witness", "1.000 (1/1)", "1.000 (1/1)", "+0.000"]


def test_a_run_on_a_twin_needs_no_folder(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = ["run", "hand05", "--policy", "heuristic", "--transform"]
    assert call([*run, "rotate"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert call([*run, "rescale"]) == 1
    assert "does not hold on 'hand05'" in capsys.readouterr().err


def test_a_bank_is_built_and_scored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, figures = tmp_path / "bank.jsonl", tmp_path / "score.json"
    build = ["bank", "build", str(file), "--floors", "hand02,hand03", "--generated"]
    assert call([*build, "0", "--count", "12"]) == 0
    assert "12 decisions on 2 floors" in capsys.readouterr().out
    score = ["bank", "score", str(file), "--policy"]
    assert call([*score, "heuristic", "--out", str(figures), "--limit", "8"]) == 0
    assert "accuracy" in capsys.readouterr().out
    assert json.loads(figures.read_text(encoding="utf-8"))["decisions"] == 8
    assert call([*score, "random", "--set", "tower=simple"]) == 1
    assert "the bank brings its own floors" in capsys.readouterr().err
    assert call(["bank", "score", str(figures), "--policy", "random"]) == 1
    assert "score.json', line 1" in capsys.readouterr().err


def test_a_bank_with_a_wrong_value_is_found_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "bank.jsonl"
    build = ["bank", "build", str(file), "--floors", "hand03", "--generated", "0"]
    assert call([*build, "--count", "4"]) == 0
    assert call(["bank", "verify", str(file)]) == 0
    assert "4 decisions, every value proved again" in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r'("hp": )(\d+)', r"\g<1>9\2", text, count=1), "utf-8")
    assert call(["bank", "verify", str(file)]) == 1
    assert "decision 1, on 'hand03': the state is worth" in capsys.readouterr().err


def test_an_interrupted_score_shows_what_was_asked(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mt_gym.bench import bank

    file, figures = tmp_path / "bank.jsonl", tmp_path / "score.json"
    build = ["bank", "build", str(file), "--floors", "hand02", "--generated", "0"]
    assert call([*build, "--count", "5"]) == 0
    ask = bank._Asker.ask

    async def stopping(self: bank._Asker, one: Any, number: int) -> bank.Answer:
        if number == 3:
            raise KeyboardInterrupt
        return await ask(self, one, number)

    monkeypatch.setattr(bank._Asker, "ask", stopping)
    capsys.readouterr()
    score = ["bank", "score", str(file), "--policy", "random", "--out", str(figures)]
    assert call(score) == 130
    told = capsys.readouterr()
    assert re.search(r"^all +2 ", told.out, re.MULTILINE)
    assert "interrupted; 2 of 5 decisions asked" in told.err
    assert not figures.exists()


def test_an_interrupted_pool_says_what_it_holds_and_goes_on(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mt_gym.generator import pools

    def stopping(*arguments: Any, index: int, **more: Any) -> Any:
        if index == 2:
            raise KeyboardInterrupt
        return generate(*arguments, index=index, **more)

    folder = str(tmp_path / "pool")
    with monkeypatch.context() as patch:
        patch.setattr(pools, "generate", stopping)
        assert call(["generate", "--count", "3", "--out", folder]) == 130
    told = capsys.readouterr().err
    assert f"interrupted; 2 floors kept in {folder}: the same command goes on" in told
    assert call(["verify", folder]) == 1
    assert "is a pool of 2 floors so far" in capsys.readouterr().err
    assert call(["generate", "--count", "3", "--out", folder]) == 0
    assert call(["verify", folder]) == 0


def test_a_bank_without_a_folder_is_refused_before_it_is_built(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def build(*arguments: object) -> None:
        raise AssertionError("built in vain")

    monkeypatch.setattr("mt_gym.generator.bank.build_bank", build)
    file = str(tmp_path / "missing" / "bank.jsonl")
    assert call(["bank", "build", file, "--floors", "hand02", "--generated", "0"]) == 1
    assert "missing' to write a bank in" in capsys.readouterr().err


def test_bench_floors_prints_the_profiles(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["bench", "floors", "--count", "10"]) == 0
    told = capsys.readouterr().out
    assert "10 floors: every certificate replayed, every floor is winnable." in told
    assert len(told.splitlines()) == 13
    assert call(["bench", "floors", "--count", "3"]) == 1
    refused = capsys.readouterr()
    assert (refused.out, refused.err.count("\n")) == ("", 1)


def test_floors_by_difficulty_end_with_the_tightest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difficulty, "MOST_STATES", 10_000)
    assert call(["floors", "--difficulty"]) == 0
    lines = capsys.readouterr().out.splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("Chance that"))
    names = [line.split()[0] for line in lines[1:end] if line.strip()]
    assert set(names) == set(shipped())
    chances = {line.split()[0]: line.split()[1:] for line in lines[end + 3 :]}
    assert chances["simple"][0] == "1,492" and chances["simple"][1] == "4.9e-09"
    assert list(chances)[-2:] == ["simple", "left"]
    assert lines[-2].startswith("left out: complex ('complex': play can reach more")
    assert lines[-1] == "left out: tower (has 22 floors)"
    slack = []
    for name in names:
        certificate = load(name).certificate
        figures = dict(certificate.profile) if certificate else {}
        slack.append(figures.get("slack", -1))
    assert slack == sorted(slack, reverse=True)
    depths = {line.split()[0]: line.split()[-1] for line in lines[1:end] if line}
    assert (depths["simple"], depths["hand04"], depths["tower"]) == ("1", "–", "?")
