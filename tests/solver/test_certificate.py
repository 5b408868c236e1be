"""Certificates say what the solver proves, and false ones are found out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.kinds import Certificate, amounts
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver import assisted_optimum, certify, solve, values, verify
from mt_gym.solver.general import ParetoSearch
from mt_gym.solver.limits import Budget
from tests.solver.towers import small_tower

DATA = Path(__file__).parent.parent / "data"


def with_certificate(tower: Tower, certificate: Certificate | None) -> Tower:
    return Tower(replace(tower.data, certificate=certificate))


@pytest.mark.parametrize("name", ["simple", "complex"])
def test_shipped_certificate_holds(name: str) -> None:
    verdict = verify(load(name), prove=True)
    assert verdict.problems == ()
    assert verdict.proved and verdict.ok


@pytest.mark.parametrize("name", ["simple", "complex"])
def test_certify_states_the_shipped_optimum(name: str) -> None:
    tower = load(name)
    found = certify(tower)
    assert tower.certificate is not None
    assert found.optimum == tower.certificate.optimum
    assert (found.status, found.bound, found.assisted_optimum) == (
        "optimal",
        None,
        None,
    )
    assert verify(with_certificate(tower, found), prove=True).ok


def test_false_certificates_are_found_out() -> None:
    tower = load("simple")
    good = certify(tower)
    for bad, prove, message in (
        (replace(good, optimum=14), False, "ends with 13 HP, not with 14"),
        (replace(good, optimum=14), True, "no play ends with more than 13"),
        (replace(good, route=good.route[:-1]), False, "the goal is not reached"),
        (replace(good, route=("fight 5,10",)), False, "turn 1: .*cannot be reached"),
        (replace(good, route=("fight 9,9",)), False, "turn 1: .*no action"),
    ):
        verdict = verify(with_certificate(tower, bad), prove=prove)
        assert not verdict.ok
        assert any(re.search(message, problem) for problem in verdict.problems), (
            message,
            verdict.problems,
        )


def poor_play() -> tuple[Tower, Certificate, int]:
    """A tower, the certificate of a play that is not the best, and the optimum."""
    for seed in range(50):
        tower = random_tower(np.random.default_rng(seed), Recipe(14, "loose"))
        best = solve(tower).hp
        for nodes in range(1, 60):
            play = solve(tower, node_limit=nodes)
            if best is not None and play.hp is not None and play.hp < best:
                route = tuple(str(action) for action in play.route)
                return tower, Certificate(play.hp, route), best
    raise AssertionError("every first play was the best one")


def test_an_optimum_that_is_too_low_is_found_out_by_the_proof_alone() -> None:
    tower, claim, best = poor_play()
    claimed = with_certificate(tower, claim)
    assert verify(claimed).ok
    verdict = verify(claimed, prove=True)
    assert verdict.problems == (f"the optimum is {best}, not {claim.optimum}",)
    assert not verdict.proved


def test_a_bound_that_does_not_hold_is_found_out() -> None:
    tower, claim, best = poor_play()
    for bound, holds in ((best - 1, False), (best, True), (best + 5, True)):
        bounded = replace(claim, status="bounded", bound=bound)
        assert verify(with_certificate(tower, bounded), prove=True).ok == holds


def test_a_better_play_contradicts_an_optimum_but_not_a_best_known() -> None:
    tower, claim, best = poor_play()
    nodes = next(
        nodes
        for nodes in range(1, 1000)
        if (play := solve(tower, node_limit=nodes)).status == "bounded"
        and (play.hp or 0) > claim.optimum
    )
    known = replace(claim, status="bounded", bound=best + 5)
    verdict = verify(with_certificate(tower, known), prove=True, node_limit=nodes)
    assert verdict.ok and not verdict.proved
    verdict = verify(with_certificate(tower, claim), prove=True, node_limit=nodes)
    assert "more than" in verdict.problems[0]


def test_a_false_optimum_with_assists_is_found_out_even_where_none_is_needed() -> None:
    tower = load("simple")
    claim = replace(certify(tower), assisted_optimum=10)
    verdict = verify(with_certificate(tower, claim), prove=True)
    assert verdict.problems == ("the optimum with assists is 13, not 10",)


def test_no_certificate_and_no_win_are_errors() -> None:
    tower = load("simple")
    with pytest.raises(MtGymError, match="has no certificate"):
        verify(with_certificate(tower, None))
    weak = Tower(replace(tower.data, hero=amounts({"hp": 1, "atk": 9, "def": 4})))
    with pytest.raises(MtGymError, match="cannot be reached"):
        certify(weak)


def test_assists_cost_hp_where_a_vampire_waits() -> None:
    tower = load(DATA / "vampire.toml")
    assert solve(tower).hp == 53
    assert assisted_optimum(tower) == 43
    assert certify(tower).assisted_optimum == 43


@pytest.mark.parametrize("name", ["tree", "vampires", "rising losses", "all specials"])
def test_assisted_optimum_is_never_more_than_the_optimum(name: str) -> None:
    for seed in range(8):
        tower = small_tower(name, seed)
        assert assisted_optimum(tower) <= (solve(tower).hp or 0)


def test_where_nothing_rises_assists_cost_nothing() -> None:
    """The shortcut for such floors, against the search that runs the assists."""
    from mt_gym.analysis.options import Options
    from mt_gym.engine.actions import Action
    from mt_gym.engine.state import State
    from mt_gym.play.settings import PlaySettings
    from mt_gym.play.settle import next_step

    for seed in range(6):
        tower = small_tower("tree", seed)
        play = PlaySettings(
            Options.of(tower), assists=frozenset({"collect", "free_fights"})
        )

        def follow(
            state: State, tower: Tower = tower, play: PlaySettings = play
        ) -> Action | None:
            step = next_step(tower, state, play)
            return None if step is None else step.action

        search = ParetoSearch(tower, follow, frozenset({1, 2, 3}), position=True)
        search.add(tower.initial_state(), None, [])
        assert search.run(Budget.of(None, None, "1GiB"), None)
        assert search.best == assisted_optimum(tower)


def test_the_complex_floor_is_what_it_should_be() -> None:
    tower = load("complex")
    board, hero = tower.board, tower.initial_state().hero
    assert (tower.floors[0].width, tower.floors[0].height) == (13, 13)
    assert (hero.hp, hero.atk, hero.defense) == (1000, 10, 10)
    assert (board.monster_mask | board.door_mask).bit_count() >= 28
    placed = {thing.kind for thing in board.objects}
    guards = [kind for kind in placed if kind.type == "monster" and not kind.boss]
    able = [kind.abilities for kind in guards]
    assert len(guards) == 8
    assert {2, 3, 4} <= {a.hits for a in able}
    assert any(a.first_strike for a in able) and any(a.magic for a in able)
    assert any(a.armour_break for a in able)
    assert {"Yellow Door", "Blue Door"} <= {kind.name for kind in placed}
    assert any(dict(k.rows[0].gain).get("mdef") for k in placed if k.rows)
    assert solve(tower).hp is not None and (solve(tower).hp or 0) < 150
    state = tower.initial_state()
    while items := tower.game.candidates(state) & board.automatic_items:
        first = board.first[(items & -items).bit_length() - 1]
        state = tower.step(state, first)
    after = [value.hp for value in values(tower, state).values()]
    assert len(after) == 7 and after.count(None) == 4
