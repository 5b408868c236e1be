"""Named sets of generated floors, which share no floor and no twin of one.

A floor's canonical form alone decides to which set it may belong, so the sets are
disjoint by construction, however many floors are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mt_gym.errors import MtGymError

CLASSES: Final = 4
"""Classes of canonical forms."""


@dataclass(frozen=True, slots=True)
class FloorSet:
    """A named set.

    Attributes:
        name: its name.
        code: part of the seed of each of its floors.
        count: how many floors it has, None for no end.
        classes: the classes of canonical forms that are its own.
    """

    name: str
    code: int
    count: int | None
    classes: tuple[int, ...]

    def owns(self, form: str) -> bool:
        """Whether a floor of that canonical form may belong to the set."""
        return int(form, 16) % CLASSES in self.classes

    def check(self, index: int) -> None:
        """Raise an error unless the set has a floor of that number."""
        last = "" if self.count is None else f" to {self.count - 1}"
        plain = isinstance(index, int) and not isinstance(index, bool)
        if not plain or index < 0 or (self.count is not None and index >= self.count):
            raise MtGymError(
                f"the set {self.name!r} has floors from 0{last}, not {index!r}"
            )


SETS: Final = {
    one.name: one
    for one in (
        FloorSet("train", 1, None, (2, 3)),
        FloorSet("validation", 2, 50, (1,)),
        FloorSet("test", 3, 100, (0,)),
    )
}
"""Sets by name."""


def set_of(name: object) -> FloorSet:
    """The set of a name.

    Raises:
        MtGymError: there is none.
    """
    if not isinstance(name, str) or name not in SETS:
        raise MtGymError(f"unknown set {name!r} (allowed: {', '.join(SETS)})")
    return SETS[name]
