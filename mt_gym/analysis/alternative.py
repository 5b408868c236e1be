"""Actions whose direct unlocks another listed action opens as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mt_gym.analysis.tree import Tree

if TYPE_CHECKING:
    from mt_gym.analysis.decision import EntryFacts


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another action that opens the same things.

    Attributes:
        number: its place in the list.
        more: whether it opens more; else both open exactly the same.
    """

    number: int
    more: bool


def direct_unlocks(tree: Tree) -> int:
    """Mask of everything an action exposes by itself."""
    root = tree.root
    mask = 0
    for index in (*root.items, *root.doors, *root.monsters, *root.others):
        mask |= 1 << index
    return mask


def alternative(own: EntryFacts, others: Sequence[EntryFacts]) -> Alternative | None:
    """The first listed action that opens more, else the first that opens as much.

    Other actions with the same object do not count.
    """
    mask = own.direct_unlocks
    if not mask:
        return None
    equal: Alternative | None = None
    for other in others:
        if other.action.object == own.action.object or mask & ~other.direct_unlocks:
            continue
        if other.direct_unlocks != mask:
            return Alternative(other.number, True)
        equal = equal or Alternative(other.number, False)
    return equal
