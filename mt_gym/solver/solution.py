"""What a search answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mt_gym.engine.board import Action

OPTIMAL, INFEASIBLE, BOUNDED = "optimal", "infeasible", "bounded"


@dataclass(frozen=True, slots=True)
class Solution:
    """The best play from a state, as far as it was proved.

    Attributes:
        status: `optimal` (proved), `infeasible` (proved: the goal is lost) or
            `bounded` (a limit ended the search).
        hp: final HP of `route`; None if there is no route.
        bound: no play ends with more HP; equals `hp` if optimal, None if infeasible
            or if nothing was proved.
        route: every action of the play, items and stairs included.
        expanded: states whose actions were tried.
        seconds: wall time.
        reductions: names of the reductions that the search applied.
        stored: states kept at the end.
        memory: bytes of the search's own tables at their largest.
    """

    status: str
    hp: int | None
    bound: int | None
    route: tuple[Action, ...]
    expanded: int
    seconds: float
    reductions: tuple[str, ...]
    stored: int = 0
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """The value of one action: `status`, `hp` and `bound` as in `Solution`."""

    status: str
    hp: int | None
    bound: int | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is; what a progress callback gets.

    Attributes:
        expanded: states expanded.
        stored: states kept.
        bound: proved upper bound, or None if there is none yet.
        best: final HP of the best route so far, or None.
        seconds: wall time so far.
    """

    expanded: int
    stored: int
    bound: int | None
    best: int | None
    seconds: float


Report = Callable[[Progress], None]
