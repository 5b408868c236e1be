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
    environment.pop("OPENAI_API_KEY", None)  # no test asks a model that costs
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
@pytest.mark.parametrize(
    ("notebook", "modules"),
    [
        ("compare_policies", ("matplotlib",)),
        ("features_and_masks", ("matplotlib",)),
        ("llm_vs_rl", ("matplotlib", "openai", "sb3_contrib")),
    ],
)
def test_notebooks_run_from_top_to_bottom(
    notebook: str, modules: tuple[str, ...], tmp_path: Path
) -> None:
    for module in ("nbmake", *modules):
        pytest.importorskip(module, reason=f"needs an extra with {module}")
    path = str(EXAMPLES / f"{notebook}.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbmake", path]
    plain = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--no-header"]
    text = run([*command, *plain, "--rootdir", str(tmp_path)], tmp_path)
    assert "1 passed" in text


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks_are_small_and_name_no_folder_of_a_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < 100_000
    for word in ("/tmp/", "/home/", "/work/", "/root/", "OPENAI_API_KEY="):
        assert word not in text
