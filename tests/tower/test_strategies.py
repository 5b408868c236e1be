"""More than one way to play wins: a witness of each, replayed in three ways."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import ATK, DEF, EXP
from mt_gym.errors import IllegalAction
from mt_gym.solver.tower.net import Net, build
from mt_gym.solver.tower.replay import replay
from tests.tower.fixtures import FOLDER, tower, witness
from tests.tower.towersim import TowerSim

FILES = sorted((FOLDER / "witnesses").glob("*.toml"))


@cache
def net() -> Net:
    return build(tower())


@cache
def read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def route(file: Path) -> tuple[Action, ...]:
    return tuple(tower().action(text) for text in read(file)["route"])


def name_of(action: Action) -> str:
    return tower().board.objects[action.object].name


def buys(action: Action, resource: int, currency: int) -> bool:
    """Whether an action is a purchase of one attribute alone for a currency."""
    gains = [gained for gained, _ in action.row.gain]
    pays = [paid for paid, _ in action.row.cost]
    return action.verb == "buy" and gains == [resource] and pays == [currency]


BARRED: dict[str, Callable[[Action], bool]] = {
    "experience only buys ATK": lambda action: buys(action, DEF, EXP),
    "experience only buys DEF": lambda action: buys(action, ATK, EXP),
    "no trade on MT15": lambda action: action.verb == "trade",
    "keys not traded": lambda action: name_of(action) in ("Key Seller", "Key Buyer"),
}
"""What a strategy never does."""


def test_two_strategies_win_at_least() -> None:
    assert len({read(file)["strategy"] for file in FILES}) >= 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_a_strategy_wins_by_engine_compiled_code_and_cells(file: Path) -> None:
    found = read(file)
    state, sim = tower().initial_state(), TowerSim(FOLDER)
    for action in route(file):
        assert not BARRED[found["strategy"]](action), action.text
        state = tower().step(state, action)
        sim.play(action.text)
    assert state.won and state.hero.hp == found["hp"]
    assert sim.won and sim.hero["hp"] == found["hp"]
    assert replay(net(), route(file)) == found["hp"]


def test_compiled_code_replays_the_certificate() -> None:
    certificate = tower().certificate
    assert certificate is not None
    assert replay(net(), witness()) == certificate.optimum


def test_compiled_code_refuses_a_route_with_a_fight_left_out() -> None:
    texts = [action.text for action in witness()]
    fight = next(i for i, text in enumerate(texts) if text.startswith("MT16:fight 7,8"))
    with pytest.raises(IllegalAction, match="cannot be executed"):
        replay(net(), witness()[:fight] + witness()[fight + 1 :])


def test_the_page_names_every_strategy_with_its_hp() -> None:
    page = (FOLDER.parents[1] / "docs" / "tower.md").read_text("utf-8")
    for file in FILES:
        found = read(file)
        assert f"| strategy: {found['strategy']} | {found['hp']} HP |" in page
