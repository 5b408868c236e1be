"""A moment of the game: the world that heroes share, and one hero in it.

Few packed integers, so that a transition builds three small tuples.  Sets of
objects are bit masks over the board's object numbers.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from mt_gym.engine.kinds import RESOURCES
from mt_gym.errors import MtGymError

N_RESOURCES = len(RESOURCES)
POSITION = N_RESOURCES
REACH = N_RESOURCES + 1


class World(NamedTuple):
    """What is left of the tower.

    Attributes:
        gone: objects that were defeated, opened, taken, climbed or removed.
        hidden: objects that no script has revealed yet.
        flags: script flags; bit 0 says that the game is won.
        counts: purchases per shop with a growing price.
        epochs: strengthening per monster kind that a script can strengthen.
        visited: floors that the hero has stood on.
        tower: digest of the tower this world belongs to.
    """

    gone: int
    hidden: int
    flags: int
    counts: tuple[int, ...]
    epochs: tuple[int, ...]
    visited: int
    tower: str


class Hero(NamedTuple):
    """The hero's numbers, where he stands, and what he touches.

    Attributes:
        position: cell number of the board; decides only walks and drawing.
        reach: objects next to the cells he can walk to, and (above the board's
            object bits) the regions of those cells.  It follows from the world.
    """

    hp: int
    atk: int
    defense: int
    mdef: int
    gold: int
    exp: int
    level: int
    yellow: int
    blue: int
    red: int
    green: int
    pickaxe: int
    bomb: int
    token: int
    position: int
    reach: int


class State(NamedTuple):
    """A frozen state of one hero's game.

    Equality and hashing use `key`: two states are equal when nothing but the
    place where the hero stands differs.

    >>> import mt_gym
    >>> state = mt_gym.load("simple").initial_state()
    >>> State.from_json(state.to_json()) == state
    True
    """

    world: World
    hero: Hero

    @property
    def key(self) -> tuple[object, ...]:
        """Identity without the position."""
        return (self.world, self.hero[:N_RESOURCES])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.world == other.world
            and self.hero[:N_RESOURCES] == other.hero[:N_RESOURCES]
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.world, self.hero[:N_RESOURCES]))

    @property
    def won(self) -> bool:
        """Whether the goal has been reached."""
        return bool(self.world.flags & 1)

    def to_json(self) -> str:
        """A JSON object with every part of the state; sets as sorted lists."""
        world, hero = self
        return json.dumps(
            {
                "tower": world.tower,
                "gone": bits(world.gone),
                "hidden": bits(world.hidden),
                "flags": bits(world.flags),
                "counts": list(world.counts),
                "epochs": list(world.epochs),
                "visited": bits(world.visited),
                "hero": dict(zip(RESOURCES, hero[:N_RESOURCES], strict=True)),
                "position": hero.position,
                "reach": bits(hero.reach),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> State:
        """The state that `to_json` wrote.

        Raises:
            MtGymError: the text is no state; `Tower.check` says whether a state
                belongs to a tower.
        """
        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise MtGymError(f"not a state: {error}") from error
        if not isinstance(data, dict):
            raise MtGymError("not a state: a JSON object is expected")
        missing = [key for key in _KEYS if key not in data]
        unknown = [key for key in data if key not in _KEYS]
        if missing or unknown:
            raise MtGymError(
                f"not a state: missing {missing}, unknown {unknown}; "
                f"allowed keys are {list(_KEYS)}"
            )
        hero = data["hero"]
        if not isinstance(hero, dict) or set(hero) != set(RESOURCES):
            raise MtGymError(f"not a state: 'hero' needs exactly {list(RESOURCES)}")
        numbers = [_integer(hero[name], f"hero.{name}") for name in RESOURCES]
        world = World(
            _mask(data["gone"], "gone"),
            _mask(data["hidden"], "hidden"),
            _mask(data["flags"], "flags"),
            tuple(_integers(data["counts"], "counts")),
            tuple(_integers(data["epochs"], "epochs")),
            _mask(data["visited"], "visited"),
            str(data["tower"]),
        )
        position = _integer(data["position"], "position")
        reach = _mask(data["reach"], "reach")
        return cls(world, Hero._make([*numbers, position, reach]))


_MAX_BIT = 100_000
_KEYS = (
    "tower",
    "gone",
    "hidden",
    "flags",
    "counts",
    "epochs",
    "visited",
    "hero",
    "position",
    "reach",
)


def bits(mask: int) -> list[int]:
    """Numbers of the set bits, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(numbers: list[int]) -> int:
    """The mask whose set bits are `numbers`."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _integer(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise MtGymError(
            f"not a state: {name!r} must be an integer >= 0, got {value!r}"
        )
    return value


def _integers(value: Any, name: str) -> list[int]:
    if not isinstance(value, list):
        raise MtGymError(f"not a state: {name!r} must be a list of integers")
    return [_integer(item, name) for item in value]


def _mask(value: Any, name: str) -> int:
    numbers = _integers(value, name)
    if numbers and max(numbers) > _MAX_BIT:
        raise MtGymError(f"not a state: {name!r} has a number above {_MAX_BIT}")
    return mask_of(numbers)
