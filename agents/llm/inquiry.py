"""One decision asked of a model: requests, repairs, and what each of them gave.

A request that is sent again is the same question.  A repair is a new one, with fewer
options enabled, asked only where there is no valid choice.  Nothing here chooses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from mt_gym.agents.llm.client import Client
from mt_gym.agents.llm.config import LLMConfig
from mt_gym.agents.llm.distribution import Shares, from_logprobs, from_votes
from mt_gym.agents.llm.parse import Parsed, parse_choice, parse_repair, visible_part
from mt_gym.agents.llm.prompts import request_text
from mt_gym.agents.llm.replies import Answer
from mt_gym.agents.question import Question

Message = dict[str, str]

PROBLEMS: Final = {
    "truncated": "Your answer was cut off before it named an action.",
    "filtered": "Your answer was withheld before it named an action.",
    "empty": "Your answer was empty.",
    "no_number": "Your answer named no number.",
    "ambiguous": "Your answer named more than one number.",
    "unlisted": "Your answer named a number that is not in the list.",
}
"""How a repair begins, by the outcome of the answer before it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request with its answer, read.

    Attributes:
        kind: `request`, `vote` or `repair`.
        answer, parsed: what came back and what it says.
    """

    kind: str
    answer: Answer
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an inquiry ended.

    Attributes:
        number: the chosen number of the list; None if there is no valid choice.
        source: `policy` or `repair`.
        answer: the answer with the choice; of a repair, the one it repaired, unless
            that one was truncated.  None without an answer.
        parsed: of that answer.
        shares: the distribution, where the answers have one.
    """

    number: int | None
    source: str = "policy"
    answer: Answer | None = None
    parsed: Parsed | None = None
    shares: Shares | None = None


@dataclass(slots=True)
class Inquiry:
    """The requests of one decision.

    Args:
        client: sends them.
        config: how.
        model: name of the model.
        messages: of a request; `question` is what they ask.
        repair: makes the question of a repair, when one is needed.
        seed: of the episode; a request sent again has a seed of its own.
        place: names the next request of the episode.
        send_again: whether the first truncated answer is sent again, not repaired.
        extra: fields for our own server, for every request.
    """

    client: Client
    config: LLMConfig
    model: str
    messages: Sequence[Message]
    question: Question
    repair: Callable[[], Question]
    seed: int
    place: Callable[[], str]
    send_again: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    """Every request with its answer, for the log."""

    async def run(self) -> Verdict:
        """Ask until there is a valid choice, at most `config.requests` times."""
        send_again = self.send_again
        last: Asked | None = None
        for round_ in range(self.config.requests):
            votes = await self._round(round_)
            verdict = self._counted(votes)
            if verdict is not None:
                return verdict
            last = votes[0]
            if last.parsed.outcome == "truncated" and send_again:
                send_again = False
                continue
            asked = await self._repair(last, round_)
            if asked.parsed.outcome == "ok":
                whole = last.parsed.outcome != "truncated"
                return Verdict(
                    asked.parsed.number,
                    "repair",
                    last.answer if whole else None,
                    last.parsed if whole else None,
                )
        return Verdict(None)

    async def _round(self, round_: int) -> list[Asked]:
        """One request, or as many as there are votes."""
        count = self.config.votes
        kind = "request" if count == 1 else "vote"
        listed = [option.number for option in self.question.options]
        jobs = [
            self._ask(kind, self._body(round_ * count + i), self.place(), listed)
            for i in range(count)
        ]
        if count == 1:
            return [await jobs[0]]
        tasks = [asyncio.ensure_future(job) for job in jobs]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    def _counted(self, votes: Sequence[Asked]) -> Verdict | None:
        """The choice of the valid answers, None if there is none."""
        valid = [asked for asked in votes if asked.parsed.outcome == "ok"]
        if not valid:
            return None
        if self.config.votes == 1:
            only = valid[0]
            shares = from_logprobs(self.question, only.answer, only.parsed.span)
            return Verdict(
                only.parsed.number, "policy", only.answer, only.parsed, shares
            )
        numbers = [asked.parsed.number or 0 for asked in valid]
        most = max(numbers, key=lambda number: (numbers.count(number), -number))
        first = next(asked for asked in valid if asked.parsed.number == most)
        shares = from_votes(self.question, numbers)
        return Verdict(most, "policy", first.answer, first.parsed, shares)

    async def _repair(self, failed: Asked, round_: int) -> Asked:
        question = self.repair()
        numbers = question.numbers
        text = request_text(
            "repair",
            problem=PROBLEMS[failed.parsed.outcome],
            numbers=", ".join(str(number) for number in numbers),
        )
        messages = [*self.messages, {"role": "user", "content": text}]
        said = visible_part(failed.answer.content).text.strip()
        if said and failed.parsed.outcome != "truncated":
            messages.insert(-1, {"role": "assistant", "content": said})
        else:
            ending = messages[-2]["content"] + "\n\n" + text
            messages[-2:] = [{"role": "user", "content": ending}]
        body = self._body(round_, messages)
        body[self.config.switches.tokens] = self.config.repair_tokens
        for name in ("logprobs", "top_logprobs", *self.config.switches.body):
            body.pop(name, None)
        body |= self.config.switches.repair_body | self.config.repair_extra_body
        body |= repair_format(self.config.switches.repair, numbers)
        return await self._ask("repair", body, self.place(), numbers)

    async def _ask(
        self, kind: str, body: dict[str, Any], place: str, numbers: Sequence[int]
    ) -> Asked:
        answer = await self.client.complete(body, place)
        parse = parse_repair if kind == "repair" else parse_choice
        parsed = parse(answer.content, answer.finish_reason, numbers)
        self.attempts.append(
            {
                "kind": kind,
                "outcome": parsed.outcome,
                "number": parsed.number,
                "options": list(numbers),
                "messages": body["messages"],
                "seed": body.get("seed"),
                "content": answer.content,
                "reasoning": answer.reasoning,
                "finish_reason": answer.finish_reason,
                "usage": dict(answer.usage),
                "model": answer.model,
                "seconds": round(answer.seconds, 4),
                "retries": [dict(one) for one in answer.retries],
                "replayed": answer.replayed,
                "place": place,
            }
        )
        return Asked(kind, answer, parsed)

    def _body(
        self, number: int, messages: Sequence[Message] | None = None
    ) -> dict[str, Any]:
        """The fields of a request; `number` counts those of this decision."""
        config, vendor = self.config, self.config.switches
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(self.messages if messages is None else messages),
            vendor.tokens: config.max_tokens,
        }
        if vendor.temperature:
            body["temperature"] = config.temperature
        if vendor.seed:
            body["seed"] = seed_of(self.seed, number)
        if config.top_logprobs:
            body |= {"logprobs": True, "top_logprobs": config.top_logprobs}
        return body | vendor.body | config.extra_body | dict(self.extra)


def seed_of(seed: int, number: int) -> int:
    """The seed of a request: first the episode's own, then others out of it."""
    if number == 0:
        return seed
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0] >> 1)


def repair_format(style: str, numbers: Sequence[int]) -> dict[str, Any]:
    """How a server is told to answer with one of these numbers and nothing else."""
    if style == "none":
        return {}
    if style == "json_object":
        return {"response_format": {"type": "json_object"}}
    choice = {"type": "integer", "enum": list(numbers)}
    schema = {
        "type": "object",
        "properties": {"choice": choice},
        "required": ["choice"],
        "additionalProperties": False,
    }
    wrapped = {"name": "choice", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
