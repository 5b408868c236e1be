"""A walk over everything that a map holds, for whoever changes some of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from mt_gym.engine.kinds import TowerData

Part = TypeVar("Part")


def rebuilt(data: TowerData, part: Callable[[object], object]) -> TowerData:
    """A map with `part` applied to all that is in it but the certificate."""
    certificate = data.certificate
    new = each_field(replace(data, certificate=None), part)
    return replace(new, certificate=certificate)


def each_field(whole: Part, part: Callable[[object], object]) -> Part:
    """A frozen dataclass with `part` applied to all that is in it.

    `part` answers None for what it leaves as it is but for its own parts.
    """
    thing: Any = whole
    changed = {f.name: _walk(getattr(thing, f.name), part) for f in fields(thing)}
    rebuilt: Part = replace(thing, **changed)
    return rebuilt


def _walk(value: Any, part: Callable[[object], object]) -> Any:
    new = part(value)
    if new is not None:
        return new
    if isinstance(value, tuple):
        return tuple(_walk(item, part) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return each_field(value, part)
    return value
