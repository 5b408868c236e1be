"""The plan check of committed plans, and that the loop executes them."""

from typing import Any

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.agents import Decision
from mt_gym.bench import run
from mt_gym.bench.episode import play
from mt_gym.bench.plans import PlanCheck, check_plans
from mt_gym.errors import MtGymError, PolicyError
from tests.bench.players import ID, Scripted, texts


def committed(*plan: str, trace: dict[str, Any] | None = None) -> Scripted:
    """Chooses fight 6,4 with a plan, later the first option."""

    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        if info["turn"] > 1:
            return Decision(next(e["action"] for e in info["actions"] if e["enabled"]))
        choice, *rest = texts(env, "fight 6,4", *plan)
        return Decision(choice, plan=tuple(rest), trace=trace or {})

    return Scripted(choose)


def checked(policy: Scripted) -> PlanCheck:
    env = gym.make(ID, max_turns=3)
    rows = list(play(env, policy, 1, 0))
    settings = env.get_wrapper_attr("settings")
    (found,) = check_plans(mt_gym.load("simple"), settings, rows)
    return found


@pytest.mark.parametrize(
    ("plan", "new", "broken"),
    [
        (("fight 5,6", "open 4,7"), 2, 0),
        (("fight 5,6", "open 4,7", "fight 3,7"), 3, 0),
        (("open 4,7", "fight 5,6"), 2, 1),  # not reachable yet
        (("fight 5,10",), 1, 1),  # not reachable, and unwinnable
        (("fight 6,4", "fight 5,6"), 1, 0),  # a repeat of the choice is no step
        (("collect 1,0", "fight 5,6"), 1, 0),  # an item is no step
        (("open 7,5", "open 4,7"), 2, 1),  # one key for two doors
    ],
)
def test_step_breaks_where_it_cannot_be_executed(
    plan: tuple[str, ...], new: int, broken: int
) -> None:
    found = checked(committed(*plan))
    assert (found.turn, found.entries) == (2, len(plan))
    assert (found.new, found.broken) == (new, broken)
    assert found.clean is (broken == 0)


def test_lethal_fight_breaks() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        choice, lethal = texts(env, "fight 6,4", "fight 4,2")
        return Decision(choice, plan=(lethal,))

    tower = mt_gym.load("simple")
    env = gym.make(ID, max_turns=3)
    weak = tower.initial_state()
    weak = weak._replace(hero=weak.hero._replace(hp=100))

    class Weak(gym.Wrapper[Any, Any, Any, Any]):
        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            return self.env.reset(seed=seed, options={"state": weak})

    rows = list(play(Weak(env), Scripted(choose), 1, 0))
    settings = env.get_wrapper_attr("settings")
    assert check_plans(tower, settings, rows)[0].broken == 1


def test_plan_of_a_model_is_taken_as_it_was_written() -> None:
    tower = mt_gym.load("simple")
    written = [
        {"text": "fight 5,6", "action": tower.action("fight 5,6").index},
        {"text": "fight the dragon", "action": None},
    ]
    found = checked(committed("fight 5,6", trace={"next": written}))
    assert (found.entries, found.new, found.broken) == (2, 2, 1)


def test_loop_executes_plans_where_the_policy_commits() -> None:
    rows: list[dict[str, Any]] = []
    policy = committed("fight 5,6", "open 4,7")
    run(ID, policy, commit=3, watch=rows.append, settings={"max_turns": 5})
    turns = [(r["turn"], r["text"], r["source"]) for r in rows if r["row"] == "turn"]
    assert turns[:4] == [
        (1, "collect 5,1", "assist"),
        (2, "fight 6,4", "policy"),
        (3, "fight 5,6", "plan"),
        (4, "open 4,7", "plan"),
    ]
    assert sum(row["row"] == "decision" for row in rows if row.get("turn", 0) < 5) == 1


def test_plan_is_only_logged_where_nobody_commits() -> None:
    rows: list[dict[str, Any]] = []
    policy = committed("fight 5,6")
    run(ID, policy, watch=rows.append, settings={"max_turns": 3})
    assert not [row for row in rows if row.get("source") == "plan"]
    decision = next(row for row in rows if row["row"] == "decision")
    assert decision["plan"] == ["fight 5,6"]


def test_plan_that_is_too_long_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"plan has 2 entries; .* at most 1 after"):
        run(ID, committed("fight 5,6", "open 4,7"), commit=2)


def test_commitment_of_the_policy_counts() -> None:
    policy = committed("fight 5,6")
    policy.commitment = 2  # type: ignore[attr-defined]
    rows: list[dict[str, Any]] = []
    run(ID, policy, watch=rows.append, settings={"max_turns": 3})
    assert [row["source"] for row in rows if row["row"] == "turn"][-1] == "plan"


def test_wrong_commitment_is_refused() -> None:
    with pytest.raises(MtGymError, match="commit must be an integer >= 1, got 0"):
        run(ID, committed(), commit=0)
