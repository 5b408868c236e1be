"""Budgets: what is counted, when a request is forbidden, and what is refused."""

from typing import Any

import pytest

from mt_gym.bench import Budget
from mt_gym.bench.budget import price
from mt_gym.errors import BudgetReached, MtGymError

PRICES = {"input": 2.0, "cached": 0.5, "output": 8.0}


def test_calls_never_pass_their_limit() -> None:
    budget = Budget(calls=2)
    budget.before()
    budget.before()
    with pytest.raises(BudgetReached, match=r"of 2 calls is used up \(2 used\)"):
        budget.before()
    assert budget.used_calls == 2


def test_tokens_count_input_and_output_and_nothing_twice() -> None:
    budget = Budget(tokens=100)
    budget.before()
    budget.after({"input": 60, "cached": 50, "output": 39, "reasoning": 30})
    budget.before()
    budget.after({"input": 1})
    with pytest.raises(BudgetReached, match="budget of 100 tokens is used up"):
        budget.before()


def test_cached_tokens_have_their_own_price() -> None:
    usage = {"input": 1_000_000, "cached": 400_000, "output": 500_000}
    assert price(usage, PRICES) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)
    plain = {"input": 2.0, "output": 8.0}
    assert price(usage, plain) == pytest.approx(2 + 4)


def test_money_stops_the_run() -> None:
    budget = Budget(money=1.0, prices=PRICES)
    budget.before()
    budget.after({"output": 125_000})
    with pytest.raises(BudgetReached, match="budget of 1 money is used up"):
        budget.before()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"calls": 0}, "calls must be above 0, got 0"),
        ({"tokens": -1}, "tokens must be above 0"),
        ({"calls": True}, "calls must be above 0, got True"),
        ({"money": 1.0}, "needs a price table"),
        ({"prices": {"input": 1}}, r"missing \['output'\]"),
        ({"prices": {"input": 1, "output": 1, "tea": 1}}, r"unknown \['tea'\]"),
        ({"prices": {"input": -1, "output": 1}}, "price of input must be >= 0"),
    ],
)
def test_wrong_budget_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        Budget(**arguments)
