"""The error tree.

MtGymError (a ValueError)
├── MapError        a map file that cannot be read: path, line, column
├── UnknownFloor    no shipped floor and no file of that name
├── IllegalAction   an action that the state does not allow
├── StateMismatch   a state (or log) of another tower
├── PolicyError     a policy that breaks its contract
│   └── NoAnswer    a model that gave no valid choice, and nothing stands in for it
├── EndpointError   a model's server that cannot be reached, refuses or fails
├── BudgetReached   a limit of a run is used up
└── LimitReached    a search that its limits ended before the answer was exact
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "BudgetReached",
    "EndpointError",
    "IllegalAction",
    "LimitReached",
    "MapError",
    "MtGymError",
    "NoAnswer",
    "PolicyError",
    "StateMismatch",
    "UnknownFloor",
]


class MtGymError(ValueError):
    """Any error that this package raises on bad input."""


class MapError(MtGymError):
    """A map file that cannot be read.

    Attributes:
        path: the file, or `<text>` for a string.
        line: line in the file (or drawn row), from 1; None if it has none.
        column: column, from 1; None if it has none.
    """

    def __init__(
        self,
        message: str,
        path: str = "<text>",
        line: int | None = None,
        column: int | None = None,
        unit: str = "line",
    ) -> None:
        place = path
        if line is not None:
            place += f": {unit} {line}"
            if column is not None:
                place += f", column {column}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.line = line
        self.column = column


class UnknownFloor(MtGymError):
    """A floor name that is neither shipped nor a file."""


class IllegalAction(MtGymError):
    """An action that does not exist or that the state does not allow."""


class StateMismatch(MtGymError):
    """A state or a log that belongs to another tower."""


class PolicyError(MtGymError):
    """A policy that returns something outside its contract."""


class NoAnswer(PolicyError):
    """A model that gave no valid choice at a decision, with the fallback off.

    Attributes:
        trace: what was asked and answered, as in `Decision.trace`.
    """

    def __init__(self, message: str, trace: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.trace: Mapping[str, Any] = {} if trace is None else trace


class EndpointError(MtGymError):
    """A model's server that cannot be reached, refuses a request or fails.

    No answer of a policy: an episode that it ends says nothing about the policy.

    Attributes:
        status: the HTTP status; None where there was no answer.
        trace: what was asked and answered before, at the same decision.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.trace: Mapping[str, Any] = {}


class BudgetReached(MtGymError):
    """A limit of a run is used up: no further request goes out.

    Attributes:
        trace: what was asked and answered before, at the same decision.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.trace: Mapping[str, Any] = {}


class LimitReached(MtGymError):
    """A search ended by its node, time or memory limit before it was exact."""
