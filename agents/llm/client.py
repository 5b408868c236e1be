"""The model behind an OpenAI-compatible server: requests, retries, answers.

Retries are owned here alone and repeat the same request: they are transport and
choose nothing.  The network stands behind one seam, the `http_client` of `Endpoint`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from mt_gym.agents.llm.limiter import Limiter
from mt_gym.agents.llm.replies import Answer, message_of, read_answer
from mt_gym.agents.llm.seams import CallStore, Meter
from mt_gym.errors import EndpointError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

FIRST_CONTACT: Final = 3
"""Attempts to ask an endpoint who it is: a wrong address is told soon."""

_RETRIED: Final = (408, 409, 429)
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is, and how often it is asked until an answer comes.

    Attributes:
        base_url: up to and with `/v1`.
        key: the secret that is sent; in no message and no log.
        timeout: seconds an answer may take.
        attempts, backoff, max_backoff: see `LLMConfig`.
        concurrency: requests at the same time.
        http_client: made for each event loop, instead of a network client.
    """

    base_url: str
    key: str = field(default="none", repr=False)
    timeout: float = 600.0
    attempts: int = 6
    backoff: float = 1.0
    max_backoff: float = 60.0
    concurrency: int = 8
    http_client: Any = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """The address by which stored calls are found: without a local port."""
        host = urlsplit(self.base_url).hostname
        return "loopback" if host in _LOOPBACK else self.base_url


class Client:
    """Sends requests to one endpoint, from any number of event loops.

    Args:
        endpoint: where the model is.
        store: answers that need no network again.
        meter: counts and may stop what goes to the network.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        store: CallStore | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.store = store
        self.meter = meter
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line]
        self._lines = WeakKeyDictionary()

    async def complete(self, body: Mapping[str, Any], place: str) -> Answer:
        """The answer to a chat request.

        Args:
            body: fields of the request, JSON values.
            place: which request of which episode this is; with the body and the
                endpoint it is the key of the stored call.

        Raises:
            EndpointError: no answer after all attempts, or a refused request.
        """
        stored = None if self.store is None else self.store.get(self.key(body, place))
        if stored is not None:
            return read_answer(stored["reply"], self._url, replayed=True)
        if self.meter is not None:
            self.meter.before()
        begun = time.perf_counter()
        reply, retries = await self._send("POST", "/chat/completions", body)
        seconds = time.perf_counter() - begun
        answer = read_answer(reply, self._url, seconds=seconds, retries=retries)
        if self.meter is not None:
            self.meter.after(answer.usage)
        if self.store is not None:
            request = {"body": body, "place": place}
            self.store.put(self.key(body, place), {"request": request, "reply": reply})
        return answer

    async def models(self) -> list[dict[str, Any]]:
        """What the endpoint says about its models: objects with `id` and more.

        Raises:
            EndpointError: as `complete`.
        """
        key = self.key({}, "models")
        stored = None if self.store is None else self.store.get(key)
        if stored is not None:
            reply = stored["reply"]
        else:
            reply, _ = await self._send("GET", "/models", None, FIRST_CONTACT)
            if self.store is not None:
                self.store.put(key, {"request": {"place": "models"}, "reply": reply})
        found = reply.get("data")
        if not isinstance(found, list):
            return []
        return [one for one in found if isinstance(one, dict) and one.get("id")]

    def key(self, body: Mapping[str, Any], place: str) -> str:
        """Hash of a request: equal requests at equal places have equal keys."""
        asked = {"at": self.endpoint.identity, "body": body, "place": place}
        text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        line = self._lines.pop(asyncio.get_running_loop(), None)
        if line is not None:
            await line.client.close()

    @property
    def _url(self) -> str:
        return self.endpoint.base_url

    def _line(self) -> _Line:
        loop = asyncio.get_running_loop()
        found = self._lines.get(loop)
        if found is None:
            found = _Line(_open(self.endpoint), Limiter(self.endpoint.concurrency))
            self._lines[loop] = found
        return found

    async def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        most: int | None = None,
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The reply's object, and what went wrong before it came."""
        import tenacity

        line, retries = self._line(), list[dict[str, Any]]()
        where = self.endpoint
        times = where.attempts if most is None else min(most, where.attempts)

        def pause(call: tenacity.RetryCallState) -> float:
            assert call.outcome is not None
            failure = call.outcome.exception()
            assert isinstance(failure, _Passing)
            usual = where.backoff * 2 ** (call.attempt_number - 1)
            wait = float(min(usual, where.max_backoff))
            if failure.retry_after is not None:
                wait = failure.retry_after
            retries.append({"error": str(failure), "waited": round(wait, 3)})
            return wait

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(_Passing),
            stop=tenacity.stop_after_attempt(times),
            wait=pause,
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await self._once(line, method, path, body), retries
        except _Passing as failure:
            raise EndpointError(
                f"no answer from {self._url} after {times} attempt(s): {failure}",
                failure.status,
            ) from failure
        raise AssertionError("tenacity returned without an attempt")

    async def _once(
        self,
        line: _Line,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        import httpx2
        import openai

        async with line.limiter.slot():
            try:
                if method == "GET":
                    raw = await line.client.get(path, cast_to=httpx2.Response)
                else:
                    raw = await line.client.post(
                        path, cast_to=httpx2.Response, body=dict(body or {})
                    )
            except openai.APIStatusError as error:
                failure = self._refusal(error)
                if isinstance(failure, _Passing) and failure.status == 429:
                    line.limiter.hold(failure.retry_after or 0.0)
                raise failure from error
            except openai.APITimeoutError as error:
                wait = self.endpoint.timeout
                raise _Passing(f"no answer within {wait:g} s") from error
            except openai.APIConnectionError as error:
                cause = error.__cause__ or error
                raise _Passing(self._hidden(f"no connection: {cause}")) from error
            line.limiter.ease()
        reply = _object(raw.text)
        if method == "POST" and message_of(reply) is None:
            raise _Passing(
                "a malformed answer, it has no choices[0].message (its fields: "
                f"{', '.join(map(str, reply)) or 'none'})"
            )
        return reply

    def _refusal(self, error: Any) -> Exception:
        """What an answer with an error status means: try again, or give up."""
        status: int = error.status_code
        said = self._hidden(_said(error))
        if status in _RETRIED or status >= 500:
            wait = _retry_after(error.response.headers)
            return _Passing(f"status {status}: {said}", status, wait)
        meaning = {
            401: "the key is refused; the environment variable of api_key_env holds it",
            403: "the key is refused; the environment variable of api_key_env holds it",
            404: "no such model or address; the address ends with /v1",
            400: "the request is refused",
        }.get(status, "the request is refused")
        return EndpointError(
            f"{self._url} answers with status {status} ({meaning}): {said}", status
        )

    def _hidden(self, text: str) -> str:
        key = self.endpoint.key
        return text.replace(key, "***") if len(key) > 4 else text


@dataclass(frozen=True, slots=True)
class _Line:
    """One event loop's connection."""

    client: AsyncOpenAI
    limiter: Limiter


class _Passing(Exception):
    """A failure after which the same request may succeed."""

    def __init__(
        self, text: str, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(text)
        self.status = status
        self.retry_after = retry_after


def _open(endpoint: Endpoint) -> AsyncOpenAI:
    import openai

    made = None if endpoint.http_client is None else endpoint.http_client()
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key,
        timeout=endpoint.timeout,
        max_retries=0,
        http_client=made,
    )


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _Passing(f"the answer is no JSON: {text[:80]!r}") from error
    if not isinstance(found, dict):
        raise _Passing(f"the answer is no JSON object: {text[:80]!r}")
    return found


def _said(error: Any) -> str:
    """The server's own words, on one line."""
    body = error.body
    said = body.get("message") if isinstance(body, dict) else None
    text = said if isinstance(said, str) else error.response.text
    return " ".join(str(text).split())[:300]


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; None if it does not say."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * scale)
        except (KeyError, ValueError):
            continue
    return None
