"""Logs that were edited by hand or come from elsewhere: one clear error, no more."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from mt_gym.agents import Decision, make_policy
from mt_gym.bench import compare, report, run, verify
from mt_gym.bench.log import finished_episodes
from mt_gym.bench.read import Run, read_episode
from mt_gym.errors import MtGymError, PolicyError
from tests.bench.players import ID, Scripted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of one random episode."""
    run(ID, make_policy("random"), out=tmp_path / "run")
    return tmp_path / "run"


def about(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Edit run.json."""
    file = folder / "run.json"
    found = json.loads(file.read_text())
    change(found)
    file.write_text(json.dumps(found))


@pytest.mark.parametrize(
    "change",
    [
        lambda env: env.pop("additional_wrappers"),
        lambda env: env.update(additional_wrappers=True),
        lambda env: env.update(kwargs=0),
        lambda env: env.update(max_episode_steps=["x"]),
        lambda env: env.update(id=1.5),
        lambda env: env.update(entry_point=None),
        lambda env: env.update(entry_point="mt_gym.envs.env:Nothing"),
        lambda env: env.update(unheard_of=1),
    ],
)
def test_environment_that_cannot_be_made_is_one_error(
    change: Callable[[Any], Any], folder: Path
) -> None:
    about(folder, lambda found: change(found["environment"]))
    with pytest.raises(MtGymError, match=r"run.json: its 'environment' cannot be made"):
        verify(folder)
    with pytest.raises(MtGymError, match=r"run.json: its 'environment' cannot be made"):
        report(folder)


@pytest.mark.parametrize("wrapped", [False, True])
def test_stored_run_calls_nothing_but_environments(wrapped: bool, folder: Path) -> None:
    """What a log names is never called, unless it is an environment or a wrapper."""
    trap = folder.parent / "trap"
    entry, kwargs = "os:mkdir", {"path": str(trap)}

    def change(found: dict[str, Any]) -> None:
        if wrapped:
            one = {"name": "x", "entry_point": "builtins:exec", "kwargs": {}}
            found["environment"]["additional_wrappers"] = [one]
        else:
            found["environment"].update(entry_point=entry, kwargs=kwargs)

    about(folder, change)
    message = "is no Wrapper" if wrapped else "no environment of this package"
    with pytest.raises(MtGymError, match=message):
        Run.of(folder).environment()
    assert not trap.exists()


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("start", lambda row: row.pop("reference_hp"), "it lacks 'reference_hp'"),
        ("start", lambda row: row.update(hp="x"), "'hp' must be an integer, got 'x'"),
        ("start", lambda row: row.update(hp=True), "'hp' must be an integer, got Tr"),
        ("question", lambda row: row.update(options=0), "'options' must be a list"),
        (
            "question",
            lambda row: row["options"][0].pop("token"),
            "option 1: it lacks 'token'",
        ),
        (
            "question",
            lambda row: row["options"][1].update(hat=1),
            "option 2 must be an object of number, action",
        ),
        ("decision", lambda row: row.update(trace=None), "'trace' must be an object"),
        ("turn", lambda row: row.update(hp_after=1.5), "must be an integer, got 1.5"),
        ("step", lambda row: row.update(row=["step"]), "lacks a known 'row'"),
        ("end", lambda row: row.pop("hero"), "it lacks 'hero'"),
        ("end", lambda row: row.update(hero={"hp": 3}), "hero: it lacks 'atk', 'def'"),
        ("end", lambda row: row.update(goal_score=[]), "must be a number or null"),
    ],
)
def test_row_of_another_shape_is_named(
    kind: str, change: Callable[[Any], Any], message: str, folder: Path
) -> None:
    (file,) = finished_episodes(folder).values()
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    place = next(n for n, row in enumerate(rows) if row["row"] == kind)
    change(rows[place])
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(MtGymError, match=f"line {place + 1}.*{message}"):
        report(folder, solver=False)


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 100_000])
def test_line_that_python_cannot_read_is_no_json(text: str, folder: Path) -> None:
    (file,) = finished_episodes(folder).values()
    file.write_text(text + "\n" + file.read_text())
    with pytest.raises(MtGymError, match="line 1: no JSON"):
        read_episode(file)


def test_part_file_of_another_name_is_left_alone(folder: Path) -> None:
    odd = folder / "episode-of-mine.part"
    odd.write_text("mine")
    run(ID, make_policy("random"), out=folder, resume=True)
    assert odd.read_text() == "mine"


def test_number_of_episodes_costs_no_memory() -> None:
    """A run is stopped by its policy long before its last number is thought of."""

    def stop(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        run(ID, Scripted(stop), episodes=10**23)


def test_time_limit_of_a_wrapper_is_a_turn_limit(tmp_path: Path) -> None:
    spec = copy.deepcopy(gym.spec(ID))
    spec.max_episode_steps = 3
    (one,) = run(spec, make_policy("random"), out=tmp_path).episodes
    assert (one.outcome, one.decisions) == ("turn_limit", 3)
    assert verify(tmp_path).episodes == 1


def first(info: dict[str, Any], **trace: Any) -> Decision:
    return Decision(info["actions"][0]["action"], trace=trace)


def test_traces_of_another_kind_are_stored_and_counted_as_nothing(
    tmp_path: Path,
) -> None:
    attempts = [{"usage": 3, "seconds": "x"}, {"usage": {"input": "x"}}, {}]
    policy = Scripted(lambda seed, env, info: first(info, attempts=attempts))
    (one,) = run(ID, policy, out=tmp_path).episodes
    assert (one.tokens["input"], one.seconds) == (0, 0)
    assert verify(tmp_path).episodes == 1


def test_trace_without_a_bottom_is_refused(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    policy = Scripted(lambda seed, env, info: first(info, deep=deep))
    with pytest.raises(PolicyError, match=r"cannot be stored, Decision\.trace takes"):
        run(ID, policy, out=tmp_path)


def test_player_that_empties_its_info_changes_nothing() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        decision = first(info)
        info.clear()
        return decision

    plain = run(ID, Scripted(lambda seed, env, info: first(info)))
    assert run(ID, Scripted(choose)).figures() == plain.figures()


def test_a_run_is_not_compared_with_itself(folder: Path) -> None:
    with pytest.raises(MtGymError, match="is given twice"):
        compare(folder, folder / ".." / "run")
