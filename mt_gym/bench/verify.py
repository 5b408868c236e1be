"""A stored run executed again from its decisions, without any model.

The same script of rows is driven by the decisions of the log: whatever a row says
about the game must come out again.  Then the figures are computed anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.policy import Decision, Env
from mt_gym.bench.answers import check_answers
from mt_gym.bench.episode import EXCLUDED, Ask, checked, script
from mt_gym.bench.log import TABLE_FILE, failed_episodes, finished_episodes
from mt_gym.bench.measures import EpisodeResult, figures
from mt_gym.bench.question import Row, decision_of
from mt_gym.bench.read import Run, check_digest, log_hash
from mt_gym.bench.setup import identity
from mt_gym.engine.tower import Tower
from mt_gym.errors import (
    BudgetReached,
    EndpointError,
    MtGymError,
    NoAnswer,
    StateMismatch,
)

_RAISED: Final[dict[str, type[EndpointError] | type[BudgetReached]]] = {
    "infra_error": EndpointError,
    "budget": BudgetReached,
}


@dataclass(frozen=True, slots=True)
class Verified:
    """What was executed again.

    Attributes:
        episodes: finished episodes; `failed`: logs that a server or a budget ended.
        turns: of all of them.
        table: whether there was a table to compare with.
    """

    episodes: int
    failed: int
    turns: int
    table: bool


def verify(path: str | Path) -> Verified:
    """Execute every episode of a run again, and compute its table again.

    Args:
        path: the run's folder.

    Raises:
        StateMismatch: the first place where the log says something else than the
            engine, or its table something else than its logs.
        MtGymError: no run, a damaged file, another version, another tower.
    """
    run = Run.of(path)
    finished = finished_episodes(run.path)
    failed = {n: f for n, f in failed_episodes(run.path).items() if n not in finished}
    results = {}
    with closing(run.environment()) as env:
        check_settings(run, env)
        for number, file in sorted([*finished.items(), *failed.items()]):
            rows = run.rows(file)
            try:
                _check_start(run, rows[0], number)
                check_episode(env, rows)
                _check_traces(rows)
            except StateMismatch as error:
                raise StateMismatch(f"{file.name}: {error}") from error
            if log_hash(file) != rows[-1].get("log"):
                raise StateMismatch(
                    f"{file.name}: a line was changed after the episode: the hash of "
                    "the lines is not the one in the last line"
                )
            results[number] = EpisodeResult.of(rows)
    table = _check_table(run.path, list(results.values()))
    turns = sum(one.turns for one in results.values())
    return Verified(len(finished), len(failed), turns, table)


def check_settings(run: Run, env: Env) -> None:
    """Compare what `run.json` says about its environment with the environment.

    Raises:
        StateMismatch: it says something else.
    """
    tower: Tower = env.get_wrapper_attr("tower")
    check_digest(tower, run.about["digest"], tower.name)
    found = identity(run.about["environment"], tower.digest)
    if run.about.get("identity") != found:
        raise StateMismatch(
            "run.json: the environment was changed: its identity is "
            f"{found}, stated is {run.about.get('identity')}"
        )


def check_episode(env: Env, rows: Sequence[Row]) -> None:
    """Execute an episode again from its decisions and compare every row.

    Args:
        env: one of the run's kind.
        rows: of the episode, with their texts.

    Raises:
        StateMismatch: the first row that comes out otherwise.
    """
    found = _executed(env, rows)
    for number, stored in enumerate(rows, start=1):
        row = next(found, None)
        if row is None:
            raise StateMismatch(f"line {number}: the episode is over before this row")
        again = json.loads(json.dumps(row))
        for key in sorted(again.keys() | stored.keys() - {"log"}):
            if stored.get(key) != again.get(key):
                raise StateMismatch(
                    f"line {number} ({stored['row']}): {key} is "
                    f"{_short(stored.get(key))}, executed again it is "
                    f"{_short(again.get(key))}"
                )


def _executed(env: Env, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows of an episode that is driven by the decisions of another's rows."""
    tower: Tower = env.get_wrapper_attr("tower")
    start, end = rows[0], rows[-1]
    decisions = iter([row for row in rows if row["row"] == "decision"])
    steps = script(env, start["policy"], start["episode"], start["seed"])
    item = next(steps, None)
    while item is not None:
        if not isinstance(item, Ask):
            yield item
            item = next(steps, None)
            continue
        row = next(decisions, None)
        if row is not None and row["action"] is not None:
            item = steps.send(_decision(tower, row, item.info))
        else:
            item = steps.throw(_no_decision(end, row))


def _decision(tower: Tower, row: Row, info: dict[str, Any]) -> Decision:
    """The decision of a row, checked like a player's."""
    try:
        return checked(decision_of(tower, row), info)
    except MtGymError as error:
        raise StateMismatch(f"turn {row['turn']}: {error}") from error


def _no_decision(end: Row, row: Row | None) -> Exception:
    """What the player raised where it made no decision."""
    problem = str(end.get("error", ""))
    kind = _RAISED.get(end["outcome"])
    if kind is None:
        if row is not None:
            return NoAnswer(problem, row["trace"])
        raise StateMismatch(
            f"the log ends with {end['outcome']!r}, but the game goes on and there is "
            "no decision for it"
        )
    error = kind(problem)
    error.trace = {} if row is None else row["trace"]
    return error


def _check_traces(rows: Sequence[Row]) -> None:
    """Read the stored answers again; each decision follows its question."""
    excluded = rows[-1]["outcome"] in EXCLUDED
    for before, row in pairwise(rows):
        if row["row"] == "decision" and before["row"] == "question":
            check_answers(before, row, broken_off=excluded and row["action"] is None)


def _check_start(run: Run, start: Row, number: int) -> None:
    wanted = {
        "episode": number,
        "seed": run.about["seed"] + number - 1,
        "policy": run.about["policy"],
        "digest": run.about["digest"],
    }
    for key, value in wanted.items():
        if start[key] != value:
            raise StateMismatch(
                f"line 1: {key} is {start[key]!r}, run.json gives {value!r}"
            )


def _check_table(path: Path, results: Sequence[EpisodeResult]) -> bool:
    """Compare the stored table; False where an interrupted run has none yet."""
    file = path / TABLE_FILE
    if not file.exists():
        return False
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MtGymError(f"{str(file)!r} cannot be read: {error}") from error
    again = json.loads(json.dumps(figures(results)))
    if not isinstance(stored, dict):
        raise StateMismatch(f"{TABLE_FILE}: a JSON object is expected")
    for key in sorted(again.keys() | stored.keys()):
        if stored.get(key) != again.get(key):
            raise StateMismatch(
                f"{TABLE_FILE}: {key} is {_short(stored.get(key))}, the logs give "
                f"{_short(again.get(key))}"
            )
    return True


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."
