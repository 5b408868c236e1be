"""Numbers of any size are searched exactly."""

from dataclasses import replace
from pathlib import Path

import pytest

from mt_gym.engine.kinds import amounts
from mt_gym.engine.load import load, loads
from mt_gym.engine.tower import Tower
from mt_gym.engine.transform import transformed
from mt_gym.solver import solve, state_value
from mt_gym.solver.arrays import LOST
from mt_gym.solver.magnitude import is_large
from tests.solver.brute import best

TOKENS = Path(__file__).parents[1] / "data" / "tokens.toml"


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("token = 1", "token = 20"),  # doubled beyond the field of ATK
        ("token = 1", "token = 62"),
        ("{ def = 2 }", f"{{ def = {2**40} }}"),
    ],
)
def test_what_is_bought_may_be_of_any_size(old: str, new: str) -> None:
    """A sum beyond its field would make a fight look unwinnable."""
    text = TOKENS.read_text(encoding="utf-8")
    assert text.count(old) == 1
    tower = loads(text.replace(old, new))
    found = solve(tower)
    assert (found.status, found.hp) == ("optimal", best(tower, tower.initial_state()))


def test_bought_health_does_not_pay_for_what_cannot_be_won() -> None:
    text = TOKENS.read_text(encoding="utf-8")
    text = text.replace("gold = 200", "gold = 100_000_000").replace(
        "gold = 100 }", "gold = 1 }"
    )
    text = text.replace('doubles_with = "token"\n', "")
    text = text.replace("def = 7", "def = 9").replace(
        "{ atk = 2 }, ", "{ hp = 100_000 }, "
    )
    found = solve(loads(text), node_limit=20)
    assert found.hp is None
