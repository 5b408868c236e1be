"""Matches: who meets whom, what is stored, and the tables of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")
pytest.importorskip("scipy", reason="needs the extra marl")

from mt_gym.agents import Decision, make_policy
from mt_gym.agents.policy import Env, Policy
from mt_gym.bench.log import finished_episodes
from mt_gym.bench.read import Run
from mt_gym.bench.stats import wilson
from mt_gym.cli import call
from mt_gym.errors import MtGymError, NoAnswer, PolicyError, StateMismatch
from mt_gym.versus.game import ALONE, GameResult
from mt_gym.versus.match import play_match, read_match
from mt_gym.versus.ratings import SCALE, bradley_terry, win_matrix
from mt_gym.versus.replay import replay_game


def policies(*names: str) -> list[Policy]:
    return [make_policy(name) for name in names]


def game(players: tuple[str, ...], ranks: tuple[int, ...]) -> GameResult:
    size = len(players)
    zeros = (0,) * size
    return GameResult(
        1, 0, players, "over", ("",) * size, ranks, zeros, zeros, zeros, zeros, zeros
    )


def test_cells_count_wins_draws_and_losses_with_wilsons_interval() -> None:
    games = [game(("a", "b"), (1, 2))] * 6 + [game(("b", "a"), (1, 2))] * 3
    games += [game(("a", "b"), (1, 1))]
    matrix = win_matrix(("a", "b"), games)
    cell = matrix[0][1]
    assert cell is not None
    assert (cell.won, cell.drawn, cell.lost) == (6, 1, 3)
    assert cell.interval == wilson(6, 10)
    other = matrix[1][0]
    assert other is not None
    assert (other.won, other.drawn, other.lost) == (3, 1, 6)
    assert matrix[0][0] is None


def test_a_race_counts_for_every_pair_by_rank() -> None:
    matrix = win_matrix(("a", "b", "c"), [game(("c", "a", "b"), (1, 2, 2))])
    counts = [
        [None if c is None else (c.won, c.drawn, c.lost) for c in row] for row in matrix
    ]
    assert counts == [
        [None, (0, 1, 0), (0, 0, 1)],
        [(0, 1, 0), None, (0, 0, 1)],
        [(1, 0, 0), (1, 0, 0), None],
    ]


def test_bradley_terry_of_two_is_the_log_odds_with_half_a_game_more_for_each() -> None:
    games = [game(("a", "b"), (1, 2))] * 8 + [game(("b", "a"), (1, 2))] * 2
    first, second = bradley_terry(("b", "a"), games)
    assert (first.label, second.label) == ("a", "b")
    assert first.points == pytest.approx(SCALE * math.log(8.5 / 2.5) / 2, abs=0.01)
    assert first.points == pytest.approx(-second.points, abs=1e-6)
    # Fisher information of the gap: n p (1 - p); each has half of the gap.
    share = 8.5 / 11
    deviation = 1 / math.sqrt(11 * share * (1 - share)) / 2
    assert first.margin == pytest.approx(1.96 * SCALE * deviation, rel=1e-3)


def test_a_draw_counts_half_for_each() -> None:
    games = [game(("a", "b"), (1, 2))] * 4 + [game(("a", "b"), (1, 1))] * 6
    first, _ = bradley_terry(("a", "b"), games)
    assert first.points == pytest.approx(SCALE * math.log(7.5 / 3.5) / 2, abs=0.01)


def test_bradley_terry_orders_those_who_never_met() -> None:
    games = [game(("a", "b"), (1, 2))] * 4 + [game(("b", "c"), (1, 2))] * 4
    ratings = bradley_terry(("c", "b", "a"), games)
    assert [one.label for one in ratings] == ["a", "b", "c"]
    assert all(math.isfinite(one.points + one.margin) for one in ratings)
    assert sum(one.points for one in ratings) == pytest.approx(0, abs=1e-6)


def test_sides_are_swapped_with_the_same_seeds() -> None:
    starts: list[dict[str, Any]] = []
    result = play_match(
        "simple",
        policies("random", "random"),
        games=4,
        swap_sides=True,
        seed=5,
        watch=lambda row: starts.append(row) if row["row"] == "start" else None,
    )
    assert result.labels == ("random#1", "random#2")
    assert [s["players"] for s in starts] == [
        ["random#1", "random#2"],
        ["random#2", "random#1"],
    ] * 2
    assert [s["seed"] for s in starts] == [5, 5, 6, 6]
    seeds = [dict(zip(s["players"], s["player_seeds"], strict=True)) for s in starts]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    assert seeds[0]["random#1"] != seeds[0]["random#2"]


def test_a_duel_of_three_is_a_round_robin_and_a_race_has_all_at_once() -> None:
    three = policies("heuristic", "random", "random")
    duel = play_match("simple", three, games=2, swap_sides=True)
    assert len(duel.games) == 6
    assert {frozenset(g.players) for g in duel.games} == {
        frozenset(pair)
        for pair in (
            ("heuristic", "random#1"),
            ("heuristic", "random#2"),
            ("random#1", "random#2"),
        )
    }
    race = play_match("simple", three, mode="race", games=3, swap_sides=True)
    assert [g.players[0] for g in race.games] == ["heuristic", "random#1", "random#2"]
    assert len({g.goal_score[g.players.index("heuristic")] for g in race.games}) == 1


def test_the_solver_in_a_duel_says_that_it_thinks_it_is_alone() -> None:
    pair = policies("solver", "random")
    assert ALONE in play_match("simple", pair).table()
    race = play_match("simple", pair, mode="race")
    assert ALONE not in race.table()
    assert race.games[0].hp[0] == 13
    assert race.games[0].ranks == (1, 2)


@pytest.mark.parametrize("mode", ["duel", "race"])
def test_stored_games_are_played_again_row_by_row(mode: str, tmp_path: Path) -> None:
    pair = policies("heuristic", "random")
    made = play_match(
        "simple", pair, mode=mode, games=2, swap_sides=True, out=tmp_path / "m"
    )
    run = Run.of(tmp_path / "m", match=True)
    files = finished_episodes(run.path)
    ends = [replay_game(run, run.rows(file)) for file in files.values()]
    assert tuple(GameResult.of(end) for end in ends) == made.games
    again = read_match(tmp_path / "m")
    assert (again.games, again.labels) == (made.games, made.labels)
    assert again.table() == made.table()


@pytest.mark.parametrize("mode", ["duel", "race"])
def test_a_changed_log_is_noticed(mode: str, tmp_path: Path) -> None:
    pair = policies("heuristic", "random")
    play_match("simple", pair, mode=mode, out=tmp_path / "m")
    run = Run.of(tmp_path / "m", match=True)
    rows = run.rows(finished_episodes(run.path)[1])
    for kind, key in (("turn", "hp_after"), ("end", "turns"), ("step", "reward")):
        changed = json.loads(json.dumps(rows))
        row = [row for row in changed if row["row"] == kind][-1]
        row[key] = 99
        with pytest.raises(StateMismatch, match=rf"row \d+ \({kind}\): {key}"):
            replay_game(run, changed)


def test_games_are_refused_where_a_run_is_expected(tmp_path: Path) -> None:
    play_match("simple", policies("random", "random"), out=tmp_path / "m")
    with pytest.raises(MtGymError, match="games of several players"):
        Run.of(tmp_path / "m")


class Silent:
    """Gives no answer at its second decision."""

    name = "silent"
    observation = "bare"

    def __init__(self, error: type[Exception] = NoAnswer) -> None:
        self.error = error

    def new_episode(self, env: Env, seed: int) -> SilentPlayer:
        assert env.get_wrapper_attr("config").observation == "bare"
        return SilentPlayer(self.error)


class SilentPlayer:
    def __init__(self, error: type[Exception]) -> None:
        self.error = error
        self.asked = 0

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        assert "lookahead" not in observation.split("Available")[1]
        self.asked += 1
        if self.asked > 1:
            raise self.error("nothing came")
        return Decision(info["actions"][0]["action"])


def test_a_player_without_an_answer_loses_the_duel(tmp_path: Path) -> None:
    pair = [*policies("heuristic"), Silent()]
    result = play_match("simple", pair, out=tmp_path / "m")
    (one,) = result.games
    assert (one.outcome, one.outcomes, one.ranks) == (
        "no_answer",
        ("won", "lost"),
        (1, 2),
    )
    assert one.decisions == (2, 2)
    run = Run.of(tmp_path / "m", match=True)
    replay_game(run, run.rows(finished_episodes(run.path)[1]))


class Pushy:
    """Chooses what the mask forbids."""

    name = "pushy"
    observation = None

    def new_episode(self, env: Env, seed: int) -> Pushy:
        return self

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        return Decision(int((info["action_mask"] == 0).nonzero()[0][0]))


def test_an_illegal_choice_in_a_duel_names_game_and_player() -> None:
    with pytest.raises(PolicyError, match=r"game 1: pushy: .*is not legal"):
        play_match("simple", [Pushy(), *policies("random")])


class ByFeatures:
    """Reads arrays, and plays the first legal row."""

    name = "arrays"
    observation = "features"

    def new_episode(self, env: Env, seed: int) -> ByFeatures:
        return self

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        assert sorted(observation) == ["action_mask", "hero", "objects"]
        assert (observation["action_mask"] == info["action_mask"][:37]).all()
        return Decision(int(observation["action_mask"].nonzero()[0][0]))


@pytest.mark.parametrize("mode", ["duel", "race"])
def test_a_policy_that_wants_features_gets_those_of_its_hero(mode: str) -> None:
    result = play_match("simple", [ByFeatures(), *policies("random")], mode=mode)
    assert result.games[0].decisions[0] > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "war"}, "mode='war' is unknown"),
        ({"games": 0}, "games must be an integer >= 1"),
        ({"games": 3, "swap_sides": True}, "a multiple of 2"),
        ({"settings": {"asists": []}}, "did you mean 'assists'"),
    ],
)
def test_matches_check_what_they_are_given(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(MtGymError, match=message):
        play_match("simple", policies("random", "random"), **arguments)


def test_one_player_is_no_duel() -> None:
    with pytest.raises(MtGymError, match="two players or more, got 1"):
        play_match("simple", policies("random"))


class TestCommand:
    def test_prints_its_matrix(self, capsys: pytest.CaptureFixture[str]) -> None:
        players = ["--players", "heuristic,random"]
        assert call(["versus", "simple", *players, "--games", "4", "--swap-sides"]) == 0
        out = capsys.readouterr().out
        assert "duel on simple, 4 games" in out
        assert "Bradley-Terry" in out
        assert "[" in out and "%" in out

    def test_one_game_is_shown_turn_by_turn_and_replayed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = str(tmp_path / "m")
        players = ["--players", "heuristic,random", "--out", folder]
        assert call(["versus", "simple", *players]) == 0
        shown = capsys.readouterr().out
        assert call(["replay", folder]) == 0
        again = capsys.readouterr().out
        turns = [line for line in shown.splitlines() if line.startswith("player_")]
        assert len(turns) > 10
        assert [x for x in again.splitlines() if x.startswith("player_")] == turns

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--players", "heuristic"], "two players"),
            (["--players", "heuristic,nobody"], "unknown policy 'nobody'"),
            (["--players", "heuristic,,random"], "an empty name"),
            (["--players", "random,random", "--set", "3.x=1"], "2 players"),
            (["--players", "random,random", "--set", "2.x=1"], "cannot be made"),
            (["--players", "random,random", "--set", "policy.x=1"], "1.x"),
            (["--players", "random,random", "--label", "a/b"], "plain folder"),
            (["--players", "random,random", "--mode", "war"], "duel, race"),
        ],
    )
    def test_bad_input_is_one_line(
        self,
        arguments: list[str],
        message: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert call(["versus", "simple", *arguments]) == 1
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1


def test_a_trained_network_meets_another_policy(tmp_path: Path) -> None:
    for mode in ("duel", "race"):
        match = play_match(
            "hand03", policies("rl", "random"), mode=mode, games=2, swap_sides=True
        )
        assert len(match.games) == 2
