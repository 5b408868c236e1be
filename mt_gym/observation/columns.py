"""Annotation facts as columns of the features, switched by the annotations' names.

A row is filled where its action is listed (legal, or a fight that cannot be won);
all other rows are 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis import facts
from mt_gym.analysis.decision import EntryFacts
from mt_gym.analysis.options import Options
from mt_gym.engine.kinds import BLUE, GREEN, HP, RED, YELLOW
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

LIMIT: Final = 4.0
"""Largest number of any feature."""


class Column(NamedTuple):
    """A feature: its name, its bounds, what it says, and whose annotation it is."""

    name: str
    low: float
    high: float
    meaning: str
    annotations: tuple[str, ...] = ()


def _share(name: str, meaning: str, *annotations: str) -> Column:
    return Column(name, -LIMIT, LIMIT, meaning + ", in shares of HP", annotations)


def _flag(name: str, meaning: str, *annotations: str) -> Column:
    return Column(name, 0.0, 1.0, meaning, annotations)


ANNOTATION_COLUMNS: Final = (
    _share("lookahead_value", "what it unlocks, at hand-set prices", "lookahead_value"),
    _share(
        "effective_cost",
        "its fight's cost less that value; the cost alone where the gateways in front "
        "eat the value up",
        "lookahead_value",
    ),
    _share(
        "stat_net",
        "what the attribute items behind it save on the other fights, less their "
        "price (stat_route_one_sided: the saving alone)",
        "stat_route",
        "stat_route_one_sided",
    ),
    _share(
        "order_gain",
        "what is saved by fighting it before the route that it is compared with; "
        "below 0 if the route should come first",
        "fight_order",
    ),
    _flag("keys_behind", "keys behind it, in shares of all keys", "keys"),
    _flag("last_key", "it spends the last key of a colour, and none comes", "keys"),
    _flag("dead_end", "a door that opens nothing new", "dead_end"),
    _flag("optional", "a fight that blocks nothing the goal could need", "optional"),
    _share("potions_behind", "HP of the items behind it", "potions"),
    _share("later_saving", "what the fight costs less with all items", "min_cost"),
)
"""Columns that annotations add to `objects`, in this order."""


def annotation_columns(annotations: frozenset[str]) -> tuple[Column, ...]:
    """The columns of a choice of annotations."""
    return tuple(
        column
        for column in ANNOTATION_COLUMNS
        if any(name in annotations for name in column.annotations)
    )


class AnnotationWriter:
    """Writes the annotation columns of a tower's states.

    Args:
        tower: whose actions are the rows.
        annotations: names of those that are shown.
        options: depth of the lookahead, rule-4 share.
        scales: per resource, what counts as 1 (`features.resource_scales`).
    """

    def __init__(
        self,
        tower: Tower,
        annotations: frozenset[str],
        options: Options,
        scales: tuple[int, ...],
    ) -> None:
        self.tower, self.options = tower, options
        self.columns = annotation_columns(annotations)
        self._names = tuple(column.name for column in self.columns)
        self._one_sided = "stat_route_one_sided" in annotations
        self._hp = scales[HP]
        self._keys = sum(scales[slot] for slot in (YELLOW, BLUE, RED, GREEN))

    def write(self, state: State, out: NDArray[np.float32]) -> None:
        """Fill the rows of listed actions; the others are 0 already.

        Args:
            state: in which the policy has to choose.
            out: (rows, columns) of zeros.
        """
        for entry in facts(self.tower, state, self.options).entries:
            row = out[entry.action.index]
            for place, name in enumerate(self._names):
                row[place] = self._value(name, entry)

    def _value(self, name: str, entry: EntryFacts) -> float:
        match name:
            case "lookahead_value":
                return self._shared(entry.value.value)
            case "effective_cost":
                cost = entry.value.effective_cost
                return self._shared(entry.damage or 0 if cost is None else cost)
            case "stat_net":
                route = entry.stat_route
                if route is None:
                    return 0.0
                return self._shared(route.saving if self._one_sided else route.net)
            case "order_gain":
                order = entry.order
                if order is None:
                    return 0.0
                return self._shared(order.route_first - order.fight_first)
            case "keys_behind":
                return min(1.0, sum(entry.keys.found) / self._keys)
            case "last_key":
                return float(bool(entry.keys.last))
            case "dead_end":
                return float(entry.dead_end)
            case "optional":
                return float(entry.optional)
            case "potions_behind":
                return self._shared(entry.potions)
        least = entry.min_cost
        return 0.0 if least is None else self._shared(least.saving)

    def _shared(self, hp: int) -> float:
        return min(LIMIT, max(-LIMIT, hp / self._hp))
