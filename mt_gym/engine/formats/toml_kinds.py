"""The sections of a TOML map that define kinds.

Each section has its own short form.  `[things]` spells a kind out in full; the
writer falls back on it for a kind that no short form can say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mt_gym.engine.formats.fields import Fields, listed
from mt_gym.engine.formats.toml_rows import (
    EFFECT_KEYS,
    FULL_ROW_KEYS,
    OFFER_KEYS,
    ROW_KEYS,
    TALK_KEYS,
    one_of,
    read_condition,
    read_effects,
    read_resource,
    read_row,
)
from mt_gym.engine.kinds import (
    CATEGORIES,
    KEYS,
    RESOURCES,
    STATS,
    TYPES,
    VERBS,
    Abilities,
    Amounts,
    Kind,
    Row,
    Stats,
)

STATS_KEYS: Final = ("hp", "atk", "def", "gold", "exp")
ABILITY_KEYS: Final = (
    "mimic",
    "solid",
    "vampire",
    "magic",
    "hits",
    "counter",
    "first_strike",
    "armour_break",
    "purify",
    "fixed",
)
MONSTER_KEYS: Final = (*STATS_KEYS, *ABILITY_KEYS, "boss", "strengthened")
ITEM_KEYS: Final = (
    *RESOURCES,
    "category",
    "carried",
    "manual",
    "text",
    "needs",
    *EFFECT_KEYS,
)
CRYSTAL_KEYS: Final = ("choices",)
SHOP_KEYS: Final = ("price", "growth", "anywhere", "doubles_with", "offers")
TALKS_KEYS: Final = ("talks",)
THING_KEYS: Final = (
    "type",
    "rows",
    "values",
    "abilities",
    "category",
    "manual",
    "carried",
    "blocks",
    "anywhere",
    "boss",
)


def read_stats(fields: Fields) -> Stats:
    """A monster's numbers; HP, ATK and DEF must be named."""
    return Stats(
        hp=fields.integer("hp"),
        atk=fields.integer("atk"),
        defense=fields.integer("def"),
        gold=fields.integer("gold", 0),
        exp=fields.integer("exp", 0),
    )


def read_abilities(fields: Fields) -> Abilities:
    """Special abilities; what is not named is not there."""
    return Abilities(
        mimic=fields.truth("mimic", False),
        solid=fields.truth("solid", False),
        vampire=fields.ratio("vampire"),
        magic=fields.truth("magic", False),
        hits=fields.integer("hits", 1),
        counter=fields.ratio("counter"),
        first_strike=fields.truth("first_strike", False),
        armour_break=fields.ratio("armour_break"),
        purify=fields.integer("purify", 0),
        fixed=fields.integer("fixed", 0),
    )


def _monster(name: str, fields: Fields) -> Kind:
    further = fields.tables("strengthened", STATS_KEYS)
    return Kind(
        name,
        "monster",
        values=(read_stats(fields), *(read_stats(item) for item in further)),
        abilities=read_abilities(fields),
        boss=fields.truth("boss", False),
    )


def category_of(gain: Amounts, carried: bool, scales: bool) -> str:
    """The category that follows from what an item does; empty if none does."""
    names = [name for name, _ in gain]
    if scales:
        return "holy_water"
    if not names:
        return "quest" if carried else ""
    if "level" in names:
        return "feather"
    if all(name in KEYS for name in names):
        several = len(names) > 1 or gain[0][1] > 1
        return "key_box" if several else "key"
    for category, resources in (
        ("gem", STATS),
        ("potion", ("hp",)),
        ("gold", ("gold",)),
        ("tool", ("pickaxe", "bomb")),
        ("token", ("token",)),
    ):
        if all(name in resources for name in names):
            return category
    return ""


def _item(name: str, fields: Fields) -> Kind:
    row = read_row(fields, "collect", gain=fields.resources())
    carried = fields.truth("carried", False)
    scales = any(effect.op == "scale" for effect in row.effects)
    category = category_of(row.gain, carried, scales)
    if "category" in fields or not category:
        if "category" not in fields:
            raise fields.error(
                "'category' is missing and does not follow from what the item gives "
                f"(allowed: {listed(CATEGORIES)})"
            )
        category = one_of(fields, "category", fields.text("category"), CATEGORIES)
    return Kind(
        name,
        "item",
        rows=(row,),
        category=category,
        manual=fields.truth("manual", scales),
        carried=carried,
    )


def _crystal(name: str, fields: Fields) -> Kind:
    choices = fields.tables("choices", (*RESOURCES, "text"))
    if not choices:
        raise fields.error("'choices' is missing or empty")
    rows = tuple(
        Row("choose", gain=item.resources(), text=item.text("text", ""))
        for item in choices
    )
    return Kind(name, "crystal", rows=rows, blocks=False)


def shop_verb(cost: Amounts) -> str:
    """`sell` where the hero pays in keys, else `buy`."""
    return "sell" if cost and all(name in KEYS for name, _ in cost) else "buy"


def _shop(name: str, fields: Fields) -> Kind:
    price = fields.amounts("price")
    growth = fields.integer("growth", 0)
    doubles = read_resource(fields, "doubles_with", "")
    offers = fields.tables("offers", OFFER_KEYS)
    if not offers:
        raise fields.error("'offers' is missing or empty")
    rows = []
    for offer in offers:
        cost = offer.amounts("price") if "price" in offer else price
        rows.append(
            Row(
                shop_verb(cost),
                condition=read_condition(offer),
                cost=cost,
                gain=offer.resources(),
                growth=offer.integer("growth", growth),
                doubles_with=read_resource(offer, "doubles_with", doubles),
                consumes=False,
                effects=read_effects(offer),
                text=offer.text("text", ""),
            )
        )
    return Kind(
        name, "shop", rows=tuple(rows), anywhere=fields.truth("anywhere", False)
    )


def _trade(name: str, fields: Fields) -> Kind:
    return Kind(name, "trade", rows=(read_row(fields, "trade"),))


def _talk(fields: Fields, verb: str, leaves: bool) -> Row:
    """A row that may leave the object where it is."""
    consumes = fields.truth("leaves", leaves)
    again = fields.truth("again", consumes)
    return read_row(fields, verb, consumes=consumes, once=not again)


def _character(name: str, fields: Fields) -> Kind:
    talks = fields.tables("talks", TALK_KEYS)
    if not talks:
        raise fields.error("'talks' is missing or empty")
    return Kind(
        name, "character", rows=tuple(_talk(talk, "talk", False) for talk in talks)
    )


def _thing(name: str, fields: Fields) -> Kind:
    rows = []
    for inner in fields.tables("rows", FULL_ROW_KEYS):
        verb = one_of(inner, "verb", inner.text("verb"), VERBS)
        plain = _talk(inner, verb, True)
        rows.append(
            Row(
                plain.verb,
                plain.condition,
                plain.cost,
                plain.gain,
                inner.integer("growth", 0),
                read_resource(inner, "doubles_with", ""),
                plain.consumes,
                plain.once,
                plain.effects,
                plain.text,
            )
        )
    category = fields.text("category", "")
    if category:
        one_of(fields, "category", category, CATEGORIES)
    return Kind(
        name,
        one_of(fields, "type", fields.text("type"), TYPES),
        rows=tuple(rows),
        values=tuple(read_stats(v) for v in fields.tables("values", STATS_KEYS)),
        abilities=read_abilities(fields.table("abilities", ABILITY_KEYS)),
        category=category,
        manual=fields.truth("manual", False),
        carried=fields.truth("carried", False),
        blocks=fields.truth("blocks", True),
        anywhere=fields.truth("anywhere", False),
        boss=fields.truth("boss", False),
    )


SECTIONS: Final[
    dict[str, tuple[str, tuple[str, ...], Callable[[str, Fields], Kind]]]
] = {
    "monsters": ("monster", MONSTER_KEYS, _monster),
    "items": ("item", ITEM_KEYS, _item),
    "crystals": ("crystal", CRYSTAL_KEYS, _crystal),
    "shops": ("shop", SHOP_KEYS, _shop),
    "trades": ("trade", ROW_KEYS, _trade),
    "characters": ("character", TALKS_KEYS, _character),
    "things": ("", THING_KEYS, _thing),
}
"""Section and the type of its kinds, its keys and its reader."""


def read_kinds(top: Fields) -> tuple[Kind, ...]:
    """All kinds: by section in the order of `SECTIONS`, or as `order` says."""
    kinds: dict[str, Kind] = {}
    for section, (_, allowed, read) in SECTIONS.items():
        for name, fields in top.named(section, allowed):
            if name in kinds:
                raise fields.error("a kind of this name is defined twice")
            kinds[name] = read(name, fields)
    order = top.texts("order")
    if order:
        if sorted(order) != sorted(kinds):
            wrong = sorted(set(order) ^ set(kinds)) or sorted(
                {name for name in order if order.count(name) > 1}
            )
            raise top.error(
                "'order' must name every kind of the file once; wrong: "
                + listed(repr(name) for name in wrong)
            )
        return tuple(kinds[name] for name in order)
    return tuple(kinds.values())
