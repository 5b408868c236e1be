"""The client: one owner of retries, errors in one line, no key anywhere."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

pytest.importorskip("openai", reason="needs the extra llm")

import httpx2

from mt_gym.agents.llm.client import Client, Endpoint
from mt_gym.agents.llm.limiter import Limiter
from mt_gym.agents.llm.replies import Answer, read_answer
from mt_gym.errors import EndpointError, MtGymError

KEY = "sk-very-secret-1234"
BODY = {"model": "m", "messages": [{"role": "user", "content": "1 or 2?"}]}
REPLY: dict[str, Any] = {
    "model": "m-1",
    "choices": [
        {
            "message": {"content": "FINAL_CHOICE: 1", "reasoning": "hm"},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 3},
}


def ok(reply: Any = REPLY) -> httpx2.Response:
    return httpx2.Response(200, json=reply)


def failing(status: int, headers: Mapping[str, str] | None = None) -> httpx2.Response:
    error = {"error": {"message": f"no, {KEY}\nnever"}}
    return httpx2.Response(status, json=error, headers=headers)


class Server:
    """Gives prepared responses, one by one, and keeps the requests."""

    def __init__(self, *responses: httpx2.Response | Exception) -> None:
        self.responses = list(responses)
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        found = self.responses.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def endpoint(self, **options: Any) -> Endpoint:
        transport = httpx2.MockTransport(self)
        options = {"backoff": 0.0, "key": KEY, **options}
        return Endpoint(
            "http://model.test/v1",
            http_client=lambda: httpx2.AsyncClient(transport=transport),
            **options,
        )


def ask(server: Server, place: str = "0/1", **options: Any) -> Answer:
    async def job() -> Answer:
        client = Client(server.endpoint(**options))
        try:
            return await client.complete(BODY, place)
        finally:
            await client.close()

    return asyncio.run(job())


def test_an_answer_has_content_reasoning_and_usage_apart() -> None:
    server = Server(ok())
    answer = ask(server)
    assert (answer.content, answer.reasoning) == ("FINAL_CHOICE: 1", "hm")
    assert (answer.finish_reason, answer.model) == ("stop", "m-1")
    assert answer.usage == {"input": 5, "output": 3}
    assert json.loads(server.requests[0].content) == BODY
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_what_a_server_leaves_out_is_missing_and_no_zero() -> None:
    answer = read_answer({"choices": [{"message": {}}]}, "here")
    assert (answer.content, answer.reasoning, answer.usage) == (None, None, {})
    details = {
        "prompt_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": None,
    }
    reply = {"choices": [{"message": {"content": "x"}}], "usage": details}
    assert read_answer(reply, "here").usage == {"input": 9, "cached": 4}


@pytest.mark.parametrize(
    "failure",
    [
        failing(429),
        failing(500),
        failing(503),
        failing(408),
        httpx2.ConnectError("refused"),
        httpx2.ReadTimeout("late"),
        httpx2.Response(200, text="<html>"),
        httpx2.Response(200, json=[1]),
        ok({"choices": []}),
        ok({"error": {"message": "overloaded"}}),
    ],
)
def test_a_passing_failure_repeats_the_same_request(failure: Any) -> None:
    server = Server(failure, ok())
    answer = ask(server)
    assert answer.content == "FINAL_CHOICE: 1"
    assert [request.content for request in server.requests] == [
        server.requests[0].content
    ] * 2
    assert len(answer.retries) == 1
    assert KEY not in str(answer.retries)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "key is refused"),
        (403, "key is refused"),
        (404, "no such model or address"),
        (400, "request is refused"),
    ],
)
def test_a_refusal_is_not_repeated_and_told_in_one_line(
    status: int, words: str
) -> None:
    server = Server(failing(status), ok())
    with pytest.raises(EndpointError, match=words) as caught:
        ask(server)
    assert caught.value.status == status
    assert len(server.requests) == 1
    assert "http://model.test/v1" in str(caught.value)
    assert "\n" not in str(caught.value) and KEY not in str(caught.value)


def test_the_attempts_end_and_the_error_says_how_many() -> None:
    server = Server(*[failing(500) for _ in range(9)])
    with pytest.raises(EndpointError, match=r"after 3 attempt.*status 500") as caught:
        ask(server, attempts=3)
    assert isinstance(caught.value, MtGymError)
    assert len(server.requests) == 3 and KEY not in str(caught.value)


def test_the_key_is_in_no_description_of_the_endpoint() -> None:
    assert KEY not in repr(Server().endpoint())


def test_retry_after_is_waited_for() -> None:
    server = Server(failing(429, {"retry-after": "0.2"}), ok())
    answer = ask(server, backoff=30.0)
    assert answer.retries[0]["waited"] == 0.2
    assert answer.seconds >= 0.2


def test_backoff_doubles_up_to_its_bound() -> None:
    server = Server(*[failing(500) for _ in range(4)], ok())
    answer = ask(server, backoff=0.01, max_backoff=0.03)
    assert [one["waited"] for one in answer.retries] == [0.01, 0.02, 0.03, 0.03]


def test_a_429_holds_all_requests_and_lets_fewer_run() -> None:
    async def job() -> None:
        limiter = Limiter(4)
        running, most = 0, 0

        async def one() -> None:
            nonlocal running, most
            async with limiter.slot():
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.01)
                running -= 1

        await asyncio.gather(*[one() for _ in range(12)])
        assert most == 4
        limiter.hold(0.05)
        assert limiter.allowed == 2
        most, begun = 0, asyncio.get_running_loop().time()
        await asyncio.gather(*[one() for _ in range(6)])
        assert most == 2
        assert asyncio.get_running_loop().time() - begun >= 0.05
        for _ in range(9):
            limiter.ease()
        assert limiter.allowed == 4
        most = 0
        await asyncio.gather(*[one() for _ in range(12)])
        assert most == 4

    asyncio.run(job())


class Store:
    """A store of calls in memory."""

    def __init__(self) -> None:
        self.calls: dict[str, Mapping[str, Any]] = {}

    def get(self, key: str) -> Mapping[str, Any] | None:
        return self.calls.get(key)

    def put(self, key: str, call: Mapping[str, Any]) -> None:
        self.calls[key] = call


class Meter:
    """Counts, and forbids calls beyond a number."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.usages: list[Mapping[str, int]] = []

    def before(self) -> None:
        if len(self.usages) >= self.most:
            raise MtGymError("the budget is spent")

    def after(self, usage: Mapping[str, int]) -> None:
        self.usages.append(usage)


def with_client(server: Server, job: Callable[[Client], Any], **options: Any) -> Any:
    async def run() -> Any:
        client = Client(server.endpoint(), **options)
        try:
            return await job(client)
        finally:
            await client.close()

    return asyncio.run(run())


def test_a_stored_call_needs_no_network_and_no_budget() -> None:
    store, meter = Store(), Meter(1)

    async def job(client: Client) -> Any:
        return await client.complete(BODY, "0/1")

    first = with_client(Server(ok()), job, store=store, meter=meter)
    offline = Server()
    again = with_client(offline, job, store=store, meter=meter)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.content == first.content and again.usage == first.usage
    assert offline.requests == [] and len(meter.usages) == 1
    assert KEY not in json.dumps(store.calls)


def test_a_call_of_another_place_or_body_is_another_call() -> None:
    client = Client(Server().endpoint())
    keys = [
        client.key(BODY, "0/1"),
        client.key(BODY, "0/2"),
        client.key(BODY, "1/1"),
        client.key({**BODY, "seed": 1}, "0/1"),
    ]
    assert len(set(keys)) == 4
    assert client.key(dict(reversed(BODY.items())), "0/1") == keys[0]


def test_failures_are_not_stored() -> None:
    store = Store()

    async def job(client: Client) -> Any:
        return await client.complete(BODY, "0/1")

    with pytest.raises(EndpointError):
        with_client(Server(failing(400)), job, store=store)
    assert store.calls == {}


def test_a_spent_budget_stops_before_the_request() -> None:
    server = Server(ok(), ok())

    async def job(client: Client) -> Any:
        await client.complete(BODY, "0/1")
        return await client.complete(BODY, "0/2")

    with pytest.raises(MtGymError, match="budget is spent"):
        with_client(server, job, meter=Meter(1))
    assert len(server.requests) == 1


def test_the_list_of_models_can_be_stored_too() -> None:
    store = Store()

    async def job(client: Client) -> Any:
        return await client.models()

    listed = {"data": [{"id": "m", "owned_by": "mt-gym"}]}
    first = with_client(Server(ok(listed)), job, store=store)
    assert with_client(Server(), job, store=store) == first == listed["data"]


def test_an_endpoint_that_does_not_say_who_it_is_is_told_soon() -> None:
    server = Server(*[httpx2.ConnectError("refused")] * 9)

    async def job(client: Client) -> Any:
        return await client.models()

    with pytest.raises(EndpointError, match=r"after 3 attempt.*refused"):
        with_client(server, job)
    assert len(server.requests) == 3
