"""Best play in a duel on tiny floors: a full search over `versus.rules`."""

from __future__ import annotations

from mt_gym.engine.board import Action
from mt_gym.engine.state import N_RESOURCES
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import legal_actions
from mt_gym.play.settings import PlaySettings
from mt_gym.versus.rules import Duel, act, ready

Known = dict[tuple[object, ...], int]


def options(tower: Tower, duel: Duel, settings: PlaySettings) -> list[Action | None]:
    """Everything that the mover can choose; None is to pass."""
    moment, _ = ready(tower, duel, settings)
    return [*legal_actions(tower, moment.state, settings), None]


def value(tower: Tower, duel: Duel, settings: PlaySettings, known: Known) -> int:
    """1 if player 0 wins under best play of both, -1 if player 1 does, 0: a draw."""
    if duel.result is not None:
        return {None: 0, 0: 1, 1: -1}[duel.result.winner]
    sides = tuple((s.hero[:N_RESOURCES], s.turn, s.own) for s in duel.sides)
    key = (duel.world, sides, duel.mover, duel.passed)
    if key not in known:
        values = [v for _, v in valued(tower, duel, settings, known)]
        known[key] = max(values) if duel.mover == 0 else min(values)
    return known[key]


def valued(
    tower: Tower, duel: Duel, settings: PlaySettings, known: Known
) -> list[tuple[Action | None, int]]:
    """Every choice of the mover with the value that it leads to."""
    found = []
    for action in options(tower, duel, settings):
        after = act(tower, duel, duel.mover, action, settings).duel
        found.append((action, value(tower, after, settings, known)))
    return found


def best(
    tower: Tower, duel: Duel, settings: PlaySettings, known: Known
) -> Action | None:
    """A choice of the best value for the mover, the first of equal ones."""
    sign = 1 if duel.mover == 0 else -1
    return max(valued(tower, duel, settings, known), key=lambda pair: sign * pair[1])[0]
