"""Magic Tower Gym: the deterministic puzzle RPG "Magic Tower" as an environment.

Importing it registers the environments with Gymnasium.
"""

from __future__ import annotations

from mt_gym.engine.board import Action
from mt_gym.engine.load import load, loads, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.registration import register_envs
from mt_gym.errors import (
    IllegalAction,
    LimitReached,
    MapError,
    MtGymError,
    PolicyError,
    StateMismatch,
    UnknownFloor,
)

__all__ = [
    "Action",
    "IllegalAction",
    "LimitReached",
    "MapError",
    "MtGymError",
    "PolicyError",
    "State",
    "StateMismatch",
    "Tower",
    "UnknownFloor",
    "load",
    "loads",
    "register_envs",
    "shipped",
]

register_envs()
