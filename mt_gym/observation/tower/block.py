"""Lines of the state block that look at all visited floors."""

from __future__ import annotations

from mt_gym.analysis.tower.events import EventFacts, Seal
from mt_gym.analysis.tower.treasures import SHOWN, Blessing, Treasure
from mt_gym.analysis.tower.way import (
    door_colours,
)
from mt_gym.analysis.tower.way_up import StepTable, WayUp
from mt_gym.engine.kinds import ATK, KEYS, RESOURCES
from mt_gym.observation import words
from mt_gym.observation.tower import phrases
from mt_gym.observation.view import View

_EQUIPMENT = ("sword", "shield", "feather")


def tower_lines(view: View) -> list[str]:
    """Way up, treasures, seals and events, in this order; none for a dead hero."""
    if view.state.hero.hp <= 0:
        return []
    shown = view.annotations
    found: list[str] = []
    if "way_up" in shown:
        found += way_up_lines(view)
    if "treasures" in shown:
        found += treasure_line(view)
    if "seal" in shown:
        found += [seal_line(view, seal) for seal in view.facts.whole.seals]
    if "events" in shown:
        found += [event_line(view, event) for event in view.facts.whole.events]
    return found


def key_budget_lines(view: View) -> list[str]:
    """Keys of all visited floors, one line per colour with a closed door."""
    return [
        f"Key budget, all visited floors: {one.colour} {one.held} in hand + "
        f"{one.lying} lying = {one.held + one.lying} for {one.doors} closed "
        f"{one.colour} door(s)"
        for one in view.facts.whole.key_budgets
    ]


# -- the way up ------------------------------------------------------------------


def way_up_lines(view: View) -> list[str]:
    """The way to the next floor: its obstacles, thresholds, purchases, verdict."""
    way_up = view.facts.whole.way_up
    start = f"Way up from {phrases.floor_id(view, way_up.floor)}"
    if way_up.target < 0:
        return _hidden_stairs(view, way_up, start)
    end = phrases.here(view, way_up.target)
    if not way_up.goal:
        end = view.labels[way_up.target].at
    start += f" to {end}: "
    if way_up.way is None:
        return [f"{start}no way"]
    if not way_up.way.obstacles:
        return [f"{start}open"]
    hp = max(1, view.state.hero.hp)
    cost = way_up.way.cost
    text = phrases.way(view, way_up.way, way_up.every)
    text += f" → total {cost} HP ({words.percents(cost, hp)}% of HP)"
    if way_up.way.unwinnable:
        text += f" + {way_up.way.unwinnable} unwinnable"
    found = [start + text]
    if way_up.has_paying_fights:
        found.append(_thresholds(way_up))
        if "way_up_purchases" in view.annotations:
            found += [_purchases(view, way_up, table) for table in way_up.tables]
    doors = bool(way_up.way.doors)
    if "in_order" in view.annotations and (way_up.has_paying_fights or doors):
        assert way_up.verdict is not None
        where = " after the goal" if way_up.goal else " at the staircase"
        told = phrases.verdict(view, way_up.verdict, where)
        found.append(f"  in path order, spending before each fight: {told}")
    return found


def _hidden_stairs(view: View, way_up: WayUp, start: str) -> list[str]:
    if way_up.reveals is None:
        return []
    holder = way_up.reveals.holder
    if holder < 0:
        return [f"{start}: no up-stairs yet — they open once their guards are gone"]
    floor = view.objects[holder].floor
    if not view.state.world.visited >> floor & 1:
        return [f"{start}: no up-stairs yet — an event not seen yet opens them"]
    text = f"{start}: no up-stairs yet — {phrases.far(view, holder)} opens them"
    if floor == way_up.floor:
        for event in view.facts.whole.all_events:
            if event.event is way_up.reveals and event.access is not None:
                text += f"; {phrases.approach(view, event.access)}"
    return [text]


def _thresholds(way_up: WayUp) -> str:
    """The attributes from which every fight is within the rule-4 share."""
    share = phrases.percent(way_up.options.rule4_share)
    atk, defense = way_up.atk_needed, way_up.def_needed
    if atk == way_up.state.hero.atk:
        return f"  every fight is within {share}% of HP"
    parts = [
        "no ATK alone" if atk is None else f"from ATK≥{atk} alone",
        "no DEF alone" if defense is None else f"DEF≥{defense} alone",
    ]
    if atk is not None and defense is not None:
        return f"  every fight ≤{share}% of HP {parts[0]} or {parts[1]}"
    if atk is None and defense is not None:
        parts = [f"from DEF≥{defense} alone", "no ATK alone"]
    return f"  every fight ≤{share}% of HP: {', '.join(parts)}"


def _purchases(view: View, way_up: WayUp, table: StepTable) -> str:
    """What purchases of an attribute do to each kind of the way, and to the total."""
    name = "ATK" if table.steps.attribute == ATK else "DEF"
    counts = "/".join(str(count) for count in table.steps.counts)
    prices = ", ".join(
        f"{coins} {words.NAMES[RESOURCES[coin]]}" for coins, coin in table.steps.prices
    )
    parts: dict[str, None] = {}
    for one, costs in zip(way_up.fights, table.costs, strict=True):
        label = view.labels[one.thing].name
        parts[f"{label} {phrases.step_costs(view, costs)}"] = None
    totals = []
    for step in range(len(table.steps.points)):
        hp, unwinnable = table.total(step)
        totals.append(f"{hp} + {unwinnable} unwinnable" if unwinnable else f"{hp}")
    return (
        f"  buying {name} {phrases.step_points(table)} ({counts} each: {prices}): "
        f"{', '.join(parts)}, total {'/'.join(totals)}"
    )


# -- treasures -------------------------------------------------------------------


def treasure_line(view: View) -> list[str]:
    """Up to five treasures with their ways, the best first."""
    found = [
        one
        for one in view.facts.whole.treasures
        if not one.price or "trades" in view.annotations
    ]
    parts = [_treasure(view, one) for one in found[:SHOWN]]
    if len(found) > SHOWN:
        parts.append(f"+{len(found) - SHOWN} more")
    return [f"Treasures: {'; '.join(parts)}"] if parts else []


def _treasure(view: View, one: Treasure) -> str:
    label = view.labels[one.thing]
    text = f"{_treasure_name(view, one)}@{label.far}: "
    parts = []
    if one.way is not None and one.way.obstacles:
        parts.append(way_summary(view, one))
    elif one.way is None and not one.access.reachable:
        parts.append("no way")
    if one.price:
        asked = words.price(one.price)
        held = " and ".join(str(view.state.hero[slot]) for slot, _ in one.price)
        parts.append(f"{asked}, you hold {held}")
    text += "; ".join(parts) if parts else "reachable now"
    if "in_order" in view.annotations and one.verdict is not None:
        text += f" — {phrases.verdict(view, one.verdict)}"
    if "cross" in view.annotations:
        for blessing in view.facts.whole.blessings:
            if blessing.flag == label.name:
                text += f" ({blessing_text(blessing)})"
    return text


def _treasure_name(view: View, one: Treasure) -> str:
    thing = view.objects[one.thing]
    gain = words.offer(one.action.row.gain) if one.action.row.gain else ""
    if thing.kind.type == "trade":
        return gain
    if thing.kind.category in _EQUIPMENT:
        return f"{thing.kind.category} {gain}"
    if thing.kind.category == "key_box":
        return "key box"
    if thing.kind.type == "character":
        return f"{gain} from {thing.name}"
    item = thing.kind.type == "item"
    effects = phrases.effects(view.tower, one.action.row, given=not item)
    return f"{thing.name} {', '.join(effects)}" if effects else thing.name


def way_summary(view: View, one: Treasure) -> str:
    """How many fights and doors lie on the way: `2 fights, 1 yellow door`."""
    assert one.way is not None
    parts = []
    if one.way.fights:
        parts.append(words.counted(len(one.way.fights), "fight"))
    doors = phrases.colours(door_colours(view.tower, one.way.doors), "door")
    parts += [doors] if doors else []
    gates = sum(o.type == "gate" for o in one.way.obstacles)
    parts += [words.counted(gates, "gate")] if gates else []
    for other in one.way.obstacles:
        if other.type in ("script", "character"):
            parts.append(phrases.obstacle(view, other))
    return ", ".join(parts)


def blessing_text(blessing: Blessing) -> str:
    """`Cross: handed in now HP +2810 ATK +213 DEF +218 (a third of each ...)`."""
    gains = " ".join(
        f"{words.NAMES[RESOURCES[slot]]} {points:+d}"
        for slot, points, _ in blessing.gains
    )
    ratios = list(dict.fromkeys(ratio for _, _, ratio in blessing.gains))
    text = f"{blessing.flag}: handed in now {gains}"
    if len(ratios) > 1:
        return text
    num, den = ratios[0]
    fractions = {(1, 2): "half", (1, 3): "a third", (1, 4): "a quarter", (1, 1): "all"}
    part = fractions.get((num - den, den), f"{num - den}/{den}")
    return f"{text} ({part} of each at that moment)"


# -- seals and events --------------------------------------------------------------


def seal_line(view: View, seal: Seal) -> str:
    """What the seal keeps, its guards, and the doors in front of them."""
    inside = ", ".join(phrases.here(view, thing) for thing in seal.inside)
    text = f"Seal on {phrases.floor_id(view, seal.floor)}"
    text += f", {inside}: " if inside else ": "
    text += f"{len(seal.guards)} of {seal.total} guards left"
    if seal.needed < len(seal.guards):
        text += f" (any {seal.needed})"
    if not seal.doors:
        return f"{text}; no door in front"
    doors = ", ".join(_door(view, door, seal.floor) for door in seal.doors)
    text += f"; doors in front: {doors}"
    needed = [(c, n) for c, n in zip(KEYS, seal.keys, strict=True) if n]
    keys = " and ".join(f"{n} {colour} key(s)" for colour, n in needed)
    held = " and ".join(str(getattr(view.state.hero, colour)) for colour, _ in needed)
    return f"{text} — {keys} together, you have {held}"


def _door(view: View, door: int, floor: int) -> str:
    """`blue (2,5)`, with its floor if that is not the seal's."""
    label, own = view.labels[door], view.objects[door]
    at = label.at if own.floor == floor else label.far
    return f"{label.lower.removesuffix(' door')} {at}"


def event_line(view: View, found: EventFacts) -> str:
    """An event to come: condition, effects, and the ways to what it needs."""
    event = found.event
    assert found.access is not None
    text = f"Event: {phrases.far(view, event.holder)} — "
    text += phrases.condition(view, found) + phrases.deeds(view.tower, event)
    text += f"; {phrases.approach(view, found.access)}"
    for want in found.wants:
        name = phrases.far(view, want.thing) if want.thing >= 0 else want.name
        told = phrases.approach(view, want)
        text += f"; {name}: {told}" if name else f"; what it waits for: {told}"
    return text
