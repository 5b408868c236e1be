"""Hard limits of a run: calls, tokens, money.

A budget is the meter of the model client: it is asked before a request goes out and
told what came back.  Calls are counted before they go out, so their limit is never
passed; tokens and money are known afterwards, so requests under way still count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mt_gym.errors import BudgetReached, MtGymError

TOKENS: Final = ("input", "cached", "output", "reasoning")
"""Kinds of tokens: cached ones are part of the input, reasoning is of the output."""

PRICES: Final = ("input", "cached", "output")
"""Keys of a price table; a cached token without a price costs like an input one."""


@dataclass(slots=True)
class Budget:
    """What a run may use, and what it has used.

    Args:
        calls: requests that go to a server.
        tokens: of input and output together.
        money: in the currency of the price table.
        prices: per million tokens, with keys `input`, `output` and perhaps `cached`.

    Raises:
        MtGymError: a limit that is not above 0, a wrong price table, or a limit of
            money without one.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    prices: Mapping[str, float] | None = None
    used_calls: int = field(default=0, init=False)
    used_tokens: int = field(default=0, init=False)
    used_money: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "money"):
            limit = getattr(self, name)
            if limit is not None and (isinstance(limit, bool) or not limit > 0):
                raise MtGymError(f"the budget's {name} must be above 0, got {limit!r}")
        if self.prices is not None:
            check_prices(self.prices)
        elif self.money is not None:
            raise MtGymError(
                "a budget of money needs a price table: prices={'input': ..., "
                "'output': ...} per million tokens"
            )

    def before(self) -> None:
        """Count a request that is about to go out.

        Raises:
            BudgetReached: it must not.
        """
        for name, used in (
            ("calls", self.used_calls),
            ("tokens", self.used_tokens),
            ("money", self.used_money),
        ):
            limit = getattr(self, name)
            if limit is not None and used >= limit:
                raise BudgetReached(
                    f"the budget of {limit:g} {name} is used up ({used:g} used)"
                )
        self.used_calls += 1

    def after(self, usage: Mapping[str, int]) -> None:
        """Count the tokens of an answer."""
        self.used_tokens += usage.get("input", 0) + usage.get("output", 0)
        if self.prices is not None:
            self.used_money += price(usage, self.prices)

    def describe(self) -> dict[str, Any]:
        """The limits, as JSON values."""
        return {
            "calls": self.calls,
            "tokens": self.tokens,
            "money": self.money,
            "prices": None if self.prices is None else dict(self.prices),
        }


def check_prices(prices: Mapping[str, float]) -> None:
    """Refuse a price table that is none.

    Raises:
        MtGymError: a key is missing or unknown, or a price is no number from 0 on.
    """
    unknown = [name for name in prices if name not in PRICES]
    missing = [name for name in ("input", "output") if name not in prices]
    if unknown or missing:
        raise MtGymError(
            f"a price table has the keys {', '.join(PRICES)} (cached may be left out);"
            f" missing {missing}, unknown {unknown}"
        )
    for name, value in prices.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value < 0:
            raise MtGymError(f"the price of {name} must be >= 0, got {value!r}")


def price(usage: Mapping[str, int], prices: Mapping[str, float]) -> float:
    """What an answer's tokens cost."""
    cached = usage.get("cached", 0)
    fresh = usage.get("input", 0) - cached
    per_cached = prices.get("cached", prices["input"])
    total = fresh * prices["input"] + cached * per_cached
    return (total + usage.get("output", 0) * prices["output"]) / 1e6
