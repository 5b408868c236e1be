"""`bench floors`: how many of each level, and that each one is verified."""

from typing import Any

import pytest

from mt_gym.bench import floors as module
from mt_gym.bench.floors import bench_floors
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.generate import generate


def test_the_first_levels_get_one_floor_more() -> None:
    seen: list[tuple[int, int]] = []
    found = list(
        bench_floors(
            5, [1, 2, 3], progress=lambda done, all_: seen.append((done, all_))
        )
    )
    assert [(one.level, len(one.profiles)) for one in found] == [(1, 2), (2, 2), (3, 1)]
    assert [len(one.optima) for one in found] == [2, 2, 1]
    assert seen == [(done, 5) for done in range(1, 6)]
    second = generate(2, index=1).certificate
    assert second is not None
    assert found[1].optima[1] == second.optimum
    assert found[1].profiles[1].to_dict() == dict(second.profile)


@pytest.mark.parametrize("prove", [False, True])
def test_every_floor_is_verified_and_proved_where_that_is_asked_for(
    prove: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []

    def check(tower: Tower, **keywords: Any) -> int:
        asked.append((tower.name, keywords["prove"]))
        return 1

    monkeypatch.setattr(module, "check_certificate", check)
    list(bench_floors(2, [1], floors="test", prove=prove))
    assert asked == [(f"generated-1-5-test-{index}", prove) for index in range(2)]


def test_fewer_floors_than_levels_are_refused() -> None:
    with pytest.raises(MtGymError, match="count must be at least 3, one floor a level"):
        list(bench_floors(2, [1, 2, 3]))
    with pytest.raises(MtGymError, match="level=0 is unknown"):
        list(bench_floors(2, [0]))
