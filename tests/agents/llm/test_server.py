"""The stand-in server as any client sees it: plain HTTP and JSON."""

import asyncio
import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

import gymnasium as gym
import pytest

from mt_gym.agents import make_policy
from mt_gym.agents.llm.misbehave import MISBEHAVIOURS, Script
from mt_gym.agents.llm.policy import LLMPolicy
from mt_gym.agents.llm.server import serving
from mt_gym.agents.llm.wire import read_game
from mt_gym.engine.load import load
from mt_gym.errors import PolicyError, StateMismatch


def call(url: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data)) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def body(**fields: Any) -> dict[str, Any]:
    """A request about the first decision on `simple`."""
    tower = load("simple")
    state = tower.step(tower.initial_state(), tower.action("collect 5,1"))
    texts = ["fight 4,2", "fight 5,3", "fight 6,4", "open 7,0"]
    game = {
        "tower": "simple",
        "digest": tower.digest,
        "state": state.to_json(),
        "numbers": {str(tower.action(t).index): n for n, t in enumerate(texts, 1)},
        "keywords": {},
        "turn": 1,
        "seed": 0,
        "ahead": 0,
        "memory": False,
    }
    messages = [{"role": "user", "content": "Choose one."}]
    return {"model": "heuristic", "messages": messages, "mt_gym": game, **fields}


def chat(url: str, **fields: Any) -> tuple[int, Any]:
    return call(f"{url}/chat/completions", body(**fields))


def test_the_list_of_models_says_whose_they_are() -> None:
    with serving(make_policy("heuristic")) as server:
        status, listed = call(f"{server.base_url}/models")
    assert status == 200
    (model,) = listed["data"]
    assert (model["id"], model["owned_by"]) == ("heuristic", "mt-gym")


def test_a_completion_has_choice_reasoning_usage_and_log_probabilities() -> None:
    with serving(make_policy("heuristic")) as server:
        status, reply = chat(server.base_url, logprobs=True, top_logprobs=2)
    assert status == 200
    choice = reply["choices"][0]
    message = choice["message"]
    assert message["content"].endswith("FINAL_CHOICE: 3")
    assert message["reasoning_content"]
    assert choice["finish_reason"] == "stop"
    tokens = [one["token"] for one in choice["logprobs"]["content"]]
    assert "".join(tokens) == message["content"]
    assert choice["logprobs"]["content"][-1]["logprob"] == 0.0
    usage = reply["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["completion_tokens"] > len(tokens)
    assert usage["completion_tokens_details"]["reasoning_tokens"] > 0


def test_a_schema_allows_only_its_numbers() -> None:
    def wanted(*numbers: int) -> dict[str, Any]:
        choice = {"type": "integer", "enum": list(numbers)}
        schema = {"schema": {"properties": {"choice": choice}}}
        return {"type": "json_schema", "json_schema": schema}

    with serving(make_policy("heuristic")) as server:
        _, free = chat(server.base_url, response_format=wanted(1, 3))
        _, bound = chat(server.base_url, response_format=wanted(1, 2))
    assert json.loads(free["choices"][0]["message"]["content"]) == {"choice": 3}
    assert json.loads(bound["choices"][0]["message"]["content"]) == {"choice": 1}


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"model": "gpt"}, 404, "no model 'gpt'; there is 'heuristic'"),
        ({"messages": "hello"}, 400, "messages: a list"),
        ({"stream": True}, 400, "stream is not served"),
        ({"tools": [1]}, 400, "tools is not served"),
        ({"n": 2}, 400, "only 1 answer"),
        ({"mt_gym": None}, 400, "no field 'mt_gym'"),
        ({"mt_gym": {"tower": "simple"}}, 400, "incomplete: 'digest'"),
        ({"mt_gym": {**body()["mt_gym"], "tower": "/etc/x"}}, 400, "is not shipped"),
        ({"mt_gym": {**body()["mt_gym"], "digest": "0"}}, 400, "has hash"),
        ({"mt_gym": {**body()["mt_gym"], "state": "{}"}}, 400, "not a state"),
        ({"mt_gym": {**body()["mt_gym"], "numbers": {}}}, 400, "the list lacks"),
        ({"mt_gym": {**body()["mt_gym"], "keywords": {"x": 1}}}, 400, "'x'"),
        ({"response_format": {"type": "json_schema"}}, 400, "enum is expected"),
    ],
)
def test_a_request_that_cannot_be_served_is_told_why(
    fields: dict[str, Any], status: int, words: str
) -> None:
    with serving(make_policy("heuristic")) as server:
        answered, reply = chat(server.base_url, **fields)
    assert (answered, words in reply["error"]["message"]) == (status, True), reply


def test_other_paths_and_no_json_are_refused() -> None:
    with serving(make_policy("heuristic")) as server:
        assert call(server.base_url)[0] == 404
        request = urllib.request.Request(f"{server.base_url}/chat/completions", b"{")
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        with caught.value as error:
            assert error.code == 400


@pytest.mark.parametrize("junk", [b"\r\n\r\n", b"GET\r\n\r\n", b"\xff\xfe" * 50])
def test_what_is_no_http_does_not_stop_the_server(junk: bytes) -> None:
    async def send(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(junk)
        writer.write_eof()
        await reader.read()
        writer.close()
        await writer.wait_closed()

    with serving(make_policy("heuristic")) as server:
        port = int(server.base_url.rsplit(":", 1)[1].removesuffix("/v1"))
        asyncio.run(send(port))
        assert call(f"{server.base_url}/models")[0] == 200


def test_a_script_says_what_happens_to_each_request() -> None:
    once = Script(["empty", "ok", "error"])
    assert [once.next() for _ in range(5)] == ["empty", "ok", "error", "ok", "ok"]
    again = Script(["empty", "ok"], cycle=True)
    assert [again.next() for _ in range(4)] == ["empty", "ok"] * 2
    with pytest.raises(PolicyError, match=r"unknown misbehaviour 'x'.*rate_limit"):
        Script(["x"])


def test_every_misbehaviour_is_told_apart() -> None:
    seen = []
    with serving(
        make_policy("heuristic"), script=Script(list(MISBEHAVIOURS)), delay=0.0
    ) as server:
        for _ in MISBEHAVIOURS:
            try:
                status, reply = chat(server.base_url)
                seen.append(json.dumps([status, reply.get("choices")]))
            except (HTTPException, ValueError) as error:
                seen.append(repr(error))
        assert dict(server.served) == dict.fromkeys(MISBEHAVIOURS, 1)
    alike = {"malformed", "slow"}  # of an answer's fields alone
    assert len(set(seen)) >= len(MISBEHAVIOURS) - len(alike)


def test_a_state_of_another_tower_is_refused() -> None:
    game = {**body()["mt_gym"], "digest": "other"}
    with pytest.raises(StateMismatch, match="has hash"):
        read_game(game)


def test_a_map_that_is_not_shipped_is_sent_along() -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    with serving(make_policy("heuristic")) as server:
        env = gym.make("MagicTower-v0", tower="tests/data/stairs.toml", assists=False)
        policy = LLMPolicy(model="heuristic", base_url=server.base_url)
        observation, info = env.reset(seed=0)
        decision = policy.new_episode(env, 0).act(observation, info)
        assert decision.source == "policy"
        assert "[[floors]]" in server.bodies[0]["mt_gym"]["map"]
        policy.close()


def test_many_episodes_at_a_time_share_one_connection_pool() -> None:
    pytest.importorskip("openai", reason="needs the extra llm")

    async def job(url: str) -> list[str]:
        policy = LLMPolicy(model="heuristic", base_url=url, concurrency=4)

        async def episode(seed: int) -> str:
            env = gym.make("MagicTower-simple-v0", observation="bare")
            observation, info = env.reset(seed=seed)
            player = policy.new_episode(env, seed)
            for _ in range(3):
                decision = await player.act_async(observation, info)
                observation, _, _, _, info = env.step(decision.action)
            return str(decision.action)

        found = await asyncio.gather(*[episode(seed) for seed in range(12)])
        await policy.aclose()
        return found

    with serving(make_policy("heuristic")) as server:
        assert len(set(asyncio.run(job(server.base_url)))) == 1
        assert server.served == {"ok": 36}


def test_act_inside_a_running_loop_says_what_to_do() -> None:
    pytest.importorskip("openai", reason="needs the extra llm")

    async def job() -> None:
        env = gym.make("MagicTower-simple-v0", observation="bare")
        policy = LLMPolicy(model="m", base_url="http://127.0.0.1:9/v1")
        observation, info = env.reset()
        with pytest.raises(PolicyError, match="await act_async"):
            policy.new_episode(env, 0).act(observation, info)

    asyncio.run(job())


LISTS = """Rules:
1. Think.
2. Answer with a number.

Available actions:
  1. [fight] Slime Lord at (4,2) \u2014 damage=UNWINNABLE
  2. [fight] Red Slime at (5,3) \u2014 damage=56 hpAfter=414
  3. [open_door] Yellow Door at (7,0)

Choose one action.
"""


def asked(url: str, content: Any, model: str = "random", **fields: Any) -> Any:
    """A foreign client's request: messages alone."""
    messages = [
        {"role": "system", "content": "1. Be brief.\n2. Be right.\n3. x\n4. y"},
        {"role": "user", "content": content},
    ]
    return call(
        f"{url}/chat/completions", {"model": model, "messages": messages, **fields}
    )


def test_a_client_that_sends_messages_alone_is_answered_by_the_list() -> None:
    chosen = set()
    with serving(make_policy("random")) as server:
        for seed in range(12):
            _, reply = asked(server.base_url, LISTS, seed=seed)
            said = reply["choices"][0]["message"]["content"]
            chosen.add(said.rpartition("FINAL_CHOICE: ")[2])
        again = asked(server.base_url, LISTS, seed=11)[1]["choices"]
        assert again == reply["choices"]
        parts = [{"type": "text", "text": LISTS}]
        assert asked(server.base_url, parts, seed=11)[1]["choices"] == again
        plain = asked(server.base_url, "1) stay\n2) go")[1]["choices"][0]["message"]
        assert plain["content"][-1] in "12"
    assert chosen == {"2", "3"}  # the first cannot be won


def test_a_real_observation_is_answered_by_the_list() -> None:
    env = gym.make("MagicTower-complex-v0", observation="annotated")
    observation, info = env.reset(seed=0)
    open_ = {str(one["number"]) for one in info["actions"] if one["enabled"]}
    with serving(make_policy("random")) as server:
        seen = {
            asked(server.base_url, observation, seed=seed)[1]["choices"][0]["message"][
                "content"
            ].rpartition("FINAL_CHOICE: ")[2]
            for seed in range(40)
        }
    assert seen == open_


@pytest.mark.parametrize(
    ("model", "content", "words"),
    [
        ("heuristic", LISTS, "which 'heuristic' needs"),
        ("solver", LISTS, "which 'solver' needs"),
        ("random", "Choose one.", "no user message has a numbered list"),
        ("random", None, "no user message has a numbered list"),
        ("random", "1. [fight] x damage=UNWINNABLE", "no user message"),
    ],
)
def test_without_the_game_it_is_said_what_is_missing(
    model: str, content: Any, words: str
) -> None:
    with serving(make_policy(model)) as server:
        status, reply = asked(server.base_url, content, model)
    assert status == 400
    assert "no field 'mt_gym'" in reply["error"]["message"]
    assert words in reply["error"]["message"]


def test_answers_by_the_list_misbehave_on_request() -> None:
    script = Script(["wrong_number", "two_numbers"])
    with serving(make_policy("random"), script=script) as server:
        wrong, two = (
            asked(server.base_url, LISTS)[1]["choices"][0]["message"]["content"]
            for _ in range(2)
        )
    assert wrong == "FINAL_CHOICE: 10"
    assert " or " in two
