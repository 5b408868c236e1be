"""The examples run as they are: scripts in a folder of their own, notebooks whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(command: list[str], folder: Path) -> str:
    root = str(EXAMPLES.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_own_policy_is_compared(tmp_path: Path) -> None:
    script = str(EXAMPLES / "own_policy.py")
    text = run([sys.executable, "-W", "error", script, "out"], tmp_path)
    assert "careful" in text and "exact sign test" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_read_log_finds_where_the_goal_was_lost(tmp_path: Path) -> None:
    script = str(EXAMPLES / "read_log.py")
    text = run([sys.executable, "-W", "error", script, "out"], tmp_path)
    assert "in all: 13 of 13 HP given up" in text
    assert "the goal was lost at turn" in text
    assert "it could still be won by: " in text


def test_versus_plays_a_duel_a_match_and_a_race(tmp_path: Path) -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra marl")
    script = str(EXAMPLES / "versus.py")
    text = run([sys.executable, "-W", "error", script, "out"], tmp_path)
    assert "duel on simple, 12 games" in text
    assert "Bradley-Terry" in text
    assert "race: {'player_0': 'stuck'" in text
    assert (tmp_path / "out" / "duel.png").stat().st_size > 1000


@pytest.mark.slow
def test_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    pytest.importorskip("nbmake", reason="needs the extra dev")
    pytest.importorskip("matplotlib", reason="needs the extra render")
    notebook = str(EXAMPLES / "compare_policies.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbmake", notebook]
    plain = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--no-header"]
    text = run([*command, *plain, "--rootdir", str(tmp_path)], tmp_path)
    assert "1 passed" in text
