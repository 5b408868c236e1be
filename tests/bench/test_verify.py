"""`verify` accepts what was played and rejects whatever was edited afterwards."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mt_gym.agents import make_policy
from mt_gym.bench import run, verify
from mt_gym.bench.read import log_hash
from mt_gym.errors import MtGymError, StateMismatch
from tests.bench.players import ID, Breaking, failure, silence

Rows = list[dict[str, Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of two random episodes."""
    run(ID, make_policy("random"), episodes=2, out=tmp_path / "run")
    return tmp_path / "run"


def rewrite(file: Path, change: Callable[[Rows], Any], forge: bool) -> None:
    """Edit the rows of a file; with `forge`, make the hash of its lines fit."""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    change(rows)

    def write() -> None:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    write()
    if forge:
        rows[-1]["log"] = log_hash(file)
        write()


def row(rows: Rows, kind: str, turn: int | None = None) -> dict[str, Any]:
    return next(r for r in rows if r["row"] == kind and turn in (None, r.get("turn")))


EDITS: dict[str, tuple[Callable[[Rows], Any], str]] = {
    "action": (
        lambda rows: row(rows, "decision").update(text="fight 5,3", action=11),
        r"line \d+ \((decision|turn)\)",
    ),
    "action in both rows": (
        lambda rows: (
            row(rows, "decision").update(text="open 7,0", action=1),
            row(rows, "turn", 2).update(text="open 7,0", action=1),
        ),
        r"line \d+ \(turn\)",
    ),
    "unknown action": (
        lambda rows: row(rows, "decision").update(text="jump 1,1"),
        "no action 'jump 1,1'",
    ),
    "action beside its text": (
        lambda rows: row(rows, "decision").update(action=0),
        "action is 0, executed again",
    ),
    "hp": (
        lambda rows: row(rows, "turn", 2).update(hp_after=999),
        "hp_after is 999, executed again it is",
    ),
    "attribute": (
        lambda rows: row(rows, "turn", 3)["hero"].update(atk=99),
        r"hero is \{.*'atk': 99",
    ),
    "state": (
        lambda rows: row(rows, "step").update(state="0" * 16),
        "state is '0000000000000000'",
    ),
    "reward": (
        lambda rows: row(rows, "step").update(reward=1.0),
        "reward is 1.0, executed again it is 0.0",
    ),
    "sum of rewards": (
        lambda rows: rows[-1].update(reward=1.0),
        "reward is 1.0, executed again",
    ),
    "outcome": (lambda rows: rows[-1].update(outcome="won"), "outcome is 'won'"),
    "goal score": (lambda rows: rows[-1].update(goal_score=1.0), "goal_score is 1.0"),
    "final hp": (lambda rows: rows[-1].update(hp=13), "hp is 13, executed again"),
    "source": (
        lambda rows: row(rows, "turn", 1).update(source="policy"),
        "source is 'policy', executed again it is 'assist'",
    ),
    "reason": (lambda rows: row(rows, "turn", 1).update(reason="x"), "reason is 'x'"),
    "option": (
        lambda rows: row(rows, "question")["options"].pop(),
        r"\(question\): options is",
    ),
    "observation": (
        lambda rows: row(rows, "question").update(observation="Nothing to see."),
        "observation is 'Nothing to see.'",
    ),
    "seed": (lambda rows: rows[0].update(seed=9), "seed is 9, run.json gives 0"),
    "number": (lambda rows: rows[0].update(episode=2), "episode is 2, run.json"),
    "policy": (lambda rows: rows[0].update(policy="gpt"), "policy is 'gpt', run.json"),
    "start": (
        lambda rows: rows[0]["state"]["hero"].update(hp=999),
        r"line 1 \(start\): state is",
    ),
    "removed decision": (
        lambda rows: rows.remove(row(rows, "decision")),
        r"line \d+ \((turn|decision)\)|turn \d+: Decision",
    ),
    "removed turn": (
        lambda rows: rows.remove(row(rows, "turn", 2)),
        r"line \d+ \(step\)|line \d+",
    ),
    "end before the end": (
        lambda rows: rows.__delitem__(slice(8, -1)),
        "but the game goes on|executed again it is",
    ),
    "further row": (
        lambda rows: rows.append(dict(rows[-1])),
        "the episode is over before this row",
    ),
    "trace key": (
        lambda rows: row(rows, "decision").update(extra=1),
        "extra is 1, executed again it is None",
    ),
}


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("forge", [True, False], ids=["hash fits", "hash as it was"])
def test_edited_log_is_rejected(name: str, forge: bool, folder: Path) -> None:
    change, message = EDITS[name]
    file = folder / "episode-00001.jsonl"
    rewrite(file, change, forge)
    with pytest.raises(StateMismatch, match=message) as error:
        verify(folder)
    assert str(error.value).startswith("episode-00001.jsonl: ")


def test_edit_that_no_game_can_tell_is_seen_by_the_hash(folder: Path) -> None:
    file = folder / "episode-00001.jsonl"
    rewrite(file, lambda rows: row(rows, "decision")["trace"].update(note=1), False)
    with pytest.raises(StateMismatch, match="a line was changed after the episode"):
        verify(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.update(won=2), "table.json: won is 2, the logs give 0"),
        (lambda table: table["outcomes"].update(won=1), "table.json: outcomes is"),
        (lambda table: table["results"].pop("2"), "table.json: results is"),
        (lambda table: table.update(more=1), "table.json: more is 1, the logs give N"),
    ],
)
def test_edited_table_is_rejected(
    change: Callable[[dict[str, Any]], Any], message: str, folder: Path
) -> None:
    file = folder / "table.json"
    table = json.loads(file.read_text())
    change(table)
    file.write_text(json.dumps(table))
    with pytest.raises(StateMismatch, match=message):
        verify(folder)


def test_episode_that_was_taken_away_is_missed_by_the_table(folder: Path) -> None:
    (folder / "episode-00002.jsonl").unlink()
    with pytest.raises(StateMismatch, match=r"table.json: \w+ is"):
        verify(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda about: about["environment"]["kwargs"].update(reward="sparse"),
            "the environment was changed",
        ),
        (lambda about: about.update(policy="gpt"), "policy is 'random', run.json"),
        (lambda about: about.update(digest="0" * 16), "another tower"),
        (lambda about: about.update(format=9), "log format 9"),
    ],
)
def test_edited_settings_are_rejected(
    change: Callable[[dict[str, Any]], Any], message: str, folder: Path
) -> None:
    file = folder / "run.json"
    about = json.loads(file.read_text())
    change(about)
    file.write_text(json.dumps(about))
    with pytest.raises(MtGymError, match=message):
        verify(folder)


def test_failed_and_unanswered_episodes_are_verified_too(tmp_path: Path) -> None:
    policy = Breaking({1: failure(), 2: silence()})
    run(ID, policy, episodes=3, out=tmp_path)
    found = verify(tmp_path)
    assert (found.episodes, found.failed) == (2, 1)
    file = tmp_path / "episode-00002.failed-1.jsonl"
    rewrite(file, lambda rows: rows[-1].update(outcome="stuck"), True)
    with pytest.raises(StateMismatch, match="the game goes on"):
        verify(tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        {"overrides": [], "assists": False},
        {"reward": "hp_difference", "max_turns": 9},
        {"observation": "features"},
        {"observation": "bare", "num_actions": 90},
    ],
)
def test_run_of_any_settings_is_accepted(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    run(ID, make_policy("random"), episodes=3, settings=settings, out=tmp_path)
    assert verify(tmp_path).episodes == 3


def test_committed_plans_are_executed_again(tmp_path: Path) -> None:
    class Planner:
        name = "planner"
        observation = None
        commitment = 3

        def new_episode(self, env: Any, seed: int) -> Any:
            from mt_gym.agents import Decision

            class Player:
                def act(self, observation: Any, info: dict[str, Any]) -> Any:
                    legal = [e["action"] for e in info["actions"] if e["enabled"]]
                    return Decision(legal[0], plan=tuple(legal[1:3]))

            return Player()

    run(ID, Planner(), out=tmp_path)
    text = (tmp_path / "episode-00001.jsonl").read_text()
    assert '"source": "plan"' in text
    assert verify(tmp_path).episodes == 1
