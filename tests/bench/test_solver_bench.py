"""The bench of the solver, and foreign solvers: answers, failures, hangs, nonsense."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from mt_gym.bench.foreign import run_foreign
from mt_gym.bench.solver import bench_solver, measure, summarise
from mt_gym.cli import call
from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver import solve

SOLVER = Path(__file__).parent.parent / "oracles" / "text_solver.py"


def program(folder: Path, source: str) -> Path:
    """An executable of a Python source."""
    path = folder / "solver"
    path.write_text(f"#!{sys.executable}\n{source}")
    path.chmod(0o755)
    return path


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return program(tmp_path, SOLVER.read_text())


def plain(seed: int) -> Tower:
    """A random floor that the text format can say; half of them cannot be won."""
    shape = "tight" if seed % 2 else "loose"
    recipe = Recipe(7, shape, specials=("magic",))
    return random_tower(np.random.default_rng(seed), recipe)


def test_a_foreign_solver_and_ours_agree_on_the_files_that_are_written(
    foreign: Path,
) -> None:
    towers = [plain(seed) for seed in range(8)]
    towers += [load(name) for name in ("hand01", "hand03", "hand04")]
    answers = [run_foreign(foreign, tower, 60) for tower in towers]
    assert {answer.outcome for answer in answers} == {"answered"}
    assert [answer.hp for answer in answers] == [solve(tower).hp for tower in towers]
    assert {answer.hp is None for answer in answers} == {False, True}


def test_a_map_that_the_format_cannot_say_is_not_given_to_it(foreign: Path) -> None:
    assert run_foreign(foreign, load("hand05")).outcome == "not in the format"


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("raise SystemExit(3)", "failed"),
        ("import time\ntime.sleep(60)", "too slow"),
        ("print('out of ideas, 1.5 of them, v2')", "no answer"),
        ("import sys\nsys.stdout.buffer.write(bytes(range(128, 256)))", "no answer"),
        ("print('best 12')\nprint('end: 7 HP')", "answered"),
        ("print(-1)", "answered"),
    ],
)
def test_what_a_foreign_program_does_is_told(
    source: str, outcome: str, tmp_path: Path
) -> None:
    answer = run_foreign(program(tmp_path, source), load("hand01"), 1.5)
    assert answer.outcome == outcome
    assert (answer.seconds is not None) == (outcome == "answered")
    assert answer.hp == (7 if "7 HP" in source else None)


def test_a_file_that_is_no_program_fails(tmp_path: Path) -> None:
    path = program(tmp_path, "")
    path.write_bytes(b"\x7fELF nonsense")
    assert run_foreign(path, load("hand01")).outcome == "failed"


def test_the_ratio_is_that_of_answers_only(foreign: Path, tmp_path: Path) -> None:
    row = measure(load("hand01"), "shipped", "hand01", 60, foreign)
    assert row.ratio is not None and row.foreign is not None
    assert row.foreign.seconds is not None
    assert row.ratio == row.foreign.seconds / row.seconds
    assert measure(load("hand05"), "shipped", "hand05", 60, foreign).ratio is None


def test_random_floors_are_summed_up_by_class() -> None:
    rows = list(
        bench_solver(sizes=(6, 9), shapes=("maze",), seeds=3, shipped_floors=False)
    )
    groups = summarise(rows)
    assert [(g.group, g.floors, g.proved) for g in groups] == [
        ("maze 6", 3, 3),
        ("maze 9", 3, 3),
    ]
    assert all(0 < g.median <= g.p90 <= g.worst for g in groups)


def test_the_command_prints_both_answers(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.toml"
    path.write_text(load("hand01").to_toml())
    arguments = ["bench", "solver", "--no-shipped", "--seeds", "1", "--sizes", "6"]
    arguments += ["--shapes", "maze", "--file", str(path), "--against", str(foreign)]
    assert call(arguments) == 0
    text = capsys.readouterr().out
    assert "35 HP, x" in text
    assert "foreign solver: " in text and "times our time (median)" in text


def test_the_command_tells_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = program(tmp_path, "print(34)")
    path = tmp_path / "one.toml"
    path.write_text(load("hand01").to_toml())
    arguments = ["bench", "solver", "--no-shipped", "--seeds", "0", "--file", str(path)]
    assert call([*arguments, "--against", str(wrong)]) == 0
    assert "34 HP, not ours" in capsys.readouterr().out
    program(tmp_path, "raise SystemExit(1)")
    assert call([*arguments, "--against", str(wrong)]) == 0
    assert "foreign: failed" in capsys.readouterr().out


def test_a_program_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="there is no program"):
        next(bench_solver(seeds=0, against=tmp_path / "none"))
    path = tmp_path / "text"
    path.write_text("no program")
    path.chmod(0o644)
    with pytest.raises(MtGymError, match="not executable"):
        next(bench_solver(seeds=0, against=path))
