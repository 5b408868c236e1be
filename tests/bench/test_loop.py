"""Runs through the Python interface: results, folders, and what is refused."""

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.bench import run
from mt_gym.bench.read import read_episode
from mt_gym.errors import MtGymError, PolicyError

ID = "MagicTower-simple-v0"


def test_result_holds_the_episodes_and_their_seeds() -> None:
    result = run(ID, make_policy("witness"), episodes=2, seed=5)
    assert [(one.episode, one.seed) for one in result.episodes] == [(1, 5), (2, 6)]
    for one in result.episodes:
        assert (one.outcome, one.hp, one.turns, one.goal_score) == ("won", 13, 36, 1)
    assert result.optimum == 13
    assert result.folder is None


def test_table_states_wins_over_episodes() -> None:
    table = run(ID, make_policy("witness"), episodes=3).table()
    lines = dict(line.split("  ", 1) for line in table.splitlines())
    assert lines["won"].strip() == "3/3"
    assert "optimum 13" in table


def test_watcher_sees_the_rows_that_are_stored(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    folder = tmp_path / "run"
    run(ID, make_policy("random"), out=folder, watch=seen.append)
    stored = read_episode(folder / "episode-00001.jsonl")
    del stored[-1]["log"]
    assert stored == json.loads(json.dumps(seen))


def test_reward_of_the_log_is_the_environments(tmp_path: Path) -> None:
    settings = {"reward": "hp_difference"}
    result = run(ID, make_policy("witness"), settings=settings)
    start = mt_gym.load("simple").initial_state().hero.hp
    assert result.episodes[0].reward == 13 - start
    assert result.episodes[0].goal_score == 1


def test_policy_gets_the_observation_that_it_wants() -> None:
    class Wants:
        name = "wants"
        observation = "features"
        seen: Any = None

        def new_episode(self, env: Any, seed: int) -> Any:
            return self

        def act(self, observation: Any, info: dict[str, Any]) -> Decision:
            self.seen = observation
            return Decision(info["actions"][0]["action"])

    policy = Wants()
    run(ID, policy, settings={"max_turns": 3})
    assert set(policy.seen) == {"hero", "objects", "action_mask"}
    run(ID, policy, settings={"max_turns": 3, "observation": "bare"})
    assert isinstance(policy.seen, str)


def test_spec_with_its_own_keywords_is_played(tmp_path: Path) -> None:
    spec = gym.make(ID, max_turns=4).spec
    assert spec is not None
    result = run(spec, make_policy("random"), out=tmp_path / "run")
    assert result.episodes[0].outcome == "turn_limit"
    assert result.episodes[0].turns == 4
    stored = json.loads((tmp_path / "run" / "run.json").read_text())
    assert stored["tower"] == "simple"


def test_decision_takes_its_source_and_reason_into_the_turn() -> None:
    class Substitute:
        name = "substitute"
        observation = None

        def new_episode(self, env: Any, seed: int) -> Any:
            return self

        def act(self, observation: Any, info: dict[str, Any]) -> Decision:
            first = next(e for e in info["actions"] if e["enabled"])
            trace = {"reason": "no answer"}
            return Decision(first["action"], source="fallback", trace=trace)

    rows: list[dict[str, Any]] = []
    run(ID, Substitute(), settings={"max_turns": 2}, watch=rows.append)
    turn = next(row for row in rows if row["row"] == "turn" and row["turn"] == 2)
    assert (turn["source"], turn["reason"]) == ("fallback", "no answer")


def test_choice_that_is_replaced_is_logged_as_an_override(tmp_path: Path) -> None:
    text = mt_gym.load("simple").to_toml().replace("hp = 470", "hp = 100")
    tower = mt_gym.loads(text[: text.index("[certificate]")])
    lethal = tower.action("fight 4,2")

    class Reckless:
        name = "reckless"
        observation = None

        def new_episode(self, env: Any, seed: int) -> Any:
            return self

        def act(self, observation: Any, info: dict[str, Any]) -> Decision:
            return Decision(lethal.index)

    rows: list[dict[str, Any]] = []
    path = tmp_path / "weak.toml"
    path.write_text(tower.to_toml(), encoding="utf-8")
    settings = {"tower": str(path), "max_turns": 2}
    run("MagicTower-v0", Reckless(), settings=settings, watch=rows.append)
    turn = next(row for row in rows if row["row"] == "turn" and row["turn"] == 2)
    assert turn["source"] == "override"
    assert turn["replaces"] == "fight 4,2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"episodes": 0}, "episodes must be an integer >= 1, got 0"),
        ({"episodes": True}, "episodes must be an integer >= 1, got True"),
        ({"seed": -1}, "seed must be an integer >= 0, got -1"),
        ({"settings": {"hat": 1}}, "unknown keyword 'hat'"),
        ({"settings": {"info_level": "mask"}}, "policy needs the list of 'full'"),
    ],
)
def test_wrong_argument_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        run(ID, make_policy("random"), **arguments)


def test_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(MtGymError, match="the run folder cannot be written"):
        run(ID, make_policy("random"), out=tmp_path / "run")


def test_trace_that_is_no_json_is_refused(tmp_path: Path) -> None:
    class Traces:
        name = "traces"
        observation = None

        def new_episode(self, env: Any, seed: int) -> Any:
            return self

        def act(self, observation: Any, info: dict[str, Any]) -> Decision:
            return Decision(info["actions"][0]["action"], trace={"seen": {1, 2}})

    with pytest.raises(PolicyError, match=r"episode 1.*JSON values only"):
        run(ID, Traces(), settings={"max_turns": 2}, out=tmp_path / "run")
    assert list((tmp_path / "run").glob("episode*.jsonl")) == []
