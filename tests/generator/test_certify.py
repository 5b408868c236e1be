"""Certificates of shipped floors hold, and false ones are refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from mt_gym.agents import make_policy
from mt_gym.bench import run
from mt_gym.bench.policies import play_measured
from mt_gym.bench.setup import make_environment
from mt_gym.engine.kinds import Certificate
from mt_gym.engine.load import load, shipped
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.generator.certify import (
    certified,
    check_certificate,
    measured,
    refuse_beyond,
)
from tests.generator.decisions import best_with_assists

SMALL = [name for name in shipped() if name == "simple" or name.startswith("hand")]
PROVED = [
    name
    for name in shipped()
    if (load(name).certificate or Certificate(0, status="")).status == "optimal"
]


@pytest.mark.parametrize("name", [n for n in shipped() if load(n).certificate])
def test_the_witness_of_a_shipped_floor_plays(name: str) -> None:
    tower = load(name)
    assert tower.certificate is not None
    assert check_certificate(tower) == tower.certificate.optimum


@pytest.mark.parametrize("name", SMALL)
def test_small_optima_are_proved_again(name: str) -> None:
    tower = load(name)
    check_certificate(tower, prove=True)
    again = certified(tower).certificate
    assert again is not None
    assert tower.certificate is not None
    assert again.optimum == tower.certificate.optimum
    assert again.assisted_optimum == tower.certificate.assisted_optimum
    assert again.profile == tower.certificate.profile


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PROVED if name not in SMALL])
def test_large_optima_are_proved_again(name: str) -> None:
    check_certificate(load(name), prove=True)


@pytest.mark.parametrize("name", shipped())
def test_the_profile_in_the_file_is_what_is_measured(name: str) -> None:
    tower = load(name)
    certificate = tower.certificate
    assert certificate is not None
    assert dict(certificate.profile) == measured(tower, certificate)


def test_a_profile_without_a_proof_holds_what_needs_none() -> None:
    tower = with_certificate("hand01", status="bounded", bound=99)
    assert tower.certificate is not None
    proved = dict(tower.certificate.profile)
    found = measured(tower, tower.certificate)
    assert set(proved) - set(found) == {"winning_first_moves", "loss_depth"}
    assert found.items() < proved.items()
    with pytest.raises(MtGymError, match="there is no figure winning_first_moves"):
        check_certificate(tower, prove=True)


def test_a_profile_that_lacks_a_figure_is_refused_by_the_proof() -> None:
    certificate = load("hand01").certificate
    assert certificate is not None
    with pytest.raises(MtGymError, match="loss_depth is missing"):
        check_certificate(
            with_certificate("hand01", profile=certificate.profile[:-1]), prove=True
        )


def with_certificate(name: str, **changes: object) -> Tower:
    data = load(name).data
    assert data.certificate is not None
    return Tower(replace(data, certificate=replace(data.certificate, **changes)))  # type: ignore[arg-type]


def test_a_file_that_contradicts_its_certificate_is_refused() -> None:
    with pytest.raises(MtGymError, match="says 36 HP: the route ends with 35 HP"):
        check_certificate(with_certificate("hand01", optimum=36))
    route = load("hand01").certificate.route  # type: ignore[union-attr]
    with pytest.raises(MtGymError, match="turn 1: 'collect 1,1' is not legal"):
        check_certificate(with_certificate("hand01", route=route[3:]))
    with pytest.raises(MtGymError, match="after 3 turns the goal is not reached"):
        check_certificate(with_certificate("hand01", route=route[:3]))
    with pytest.raises(MtGymError, match="no route in its certificate"):
        check_certificate(with_certificate("hand01", route=()))
    bare = Tower(replace(load("hand01").data, certificate=None))
    with pytest.raises(MtGymError, match="has no certificate"):
        check_certificate(bare)


def test_a_witness_that_is_not_the_best_is_found_out_by_the_proof() -> None:
    worse = ("fight 3,2", "collect 1,1", "fight 3,6", "collect 1,7")
    rest = ("fight 4,5", "fight 5,3", "fight 7,1")
    tower = with_certificate("hand01", optimum=23, route=worse + rest, profile=())
    check_certificate(tower)
    with pytest.raises(MtGymError, match="says 23 HP: the optimum is 35, not 23"):
        check_certificate(tower, prove=True)


def test_a_limit_is_no_proof() -> None:
    with pytest.raises(LimitReached, match=r"within the limits|do not suffice"):
        certified(load("simple"), node_limit=1)
    with pytest.raises(LimitReached, match="the limits ended the proof"):
        check_certificate(load("simple"), prove=True, node_limit=1)


def test_what_cannot_be_won_gets_no_certificate() -> None:
    data = load("hand01").data
    with pytest.raises(MtGymError, match="the goal of 'hand01' cannot be reached"):
        certified(Tower(replace(data, hero=(("hp", 5), ("atk", 1)))))


def test_the_certificate_states_what_collecting_costs() -> None:
    """With the cellar open, the assists drink before the vampire bites."""
    data = load("hand05").data
    rows = tuple(row.replace("Y", ".") for row in data.floors[0].rows)
    legend = tuple(pair for pair in data.floors[0].legend if pair[0] != "Y")
    floor = replace(data.floors[0], rows=rows, legend=legend)
    tower = Tower(replace(data, floors=(floor,), certificate=None))
    certificate = certified(tower).certificate
    assert certificate is not None
    assert certificate.assisted_optimum == best_with_assists(tower)
    assert certificate.assisted_optimum < certificate.optimum


@pytest.mark.parametrize(
    ("figure", "prove"),
    [("gateways", False), ("slack", False), ("loss_depth", True), ("greedy", True)],
)
def test_a_profile_that_the_floor_contradicts_is_refused(
    figure: str, prove: bool
) -> None:
    certificate = load("hand01").certificate
    assert certificate is not None
    figures = dict(certificate.profile)
    lying = with_certificate(
        "hand01", profile=tuple((figures | {figure: figures[figure] + 1}).items())
    )
    with pytest.raises(
        MtGymError,
        match=f"profile .* of 'hand01' is wrong: {figure} is {figures[figure]}, not",
    ):
        check_certificate(lying, prove=prove)


def test_no_score_above_the_optimum_is_reported(tmp_path: Path) -> None:
    """A certificate that claims less than can be reached stops the run."""
    worse = ("fight 3,2", "collect 1,1", "fight 3,6", "collect 1,7")
    rest = ("fight 4,5", "fight 5,3", "fight 7,1")
    lying = with_certificate("hand01", optimum=23, route=worse + rest)
    file = tmp_path / "lying.toml"
    file.write_text(lying.to_toml(), encoding="utf-8")
    keywords = {"tower": str(file)}
    told = r"calls 23 HP the optimum, and .* with 35"
    with pytest.raises(MtGymError, match=told):
        run("MagicTower-v0", make_policy("solver"), settings=keywords)
    policy = make_policy("solver")
    env = make_environment("MagicTower-v0", policy, keywords)
    with pytest.raises(MtGymError, match=told):
        play_measured(env, policy, 0)
    env.close()
    pytest.importorskip("pettingzoo", reason="races need the extra marl")
    from mt_gym.versus.match import play_match

    with pytest.raises(MtGymError, match=told):
        play_match(str(file), [policy], mode="race")


def test_a_start_with_more_hp_contradicts_nothing() -> None:
    tower = load("hand01")
    start = tower.initial_state()
    richer = start._replace(hero=start.hero._replace(hp=500))
    won = start._replace(world=start.world._replace(flags=1))
    better = won._replace(hero=won.hero._replace(hp=340))
    refuse_beyond(tower, richer, better)
    with pytest.raises(MtGymError, match="ended with 340"):
        refuse_beyond(tower, start, better)
