"""An OpenAI-compatible server on a policy: for trying things without a key.

It answers `GET /v1/models` and `POST /v1/chat/completions`, keeps connections open,
and misbehaves on request (`misbehave`).  Plain HTTP/1.1 on one event loop.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from mt_gym.agents.llm.misbehave import Script
from mt_gym.agents.llm.standin import Reply, StandIn, completion, spoiled
from mt_gym.agents.llm.wire import OWNER
from mt_gym.agents.policy import Policy
from mt_gym.errors import MtGymError

LARGEST_BODY: Final = 8 << 20
"""Bytes of a request that are read."""

MODELS_PATH: Final = "/v1/models"
CHAT_PATH: Final = "/v1/chat/completions"


class PolicyServer:
    """Serves one policy as a model of its name.

    Args:
        policy: answers.
        host: the address it listens at.
        port: 0 for a free one.
        script: what goes wrong, request by request.
        retry_after: seconds that a 429 asks to wait.
        delay: seconds by which a slow answer is late.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        script: Script | None = None,
        retry_after: float = 1.0,
        delay: float = 1.0,
    ) -> None:
        self._stand_in = StandIn(policy)
        self._host, self._port = host, port
        self._script = Script() if script is None else script
        self._retry_after, self._delay = retry_after, delay
        self._server: asyncio.Server | None = None
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self.bodies: deque[dict[str, Any]] = deque(maxlen=1000)
        """The last chat requests, at most 1000."""
        self.served: Counter[str] = Counter()
        """Chat requests by what happened to them."""

    @property
    def base_url(self) -> str:
        """Where it listens, up to and with `/v1`."""
        assert self._server is not None, "the server has not been started"
        port = self._server.sockets[0].getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}/v1"

    async def start(self) -> None:
        """Begin to listen.

        Raises:
            MtGymError: the address is none of this machine's, or the port is taken.
        """
        try:
            self._server = await asyncio.start_server(
                self._connection, self._host, self._port, limit=1 << 20
            )
        except OSError as error:
            raise MtGymError(
                f"cannot listen at {self._host}, port {self._port}: {error}"
            ) from error

    async def forever(self) -> None:
        """Serve until the task is cancelled."""
        assert self._server is not None, "the server has not been started"
        await self._server.serve_forever()

    async def close(self) -> None:
        """Stop listening and end all connections."""
        if self._server is not None:
            self._server.close()
            for writer in list(self._writers.values()):
                writer.close()
            await self._server.wait_closed()
        self._stand_in.close()

    async def _connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._writers[id(writer)] = writer
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client has gone, or what it sends is no HTTP
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            del self._writers[id(writer)]
            writer.close()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """One request and its answer; False when the connection is to end."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        method, _, rest = first.partition(" ")
        path = rest.split(" ")[0].split("?")[0]
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            await _send(writer, 413, _error("the request is too large"))
            return False
        data = await reader.readexactly(int(length))
        keep = await self._route(writer, method, path, data)
        return keep and headers.get("connection", "").lower() != "close"

    async def _route(
        self, writer: asyncio.StreamWriter, method: str, path: str, data: bytes
    ) -> bool:
        name = self._stand_in.policy.name
        if (method, path) == ("GET", MODELS_PATH):
            model = {"id": name, "object": "model", "created": 0, "owned_by": OWNER}
            await _send(writer, 200, {"object": "list", "data": [model]})
            return True
        if (method, path) != ("POST", CHAT_PATH):
            text = f"there is only GET {MODELS_PATH} and POST {CHAT_PATH}"
            await _send(writer, 404, _error(text))
            return True
        try:
            body = json.loads(data)
        except ValueError:
            body = None
        problem = _problem(body, name)
        if problem is not None:
            await _send(writer, *problem)
            return True
        self.bodies.append(body)
        return await self._chat(writer, body)

    async def _chat(self, writer: asyncio.StreamWriter, body: dict[str, Any]) -> bool:
        kind = self._script.next()
        self.served[kind] += 1
        failure = self._failure(kind)
        if failure is not None:
            status, value, headers = failure
            await _send(writer, status, value, headers)
            return True
        if kind == "slow":
            await asyncio.sleep(self._delay)
        try:
            reply = self._stand_in.answer(body)
        except MtGymError as error:
            await _send(writer, 400, _error(str(error)))
            return True
        reply = spoiled(reply, kind)
        value = self._completion(reply, body)
        if kind == "cut":
            text = json.dumps(value).encode()
            writer.write(_head(200, len(text), {}) + text[: len(text) // 2])
            await writer.drain()
            return False
        await _send(writer, 200, value)
        return True

    def _completion(self, reply: Reply, body: Mapping[str, Any]) -> Any:
        name, count = self._stand_in.policy.name, self.served.total()
        return completion(reply, body, name, count)

    def _failure(self, kind: str) -> tuple[int, Any, dict[str, str]] | None:
        """Status, body and headers of an answer that is none."""
        if kind == "rate_limit":
            wait = {"retry-after": f"{self._retry_after:g}"}
            return 429, _error("too many requests"), wait
        if kind == "error":
            return 500, _error("the server has a problem"), {}
        if kind == "unauthorised":
            return 401, _error("the key is not accepted"), {}
        if kind == "not_json":
            return 200, "<html><body>Maintenance</body></html>", {}
        if kind == "malformed":
            return 200, {"id": "x", "object": "chat.completion", "choices": []}, {}
        return None


@contextmanager
def serving(policy: Policy, **options: Any) -> Iterator[PolicyServer]:
    """A server in a thread of its own, for as long as the block runs.

    Args:
        policy: answers.
        options: as for `PolicyServer`.

    >>> from mt_gym.agents import make_policy
    >>> with serving(make_policy("heuristic")) as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True
    """
    server = PolicyServer(policy, **options)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _stop(server: PolicyServer) -> None:
    await server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0)


def _problem(body: Any, name: str) -> tuple[int, Any] | None:
    """Status and answer of a request that cannot be answered; None if it can."""
    if not isinstance(body, dict):
        return 400, _error("the request is no JSON object")
    if body.get("model") != name:
        text = f"there is no model {body.get('model')!r}; there is {name!r}"
        return 404, _error(text)
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
        return 400, _error("messages: a list of objects is expected")
    for field in ("stream", "tools"):
        if body.get(field):
            return 400, _error(f"{field} is not served here")
    if body.get("n", 1) != 1:
        return 400, _error("n: only 1 answer is served")
    return None


def _error(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error"}}


def _head(status: int, length: int, headers: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: application/json",
        f"content-length: {length}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    value: Any,
    headers: Mapping[str, str] | None = None,
) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    data = text.encode()
    writer.write(_head(status, len(data), headers or {}) + data)
    await writer.drain()
