"""The DEF tip, the boss, what blocks the way to him, and the HP budget."""

from __future__ import annotations

import numpy as np

from mt_gym.analysis import Options, facts
from mt_gym.analysis.costs import Gain, cost_with
from mt_gym.engine.load import loads
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.analysis.scenes import cell_of, one_monster, played
from tests.oracles.lookahead import Scene
from tests.oracles.random_floors import random_floor


def _monsters(tower: Tower, state: State) -> list[int]:
    gone = state.world.gone
    return [
        thing.index
        for thing in tower.board.objects
        if thing.kind.type == "monster" and not gone >> thing.index & 1
    ]


def test_the_def_tip_is_the_smallest_gain_that_frees_a_monster() -> None:
    rng = np.random.default_rng(3)
    tips = 0
    for _ in range(80):
        tower = random_floor(rng)
        for state in played(tower, rng, collect=True, most=3):
            block = facts(tower, state, Options.of(tower)).floor(0)
            left = block.left.gain.defense
            paying = [
                index
                for index in _monsters(tower, state)
                if tower.game.loss(state, index) > 0
                and not tower.board.objects[index].kind.abilities.magic
            ]
            for points in range(1, left + 1):
                free = [
                    index
                    for index in paying
                    if cost_with(tower, state, index, Gain(0, points)) == 0
                ]
                if free:
                    tip = block.def_tip
                    assert tip is not None
                    assert (tip.points, tip.left) == (points, left)
                    assert list(tip.monsters) == free
                    assert tip.saving == sum(tower.game.loss(state, i) for i in free)
                    tips += 1
                    break
            else:
                assert block.def_tip is None
    assert tips > 20


def test_blockers_are_the_monsters_that_alone_cut_the_boss_off() -> None:
    rng = np.random.default_rng(4)
    blocking = open_ways = 0
    for _ in range(80):
        tower = random_floor(rng)
        for state in played(tower, rng, collect=True, most=4):
            budget = facts(tower, state, Options.of(tower)).floor(0).hp_budget
            assert budget is not None
            scene = Scene.of(tower, state)
            boss = cell_of(tower, budget.boss)
            slow, others, cost = [], 0, 0
            for index in _monsters(tower, state):
                if index == budget.boss:
                    continue
                here = cell_of(tower, index)
                things = {here: scene.things[here], boss: scene.things[boss]}
                then = cost_with(tower, state, index, budget.gain)
                if boss not in scene.flood(things, scene.start):
                    slow.append(index)
                else:
                    others += 1
                    cost += max(0, then)
            assert list(budget.blockers) == slow
            assert (budget.others, budget.others_cost) == (others, cost)
            blocking += len(slow)
            open_ways += not slow
    assert blocking > 10
    assert open_ways > 20


def test_a_boss_that_no_item_makes_winnable_has_no_budget_in_numbers() -> None:
    tower = loads(
        'name = "far"\n[hero]\nhp = 9\natk = 1\n[goal]\ndefeat = "Z"\n[monsters]\n'
        "Z = { hp = 1, atk = 1, def = 9 }\n[items]\ng = { atk = 3 }\n"
        '[[floors]]\nid = "far"\nmap = """\ng@Z\n"""\n'
        '[floors.legend]\ng = "g"\nZ = "Z"\n'
    )
    block = facts(tower, tower.initial_state(), Options.of(tower)).floor(0)
    assert block.boss is not None
    assert (block.boss.damage, block.boss.need_atk) == (None, 10)
    assert block.hp_budget is not None
    assert block.hp_budget.needed is None
    assert block.hp_budget.margin is None
    assert block.hp_budget.impossible == (block.boss.thing,)


def test_a_mimic_boss_needs_more_atk_than_the_heros_own_def() -> None:
    tower = loads(
        'name = "twin"\n[hero]\nhp = 9\natk = 4\ndef = 6\n[goal]\ndefeat = "Z"\n'
        "[monsters]\nZ = { hp = 1, atk = 1, def = 0, mimic = true }\n"
        '[[floors]]\nid = "twin"\nmap = """\n@Z\n"""\n[floors.legend]\nZ = "Z"\n'
    )
    boss = facts(tower, tower.initial_state(), Options.of(tower)).floor(0).boss
    assert boss is not None
    assert boss.need_atk == 7


def test_a_monster_that_cannot_be_won_at_maximum_is_counted_apart() -> None:
    tower = one_monster("hp = 5, atk = 1, def = 50")
    state = tower.initial_state()
    assert tower.game.loss(state, 0) == UNWINNABLE
    budget = facts(tower, state, Options.of(tower)).floor(0).hp_budget
    assert budget is not None
    assert (budget.others, budget.others_cost, budget.others_impossible) == (1, 0, 1)
