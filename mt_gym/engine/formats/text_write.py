"""Writer of the text format: a tower whose game the format can say, or a refusal.

Names, titles, settings and certificates are no part of the game and are left out;
everything that is part of it must fit, else all reasons are given at once.
"""

from __future__ import annotations

from typing import Final

from mt_gym.engine.formats.text_abilities import packed, unsayable
from mt_gym.engine.formats.text_codes import (
    BOSS,
    DOOR_CODES,
    DOWN,
    FIRST_MONSTER,
    FLOOR,
    ITEM_CODES,
    KEY_CODES,
    NO_SHOP,
    SHOP,
    SOLID_WALL,
    UP,
)
from mt_gym.engine.kinds import (
    BUILT_IN,
    GROUND,
    START,
    WALL,
    Amounts,
    Floor,
    Kind,
    Placement,
    Row,
    Spot,
    TowerData,
)
from mt_gym.errors import MtGymError

HERO: Final = ("hp", "atk", "def", "mdef", "gold", "yellow", "blue", "red")
OFFERS: Final = ("hp", "atk", "def", "mdef")
SLOTS: Final = {
    resource: tuple(c for c, item in ITEM_CODES.items() if item.resource == resource)
    for resource in OFFERS
}
"""Codes of the items that raise a resource."""


def dumps(data: TowerData) -> str:
    """The text file of a tower without defects.

    Reading it back gives the same game; data that came from such a file come back
    equal.

    Raises:
        MtGymError: the format cannot say this tower; all reasons are listed.
    """
    return _Writer(data).text()


class _Writer:
    """Collects what cannot be said, and the codes of what can."""

    def __init__(self, data: TowerData) -> None:
        self.data = data
        self.kinds = {kind.name: kind for kind in (*BUILT_IN, *data.kinds)}
        self.reasons: list[str] = []
        self.values: dict[int, int] = {}
        self.shop: Kind | None = None
        self.codes = self._item_codes() | self._shop_codes()
        self.monsters = self._monster_codes()

    def text(self) -> str:
        data = self.data
        self._check_tower()
        start = (0, 0, 0)
        for z, floor in enumerate(data.floors):
            for y, drawing in enumerate(floor.rows):
                if START in drawing:
                    start = (z, y, drawing.index(START))
        height = max(floor.height for floor in data.floors)
        width = max(floor.width for floor in data.floors)
        grids = [self._grid(z, height, width) for z in range(len(data.floors))]
        monsters = [
            " ".join(map(str, (code, *self._numbers(kind))))
            for code, kind in sorted(self.monsters.items())
        ]
        hero = dict(data.hero)
        last = [*(hero.get(name, 0) for name in HERO), *start]
        if self.reasons:
            raise MtGymError(
                f"the text format cannot say {data.name!r}: "
                + "; ".join(dict.fromkeys(self.reasons))
            )
        blocks = [
            f"{len(data.floors)}\n{height} {width}",
            *grids,
            " ".join(str(self.values.get(code, 0)) for code in ITEM_CODES),
            "\n".join([str(len(monsters)), *monsters]),
            " ".join(map(str, self._shop_numbers())),
            " ".join(map(str, last)),
        ]
        return "\n\n".join([*blocks, *([data.about] if data.about else [])]) + "\n"

    def refuse(self, reason: str) -> None:
        self.reasons.append(reason)

    # -- what the format has no place for ------------------------------------------

    def _check_tower(self) -> None:
        data = self.data
        if data.scripts:
            self.refuse("it has scripts")
        if data.portals:
            self.refuse("it has portals")
        if data.goal.type != "defeat":
            self.refuse(f"its goal is to {data.goal.type}, not to defeat a boss")
        for name, amount in data.hero:
            if name not in HERO and amount:
                self.refuse(f"the hero starts with {name} {amount}")
        for floor in data.floors:
            for hidden in floor.hidden:
                self.refuse(f"an object is hidden at {hidden.spot}")
        for kind in data.kinds:
            if kind.anywhere:
                self.refuse(f"{kind.name!r} is open everywhere")
        words = data.about.split()
        if words and words[0].lstrip("+-").isdigit():
            self.refuse("its description begins with a number")

    # -- cells ---------------------------------------------------------------------

    def _grid(self, z: int, height: int, width: int) -> str:
        """The codes of a floor; walls fill a floor that is smaller than others."""
        lines = []
        for y in range(height):
            drawing = self.data.floors[z].rows[y : y + 1]
            codes = [
                self._code(z, x, y, sign) for x, sign in enumerate("".join(drawing))
            ]
            codes += [SOLID_WALL] * (width - len(codes))
            lines.append("\t".join(map(str, codes)))
        return "\n".join(lines)

    def _code(self, z: int, x: int, y: int, sign: str) -> int:
        floor = self.data.floors[z]
        if sign in (GROUND, START):
            return FLOOR
        if sign == WALL:
            return SOLID_WALL
        place = dict(floor.legend)[sign]
        kind = self.kinds[place.kind]
        spot = Spot(floor.id, x, y)
        if kind.type == "stairs":
            return self._stairs(z, spot, place)
        if kind.type == "door":
            for code, colour in DOOR_CODES.items():
                if kind.rows == (Row("open", cost=((colour, 1),)),):
                    return code
        if kind.type == "monster":
            if self._is_boss(kind, spot):
                return BOSS
            return next((c for c, k in self.monsters.items() if k is kind), FLOOR)
        if kind.name not in self.codes:
            self.refuse(f"{kind.name!r} at {spot} has no code")
        return self.codes.get(kind.name, FLOOR)

    def _is_boss(self, kind: Kind, spot: Spot) -> bool:
        goal = self.data.goal
        return kind.name == goal.name and goal.at in (None, spot)

    def _stairs(self, z: int, spot: Spot, place: Placement) -> int:
        """87 leads one floor up, 88 one down, each to the other's only cell."""
        ids = [floor.id for floor in self.data.floors]
        target, _, cell = place.to.partition(":")
        step = ids.index(target) - z
        code = {1: UP, -1: DOWN}.get(step, FLOOR)
        ends = [end for end in self._ends(target) if self._target(end[1]) == ids[z]]
        landing = [f"{end.x},{end.y}" for end, _ in ends]
        same = [end for end, at in self._ends(ids[z]) if self._target(at) == target]
        fits = code and not place.one_way and len(landing) == 1 and len(same) == 1
        if not fits or (cell and cell != landing[0]):
            self.refuse(
                f"the stairs at {spot} are not one of a single pair between "
                "neighbouring floors"
            )
        return code

    @staticmethod
    def _target(place: Placement) -> str:
        return place.to.partition(":")[0]

    def _ends(self, fid: str) -> list[tuple[Spot, Placement]]:
        """All stairs of a floor."""
        (floor,) = (floor for floor in self.data.floors if floor.id == fid)
        return [
            (spot, place)
            for spot, place in _placements(floor)
            if self.kinds[place.kind].type == "stairs"
        ]

    # -- items and shop --------------------------------------------------------------

    def _item_codes(self) -> dict[str, int]:
        """Codes by kind; items of one code raise the same resource by as much."""
        codes: dict[str, int] = {}
        for kind in self.data.kinds:
            if kind.type != "item":
                continue
            gain = kind.rows[0].gain
            if kind.carried or kind.rows != (Row("collect", gain=gain),):
                self.refuse(f"{kind.name!r} does more than give")
            elif len(gain) != 1 or (
                gain[0][0] in KEY_CODES.values() and gain[0][1] != 1
            ):
                self.refuse(f"{kind.name!r} gives more than one thing")
            else:
                self._give_code(kind, gain, codes)
        return codes

    def _give_code(self, kind: Kind, gain: Amounts, codes: dict[str, int]) -> None:
        ((resource, amount),) = gain
        for code, colour in KEY_CODES.items():
            if colour == resource:
                codes[kind.name] = code
        slots = SLOTS.get(resource, ())
        usual = [
            code
            for code in slots
            if ITEM_CODES[code].name == kind.name
            or ITEM_CODES[code].category == kind.category != "potion"
        ]
        for code in (*usual, *slots):
            if self.values.get(code, amount) == amount:
                self.values[code] = amount
                codes[kind.name] = code
                return
        if kind.name not in codes:
            self.refuse(
                f"{kind.name!r}: no code is left for an item that gives {resource} "
                f"{amount}"
            )

    def _shop_codes(self) -> dict[str, int]:
        shops = [kind for kind in self.data.kinds if kind.type == "shop"]
        for kind in shops[1:]:
            self.refuse(f"{kind.name!r} is a second shop")
        if not shops:
            return {}
        self.shop = shops[0]
        first = self.shop.rows[0]
        given = [name for row in self.shop.rows for name, _ in row.gain]
        for row in self.shop.rows:
            plain = Row(
                "buy",
                cost=first.cost,
                gain=row.gain,
                growth=first.growth,
                consumes=False,
            )
            if row != plain or len(row.gain) != 1 or row.gain[0][0] not in OFFERS:
                self.refuse(
                    f"{self.shop.name!r}: an offer is not one of hp, atk, def, mdef at "
                    "the price of the others"
                )
        if len(set(given)) < len(given):
            self.refuse(f"{self.shop.name!r} offers the same thing twice")
        price = dict(first.cost)
        if set(price) != {"gold"} or price["gold"] >= NO_SHOP:
            self.refuse(f"{self.shop.name!r}: the price is not gold below {NO_SHOP}")
        if not self.shop.blocks:
            self.refuse(f"{self.shop.name!r} can be walked through")
        return {kind.name: SHOP for kind in shops}

    def _shop_numbers(self) -> list[int]:
        if self.shop is None:
            return [0] * 6
        row = self.shop.rows[0]
        gains = dict(pair for offer in self.shop.rows for pair in offer.gain)
        return [row.cost[0][1], row.growth, *(gains.get(name, 0) for name in OFFERS)]

    # -- monsters --------------------------------------------------------------------

    def _monster_codes(self) -> dict[int, Kind]:
        """Monsters by id: the number in the name where it is free, else the next."""
        goal = self.data.goal
        found: dict[int, Kind] = {}
        placed = [
            (self.kinds[place.kind], spot)
            for floor in self.data.floors
            for spot, place in _placements(floor)
            if self.kinds[place.kind].type == "monster"
        ]
        ordinary = {
            kind.name: kind for kind, spot in placed if not self._is_boss(kind, spot)
        }
        for kind in ordinary.values():
            wanted = kind.name.rpartition(" ")[2]
            code = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
            if code >= FIRST_MONSTER and code != BOSS:
                found.setdefault(code, kind)
        fresh = FIRST_MONSTER
        for kind in ordinary.values():
            while fresh in found or fresh == BOSS:
                fresh += 1
            if kind not in found.values():
                found[fresh] = kind
        if goal.type == "defeat":
            found[BOSS] = self.kinds[goal.name]
        return found

    def _numbers(self, kind: Kind) -> tuple[int, ...]:
        values = kind.values[0]
        if len(kind.values) > 1:
            self.refuse(f"{kind.name!r} can be strengthened")
        if values.exp:
            self.refuse(f"{kind.name!r} gives exp")
        if kind.rows not in ((), (Row("fight"),)):
            self.refuse(f"{kind.name!r} has a fight with effects")
        for reason in unsayable(kind.abilities):
            self.refuse(f"{kind.name!r} {reason}")
        special = packed(kind.abilities)
        return (values.hp, values.atk, values.defense, values.gold, special)


def _placements(floor: Floor) -> list[tuple[Spot, Placement]]:
    """What the drawing of a floor places, in reading order."""
    legend = dict(floor.legend)
    return [
        (Spot(floor.id, x, y), legend[sign])
        for y, row in enumerate(floor.rows)
        for x, sign in enumerate(row)
        if sign in legend
    ]
