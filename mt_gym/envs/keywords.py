"""The environment's keywords: what is allowed, the defaults, one error each."""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.rewards import REWARDS
from mt_gym.errors import MtGymError
from mt_gym.observation import resolve
from mt_gym.play.settings import PlaySettings, assist_names, override_names

KEYWORDS: Final = (
    "tower",
    "observation",
    "annotations",
    "lookahead_depth",
    "rule4_share",
    "max_turns",
    "assists",
    "overrides",
    "reward",
    "on_illegal",
    "info_level",
    "num_actions",
    "render_mode",
)
"""Keywords of `MagicTowerEnv`, all of them JSON values."""

OBSERVATIONS: Final = ("annotated", "bare", "features")
"""Observations of a single floor, the default first."""

TOWER_OBSERVATIONS: Final = ("tower-final", "tower-2", "tower-1", "bare", "features")
"""Observations of a map of several floors, the default first."""

ON_ILLEGAL: Final = ("penalise", "raise")
INFO_LEVELS: Final = ("full", "mask")
MOST_ACTIONS: Final = 100_000
"""Size to which an action space may be padded; the whole tower has some 700."""

RENDER_MODES: Final = ("ansi", "rgb_array", "human")

_EARLIER: Final = ("tower-1", "tower-2")
_EARLIER_SHARE: Final = (2, 5)
_EARLIER_OVERRIDES: Final = ("mechanical", "rule4")
_TOWER_1_ASSISTS: Final = ("collect", "free_fights", "gates")


@dataclass(frozen=True, slots=True)
class Config:
    """An environment's keywords, checked and with their defaults filled in.

    Attributes:
        observation: one of the names for the tower's number of floors.
        annotations: names of those that are shown.
        settings: assists, overrides and options.
        reward: a name out of `rewards.REWARDS`.
        on_illegal: `penalise` or `raise`; info_level: `full` or `mask`.
        rows: size of the action space.
    """

    observation: str
    annotations: frozenset[str]
    settings: PlaySettings
    reward: str
    on_illegal: str
    info_level: str
    rows: int


def configure(
    tower: Tower,
    observation: str | None = None,
    annotations: list[str] | tuple[str, ...] | None = None,
    lookahead_depth: int | None = None,
    rule4_share: Sequence[int] | None = None,
    max_turns: int | None = None,
    assists: bool | Sequence[str] | None = None,
    overrides: Sequence[str] | None = None,
    reward: str = "goal_score",
    on_illegal: str = "penalise",
    info_level: str | None = None,
    num_actions: int | None = None,
) -> Config:
    """Check an environment's keywords against its tower.

    Raises:
        MtGymError: a value that is not allowed, with those that are.
    """
    several = len(tower.floors) > 1
    names = TOWER_OBSERVATIONS if several else OBSERVATIONS
    chosen = names[0] if observation is None else observation
    one_of("observation", chosen, names, f" on {tower.name!r}")
    earlier = chosen in _EARLIER
    if rule4_share is None and earlier:
        rule4_share = _EARLIER_SHARE
    if rule4_share is not None:
        rule4_share = list(rule4_share) if _is_list(rule4_share) else rule4_share
    if assists is None and chosen == "tower-1":
        assists = _TOWER_1_ASSISTS
    if overrides is None:
        overrides = _EARLIER_OVERRIDES if earlier else ("mechanical",)
    if info_level is None:
        info_level = "mask" if chosen == "features" else "full"
    options = Options.of(tower, lookahead_depth, rule4_share, max_turns)  # type: ignore[arg-type]
    return Config(
        observation=chosen,
        annotations=resolve(annotations),
        settings=PlaySettings(
            options,
            frozenset(assist_names(assists)),
            override_names(overrides),
            one_floor=chosen == "tower-1",
        ),
        reward=one_of("reward", reward, tuple(REWARDS)),
        on_illegal=one_of("on_illegal", on_illegal, ON_ILLEGAL),
        info_level=one_of("info_level", info_level, INFO_LEVELS),
        rows=_rows(tower, num_actions),
    )


def one_of(keyword: str, value: object, allowed: Iterable[str], where: str = "") -> str:
    """A value out of those allowed.

    Raises:
        MtGymError: it is none of them.
    """
    names = tuple(allowed)
    if isinstance(value, str) and value in names:
        return value
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise MtGymError(
        f"{keyword}={value!r} is unknown{where}{hint} (allowed: {', '.join(names)})"
    )


def refuse_unknown(unknown: Iterable[str], allowed: Sequence[str]) -> None:
    """Raise an error that names a keyword nobody knows, if there is one."""
    for name in unknown:
        near = difflib.get_close_matches(name, allowed, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise MtGymError(
            f"unknown keyword {name!r}{hint} (allowed: {', '.join(allowed)})"
        )


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _rows(tower: Tower, num_actions: int | None) -> int:
    least = len(tower.actions)
    if num_actions is None:
        return least
    if isinstance(num_actions, bool) or not isinstance(num_actions, int):
        raise MtGymError(f"num_actions must be an integer, got {num_actions!r}")
    if num_actions < least:
        raise MtGymError(
            f"num_actions={num_actions} is too small: {tower.name!r} has {least} "
            "actions"
        )
    if num_actions > MOST_ACTIONS:
        raise MtGymError(
            f"num_actions={num_actions} is too large: at most {MOST_ACTIONS} are "
            "allowed"
        )
    return num_actions


def render_modes() -> tuple[str, ...]:
    """Render modes that this installation can serve: `human` needs pygame."""
    if importlib.util.find_spec("pygame") is None:
        return tuple(mode for mode in RENDER_MODES if mode != "human")
    return RENDER_MODES


def named_tower(tower: str | None, shipped: str | None) -> Tower:
    """The tower of the keywords `tower` and `shipped`, of which one is given.

    Raises:
        MtGymError: both or neither is given, or there is no such map.
    """
    if shipped is not None:
        if tower is not None:
            raise MtGymError(
                f"tower={tower!r} is a keyword of MagicTower-v0; this id stands for "
                f"{shipped!r}"
            )
        return load(shipped)
    if not isinstance(tower, str):
        raise MtGymError(
            "tower must be the name of a shipped map or the path of a map file, "
            f"got {tower!r}"
        )
    return load(tower)


def state_option(options: dict[str, Any] | None) -> State | None:
    """The state among the options of `reset`, if there is one.

    Raises:
        MtGymError: another option, or something that is no state.
    """
    if options is None:
        return None
    if not isinstance(options, dict):
        raise MtGymError(
            "options must be None or a dict such as {'state': state}, got "
            f"{options!r}"
        )
    refuse_unknown((str(k) for k in options if k != "state"), ("state",))
    state = options.get("state")
    if state is not None and not isinstance(state, State):
        raise MtGymError(f"options['state'] must be a State, got {state!r}")
    return state
