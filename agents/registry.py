"""Policies by name: a table of factories, each imported when it is asked for."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.agents.policy import Policy, checked_policy
from mt_gym.errors import PolicyError


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table.

    Attributes:
        factory: `module:name` of what makes the policy; empty for a name that is
            kept for later.
        argument: keyword that takes the part behind the colon of `name:part`; empty
            if the name takes none.
        about: one line for lists.
    """

    factory: str
    about: str
    argument: str = ""


POLICIES: Final[dict[str, Entry]] = {
    "random": Entry(
        "mt_gym.agents.random:RandomPolicy",
        "any legal action",
    ),
    "heuristic": Entry(
        "mt_gym.agents.heuristic:HeuristicPolicy",
        "rules of thumb, with a reason for each choice",
    ),
    "solver": Entry(
        "mt_gym.agents.solver:SolverPolicy",
        "always an optimal action",
    ),
    "witness": Entry(
        "mt_gym.agents.witness:WitnessPolicy",
        "the route of the map's certificate",
    ),
    "person": Entry(
        "mt_gym.agents.person:PersonPolicy",
        "you, in the terminal",
    ),
    "llm": Entry(
        "mt_gym.agents.llm.policy:LLMPolicy",
        "a language model",
        argument="model",
    ),
    "rl": Entry(
        "mt_gym.agents.rl.policy:RLPolicy",
        "a trained network",
        argument="weights",
    ),
}
"""Every name that `make_policy` knows."""


def make_policy(spec: str, **options: Any) -> Policy:
    """The policy of a name, or of a factory of your own.

    Args:
        spec: a name of `POLICIES`, or `module:factory` where the factory is a class
            or function that returns a policy.
        options: keyword arguments of the factory.

    Raises:
        PolicyError: no such name, module or factory, an option that it does not
            take, or a result that is no policy.

    >>> make_policy("random").name
    'random'
    """
    name, colon, part = spec.partition(":")
    entry = POLICIES.get(name)
    if entry is None:
        if not colon or not name or not part:
            raise PolicyError(f"unknown policy {spec!r}; {_allowed()}")
        return _made(spec, _found(name, part, spec), options)
    if not entry.factory:
        raise PolicyError(
            f"the policy {name!r} ({entry.about}) is not part of this version; "
            + _allowed()
        )
    if colon:
        if not entry.argument:
            raise PolicyError(f"the policy {name!r} takes nothing behind a colon")
        options = {entry.argument: part, **options}
    module, _, factory = entry.factory.partition(":")
    return _made(spec, _found(module, factory, spec), options)


def _allowed() -> str:
    names = ", ".join(name for name, entry in POLICIES.items() if entry.factory)
    return f"there are {names}, and your own as MODULE:FACTORY"


def _found(module: str, factory: str, spec: str) -> Callable[..., object]:
    try:
        found: object = importlib.import_module(module)
    except (ImportError, SyntaxError) as error:
        raise PolicyError(
            f"policy {spec!r}: the module {module!r} cannot be imported: {error}"
        ) from error
    for part in factory.split("."):
        if not hasattr(found, part):
            raise PolicyError(f"policy {spec!r}: {module!r} has no {factory!r}")
        found = getattr(found, part)
    if not callable(found):
        raise PolicyError(
            f"policy {spec!r}: {factory!r} is neither a class nor a function"
        )
    return found


def _made(spec: str, factory: Callable[..., object], options: dict[str, Any]) -> Policy:
    try:
        signature = inspect.signature(factory)
    except ValueError:  # some built-in types have none
        signature = inspect.Signature()
    try:
        signature.bind(**options)
    except TypeError as error:
        takes = ", ".join(signature.parameters) or "no option"
        raise PolicyError(
            f"policy {spec!r} cannot be made with {sorted(options)}: {error}; "
            f"it takes {takes}"
        ) from error
    return checked_policy(factory(**options), f"what {spec!r} makes")
