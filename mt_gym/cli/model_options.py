"""Options of `run` that are about language models, read and checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mt_gym.bench.budget import Budget
from mt_gym.bench.store import SqliteCallStore
from mt_gym.errors import MtGymError


def model_options(policy: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, which only the language model has."""
    given = {name: value for name, value in asked.items() if value is not None}
    if given and policy.partition(":")[0] != "llm":
        names = ", ".join("--" + name.replace("_", "-") for name in given)
        names = names.replace("--fallback", "--no-fallback")
        raise MtGymError(f"{names}: only --policy llm has that option")
    return given


def condition_of(
    policy: str, condition: str, options: dict[str, Any]
) -> dict[str, Any]:
    """The environment's keywords of a condition; its prompt goes into the options."""
    if policy.partition(":")[0] != "llm":
        raise MtGymError("--condition: only --policy llm has that option")
    from mt_gym.agents.llm.policy import environment_of

    keywords = dict(environment_of(condition))
    options.setdefault("prompt", condition)
    return keywords


def budget_of(
    calls: int | None, tokens: int | None, money: float | None, prices: str | None
) -> Budget | None:
    """The limits that were given, None without any.

    Raises:
        MtGymError: a limit or price table that is none.
    """
    if prices is not None and money is None:
        raise MtGymError("--prices goes with --max-cost")
    if calls is None and tokens is None and money is None:
        return None
    return Budget(calls, tokens, money, None if prices is None else _prices(prices))


def _prices(text: str) -> dict[str, float]:
    table = {}
    for part in text.split(","):
        name, equals, number = part.partition("=")
        try:
            table[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise MtGymError(
                f"--prices {text!r}: input=P,output=P is expected, such as "
                "input=0.5,output=1.5"
            )
    return table


@contextmanager
def store_of(path: Path | None, offline: bool) -> Iterator[SqliteCallStore | None]:
    """The call store of a file, None without one.

    Raises:
        MtGymError: it cannot be opened, or is wanted offline and not named.
    """
    if path is None:
        if offline:
            raise MtGymError("--offline needs the stored answers: --calls FILE")
        yield None
        return
    with SqliteCallStore(path, offline=offline) as store:
        yield store
