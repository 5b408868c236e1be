"""Decisions and policies are checked when they are made and against their options."""

import re
from typing import Any

import numpy as np
import pytest

from mt_gym.agents import Decision, make_policy
from mt_gym.agents.policy import Policy, checked_policy
from mt_gym.agents.registry import POLICIES, Entry
from mt_gym.errors import PolicyError

INFO: dict[str, Any] = {"action_mask": np.array([0, 1, 0, 1], np.int8)}


def test_indices_of_numpy_become_plain_integers() -> None:
    decision = Decision(np.int64(3), plan=[np.int64(1)])  # type: ignore[arg-type]
    assert (type(decision.action), decision.plan) == (int, (1,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"action": 1.5}, "Decision.action must be an action index.*1.5"),
        ({"action": -1}, "Decision.action must be an action index.*-1"),
        ({"action": True}, "Decision.action must be an action index.*True"),
        ({"action": None}, "Decision.action must be an action index.*None"),
        ({"plan": "12"}, "Decision.plan must be a tuple.*'12'"),
        ({"plan": (1, "x")}, r"Decision.plan\[1\] must be an action index.*'x'"),
        ({"source": "assist"}, "source must be one of policy, repair, .*'assist'"),
        ({"trace": "why"}, "Decision.trace must be a dict.*'why'"),
        ({"trace": {"reason": 3}}, r"Decision.trace\['reason'\] must be a text.*3"),
        ({"distribution": [1.0]}, "Decision.distribution must be a dict"),
        ({"distribution": {1: 0.4, 3: 0.4}}, "sums to 0.8, not to 1"),
        ({"distribution": {1: 1.5, 3: -0.5}}, r"distribution\[3\].*probability.*-0.5"),
        ({"distribution": {1: float("nan")}}, r"distribution\[1\].*probability"),
        ({"distribution": {1: "x"}}, r"distribution\[1\] is no number: 'x'"),
    ],
)
def test_decision_names_the_part_that_is_wrong(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        Decision(**{"action": 1, **arguments})


def test_decision_outside_the_action_space_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"action is 4; .* 0 to 3"):
        Decision(4).check(INFO)
    with pytest.raises(PolicyError, match=r"plan\[0\] is 9; .* 0 to 3"):
        Decision(1, plan=(9,)).check(INFO)


def test_illegal_action_is_left_to_the_environment() -> None:
    Decision(0).check(INFO)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({1: 1.0}, r"missing \[3\], not enabled \[\]"),
        ({1: 0.5, 2: 0.25, 3: 0.25}, r"missing \[\], not enabled \[2\]"),
    ],
)
def test_distribution_covers_exactly_the_enabled_options(
    shares: dict[int, float], message: str
) -> None:
    Decision(1, distribution={1: 0.5, 3: 0.5}).check(INFO)
    with pytest.raises(PolicyError, match=message):
        Decision(1, distribution=shares).check(INFO)


NEEDS_NOTHING = [n for n, e in POLICIES.items() if e.factory and not e.argument]


@pytest.mark.parametrize("name", NEEDS_NOTHING)
def test_every_name_makes_a_policy_of_that_name(name: str) -> None:
    policy = make_policy(name)
    assert isinstance(policy, Policy)
    assert policy.name == name


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("rondom", {}, "unknown policy 'rondom'; there are random, heuristic, .*MODUL"),
        ("", {}, "unknown policy ''"),
        (":x", {}, "unknown policy ':x'"),
        ("x:", {}, "unknown policy 'x:'"),
        ("llm", {"votess": 1}, "'llm' has no option 'votess'; did you mean 'votes'"),
        ("random:5", {}, "'random' takes nothing behind a colon"),
        ("no_such_module:Thing", {}, "'no_such_module' cannot be imported"),
        ("mt_gym.errors:Nothing", {}, "'mt_gym.errors' has no 'Nothing'"),
        ("mt_gym.errors:__name__", {}, "neither a class nor a function"),
        ("mt_gym.errors:MtGymError", {}, "no policy: 'name' must be a str.*new_epi"),
        ("solver", {"nodes": 3}, "cannot be made with .'nodes'.*takes node_limit"),
        ("random", {"x": 1}, "cannot be made with .'x'.*takes no option"),
    ],
)
def test_make_policy_says_what_is_wrong(
    spec: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        make_policy(spec, **options)


def test_name_kept_for_later_is_refused_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(POLICIES, "later", Entry("", "a policy to come", "file"))
    message = "'later' .a policy to come. is not part of this version; there are random"
    with pytest.raises(PolicyError, match=message):
        make_policy("later:file.zip")


def test_own_factory_is_found_by_module_and_name() -> None:
    assert make_policy("mt_gym.agents.random:RandomPolicy").name == "random"


class Nameless:
    observation = "annotated"

    def new_episode(self, env: Any, seed: int) -> None:
        return None


def test_policy_without_a_name_is_refused() -> None:
    with pytest.raises(PolicyError, match=re.escape("'name' must be a str")):
        checked_policy(Nameless(), "it")


def test_class_in_place_of_a_policy_is_refused() -> None:
    random_class = type(make_policy("random"))
    with pytest.raises(PolicyError, match="a class, not an object"):
        checked_policy(random_class, "it")
