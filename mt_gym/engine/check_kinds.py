"""Defects of the hero, the kinds and their rows: everything but the drawing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Final

from mt_gym.engine.formats.fields import listed
from mt_gym.engine.kinds import (
    BUILT_IN,
    CATEGORIES,
    OPS,
    RESOURCES,
    TYPES,
    Amounts,
    Kind,
    Ratio,
    Row,
    Stats,
)
from mt_gym.engine.survey import Owned, Survey

VERBS_OF: Final = {
    "monster": ("fight",),
    "door": ("open",),
    "gate": ("open",),
    "bars": (),
    "item": ("collect",),
    "crystal": ("choose",),
    "shop": ("buy", "sell"),
    "trade": ("trade",),
    "character": ("talk", "trade"),
    "stairs": ("climb",),
    "wall": ("break",),
    "goal": ("finish",),
}
"""What can be done with an object of each type."""

WALKED_THROUGH: Final = ("crystal", "shop", "character", "goal")
"""Types that may leave the way free."""

MOST_DOUBLINGS: Final = 1000
"""Units of a number that doubles a gain, at the start or given at once."""


def check_hero(survey: Survey) -> None:
    """HP to start with, and no negative number."""
    hero = dict(survey.data.hero)
    if hero.get("hp", 0) <= 0:
        survey.report("hero-hp", f"the hero starts with {hero.get('hp', 0)} HP")
    _check_amounts(survey, survey.data.hero, "the hero", ("hp",))


def check_settings(survey: Survey) -> None:
    """Turn limit, depth and share in their ranges."""
    settings = survey.data.settings
    if settings.max_turns < 1:
        survey.report("settings", f"max_turns is {settings.max_turns}, below 1")
    if settings.lookahead_depth < 0:
        survey.report("settings", f"lookahead_depth is {settings.lookahead_depth}")
    if _bad_ratio(settings.rule4_share):
        survey.report("settings", f"rule4_share is {settings.rule4_share}")


def check_certificate(survey: Survey) -> None:
    """Status and numbers of the certificate that contradict each other."""
    certificate = survey.data.certificate
    if certificate is None:
        return
    if certificate.status not in ("optimal", "bounded"):
        survey.report("certificate", f"unknown status {certificate.status!r}")
    elif certificate.status == "bounded" and certificate.bound is None:
        survey.report("certificate", "the status is 'bounded', but no bound is named")
    elif certificate.status == "optimal" and (certificate.bound or 0) > (
        certificate.optimum
    ):
        survey.report(
            "certificate",
            f"the status is 'optimal', but the bound {certificate.bound} is above "
            f"the optimum {certificate.optimum}",
        )
    if certificate.bound is not None and certificate.bound < certificate.optimum:
        survey.report(
            "certificate",
            f"the bound {certificate.bound} is below the optimum {certificate.optimum}",
        )


def check_kinds(survey: Survey) -> None:
    """Names, types, numbers and rows of all kinds."""
    own = survey.data.kinds
    built_in = {kind.name for kind in BUILT_IN}
    for name, times in Counter(kind.name for kind in own).items():
        if times > 1:
            survey.report("kind-duplicate", f"{name!r} is defined {times} times")
        if name in built_in:
            survey.report("kind-duplicate", f"{name!r} is a built-in kind")
        if not name.strip():
            survey.report("kind-name", "a kind has an empty name")
    for kind in own:
        _check_kind(survey, kind)


def _check_kind(survey: Survey, kind: Kind) -> None:
    name = f"{kind.name!r}"
    if kind.type not in TYPES:
        survey.report(
            "kind-type", f"{name}: unknown type {kind.type!r} ({listed(TYPES)})"
        )
        return
    if kind.type == "item" and kind.category not in CATEGORIES:
        survey.report("kind-category", f"{name}: unknown category {kind.category!r}")
    if kind.carried and kind.type != "item":
        survey.report("kind-type", f"{name}: only an item can be carried")
    if not kind.blocks and kind.type not in WALKED_THROUGH:
        survey.report("kind-type", f"{name}: a {kind.type} cannot be walked through")
    if kind.anywhere and kind.type != "shop":
        survey.report("kind-type", f"{name}: only a shop can be open anywhere")
    if not kind.rows and kind.type not in ("monster", "bars", "wall"):
        survey.report("kind-rows", f"{name}: nothing can be done with this {kind.type}")
    for row in kind.rows:
        if row.verb not in VERBS_OF[kind.type]:
            survey.report(
                "kind-verb",
                f"{name}: {row.verb!r} does not fit a {kind.type} "
                f"(allowed: {listed(VERBS_OF[kind.type])})",
            )
    if kind.type == "monster":
        _check_monster(survey, kind)
        if len(kind.rows) > 1:
            survey.report("kind-rows", f"{name}: a monster has one row, its fight")


def _check_monster(survey: Survey, kind: Kind) -> None:
    name = f"{kind.name!r}"
    if not kind.values:
        survey.report("monster-values", f"{name}: HP, ATK and DEF are missing")
    for number, stats in enumerate(kind.values):
        which = f" (strengthened {number} times)" if number else ""
        _check_stats(survey, stats, name + which)
    able = kind.abilities
    if able.hits < 1:
        survey.report("monster-ability", f"{name}: hits is {able.hits}, below 1")
    for word in ("vampire", "counter", "armour_break"):
        ratio: Ratio | None = getattr(able, word)
        if ratio is not None and _bad_ratio(ratio):
            survey.report("ratio", f"{name}: {word} is {ratio[0]}/{ratio[1]}")
    for word in ("purify", "fixed"):
        if getattr(able, word) < 0:
            survey.report("monster-ability", f"{name}: {word} is negative")


def _check_stats(survey: Survey, stats: Stats, name: str) -> None:
    if stats.hp < 1:
        survey.report("monster-values", f"{name}: HP is {stats.hp}, below 1")
    for word in ("atk", "defense", "gold", "exp"):
        if getattr(stats, word) < 0:
            survey.report("monster-values", f"{name}: {word} is negative")


def _bad_ratio(ratio: Ratio) -> bool:
    return ratio[0] < 0 or ratio[1] <= 0


def _check_amounts(
    survey: Survey, found: Amounts, where: str, skip: tuple[str, ...] = ()
) -> None:
    for name, amount in found:
        if name not in RESOURCES:
            survey.report(
                "resource", f"{where}: unknown {name!r} (allowed: {listed(RESOURCES)})"
            )
        elif amount < 0 and name not in skip:
            survey.report("amount", f"{where}: {name} is {amount}, below 0")


def check_rows(survey: Survey) -> None:
    """Amounts, prices, ratios and operations of all rows."""
    for owned in survey.rows:
        row, where = owned.row, owned.where
        for part in (row.cost, row.gain, row.condition.holds):
            _check_amounts(survey, part, where)
        if row.doubles_with and row.doubles_with not in RESOURCES:
            survey.report("resource", f"{where}: unknown {row.doubles_with!r}")
        if row.growth < 0:
            survey.report("amount", f"{where}: the growth of the price is negative")
        if row.growth and len(row.cost) != 1:
            survey.report("growth", f"{where}: a growing price needs one resource")
        for effect in row.effects:
            if effect.op not in OPS:
                survey.report("effect", f"{where}: unknown operation {effect.op!r}")
            elif effect.op == "scale":
                if effect.name not in RESOURCES:
                    survey.report("resource", f"{where}: unknown {effect.name!r}")
                if _bad_ratio(effect.ratio):
                    num, den = effect.ratio
                    survey.report(
                        "ratio", f"{where}: scale {effect.name} is {num}/{den}"
                    )
            elif effect.op in ("remove", "reveal") and effect.spot is None:
                survey.report("effect", f"{where}: {effect.op} without a cell")
            elif effect.op in ("set", "clear") and not effect.name:
                survey.report("effect", f"{where}: {effect.op} without a flag")


def check_doubling(survey: Survey) -> None:
    """Numbers that double a gain so often that it could not be counted."""
    doubling = {owned.row.doubles_with for owned in survey.rows} - {""}
    given = [("the hero", survey.data.hero)]
    given += [(owned.where, owned.row.gain) for owned in survey.rows]
    for where, found in given:
        for name, amount in found:
            if name in doubling and amount > MOST_DOUBLINGS:
                survey.report(
                    "doubling",
                    f"{where}: {amount} {name} would double a gain so often "
                    f"(allowed: at most {MOST_DOUBLINGS})",
                )


def check_offers(survey: Survey) -> None:
    """Offers without a price, and ways to gain without end."""
    for kind in survey.data.kinds:
        if kind.type != "shop":
            continue
        for number, row in enumerate(kind.rows, 1):
            where = f"{kind.name!r}, offer {number}"
            if not any(amount > 0 for _, amount in row.cost):
                survey.report("offer-price", f"{where}: it has no price")
            if row.consumes:
                survey.report("offer-consumes", f"{where}: a purchase ends the shop")
    endless = [owned for owned in survey.rows if _repeatable(owned)]
    single = [owned for owned in endless if _gains(owned.row)]
    for owned in single:
        survey.report(
            "endless-gain", f"{owned.where}: it gives at least what it costs, each time"
        )
    for one, two in combinations([o for o in endless if o not in single], 2):
        if _pair_gains(_net(one.row), _net(two.row)):
            survey.report(
                "endless-gain",
                f"{one.where} and {two.where}: used in turn they gain without end",
            )


def _repeatable(owned: Owned) -> bool:
    """A row that the hero can execute as often as he can pay."""
    row = owned.row
    free_of_limits = not (row.consumes or row.once or row.growth or owned.script)
    return free_of_limits and not row.condition.without


def _net(row: Row) -> dict[str, int]:
    net = dict(row.gain)
    for name, amount in row.cost:
        net[name] = net.get(name, 0) - amount
    return net


def _gains(row: Row) -> bool:
    net = _net(row)
    grows = any(
        effect.op == "scale" and effect.ratio[0] > effect.ratio[1]
        for effect in row.effects
    )
    gains = grows or any(amount > 0 for amount in net.values())
    return gains and all(amount >= 0 for amount in net.values())


def _pair_gains(one: dict[str, int], two: dict[str, int]) -> bool:
    """Whether a times `one` plus b times `two` only gains, for some a, b > 0.

    If any such pair exists, one exists that brings some resource to exactly 0.
    """
    names = [name for name in RESOURCES if name in one or name in two]
    pairs = [(one.get(name, 0), two.get(name, 0)) for name in names]
    for first, second in pairs:
        if first * second >= 0:
            continue
        a, b = abs(second), abs(first)
        total = [a * x + b * y for x, y in pairs]
        if any(amount > 0 for amount in total) and all(amount >= 0 for amount in total):
            return True
    return False


def obtainable(survey: Survey) -> set[str]:
    """Resources that the hero has or can ever be given."""
    names = {name for name, amount in survey.data.hero if amount > 0}
    for owned in survey.rows:
        names |= {name for name, amount in owned.row.gain if amount > 0}
    for kind in survey.data.kinds:
        names |= {"gold" for stats in kind.values if stats.gold}
        names |= {"exp" for stats in kind.values if stats.exp}
    return names


__all__ = [
    "check_certificate",
    "check_doubling",
    "check_hero",
    "check_kinds",
    "check_offers",
    "check_rows",
    "check_settings",
    "obtainable",
]
