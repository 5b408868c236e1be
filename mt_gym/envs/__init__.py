"""The Gymnasium environment: spaces, rewards, rendering, registration.

What is exported here is loaded when it is asked for: `import mt_gym` registers the
environments through this room and must stay light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mt_gym.envs.info import ActionInfo, ExecutedInfo

__all__ = ["ActionInfo", "ExecutedInfo"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mt_gym.envs import info

    return getattr(info, name)
