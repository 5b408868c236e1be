"""Length and time of the tower's text over random play in its middle."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from mt_gym.analysis import Options
from mt_gym.bench.tower import FLOORS_SEEN, LEAST_LISTED, MIDDLE, climbed
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.observation import max_length, render, resolve
from mt_gym.observation.annotations import ALL, TOWER
from mt_gym.play.choices import choices
from mt_gym.play.episode import advance, begin
from mt_gym.play.settings import ASSISTS, PlaySettings


def texts(
    state: State, assists: tuple[str, ...], most: int
) -> Iterator[tuple[str, float, int]]:
    """Text, processor time and entries of the decisions of one random game."""
    own = load("tower")
    settings = PlaySettings(Options.of(own), frozenset(assists))
    rng = np.random.default_rng(5)
    moment, _ = begin(own, state, settings)
    for _ in range(most):
        if moment.outcome is not None:
            return
        listed = choices(own, moment.state, settings)
        before = time.process_time()
        text = render(
            own,
            moment.state,
            options=settings.options,
            kind="tower-final",
            turn=moment.turn,
            entries=listed,
        )
        yield text, time.process_time() - before, len(listed)
        able = [e.action for e in listed if e.enabled and not e.lethal]
        if not able:
            return
        moment, _ = advance(own, moment, able[int(rng.integers(len(able)))], settings)


def test_texts_in_the_middle_of_the_tower_take_less_than_60_ms() -> None:
    own = load("tower")
    state = climbed(own, FLOORS_SEEN, MIDDLE)
    assert state.world.visited.bit_count() == FLOORS_SEEN
    own.check(state)
    found = list(texts(state, ASSISTS, 60))
    assert found[0][2] >= LEAST_LISTED
    spent = sorted(seconds for _, seconds, _ in found)
    assert spent[int(0.95 * len(spent))] < 0.06


@pytest.mark.parametrize("assists", [(), ("collect",), ASSISTS])
def test_no_text_comes_near_the_length_of_its_space(assists: tuple[str, ...]) -> None:
    own = load("tower")
    limit = max_length(own, "tower-final", ALL, Options.of(own))
    for floors in (1, 8, 20):
        numbers = {**MIDDLE, "gold": 3000, "exp": 3000, "atk": 30 * floors}
        state = climbed(own, floors, numbers)
        for text, _, _ in texts(state, assists, 12):
            assert len(text) < 60_000 < limit


def test_the_group_tower_is_the_whole_table() -> None:
    assert resolve(["tower"]) == TOWER
    assert len(TOWER) == 18
