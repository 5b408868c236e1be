"""The lines below an action: what comes next, the tree, stat gems, order, keys."""

from __future__ import annotations

from mt_gym.analysis.costs import Gain
from mt_gym.analysis.decision import EntryFacts
from mt_gym.analysis.keys import NO_KEYS, Keys
from mt_gym.analysis.tree import Node
from mt_gym.engine.board import BUY, FINISH, SELL, TRAVEL
from mt_gym.engine.kinds import KEYS
from mt_gym.observation.tower import attributes
from mt_gym.observation.tower import entry as tower
from mt_gym.observation.view import View

WITHOUT_LINES = (BUY, SELL, FINISH, TRAVEL)
"""Verbs that open nothing."""


def lines(view: View, entry: EntryFacts) -> list[str]:
    """All lines below the header of an action, in their order."""
    code = entry.action.code
    shown = view.annotations
    if code in (BUY, SELL) and view.several:
        return _offer_lines(view, entry)
    if code in WITHOUT_LINES or ("dead_end" in shown and entry.dead_end):
        return []
    found: list[str] = []
    if "next_fight" in shown and entry.next_fights:
        fights = ", ".join(view.fight_ahead(index) for index in entry.next_fights)
        found.append(f" → next fight: {fights}")
    if "lookahead_tree" in shown:
        found += tree_lines(view, entry)
    if "stat_route" in shown or "stat_route_one_sided" in shown:
        found += stat_line(view, entry)
    if view.several:
        found += attributes.value_line(view, entry)
    if "fight_order" in shown and entry.is_fight:
        found += order_line(view, entry)
    if view.several:
        found += attributes.purchases_line(view, entry) + tower.shop_lines(view, entry)
    if "keys" in shown:
        found += key_line(view, entry)
    if view.several:
        found += tower.reserve_line(view, entry)
        found += tower.free_line(view, entry) + tower.event_lines(view, entry)
    return found


def _offer_lines(view: View, entry: EntryFacts) -> list[str]:
    """The lines of a purchase or a sale in a tower."""
    found = attributes.value_line(view, entry)
    offer = view.facts.whole.offer(entry.action)
    if offer is not None:
        found += attributes.counts_line(view, offer) + attributes.cheaper_line(
            view, offer
        )
    return found + tower.reserve_line(view, entry)


def tree_lines(view: View, entry: EntryFacts) -> list[str]:
    """What the action unlocks, and what every gateway behind it does."""
    found = []
    for node in entry.tree.nodes:
        text = _unlocks(view, node)
        if not text:
            continue
        if not node.path:
            found.append(f" → unlocks: {text}")
        else:
            way = " → ".join(view.gateway(index) for index in node.path)
            found.append(f"{' ' * (1 + 2 * node.depth)}→ via [{way}]: {text}")
    return found


def _unlocks(view: View, node: Node) -> str:
    labels = view.labels
    things = [
        *sorted(node.items, key=lambda index: -labels[index].rank),
        *node.doors,
        *sorted(node.others, key=lambda index: -labels[index].rank),
    ]
    parts = view.unlocks(things) if things else []
    goal = view.tower.board.goal_mask
    parts += [view.gateway(index) for index in node.monsters if goal >> index & 1]
    return ", ".join(parts)


def points(gain: Gain) -> str:
    """`+1 ATK +2 DEF`."""
    parts = (("ATK", gain.atk), ("DEF", gain.defense), ("MDEF", gain.mdef))
    return " ".join(f"+{number} {name}" for name, number in parts if number)


def stat_line(view: View, entry: EntryFacts) -> list[str]:
    """Price and saving of the attribute items; one-sided: the saving alone."""
    route = entry.stat_route
    if route is None:
        return []
    head = f" → stat gems behind it ({points(route.gain)}): "
    saved = f"they save {route.saving} HP on the other fights listed now"
    if "stat_route" not in view.annotations:
        return [head + saved]
    return [
        f"{head}{route.price} HP of fighting to reach them, then {saved} → net "
        f"{route.net:+d} HP"
    ]


def order_line(view: View, entry: EntryFacts) -> list[str]:
    """Which of this fight and another route to take first."""
    order = entry.order
    if order is None:
        return []
    label = view.labels[entry.action.object]
    other = view.name(view.facts.entries[order.route - 1])
    head = f" → ORDER (this {label.name} at {label.at}): "
    first = f"this fight then that route: {order.fight_first} HP"
    second = f"that route then this fight: {order.route_first} HP"
    if order.take_first:
        return [
            f'{head}take this fight BEFORE "{other}" — {first}; {second} '
            f"(saves {order.difference})"
        ]
    return [
        f"{head}taking this fight now WASTES {order.difference} HP — take "
        f'"{other}" first (it costs {order.first_cost} HP) — {second}; {first}'
    ]


def key_count(keys: Keys) -> str:
    """`1 yellow key, 2 blue keys`, or `none`."""
    parts = [
        f"{number} {colour} key{'' if number == 1 else 's'}"
        for colour, number in zip(KEYS, keys, strict=True)
        if number
    ]
    return ", ".join(parts) or "none"


def key_line(view: View, entry: EntryFacts) -> list[str]:
    """What the action does to the keys.

    For a fight only if it exposes a key or a door by itself, for other verbs only if
    keys or doors have to do with it.
    """
    keys = entry.keys
    exposed = ", ".join(
        f"{view.labels[door.door].lower} {view.labels[door.door].at} → "
        + (
            f"{key_count(door.keys)} behind it"
            if door.passed
            else "not passable in this lookahead"
        )
        for door in keys.doors
    )
    exposed = f"it exposes {exposed or 'no door'}"
    involved = keys.used != NO_KEYS or keys.found != NO_KEYS or keys.doors
    if not involved:
        return []
    if entry.is_fight:
        return [f" → keys: behind this fight {key_count(keys.found)}; {exposed}"]
    behind = key_count(keys.found)
    if keys.past:
        behind += " past " + ", ".join(view.labels[index].here for index in keys.past)
    text = " → keys: "
    if keys.used != NO_KEYS:
        text += f"uses {key_count(keys.used)}; "
    text += f"behind it {behind}; held after collecting: {_held(entry)}; {exposed}"
    if keys.last:
        text += (
            f" — WARNING: spends the last {' and '.join(keys.last)} key and none "
            "comes back"
        )
    return [text]


def _held(entry: EntryFacts) -> str:
    """Keys in hand afterwards, for the colours that change."""
    keys = entry.keys
    return ", ".join(
        f"{held} {colour}"
        for colour, held, used, found in zip(
            KEYS, keys.held, keys.used, keys.found, strict=True
        )
        if used or found
    ) or key_count(keys.held)
