"""Random harmless beginnings of episodes."""

from __future__ import annotations

import numpy as np

from mt_gym.analysis.judgement import is_dead_end
from mt_gym.engine.board import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices
from mt_gym.play.episode import advance, begin
from mt_gym.play.settings import PlaySettings


def harmless(tower: Tower, state: State, settings: PlaySettings) -> list[Action]:
    """Choices that the hero survives, that win nothing and that are no dead end."""
    goal = tower.board.goal_mask
    return [
        entry.action
        for entry in choices(tower, state, settings)
        if entry.enabled
        and not entry.lethal
        and not (entry.action.object >= 0 and goal >> entry.action.object & 1)
        and not is_dead_end(tower, state, entry.action)
    ]


def explored(
    tower: Tower,
    start: State,
    settings: PlaySettings,
    moves: int,
    rng: np.random.Generator,
) -> State:
    """The state after up to `moves` random harmless choices, assists in between.

    A choice that would end the episode is not made, and is the last one tried.
    """
    moment, _ = begin(tower, start, settings)
    for _ in range(moves):
        found = harmless(tower, moment.state, settings)
        if not found:
            break
        action = found[int(rng.integers(len(found)))]
        later, _ = advance(tower, moment, action, settings)
        if later.outcome is not None:
            break
        moment = later
    return moment.state
