"""Settings that facts depend on, with the map's own as defaults."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.weights import MAX_DEPTH
from mt_gym.engine.kinds import Ratio
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError


@dataclass(frozen=True, slots=True)
class Options:
    """How deep the lookahead goes, and what rule 4 allows.

    Attributes:
        lookahead_depth: gateways on a path of the lookahead tree, 0 to `MAX_DEPTH`.
        rule4_share: share of current HP that a fight, or the action an order line
            recommends first, may cost.
        max_turns: turns after which the episode is truncated.
    """

    lookahead_depth: int
    rule4_share: Ratio
    max_turns: int

    @classmethod
    def of(
        cls,
        tower: Tower,
        lookahead_depth: int | None = None,
        rule4_share: tuple[int, int] | list[int] | None = None,
        max_turns: int | None = None,
    ) -> Options:
        """The map's settings, replaced by those that are given.

        Raises:
            MtGymError: a value out of range, with the values allowed.
        """
        own = tower.data.settings
        depth = own.lookahead_depth if lookahead_depth is None else lookahead_depth
        turns = own.max_turns if max_turns is None else max_turns
        share = own.rule4_share if rule4_share is None else rule4_share
        if not _is_count(depth) or depth > MAX_DEPTH:
            raise MtGymError(
                f"lookahead_depth must be an integer from 0 to {MAX_DEPTH}, "
                f"got {depth!r}"
            )
        if not _is_count(turns) or turns < 1:
            raise MtGymError(f"max_turns must be an integer >= 1, got {turns!r}")
        if (
            not isinstance(share, tuple | list)
            or len(share) != 2
            or not all(_is_count(part) for part in share)
            or not 0 < share[0] <= share[1]
        ):
            raise MtGymError(
                "rule4_share must be a ratio [numerator, denominator] above 0 and at "
                f"most 1, such as [2, 5]; got {rule4_share!r}"
            )
        return cls(depth, (share[0], share[1]), turns)

    def allows(self, cost: int, hp: int) -> bool:
        """Whether a cost is within the rule-4 share of the HP."""
        return cost * self.rule4_share[1] <= hp * self.rule4_share[0]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
