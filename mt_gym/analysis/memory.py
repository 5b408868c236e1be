"""What is remembered about a tower between states: bounded, least recent out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final, TypeVar

from mt_gym.engine.tower import Tower

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LIMITS: Final = {
    "facts": 256,
    "trees": 4096,
    "opened": 4096,
    "thresholds": 16384,
    "blockers": 256,
    "ways": 512,
    "offers": 64,
    "limits": 16384,
    "bundles": 8192,
    "purses": 64,
}
"""Entries that a memory keeps, by its name."""


class Memory(OrderedDict[K, V]):
    """A mapping that forgets what was used longest ago.

    Args:
        limit: entries that are kept.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def recall(self, key: K) -> V | None:
        """The value of a key, which counts as a use; None if it is not known."""
        value = self.get(key)
        if value is not None:
            self.move_to_end(key)
        return value

    def keep(self, key: K, value: V) -> V:
        """Remember a value and return it."""
        self[key] = value
        if len(self) > self.limit:
            self.popitem(last=False)
        return value


def memory(tower: Tower, name: str) -> Memory[Any, Any]:
    """The memory of a name on the tower's side; made at its first use."""
    found = tower.caches.get(name)
    if found is None:
        found = tower.caches[name] = Memory(LIMITS[name])
    return found
