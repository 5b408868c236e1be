"""Which of a fight and a route to attribute items comes cheaper first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mt_gym.analysis.costs import cost_with
from mt_gym.analysis.options import Options
from mt_gym.analysis.stat_route import route_price
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

if TYPE_CHECKING:
    from mt_gym.analysis.decision import EntryFacts


@dataclass(frozen=True, slots=True)
class FightOrder:
    """The better order of a fight and another listed action's route.

    Attributes:
        route: number of the other action in the list.
        fight_first: HP of this fight, then that route with the items behind it.
        route_first: HP of that route, then this fight with the items of the route.
        first_cost: HP of the action that is recommended first.
    """

    route: int
    fight_first: int
    route_first: int
    first_cost: int

    @property
    def take_first(self) -> bool:
        """Whether this fight is recommended first."""
        return self.fight_first < self.route_first

    @property
    def difference(self) -> int:
        """HP between the two orders."""
        return abs(self.fight_first - self.route_first)


def fight_order(
    tower: Tower,
    state: State,
    options: Options,
    fight: EntryFacts,
    others: Sequence[EntryFacts],
) -> FightOrder | None:
    """The comparison with the smallest total among all other listed actions.

    An action counts if the attribute items in its tree make this fight cheaper and
    the order it speaks for begins within the rule-4 share of HP.
    """
    cost = fight.damage
    if cost is None:
        return None
    best: FightOrder | None = None
    own = fight.gain
    for other in others:
        if other is fight or not other.gain or other.route_price is None:
            continue
        later = cost_with(tower, state, fight.entry.action.object, other.gain)
        if later == UNWINNABLE or later >= cost:
            continue
        plain = other.route_price
        helped: int | None = plain
        if own:
            helped = route_price(tower, state, other.entry, other.stat_gateways, own)
        if helped is None:
            continue
        fight_first, route_first = cost + helped, plain + later
        if fight_first == route_first:
            continue
        first = cost if fight_first < route_first else other.damage or 0
        if not options.allows(first, state.hero.hp):
            continue
        total = min(fight_first, route_first)
        if best is None or total < min(best.fight_first, best.route_first):
            best = FightOrder(other.number, fight_first, route_first, first)
    return best
