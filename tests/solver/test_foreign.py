"""Foreign maps that nobody here drew, read from MT_GYM_REFERENCE."""

from __future__ import annotations

from pathlib import Path

import pytest

from mt_gym.engine.formats.key_writer import write_keys
from mt_gym.engine.load import load
from mt_gym.solver import solve
from mt_gym.solver.solution import INFEASIBLE
from tests.oracles.mtsim import Sim

pytestmark = pytest.mark.reference

PROVED = {"zj_xk1": 2, "hgc-xl": 1338, "test1": 86720, "t2": 112, "hr_xt1": 25}
"""Optimum of each map that is proved in seconds."""

FOUND = {"rubbish1": 11_827, "59-hut": 10, "gen1": 4000}
"""Final HP that a short search finds at the least; 11827 is the known route's."""


def in_the_simulator(path: Path, keys: str) -> int:
    """Final HP of a key route that takes the flag."""
    sim = Sim.read(path.read_text())
    sim.play(keys)
    assert sim.flags == 1
    return sim.bag["hp"]


@pytest.mark.parametrize("name", PROVED)
def test_optimum_is_proved(name: str, reference_folder: Path) -> None:
    path = reference_folder / "mt" / f"{name}.mt"
    tower = load(path)
    solution = solve(tower)
    assert (solution.status, solution.hp) == ("optimal", PROVED[name])
    assert in_the_simulator(path, write_keys(tower, solution.route)) == PROVED[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_route_is_found_and_not_called_an_optimum(
    name: str, reference_folder: Path
) -> None:
    path = reference_folder / "mt" / f"{name}.mt"
    tower = load(path)
    solution = solve(tower, node_limit=60_000, memory_limit="1GiB")
    assert solution.status == "bounded"
    assert solution.hp is not None and solution.hp >= FOUND[name]
    assert solution.bound is not None and solution.bound > solution.hp
    assert in_the_simulator(path, write_keys(tower, solution.route)) == solution.hp


@pytest.mark.parametrize("name", ["fate", "light"])
def test_no_play_wins_and_that_is_proved(name: str, reference_folder: Path) -> None:
    solution = solve(load(reference_folder / "text" / f"{name}.txt"))
    assert (solution.status, solution.hp, solution.route) == (INFEASIBLE, None, ())
