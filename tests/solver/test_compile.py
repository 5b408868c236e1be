"""numba: loaded by the first search, cached on disk, and working without a cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOLVE = """
import time
import mt_gym.engine.load as maps
from mt_gym.solver import solve
tower = maps.load("simple")
start = time.perf_counter()
print(solve(tower).hp, solve(tower).hp)
"""


def run(code: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def test_importing_the_solver_does_not_import_numba() -> None:
    done = run("import sys, mt_gym.solver; print('numba' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.slow
def test_first_call_says_that_it_compiles_and_the_next_process_does_not(
    tmp_path: Path,
) -> None:
    first, second = run(SOLVE, tmp_path), run(SOLVE, tmp_path)
    assert first.stdout.split() == second.stdout.split() == ["13", "13"]
    assert first.stderr.count("\n") == 1
    assert "compiling the solver" in first.stderr
    assert second.stderr == ""


def test_what_is_compiled_is_named(tmp_path: Path) -> None:
    code = (
        "import numpy as np\n"
        "from mt_gym.envs.batch.access import has\n"
        "from mt_gym.envs.batch.fights import fight_loss\n"
        "has(np.zeros(1, np.int64), 0, 0)\n"
        "fight_loss(*[1] * 17)\n"
    )
    done = run(code, tmp_path)
    assert "compiling the batch environment for this machine" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert run(code, tmp_path).stderr == ""


@pytest.mark.slow
def test_without_a_cache_folder_it_works_and_says_so_once() -> None:
    code = (
        "from numba.core import caching\n"
        "caching.CacheImpl._locator_classes = []\n" + SOLVE
    )
    done = run(code)
    assert done.stdout.split() == ["13", "13"], done.stderr
    assert done.stderr.count("no folder for compiled code can be written") == 1
    assert len(done.stderr.splitlines()) == 2


def test_changed_rules_are_compiled_again() -> None:
    """The cache knows the files that a function depends on, not only its own."""
    from mt_gym.engine import rules as engine_rules
    from mt_gym.solver import compile as compiling
    from mt_gym.solver import moves

    folder = Path(compiling.__file__).parent
    rules = Path(str(engine_rules.__file__))
    stamp = compiling._stamp(folder)
    assert moves.cost._cache._cache_file._source_stamp  # type: ignore[attr-defined]
    before = rules.stat()
    try:
        os.utime(rules, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        assert compiling._stamp(folder) != stamp
    finally:
        os.utime(rules, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert compiling._stamp(folder) == stamp
