"""The policy against the stand-in server: a real socket and the real client."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import gymnasium as gym
import pytest

pytest.importorskip("openai", reason="needs the extra llm")

import httpx2

from mt_gym.agents import Decision, make_policy
from mt_gym.agents.llm import endpoint as endpoints
from mt_gym.agents.llm import policy as policies
from mt_gym.agents.llm.misbehave import MISBEHAVIOURS, Script
from mt_gym.agents.llm.policy import LLMPolicy, environment_of
from mt_gym.agents.llm.server import PolicyServer, serving
from mt_gym.agents.policy import Env
from mt_gym.engine.load import load
from mt_gym.errors import EndpointError, NoAnswer, PolicyError
from mt_gym.play.overrides import mechanical_reason
from mt_gym.wrappers import CommitPlan

STAIRS = "tests/data/stairs.toml"


class Fixed:
    """Chooses the action of a text wherever it is listed, else the first enabled."""

    name = "fixed"
    observation = None

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def new_episode(self, env: Env, seed: int) -> "Fixed":
        return self

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        by_text = {entry["text"]: entry["action"] for entry in info["actions"]}
        enabled = [e["action"] for e in info["actions"] if e["enabled"]]
        for text in self.texts:
            if text in by_text:
                return Decision(by_text[text])
        return Decision(enabled[0])


@contextmanager
def playing(
    served: Any,
    script: Sequence[str] = (),
    *,
    cycle: bool = False,
    environment: dict[str, Any] | None = None,
    name: str = "MagicTower-simple-v0",
    delay: float = 0.2,
    **options: Any,
) -> Iterator[tuple[PolicyServer, LLMPolicy, Env]]:
    """A policy that asks a server, with an environment after its reset."""
    policy = make_policy(served) if isinstance(served, str) else served
    options = {"backoff": 0.0, "timeout": 20.0, **options}
    with serving(
        policy, script=Script(script, cycle), retry_after=0.02, delay=delay
    ) as server:
        asks = LLMPolicy(model=policy.name, base_url=server.base_url, **options)
        env = gym.make(name, **(environment or {"observation": "bare"}))
        try:
            yield server, asks, env
        finally:
            env.close()
            asks.close()


def first(policy: LLMPolicy, env: Env, seed: int = 0) -> Decision:
    observation, info = env.reset(seed=seed)
    decision = policy.new_episode(env, seed).act(observation, info)
    decision.check(info)
    json.dumps(dict(decision.trace))
    return decision


def text_of(env: Env, decision: Decision) -> str:
    return str(env.get_wrapper_attr("tower").actions[decision.action])


def outcomes(decision: Decision) -> list[str]:
    return [f"{one['kind']} {one['outcome']}" for one in decision.trace["attempts"]]


def play(policy: LLMPolicy, env: Env, seed: int = 0) -> list[str]:
    """Texts of all executed turns."""
    observation, info = env.reset(seed=seed)
    player = policy.new_episode(env, seed)
    done = [turn["text"] for turn in info["executed"]]
    over = False
    while not over:
        decision = player.act(observation, info)
        decision.check(info)
        observation, _, ended, cut, info = env.step(decision.action)
        done += [turn["text"] for turn in info["executed"]]
        over = ended or cut
    return done


@pytest.mark.parametrize("text", ["fight 6,4", "fight 4,2", "fight 5,3"])
def test_another_choice_of_the_model_is_another_turn_of_the_game(text: str) -> None:
    with playing(Fixed(text)) as (_, policy, env):
        decision = first(policy, env)
        assert text_of(env, decision) == text
        assert decision.source == "policy"
        _, _, _, _, info = env.step(decision.action)
        assert info["executed"][0]["text"] == text


def test_an_episode_through_the_model_is_the_policys_own() -> None:
    direct = make_policy("heuristic")
    with playing("heuristic") as (server, policy, env):
        through = play(policy, env)
        observation, info = env.reset(seed=0)
        player = direct.new_episode(env, 0)
        done = [turn["text"] for turn in info["executed"]]
        over = False
        while not over:
            action = player.act(observation, info).action
            observation, _, ended, cut, info = env.step(action)
            done += [turn["text"] for turn in info["executed"]]
            over = ended or cut
        assert through == done
        assert server.served.total() == server.served["ok"] > 5


def test_a_request_is_prompt_with_map_and_the_observation() -> None:
    with playing("heuristic", environment={}) as (server, policy, env):
        observation, info = env.reset(seed=0)
        decision = policy.new_episode(env, 7).act(observation, info)
        (body,) = server.bodies
    system, user = body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "RULES" in system["content"] and "STATIC MAP" in system["content"]
    assert "Slime Lord at (" in system["content"]
    assert user["content"] == observation
    assert (body["temperature"], body["seed"]) == (0.0, 7)
    attempt = decision.trace["attempts"][0]
    assert attempt["messages"] == body["messages"]
    assert attempt["seed"] == 7
    assert attempt["reasoning"] and attempt["usage"]["input"] > 500


def test_the_static_map_tells_no_optimum() -> None:
    with playing("heuristic") as (server, policy, env):
        first(policy, env)
        (body,) = server.bodies
    assert "13 HP" not in body["messages"][0]["content"]
    assert "best play" not in body["messages"][0]["content"]


def test_a_foreign_server_is_not_told_the_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mt_gym.agents.llm.server.OWNER", "someone")
    with playing("heuristic") as (server, policy, env):
        with pytest.raises(EndpointError, match="no field 'mt_gym'"):
            first(policy, env)
        (body,) = server.bodies
    assert "mt_gym" not in body


@pytest.mark.parametrize(
    "kind", ["rate_limit", "error", "cut", "not_json", "malformed"]
)
def test_a_failure_of_the_transport_repeats_the_question(kind: str) -> None:
    with playing(Fixed("fight 4,2"), [kind, kind]) as (server, policy, env):
        decision = first(policy, env)
        assert text_of(env, decision) == "fight 4,2"
        assert (decision.source, outcomes(decision)) == ("policy", ["request ok"])
        assert len(decision.trace["attempts"][0]["retries"]) == 2
        assert server.served == {kind: 2, "ok": 1}
        assert server.bodies[0] == server.bodies[1] == server.bodies[2]


def test_a_late_answer_is_asked_for_again() -> None:
    with playing(Fixed("fight 4,2"), ["slow"], delay=1.0, timeout=0.3) as (_, p, env):
        decision = first(p, env)
        assert "no answer within 0.3 s" in str(decision.trace["attempts"][0]["retries"])
        assert text_of(env, decision) == "fight 4,2"


def test_a_dead_endpoint_is_no_answer_of_the_policy() -> None:
    with (
        playing("heuristic", ["error"], cycle=True, attempts=3) as (_, policy, env),
        pytest.raises(EndpointError, match="after 3 attempt"),
    ):
        first(policy, env)
    gone = LLMPolicy(model="m", base_url="http://127.0.0.1:9/v1", attempts=1)
    env = gym.make("MagicTower-simple-v0", observation="bare")
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1:9/v1.*no connection"):
        first(gone, env)
    gone.close()


def test_a_refused_key_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-999")
    with (
        playing("heuristic", ["unauthorised"]) as (_, policy, env),
        pytest.raises(EndpointError, match="key is refused") as caught,
    ):
        first(policy, env)
    assert "sk-secret" not in str(caught.value)


def test_an_unknown_model_is_refused_with_the_servers_words() -> None:
    with playing("heuristic") as (server, _, env):
        policy = LLMPolicy(model="gpt", base_url=server.base_url)
        with pytest.raises(EndpointError, match="no model 'gpt'; there is 'heuristic'"):
            first(policy, env)
        policy.close()


def test_the_only_model_of_an_endpoint_needs_no_name() -> None:
    with playing("heuristic") as (server, _, env):
        policy = LLMPolicy(base_url=server.base_url)
        assert first(policy, env).source == "policy"
        assert policy.name == "llm:heuristic"
        policy.close()


def test_prose_around_the_choice_changes_nothing() -> None:
    with playing(Fixed("fight 6,4"), ["prose"]) as (_, policy, env):
        decision = first(policy, env)
        assert (text_of(env, decision), decision.source) == ("fight 6,4", "policy")


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("no_number", "no_number"),
        ("wrong_number", "unlisted"),
        ("two_numbers", "ambiguous"),
        ("empty", "empty"),
        ("null", "empty"),
        ("reasoning_only", "empty"),
    ],
)
def test_an_answer_without_a_choice_is_repaired_by_a_new_question(
    kind: str, outcome: str
) -> None:
    with playing(Fixed("fight 4,2"), [kind]) as (server, policy, env):
        decision = first(policy, env)
        assert text_of(env, decision) == "fight 4,2"
        assert decision.source == "repair"
        assert outcomes(decision) == [f"request {outcome}", "repair ok"]
        counts = [decision.trace[key] for key in ("requests", "repairs", "fallbacks")]
        assert counts == [1, 1, 0]
        asked, repair = server.bodies
    assert "response_format" not in asked
    schema = repair["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["choice"]["type"] == "integer"


def test_a_repair_enables_only_what_no_override_would_replace() -> None:
    with playing(Fixed("open 7,0"), ["no_number"]) as (server, policy, env):
        decision = first(policy, env)
        tower, state = env.get_wrapper_attr("tower"), env.get_wrapper_attr("state")
        _, info = env.reset(seed=0)
        sound = [
            entry["number"]
            for entry in info["actions"]
            if mechanical_reason(tower, state, tower.actions[entry["action"]]) is None
        ]
        repair = server.bodies[1]["response_format"]["json_schema"]["schema"]
        assert repair["properties"]["choice"]["enum"] == sound == [1, 2, 3]
        assert decision.trace["attempts"][1]["options"] == sound
        assert text_of(env, decision) != "open 7,0"


def test_the_model_may_choose_what_an_override_replaces() -> None:
    with playing(Fixed("open 7,0")) as (_, policy, env):
        decision = first(policy, env)
        assert (text_of(env, decision), decision.source) == ("open 7,0", "policy")
        _, _, _, _, info = env.step(decision.action)
        assert info["executed"][0]["source"] == "override"


def test_a_truncated_answer_is_sent_again_on_one_floor_then_repaired() -> None:
    with playing("heuristic", ["truncate"]) as (_, policy, env):
        decision = first(policy, env)
        assert outcomes(decision) == ["request truncated", "request ok"]
        assert decision.source == "policy"
        one, two = decision.trace["attempts"]
        assert one["messages"] == two["messages"] and one["seed"] != two["seed"]
    with playing("heuristic", ["truncate", "truncate"]) as (server, policy, env):
        decision = first(policy, env)
        assert outcomes(decision) == ["request truncated"] * 2 + ["repair ok"]
        assert decision.source == "repair"
        assert [one["role"] for one in server.bodies[2]["messages"]] == [
            "system",
            "user",
        ]


def test_a_truncated_answer_is_repaired_at_once_on_several_floors() -> None:
    tower = {"tower": STAIRS, "assists": False}
    with playing(
        "heuristic", ["truncate"], name="MagicTower-v0", environment=tower
    ) as (_, policy, env):
        decision = first(policy, env)
        assert outcomes(decision) == ["request truncated", "repair ok"]


def test_after_three_failed_requests_the_heuristic_plays_and_it_is_said() -> None:
    script = ["no_number"]
    with playing(Fixed("fight 4,2"), script, cycle=True) as (server, policy, env):
        decision = first(policy, env)
        observation, info = env.reset(seed=0)
        heuristic = make_policy("heuristic").new_episode(env, 0).act(observation, info)
        assert decision.action == heuristic.action
        assert text_of(env, decision) == "fight 6,4"
        assert decision.source == "fallback"
        assert outcomes(decision) == ["request no_number", "repair no_number"] * 3
        counts = [decision.trace[key] for key in ("requests", "repairs", "fallbacks")]
        assert counts == [3, 3, 1]
        assert server.served.total() == 6
        requests = [b for b in server.bodies if "response_format" not in b]
        assert len({json.dumps(b["messages"]) for b in requests}) == 1


def test_without_the_fallback_there_is_no_answer_and_its_trace_is_kept() -> None:
    options: dict[str, Any] = {"fallback": False, "requests": 2}
    with (
        playing("heuristic", ["empty"], cycle=True, **options) as (_, policy, env),
        pytest.raises(NoAnswer, match="turn 2: no valid choice after 2") as caught,
    ):
        first(policy, env)
    assert isinstance(caught.value, PolicyError)
    assert len(caught.value.trace["attempts"]) == 4
    assert caught.value.trace["fallbacks"] == 1


def test_a_second_failed_request_can_still_be_answered() -> None:
    script = ["no_number", "no_number", "ok"]
    with playing(Fixed("fight 5,3"), script) as (_, policy, env):
        decision = first(policy, env)
        assert (text_of(env, decision), decision.source) == ("fight 5,3", "policy")
        assert outcomes(decision)[-1] == "request ok"


def test_log_probabilities_become_the_distribution() -> None:
    with playing("random", top_logprobs=5) as (_, policy, env):
        decision = first(policy, env)
        assert decision.distribution is not None
        assert list(decision.distribution.values()) == pytest.approx([1 / 4] * 4)
        assert decision.trace["covered"] == pytest.approx(1.0)
    with playing("random") as (_, policy, env):
        assert first(policy, env).distribution is None


def test_a_sample_follows_the_distribution_and_the_seed() -> None:
    with playing("random", top_logprobs=5, selection="sample") as (_, policy, env):
        drawn = [first(policy, env, seed).action for seed in range(12)]
        again = [first(policy, env, seed).action for seed in range(4)]
    assert len(set(drawn)) > 1
    assert again == drawn[:4]


def test_argmax_plays_the_first_of_equals() -> None:
    with playing("random", top_logprobs=5, selection="argmax") as (_, policy, env):
        for seed in range(3):
            assert text_of(env, first(policy, env, seed)) == "fight 4,2"


def test_votes_decide_and_are_all_logged() -> None:
    script = ["ok", "no_number", "ok", "wrong_number", "ok"]
    with playing(Fixed("fight 4,2"), script, votes=5) as (server, policy, env):
        decision = first(policy, env)
        assert text_of(env, decision) == "fight 4,2"
        assert decision.distribution is not None
        assert decision.distribution[decision.action] == 1.0
        assert decision.trace["requests"] == 5
        assert len({body["seed"] for body in server.bodies}) == 5


def test_history_repeats_observations_and_answers() -> None:
    with playing("heuristic", history=1) as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        seen = []
        for _ in range(3):
            seen.append(observation)
            observation, _, _, _, info = env.step(player.act(observation, info).action)
        roles = [[one["role"] for one in body["messages"]] for body in server.bodies]
        assert roles[0] == ["system", "user"]
        assert roles[2] == ["system", "user", "assistant", "user"]
        assert server.bodies[2]["messages"][1]["content"] == seen[1]
        assert "FINAL_CHOICE" in server.bodies[2]["messages"][2]["content"]


def test_history_tells_a_repaired_choice_and_no_stand_in() -> None:
    script = ["no_number", "ok", *["no_number"] * 6]
    with playing("heuristic", script, history=3) as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        for _ in range(3):
            decision = player.act(observation, info)
            observation, _, _, _, info = env.step(decision.action)
        messages = server.bodies[-1]["messages"]
        said = [one["content"] for one in messages if one["role"] == "assistant"]
        assert len(said) == 1
        assert said[0].startswith("I would rather not say")
        assert said[0].endswith("FINAL_CHOICE: 3")


def test_an_unwinnable_fight_may_be_named_and_is_replaced_by_the_environment() -> None:
    tower = {"tower": "tests/data/shop_exp.toml", "assists": False}
    with playing(Fixed("fight 2,3"), name="MagicTower-v0", environment=tower) as (
        _,
        policy,
        env,
    ):
        decision = first(policy, env)
        _, info = env.reset(seed=0)
        barred = [e["action"] for e in info["actions"] if not e["enabled"]]
        assert barred == [decision.action] and decision.source == "policy"
        _, _, _, _, info = env.step(decision.action)
        assert info["executed"][0]["source"] == "override"


def test_plan_memory_opens_the_next_request_and_is_off_by_default() -> None:
    with playing("heuristic", plan_memory=True) as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        decision = player.act(observation, info)
        observation, _, _, _, info = env.step(decision.action)
        player.act(observation, info)
        one, two = (body["messages"][-1]["content"] for body in server.bodies)
        assert "YOUR PLAN" not in one and "PLAN: <to-do list>" in one
        assert two.startswith(
            "YOUR PLAN FROM YOUR PREVIOUS DECISION (turn 1, on simple)"
        )
        assert decision.trace["plan_line"] in two
        assert "Fight Black Slime at (6,4)" in two.split("\n")[1]
    with playing("heuristic") as (server, policy, env):
        first(policy, env)
        assert "PLAN:" not in server.bodies[0]["messages"][-1]["content"]


def test_a_committed_plan_is_executed_without_asking() -> None:
    with playing("heuristic", planning="commit-4") as (server, policy, env):
        reactive = play(policy, env)
        asked = server.served.total()
        plain = gym.make("MagicTower-simple-v0", observation="bare")
        wrapped = CommitPlan(plain, policy.commitment)
        observation, info = wrapped.reset(seed=0)
        player = policy.new_episode(wrapped, 0)
        n = int(plain.action_space.n)  # type: ignore[attr-defined]
        done, sources = [turn["text"] for turn in info["executed"]], set()
        over = False
        while not over:
            decision = player.act(observation, info)
            entries = [decision.action, *decision.plan]
            entries += [n] * (policy.commitment - len(entries))
            observation, _, ended, cut, info = wrapped.step(entries)
            done += [turn["text"] for turn in info["executed"]]
            sources |= {turn["source"] for turn in info["executed"]}
            over = ended or cut
        assert done == reactive
        assert "plan" in sources
        assert server.served.total() - asked <= asked // 2


def test_a_single_call_is_one_request_and_the_rest_is_the_heuristics() -> None:
    with playing(Fixed("fight 4,2"), planning="single-call") as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        one = player.act(observation, info)
        assert (text_of(env, one), one.source) == ("fight 4,2", "policy")
        assert one.trace["next"] and one.plan
        observation, _, _, _, info = env.step(one.action)
        two = player.act(observation, info)
        assert two.source == "heuristic"
        assert server.served.total() == 1


def test_on_several_floors_a_single_call_is_one_a_floor() -> None:
    tower = {"tower": STAIRS, "assists": False}
    with playing(
        Fixed("F1:climb 3,1", "F2:fight 2,2"),
        planning="single-call",
        name="MagicTower-v0",
        environment=tower,
    ) as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        sources = []
        for _ in range(3):
            decision = player.act(observation, info)
            sources.append(decision.source)
            observation, _, ended, _, info = env.step(decision.action)
            assert not ended
        assert sources == ["policy", "policy", "heuristic"]
        one, two = (body["messages"][0]["content"] for body in server.bodies)
        assert "Floor F1" in one and "Floor F2" not in one
        assert "Floor F2" in two


def test_the_route_condition_carries_the_route_and_executes_lethal_fights() -> None:
    settings = {"observation": "annotated", **environment_of("route")}
    certificate = load("simple").certificate
    assert certificate is not None
    follower = Fixed(*certificate.route)
    with playing(follower, prompt="route", environment=settings) as (s, policy, env):
        assert policy.compiled
        done = play(policy, env)
        assert env.get_wrapper_attr("state").hero.hp == 13
        assert "THE ROUTE" in s.bodies[0]["messages"][0]["content"]
        assert done[-1] == "fight 5,10"
    with pytest.raises(PolicyError, match="unknown condition 'rout'; there is route"):
        environment_of("rout")


def test_an_episode_survives_every_misbehaviour_and_says_who_chose() -> None:
    script = [kind for kind in MISBEHAVIOURS if kind != "unauthorised"]
    sources = set()
    with playing("heuristic", script, cycle=True, delay=0.0) as (server, policy, env):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        over = False
        while not over:
            decision = player.act(observation, info)
            sources.add(decision.source)
            observation, _, ended, cut, info = env.step(decision.action)
            over = ended or cut
        assert set(server.served) == set(script)
    assert info["outcome"] == "won"
    assert {"policy", "repair"} <= sources <= {"policy", "repair", "fallback"}


def test_the_bare_prompt_goes_with_the_bare_observation() -> None:
    with playing("heuristic") as (server, policy, env):
        first(policy, env)
        assert "lookahead" not in server.bodies[0]["messages"][0]["content"]
    assert LLMPolicy(model="m", base_url="http://h/v1", prompt="bare").observation == (
        "bare"
    )


def test_an_environment_without_text_is_refused() -> None:
    env = gym.make("MagicTower-simple-v0", observation="features")
    policy = LLMPolicy(model="m", base_url="http://h/v1")
    with pytest.raises(PolicyError, match='reads text, not observation="features"'):
        policy.new_episode(env, 0)


class Answering(httpx2.MockTransport):
    """A server that always gives one content."""

    def __init__(self, content: str) -> None:
        message = {"message": {"content": content}, "finish_reason": "stop"}
        super().__init__(lambda _: httpx2.Response(200, json={"choices": [message]}))


@pytest.mark.parametrize("verb", ["buy", "fight"])
def test_a_quantity_repeats_a_purchase_and_nothing_else(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = gym.make("MagicTower-v0", tower="tests/data/shop_constant.toml")
    observation, info = env.reset(seed=0)
    while not any(entry["verb"] == "buy" for entry in info["actions"]):
        observation, _, _, _, info = env.step(info["actions"][0]["action"])
    entry = next((e for e in info["actions"] if e["verb"] == verb), None)
    if entry is None:
        pytest.skip(f"no {verb} is listed here")
    transport = Answering(f"FINAL_CHOICE: {entry['number']}\nQUANTITY: 3")
    made = endpoints.endpoint

    def endpoint(*arguments: Any) -> Any:
        client = lambda: httpx2.AsyncClient(transport=transport)  # noqa: E731
        return replace(made(*arguments), http_client=client)

    monkeypatch.setattr(policies, "endpoint", endpoint)
    policy = LLMPolicy(model="m", base_url="http://model.test/v1")
    decision = policy.new_episode(env, 0).act(observation, info)
    policy.close()
    assert decision.action == entry["action"]
    if verb == "buy":
        assert decision.plan == (entry["action"],) * 2
        assert decision.trace["quantity"] == 3
    else:
        assert decision.plan == ()
        assert "quantity 3 is ignored" in decision.trace["note"]


def test_a_tower_request_holds_plan_memory_the_visited_map_and_the_quantity() -> None:
    shown = {"observation": "tower-final"}
    with playing("heuristic", name="MagicTower-tower-v0", environment=shown) as (
        server,
        policy,
        env,
    ):
        observation, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        for _ in range(30):
            decision = player.act(observation, info)
            decision.check(info)
            observation, _, ended, cut, info = env.step(decision.action)
            assert not (ended or cut)
        first_body, last_body = server.bodies[0], server.bodies[-1]
    system = last_body["messages"][0]["content"]
    assert "No fight may cost more than 60 % of the current HP" in system
    visited = env.get_wrapper_attr("state").world.visited.bit_count()
    assert "Floor MT0" in system and f"Floor MT{visited + 1}" not in system
    assert "PLAN: <to-do list>" in first_body["messages"][1]["content"]
    assert "Way up from" in last_body["messages"][1]["content"]
    offers = [b["messages"][1]["content"] for b in server.bodies]
    assert any("QUANTITY: <n>" in text for text in offers if "[buy]" in text)
    assert not any("QUANTITY: <n>" in text for text in offers if "[buy]" not in text)


@pytest.mark.parametrize("observation", ["tower-1", "tower-2"])
def test_the_earlier_tower_observations_have_no_memory_and_no_quantity(
    observation: str,
) -> None:
    with playing(
        "heuristic",
        name="MagicTower-tower-v0",
        environment={"observation": observation},
    ) as (server, policy, env):
        seen, info = env.reset(seed=0)
        player = policy.new_episode(env, 0)
        for _ in range(25):
            seen, _, _, _, info = env.step(player.act(seen, info).action)
        bodies = [body["messages"] for body in server.bodies]
    assert all(
        "more than 40 % of the current HP" in body[0]["content"] for body in bodies
    )
    assert not any("PLAN:" in body[1]["content"] for body in bodies)
    assert not any("QUANTITY" in body[1]["content"] for body in bodies)
