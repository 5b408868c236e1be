"""The exact solver: optimum, state values, regret, certificates."""

from __future__ import annotations

from mt_gym.solver.certificate import Verdict, assisted_optimum, certify, verify
from mt_gym.solver.search import REDUCTIONS, regret, solve, state_value, values
from mt_gym.solver.solution import Progress, Solution, Value

__all__ = [
    "REDUCTIONS",
    "Progress",
    "Solution",
    "Value",
    "Verdict",
    "assisted_optimum",
    "certify",
    "regret",
    "solve",
    "state_value",
    "values",
    "verify",
]
