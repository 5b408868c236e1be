"""What acts for the hero besides the policy: assists and overrides, validated."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mt_gym.analysis.options import Options
from mt_gym.errors import MtGymError

ASSISTS: Final = ("collect", "free_fights", "gates", "stairs", "only_choice")
"""Names of the assists, in the order in which they are asked."""

OVERRIDES: Final = ("mechanical", "rule4")
"""Names of the overrides, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Everything that `mt_gym.play` needs to know besides tower and state.

    Attributes:
        options: turn limit and rule-4 share.
        assists: names out of `ASSISTS`.
        overrides: names out of `OVERRIDES`, in their order.
        one_floor: the hero acts on the floor where he stands and travels to the
            others; without it every visited floor is within his reach.
    """

    options: Options
    assists: frozenset[str] = frozenset(ASSISTS)
    overrides: tuple[str, ...] = ("mechanical",)
    one_floor: bool = False


def assist_names(value: bool | Sequence[str] | None) -> tuple[str, ...]:
    """The assists that a keyword names, in the order of `ASSISTS`.

    Args:
        value: True or None for all, False for none, or a list of names.

    Raises:
        MtGymError: anything else, with what is allowed.
    """
    if value is None or value is True:
        return ASSISTS
    if value is False:
        return ()
    return _names("assists", value, ASSISTS, "True, False or a list")


def override_names(value: Sequence[str]) -> tuple[str, ...]:
    """The overrides that a keyword names, in the order of `OVERRIDES`.

    Raises:
        MtGymError: anything but a list of known names.
    """
    return _names("overrides", value, OVERRIDES, "a list")


def _names(
    keyword: str, value: object, allowed: tuple[str, ...], expected: str
) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise MtGymError(
            f"{keyword} must be {expected} out of {', '.join(allowed)}; got {value!r}"
        )
    for name in value:
        if name not in allowed:
            near = difflib.get_close_matches(str(name), allowed, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise MtGymError(
                f"{keyword}: unknown name {name!r}{hint} "
                f"(allowed: {', '.join(allowed)})"
            )
    return tuple(name for name in allowed if name in value)
