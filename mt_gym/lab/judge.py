"""What each decision of a copy gives up, by the exact solver."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.batch.core import Batch
from mt_gym.errors import LimitReached
from mt_gym.solver import state_value

NODE_LIMIT: Final = 50_000
"""States of one search; what needs more is not judged."""


class Judge:
    """Knows what states are worth; each is searched once.

    Args:
        node_limit: states that one search may expand.
    """

    def __init__(self, node_limit: int = NODE_LIMIT) -> None:
        self._limit = node_limit
        self._known: dict[object, int | None] = {}

    def worth(self, tower: Tower, state: State) -> int | None:
        """Best final HP that can be reached, 0 for none; None if it is not known."""
        key = state.key  # with the digest of its tower
        if key not in self._known:
            try:
                found = state_value(tower, state, node_limit=self._limit) or 0
            except LimitReached:
                self._known[key] = None
            else:
                self._known[key] = found
        return self._known[key]


class Regrets:
    """Follows some copies of a batch and notes what each decision gave up.

    A decision gives up the share 1 - V(next) / V(now) of the best final HP.  Once
    the goal is lost there is nothing more to give up, and nothing is noted.

    Args:
        batch: that is played; judge: values its states.
        copies: that are followed.
    """

    def __init__(self, batch: Batch, judge: Judge, copies: Iterable[int]) -> None:
        self._batch, self._judge = batch, judge
        self._worth: dict[int, int | None] = {}
        self._found: dict[int, list[float]] = {copy: [] for copy in copies}
        self.begin(self._found)

    def __contains__(self, copy: int) -> bool:
        return copy in self._found

    def begin(self, copies: Iterable[int]) -> None:
        """Episodes of followed copies begin in the present states."""
        for copy in copies:
            if copy in self._found:
                self._worth[copy] = self._now(copy)
                self._found[copy] = []

    def note(self, copy: int, final: int | None = None) -> None:
        """A followed copy was stepped.

        Args:
            copy: its number.
            final: HP at the end of its episode, 0 for a loss; None if it goes on.
        """
        before = self._worth[copy]
        if before == 0:
            return
        after = self._now(copy) if final is None else final
        if before is not None and after is not None:
            self._found[copy].append(1 - after / before)
        self._worth[copy] = after

    def of(self, copy: int) -> tuple[float, ...]:
        """The shares that the decisions of a copy's present episode gave up."""
        return tuple(self._found.get(copy, ()))

    def _now(self, copy: int) -> int | None:
        batch = self._batch
        tower = batch.towers[int(batch.copies[copy])]
        return self._judge.worth(tower, batch.state(copy))
