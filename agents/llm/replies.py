"""What a chat completion says: the answer, its reasoning, its tokens.

Servers differ in where they put things and what they leave out; a reply that has no
message at all is an error and never an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mt_gym.errors import EndpointError


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the answer with its likeliest alternatives.

    Attributes:
        text: the token.
        logprob: natural logarithm of its probability.
        top: the alternatives, the token itself included.
    """

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer to one request.

    Attributes:
        content: the visible answer; None if the message has none.
        reasoning: what the server hands over apart from it; None likewise.
        finish_reason: as the server says it.
        usage: tokens with the keys `input, cached, output, reasoning`, those stated.
        tokens: of the content, with log-probabilities; () without.
        model: the model that answered, as the server says it.
        seconds: from sending to the whole answer, retries included.
        retries: what went wrong before, as `{error, waited}`.
        replayed: it came from the store of calls.
    """

    content: str | None
    reasoning: str | None
    finish_reason: str | None
    usage: Mapping[str, int]
    tokens: tuple[Token, ...] = ()
    model: str | None = None
    seconds: float = 0.0
    retries: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    replayed: bool = False


def read_answer(
    reply: Mapping[str, Any],
    where: str,
    *,
    seconds: float = 0.0,
    retries: Sequence[Mapping[str, Any]] = (),
    replayed: bool = False,
) -> Answer:
    """The answer in a chat completion.

    Args:
        reply: the JSON object that came back.
        where: the endpoint, for errors.
        seconds, retries, replayed: see `Answer`.

    Raises:
        EndpointError: the reply has no message.
    """
    message = message_of(reply)
    if message is None:
        raise EndpointError(f"{where} gave an answer without choices[0].message")
    first = reply["choices"][0]
    return Answer(
        content=_text(message.get("content")),
        reasoning=_text(message.get("reasoning_content"))
        or _text(message.get("reasoning")),
        finish_reason=_text(first.get("finish_reason")),
        usage=_usage(reply.get("usage")),
        tokens=_tokens(first.get("logprobs")),
        model=_text(reply.get("model")),
        seconds=seconds,
        retries=tuple(retries),
        replayed=replayed,
    )


def message_of(reply: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The message of a chat completion; None if the reply is none."""
    choices = reply.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return message if isinstance(message, dict) else None


def _text(value: Any) -> str | None:
    """A text; a content in parts is joined."""
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str)) or None
    return value if isinstance(value, str) else None


def _usage(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    found = {
        "input": value.get("prompt_tokens"),
        "cached": _inner(value, "prompt_tokens_details", "cached_tokens"),
        "output": value.get("completion_tokens"),
        "reasoning": _inner(value, "completion_tokens_details", "reasoning_tokens"),
    }
    return {
        name: count
        for name, count in found.items()
        if isinstance(count, int) and not isinstance(count, bool) and count >= 0
    }


def _inner(value: Mapping[str, Any], outer: str, inner: str) -> Any:
    details = value.get(outer)
    return details.get(inner) if isinstance(details, dict) else None


def _tokens(value: Any) -> tuple[Token, ...]:
    listed = value.get("content") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return ()
    found = []
    for one in listed:
        pair = _pair(one)
        if pair is None:
            return ()
        top = [_pair(other) for other in one.get("top_logprobs") or ()]
        found.append(Token(*pair, tuple(other for other in top if other is not None)))
    return tuple(found)


def _pair(value: Any) -> tuple[str, float] | None:
    if not isinstance(value, dict):
        return None
    text, share = value.get("token"), value.get("logprob")
    if not isinstance(text, str) or not isinstance(share, int | float):
        return None
    return (text, float(share)) if not math.isnan(share) else None
