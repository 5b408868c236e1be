"""What a map file says, as frozen data.

Everything on a map is a `Kind`; everything that can be done with it is a `Row` of
one effect table: condition, cost, gain, effects.  Scripts are rows as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

RESOURCES: Final = (
    "hp",
    "atk",
    "def",
    "mdef",
    "gold",
    "exp",
    "level",
    "yellow",
    "blue",
    "red",
    "green",
    "pickaxe",
    "bomb",
    "token",
)
"""Names of the hero's numbers, in the order in which `Hero` holds them."""

HP, ATK, DEF, MDEF, GOLD, EXP, LEVEL = range(7)
YELLOW, BLUE, RED, GREEN, PICKAXE, BOMB, TOKEN = range(7, 14)
RESOURCE_INDEX: Final = {name: i for i, name in enumerate(RESOURCES)}
STATS: Final = ("atk", "def", "mdef")
KEYS: Final = ("yellow", "blue", "red", "green")

VERBS: Final = (
    "fight",
    "open",
    "collect",
    "choose",
    "buy",
    "sell",
    "trade",
    "talk",
    "climb",
    "travel",
    "break",
    "bomb",
    "finish",
    "pass",
)

TYPES: Final = (
    "monster",
    "door",
    "gate",
    "bars",
    "item",
    "crystal",
    "shop",
    "trade",
    "character",
    "stairs",
    "wall",
    "goal",
)

CATEGORIES: Final = (
    "gem",
    "potion",
    "key",
    "key_box",
    "sword",
    "shield",
    "feather",
    "gold",
    "holy_water",
    "compass",
    "quest",
    "tool",
    "token",
)
"""What an item is for: drawing, treasure lists and words, never the rules."""

Amounts = tuple[tuple[str, int], ...]
"""Sparse vector over `RESOURCES`, in their order."""

Ratio = tuple[int, int]


def amounts(values: dict[str, int]) -> Amounts:
    """A sparse vector in canonical order, without zeros."""
    return tuple((name, values[name]) for name in RESOURCES if values.get(name, 0))


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A cell of a tower: floor id, column, row; (0, 0) is top left."""

    floor: str
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.floor}:{self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold before a row can be executed; all parts together."""

    holds: Amounts = ()
    flags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    gone: tuple[Spot, ...] = ()
    count: int = 0
    """How many objects of `gone` must be gone; 0 for all."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One small operation.

    `op` is one of `remove` (the object at `spot` is gone: opened, taken away),
    `reveal` (the hidden object at `spot` appears), `strengthen` (monsters of kind
    `name` move to their next values), `scale` (resource `name` times `ratio`),
    `set` and `clear` (flag `name`), `win`.
    """

    op: str
    name: str = ""
    spot: Spot | None = None
    ratio: Ratio = (1, 1)


OPS: Final = ("remove", "reveal", "strengthen", "scale", "set", "clear", "win")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the effect table: something that can be done with an object.

    Executed in this order: cost, gain, the object itself (if `consumes`), effects.
    """

    verb: str
    condition: Condition = Condition()
    cost: Amounts = ()
    gain: Amounts = ()
    growth: int = 0
    """The single cost grows by this with each purchase at the same shop."""
    doubles_with: str = ""
    """The gain doubles with each unit of this resource (tokens)."""
    consumes: bool = True
    """The object is gone afterwards."""
    once: bool = False
    """A talk that cannot be repeated although its character stays."""
    effects: tuple[Effect, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """A monster's numbers at one epoch."""

    hp: int
    atk: int
    defense: int
    gold: int = 0
    exp: int = 0


@dataclass(frozen=True, slots=True)
class Abilities:
    """A monster's special abilities with their parameters (see `rules.fight_loss`)."""

    mimic: bool = False
    solid: bool = False
    vampire: Ratio | None = None
    magic: bool = False
    hits: int = 1
    counter: Ratio | None = None
    first_strike: bool = False
    armour_break: Ratio | None = None
    purify: int = 0
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Kind:
    """Everything of one name: what it is and what can be done with it.

    Attributes:
        name: unique in the tower; what the player reads.
        type: one of `TYPES`.
        rows: what can be done; for a monster the fight's extra effects.
        values: a monster's numbers by epoch, else empty.
        category: one of `CATEGORIES` for items, else empty.
        manual: an item that no assist takes.
        carried: an item the hero keeps: sets the flag of its name.
        blocks: stands in the way while it is there.
        anywhere: a shop without a cell, open from the first turn.
        boss: bombs cannot remove it.
        currency: of a shop, for words.
    """

    name: str
    type: str
    rows: tuple[Row, ...] = ()
    values: tuple[Stats, ...] = ()
    abilities: Abilities = Abilities()
    category: str = ""
    manual: bool = False
    carried: bool = False
    blocks: bool = True
    anywhere: bool = False
    boss: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    """What a letter of the legend puts on a cell.

    `to` is set for stairs: the floor, or the exact cell, they lead to.
    """

    kind: str
    to: str = ""
    direction: str = ""
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Hidden:
    """An object that is not there until a script reveals it."""

    spot: Spot
    placement: Placement


@dataclass(frozen=True, slots=True)
class Floor:
    """One drawn floor.

    Attributes:
        id: short name, part of action texts (`MT3`).
        rows: the drawing; `#` wall, `.` floor, `@` start, else a legend letter.
        legend: letter and placement, in file order.
        hidden: objects that scripts reveal.
        portals: pairs of cells that touch; `links` may name other floors.
    """

    id: str
    rows: tuple[str, ...]
    legend: tuple[tuple[str, Placement], ...] = ()
    title: str = ""
    hidden: tuple[Hidden, ...] = ()
    about: str = ""

    @property
    def width(self) -> int:
        """Columns of the drawing."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Rows of the drawing."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Script:
    """A row that a place or an event runs.

    With `at`, the row is added to the main action of the object there.  Without,
    it is a trigger: it runs once, as soon as its condition holds.
    """

    row: Row
    at: Spot | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """What wins: `defeat` a monster, `reach` a goal cell, `take` an item, `script`."""

    type: str
    name: str = ""
    at: Spot | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults of a map for the environment and its annotations."""

    max_turns: int = 300
    lookahead_depth: int = 3
    rule4_share: Ratio = (2, 5)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is known about the best play.

    Attributes:
        optimum: best final HP of the free game; with status `bounded` the
            witness's HP, which is only reached, not proved best.
        route: action texts of a witness, every turn of it.
        status: `optimal` or `bounded`.
        bound: an upper bound where the status is `bounded`.
        assisted_optimum: best final HP with the assists, where it differs.
        method: how it was proved.
        profile: figures of difficulty by name (see `generator.profile`).
    """

    optimum: int
    route: tuple[str, ...] = ()
    status: str = "optimal"
    bound: int | None = None
    assisted_optimum: int | None = None
    method: str = ""
    profile: tuple[tuple[str, int], ...] = ()


BUILT_IN: Final[tuple[Kind, ...]] = (
    *(
        Kind(
            name=f"{colour.title()} Door",
            type="door",
            rows=(Row("open", cost=((colour, 1),)),),
        )
        for colour in KEYS
    ),
    Kind("Gate", "gate", (Row("open"),)),
    Kind("Iron Bars", "bars"),
    Kind("Breakable Wall", "wall", (Row("break", cost=(("pickaxe", 1),)),)),
    Kind("Exit", "goal", (Row("finish"),)),
    Kind("Stairs Up", "stairs", (Row("climb"),)),
    Kind("Stairs Down", "stairs", (Row("climb"),)),
)
"""Kinds that every tower has."""

WALL, GROUND, START = "#", ".", "@"


@dataclass(frozen=True, slots=True)
class TowerData:
    """A whole map file, before it is compiled."""

    name: str
    hero: Amounts
    floors: tuple[Floor, ...]
    goal: Goal
    kinds: tuple[Kind, ...] = ()
    scripts: tuple[Script, ...] = ()
    portals: tuple[tuple[Spot, Spot], ...] = ()
    settings: Settings = Settings()
    title: str = ""
    about: str = ""
    certificate: Certificate | None = field(default=None, compare=False)
