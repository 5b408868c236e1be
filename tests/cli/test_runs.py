"""`report`, `compare`, `verify RUN`, and the options of `run` that need a model."""

import re
import sys
from pathlib import Path

import pytest

from mt_gym.cli import call
from tests.cli.test_run import error, output

RUN = ["run", "simple", "--policy"]


@pytest.fixture
def runs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """Two labelled runs in `runs`, and the folder around it as the current one."""
    monkeypatch.chdir(tmp_path)
    for policy in ("witness", "random"):
        many = [*RUN, policy, "--episodes", "6", "--label", policy]
        output(many, capsys)
    return tmp_path / "runs"


def test_report_prints_a_line_a_run(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(["report", "runs/witness", "runs/random"], capsys)
    assert re.search(r"^witness  witness  simple  model +6/6 ", text, re.MULTILINE)
    assert re.search(r"^random   random   simple  model +0/6 ", text, re.MULTILINE)
    assert output(["report", "runs"], capsys).count("simple") == 2


@pytest.mark.parametrize(
    ("form", "start"), [("markdown", "| run | policy"), ("csv", "run,policy,floor")]
)
def test_report_has_other_forms(
    form: str, start: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["report", "runs", "--format", form, "--no-solver"]
    assert output(command, capsys).startswith(start)


def test_report_writes_its_files(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="pictures need the extra render")
    text = output(["report", "runs", "--out", "out"], capsys)
    assert "Written: out/success.png" in text
    assert len(list((runs.parent / "out").iterdir())) == 4


def test_compare_prints_the_sign_test(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(["compare", "runs/witness", "runs/random"], capsys)
    assert "only the first 6, only the second 0" in text
    assert "two-sided p = 0.03125" in text


def test_verify_takes_a_run_and_rejects_a_forged_one(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(["verify", "runs/random"], capsys)
    assert "6 episodes" in text and "everything is as stored" in text
    assert output(["verify", "runs"], capsys).count("as stored") == 2
    file = runs / "random" / "episode-00003.jsonl"
    file.write_text(file.read_text().replace('"outcome": "stuck"', '"outcome": "won"'))
    line = error(["verify", "runs/random"], capsys)
    assert "episode-00003.jsonl: line" in line
    assert "outcome is 'won', executed again it is 'stuck'" in line


def test_resume_plays_only_what_is_missing(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = (runs / "random" / "table.json").read_bytes()
    (runs / "random" / "episode-00004.jsonl").unlink()
    (runs / "random" / "table.json").unlink()
    kept = runs / "random" / "episode-00005.jsonl"
    before = kept.stat().st_mtime_ns
    command = [*RUN, "random", "--episodes", "6", "--label", "random"]
    assert "--resume" in error(command, capsys)
    output([*command, "--resume"], capsys)
    assert (runs / "random" / "table.json").read_bytes() == table
    assert kept.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--base-url", "http://x/v1"], "--base-url: only --policy llm has that"),
        (["--model", "m"], "--model: only --policy llm"),
        (["--planning", "commit-3"], "--planning: only --policy llm"),
        (["--no-fallback"], "--no-fallback: only --policy llm"),
        (["--plan-memory", "on"], "--plan-memory: only --policy llm"),
        (["--condition", "route"], "--condition: only --policy llm"),
        (["--max-calls", "5"], "asks no model"),
        (["--max-cost", "5"], "needs a price table"),
        (["--prices", "input=1,output=1"], "--prices goes with --max-cost"),
        (["--max-cost", "1", "--prices", "cheap"], "input=P,output=P is expected"),
        (["--offline"], "--offline needs the stored answers"),
        (["--calls", "nowhere/calls.db"], "cannot be used: unable to open"),
        (["--resume"], "nothing to resume without a folder"),
        (["--concurrency", "0"], "concurrency must be an integer >= 1"),
    ],
)
def test_option_that_does_not_fit_is_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error([*RUN, "random", *options], capsys)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["report", "nowhere"], "there is no run folder 'nowhere'"),
        (["report", "runs", "--format", "pdf"], "--format 'pdf': one of table"),
        (["compare", "runs/random"], "at least two runs"),
        (["compare", "runs/random", "nowhere"], "there is no run folder"),
        (["verify", "."], "'.' is no run folder: it has no run.json"),
    ],
)
def test_folder_that_is_no_run_is_refused(
    command: list[str],
    message: str,
    runs: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert message in error(command, capsys)


def test_model_of_a_server_plays_through_the_command_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    from mt_gym.agents import make_policy
    from mt_gym.agents.llm.server import serving

    monkeypatch.chdir(tmp_path)
    with serving(make_policy("heuristic")) as server:
        asked = ["--base-url", server.base_url, "--model", "heuristic"]
        command = [*RUN, "llm", *asked, "--episodes", "2"]
        text = output([*command, "--label", "a", "--calls", "calls.db"], capsys)
        assert re.search(r"^won +2/2$", text, re.MULTILINE)
        planned = output([*RUN, "llm", *asked, "--planning", "commit-5"], capsys)
        assert re.search(r"^T\d+ +plan ", planned, re.MULTILINE)
        assert call([*command, "--label", "b", "--max-calls", "3"]) == 1
        line = capsys.readouterr().err
        assert "2 of 2 episodes are not finished (budget: the budget of 3" in line
    again = output(
        [*command, "--label", "c", "--calls", "calls.db", "--offline"], capsys
    )
    assert "more from the store" in again
    assert "Stored in" in output([*RUN, "random", "--label", "d"], capsys)


def test_missing_tensorboard_is_told_before_the_run(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.summary", None)
    folder = str(tmp_path / "run")
    command = [*RUN, "random", "--tensorboard", str(tmp_path), "--out", folder]
    assert "need tensorboard: pip install" in error(command, capsys)
    assert not (tmp_path / "run").exists()
