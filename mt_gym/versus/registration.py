"""Registers race and duel with PettingZoo: for every shipped map, and for any map."""

from __future__ import annotations

from typing import Final, Literal

import pettingzoo

from mt_gym.engine.load import shipped

NAMESPACE: Final = "MagicTower"

Api = Literal["aec", "parallel"]

ENTRY_POINTS: Final[dict[str, tuple[Api, str]]] = {
    "race": ("parallel", "mt_gym.versus.race:parallel_env"),
    "duel": ("aec", "mt_gym.versus.duel:env"),
}
"""PettingZoo's registry and the constructor of each game."""


def game_id(mode: str, floor: str | None = None) -> str:
    """The id of a game on a shipped map; without one, of the game that takes `tower`.

    >>> game_id("duel", "simple")
    'MagicTower/duel-simple-v0'
    """
    return (
        f"{NAMESPACE}/{mode}-v0" if floor is None else f"{NAMESPACE}/{mode}-{floor}-v0"
    )


def register_games() -> tuple[str, ...]:
    """Register every id that is not registered yet; returns all of them."""
    known = {"aec": pettingzoo.aec_registry, "parallel": pettingzoo.parallel_registry}
    ids = []
    for mode, (api, entry_point) in ENTRY_POINTS.items():
        for floor in (None, *shipped()):
            name = game_id(mode, floor)
            ids.append(name)
            if name not in known[api]:
                keywords = {} if floor is None else {"tower": floor}
                pettingzoo.register(api, name, entry_point, kwargs=keywords)
    return tuple(ids)
