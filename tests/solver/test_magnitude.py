"""Numbers of any size are searched exactly."""

from dataclasses import replace

import pytest

from mt_gym.engine.kinds import amounts
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.engine.transform import transformed
from mt_gym.solver import solve, state_value
from mt_gym.solver.arrays import LOST
from mt_gym.solver.magnitude import is_large


@pytest.mark.parametrize("times", [3, 4, 5])
@pytest.mark.parametrize("name", ["simple", "hand07", "hand08"])
def test_an_optimum_of_any_size_is_found(name: str, times: int) -> None:
    """Beyond `LOST` a fight that cannot be won would look payable."""
    twin = transformed(load(name), "+".join(["rescale:1000"] * times))
    assert twin.certificate is not None
    found = solve(twin)
    assert (found.status, found.hp) == ("optimal", twin.certificate.optimum)
    assert state_value(twin, twin.initial_state()) == twin.certificate.optimum


def test_only_numbers_near_the_limit_are_large() -> None:
    for name in ("simple", "complex", "hand07", "hand10", "tower"):
        tower = load(name)
        assert not is_large(tower, tower.initial_state())
    data = load("simple").data
    rich = Tower(replace(data, hero=amounts(dict(data.hero) | {"hp": LOST})))
    assert is_large(rich, rich.initial_state())
    kinds = tuple(
        replace(k, values=tuple(replace(v, hp=10**9, atk=10**9) for v in k.values))
        for k in data.kinds
    )
    hard = Tower(replace(data, kinds=kinds, certificate=None))
    assert is_large(hard, hard.initial_state())
    assert solve(hard).status == "infeasible"


def test_an_unwinnable_goal_stays_so_with_endless_health() -> None:
    data = load("simple").data
    kinds = tuple(
        replace(k, values=tuple(replace(v, defense=10**6) for v in k.values))
        if k.boss
        else k
        for k in data.kinds
    )
    hero = amounts(dict(data.hero) | {"hp": 10**15})
    tower = Tower(replace(data, hero=hero, kinds=kinds, certificate=None))
    assert solve(tower).status == "infeasible"
