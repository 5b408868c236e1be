"""Ways against a search of every simple path, and what is walked along them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mt_gym.analysis import Options, facts
from mt_gym.analysis.judgement import is_optional
from mt_gym.analysis.memory import Memory
from mt_gym.analysis.tower.cells import (
    floor_plan,
    floors_in_reach,
    is_cut,
    is_reached,
    there,
)
from mt_gym.analysis.tower.in_order import in_order
from mt_gym.analysis.tower.keys import free_behind
from mt_gym.analysis.tower.way import (
    floor_ways,
    obstacle,
)
from mt_gym.analysis.tree import lookahead_tree
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.analysis.tower import towers
from tests.analysis.tower.towers import start

LETTERS = "..###jbCRg1=uyt"
BLOCKED = ("shop", "trade", "character", "goal")


def drawn(rng: np.random.Generator) -> Tower:
    """A random floor of 5 x 5 cells below a floor with the goal."""
    rows = [
        [LETTERS[int(rng.integers(len(LETTERS)))] for _ in range(5)] for _ in "12345"
    ]
    rows[0][0], rows[0][1], rows[4][4] = "@", ".", ">"
    inside = "\n".join(f"#{''.join(row)}#" for row in rows)
    floor = f"#######\n{inside}\n#######"
    hero = "hp = 500\natk = 70\ndef = 30\nyellow = 1"
    return towers.tower({"MT1": floor, "MT2": "#####\n#<.Z#\n#####"}, hero)


def random_towers(seed: int, count: int) -> Iterator[Tower]:
    rng = np.random.default_rng(seed)
    while count:
        own = drawn(rng)
        if not own.problems():
            count -= 1
            yield own


def cheapest(own: Tower, state: State, target: int) -> tuple[int, int, int, int] | None:
    """The smallest (unwinnable, HP, doors, steps): relaxed until nothing changes."""
    board = own.board
    plan = floor_plan(own, board.cell_floor[target])
    best = {c: (0, 0, 0, 0) for c in plan if is_reached(board, state, c)}
    for _ in plan:
        for cell, near in plan.items():
            thing = there(board, state, cell)
            kind = board.objects[thing].kind.type if thing >= 0 else ""
            if thing < 0 and not board.is_open(cell, state.world.gone, 0):
                continue
            cost = (0, 0, 0, 1)
            if kind == "monster":
                loss = own.game.loss(state, thing)
                cost = (1, 0, 0, 1) if loss < 0 else (0, loss, 0, 1)
            elif kind == "door":
                cost = (0, 0, 1, 1)
            for other in near:
                if other not in best:
                    continue
                blocker = there(board, state, other)
                if blocker >= 0 and board.objects[blocker].kind.type in BLOCKED:
                    continue
                a, b = best[other], cost
                new = (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])
                if cell not in best or new < best[cell]:
                    best[cell] = new
    return best.get(target)


def test_a_way_is_the_cheapest_by_unwinnable_fights_hp_doors_and_steps() -> None:
    found = 0
    for own in random_towers(1, 60):
        state = own.initial_state()
        ways = floor_ways(own, state, 0)
        for thing in own.board.objects:
            if thing.floor or state.hero.reach >> thing.index & 1:
                continue
            way, wanted = ways.way(thing.cell), cheapest(own, state, thing.cell)
            if wanted is None:
                assert way is None
                continue
            assert way is not None
            doors = sum(o.type == "door" for o in way.obstacles)
            if own.board.objects[thing.index].kind.type == "door":
                doors += 1
            assert (way.unwinnable, way.cost, doors) == wanted[:3]
            found += 1
    assert found > 100


def test_an_obstacle_on_every_route_cuts_the_target_off_by_itself() -> None:
    cuts = 0
    for own in random_towers(2, 60):
        state, board = own.initial_state(), own.board
        target = next(o for o in board.objects if o.kind.type == "stairs")
        for thing in board.objects:
            if thing.floor or thing.kind.type not in ("monster", "door", "gate"):
                continue
            others = board.mask(lambda o, t=thing.index: o.index != t and o.floor == 0)
            gone = others & ~(1 << target.index)
            reach = board.spread(state.hero.reach, state.hero.reach & gone, gone, 0)
            cut = not reach >> target.index & 1
            assert is_cut(own, state, thing.index, target.cell) == cut
            cuts += cut
    assert cuts > 10


def test_a_verdict_is_what_playing_the_way_gives() -> None:
    passed = stopped = 0
    for own in random_towers(4, 80):
        state, board = own.initial_state(), own.board
        ways = floor_ways(own, state, 0)
        for thing in board.objects:
            way = None if thing.floor else ways.way(thing.cell)
            if way is None or not way.obstacles:
                continue
            told = in_order(own, state, way)
            assert told.hp == told.state.hero.hp and told.state.hero.hp > 0
            if told.passable:
                passed += 1
                assert told.state.hero.reach >> thing.index & 1
            else:
                stopped += 1
                found = obstacle(own, told.state, told.stop)
                assert found is not None
                if told.why == "cost":
                    assert found.cost == told.cost >= told.hp
                elif told.why == "unwinnable":
                    assert found.cost is None
                else:
                    assert (told.why, told.colour) == ("key", "yellow")
                    assert told.state.hero.yellow == 0
    assert passed > 50 and stopped > 50


def test_free_fights_behind_are_counted_to_the_end_and_pay() -> None:
    own = towers.keys()
    state = start(own, assists=False)
    found = free_behind(own, state, own.action("MT5:open 1,3"))
    assert found is not None
    assert (found.count, found.gold, found.exp) == (3, 4, 4)
    assert free_behind(own, state, own.action("MT9:open 8,3")) is None


def test_a_monster_in_front_of_a_portal_to_another_floor_is_not_optional() -> None:
    own = load("tests/data/portals.toml")
    state = own.initial_state()
    rats = [a for a in own.legal_actions(state) if a.verb == "fight"]
    assert any(not is_optional(own, state, a) for a in rats)


def test_trees_remembered_by_floor_are_those_computed_anew() -> None:
    own = load("tower")
    options = Options.of(own)
    rng = np.random.default_rng(11)
    state = own.initial_state()
    compared = 0
    for _ in range(250):
        legal = [
            a
            for a in own.legal_actions(state)
            if a.verb != "fight" or own.game.loss(state, a.object) < state.hero.hp
        ]
        if not legal:
            break
        for action in legal[:6]:
            if action.verb in ("fight", "open"):
                depth = options.lookahead_depth
                kept = lookahead_tree(own, state, action, depth)
                known = own.caches["trees"]
                own.caches["trees"] = Memory(4096)
                assert lookahead_tree(own, state, action, depth) == kept
                own.caches["trees"] = known
                compared += 1
        state = own.step(state, legal[int(rng.integers(len(legal)))])
        state = State(state.world, state.hero._replace(hp=9999, atk=300, yellow=3))
    assert compared > 200


def test_only_visited_floors_are_looked_at() -> None:
    own = towers.thief()
    state = own.initial_state()
    known = facts(own, state, Options.of(own)).whole
    assert state.world.visited == 1
    seen = {own.board.objects[one.thing].floor for one in known.treasures}
    assert seen <= {0}
    assert [b.doors for b in known.key_budgets] == []
    assert len(known.all_events) == 1
    assert [want.thing for want in known.all_events[0].wants] == [-1]


def test_a_hidden_staircase_waits_for_its_event() -> None:
    own = load("tests/data/hidden_stairs.toml")
    state = own.initial_state()
    way_up = facts(own, state, Options.of(own)).whole.way_up
    assert way_up.target == -1 and way_up.reveals is not None
    state = own.step(state, own.action("F1:fight 1,3"))
    way_up = facts(own, state, Options.of(own)).whole.way_up
    assert own.board.objects[way_up.target].kind.type == "stairs"


def test_bars_name_their_script_and_stop_every_way() -> None:
    own = towers.sealed()
    state = start(own, assists=False)
    cross = next(o for o in own.board.objects if o.name == "Cross")
    way = floor_ways(own, state, 0).way(cross.cell)
    assert way is not None
    assert [o.type for o in way.obstacles] == ["script"]
    assert in_order(own, state, way).why == "event"


def test_behind_one_way_stairs_nothing_of_the_floors_below_is_told() -> None:
    own = load("tests/data/one_way.toml")
    state = own.initial_state()
    assert floors_in_reach(own, state) == 0b01
    state = own.step(state, own.action("F1:climb 3,1"))
    assert state.world.visited == 0b11
    assert floors_in_reach(own, state) == 0b10
