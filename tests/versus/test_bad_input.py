"""Bad input is one clear error and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.errors import IllegalAction, MtGymError, UnknownFloor
from mt_gym.versus import duel, race
from mt_gym.versus.wrappers import text_only
from tests.versus.tiny import floor


def test_a_forbidden_action_in_a_duel_changes_nothing() -> None:
    game = duel.env("simple")
    game.reset()
    before = game.unwrapped.duel
    index = game.unwrapped.tower.action("fight 5,10").index
    with pytest.raises(IllegalAction, match="player_0: 'fight 5,10' is not legal"):
        game.step(index)
    assert game.unwrapped.duel == before
    assert game.agent_selection == "player_0"


@pytest.mark.parametrize("action", [-1, 38, 1.5, "fight 5,3", None])
def test_what_is_no_index_is_refused(action: Any) -> None:
    game = duel.env("simple")
    game.reset()
    with pytest.raises(IllegalAction, match=r"player_0: .* is no action index.* 37"):
        game.step(action)


def test_a_dead_player_can_only_step_with_none() -> None:
    game = duel.env("simple")
    game.reset()
    game.step(game.unwrapped.pass_index)
    game.step(game.unwrapped.pass_index)
    with pytest.raises(ValueError, match="when an agent is dead"):
        game.step(0)
    game.step(None)
    game.step(None)
    assert game.agents == []


def test_stepping_before_the_reset_is_refused() -> None:
    with pytest.raises((AssertionError, AttributeError), match="reset"):
        duel.env("simple").step(0)
    with pytest.raises(ResetNeeded, match=r"reset\(\)"):
        race.parallel_env("simple").step({})


def test_unknown_players_are_refused_with_those_there_are() -> None:
    game = duel.env("simple")
    game.reset()
    with pytest.raises(IllegalAction, match=r"'player_2'.*player_0, player_1"):
        game.observe("player_2")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"assist": True}, "unknown keyword 'assist'; did you mean 'assists'"),
        ({"reward": "win"}, "reward='win' is unknown.*outcome, goal_score"),
        ({"observation": "features"}, "numeric_only"),
        ({"observation": ["bare"]}, "a list of 2"),
        ({"assists": ["only_choice"]}, "no 'only_choice'"),
        ({"render_mode": "png"}, "render_mode='png' is unknown"),
        ({"num_actions": 99}, "unknown keyword 'num_actions'"),
    ],
)
def test_keywords_of_a_duel_are_checked(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        duel.env("simple", **keywords)


@pytest.mark.parametrize("players", [0, 9, 2.0, True])
def test_a_race_has_one_to_eight_players(players: Any) -> None:
    with pytest.raises(MtGymError, match="players"):
        race.parallel_env("simple", players=players)


def test_unknown_floors_are_refused() -> None:
    with pytest.raises(UnknownFloor, match="simple"):
        duel.env("simpel")


class TestRace:
    def game(self, **keywords: Any) -> Any:
        game = race.parallel_env("simple", players=2, **keywords)
        game.reset()
        return game

    def test_everybody_has_to_move(self) -> None:
        game = self.game()
        with pytest.raises(IllegalAction, match="player_1 did not act"):
            game.step({"player_0": game.tower.action("fight 5,3").index})
        assert game.envs[0].turn == 1  # the assist of the reset alone

    def test_unknown_players_are_refused(self) -> None:
        with pytest.raises(IllegalAction, match="'player_2'"):
            self.game().step({"player_2": 0})

    def test_nobody_moves_if_one_choice_is_illegal(self) -> None:
        game = self.game()
        good = game.tower.action("fight 5,3").index
        bad = game.tower.action("open 7,5").index
        with pytest.raises(IllegalAction, match="player_1: 'open 7,5'"):
            game.step({"player_0": good, "player_1": bad})
        assert [env.turn for env in game.envs] == [1, 1]


def test_a_player_whose_game_has_ended_cannot_act(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(floor(["a@p", "#Z#"], hp=15).to_toml(), encoding="utf-8")
    game = race.parallel_env(path, overrides=[], assists=False)
    game.reset()
    lethal, potion = (game.tower.action(t).index for t in ("fight 0,0", "collect 2,0"))
    game.step({"player_0": lethal, "player_1": potion})
    assert game.agents == ["player_1"]
    with pytest.raises(IllegalAction, match=r"player_0 cannot act.*ended \(died\)"):
        game.step({"player_0": lethal, "player_1": lethal})
    game.step({"player_1": lethal})
    with pytest.raises(ResetNeeded, match="no player is left"):
        game.step({"player_1": lethal})


def test_who_waits_for_the_rank_can_only_pass(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(floor(["a@p", "#Z#"], hp=15).to_toml(), encoding="utf-8")
    game = race.parallel_env(path, reward="rank", overrides=[], assists=False)
    game.reset()
    lethal, potion = (game.tower.action(t).index for t in ("fight 0,0", "collect 2,0"))
    wait = game.pass_index
    with pytest.raises(IllegalAction, match="player_1 cannot pass"):
        game.step({"player_0": lethal, "player_1": wait})
    seen, _, ended, _, _ = game.step({"player_0": lethal, "player_1": potion})
    assert ended == {"player_0": False, "player_1": False}
    assert np.flatnonzero(seen["player_0"]["action_mask"]).tolist() == [wait]
    with pytest.raises(
        IllegalAction, match=r"player_0 cannot act.*died.*can only pass"
    ):
        game.step({"player_0": lethal, "player_1": lethal})
    _, paid, ended, _, _ = game.step({"player_0": wait, "player_1": lethal})
    assert ended == {"player_0": True, "player_1": True}
    assert paid == {"player_0": -1.0, "player_1": 1.0}


def test_rewards_by_rank_sum_to_zero_and_are_paid_together() -> None:
    game = race.parallel_env("simple", players=4, reward="rank")
    rng = np.random.default_rng(7)
    for seed in range(5):
        seen, _ = game.reset(seed=seed)
        while game.agents:
            assert len(game.agents) == 4
            actions = {
                agent: int(rng.choice(np.flatnonzero(one["action_mask"])))
                for agent, one in seen.items()
            }
            seen, paid, ended, cut, _ = game.step(actions)
            assert sum(paid.values()) == pytest.approx(0)
            if game.agents:
                assert not any([*paid.values(), *ended.values(), *cut.values()])
        scores = [game.score_of(player) for player in range(4)]
        best = max(range(4), key=lambda player: scores[player])
        assert paid[f"player_{best}"] == max(paid.values())


def test_only_games_can_be_wrapped() -> None:
    with pytest.raises(MtGymError, match=r"versus\.race or versus\.duel"):
        text_only("simple")
