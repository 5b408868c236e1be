"""The certificate: replayed by the engine, and cell by cell."""

from __future__ import annotations

from mt_gym.agents import make_policy
from mt_gym.bench import run
from mt_gym.cli.story import ending
from mt_gym.engine.kinds import RESOURCES
from mt_gym.solver.tower import upper_bound
from tests.tower.fixtures import FOLDER, states, tower, witness
from tests.tower.towersim import Refused, TowerSim


def test_the_engine_replays_the_certificate() -> None:
    certificate = tower().certificate
    assert certificate is not None and certificate.status == "bounded"
    assert tower().outcome(states()[-1]) == "won"
    assert states()[-1].hero.hp == certificate.optimum


def test_the_cells_replay_the_certificate_with_the_same_numbers() -> None:
    sim = TowerSim(FOLDER)
    for action, state in zip(witness(), states()[1:], strict=True):
        sim.play(action.text)
        numbers = tuple(sim.hero[name] for name in RESOURCES[:11])
        assert numbers == tuple(state.hero[:11]), action.text
    assert sim.won


def test_the_cells_refuse_a_route_with_a_step_left_out() -> None:
    texts = [action.text for action in witness()]
    climb = next(i for i, text in enumerate(texts) if text.startswith("MT7:climb"))
    sim = TowerSim(FOLDER)
    try:
        for text in texts[:climb] + texts[climb + 1 :]:
            sim.play(text)
    except Refused:
        return
    raise AssertionError("a route without its stairs was accepted")


def test_the_witness_ends_below_15_percent_of_all_hp_it_gained() -> None:
    gained = sum(
        max(0, after.hero.hp - before.hero.hp)
        for before, after in zip(states(), states()[1:], strict=False)
    )
    assert states()[-1].hero.hp * 100 < 15 * gained


def test_the_bound_of_the_certificate_is_that_of_the_relaxation() -> None:
    certificate = tower().certificate
    assert certificate is not None
    assert certificate.bound == upper_bound(tower())
    assert certificate.optimum <= certificate.bound


def test_the_bound_never_rises_above_itself_along_the_witness() -> None:
    final = states()[-1].hero.hp
    bounds = [upper_bound(tower(), state) for state in states()[:-1:40]]
    assert all(bound >= final for bound in bounds)
    assert bounds == sorted(bounds, reverse=True)


def test_a_win_above_the_best_known_play_moves_the_interval_with_it() -> None:
    claim = tower().certificate
    assert claim is not None
    won = {"hp": claim.optimum + 2, "turns": 9, "decisions": 5, "goal_score": 1.0}
    told = ending(tower(), {**won, "outcome": "won"})
    assert f"(best possible {claim.optimum + 2} to {claim.bound})" in told
    told = ending(tower(), {**won, "outcome": "stuck"})
    assert f"(best possible {claim.optimum} to {claim.bound})" in told


def test_the_best_known_play_of_the_tower_is_not_called_an_optimum() -> None:
    claim = tower().certificate
    assert claim is not None
    bare = {"observation": "bare"}
    result = run("MagicTower-tower-v0", make_policy("witness"), settings=bare)
    assert f"(best known {claim.optimum})" in result.table()
    assert "optimum" not in result.table()
