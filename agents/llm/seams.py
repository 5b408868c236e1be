"""What others may plug into the model client: a store of calls, and a meter.

`LLMPolicy.attach(store=..., meter=...)` takes both; neither is needed to play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class CallStore(Protocol):
    """Answers by the hash of what was asked, so that they need no network again."""

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The stored call of a key, None if there is none.

        A call is a JSON object with `request` (the body that was sent, the place in
        its episode) and `reply` (the body that came back).
        """
        ...

    def put(self, key: str, call: Mapping[str, Any]) -> None:
        """Store a call; only complete answers are stored, never failures."""
        ...


class Meter(Protocol):
    """Counts calls and stops them: what a budget is made of."""

    def before(self) -> None:
        """Called before each request that goes to a server; raises to forbid it."""
        ...

    def after(self, usage: Mapping[str, int]) -> None:
        """Called after each answer from a server.

        Args:
            usage: tokens, with the keys `input, cached, output, reasoning`; those
                that the server did not state are missing.
        """
        ...
