"""What stands around the annotations: names, tags, blocks, lengths, bad input."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mt_gym.analysis import Options, entries
from mt_gym.engine.kinds import Abilities
from mt_gym.engine.load import load, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.observation import action_name, max_length, render, tags, text
from mt_gym.observation.annotations import ALL
from mt_gym.observation.specials import SPECIALS, tags_of
from tests.analysis.scenes import TURN_9, after, simple
from tests.observation.golden import TOWERS


def rendered(tower: Tower, state: State, **more: object) -> str:
    return render(tower, state, options=Options.of(tower), **more)  # type: ignore[arg-type]


def data(name: str) -> Tower:
    return load(TOWERS / f"{name}.toml")


@pytest.mark.parametrize(
    ("tower", "action", "name"),
    [
        ("simple", "fight 5,3", "Fight Red Slime at (5,3) dmg=56"),
        ("simple", "fight 5,10", "Fight Boss at (5,10) UNWINNABLE"),
        ("simple", "open 7,5", "Open yellow door at (7,5)"),
        ("simple", "collect 5,1", "Collect Yellow Key at (5,1)"),
        ("crystal", "choose 2,1 #2", "Choose DEF +3 of White Crystal at (2,1)"),
        ("shop_constant", "buy 3,1 #2", "Buy ATK +4 at (3,1)"),
        ("key_trader", "sell 4,1 #1", "Sell yellow key at (4,1)"),
        ("trade_once", "trade 1,1", "Trade for ATK +7 at (1,1)"),
        ("character_gifts", "talk 4,1 #1", "Talk to Sage at (4,1)"),
        ("gates_bars", "open 3,1", "Open gate at (3,1)"),
        ("tools", "break 1,2", "Break breakable wall at (1,2)"),
        ("tools", "bomb 3,3", "Bomb Brute at (3,3)"),
        ("goal_reach", "finish 3,3", "Finish with Exit at (3,3)"),
        ("stairs", "F1:climb 3,1", "Climb stairs up at F1(3,1) to F2"),
        ("stairs", "F2:fight 2,2", "Fight Rat at F2(2,2) dmg=2"),
        ("stairs", "F2:travel", "Return to F2"),
        ("one_way", "buy", "Buy HP +3 at Purse"),
    ],
)
def test_names_of_actions(tower: str, action: str, name: str) -> None:
    found = simple() if tower == "simple" else data(tower)
    matches = [a for a in found.actions if str(a).startswith(action)]
    assert action_name(found, found.initial_state(), matches[0]) == name


@pytest.mark.parametrize(
    ("hp", "line"),
    [
        (785, "if fought now: damage=784 (99.9%) hpAfter=1"),
        (784, "if fought now: damage=784 (100.0%) LETHAL"),
    ],
)
def test_the_boss_line_says_lethal_from_a_loss_of_all_hp_on(hp: int, line: str) -> None:
    tower = simple()
    state = tower.initial_state()
    state = state._replace(hero=state.hero._replace(atk=13, hp=hp))
    assert line in rendered(tower, state)


def test_a_name_without_a_state_has_no_cost() -> None:
    fight = simple().action("fight 5,3")
    assert action_name(simple(), None, fight) == "Fight Red Slime at (5,3)"


@pytest.mark.parametrize(
    ("hp", "words"),
    [
        (470, "HP=470 (100.0% [OK])"),
        (236, "HP=236 (50.2% [OK])"),
        (235, "HP=235 (50.0% [LOW])"),
        (118, "HP=118 (25.1% [LOW])"),
        (117, "HP=117 (24.9% [CRITICAL])"),
    ],
)
def test_hp_is_told_as_a_share_of_what_the_floor_was_entered_with(
    hp: int, words: str
) -> None:
    state = after(simple())
    state = State(state.world, state.hero._replace(hp=hp))
    assert words in rendered(simple(), state)
    assert "(50.0% [LOW])" in rendered(simple(), state, entry_hp=2 * hp)


def test_the_position_is_that_of_the_state_not_of_an_equal_one() -> None:
    one = after(simple(), *TURN_9)
    two = State(one.world, one.hero._replace(position=one.hero.position - 1))
    assert one == two
    assert "Position: (1,10)" in rendered(simple(), one)
    assert "Position: (0,10)" in rendered(simple(), two)


def test_tags_are_those_that_the_text_prints() -> None:
    for tower, choices in ((simple(), TURN_9), (data("specials"), ())):
        state = after(tower, *choices)
        lines = {
            int(found[1]): found[0]
            for found in re.finditer(r"^  (\d+)\. .*$", rendered(tower, state), re.M)
        }
        all_tags = tags(tower, state, options=Options.of(tower))
        assert len(all_tags) == len(lines) == len(entries(tower, state))
        for number, own in enumerate(all_tags, 1):
            assert own or "[open_door]" in lines[number]
            for tag in own:
                assert f"[{tag}" in lines[number]
    bare = tags(simple(), after(simple()), options=Options.of(simple()), kind="bare")
    assert bare == ((), (), (), ())


def test_all_ten_specials_have_a_tag_of_their_own() -> None:
    able = Abilities(
        mimic=True,
        solid=True,
        vampire=(1, 3),
        magic=True,
        hits=3,
        counter=(1, 10),
        first_strike=True,
        armour_break=(9, 10),
        purify=3,
        fixed=20,
    )
    found = tags_of(able, ALL)
    assert len(found) == len(SPECIALS) == 10
    assert [tag.split(":")[0].split("]")[0] for tag in found] == [
        *("mimic", "solid", "vampire", "magic-atk", "3 hits", "counter"),
        *("first strike", "armour break", "purify", "fixed damage"),
    ]
    assert "takes 33% of your current HP" in found[2]
    assert tags_of(Abilities(), ALL) == []


def test_a_vampire_is_never_called_free() -> None:
    tower = data("vampire")
    found = rendered(tower, tower.initial_state())
    line = next(line for line in found.splitlines() if "[fight] Vampire" in line)
    assert "FREE" not in line
    assert (
        "[vampire: takes 25% of your current HP whatever your DEF, so it costs" in line
    )


def test_several_floors_come_block_by_block() -> None:
    tower = data("stairs")
    state = after(tower, "F1:climb 3,1", "F2:fight 2,2")
    found = rendered(tower, state, turn=3)
    assert found.startswith("=== Floor: F2 | highest visited: F2 | Turn 3/300 ===\n")
    assert "--- F1 | enemies 1/1 | items left: +0 ATK, +0 DEF, 0 HP ---\n" in found
    assert "Nothing to choose on: F2\n" in found
    tower = data("one_way")
    found = rendered(tower, tower.initial_state())
    assert found.index("--- F1 (current) ---") < found.index(
        "Purchases (from any floor"
    )
    poor = tower.initial_state()
    poor = State(poor.world, poor.hero._replace(gold=2))
    found = rendered(tower, poor)
    assert "Purchases" not in found
    assert "Not affordable: HP +3 at F1 (5 gold, 3 missing)\n" in found


def test_the_goal_monster_is_told_of_only_once_his_floor_was_seen() -> None:
    tower = data("hidden_stairs")
    state = tower.initial_state()
    assert "Guard at" not in rendered(tower, state)
    state = after(tower, "F1:fight 1,3", "F1:climb 4,1")
    assert "Guard at F2(3,1): ATK=" in rendered(tower, state)


def test_the_text_of_an_ended_game_offers_nothing() -> None:
    tower = data("goal_reach")
    state = after(tower, "fight 1,2", "finish 3,3")
    assert "none: the game has ended (won)" in rendered(tower, state)
    tower = data("holy_water")
    dead = tower.step(tower.initial_state(), tower.action("fight 2,3"))
    assert tower.outcome(dead) == "died"
    assert "none: the game has ended (died)" in rendered(tower, dead)


@pytest.mark.parametrize("kind", ["annotated", "bare"])
def test_no_text_of_random_play_is_longer_than_its_bound(kind: str) -> None:
    rng = np.random.default_rng(5)
    towers = [load(name) for name in shipped()]
    towers += [load(path) for path in sorted(TOWERS.glob("*.toml"))]
    for tower in towers:
        options = Options.of(tower)
        limit = max_length(tower, kind, ALL, options)
        longest = 0
        state = tower.initial_state()
        for turn in range(40):
            found = rendered(tower, state, kind=kind, turn=turn)
            longest = max(longest, len(found))
            legal = tower.legal_actions(state)
            if not legal:
                break
            state = tower.step(state, legal[int(rng.integers(len(legal)))])
        assert longest <= limit
        single = len(tower.floors) == 1
        assert kind == "bare" or not single or limit < 600 * longest


def test_a_text_above_its_bound_is_an_error_never_a_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text, "max_length", lambda *_: 1000)
    with pytest.raises(MtGymError, match=r"'simple' at turn 7 has .* the 1000"):
        rendered(simple(), after(simple()), turn=7)


def test_an_unknown_kind_of_observation_is_an_error_that_lists_them() -> None:
    with pytest.raises(MtGymError, match="'fancy'; allowed are annotated, bare"):
        rendered(simple(), after(simple()), kind="fancy")
