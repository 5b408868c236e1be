"""Ways in which a server can go wrong, and when: what proves a client's recovery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mt_gym.errors import PolicyError

WELL: Final = "ok"

MISBEHAVIOURS: Final = {
    "rate_limit": "status 429 with retry-after",
    "error": "status 500",
    "unauthorised": "status 401",
    "cut": "the connection ends in the middle of the answer",
    "slow": "the answer comes late",
    "not_json": "a page of HTML with status 200",
    "malformed": "JSON without a message",
    "truncate": "the answer ends before its choice, finish_reason length",
    "no_number": "the answer names no number",
    "wrong_number": "the number is not in the list",
    "two_numbers": "two numbers in one choice",
    "prose": "the choice stands in the middle of other text and earlier choices",
    "empty": "the content is an empty text",
    "null": "the content is null",
    "reasoning_only": "the choice stands in the reasoning, the content is null",
}
"""What a server can be told to do, by name."""


class Script:
    """What happens to each chat request in turn.

    Args:
        kinds: names of `MISBEHAVIOURS`, or `ok`.
        cycle: begin again after the last one; otherwise all is well from there on.

    Raises:
        PolicyError: an unknown name.
    """

    def __init__(self, kinds: Sequence[str] = (), cycle: bool = False) -> None:
        for kind in kinds:
            if kind != WELL and kind not in MISBEHAVIOURS:
                raise PolicyError(
                    f"unknown misbehaviour {kind!r}; there are {WELL}, "
                    + ", ".join(MISBEHAVIOURS)
                )
        self._kinds = tuple(kinds)
        self._cycle = cycle
        self._next = 0

    def next(self) -> str:
        """What happens to the next request."""
        if self._next == len(self._kinds) and self._cycle:
            self._next = 0
        if self._next >= len(self._kinds):
            return WELL
        self._next += 1
        return self._kinds[self._next - 1]
