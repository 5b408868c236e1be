"""What is wrong with an edited tower is said in words, and nothing of it is played."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.solver import verify
from tests.tower.fixtures import FOLDER, states, tower, witness


def edited(folder: Path, old: str, new: str) -> Path:
    """A copy of the tower's files with one text of `tower.toml` replaced."""
    copy = folder / "tower"
    shutil.copytree(FOLDER, copy)
    file = copy / "tower.toml"
    text = file.read_text("utf-8")
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new), "utf-8")
    return file


def test_keys_that_are_bought_dearer_than_they_are_sold_are_a_defect(
    tmp_path: Path,
) -> None:
    dear = "{ price = { yellow = 1 }, gold = 11 }"
    file = edited(tmp_path, "{ price = { yellow = 1 }, gold = 7 }", dear)
    with pytest.raises(MtGymError, match=r"Key Seller.*Key Buyer.*without end"):
        load(file).initial_state()


def test_a_shop_that_pays_more_than_it_costs_is_a_defect(tmp_path: Path) -> None:
    generous = "{ price = { gold = 10 }, yellow = 1, gold = 10 }"
    file = edited(tmp_path, "{ price = { gold = 10 }, yellow = 1 }", generous)
    with pytest.raises(MtGymError, match=r"Key Seller.*gives at least what it costs"):
        load(file).initial_state()


def test_an_event_without_a_condition_is_a_defect(tmp_path: Path) -> None:
    script = '[[scripts]]\nname = "always"\nsets = ["a"]\n\n[certificate]'
    with pytest.raises(MtGymError, match="trigger-always: "):
        load(edited(tmp_path, "[certificate]", script)).board  # noqa: B018


def test_events_that_undo_each_other_run_once_each(tmp_path: Path) -> None:
    script = (
        '[[scripts]]\nname = "on"\nneeds = { flags = ["a"] }\n'
        'sets = ["b"]\nclears = ["a"]\n'
        '[[scripts]]\nname = "off"\nneeds = { flags = ["b"] }\n'
        'sets = ["a"]\nclears = ["b"]\n'
        '[[scripts]]\nname = "begin"\nat = "MT1:11,2"\nsets = ["a"]\n\n[certificate]'
    )
    looping = load(edited(tmp_path, "[certificate]", script))
    state = looping.initial_state()
    for action in witness()[:3]:
        state = looping.step(state, looping.action(action.text))
    assert looping.legal_actions(state)
    assert state.hero == states()[3].hero


def test_a_missing_floor_file_is_named(tmp_path: Path) -> None:
    file = edited(tmp_path, "[certificate]", "[certificate]")
    (file.parent / "MT07.toml").unlink()
    with pytest.raises(MtGymError, match=r"MT07\.toml"):
        load(file)


def test_an_action_on_a_floor_that_nobody_visited_is_refused() -> None:
    state = tower().initial_state()
    with pytest.raises(IllegalAction, match="MT5"):
        tower().step(state, tower().action("MT5:fight 8,5"))


@pytest.mark.parametrize("change", ["optimum", "route", "bound", "status"])
def test_an_edited_certificate_is_rejected(change: str) -> None:
    claim = tower().certificate
    assert claim is not None and claim.bound is not None
    route = claim.route[:40] + claim.route[41:]
    wrong = {
        "optimum": replace(claim, optimum=claim.optimum + 1),
        "route": replace(claim, route=route),
        "bound": replace(claim, bound=claim.optimum - 1),
        "status": replace(claim, status="optimal"),
    }[change]
    forged = Tower(replace(tower().data, certificate=wrong))
    if change in ("bound", "status"):
        with pytest.raises(MtGymError, match="bound"):
            forged.board  # noqa: B018
        return
    verdict = verify(forged)
    assert verdict.problems
