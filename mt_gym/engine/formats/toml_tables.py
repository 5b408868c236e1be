"""Parts of a tower as the tables of a TOML map, defaults left out."""

from __future__ import annotations

import json

from mt_gym.engine.formats.toml_values import Table
from mt_gym.engine.kinds import (
    Abilities,
    Certificate,
    Kind,
    Placement,
    Settings,
    Stats,
)


def put(table: Table, key: str, value: object) -> None:
    """Add what is not empty."""
    if value:
        table[key] = value


def plain(table: Table) -> Table:
    """The table as the TOML reader would return it."""
    copied: Table = json.loads(json.dumps(table))
    return copied


def settings_table(settings: Settings) -> Table:
    """Settings that differ from the usual ones."""
    usual = Settings()
    table: Table = {}
    if settings.max_turns != usual.max_turns:
        table["max_turns"] = settings.max_turns
    if settings.lookahead_depth != usual.lookahead_depth:
        table["lookahead_depth"] = settings.lookahead_depth
    if settings.rule4_share != usual.rule4_share:
        table["rule4_share"] = list(settings.rule4_share)
    return table


def placement_table(place: Placement) -> Table:
    """`stairs` for the built-in stairs, `is` for everything else."""
    table: Table
    if place.direction and place.kind == f"Stairs {place.direction.title()}":
        table = {"stairs": place.direction}
    else:
        table = {"is": place.kind}
        put(table, "direction", place.direction)
    put(table, "to", place.to)
    put(table, "one_way", place.one_way)
    return table


def legend_value(place: Placement) -> str | Table:
    """The kind's name where that says everything, else a table."""
    return place.kind if place == Placement(place.kind) else placement_table(place)


def stats_table(stats: Stats) -> Table:
    """A monster's numbers at one epoch."""
    table: Table = {"hp": stats.hp, "atk": stats.atk, "def": stats.defense}
    put(table, "gold", stats.gold)
    put(table, "exp", stats.exp)
    return table


def abilities_table(able: Abilities) -> Table:
    """Abilities that a monster has."""
    table: Table = {}
    for key in ("mimic", "solid", "magic", "first_strike", "purify", "fixed"):
        put(table, key, getattr(able, key))
    if able.hits != 1:
        table["hits"] = able.hits
    for key in ("vampire", "counter", "armour_break"):
        ratio = getattr(able, key)
        if ratio is not None:
            table[key] = list(ratio)
    return table


def monster_table(kind: Kind) -> Table:
    """The short form of a monster."""
    table = stats_table(kind.values[0]) | abilities_table(kind.abilities)
    put(table, "boss", kind.boss)
    put(table, "strengthened", [stats_table(values) for values in kind.values[1:]])
    return table


def crystal_table(kind: Kind) -> Table:
    """The short form of a crystal."""
    choices = []
    for row in kind.rows:
        choice: Table = dict(row.gain)
        put(choice, "text", row.text)
        choices.append(choice)
    return {"choices": choices}


def certificate_table(certificate: Certificate) -> Table:
    """What is known about the best play."""
    table: Table = {"optimum": certificate.optimum, "status": certificate.status}
    if certificate.bound is not None:
        table["bound"] = certificate.bound
    if certificate.assisted_optimum is not None:
        table["assisted_optimum"] = certificate.assisted_optimum
    put(table, "method", certificate.method)
    put(table, "profile", dict(certificate.profile))
    put(table, "route", list(certificate.route))
    return table
