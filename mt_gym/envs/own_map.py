"""An id that stands for one map plays that map."""

from __future__ import annotations

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from mt_gym.errors import MtGymError


class OwnMap:
    """Refuses a spec whose keyword `shipped` is not the one of its registered id.

    `gymnasium.make` gives an environment its spec right after it is made; the keyword
    is the registration's, and what a caller puts in its place would be played under
    the name of another floor.
    """

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """What the environment was made from; None if not by `gymnasium.make`.

        Raises:
            MtGymError: when it is set to one that stands for another map.
        """
        return self._spec

    @spec.setter
    def spec(self, value: EnvSpec | None) -> None:
        registered = None if value is None else gym.registry.get(value.id)
        if value is not None and registered is not None:
            own = registered.kwargs.get("shipped")
            given = value.kwargs.get("shipped")
            if given != own:
                raise MtGymError(
                    f"{value.id} plays {own!r}: shipped={given!r} is not allowed "
                    "(other maps have their own id, or MagicTower-v0 takes tower=)"
                )
        self._spec = value
