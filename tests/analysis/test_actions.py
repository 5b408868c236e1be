"""Facts of single actions on floors drawn for one rule each."""

from __future__ import annotations

import pytest

from mt_gym.analysis import EntryFacts, Options, entries, facts
from mt_gym.analysis.memory import LIMITS, Memory, memory
from mt_gym.engine.load import load, loads
from mt_gym.engine.tower import Tower
from tests.analysis.scenes import after, by_text, collected, simple

PIECES = """
k = "Yellow Key"
j = "Blue Key"
p = "Potion"
a = "Gem"
Y = "Yellow Door"
B = "Blue Door"
G = "Gate"
m = "Rat"
x = "Wall Man"
Z = "Boss"
"""


def floor(drawing: str, hero: str = "", goal: str = 'defeat = "Boss"') -> Tower:
    """A floor of the pieces above; rats cost 20 HP, wall men cannot be hurt."""
    legend = "\n".join(
        line for line in PIECES.strip().splitlines() if line[0] in drawing
    )
    return loads(
        f'name = "drawn"\n[hero]\nhp = 100\natk = 10\n{hero}\n[goal]\n{goal}\n'
        "[monsters]\nRat = { hp = 15, atk = 20, def = 0 }\n"
        '"Wall Man" = { hp = 15, atk = 20, def = 50 }\n'
        "Boss = { hp = 20, atk = 60, def = 0, boss = true }\n"
        '[items]\n"Yellow Key" = { yellow = 1 }\n"Blue Key" = { blue = 1 }\n'
        "Potion = { hp = 50 }\nGem = { def = 5 }\n"
        f'[[floors]]\nid = "drawn"\nmap = """\n{drawing}\n"""\n'
        f"[floors.legend]\n{legend}\n"
    )


def first(tower: Tower, depth: int = 3) -> dict[str, EntryFacts]:
    state = collected(tower, tower.initial_state())
    return by_text(facts(tower, state, Options.of(tower, lookahead_depth=depth)))


def test_equal_sets_of_unlocks_are_the_same_region() -> None:
    known = first(floor("@mk\n.#.\n.m.\n##Z"))
    one, two = known["fight 1,0"].alternative, known["fight 1,2"].alternative
    assert one is not None
    assert two is not None
    assert (one.number, one.more) == (2, False)
    assert (two.number, two.more) == (1, False)


def test_the_boss_is_an_unlock_only_when_he_can_be_won() -> None:
    won = first(floor("@mZ"))["fight 1,0"]
    assert [won.tower.board.objects[i].name for i in won.tree.root.monsters] == ["Boss"]
    barred = floor("@mZ").to_toml().replace("def = 0, boss", "def = 10, boss")
    assert "def = 10, boss" in barred
    assert first(loads(barred))["fight 1,0"].tree.root.monsters == ()


def test_a_door_takes_a_key_of_its_own_branch() -> None:
    # The key lies behind the upper rat, the door behind the lower one.
    known = first(floor("#mk#\n.@##\n#mYp\n##.Z"))
    tower = known["fight 1,0"].tower
    door = tower.action("open 2,2").object
    paths = [node.path for node in known["fight 1,2"].tree.nodes]
    assert (door,) not in paths


def test_a_gate_is_a_gateway_that_costs_nothing_and_counts_for_depth() -> None:
    drawing = "@mGpZ"
    deep, flat = first(floor(drawing)), first(floor(drawing), depth=0)
    node = deep["fight 1,0"].tree.nodes[1]
    assert node.depth == 1
    assert [deep["fight 1,0"].tower.board.objects[i].name for i in node.items] == [
        "Potion"
    ]
    assert len(flat["fight 1,0"].tree.nodes) == 1


def test_gateways_in_front_of_nothing_are_not_subtracted() -> None:
    # Behind the door a gem, and a rat in front of an empty dead end.
    known = first(floor("..#\n#m#\n@Ya\n##Z", "yellow = 1"))
    value = known["open 1,2"].value
    assert value.gateways == 0
    assert value.raw == 5 * 90


def test_doors_count_three_quarters_while_several_keys_are_held() -> None:
    assert first(floor("@mYZ", "yellow = 1"))["fight 1,0"].value.raw == 80
    assert first(floor("@mYZ", "yellow = 2"))["fight 1,0"].value.raw == 60
    assert first(floor("@mBZ", "blue = 1"))["fight 1,0"].value.raw == 130


def test_an_effective_cost_exists_without_value_if_no_gateway_is_paid_for() -> None:
    plain = first(floor("@m.\n##Z"))["fight 1,0"].value
    assert (plain.value, plain.gateways, plain.effective_cost) == (0, 0, 20)


def test_keys_behind_a_fight_and_behind_the_door_it_exposes() -> None:
    keys = first(floor("@mkYjB\n####.Z", "yellow = 0"))["fight 1,0"].keys
    assert keys.found == (1, 0, 0, 0)
    (door,) = keys.doors
    assert door.passed
    assert door.keys == (0, 1, 0, 0)


def test_a_door_without_a_key_is_no_action_but_counts_in_the_budget() -> None:
    tower = floor("@Yk#\n.BjZ", "blue = 1")
    known = facts(tower, tower.initial_state(), Options.of(tower))
    assert "open 1,0" not in by_text(known)
    budgets = {b.colour: (b.held, b.lying, b.doors) for b in known.floor(0).key_budgets}
    assert budgets == {"yellow": (0, 1, 1), "blue": (1, 1, 1)}


def test_keys_behind_a_further_door_do_not_count_as_held() -> None:
    keys = first(floor("@YkBj\n####Z", "yellow = 1\nblue = 1"))["open 1,0"].keys
    assert (keys.used, keys.found) == ((1, 0, 0, 0), (1, 0, 0, 0))
    assert keys.held == (1, 1, 0, 0)
    assert keys.last == ()


@pytest.mark.parametrize(("share", "shown"), [((1, 5), True), ((19, 100), False)])
def test_an_order_that_begins_above_the_rule_4_share_gives_no_line(
    share: tuple[int, int], shown: bool
) -> None:
    # Both rats cost 20 of 100 HP; a gem lies behind the lower one.
    tower = floor("#m.\n.@#\n#ma\n##Z")
    state = collected(tower, tower.initial_state())
    known = facts(tower, state, Options.of(tower, rule4_share=share))
    order = by_text(known)["fight 1,0"].order
    assert (order is not None) == shown
    if order is not None:
        assert (order.fight_first, order.route_first) == (40, 35)
        assert (order.take_first, order.first_cost) == (False, 20)


def test_an_unwinnable_fight_is_listed_but_has_no_route_and_no_order() -> None:
    known = first(floor("#x.\n.@#\n#ma\n##Z"))
    barred = known["fight 1,0"]
    assert not barred.entry.enabled
    assert (barred.damage, barred.hp_after, barred.risk) == (None, None, "lethal")
    assert barred.stat_route is None
    assert barred.order is None


def test_a_guard_that_a_script_wants_gone_is_not_optional() -> None:
    tower = load("tests/data/seal.toml")
    for entry in facts(tower, tower.initial_state(), Options.of(tower)).entries:
        assert not entry.optional


def test_facts_are_remembered_by_state_and_options_and_bounded() -> None:
    state = after(simple())
    options = Options.of(simple())
    assert facts(simple(), state, options) is facts(simple(), state, options)
    other = Options.of(simple(), lookahead_depth=1)
    assert facts(simple(), state, other) is not facts(simple(), state, options)
    small: Memory[int, int] = Memory(2)
    for number in range(5):
        small.keep(number, number)
    assert list(small) == [3, 4]
    assert memory(simple(), "facts").limit == LIMITS["facts"]


def test_facts_of_a_list_that_is_handed_in_are_those_of_that_list() -> None:
    state = after(simple())
    options = Options.of(simple())
    listed = entries(simple(), state)[1:3]
    known = facts(simple(), state, options, listed)
    assert [str(e.action) for e in known.entries] == ["fight 5,3", "fight 6,4"]
    assert [e.number for e in known.entries] == [1, 2]


def test_floors_come_as_blocks_the_heros_own_first_and_purchases_last() -> None:
    tower = load("tests/data/one_way.toml")
    known = facts(tower, tower.initial_state(), Options.of(tower))
    assert [block.floor for block in known.blocks] == [0, None]
    assert [e.action.verb for e in known.blocks[1].entries] == ["buy"]


def test_other_floors_follow_from_the_highest_down() -> None:
    floors = ""
    for name, row, legend in (
        ("F1", "@mU.m", 'U = { stairs = "up", to = "F2" }'),
        ("F2", "DmU.m", 'D = { stairs = "down", to = "F1" }'),
        ("F3", "D.Z.m", 'D = { stairs = "down", to = "F2" }'),
    ):
        floors += f'[[floors]]\nid = "{name}"\nmap = """\n{row}\n"""\n'
        floors += f'[floors.legend]\nm = "Rat"\n{legend}\n'
        floors += 'U = { stairs = "up", to = "F3" }\n' if name == "F2" else ""
        floors += 'Z = "Boss"\n' if name == "F3" else ""
    tower = loads(
        'name = "three"\n[hero]\nhp = 100\natk = 10\n[goal]\ndefeat = "Boss"\n'
        "[monsters]\nRat = { hp = 5, atk = 20, def = 0 }\n"
        "Boss = { hp = 20, atk = 60, def = 0, boss = true }\n" + floors
    )
    state = after(tower, "F1:fight 1,0", "F1:climb 2,0", "F2:fight 1,0", "F2:climb 2,0")
    listed = [str(entry.action) for entry in entries(tower, state)]
    assert listed == ["F3:fight 2,0", "F2:fight 4,0", "F1:fight 4,0"]
    state = tower.step(state, tower.action("F1:fight 4,0"))
    listed = [str(entry.action) for entry in entries(tower, state)]
    assert listed == ["F3:fight 2,0", "F2:fight 4,0"]
    known = facts(tower, state, Options.of(tower))
    assert [block.floor for block in known.blocks] == [2, 1]
    assert known.here == 0
