"""Keywords of the batch environment: those of the single one that it can serve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gymnasium.vector import AutoresetMode

from mt_gym.engine.tower import Tower
from mt_gym.envs.keywords import Config, configure, named_tower, one_of
from mt_gym.errors import MtGymError

_ALLOWED: Final[dict[str, tuple[Any, ...]]] = {
    "observation": ("features",),
    "info_level": ("mask",),
    "render_mode": (None,),
    "overrides": ([], ()),
}


def mode_of(value: str | AutoresetMode) -> AutoresetMode:
    """The mode of a name.

    Raises:
        MtGymError: an unknown one.
    """
    if isinstance(value, AutoresetMode):
        return value
    one_of("autoreset_mode", value, [mode.value for mode in AutoresetMode])
    return AutoresetMode(value)


def towers_of(tower: str | Sequence[str] | None, shipped: str | None) -> list[Tower]:
    """The tower of each copy, in turn.

    Raises:
        MtGymError: there is no such map.
    """
    if tower is None or isinstance(tower, str):
        return [named_tower(tower, shipped)]
    if shipped is not None or not isinstance(tower, list | tuple) or not tower:
        raise MtGymError(f"tower must be a name, a path or a list; got {tower!r}")
    return [named_tower(name, None) for name in tower]


def _is_one_of(value: object, allowed: tuple[Any, ...]) -> bool:
    """Whether a value is allowed, type included: arrays are not to be compared."""
    return any(type(value) is type(one) and value == one for one in allowed)


def configs_of(towers: Sequence[Tower], keywords: dict[str, Any]) -> list[Config]:
    """The keywords of each tower, refused where the batch has no answer to them.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """
    for name, allowed in _ALLOWED.items():
        if name in keywords and not _is_one_of(keywords[name], allowed):
            raise MtGymError(
                f"{name}={keywords[name]!r}: the batch environment takes only "
                f"{allowed[0]!r}"
            )
    assists = keywords.get("assists", True)
    if not isinstance(assists, bool) and assists is not None:
        raise MtGymError(
            f"assists={assists!r}: the batch environment takes only True or False"
        )
    plain = {k: v for k, v in keywords.items() if k != "render_mode"}
    plain |= {"observation": "features", "overrides": [], "assists": assists}
    plain.setdefault("annotations", [])
    return [configure(tower, **plain) for tower in towers]
