"""The embedded model: real tokens, real malformed answers, the whole chain."""

import importlib.util
import json
from pathlib import Path

import pytest

from mt_gym.agents.llm import models
from mt_gym.agents.llm.models import find_gguf, serve_model
from mt_gym.agents.llm.policy import LLMPolicy
from mt_gym.bench import run, verify
from mt_gym.bench.log import finished_episodes
from mt_gym.bench.read import Run
from mt_gym.cli import call
from mt_gym.errors import PolicyError

installed = importlib.util.find_spec("xllamacpp") is not None
needs_model = pytest.mark.skipif(
    not installed or find_gguf() is None, reason=f"needs {models.INSTALL}"
)
SMALL = str(Path(__file__).parents[2] / "data" / "seal.toml")
"""Three decisions, whatever is chosen, and short texts."""


@pytest.fixture(autouse=True)
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def attempts(folder: Path) -> list[list[dict[str, object]]]:
    """The requests of each decision of the first episode."""
    rows = Run.of(folder).rows(finished_episodes(folder)[1])
    return [row["trace"]["attempts"] for row in rows if row["row"] == "decision"]


@pytest.mark.slow
@needs_model
def test_it_plays_a_bare_episode_of_a_small_map_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", SMALL, "--policy", "llm", "--out", str(tmp_path / "run")]
    options = ["prompt=bare", "max_tokens=24", "requests=1", "top_logprobs=5"]
    for option in options:
        command += ["--set", f"policy.{option}"]
    assert call([*command, "--set", "max_turns=4"]) == 0
    assert "Result: " in capsys.readouterr().out
    assert verify(tmp_path / "run").episodes == 1
    decisions = attempts(tmp_path / "run")
    asked = [one for decision in decisions for one in decision]
    assert len(asked) >= len(decisions) > 0
    about = json.loads((tmp_path / "run" / "run.json").read_text())
    assert about["about"]["endpoint"] == "embedded"
    assert {f"llm:{one['model']}" for one in asked} == {about["policy"]}
    assert all(one["usage"]["output"] > 0 for one in asked)  # type: ignore[index]


@pytest.mark.slow
@needs_model
def test_it_answers_three_decisions_of_an_annotated_map(tmp_path: Path) -> None:
    policy = LLMPolicy(max_tokens=16, requests=1)
    settings = {"tower": SMALL, "observation": "annotated", "max_turns": 3}
    result = run("MagicTower-v0", policy, out=tmp_path, settings=settings)
    assert result.episodes[0].decisions == 3
    assert verify(tmp_path).episodes == 1
    repairs = [
        one["outcome"]
        for decision in attempts(tmp_path)
        for one in decision
        if one["kind"] == "repair"
    ]
    assert all(outcome == "ok" for outcome in repairs)


@pytest.mark.parametrize(("cores", "threads"), [(None, 1), (1, 1), (2, 1), (8, 7)])
def test_one_core_is_left_to_everything_else(cores: int | None, threads: int) -> None:
    assert models.usual_threads(cores) == threads


@needs_model
def test_a_model_is_served_only_once() -> None:
    assert serve_model() is serve_model()


def test_a_missing_or_wrong_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no model file"):
        serve_model(tmp_path / "none.gguf")
    wrong = tmp_path / "wrong.gguf"
    wrong.write_text("hello")
    with pytest.raises(PolicyError, match="is no GGUF file"):
        serve_model(wrong)


def test_without_the_package_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    monkeypatch.setattr(models, "PACKAGE", "no-such-package")
    assert find_gguf() is None
    with pytest.raises(PolicyError, match="not installed: pip install"):
        serve_model()
    assert call(["run", "simple", "--policy", "llm"]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert "--base-url URL --model NAME" in told.err and models.INSTALL in told.err
