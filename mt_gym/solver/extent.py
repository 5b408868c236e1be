"""Which towers are too big for an exact search where no compiled one applies."""

from __future__ import annotations

from typing import Final

from mt_gym.engine.tower import Tower

TOO_BIG: Final = 128
"""Gateways (monsters, doors, gates) above which only bounds are computed."""


def is_too_big(tower: Tower) -> bool:
    """Whether the worths of a tower's states are bounded and not searched exactly.

    A stated rule: several floors and more than `TOO_BIG` gateways.
    """
    if len(tower.floors) < 2:
        return False
    kinds = ("monster", "door", "gate")
    count = sum(o.kind.type in kinds for o in tower.board.objects if o.actions)
    return count > TOO_BIG
