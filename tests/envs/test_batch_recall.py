"""The batch remembers annotation columns: every answer is what would be computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch import layout as at
from mt_gym.envs.batch.core import Batch
from mt_gym.envs.batch.recall import room, salts
from mt_gym.envs.batch.sizes import shape_of
from mt_gym.observation.annotations import ALL
from mt_gym.observation.features import feature_table

DATA = Path(__file__).parents[1] / "data"
SHARES = ((2, 5), (1, 10), (1, 1))
OWN = ("holy_water", "shop_growing", "vampire")
FLOORS = ["simple", "hand05", "complex", *(DATA / f"{name}.toml" for name in OWN)]


def with_hp(state: State, hp: int) -> State:
    return state._replace(hero=state.hero._replace(hp=hp))


def same_at_any_hp(tower: Tower, share: tuple[int, int], steps: int) -> int:
    """Meet each state with several HP, twice; how often an answer could be reused."""
    options = Options.of(tower, rule4_share=share)
    batch = Batch([tower], [0], assists=False, annotations=ALL, options=[options])
    table = feature_table(tower, batch.width, ALL, options)
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(steps):
        own = batch.rows[0].copy()
        state = batch.state(0)
        spread = rng.integers(1, 2 * state.hero.hp + 2, size=6)
        for hp in (state.hero.hp, *(int(n) for n in spread), state.hero.hp):
            batch.rows[0, 0] = hp
            batch.paint()
            expected, mask = table.objects(with_hp(state, hp), False)
            assert np.array_equal(batch.mask[0], mask)
            assert np.array_equal(batch.objects[0], expected), (str(state), hp)
            seen += 1
        batch.rows[0] = own
        choice = rng.choice(np.flatnonzero(mask)) if mask.any() else 0
        batch.step(np.array([choice]))
        if batch.outcomes[0]:
            batch.reset()
    return seen


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", FLOORS, ids=lambda name: Path(name).stem)
def test_columns_are_those_of_the_hp_at_hand(
    name: str | Path, share: tuple[int, int]
) -> None:
    assert same_at_any_hp(load(name), share, 40) == 320


def test_a_copy_that_ends_or_begins_again_leaves_nothing_behind() -> None:
    batch = Batch([load("simple")], [0, 0], annotations=ALL)
    batch.paint()
    first = batch.objects[0].copy()
    base = first.shape[1] - 10
    assert first[:, base:].any()
    while not batch.outcomes[0]:
        choice = int(np.flatnonzero(batch.mask[0])[0])
        batch.step(np.array([choice, choice]), again=False)
        batch.paint()
    assert not batch.objects[0, :, base:].any()
    batch.reset(np.array([0]))
    batch.paint()
    assert np.array_equal(batch.objects[0], first)


def test_the_memory_is_bounded() -> None:
    for width, columns in ((1, 1), (24, 10), (700, 10)):
        answers, written, sizes = room(width, columns)
        assert answers.nbytes + written.nbytes <= 1 << 24
        assert sizes[0] & (sizes[0] - 1) == 0 and sizes[0] >= 1 << 10
        assert sizes[1] <= width


def test_states_are_told_apart_by_all_but_hp_place_and_what_follows() -> None:
    shape = shape_of([load("tower")])
    one, two = salts(shape).reshape(2, -1)
    legal = at.S_SETS + 3 * shape.words
    left_out = {0, at.S_POSITION, at.S_TURN, at.S_OUTCOME, at.S_TABLE, at.S_SPARE}
    left_out |= set(range(legal, legal + shape.words))
    for salt in (one, two):
        assert set(np.flatnonzero(salt == 0)) == left_out
        assert len(set(salt)) == shape.stride - len(left_out) + 1
    assert not (one == two)[one != 0].any()
