"""The floor `simple`: what stands where, and what a brute force proves about it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from mt_gym.analysis.tree import lookahead_tree
from mt_gym.engine.load import load
from mt_gym.engine.rules import UNWINNABLE
from tests.analysis.scenes import after
from tests.oracles import brute_force
from tests.oracles.brute_force import WIN_COUNTS, StateCount, WinCounter, replay
from tests.oracles.cellsim import Action, Door, Item, Monster

SIMPLE = load("simple")
BLACK, GREEN = ("fight", 6, 4), ("fight", 5, 6)
TURN_4 = (BLACK, GREEN)
TURN_9 = (*TURN_4, ("open_door", 4, 7), ("fight", 3, 7))

MONSTERS = {
    "Green Slime": [(9, 0), (5, 6)],
    "Red Slime": [(5, 3), (10, 6)],
    "Black Slime": [(6, 4), (9, 5), (3, 7)],
    "Slime Lord": [(4, 2), (2, 1), (1, 8), (8, 9)],
    "Bat": [(3, 5), (5, 9)],
    "Boss": [(5, 10)],
}
DOORS = {(7, 0), (8, 0), (7, 5), (4, 7)}


@cache
def counter() -> WinCounter:
    return WinCounter()


def names() -> dict[tuple[int, int], str]:
    found = {}
    for thing in SIMPLE.board.objects:
        assert thing.spot is not None
        found[thing.spot.x, thing.spot.y] = thing.name
    return found


def test_monsters_doors_and_items_stand_where_they_should() -> None:
    known = names()
    for name, cells in MONSTERS.items():
        assert {c for c, n in known.items() if n == name} == set(cells), name
    assert {c for c, n in known.items() if n.endswith("Door")} == DOORS
    counts = Counter(known.values())
    assert [counts[n] for n in ("Red Gem", "Blue Gem", "Yellow Key")] == [4, 4, 5]
    assert [counts[n] for n in ("Red Potion", "Blue Potion")] == [4, 2]
    assert sum(counts.values()) == 14 + 4 + 19
    spot = SIMPLE.board.spots[SIMPLE.initial_state().hero.position]
    assert abs(spot.x - 5) + abs(spot.y - 1) == 1
    assert known[5, 1] == "Yellow Key"


def test_the_slow_simulator_plays_the_same_map() -> None:
    slow = brute_force.simple_floor()
    hero = SIMPLE.initial_state().hero
    start = (slow.hero.hp, slow.hero.atk, slow.hero.defense, slow.hero.cell)
    spot = SIMPLE.board.spots[hero.position]
    assert start == (hero.hp, hero.atk, hero.defense, (spot.x, spot.y))
    assert len(slow.things) == len(SIMPLE.board.objects)
    for thing in SIMPLE.board.objects:
        assert thing.spot is not None
        other = slow.things[thing.spot.x, thing.spot.y]
        if isinstance(other, Door):
            assert thing.name == f"{other.colour.title()} Door"
            continue
        assert isinstance(other, Item | Monster)
        assert other.name == thing.name
        if isinstance(other, Item):
            gain = dict(thing.kind.rows[0].gain)
            found = (gain.get("atk", 0), gain.get("def", 0), gain.get("hp", 0))
            assert found == (other.atk, other.defense, other.hp)
        if isinstance(other, Monster):
            (stats,) = thing.kind.values
            assert (stats.hp, stats.atk, stats.defense) == (
                other.hp,
                other.atk,
                other.defense,
            )
            assert thing.kind.abilities.magic == other.magic


def test_98_decision_sequences_win_and_13_hp_is_the_most() -> None:
    wins = counter().count(brute_force.start())
    assert wins == WIN_COUNTS
    assert wins.total() == 98
    certificate = SIMPLE.certificate
    assert certificate is not None
    assert (certificate.status, certificate.optimum) == ("optimal", max(wins))


def test_the_plain_dynamic_program_sees_1449_states() -> None:
    assert brute_force.plain_program() == StateCount(undecided=1449, won=1, optimum=13)


@pytest.mark.parametrize(
    ("done", "kept"),
    [
        ((), {BLACK: 13}),
        (TURN_4, {("open_door", 4, 7): 13}),
        (TURN_9, {("open_door", 7, 0): 13, ("open_door", 7, 5): 10}),
    ],
)
def test_what_keeps_a_win(done: tuple[Action, ...], kept: dict[Action, int]) -> None:
    values = counter().values(replay(done))
    assert {action: hp for action, hp in values.items() if hp is not None} == kept
    lost = [action for action, hp in values.items() if hp is None]
    assert {("fight", 4, 2), ("fight", 5, 3)} <= set(lost)


def test_the_losses_of_turn_9() -> None:
    floor = replay(TURN_9)
    fights = [a[1:] for a in brute_force.decisions(floor) if a[0] == "fight"]
    assert {cell: floor.loss(cell) for cell in fights} == {
        (4, 2): 95,
        (5, 3): 48,
        (3, 5): 168,
        (1, 8): 95,
        (5, 9): 168,
    }


def test_the_route_pays_1157_hp_in_13_fights_and_takes_all_potions() -> None:
    certificate = SIMPLE.certificate
    assert certificate is not None
    state = SIMPLE.initial_state()
    paid, fights, healed = 0, 0, 0
    for text in certificate.route:
        later = SIMPLE.step(state, SIMPLE.action(text))
        change = later.hero.hp - state.hero.hp
        paid -= min(0, change)
        healed += max(0, change)
        fights += text.startswith("fight")
        state = later
    assert (paid, fights, healed) == (1157, 13, 700)
    assert 470 + healed - paid == state.hero.hp == 13


def test_the_boss_needs_all_four_red_gems() -> None:
    boss = SIMPLE.action("fight 5,10").object
    state = SIMPLE.initial_state()
    for gems in range(5):
        hero = state.hero._replace(atk=9 + gems)
        loss = SIMPLE.game.loss(state._replace(hero=hero), boss)
        assert (loss == UNWINNABLE) == (gems < 4)


def test_the_gems_of_the_last_slime_lord_are_outside_the_tree_of_the_black_slime() -> (
    None
):
    """They lie past four gateways, one more than the lookahead passes."""
    state, action = after(SIMPLE), SIMPLE.action("fight 6,4")
    gems = {SIMPLE.action(f"collect {cell}").object for cell in ("7,10", "8,10")}
    for depth, seen in ((3, set()), (4, gems)):
        tree = lookahead_tree(SIMPLE, state, action, depth)
        assert gems & set(tree.all_items()) == seen
