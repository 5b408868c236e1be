"""Trees, values, routes and orders against a slow walk over cells."""

from __future__ import annotations

import numpy as np
import pytest

from mt_gym.analysis import EntryFacts, Facts, Options, facts
from mt_gym.engine.kinds import KEYS
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.analysis.scenes import cell_of, played, simple
from tests.oracles.cellsim import Cell
from tests.oracles.lookahead import Node, Scene, Stats, reading
from tests.oracles.random_floors import random_floor


def _compare(tower: Tower, state: State, depth: int) -> int:
    """Compare all entries of a state; returns how many nodes were compared."""
    options = Options.of(tower, lookahead_depth=depth)
    known = facts(tower, state, options)
    scene = Scene.of(tower, state)
    trees: dict[int, tuple[Cell, list[Node]]] = {}
    for entry in known.entries:
        cell = cell_of(tower, entry.action.object)
        nodes = scene.tree(cell, depth)
        trees[entry.number] = cell, nodes
        assert _cells(tower, entry) == [
            (n.path, n.items, n.doors, n.monsters, n.gates) for n in nodes
        ]
        for node, slow in zip(entry.tree.nodes, nodes, strict=True):
            assert node.keys == tuple(slow.keys[colour] for colour in KEYS)
        value = entry.value
        if entry.damage is not None or not entry.is_fight:
            assert (
                value.raw,
                value.gateways,
                value.value,
                value.effective_cost,
            ) == scene.value(cell, nodes)
    _compare_routes(known, scene, trees)
    return sum(len(nodes) for _, nodes in trees.values())


def _cells(tower: Tower, entry: EntryFacts) -> list[tuple[object, ...]]:
    def at(indices: tuple[int, ...]) -> list[Cell]:
        return [cell_of(tower, index) for index in indices]

    return [
        (
            tuple(at(node.path)),
            at(node.items),
            at(node.doors),
            at(node.monsters),
            at(node.others),
        )
        for node in entry.tree.nodes
    ]


def _compare_routes(
    known: Facts, scene: Scene, trees: dict[int, tuple[Cell, list[Node]]]
) -> None:
    nothing: Stats = (0, 0, 0)
    for entry in known.entries:
        cell, nodes = trees[entry.number]
        gain = scene.gain(nodes)
        assert (entry.gain.atk, entry.gain.defense, entry.gain.mdef) == gain
        route = entry.stat_route
        price = scene.route(cell, nodes, nothing)
        if gain == nothing or price is None:
            assert route is None
        else:
            assert route is not None
            saved = 0
            for other in known.entries:
                if other is entry or not other.is_fight:
                    continue
                now = scene.cost(trees[other.number][0])
                then = scene.cost(trees[other.number][0], gain)
                if now is not None and then is not None:
                    saved += now - then
            assert (route.price, route.saving) == (price, saved)
        if entry.is_fight:
            _compare_order(known, scene, trees, entry)


def _compare_order(
    known: Facts,
    scene: Scene,
    trees: dict[int, tuple[Cell, list[Node]]],
    entry: EntryFacts,
) -> None:
    cell, nodes = trees[entry.number]
    cost = scene.cost(cell)
    best: tuple[int, int, int, int] | None = None
    for other in known.entries:
        there, behind = trees[other.number]
        gain = scene.gain(behind)
        if other is entry or gain == (0, 0, 0) or cost is None:
            continue
        plain = scene.route(there, behind, (0, 0, 0))
        helped = scene.route(there, behind, scene.gain(nodes))
        later = scene.cost(cell, gain)
        if plain is None or helped is None or later is None or later >= cost:
            continue
        one, two = cost + helped, plain + later
        first = cost if one < two else scene.cost(there) or 0
        if one == two or 5 * first > 2 * scene.hp:
            continue
        if best is None or min(one, two) < best[0]:
            best = (min(one, two), other.number, one, two)
    order = entry.order
    if best is None:
        assert order is None
    else:
        assert order is not None
        assert (order.route, order.fight_first, order.route_first) == best[1:]


@pytest.mark.parametrize("collect", [True, False])
def test_facts_on_random_floors_are_those_of_a_walk_over_cells(collect: bool) -> None:
    rng = np.random.default_rng(20)
    nodes = 0
    for _ in range(60):
        tower = random_floor(rng)
        for state in played(tower, rng, collect, most=6):
            nodes += _compare(tower, state, depth=3)
    assert nodes > 1500


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_facts_on_the_simple_floor_are_those_of_a_walk_over_cells(depth: int) -> None:
    rng = np.random.default_rng(depth)
    for _ in range(3):
        for state in played(simple(), rng, collect=True):
            _compare(simple(), state, depth)


def test_dead_ends_and_optional_fights_are_those_of_a_walk_over_cells() -> None:
    rng = np.random.default_rng(7)
    found = {"dead": 0, "alive": 0, "optional": 0, "needed": 0}
    for _ in range(120):
        tower = random_floor(rng)
        for state in played(tower, rng, collect=True, most=4):
            scene = Scene.of(tower, state)
            for entry in facts(tower, state, Options.of(tower)).entries:
                cell = cell_of(tower, entry.action.object)
                if entry.is_fight:
                    slow = _optional(scene, cell)
                    assert entry.optional == slow
                    found["optional" if slow else "needed"] += 1
                elif entry.action.verb == "open":
                    slow = _dead_end(scene, cell)
                    assert entry.dead_end == slow
                    found["dead" if slow else "alive"] += 1
    assert min(found.values()) >= 10, found


def _optional(scene: Scene, cell: Cell) -> bool:
    if scene.things[cell].name == scene.goal:
        return False
    known = scene.exposed()
    things = dict(scene.things)
    pending = [cell]
    while pending:
        for gone in pending:
            del things[gone]
        new = {c for c in scene.flood(things, cell) if c not in known}
        for found in new:
            kind = things[found]
            if kind.type not in ("monster", "gate") or kind.name == scene.goal:
                return False
        pending = reading(new)
    return True


def _dead_end(scene: Scene, cell: Cell) -> bool:
    if scene.things[cell].type != "door":
        return False
    root = scene.tree(cell, 0)[0]
    winnable = any(scene.cost(c) is not None for c in root.monsters)
    openable = any(
        all(root.keys[colour] >= n for colour, n in scene.things[c].rows[0].cost)
        for c in root.doors
    )
    return not (root.items or winnable or openable or root.gates)
