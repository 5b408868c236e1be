"""Runs of the language-model policy against the stand-in server: a real socket."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="needs the extra llm")

from mt_gym.agents import make_policy
from mt_gym.agents.llm.misbehave import MISBEHAVIOURS, Script
from mt_gym.agents.llm.server import PolicyServer, serving
from mt_gym.bench import Budget, SqliteCallStore, report, run, verify
from mt_gym.bench.log import failed_episodes, finished_episodes
from mt_gym.bench.read import read_episode
from mt_gym.errors import EndpointError, StateMismatch
from tests.bench.players import ID
from tests.bench.test_verify import rewrite, row

KEY = "sk-very-secret-0123456789"


@contextmanager
def model(
    served: str = "heuristic",
    script: Sequence[str] = (),
    *,
    cycle: bool = False,
    **options: Any,
) -> Iterator[tuple[PolicyServer, Any]]:
    """A server and a policy that asks it."""
    server = serving(
        make_policy(served), script=Script(script, cycle), retry_after=0.01, delay=0.01
    )
    with server as found:
        given = {"backoff": 0.001, "attempts": 3, **options}
        yield found, make_policy("llm", base_url=found.base_url, model=served, **given)


def test_model_plays_as_the_policy_it_stands_for(tmp_path: Path) -> None:
    with model() as (server, policy):
        result = run(ID, policy, episodes=3, out=tmp_path)
    own = run(ID, make_policy("heuristic"), episodes=3)
    ends = [(one.outcome, one.hp, one.turns) for one in result.episodes]
    assert ends == [(one.outcome, one.hp, one.turns) for one in own.episodes]
    assert sum(one.calls for one in result.episodes) == sum(server.served.values())
    assert result.figures()["tokens"]["input"] > 0
    assert verify(tmp_path).episodes == 3


def test_log_holds_prompt_answer_reasoning_and_usage(tmp_path: Path) -> None:
    with model() as (_, policy):
        run(ID, policy, out=tmp_path)
    rows = read_episode(tmp_path / "episode-00001.jsonl")
    (attempt,) = row(rows, "decision")["trace"]["attempts"]
    assert row(rows, "question")["observation"] in attempt["messages"][-1]["content"]
    assert "FINAL_CHOICE" in attempt["content"]
    assert attempt["reasoning"]
    assert set(attempt["usage"]) >= {"input", "output"}
    about = json.loads((tmp_path / "run.json").read_text())["about"]
    assert about["config"]["temperature"] == 0
    assert all(re.fullmatch(r"[0-9a-f]{16,}", h) for h in about["prompts"].values())


def test_key_is_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model(script=["unauthorised"]) as (_, policy), pytest.raises(EndpointError):
        run(ID, policy, out=tmp_path / "refused")
    with SqliteCallStore(tmp_path / "calls.db") as store, model() as (_, policy):
        run(ID, policy, out=tmp_path / "played", calls=store)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path


def test_many_episodes_at_a_time_are_those_one_by_one(tmp_path: Path) -> None:
    with model("random") as (_, policy):
        many = run(ID, policy, episodes=12, concurrency=12, out=tmp_path / "many")
        single = run(ID, policy, episodes=12, concurrency=1, out=tmp_path / "single")
    assert many.figures() == single.figures()
    for number in finished_episodes(tmp_path / "single"):
        ends = [
            read_episode(finished_episodes(tmp_path / name)[number])[-1]
            for name in ("many", "single")
        ]
        for end in ends:
            del end["log"]
        assert ends[0] == ends[1]


def test_budget_of_calls_stops_cleanly_and_is_resumed(tmp_path: Path) -> None:
    with model("random") as (server, policy):
        whole = run(ID, policy, episodes=4)
        before = sum(server.served.values())
        cut = run(ID, policy, episodes=4, out=tmp_path, budget=Budget(calls=21))
        assert sum(server.served.values()) - before == 21
        assert cut.unfinished > 0
        assert {one.outcome for one in cut.episodes} <= {"budget", "stuck", "won"}
        assert "budget of 21 calls" in next(e.error for e in cut.episodes if e.error)
        assert verify(tmp_path).episodes == len(finished_episodes(tmp_path))
        resumed = run(ID, policy, episodes=4, out=tmp_path, resume=True)
    assert resumed.figures() == whole.figures()


def test_money_is_counted_by_the_price_table() -> None:
    budget = Budget(money=1e-4, prices={"input": 1.0, "output": 1.0})
    with model("random") as (_, policy):
        result = run(ID, policy, episodes=2, budget=budget, concurrency=1)
    assert result.episodes[0].outcome == "budget"
    assert budget.used_money >= 1e-4


def test_study_runs_again_without_a_network(tmp_path: Path) -> None:
    calls = tmp_path / "calls.db"
    with SqliteCallStore(calls) as store, model("random") as (_, policy):
        first = run(ID, policy, episodes=3, out=tmp_path / "a", calls=store)
        url = policy.config.base_url
    # The server is gone now; at the same address nobody answers.
    policy = make_policy("llm", base_url=url, model="random", attempts=1)
    with SqliteCallStore(calls, offline=True) as store:
        again = run(ID, policy, episodes=3, out=tmp_path / "b", calls=store)
    one, other = first.figures(), again.figures()
    assert one["results"] == other["results"]
    assert one["tokens"] == other["tokens"]
    assert (one["replayed"], other["calls"]) == (0, 0)
    assert other["replayed"] == one["calls"] > 0
    assert verify(tmp_path / "b").episodes == 3
    offline = SqliteCallStore(calls, offline=True)
    with offline, pytest.raises(EndpointError, match="holds no answer to this requ"):
        run(ID, policy, seed=99, calls=offline)


def test_server_that_dies_in_between_costs_no_score(tmp_path: Path) -> None:
    dying = ["ok"] * 30 + ["error"] * 2000
    with model("random", dying) as (_, policy):
        result = run(ID, policy, episodes=6, out=tmp_path, concurrency=1)
    outcomes = [one.outcome for one in result.episodes]
    assert "infra_error" in outcomes
    assert outcomes[0] != "infra_error"
    assert result.figures()["episodes"] == sum(one.counted for one in result.episodes)
    assert failed_episodes(tmp_path)
    with model("random") as (_, policy):
        whole = run(ID, policy, episodes=6)
    # Another server, the same study: only its address differs.
    assert whole.unfinished == 0


@pytest.mark.parametrize(
    ("script", "options", "outcome"),
    [
        (["ok", "no_number", *["error"] * 9], {}, "infra_error"),
        (["ok", "no_number"], {"budget": Budget(calls=2)}, "budget"),
        (["ok", "ok", "no_number", *["error"] * 9], {"votes": 2}, "infra_error"),
        (["no_number", *["error"] * 9], {}, "infra_error"),
    ],
)
def test_answers_of_a_decision_that_is_broken_off_are_logged_and_counted(
    script: list[str], options: dict[str, Any], outcome: str, tmp_path: Path
) -> None:
    budget = options.pop("budget", None)
    with model(script=script, concurrency=1, **options) as (_, policy):
        (one,) = run(ID, policy, out=tmp_path, budget=budget).episodes
    answered = script.index("error") if "error" in script else len(script)
    assert (one.outcome, one.calls, one.format_errors) == (outcome, answered, 1)
    rows = read_episode(failed_episodes(tmp_path)[1])
    broken = [r for r in rows if r["row"] == "decision"][-1]
    assert (broken["action"], broken["source"]) == (None, "none")
    assert [a["outcome"] for a in broken["trace"]["attempts"]][-1:] == ["no_number"]
    assert one.decisions == sum(r["row"] == "decision" for r in rows) - 1
    assert verify(tmp_path).failed == 1
    assert report(tmp_path).rows()[0]["not_counted"] == f"{outcome} 1"


@pytest.mark.parametrize("kind", ["no_number", "wrong_number", "two_numbers", "empty"])
def test_answers_without_a_choice_are_repaired_and_counted(
    kind: str, tmp_path: Path
) -> None:
    with model(script=[kind]) as (_, policy):
        result = run(ID, policy, out=tmp_path)
    one = result.episodes[0]
    assert (one.format_errors, one.repairs, one.fallbacks) == (1, 1, 0)
    rows = read_episode(tmp_path / "episode-00001.jsonl")
    assert [r["source"] for r in rows if r["row"] == "turn"][1] == "repair"
    assert one.sources["repair"] == 1
    assert "repairs" in result.table()
    assert verify(tmp_path).episodes == 1


def test_fallback_is_logged_and_counted_and_can_be_switched_off(tmp_path: Path) -> None:
    with model(script=["no_number"], cycle=True) as (_, policy):
        result = run(ID, policy, settings={"max_turns": 4}, out=tmp_path / "a")
    one = result.episodes[0]
    assert one.fallbacks == one.decisions > 0
    assert one.sources["fallback"] == one.fallbacks
    with model(script=["no_number"], cycle=True, fallback=False) as (_, policy):
        silent = run(ID, policy, out=tmp_path / "b").episodes[0]
    assert (silent.outcome, silent.decisions) == ("no_answer", 1)
    assert silent.format_errors == silent.calls == 6
    for name in "ab":
        assert verify(tmp_path / name).episodes == 1
    (row_a, row_b) = report(tmp_path / "a", tmp_path / "b").rows()
    assert row_a["fallbacks"] == one.fallbacks
    assert row_b["episodes"] == 1 and row_b["won"] == 0


def test_run_survives_every_misbehaviour(tmp_path: Path) -> None:
    kinds = [kind for kind in MISBEHAVIOURS if kind not in ("unauthorised", "slow")]
    with model(script=[*kinds, "ok"], cycle=True, attempts=9) as (server, policy):
        result = run(ID, policy, episodes=4, out=tmp_path)
    assert result.unfinished == 0
    assert verify(tmp_path).episodes == 4
    assert all(server.served[kind] for kind in kinds)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"script": ["unauthorised"], "cycle": True}, "the key is refused"),
        ({"script": ["error"], "cycle": True}, "no answer from .* after 3 attempt"),
        ({"script": ["malformed"], "cycle": True}, "a malformed answer"),
        ({"script": ["not_json"], "cycle": True}, "the answer is no JSON"),
    ],
)
def test_run_that_gets_no_answer_at_all_ends_with_one_message(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with model(**options) as (_, policy), pytest.raises(EndpointError, match=message):
        run(ID, policy, episodes=50, concurrency=2, out=tmp_path)
    assert len(failed_episodes(tmp_path)) == 2
    assert not finished_episodes(tmp_path)


def test_policy_plays_inside_a_running_event_loop() -> None:
    import asyncio

    async def notebook() -> str:
        with model() as (_, policy):
            return run(ID, policy, episodes=2).episodes[1].outcome

    assert asyncio.run(notebook()) == "won"


def test_committed_plans_are_executed_without_a_call(tmp_path: Path) -> None:
    with model(planning="commit-4") as (server, policy):
        result = run(ID, policy, out=tmp_path)
        asked = sum(server.served.values())
    one = result.episodes[0]
    assert one.sources["plan"] > 0
    assert one.calls == one.decisions == asked < 16
    (found,) = report(tmp_path).rows()
    assert found["plans"] == one.decisions or found["plans"] == one.decisions - 1
    assert verify(tmp_path).episodes == 1


def test_distribution_of_log_probabilities_is_judged(tmp_path: Path) -> None:
    with model(top_logprobs=5) as (_, policy):
        run(ID, policy, out=tmp_path)
    (found,) = report(tmp_path).rows()
    assert isinstance(found["expected_regret"], float)
    assert verify(tmp_path).episodes == 1


EDITS: dict[str, tuple[Any, str]] = {
    "number of an answer": (
        lambda rows: row(rows, "decision")["trace"]["attempts"][0].update(number=1),
        "number is 1, the stored answer says",
    ),
    "outcome of an answer": (
        lambda rows: row(rows, "decision")["trace"]["attempts"][0].update(
            outcome="empty"
        ),
        "outcome is 'empty', the stored answer says 'ok'",
    ),
    "answer": (
        lambda rows: row(rows, "decision")["trace"]["attempts"][0].update(
            content="FINAL_CHOICE: 1", number=1
        ),
        "fight 6,4 was decided, which no answer names",
    ),
    "source": (
        lambda rows: (
            row(rows, "decision").update(source="fallback"),
            row(rows, "turn", 2).update(source="fallback"),
        ),
        "the source is 'fallback', but an answer names",
    ),
    "distribution": (
        lambda rows: row(rows, "decision").update(distribution={"fight 6,4": 1.0}),
        "must cover exactly the enabled actions",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_edited_answer_is_rejected_even_if_the_hash_fits(
    name: str, tmp_path: Path
) -> None:
    with model() as (_, policy):
        run(ID, policy, out=tmp_path)
    change, message = EDITS[name]
    rewrite(tmp_path / "episode-00001.jsonl", change, True)
    with pytest.raises(StateMismatch, match=message):
        verify(tmp_path)
