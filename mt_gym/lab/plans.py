"""From a command's options to a plan, with what fits one floor or many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mt_gym.agents.rl.network import Network, Shape
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.lab.arena import Help
from mt_gym.lab.ppo import FLAT_COLUMNS, Plan, flat_shape
from mt_gym.observation.annotations import resolve
from mt_gym.observation.columns import annotation_columns
from mt_gym.observation.features import FEATURE_COLUMNS


@dataclass(frozen=True, slots=True)
class Options:
    """Of `mt-gym train`, as they were given; None stands for what fits the floors.

    Attributes:
        seed: of everything random.
        width, attention: of the network.
        annotations: names by comma, `all` or `none`: whose columns it reads.
        frames, copies, rate, entropy, potential, spare, explore, weight, warm: of PPO.
    """

    seed: int
    width: int | None
    attention: int | None
    annotations: str | None
    frames: int
    copies: int
    rate: float
    entropy: float
    potential: bool
    spare: float | None
    explore: float
    weight: float
    warm: int | None

    def __post_init__(self) -> None:
        """Raise an error for a number that is no share, rate or weight."""
        for name in ("rate", "entropy", "spare", "explore", "weight"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise MtGymError(
                    f"--{name} must be a finite number from 0 on, got {value!r}"
                )
        if not self.rate:
            raise MtGymError("--rate must be above 0")


def shape_for(towers: Sequence[Tower], options: Options, several: bool) -> Shape:
    """The network that learns.

    Raises:
        MtGymError: attention for a network that knows one floor's rows, an unknown
            annotation, or no width.
    """
    width = (64 if several else 128) if options.width is None else options.width
    names = options.annotations or ("all" if several else "none")
    chosen = {"all": None, "none": []}.get(names, names.split(","))
    shown = tuple(column.name for column in annotation_columns(resolve(chosen)))
    if not several:
        if options.attention:
            raise MtGymError(
                "--attention is for sets of floors: a network for one floor knows its "
                "actions by their number"
            )
        return flat_shape(towers[0], width, (*FLAT_COLUMNS, *shown))
    base = tuple(column.name for column in FEATURE_COLUMNS)
    attention = 1 if options.attention is None else options.attention
    return Shape(columns=(*base, *shown), width=width, attention=attention)


def ppo_plan(
    towers: Sequence[Tower], options: Options, several: bool, start: Network | None
) -> Plan:
    """How PPO learns.

    Raises:
        MtGymError: as `shape_for`, or weights of a network for another floor.
    """
    hp = min(tower.initial_state().hero.hp for tower in towers)
    spare = (0.3 if several else 0.9) if options.spare is None else options.spare
    aid = Help(
        weight=options.weight,
        prices=None if options.potential else {},
        spare=round(spare * hp),
        explore=options.explore,
        starts=8 if several else 400,
    )
    warm = (0 if start is None else 100_000) if options.warm is None else options.warm
    return Plan(
        frames=options.frames,
        seed=options.seed,
        copies=options.copies,
        rate=options.rate,
        entropy=options.entropy,
        aid=aid,
        spare_end=0 if several else round(0.13 * hp),
        warm=warm,
        shape=shape_for(towers, options, several)
        if start is None
        else fitting(start.shape, towers, options),
        every=max(1, options.frames // 10),
    )


def fitting(shape: Shape, towers: Sequence[Tower], options: Options) -> Shape:
    """The shape of weights to begin with, if it fits the floors.

    Raises:
        MtGymError: it knows one floor's rows, of another number than these floors', or
            the options ask for another shape.
    """
    for name in ("width", "attention", "annotations"):
        if getattr(options, name) is not None:
            raise MtGymError(f"--{name}: the weights of --start have their own")
    other = [tower for tower in towers if len(tower.actions) != shape.rows]
    if shape.rows and other:
        raise MtGymError(
            f"--start: a network for a floor of {shape.rows} actions, and "
            f"{other[0].name!r} has {len(other[0].actions)}"
        )
    return shape
