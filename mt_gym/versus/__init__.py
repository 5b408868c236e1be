"""Several players on one floor: `race` (a copy for each) and `duel` (one for both).

Needs the extra `marl`.  Importing this registers the games with PettingZoo.
"""

from __future__ import annotations

from mt_gym.errors import MtGymError

try:
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    raise MtGymError(
        "games of several players need PettingZoo: pip install 'mt-gym[marl]'"
    ) from error

from mt_gym.versus.registration import register_games

__all__ = ["register_games"]

register_games()
