"""The rules of the duel, one by one, on floors that a person can check."""

from __future__ import annotations

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.analysis.options import Options
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.settings import PlaySettings
from mt_gym.versus.rules import (
    Duel,
    Result,
    act,
    begin_duel,
    by_score,
    ready,
    score,
    told,
)
from tests.engine import towers
from tests.versus.tiny import floor

ASSISTS = frozenset({"collect", "free_fights", "gates", "stairs"})


def rules(tower: Tower, assists: bool = False) -> PlaySettings:
    return PlaySettings(Options.of(tower), ASSISTS if assists else frozenset(), ())


def play(tower: Tower, *texts: str, assists: bool = False) -> Duel:
    """Moves of both in turn; `pass` passes."""
    duel = begin_duel(tower)
    for text in texts:
        action = None if text == "pass" else tower.action(text)
        duel = act(tower, duel, duel.mover, action, rules(tower, assists)).duel
    return duel


def legal(tower: Tower, duel: Duel, player: int) -> list[str]:
    return [str(action) for action in tower.legal_actions(duel.state(player))]


def test_what_one_takes_is_gone_for_the_other() -> None:
    tower = floor(["@r.", "##a", "Zbb"])
    duel = play(tower, "collect 1,0")
    assert duel.sides[0].hero.atk == 11
    assert duel.sides[1].hero.atk == 9
    assert legal(tower, duel, 1) == ["fight 2,1"]


def test_a_door_that_one_opens_is_open_for_both() -> None:
    tower = floor(["a@Yr", "###b", "###Z"], yellow=1)
    duel = play(tower, "open 2,0")
    assert [side.hero.yellow for side in duel.sides] == [0, 1]
    assert "collect 3,0" in legal(tower, duel, 1)


def test_the_hero_who_beats_the_boss_wins_whatever_he_has_left() -> None:
    tower = floor(["a@Z"], hp=200)
    duel = play(tower, "fight 0,0", "fight 2,0")
    assert duel.result == Result(1, "goal")
    assert score(tower, duel, 1) > 0.5 > score(tower, duel, 0)


def test_a_lethal_fight_loses() -> None:
    tower = floor(["a@Z"], hp=30)
    duel = play(tower, "fight 2,0")
    assert duel.result == Result(1, "died")
    assert duel.sides[0].hero.hp == 0
    assert not duel.state(1).world.gone


def test_who_has_nothing_left_that_he_survives_loses() -> None:
    tower = floor(["a@a", "#Z#"], hp=17)  # a costs 16 HP
    assert play(tower, "fight 0,0").result == Result(1, "stuck")


def test_if_nobody_has_anything_left_the_goal_score_decides() -> None:
    tower = floor(["@ar", "##Z"], hp=40)  # the boss costs more than anybody has
    duel = play(tower, "fight 1,0", "collect 2,0")
    assert duel.result == Result(0, "both_stuck")
    tower = floor(["p@pc", "###Z"], hp=40)  # c is unwinnable: only potions are left
    duel = play(tower, "collect 0,0")
    assert duel.result is None
    duel = play(tower, "collect 0,0", "collect 2,0")
    assert duel.result == Result(None, "both_stuck")


def test_the_other_can_be_stuck_by_what_one_takes() -> None:
    tower = floor(["@rc", "#b#", "#Z."], hp=15)  # b costs 18 HP, 12 with the gem
    duel = play(tower, "collect 1,0")
    assert tower.outcome(duel.state(0)) is None
    assert tower.outcome(duel.state(1)) == "stuck"
    assert duel.result == Result(0, "stuck")


def test_two_passes_in_a_row_end_the_duel_by_goal_score() -> None:
    tower = floor(["a@a", "#b#", "#Z#"])
    assert play(tower, "pass", "pass").result == Result(None, "passes")
    duel = play(tower, "pass", "fight 0,0", "pass")
    assert duel.result is None
    duel = play(tower, "pass", "fight 0,0", "pass", "pass")
    assert duel.result == Result(1, "passes")


def test_a_monster_counts_for_the_one_who_beat_it() -> None:
    tower = floor(["a@a", "#b#", "#Z#"])
    duel = play(tower, "fight 0,0", "pass", "fight 2,0", "fight 1,1")
    assert score(tower, duel, 0) == pytest.approx(0.35 * 2 / 4)
    assert score(tower, duel, 1) == pytest.approx(0.35 * 1 / 4)
    assert by_score(tower, duel, "passes") == Result(0, "passes")


def test_at_the_turn_limit_the_higher_goal_score_wins() -> None:
    tower = floor(["a@p", "pb#", "pZ#"], turns=2)
    duel = play(tower, "fight 0,0", "collect 2,0", "collect 0,1")
    assert duel.sides[0].turn == 2
    assert duel.result == Result(0, "turn_limit")


def test_passes_are_no_turns() -> None:
    tower = floor(["a@p", "pb#", "pZ#"], turns=2)
    duel = play(tower, "pass", "collect 2,0", "pass")
    assert [side.turn for side in duel.sides] == [0, 1]
    assert duel.result is None


def test_assists_run_before_and_after_an_action_in_ones_own_turn_only() -> None:
    tower = floor(["r@.a", "##bp", "##.Z"])
    duel = begin_duel(tower)
    acted = act(tower, duel, 0, tower.action("fight 3,0"), rules(tower, True))
    texts = [(str(t.action), t.source) for t in acted.played]
    assert texts == [
        ("collect 0,0", "assist"),
        ("fight 3,0", "policy"),
        ("collect 3,1", "assist"),
    ]
    assert [side.turn for side in acted.duel.sides] == [3, 0]
    assert acted.duel.sides[1].hero.atk == 9


def test_nothing_runs_for_a_hero_who_passes() -> None:
    tower = floor(["r@a", "##Z"])
    duel = begin_duel(tower)
    assert [str(t.action) for t in ready(tower, duel, rules(tower, True))[1]] == [
        "collect 0,0"
    ]
    acted = act(tower, duel, 0, None, rules(tower, True))
    assert acted.played == ()
    assert acted.duel.world == duel.world
    assert acted.duel.sides == duel.sides


def test_reach_only_grows_so_that_nobody_is_closed_in() -> None:
    for name in towers.NAMES:
        tower = towers.tower(name)
        duel = begin_duel(tower)
        for _ in range(60):
            if duel.result is not None:
                break
            mover = duel.mover
            legal = [
                action
                for action in tower.legal_actions(duel.state(mover))
                if not tower.game.is_lethal(duel.state(mover), action)
            ]
            action = legal[0] if legal else None
            climbs = action is not None and action.verb == "climb"
            after = act(tower, duel, mover, action, rules(tower)).duel
            for player in (0, 1):
                if climbs and player == mover:
                    continue  # one-way stairs: he left of his own will
                before = duel.sides[player].hero.reach
                assert before & ~after.sides[player].hero.reach == 0, name
            duel = after


def test_the_other_heros_reach_follows_the_shared_world() -> None:
    for name in towers.NAMES:
        tower = towers.tower(name)
        if any(thing.placement.one_way for thing in tower.board.objects):
            continue
        duel = begin_duel(tower)
        while duel.result is None:
            actions = tower.legal_actions(duel.state(duel.mover))
            able = [
                a
                for a in actions
                if not tower.game.is_lethal(duel.state(duel.mover), a)
                and a.verb not in ("buy", "sell", "trade", "talk")
            ]
            action = able[-1] if able else None
            duel = act(tower, duel, duel.mover, action, rules(tower)).duel
            for player in (0, 1):
                tower.check(duel.state(player))


def test_acting_out_of_turn_is_refused() -> None:
    tower = floor(["a@a", "#Z#"])
    with pytest.raises(IllegalAction, match=r"player_0's turn, not player_1's"):
        act(tower, begin_duel(tower), 1, tower.action("fight 0,0"), rules(tower))


def test_acting_after_the_end_is_refused_with_the_result() -> None:
    tower = floor(["a@a", "#Z#"])
    with pytest.raises(IllegalAction, match="over: both heroes passed"):
        act(tower, play(tower, "pass", "pass"), 0, None, rules(tower))


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    tower = floor(["a@a", "#b#", "#Z#"])
    with pytest.raises(IllegalAction, match=r"player_0: 'fight 1,2'.*reached"):
        act(tower, begin_duel(tower), 0, tower.action("fight 1,2"), rules(tower))


def test_a_map_whose_start_has_ended_has_no_duel() -> None:
    with pytest.raises(MtGymError, match=r"cannot begin.*stuck"):
        begin_duel(floor(["@c", "#Z"]))


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result(1, "goal"), "player_1 reached the goal"),
        (Result(1, "died"), "player_0 died, player_1 wins"),
        (Result(None, "passes"), "a draw"),
        (Result(0, "turn_limit"), "player_0 has the higher goal score"),
    ],
)
def test_results_are_told(result: Result, text: str) -> None:
    assert text in told(result)
