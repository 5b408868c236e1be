"""A model's distribution over the options: from log-probabilities, or from votes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from mt_gym.agents.llm.replies import Answer, Token
from mt_gym.agents.question import Question


class Shares(NamedTuple):
    """A distribution over the enabled options.

    Attributes:
        by_action: probability by action index; sums to 1.
        covered: probability that the model gave to enabled options before that.
    """

    by_action: dict[int, float]
    covered: float


def from_logprobs(
    question: Question, answer: Answer, span: tuple[int, int] | None
) -> Shares | None:
    """The distribution of the number in an answer.

    The alternatives of the token that holds the number are read as numbers; what is
    not among them has probability 0.  None where that cannot be read: no
    log-probabilities, a number of several tokens, or one digit where longer numbers
    are listed, as the digit may begin one of those.

    Args:
        question: whose enabled options are meant.
        answer: with its tokens.
        span: where the number stands in the content.
    """
    if span is None or not answer.tokens:
        return None
    token = _token_at(answer.tokens, span)
    if token is None:
        return None
    longest = max(len(str(option.number)) for option in question.options)
    if longest > 1 and span[1] - span[0] == 1:
        return None
    mass: dict[int, float] = {}
    alternatives = dict(token.top)
    alternatives.setdefault(token.text, token.logprob)
    for text, logprob in alternatives.items():
        number = _number(text)
        if number is not None:
            mass[number] = mass.get(number, 0.0) + math.exp(min(logprob, 0.0))
    return _normalised(question, mass)


def from_votes(question: Question, numbers: Sequence[int]) -> Shares | None:
    """The share of the votes of each enabled option; None without a vote for one."""
    mass: dict[int, float] = {}
    for number in numbers:
        mass[number] = mass.get(number, 0.0) + 1 / len(numbers)
    return _normalised(question, mass)


def _normalised(question: Question, mass: dict[int, float]) -> Shares | None:
    enabled = [option for option in question.options if option.enabled]
    covered = math.fsum(mass.get(option.number, 0.0) for option in enabled)
    if covered <= 0:
        return None
    shares = {o.action: mass.get(o.number, 0.0) / covered for o in enabled}
    return Shares(shares, covered)


def _token_at(tokens: Sequence[Token], span: tuple[int, int]) -> Token | None:
    """The token that holds a span of the content and no other letter or digit."""
    start = 0
    for token in tokens:
        end = start + len(token.text)
        if start <= span[0] < end:
            alone = _number(token.text) is not None
            return token if alone and end >= span[1] else None
        start = end
    return None


def _number(text: str) -> int | None:
    digits = text.strip(" \t*_`:=[({<\"'#")
    return int(digits) if digits.isascii() and digits.isdigit() else None
