"""The rules of the duel against a simulator over cells, by the value of best play."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.analysis.options import Options
from mt_gym.engine.tower import Tower
from mt_gym.play.settings import PlaySettings
from mt_gym.versus.rules import Duel, act, begin_duel
from tests.oracles import duelsim
from tests.versus.minimax import Known, best, options, value
from tests.versus.tiny import random_tiny

ASSISTS = frozenset({"collect", "free_fights"})


def settings_of(tower: Tower, assists: bool) -> PlaySettings:
    return PlaySettings(Options.of(tower), ASSISTS if assists else frozenset(), ())


@pytest.mark.parametrize("assists", [False, True])
def test_best_play_has_the_value_that_a_walk_over_cells_finds(assists: bool) -> None:
    rng = np.random.default_rng(5)
    found = Counter[int]()
    for _ in range(110):
        tower = random_tiny(rng, objects=6 if assists else 5)
        settings = settings_of(tower, assists)
        duel, slow = begin_duel(tower), duelsim.Duel.of(tower, assists)
        for _ in range(int(rng.integers(3))):  # a bad first move makes the first lose
            cells = slow.choices()
            if duel.result is not None or not cells:
                break
            x, y = cells[int(rng.integers(len(cells)))]
            choices = options(tower, duel, settings)
            (action,) = (a for a in choices if a is not None and a.position == (x, y))
            duel = act(tower, duel, duel.mover, action, settings).duel
            slow = slow.move((x, y))
        worth = duelsim.value(slow, {})
        assert value(tower, duel, settings, {}) == worth, tower.describe()
        found[worth] += 1
    assert all(found[outcome] >= 3 for outcome in (1, -1, 0)), found


def test_moving_first_never_loses_by_force_as_one_can_pass() -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        tower = random_tiny(rng, objects=5)
        settings = settings_of(tower, assists=True)
        assert value(tower, begin_duel(tower), settings, {}) >= 0


@pytest.mark.parametrize("assists", [False, True])
def test_random_duels_agree_move_by_move(assists: bool) -> None:
    rng = np.random.default_rng(8)
    for _ in range(150):
        tower = random_tiny(rng, objects=8)
        settings = settings_of(tower, assists)
        duel, slow = begin_duel(tower), duelsim.Duel.of(tower, assists)
        while duel.result is None:
            survivable = [
                action
                for action in options(tower, duel, settings)
                if action is not None and not _dies(tower, duel, action, settings)
            ]
            assert [a.position for a in survivable] == slow.choices()
            pick = int(rng.integers(len(survivable) + 1))
            action = survivable[pick] if pick < len(survivable) else None
            duel = act(tower, duel, duel.mover, action, settings).duel
            slow = slow.move(None if action is None else action.position)
            for side, hero in zip(duel.sides, slow.heroes, strict=True):
                assert side.hero[:4] == (hero.hp, hero.atk, hero.defense, hero.mdef)
        assert {None: 0, 0: 1, 1: -1}[duel.result.winner] == slow.value


def _dies(tower: Tower, duel: Duel, action: object, settings: PlaySettings) -> bool:
    after = act(tower, duel, duel.mover, action, settings).duel  # type: ignore[arg-type]
    return after.result is not None and after.result.reason == "died"


def test_best_play_is_never_worse_than_its_value() -> None:
    rng = np.random.default_rng(2)
    for _ in range(25):
        tower = random_tiny(rng, objects=5)
        settings = settings_of(tower, assists=True)
        known: Known = {}
        start = begin_duel(tower)
        worth = value(tower, start, settings, known)
        for seat, sign in ((0, 1), (1, -1)):
            duel = start
            while duel.result is None:
                if duel.mover == seat:
                    action = best(tower, duel, settings, known)
                else:
                    every = options(tower, duel, settings)
                    action = every[int(rng.integers(len(every)))]
                duel = act(tower, duel, duel.mover, action, settings).duel
            end = {None: 0, 0: 1, 1: -1}[duel.result.winner]
            assert sign * end >= sign * worth
