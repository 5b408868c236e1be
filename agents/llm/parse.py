"""From a model's answer to a number of the list, or to what is wrong with it.

`FINAL_CHOICE: n` counts where it stands last in the visible answer.  Nothing is
guessed: an answer that says two numbers, none, or one that is not in the list has
an outcome of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mt_gym.agents.policy import MAX_QUANTITY

OUTCOMES: Final = (
    "ok",
    "truncated",
    "filtered",
    "empty",
    "no_number",
    "ambiguous",
    "unlisted",
)
"""What an answer can be; only `ok` is a choice."""

_CHOICE = re.compile(r"FINAL[_ ]CHOICE", re.IGNORECASE)
_MARKUP = r"[ \t*_`:=\[({<\"'#]*"
_BEFORE = re.compile(
    rf"{_MARKUP}(?:(?:number|option|action)\b{_MARKUP})?", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+−]?[0-9]+(?:[.,][0-9]+)*")
_ANOTHER = re.compile(
    r"(?:[\s*_`\])}>\"',;/&|–-]|\b(?:or|and|to|then)\b)+[0-9]", re.IGNORECASE
)
_QUANTITY = re.compile(r"QUANTITY\s*:[\s*_`]*([^\s*_`]+)", re.IGNORECASE)
_THINK = re.compile(r"<think(?:ing)?>|</think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Visible:
    """A content without the thinking that some servers leave in it.

    Attributes:
        text: the visible answer; it is the end of the content.
        thinking: what stood before it; empty if nothing did.
        offset: where `text` begins in the content.
    """

    text: str
    thinking: str
    offset: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an answer says.

    Attributes:
        outcome: one of `OUTCOMES`.
        number: the number that it names, also if it is not in the list.
        span: where the number stands in the content (start, end), for the
            log-probabilities.
        quantity: the number behind `QUANTITY:`, None without one that is valid.
        note: what was ignored, in a few words; empty if nothing was.
    """

    outcome: str
    number: int | None = None
    span: tuple[int, int] | None = None
    quantity: int | None = None
    note: str = ""


def visible_part(content: str | None) -> Visible:
    """Split a content at the end of its thinking; all of it if that never ends."""
    text = content or ""
    marks = list(_THINK.finditer(text))
    if not marks:
        return Visible(text, "", 0)
    last = marks[-1]
    if not last[0].startswith("</"):
        return Visible("", text[last.end() :], len(text))
    thinking = _THINK.sub("", text[: last.start()]).strip()
    return Visible(text[last.end() :], thinking, last.end())


def parse_choice(
    content: str | None, finish_reason: str | None, numbers: Sequence[int]
) -> Parsed:
    """The choice in an answer.

    Args:
        content: of the message; may be None.
        finish_reason: as the server says it; `length` is a truncated answer, out of
            which nothing is taken.
        numbers: what the list allows.
    """
    if finish_reason == "length":
        return Parsed("truncated")
    if finish_reason == "content_filter":
        return Parsed("filtered")
    visible = visible_part(content)
    if not visible.text.strip():
        return Parsed("empty")
    marks = list(_CHOICE.finditer(visible.text))
    if not marks:
        return Parsed("no_number")
    end = marks[-1].end()
    start = _match_end(_BEFORE, visible.text, end)
    found = _NUMBER.match(visible.text, start)
    if found is None:
        return Parsed("no_number")
    line = visible.text[found.end() :].split("\n", 1)[0]
    if _ANOTHER.match(line):
        return Parsed("ambiguous")
    number = _integer(found[0])
    if number is None:
        return Parsed("no_number")
    quantity, note = _quantity(visible.text[found.end() :])
    span = (visible.offset + found.start(), visible.offset + found.end())
    outcome = "ok" if number in numbers else "unlisted"
    return Parsed(outcome, number, span, quantity, note)


def parse_repair(
    content: str | None, finish_reason: str | None, numbers: Sequence[int]
) -> Parsed:
    """The choice in a repair's answer: a JSON object with the one field `choice`.

    A server that does not constrain its answers may still end them with
    `FINAL_CHOICE: n`.
    """
    if finish_reason == "length":
        return Parsed("truncated")
    text = visible_part(content).text
    fenced = _FENCE.match(text)
    try:
        found = json.loads(fenced[1] if fenced else text)
    except (json.JSONDecodeError, RecursionError):
        return parse_choice(content, finish_reason, numbers)
    if not isinstance(found, dict) or list(found) != ["choice"]:
        return Parsed("no_number")
    number = found["choice"]
    if isinstance(number, bool) or not isinstance(number, int):
        return Parsed("no_number")
    return Parsed("ok" if number in numbers else "unlisted", number)


def _match_end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()


def _integer(text: str) -> int | None:
    """An integer in plain digits, None for anything else; a final dot is none."""
    try:
        return int(text.replace("−", "-")) if len(text) < 10 else None
    except ValueError:
        return None


def _quantity(text: str) -> tuple[int | None, str]:
    found = _QUANTITY.findall(text)
    if not found:
        return None, ""
    number = _integer(found[-1].rstrip(".,;"))
    if number is None or number < 1:
        return None, f"quantity {found[-1]!r} is no integer from 1"
    if number > MAX_QUANTITY:
        return MAX_QUANTITY, f"quantity {number} was cut to {MAX_QUANTITY}"
    return number, ""
