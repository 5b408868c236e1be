"""Generated floors: certified, within their level, and the same everywhere."""

from itertools import pairwise
from typing import Any

import pytest

from mt_gym.engine.load import loads
from mt_gym.errors import MtGymError
from mt_gym.generator import generate as module
from mt_gym.generator.canonical import canonical_form
from mt_gym.generator.certify import check_certificate
from mt_gym.generator.generate import generate
from mt_gym.generator.levels import LEVELS, SIZES, action_rows
from mt_gym.generator.profile import Profile, profile
from mt_gym.generator.sets import SETS
from tests.generator.decisions import best_with_assists

SOME = [(level, floors) for level in LEVELS for floors in SETS]


@pytest.mark.parametrize(("level", "floors"), SOME)
def test_a_floor_is_winnable_and_fits_its_level(level: int, floors: str) -> None:
    for index in range(2):
        tower = generate(level, floors=floors, index=index)
        certificate = tower.certificate
        assert tower.problems() == []
        assert certificate is not None
        assert certificate.status == "optimal"
        check_certificate(tower, prove=True)
        figures = Profile(**dict(certificate.profile))
        assert figures == profile(tower, certificate.optimum)
        assert LEVELS[level].misfit(figures) == ""
        assert figures.gateways == LEVELS[level].size
        assert len(tower.actions) <= action_rows(figures.gateways)
        assert SETS[floors].owns(canonical_form(tower.data))


# Digests of the games and their optima: they show on every machine whether a floor of
# a number is still the same.  Whoever changes them on purpose raises the version of
# MagicTower-generated.
PINNED = {
    (1, "train"): ("a8322be8cc73cb26", 114),
    (5, "validation"): ("48c2795c60c55beb", 33),
    (10, "test"): ("8245e8444f094166", 26),
}


@pytest.mark.parametrize(("level", "floors"), PINNED)
def test_equal_numbers_give_equal_floors_on_every_machine(
    level: int, floors: str
) -> None:
    tower = generate(level, floors=floors, index=3)
    assert tower.certificate is not None
    assert (tower.digest, tower.certificate.optimum) == PINNED[level, floors]


def test_other_numbers_give_other_floors() -> None:
    floors = [generate(2, floors=name, index=n) for name in SETS for n in range(5)]
    assert len({tower.digest for tower in floors}) == 15


@pytest.mark.parametrize("level", [1, 4, 6])
def test_assists_cost_nothing_on_generated_floors(level: int) -> None:
    for index in range(3):
        tower = generate(level, index=index)
        assert tower.certificate is not None
        assert best_with_assists(tower) == tower.certificate.optimum


@pytest.mark.parametrize(("level", "size"), [(1, 8), (5, 4), (5, 20), (9, 25)])
def test_a_size_can_be_asked_for(level: int, size: int) -> None:
    tower = generate(level, size, index=1)
    assert tower.certificate is not None
    assert dict(tower.certificate.profile)["gateways"] == size
    assert len(tower.actions) <= action_rows(size)


def test_a_floor_is_written_and_read_with_its_certificate() -> None:
    tower = generate(3, index=5)
    again = loads(tower.to_toml())
    assert again == tower
    assert again.certificate == tower.certificate


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"level": 0}, "level=0 is unknown"),
        ({"level": 11}, "from 1 to 10"),
        ({"level": "hard"}, "level='hard'"),
        ({"level": True}, "level=True"),
        ({"level": 2.0}, r"level=2\.0 is unknown"),
        ({"level": [1]}, r"level=\[1\] is unknown"),
        ({"size": True}, "size=True"),
        ({"index": "1"}, "has floors from 0, not '1'"),
        ({"index": None}, "has floors from 0, not None"),
        ({"size": 3}, "size=3: the number of gateways is an integer from 4 to 40"),
        ({"size": 2.5}, r"size=2\.5"),
        ({"floors": "tset"}, "unknown set 'tset'"),
        ({"floors": "test", "index": 100}, "has floors from 0 to 99, not 100"),
        ({"floors": "train", "index": -1}, "has floors from 0, not -1"),
    ],
)
def test_bad_settings_are_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        generate(**{"level": 1, **keywords})


def test_a_size_that_cannot_be_met_says_what_was_in_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "DRAFTS", 12)
    with pytest.raises(MtGymError, match="no floor of level 1 with 40 gateways in 12"):
        generate(1, 40)
    with pytest.raises(MtGymError, match=r"\(\d+ (have|cannot|cost|die|more)"):
        generate(1, 40)
    with pytest.raises(MtGymError, match="the level's own size is 5"):
        generate(1, 40)


def test_sizes_cover_every_level() -> None:
    assert all(SIZES[0] <= level.size <= SIZES[1] for level in LEVELS.values())


def test_levels_grow_harder() -> None:
    levels = list(LEVELS.values())
    for one, two in pairwise(levels):
        assert one.size < two.size
        assert one.slack[1] > two.slack[1]
        assert one.spare[1] > two.spare[1]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_five_more_floors_of_each_level_are_certified(level: int) -> None:
    for index in range(100, 105):
        tower = generate(level, index=index)
        check_certificate(tower, prove=True)
