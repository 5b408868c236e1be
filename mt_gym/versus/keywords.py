"""Keywords of race and duel: those of the single environment that make sense there."""

from __future__ import annotations

import operator
from typing import Any, Final

from mt_gym.engine.tower import Tower
from mt_gym.envs.keywords import (
    Config,
    configure,
    refuse_unknown,
)
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.settings import ASSISTS

SHARED: Final = (
    "observation",
    "annotations",
    "lookahead_depth",
    "rule4_share",
    "max_turns",
    "assists",
    "overrides",
    "info_level",
)
"""Keywords that mean here what they mean in the single environment."""

DUEL_ASSISTS: Final = tuple(name for name in ASSISTS if name != "only_choice")
"""Assists of a duel: as one may always pass, nothing is the only choice."""


def race_configs(
    tower: Tower, keywords: dict[str, Any], players: int
) -> tuple[Config, ...]:
    """The checked keywords of a game, one set a player.

    They differ in `observation` alone, if a list names one for each player.

    Raises:
        MtGymError: an unknown keyword or value; `features` (it has no text: wrap the
            game instead); or observations that bring other rules of play, such as
            `tower-1`, which acts floor by floor.
    """
    refuse_unknown((name for name in keywords if name not in SHARED), SHARED)
    wanted = keywords.get("observation")
    if not isinstance(wanted, list | tuple):
        wanted = [wanted] * players
    if len(wanted) != players:
        raise MtGymError(
            f"observation: a list of {players} is expected, one for each player; got "
            f"{list(wanted)!r}"
        )
    common = {"info_level": "full", **keywords}
    found = []
    for name in wanted:
        config = configure(tower, **{**common, "observation": name})
        if config.observation in ("features", "tower-1"):
            raise MtGymError(
                f"observation={config.observation!r}: the text of a game of several "
                "players is annotated or bare; for arrays alone see "
                "versus.wrappers.numeric_only"
            )
        found.append(config)
    if any(config.settings != found[0].settings for config in found):
        raise MtGymError(
            f"observation={list(wanted)!r}: their assists, overrides or shares differ, "
            "but all players of a game play by the same"
        )
    return tuple(found)


def duel_configs(tower: Tower, keywords: dict[str, Any]) -> tuple[Config, ...]:
    """The checked keywords of a duel, one set a player.

    Raises:
        MtGymError: as `race_configs`, or the assist `only_choice`.
    """
    assists = keywords.get("assists")
    if assists is None or assists is True:
        keywords = {**keywords, "assists": list(DUEL_ASSISTS)}
    configs = race_configs(tower, keywords, 2)
    if "only_choice" in configs[0].settings.assists:
        raise MtGymError(
            "assists: a duel has no 'only_choice', as one may always pass (allowed: "
            f"{', '.join(DUEL_ASSISTS)})"
        )
    return configs


def action_index(agent: str, action: Any, rows: int) -> int:
    """An action as an index.

    Raises:
        IllegalAction: it is no integer from 0 to `rows - 1`.
    """
    try:
        number = operator.index(action)
    except TypeError:
        number = -1
    if not 0 <= number < rows:
        raise IllegalAction(
            f"{agent}: {action!r} is no action index: an integer from 0 to {rows - 1} "
            "is expected"
        )
    return number
