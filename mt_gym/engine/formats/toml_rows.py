"""Rows in a TOML map: what they need, cost, give and do."""

from __future__ import annotations

from typing import Final

from mt_gym.engine.formats.fields import Fields, listed
from mt_gym.engine.kinds import RESOURCES, Amounts, Condition, Effect, Row

NEEDS_KEYS: Final = (*RESOURCES, "flags", "without", "gone", "count")
EFFECT_LISTS: Final = {
    "removes": "remove",
    "reveals": "reveal",
    "strengthens": "strengthen",
    "sets": "set",
    "clears": "clear",
}
"""Keys of a row that list what one operation is applied to."""
EFFECT_KEYS: Final = (*EFFECT_LISTS, "scale", "wins", "effects")
SINGLE_EFFECTS: Final = (*EFFECT_LISTS.values(), "scale", "win")
"""Keys of one entry of the full form `effects = [{ set = "a" }, ...]`."""
ROW_KEYS: Final = ("text", "needs", "price", "gives", *EFFECT_KEYS)
TALK_KEYS: Final = (*ROW_KEYS, "leaves", "again")
OFFER_KEYS: Final = (
    *RESOURCES,
    "text",
    "needs",
    "price",
    "growth",
    "doubles_with",
    *EFFECT_KEYS,
)
FULL_ROW_KEYS: Final = (*TALK_KEYS, "verb", "growth", "doubles_with")


def read_condition(fields: Fields) -> Condition:
    """The `needs` of a row."""
    needs = fields.table("needs", NEEDS_KEYS)
    return Condition(
        holds=needs.resources(),
        flags=needs.texts("flags"),
        without=needs.texts("without"),
        gone=needs.spots("gone"),
        count=needs.integer("count", 0),
    )


def read_effects(fields: Fields) -> tuple[Effect, ...]:
    """The effects of a row, in the order in which the file names them."""
    found: list[Effect] = []
    for key in fields.values:
        if key in EFFECT_LISTS:
            op = EFFECT_LISTS[key]
            if op in ("remove", "reveal"):
                found += [Effect(op, spot=spot) for spot in fields.spots(key)]
            else:
                found += [Effect(op, name) for name in fields.texts(key)]
        elif key == "scale":
            found += _scales(fields)
        elif key == "wins":
            found += [Effect("win")] if fields.truth(key, False) else []
        elif key == "effects":
            for single in fields.tables(key, SINGLE_EFFECTS):
                found += _single(single)
    return tuple(found)


def _scales(fields: Fields) -> list[Effect]:
    inner = fields.table("scale", RESOURCES)
    return [
        Effect("scale", name, ratio=inner.ratio(name) or (1, 1))
        for name in inner.values
    ]


def _single(fields: Fields) -> list[Effect]:
    """One entry of `effects`."""
    if len(fields.values) != 1:
        raise fields.error(f"exactly one of {listed(SINGLE_EFFECTS)} is expected")
    (op,) = fields.values
    if op == "scale":
        return _scales(fields)
    if op == "win":
        return [Effect("win")] if fields.truth("win", False) else []
    if op in ("remove", "reveal"):
        return [Effect(op, spot=fields.spot(op))]
    return [Effect(op, fields.text(op))]


def read_row(
    fields: Fields,
    verb: str,
    *,
    gain: Amounts = (),
    consumes: bool = True,
    once: bool = False,
) -> Row:
    """A row: what it needs, costs, gives and does."""
    return Row(
        verb,
        condition=read_condition(fields),
        cost=fields.amounts("price"),
        gain=gain or fields.amounts("gives"),
        consumes=consumes,
        once=once,
        effects=read_effects(fields),
        text=fields.text("text", ""),
    )


def read_resource(fields: Fields, key: str, default: str) -> str:
    """The name of a resource; `default` if the key is not there."""
    name = fields.text(key, default)
    if name and name not in RESOURCES:
        raise fields.error(
            f"{key!r}: unknown resource {name!r} (allowed: {listed(RESOURCES)})"
        )
    return name


def one_of(fields: Fields, key: str, found: str, allowed: tuple[str, ...]) -> str:
    """A text that must be one of a few; anything else is an error."""
    if found not in allowed:
        raise fields.error(f"{key!r}: unknown {found!r} (allowed: {listed(allowed)})")
    return found
