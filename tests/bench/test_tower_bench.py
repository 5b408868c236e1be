"""The tower's bench: its states belong to the tower, its lines are complete."""

from __future__ import annotations

from mt_gym.bench.tower import MIDDLE, climbed, measurements, size, witness_replay
from mt_gym.engine.load import load


def test_a_climbed_state_is_one_of_the_tower_with_the_numbers_asked_for() -> None:
    own = load("tower")
    state = climbed(own, 9, MIDDLE)
    own.check(state)
    assert state.world.visited.bit_count() == 9
    assert own.outcome(state) is None
    assert all(getattr(state.hero, name) == n for name, n in MIDDLE.items())


def test_every_line_has_a_goal_and_the_size_is_told() -> None:
    names = [line.name for line in measurements()]
    assert "tower transitions" in names and "witness replay" in names
    assert "tower search, macro transitions" in names
    board = load("tower").board
    assert size() == f"{board.n_objects} objects, {len(board.actions)} actions"
    assert 0 < witness_replay(0.0) < 1
