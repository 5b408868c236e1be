"""Lines on what attributes and purchases do to the fights of all visited floors."""

from __future__ import annotations

from typing import Final

from mt_gym.analysis.decision import EntryFacts
from mt_gym.analysis.tower.bundle import Bundle
from mt_gym.analysis.tower.gains import TowerValue
from mt_gym.analysis.tower.offers import Offer
from mt_gym.engine.board import BUY
from mt_gym.engine.kinds import ATK, EXP, GOLD, RESOURCES
from mt_gym.observation import words
from mt_gym.observation.tower import phrases
from mt_gym.observation.view import View

NAMES_SHOWN: Final = 6
"""Fights that each list of a tower value names."""


def value_line(view: View, entry: EntryFacts) -> list[str]:
    """What the action's attributes do to the fights listed on all floors."""
    if "tower_value" not in view.annotations:
        return []
    value = view.facts.whole.value(entry)
    if value is None:
        return []
    buys = entry.action.code == BUY
    if not value:
        return [" → tower value: changes no listed fight"] if buys else []
    parts = [
        f"{name}: {_merged(view, things)}"
        for name, things in (
            ("winnable", value.winnable),
            ("survivable", value.survivable),
            ("free", value.free),
        )
        if things
    ]
    if value.saving:
        parts.append(
            f"saves {value.saving} HP on {value.cheaper} of {value.listed} listed "
            "fights"
        )
    return [
        f" → tower value ({_points(value)}): {'; '.join(parts)}" + _net(entry, value)
    ]


def _points(value: TowerValue) -> str:
    gain = value.gain
    parts = (("ATK", gain.atk), ("DEF", gain.defense), ("MDEF", gain.mdef))
    return " ".join(f"+{number} {name}" for name, number in parts if number)


def _net(entry: EntryFacts, value: TowerValue) -> str:
    """The saving less the fighting to get there, for what has items behind it."""
    price = entry.route_price if entry.action.row.removes and entry.gain else None
    if price is None or entry.action.row.gain:
        return ""
    return f" → net {value.saving - price:+d} HP after {price} HP of fighting"


def _merged(view: View, things: tuple[int, ...]) -> str:
    """Fights by name and floor: `Red Bat ×2@MT6`; six, then how many more."""
    groups: dict[tuple[str, int], list[int]] = {}
    for thing in things:
        key = (view.labels[thing].name, view.objects[thing].floor)
        groups.setdefault(key, []).append(thing)
    parts = [
        phrases.far(view, own[0])
        if len(own) == 1
        else f"{name} ×{len(own)}@{phrases.floor_id(view, floor)}"
        for (name, floor), own in groups.items()
    ]
    if len(parts) > NAMES_SHOWN:
        parts = [*parts[:NAMES_SHOWN], f"+{len(parts) - NAMES_SHOWN} more"]
    return ", ".join(parts)


def counts_line(view: View, offer: Offer) -> list[str]:
    """How many purchases of ATK the expensive fights take."""
    if "atk_counts" not in view.annotations or offer.attribute != ATK:
        return []
    share = phrases.percent(view.facts.options.rule4_share)
    parts = []
    for one in view.facts.whole.counts(offer):
        text = view.tower.board.monsters[one.monster].name
        if one.winnable != 0:
            many = "never" if one.winnable is None else one.winnable
            text += f" winnable {many},"
        many = "never" if one.within is None else one.within
        parts.append(f"{text} ≤{share}% {many}")
    return [f" → how many: {'; '.join(parts)}"] if parts else []


def cheaper_line(view: View, offer: Offer) -> list[str]:
    """The open shop where a point of the attribute costs less."""
    if "purchase_points" not in view.annotations:
        return []
    other = view.facts.whole.cheaper(offer)
    if other is None:
        return []
    missing = other.price - view.state.hero[other.currency]
    coins = words.NAMES[RESOURCES[other.currency]]
    points = f"{words.NAMES[RESOURCES[other.attribute]]} +{other.points}"
    per = words.ratio_text(other.price, other.points)
    told = f"{missing} {coins} missing" if missing > 0 else "affordable"
    return [
        f" → cheaper: {points} at {other.action.floor} for {other.price} {coins} "
        f"({per} per point), {told}"
    ]


def purchases_line(view: View, entry: EntryFacts) -> list[str]:
    """What affordable purchases do to a fight."""
    if "purchase_fights" not in view.annotations:
        return []
    bundle = view.facts.whole.purchases(entry)
    if bundle is None or bundle.cost is None:
        return []
    spent = [f"{bundle.exp} exp"] if bundle.exp else []
    spent += [f"{bundle.gold} gold"] if bundle.gold else []
    text = f" → purchases: {_bought(view, bundle)} ({', '.join(spent)}) → "
    vampire = view.objects[entry.action.object].kind.abilities.vampire is not None
    if bundle.cost == 0 and not vampire:
        return [text + "FREE"]
    lethal = " LETHAL" if bundle.cost >= view.state.hero.hp else ""
    return [f"{text}{bundle.cost} HP{lethal}"]


def _bought(view: View, bundle: Bundle) -> str:
    """Equal offers merged, shop by shop: `ATK +5 ×3 at MT5, DEF +4 ×1 at MT3`."""
    shops: dict[tuple[int, int], dict[str, int]] = {}
    for coin in (EXP, GOLD):
        for offer in bundle.offers:
            if offer.currency == coin:
                name = words.NAMES[RESOURCES[offer.attribute]]
                own = shops.setdefault((coin, offer.floor), {})
                text = f"{name} +{offer.points}"
                own[text] = own.get(text, 0) + 1
    return ", ".join(
        " and ".join(f"{text} ×{n}" for text, n in own.items())
        + f" at {phrases.floor_id(view, floor)}"
        for (_, floor), own in shops.items()
    )
