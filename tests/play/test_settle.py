"""What the assists take, in which order, and what they leave to the policy."""

from __future__ import annotations

import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError, StateMismatch
from mt_gym.play.choices import choices
from mt_gym.play.episode import advance, begin, known_turns
from mt_gym.play.settings import ASSISTS, PlaySettings
from mt_gym.play.settle import next_step, settle
from tests.engine.towers import DATA, NAMES, play, states, tower

AUTOMATIC = ("collect", "free_fights", "gates", "stairs")


def settings(
    game: Tower, *assists: str, max_turns: int | None = None, one_floor: bool = False
) -> PlaySettings:
    options = Options.of(game, max_turns=max_turns)
    return PlaySettings(options, frozenset(assists), (), one_floor)


def taken(game: Tower, state: State, *assists: str) -> list[str]:
    return [
        str(step.action) for step, _ in settle(game, state, settings(game, *assists))
    ]


def test_turns_6_to_8_of_the_simple_floor_end_at_1_10_with_336_hp() -> None:
    game = load("simple")
    rules = settings(game, *ASSISTS)
    moment, played = begin(game, game.initial_state(), rules)
    assert [str(turn.action) for turn in played] == ["collect 5,1"]
    for text in ("fight 6,4", "fight 5,6", "open 4,7", "fight 3,7"):
        moment, played = advance(game, moment, game.action(text), rules)
    assert moment.turn == 8
    assert [str(turn.action) for turn in played] == [
        "fight 3,7",
        "collect 3,9",
        "collect 1,9",
        "collect 1,10",
    ]
    assert [turn.source for turn in played] == ["policy", *["assist"] * 3]
    hero = moment.state.hero
    assert (hero.hp, hero.atk, hero.defense, hero.yellow) == (336, 9, 5, 2)
    spot = game.board.spots[hero.position]
    assert (spot.x, spot.y) == (1, 10)


RING = """
name = "ring"
[hero]
hp = 50
atk = 9
def = 9
[goal]
defeat = "Boss"
[monsters]
Rat = { hp = 8, atk = 5, def = 1 }
Boss = { hp = 8, atk = 5, def = 1 }
[items]
Gem = { atk = 1 }
[[floors]]
id = "ring"
map = '''
#######
#..g..#
#.g@g.#
#..g..#
#..g..#
###Z###
'''
[floors.legend]
g = "Gem"
r = "Rat"
Z = "Boss"
"""


def test_the_nearest_item_comes_first_and_ties_go_up_left_right_down() -> None:
    game = loads(RING)
    assert taken(game, game.initial_state(), "collect") == [
        "collect 3,1",  # up of the start
        "collect 2,2",  # two steps from there, found before (4,2)
        "collect 4,2",
        "collect 3,3",
        "collect 3,4",
    ]


def test_items_come_before_free_fights_and_again_after_each() -> None:
    game = loads(RING.replace("#..g..#\n#..g..#", "###r###\n#..g..#"))
    assert taken(game, game.initial_state(), "collect", "free_fights")[-3:] == [
        "collect 4,2",
        "fight 3,3",
        "collect 3,4",
    ]


def test_the_boss_is_never_fought_for_free() -> None:
    game = loads(RING)
    state = play(game, *(f"collect {cell}" for cell in ("3,1", "2,2", "4,2", "3,3")))
    state = play(game, "collect 3,4", state=state)
    assert game.game.loss(state, game.action("fight 3,5").object) == 0
    assert taken(game, state, *AUTOMATIC) == []


def test_a_fight_that_costs_hp_is_left_to_the_policy() -> None:
    game = loads(RING.replace("def = 9\n[goal]", "def = 4\n[goal]"))
    assert all(
        text.startswith("collect")
        for text in taken(game, game.initial_state(), *AUTOMATIC)
    )


def test_a_monster_with_a_script_is_left_to_the_policy() -> None:
    script = '[[scripts]]\nat = "3,3"\nremoves = ["3,4"]\n[[floors]]'
    text = RING.replace("#..g..#\n#..g..#", "###r###\n#..g..#")
    game = loads(text.replace("[[floors]]", script))
    assert "fight 3,3" not in taken(game, game.initial_state(), *AUTOMATIC)


def test_an_item_with_a_script_is_left_to_the_policy() -> None:
    script = '[[scripts]]\nat = "3,1"\nremoves = ["3,4"]\n[[floors]]'
    game = loads(RING.replace("[[floors]]", script))
    assert "collect 3,1" not in taken(game, game.initial_state(), *AUTOMATIC)


def test_a_vampire_is_never_free_whatever_it_costs() -> None:
    rat = "Rat = { hp = 8, atk = 5, def = 1, vampire = [1, 1000] }"
    text = RING.replace("#..g..#\n#..g..#", "###r###\n#..g..#")
    game = loads(text.replace("Rat = { hp = 8, atk = 5, def = 1 }", rat))
    state = game.initial_state()
    assert "fight 3,3" not in taken(game, state, *AUTOMATIC)
    state = settle(game, state, settings(game, *AUTOMATIC))[-1].state
    assert game.game.loss(state, game.action("fight 3,3").object) == 0


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("holy_water", "collect"),  # Holy Water: HP times 3/2
        ("crystal", "choose"),
        ("goal_take", "finish"),
        ("goal_reach", "finish"),
        ("character_gifts", "talk"),
        ("shop_constant", "buy"),
        ("trade_once", "trade"),
        ("key_trader", "sell"),
        ("doors_keys", "open"),
        ("tools", "break"),
        ("tools", "bomb"),
    ],
)
def test_what_converts_costs_or_needs_a_choice_is_left_to_the_policy(
    name: str, left: str
) -> None:
    game = tower(name)
    rules = settings(game, *AUTOMATIC)
    seen = False
    for state in states(game, 400):
        step = next_step(game, state, rules)
        for action in game.legal_actions(state):
            seen |= action.verb == left
        if step is None or step.action.verb != left:
            continue
        assert left == "collect", step
        assert not game.board.objects[step.action.object].kind.manual
    assert seen, f"{name} never offers {left}"


@pytest.mark.parametrize("name", NAMES)
def test_no_assist_loses_anything_or_ends_the_game(name: str) -> None:
    game = tower(name)
    rules = settings(game, *AUTOMATIC)
    for state in states(game, 300):
        step = next_step(game, state, rules)
        if step is None:
            continue
        after = game.step(state, step.action)
        assert after.hero[:14] >= state.hero[:14]
        assert all(
            b >= a for a, b in zip(state.hero[:14], after.hero[:14], strict=True)
        )
        assert game.outcome(after) is None or not after.won


def test_a_gate_opens_by_itself_but_only_with_its_assist() -> None:
    game = tower("gates_bars")
    assert taken(game, game.initial_state(), "gates") == ["open 3,1"]
    assert taken(game, game.initial_state(), "collect", "stairs") == []


def test_a_gate_with_a_script_is_left_to_the_policy() -> None:
    script = '[[scripts]]\nat = "3,1"\nremoves = ["2,3"]\n[[floors]]'
    text = (DATA / "gates_bars.toml").read_text().replace("[[floors]]", script)
    game = loads(text)
    assert taken(game, game.initial_state(), *AUTOMATIC) == []


def test_stairs_up_to_a_new_floor_are_taken_last() -> None:
    game = tower("stairs")
    assert taken(game, game.initial_state(), *AUTOMATIC) == ["F1:climb 3,1"]
    items = loads(
        (DATA / "stairs.toml")
        .read_text()
        .replace("#@.U#\n#..##", "#@.U#\n#k.##")
        .replace('Y = "Yellow Door"', 'Y = "Yellow Door"\nk = "Yellow Key"')
    )
    assert taken(items, items.initial_state(), *AUTOMATIC)[0] == "F1:collect 1,2"


def test_stairs_without_a_way_back_are_left_to_the_policy() -> None:
    game = tower("one_way")
    state = play(game, "F1:collect 1,1")
    assert taken(game, state, *AUTOMATIC) == []


def test_stairs_down_and_stairs_to_a_visited_floor_are_left_to_the_policy() -> None:
    game = tower("stairs_twice")
    state = play(game, "F1:climb 3,1")
    state = play(game, "F2:fight 2,1", state=state)
    texts = [str(action) for action in game.legal_actions(state)]
    assert any("climb" in text for text in texts)
    assert all("climb" not in text for text in taken(game, state, *AUTOMATIC))


def test_stairs_down_to_a_new_floor_are_left_to_the_policy_as_well() -> None:
    text = (DATA / "stairs.toml").read_text()
    cellar = text.replace('stairs = "up"', 'stairs = "here"')
    cellar = cellar.replace('stairs = "down"', 'stairs = "up"')
    game = loads(cellar.replace('stairs = "here"', 'stairs = "down"'))
    start = game.initial_state()
    assert "F1:climb 3,1" in [str(action) for action in game.legal_actions(start)]
    assert taken(game, start, "stairs") == []
    above = loads(text)
    assert taken(above, above.initial_state(), "stairs") == ["F1:climb 3,1"]


def test_on_one_floor_only_the_assists_stay_there() -> None:
    game = tower("stairs")
    state = play(game, "F1:climb 3,1")
    state = play(game, "F2:fight 2,2", state=state)
    below = play(game, "F1:travel", state=state)
    everywhere = settings(game, *AUTOMATIC)
    here = settings(game, *AUTOMATIC, one_floor=True)
    assert next_step(game, below, everywhere) is not None
    assert next_step(game, below, here) is None


def test_other_floors_come_after_the_heros_own_from_the_last_one_down() -> None:
    floors = "".join(
        f"""
[[floors]]
id = "F{n}"
map = '''
#####
#{"@" if n == 1 else "."}.{"U" if n < 4 else "."}#
#D.k#
#..Z#
#####
'''
[floors.legend]
{f'U = {{ stairs = "up", to = "F{n + 1}" }}' if n < 4 else ""}
D = {f'{{ stairs = "down", to = "F{n - 1}" }}' if n > 1 else '"Rat"'}
k = "Gem"
Z = {'"Boss"' if n == 4 else '"Rat"'}
"""
        for n in (1, 2, 3, 4)
    )
    game = loads(
        """
name = "four"
[hero]
hp = 50
atk = 9
def = 1
[goal]
defeat = "Boss"
[monsters]
Rat = { hp = 8, atk = 5, def = 1 }
Boss = { hp = 8, atk = 5, def = 1 }
[items]
Gem = { atk = 1 }
"""
        + floors
    )
    state = play(game, *(f"F{n}:climb 3,1" for n in (1, 2, 3)))
    state = play(game, "F2:fight 3,3", state=state)  # the hero stands on F2
    assert taken(game, state, "collect") == [
        "F2:collect 3,2",
        "F4:collect 3,2",
        "F3:collect 3,2",
        "F1:collect 3,2",
    ]


class TestOnlyChoice:
    game = tower("gates_bars")

    def test_the_only_entry_is_taken_whatever_it_is(self) -> None:
        state = play(self.game, "open 3,1", "fight 4,1")
        (step, after), *_ = settle(self.game, state, settings(self.game, "only_choice"))
        assert str(step.action) == "fight 2,4"
        assert step.source == "only_choice"
        assert after.won

    def test_a_disabled_entry_counts(self) -> None:
        text = (DATA / "gates_bars.toml").read_text()
        game = loads(text.replace("#..###", "#.J###").replace("def = 1 }", "def = 7 }"))
        state = game.initial_state()
        rules = settings(game, "only_choice")
        assert [str(a) for a in game.legal_actions(state)] == ["open 3,1"]
        assert next_step(game, state, rules) is None

    def test_a_disabled_entry_counts_wherever_it_stands_in_the_list(self) -> None:
        text = (DATA / "gates_bars.toml").read_text()
        text = text.replace(
            "[monsters]", "[monsters]\nOgre = { hp = 9, atk = 6, def = 9 }"
        )
        game = loads(
            text.replace("#..###", "#O.###").replace('J = "', 'O = "Ogre"\nJ = "')
        )
        state = play(game, "open 3,1")
        rules = settings(game, "only_choice")
        listed = [(str(e.action), e.enabled) for e in choices(game, state, rules)]
        assert listed == [("fight 4,1", True), ("fight 1,2", False)]
        assert next_step(game, state, rules) is None

    def test_without_the_assist_it_is_not_taken(self) -> None:
        state = play(self.game, "open 3,1", "fight 4,1")
        assert settle(self.game, state, settings(self.game, *AUTOMATIC)) == []

    def test_reset_stops_before_the_action_that_would_end_the_episode(self) -> None:
        state = play(self.game, "open 3,1")
        moment, played = begin(self.game, state, settings(self.game, *ASSISTS))
        assert [str(turn.action) for turn in played] == ["fight 4,1"]
        assert moment.outcome is None
        assert [str(a) for a in self.game.legal_actions(moment.state)] == ["fight 2,4"]


def test_reset_stops_before_the_turn_limit() -> None:
    game = loads(RING)
    rules = settings(game, *ASSISTS, max_turns=3)
    moment, played = begin(game, game.initial_state(), rules)
    assert len(played) == moment.turn == 2
    assert moment.outcome is None


def test_assists_stop_at_the_turn_limit() -> None:
    game = load("simple")
    rules = settings(game, *ASSISTS, max_turns=6)
    moment, _ = begin(game, game.initial_state(), rules)
    for text in ("fight 6,4", "fight 5,6", "open 4,7", "fight 3,7"):
        moment, played = advance(game, moment, game.action(text), rules)
    assert moment.turn == 6
    assert moment.outcome == "turn_limit"
    assert [str(turn.action) for turn in played] == ["fight 3,7", "collect 3,9"]


def test_a_state_that_has_ended_or_is_of_another_tower_begins_no_episode() -> None:
    game = load("simple")
    assert game.certificate is not None
    rules = settings(game, *ASSISTS)
    won = play(game, *game.certificate.route)
    with pytest.raises(MtGymError, match="already ended \\('won'\\)"):
        begin(game, won, rules)
    with pytest.raises(StateMismatch):
        begin(game, tower("stairs").initial_state(), rules)


def test_what_is_remembered_ends_at_the_turn_limit_as_well() -> None:
    game = load("simple")
    rules = settings(game, *ASSISTS, max_turns=9)
    known = known_turns(game, rules)
    moment, _ = begin(game, game.initial_state(), rules)
    for text in ("fight 6,4", "fight 5,6", "open 4,7"):
        moment, _ = advance(game, moment, game.action(text), rules, known)
    fight = game.action("fight 3,7")
    for turn in (moment.turn, 6, 7, 8):
        later = moment._replace(turn=turn)
        plain = advance(game, later, fight, rules)
        assert advance(game, later, fight, rules, known) == plain
        assert plain[0].turn <= 9
    assert (plain[0].turn, plain[0].outcome) == (9, "turn_limit")


def test_what_is_remembered_changes_nothing() -> None:
    game = load("simple")
    rules = settings(game, *ASSISTS)
    known = known_turns(game, rules)
    plain, _ = begin(game, game.initial_state(), rules)
    for _ in range(2):
        moment, again = plain, plain
        for text in ("fight 5,10", "fight 6,4", "fight 5,6", "open 4,7", "fight 3,7"):
            action = game.action(text)
            moment, turns = advance(game, moment, action, rules)
            again, others = advance(game, again, action, rules, known)
            assert (moment, turns) == (again, others)
    assert len(known) == 5
