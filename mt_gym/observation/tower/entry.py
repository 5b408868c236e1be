"""Tags and lines of an action that look at all visited floors."""

from __future__ import annotations

from typing import Final

from mt_gym.analysis.decision import Block, EntryFacts
from mt_gym.analysis.tower.shops import Purchases, ShopAhead
from mt_gym.analysis.tower.way import (
    door_colours,
)
from mt_gym.engine.board import BUY, SELL
from mt_gym.engine.kinds import GOLD, KEYS, RED, RESOURCES
from mt_gym.observation import words
from mt_gym.observation.tower import phrases
from mt_gym.observation.tower.block import blessing_text
from mt_gym.observation.view import View

NOT_USED: Final = "SHOP NOT USED YET"


def route_tags(view: View, entry: EntryFacts) -> list[str]:
    """Whether an action is an obstacle of the way up."""
    shown = view.annotations
    if entry.action.object < 0 or not {"way_up", "way_up_tags"} <= shown:
        return []
    way_up = view.facts.whole.way_up
    if not way_up.mask >> entry.action.object & 1:
        return []
    every = way_up.every >> entry.action.object & 1
    return ["ON EVERY WAY UP" if every else "ON THE WAY UP"]


def shop_tags(view: View, entry: EntryFacts) -> list[str]:
    """Whether a shop has sold nothing yet."""
    used = view.used >> max(0, entry.action.object) & 1
    if "shop_ahead" not in view.annotations or entry.action.code not in (BUY, SELL):
        return []
    return [] if used else [NOT_USED]


def shop_lines(view: View, entry: EntryFacts) -> list[str]:
    """Unopened shops that begin with this action."""
    if "shop_ahead" not in view.annotations:
        return []
    return [shop_line(view, one) for one in view.facts.whole.shops_behind(entry)]


def shop_line(view: View, shop: ShopAhead) -> str:
    """What coins buy at a shop ahead, and what the way to it costs."""
    coins = dict.fromkeys(
        words.NAMES[RESOURCES[slot]] for offer in shop.offers for slot, _ in offer.cost
    )
    head = f" → shop ahead {phrases.floor_id(view, shop.floor)} ({'/'.join(coins)}): "
    parts = [] if view.kind == "tower-2" else _buys(view, shop)
    if shop.way is None:
        return head + "; ".join([*parts, "no way"])
    fights = []
    for rank, one in enumerate(shop.way.fights):
        text = phrases.here(view, one.thing)
        text += f" {phrases.fight_cost(view, one.thing, one.cost)}"
        if shop.table is not None and view.kind != "tower-2":
            for cost in shop.table.costs[rank]:
                text += f" → {_step(view, cost)}"
        fights.append(text)
    if fights:
        text = f"on the way: {', '.join(fights)}"
        if shop.table is not None and view.kind != "tower-2":
            text += f" with ATK {phrases.step_points(shop.table)}"
        parts.append(text)
    doors = door_colours(view.tower, shop.way.doors)
    if any(doors):
        told = ", ".join(
            f"{n} {colour}" for colour, n in zip(KEYS, doors, strict=True) if n
        )
        parts.append(f"doors: {told}")
    others = [o for o in shop.way.obstacles if o.type in ("script", "character")]
    parts += [phrases.obstacle(view, one) for one in others]
    return head + ("; ".join(parts) or "nothing on the way")


def _step(view: View, cost: int | None) -> str:
    if cost is None:
        return "UNWINNABLE"
    return f"{cost} LETHAL" if cost >= view.state.hero.hp else f"{cost}"


def _buys(view: View, shop: ShopAhead) -> list[str]:
    """What each currency in hand buys there."""
    wallets: dict[int, list[Purchases]] = {}
    for offer in shop.offers:
        if len(offer.cost) == 1:
            wallets.setdefault(offer.cost[0][0], []).append(offer)
    found = []
    for slot, offers in wallets.items():
        payable = [
            f"{words.offer(offer.gain)} ×{offer.times}"
            for offer in offers
            if offer.times
        ]
        missing = min(offer.missing for offer in offers)
        told = " or ".join(payable) or f"nothing yet ({missing} missing)"
        coins = words.NAMES[RESOURCES[slot]]
        found.append(f"{view.state.hero[slot]} {coins} buys {told}")
    return found


def reserve_line(view: View, entry: EntryFacts) -> list[str]:
    """Keys that the action takes from the way up."""
    if "key_reserve" not in view.annotations:
        return []
    found = view.facts.whole.reserve(entry)
    if found is None:
        return []
    first, *rest = found.doors
    places = [view.labels[first].far, *(view.labels[door].at for door in rest)]
    return [
        f" → KEY RESERVE: leaves {found.left} {found.colour} key(s); the way up needs "
        f"{len(found.doors)}: {', '.join(places)}"
    ]


def under_block(view: View, block: Block, inside: bool) -> list[str]:
    """Unnumbered lines below the entries of a floor: red doors, shops.

    Args:
        view: what is rendered.
        block: of the floor.
        inside: whether the block's heading names the floor.
    """
    return [*red_door_lines(view, block, inside), *shops_under(view, block)]


def red_door_lines(view: View, block: Block, inside: bool) -> list[str]:
    """Red doors in reach without a key, and who sells one."""
    if "red_door" not in view.annotations or block.floor is None:
        return []
    found = []
    for door in view.facts.whole.closed_red_doors(block.floor):
        label = view.labels[door]
        at = label.at if inside else label.far
        found.append(f"  {label.name} at {at}: not without a red key")
        text = f" → red keys: {view.state.hero[RED]} in hand; "
        seller = view.facts.whole.red_key_seller
        if seller is None:
            text += "no key seller found yet"
        else:
            text += (
                f"the key seller on {seller.action.floor} asks {seller.price} gold, "
                f"you have {view.state.hero[GOLD]}"
            )
        found.append(text)
    return found


def shops_under(view: View, block: Block) -> list[str]:
    """Unopened shops of a floor whose way begins with something that is not listed."""
    if "shop_ahead" not in view.annotations or block.floor is None:
        return []
    listed = {entry.action.object for entry in view.facts.entries}
    return [
        shop_line(view, shop)
        for shop in view.facts.whole.shops_ahead
        if shop.floor == block.floor and shop.first not in listed
    ]


def free_line(view: View, entry: EntryFacts) -> list[str]:
    """Fights for nothing that the action makes reachable."""
    if "free_behind" not in view.annotations:
        return []
    found = view.facts.whole.free_behind(entry)
    if found is None:
        return []
    return [
        f" → free fights behind it: {found.count} ({found.gold} gold, {found.exp} exp)"
    ]


def event_lines(view: View, entry: EntryFacts) -> list[str]:
    """The event that the action runs, and what a talk multiplies."""
    found = []
    if "events" in view.annotations:
        event = view.facts.whole.event_of(entry)
        if event is not None:
            told = phrases.deeds(view.tower, event.event)
            found.append(f" → event: {phrases.condition(view, event)}{told}")
    blessing = view.facts.whole.blessing_of(entry)
    if blessing is not None and "cross" in view.annotations:
        found.append(f" → {blessing_text(blessing)}")
    return found
