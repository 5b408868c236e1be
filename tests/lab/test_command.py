"""`mt-gym train` and the example, as they are documented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra rl")
pytest.importorskip("sb3_contrib", reason="needs the extra rl")

from mt_gym.agents import make_policy
from mt_gym.cli import call
from mt_gym.generator.pools import write_pool
from mt_gym.lab.floors import levels_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHORT = ("--frames", "2048", "--copies", "32", "--width", "16")


@pytest.fixture(autouse=True)
def clean_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def stored(folder: str) -> dict[str, object]:
    about: dict[str, object] = json.loads(Path(folder, "train.json").read_text())
    return about


def test_a_floor_is_trained_reported_compared_and_gone_on_with(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(["train", "hand01", *SHORT, "--seed", "3", "--tensorboard", "tb"]) == 0
    folder = "runs/train-hand01-3"
    assert stored(folder)["settings"]["seed"] == 3  # type: ignore[index]
    assert list(Path("tb").rglob("events.*"))
    names = ("final", "final-sampled", "best", "best-sampled")
    for name in names:
        run = json.loads(Path(folder, name, "run.json").read_text())
        assert run["environment"]["kwargs"]["overrides"] == []
        assert run["about"]["network"]["algo"] == "maskable-ppo"
    assert call(["report", folder]) == 0
    text = capsys.readouterr().out
    assert all(f"rl:{name}" in text for name in names)
    assert call(["compare", f"{folder}/final", f"{folder}/best"]) == 0
    assert "exact sign test" in capsys.readouterr().out
    assert call(["verify", f"{folder}/final"]) == 0

    again = ["train", "hand01", *SHORT, "--seed", "3"]
    assert call(again) == 1
    assert "--resume" in capsys.readouterr().err
    again[3] = "4096"
    assert call([*again, "--resume"]) == 0
    looks = stored(folder)["looks"]
    assert looks[-1]["frames"] == 4096  # type: ignore[index]
    assert call([*again, "--resume", "--rate", "0.1"]) == 1
    assert "rate is 0.0005 and not 0.1" in capsys.readouterr().err
    assert call(["run", "hand01", "--policy", f"rl:{folder}/final.npz"]) == 0


def test_a_pool_is_cloned_and_looked_at_on_other_floors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_pool("pool", level=1, count=3)
    options = ["--width", "8", "--attention", "0", "--annotations", "none"]
    clone = ["train", "pool", "--algo", "clone", "--rounds", "0", *options]
    assert call([*clone, "--out", "out"]) == 0
    text = capsys.readouterr().out
    assert "of 20 validation floors" in text
    assert len(list(Path("out/final").glob("*/run.json"))) == 20
    assert call(["report", "out/final", "--no-solver"]) == 0
    network = make_policy("rl:out/final.npz").describe()["network"]  # type: ignore[attr-defined]
    assert (network["floor"], network["algo"]) == ("pool", "clone")


def test_ppo_begins_with_weights_of_cloning(capsys: pytest.CaptureFixture[str]) -> None:
    write_pool("pool", level=1, count=2)
    begun = ["train", "pool", "--start", "transfer", "--copies", "8"]
    assert call([*begun, "--frames", "512", "--warm", "256", "--out", "out"]) == 0
    assert "512 frames" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "nowhere"),
        (["hand01", "--algo", "dqn"], "maskable-ppo"),
        (["tower"], "networks are trained on single floors"),
        (["test"], "there to measure with"),
        (["train", "--levels", "0-3"], "--levels '0-3'"),
        (["hand01", "--attention", "2"], "--attention is for sets"),
        (["hand01", "--annotations", "colour"], "colour"),
        (["hand01", "--start", "nowhere"], "no weights and no file 'nowhere'"),
        (["hand01", "--resume"], "no training that could go on"),
        (["hand01", "--algo", "clone", "--tensorboard", "tb"], "--tensorboard is for"),
        (["hand01", "--frames", "0"], "frames"),
        (["hand01", "--spare", "inf"], "--spare"),
        (["hand01", "--weight", "inf"], "--weight must be a finite number"),
        (["hand01", "--rate", "0"], "--rate must be above 0"),
        (["hand01", "--spare", "1e30"], "--spare"),
        (["hand01", "--copies", "1000000000"], "--copies"),
        (["hand01", "--start", "transfer", "--width", "8"], "--width: the weights of"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["train", *arguments]) != 0
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert not Path("runs").exists()


def test_missing_torch_is_told_with_the_build_without_cuda(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert call(["train", "hand01"]) == 1
    error = capsys.readouterr().err
    assert "training needs torch" in error
    assert "download.pytorch.org/whl/cpu" in error


def test_levels_are_a_list_of_numbers_and_ranges() -> None:
    assert levels_of("3") == (3,)
    assert levels_of("1-3,8") == (1, 2, 3, 8)


def test_the_example_trains(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLES / "train_maskable_ppo.py")]
    done = subprocess.run(
        [*command, "hand01", "4096", "1"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hand01, seed 1, 4,096 frames" in done.stdout
    assert (tmp_path / "hand01-ppo.zip").is_file()
