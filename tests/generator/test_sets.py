"""Training and test floors never meet, not even as twins; pools keep them apart."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mt_gym.agents import make_policy
from mt_gym.bench import run
from mt_gym.bench.suites import run_suite
from mt_gym.bench.verify import verify
from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.kinds import amounts
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.engine.transform import transformed
from mt_gym.errors import MtGymError
from mt_gym.generator import pools
from mt_gym.generator.canonical import canonical_form
from mt_gym.generator.generate import generate
from mt_gym.generator.pools import (
    MANIFEST,
    check_disjoint,
    floor_file,
    read_pool,
    unfinished,
    write_pool,
)
from mt_gym.generator.sets import CLASSES, SETS
from tests.engine.towers import NAMES as SMALL
from tests.engine.towers import tower as small

TWINS = (
    "mirror",
    "rotate",
    "transpose",
    "rename:4",
    "permute:4",
    "rotate+mirror+rename:1+permute:2",
)


@pytest.mark.parametrize("spec", TWINS)
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), floors=st.integers(1, 2))
def test_twins_share_their_form(spec: str, seed: int, floors: int) -> None:
    recipe = Recipe(gateways=9, floors=floors, shop=True)
    tower = random_tower(np.random.default_rng(seed), recipe)
    assert canonical_form(transformed(tower, spec).data) == canonical_form(tower.data)


def test_start_hp_makes_no_other_floor() -> None:
    data = load("simple").data
    richer = replace(data, hero=amounts(dict(data.hero) | {"hp": 999}))
    assert canonical_form(richer) == canonical_form(data)


def test_other_numbers_or_places_make_another_floor() -> None:
    data = load("simple").data
    floor = data.floors[0]
    moved = tuple(row.replace("@", ".", 1) for row in floor.rows)
    moved = ("@" + moved[0][1:], *moved[1:]) if moved[0][0] == "." else moved
    one = replace(data, floors=(replace(floor, rows=moved),))
    values = replace(data.kinds[0].values[0], atk=8)
    two = replace(
        data, kinds=(replace(data.kinds[0], values=(values,)), *data.kinds[1:])
    )
    assert len({canonical_form(d) for d in (data, one, two)}) == 3


def test_a_hero_of_other_strength_or_a_hidden_thing_makes_another_floor() -> None:
    data = load("simple").data
    stronger = replace(data, hero=amounts(dict(data.hero) | {"atk": 10}))
    assert canonical_form(stronger) != canonical_form(data)
    towers = [small(name).data for name in SMALL]
    hiding = [one for one in towers if any(floor.hidden for floor in one.floors)]
    assert hiding
    for one in hiding:
        bare = tuple(replace(floor, hidden=()) for floor in one.floors)
        assert canonical_form(replace(one, floors=bare)) != canonical_form(one)


def test_every_form_belongs_to_one_set_alone() -> None:
    for number in range(CLASSES):
        assert sum(one.owns(f"{number:x}") for one in SETS.values()) == 1


def test_sets_have_their_sizes() -> None:
    assert {name: one.count for name, one in SETS.items()} == {
        "train": None,
        "validation": 50,
        "test": 100,
    }


@pytest.mark.slow
def test_the_fixed_sets_hold_no_twins() -> None:
    for level in (1, 5):
        forms = [
            canonical_form(generate(level, floors=name, index=index).data)
            for name in ("validation", "test")
            for index in range(SETS[name].count or 0)
        ]
        assert len(set(forms)) == 150


def test_a_pool_is_read_as_it_was_written(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    written = write_pool(
        tmp_path / "pool",
        level=2,
        floors="validation",
        count=3,
        progress=lambda done, wanted: seen.append((done, wanted)),
    )
    pool = read_pool(tmp_path / "pool")
    assert pool == written
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (pool.level, pool.size, pool.floors, len(pool)) == (2, 6, "validation", 3)
    for number in range(3):
        assert pool.tower(number) == generate(2, floors="validation", index=number)
    assert pool.tower(1) is pool.tower(1)


def test_pools_of_different_sets_are_disjoint(tmp_path: Path) -> None:
    made = [write_pool(tmp_path / name, level=1, floors=name, count=4) for name in SETS]
    check_disjoint(made)
    again = write_pool(tmp_path / "again", level=1, floors="test", count=2)
    with pytest.raises(MtGymError, match=r"overlap: floors 0 and 0 are the same"):
        check_disjoint([*made, again])
    with pytest.raises(MtGymError, match=r"'generated-1-5-test-0' has a twin in"):
        write_pool(tmp_path / "more", level=1, floors="test", count=1, apart_from=made)


def test_a_set_that_ends_holds_no_twins_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def same(level: int, size: int, *, floors: str, index: int) -> Tower:
        return generate(level, size, floors=floors, index=0)

    monkeypatch.setattr(pools, "generate", same)
    with pytest.raises(MtGymError, match="has a twin in 'generated-1-5-test-0'"):
        write_pool(tmp_path / "test", level=1, floors="test", count=2)
    again = write_pool(tmp_path / "train", level=1, count=2)  # drawn, with repeats
    assert again.forms[0] == again.forms[1]


def test_bad_pools_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="has no end: say how many"):
        write_pool(tmp_path / "a", level=1)
    with pytest.raises(MtGymError, match="has floors from 0 to 49, not 50"):
        write_pool(tmp_path / "a", level=1, floors="validation", count=51)
    with pytest.raises(MtGymError, match="count must be an integer >= 1"):
        write_pool(tmp_path / "a", level=1, count=0)
    with pytest.raises(MtGymError, match="is neither a set"):
        read_pool(tmp_path / "none")
    folder = tmp_path / "b"
    write_pool(folder, level=1, count=2)
    with pytest.raises(MtGymError, match="is in use"):
        write_pool(folder, level=1, count=2)
    first, second = folder / floor_file(0), folder / floor_file(1)
    kept = first.read_text(encoding="utf-8")
    first.write_text(second.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(MtGymError, match=r"000000\.toml .* is not the floor"):
        read_pool(folder).tower(0)
    first.write_text(kept.replace("optimum = ", "optimum = 1"), encoding="utf-8")
    with pytest.raises(MtGymError, match="certificate of 'generated-1-5-train-0' says"):
        read_pool(folder).tower(0)
    manifest = folder / MANIFEST
    about = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(about | {"level": 12}), encoding="utf-8")
    with pytest.raises(MtGymError, match="level=12"):
        read_pool(folder)
    manifest.write_text("[]", encoding="utf-8")
    with pytest.raises(MtGymError, match="an object with format"):
        read_pool(folder)


def test_an_interrupted_pool_goes_on_where_it_ended(tmp_path: Path) -> None:
    def stop(done: int, wanted: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    whole = write_pool(tmp_path / "whole", level=2, count=3)
    folder = tmp_path / "pool"
    with pytest.raises(KeyboardInterrupt):
        write_pool(folder, level=2, count=3, progress=stop)
    (folder / "part").write_text("half a flo", encoding="utf-8")
    assert unfinished(folder) == 2
    with pytest.raises(MtGymError, match="is a pool of 2 floors so far"):
        read_pool(folder)
    with pytest.raises(MtGymError, match=r"holds 'generated-2-6-train-0' in place of"):
        write_pool(folder, level=1, count=3)
    with pytest.raises(MtGymError, match="holds 2 floors of an unfinished pool"):
        write_pool(folder, level=2, count=1)
    kept = (folder / floor_file(1)).stat().st_mtime_ns
    assert write_pool(folder, level=2, count=3).forms == whole.forms
    assert (folder / floor_file(1)).stat().st_mtime_ns == kept
    assert unfinished(folder) == 0
    assert sorted(one.name for one in folder.iterdir()) == sorted(
        one.name for one in whole.folder.iterdir()
    )
    for file in whole.folder.iterdir():
        assert (folder / file.name).read_bytes() == file.read_bytes()


def test_a_folder_of_anything_else_is_no_unfinished_pool(tmp_path: Path) -> None:
    write_pool(tmp_path / "pool", level=1, count=1)
    (tmp_path / "pool" / MANIFEST).unlink()
    (tmp_path / "pool" / "notes.txt").write_text("mine", encoding="utf-8")
    assert unfinished(tmp_path / "pool") == 0
    with pytest.raises(MtGymError, match="is in use"):
        write_pool(tmp_path / "pool", level=1, count=1)


def test_a_refused_pool_leaves_no_folder(tmp_path: Path) -> None:
    pool = write_pool(tmp_path / "one", level=1, count=1)
    with pytest.raises(MtGymError, match="has a twin in"):
        write_pool(tmp_path / "two", level=1, count=1, apart_from=[pool])
    assert not (tmp_path / "two").exists()


def test_a_manifest_that_the_floors_contradict_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    pool = write_pool(folder, level=1, floors="test", count=2)
    manifest = folder / MANIFEST
    about = json.loads(manifest.read_text(encoding="utf-8"))

    def say(**changes: object) -> None:
        manifest.write_text(json.dumps(about | changes), encoding="utf-8")

    say(floors="train")
    with pytest.raises(MtGymError, match="floor 0 cannot belong to the set 'train'"):
        read_pool(folder)
    say(forms=[pool.forms[0], "?"])
    with pytest.raises(MtGymError, match="floor 1 cannot belong to the set 'test'"):
        read_pool(folder)
    say(size=7)
    with pytest.raises(
        MtGymError, match=r"000000\.toml of .* has 5 gateways, and .* 7"
    ):
        read_pool(folder).tower(0)
    say()
    (folder / floor_file(1)).unlink()
    with pytest.raises(MtGymError, match=r"000001\.toml of .* is missing"):
        read_pool(folder).tower(1)
    with pytest.raises(MtGymError, match="has no floor 2"):
        read_pool(folder).tower(2)


def test_a_pool_is_a_suite_whose_runs_verify(tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    pool = write_pool(folder, level=1, count=2)
    results = run_suite(str(folder), make_policy("witness"), tmp_path / "runs")
    assert list(results) == ["000000", "000001"]
    for number, result in enumerate(results.values()):
        certificate = pool.tower(number).certificate
        assert certificate is not None
        assert [one.hp for one in result.episodes] == [certificate.optimum]
        assert result.folder is not None
        assert verify(result.folder).episodes == 1


def test_a_run_of_changing_floors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match=r"another floor in every episode.*pool"):
        run("MagicTower-generated-v0", make_policy("random"), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
