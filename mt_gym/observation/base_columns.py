"""The columns of the features: which there are, and what each means."""

from __future__ import annotations

from typing import Final

from mt_gym.engine.kinds import RESOURCES
from mt_gym.observation.columns import LIMIT, Column, annotation_columns

NO_ANNOTATIONS: Final[frozenset[str]] = frozenset()


def _flag(name: str, meaning: str) -> Column:
    return Column(name, 0.0, 1.0, meaning)


def _net(name: str) -> Column:
    return Column(
        name, -LIMIT, LIMIT, f"{name} that it gives, less what it takes, in shares"
    )


FEATURE_COLUMNS: Final = (
    _flag("is_fight", "verb fight"),
    _flag("is_door", "verb open, with a key"),
    _flag("is_gate", "verbs open without a key, break, bomb"),
    _flag("is_item", "verb collect"),
    _flag("is_offer", "verbs choose, buy, sell, trade"),
    _flag("is_talk", "verb talk"),
    _flag("is_stairs", "verbs climb, travel"),
    _flag("is_goal", "done once, it wins"),
    _flag("present", "the object is there: revealed and not gone"),
    _flag("reachable", "the hero can walk up to it"),
    _flag("legal", "it is executed if it is chosen"),
    _flag("survivable", "legal, and the hero lives on"),
    _flag("cost", "share of HP that the fight takes; 1 if lethal or unwinnable"),
    Column("hp_after", 0.0, LIMIT, "HP after the action, in shares; 0 if not alive"),
    *(_net(name) for name in ("hp", "atk", "def", "mdef")),
    *(_net(name) for name in ("yellow", "blue", "red", "green", "gold", "exp")),
)
"""Columns of `objects` that need no annotation; those of annotations follow them.

A share is a number over `resource_scales`: what the hero starts with plus what lies
on the tower.
"""

HERO_COLUMNS: Final = (
    *(Column(name, 0.0, LIMIT, f"{name}, in shares") for name in RESOURCES),
    _flag("turn", "completed turns over the turn limit"),
    _flag("defeated", "share of the tower's monsters that are gone"),
)
"""Numbers of `hero`."""

N_COLUMNS: Final = len(FEATURE_COLUMNS)
_INDEX: Final = {column.name: i for i, column in enumerate(FEATURE_COLUMNS)}
NET_COLUMNS: Final = tuple(
    (_INDEX[name], slot) for slot, name in enumerate(RESOURCES) if name in _INDEX
)
"""Columns of what an action gives and takes, each with its resource."""


def feature_columns(annotations: frozenset[str]) -> tuple[Column, ...]:
    """The columns of `objects` for a choice of annotations."""
    return (*FEATURE_COLUMNS, *annotation_columns(annotations))
