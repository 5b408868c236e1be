"""Every verb of the action list: what it prints without any annotation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mt_gym.analysis.decision import EntryFacts
from mt_gym.analysis.tower.shops import affordable
from mt_gym.engine.board import (
    BOMB,
    BREAK,
    BUY,
    CHOOSE,
    CLIMB,
    COLLECT,
    FIGHT,
    FINISH,
    OPEN,
    SELL,
    TALK,
    TRADE,
    TRAVEL,
)
from mt_gym.engine.kinds import ATK, DEF, MDEF, RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import bits
from mt_gym.observation import words
from mt_gym.observation.names import item_label
from mt_gym.observation.tower.phrases import effects
from mt_gym.observation.view import View


def plain(view: View, entry: EntryFacts) -> str:
    """Verb, object and price of an action, as the bare observation prints them."""
    return _PLAIN[entry.action.code](view, entry)


def _fight(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    text = f"[fight] {label.name} at {label.at} — "
    if entry.damage is None:
        return text + "damage=UNWINNABLE"
    return f"{text}damage={entry.damage} hpAfter={entry.hp_after}"


def _open(view: View, entry: EntryFacts) -> str:
    thing = view.objects[entry.action.object]
    label = view.labels[thing.index]
    if thing.kind.type == "door":
        return f"[open_door] {label.name} at {label.at}"
    cost = view.tower.game.cost(view.state, entry.action.row)
    needs = f"costs {words.price(cost)}" if cost else "needs no key"
    return f"[open_gate] {label.name} at {label.at} — {needs}"


def _collect(view: View, entry: EntryFacts) -> str:
    thing = view.objects[entry.action.object]
    text = f"[collect] {item_label(thing)} at {view.labels[thing.index].at}"
    row = entry.action.row
    if view.several:
        parts = effects(view.tower, row, given=False)
        return f"{text} — {', '.join(parts)}" if parts else text
    parts = [
        part for what in row.source.effects if (part := words.effect(view.tower, what))
    ]
    cost = view.tower.game.cost(view.state, row)
    if cost:
        parts.append(f"asks {words.price(cost)}")
    return f"{text} — {', '.join(parts)}" if parts else text


def _choose(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    gain = view.tower.game.gain(view.state, entry.action.row)
    return f"[choose] {label.name} at {label.at}: {words.offer(gain)}"


def _climb(view: View, entry: EntryFacts) -> str:
    thing = view.objects[entry.action.object]
    label, board = view.labels[thing.index], view.tower.board
    floor = board.cell_floor[thing.landing]
    name = label.name.capitalize()
    text = f"[climb] {name} at {label.at} to {board.floor_ids[floor]}"
    if view.state.world.visited >> floor & 1:
        text += " — visited"
    else:
        text += " — not visited yet"
    return text + (", no way back" if thing.placement.one_way else "")


def _talk(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    deeds = words.deeds(view.tower, view.state, entry.action)
    if view.several:
        parts = effects(view.tower, entry.action.row)
        deeds = ", ".join(parts) or entry.action.row.source.text or "steps aside"
    return f"[talk] {label.name} at {label.at} — {deeds}"


def _trade(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    game, row = view.tower.game, entry.action.row
    gain = words.offer(game.gain(view.state, row))
    price = game.cost(view.state, row)
    text = f"[trade] {gain} at {label.at} — {words.price(price) or 'for nothing'}"
    if price and view.several and "trades" in view.annotations:
        held = " and ".join(str(view.state.hero[slot]) for slot, _ in price)
        text += f" (you have {held})"
    return text


def shop_place(view: View, entry: EntryFacts) -> str:
    """Where an offer is made: `gold shop at MT3(3,6)`, or the shop's name alone."""
    label = view.labels[entry.action.object]
    return f"{label.name} at {label.far}" if label.far else label.name


def _buy(view: View, entry: EntryFacts) -> str:
    game, row, hero = view.tower.game, entry.action.row, view.state.hero
    gain, cost = game.gain(view.state, row), game.cost(view.state, row)
    text = f"[buy] {shop_place(view, entry)}: {words.offer(gain)}"
    if not cost:
        return f"{text} for nothing"
    text += f" for {words.price(cost)}"
    parts = []
    if len(gain) == 1 and len(cost) == 1 and gain[0][0] in (ATK, DEF, MDEF):
        per = words.ratio_text(cost[0][1], gain[0][1])
        if view.kind != "bare" and "purchase_points" in view.annotations:
            parts.append(f"{per} {words.NAMES[RESOURCES[cost[0][0]]]} per point")
    have = " and ".join(str(hero[slot]) for slot, _ in cost)
    times = affordable(hero, cost, row.growth)
    parts.append(f"you have {have}: {times} affordable")
    return f"{text} ({'; '.join(parts)})"


def _sell(view: View, entry: EntryFacts) -> str:
    game, row, hero = view.tower.game, entry.action.row, view.state.hero
    cost, gain = game.cost(view.state, row), game.gain(view.state, row)
    goods = words.goods(cost)
    have = " and ".join(str(hero[slot]) for slot, _ in cost)
    return (
        f"[sell] {shop_place(view, entry)}: {goods} for {words.price(gain)} "
        f"(you have {have})"
    )


def _break(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    cost = view.tower.game.cost(view.state, entry.action.row)
    return f"[break] {label.name} at {label.at} — {_uses(cost)}"


def _bomb(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    cost = view.tower.game.cost(view.state, entry.action.row)
    return f"[bomb] {label.name} at {label.at} — {_uses(cost)}, pays no gold"


def _uses(cost: tuple[tuple[int, int], ...]) -> str:
    if len(cost) == 1 and cost[0][1] == 1:
        return f"uses a {words.NAMES[RESOURCES[cost[0][0]]]}"
    return f"uses {words.price(cost) or 'nothing'}"


def _finish(view: View, entry: EntryFacts) -> str:
    label, hp = view.labels[entry.action.object], view.state.hero.hp
    hp += sum(
        amount
        for slot, amount in view.tower.game.gain(view.state, entry.action.row)
        if RESOURCES[slot] == "hp"
    )
    return f"[finish] {label.name} at {label.at} — ends the episode with HP={hp}"


def _travel(view: View, entry: EntryFacts) -> str:
    text = f"[travel] Return to {entry.action.floor}"
    return text if view.kind == "bare" else f"{text}: {_summary(view, entry)}"


def _summary(view: View, entry: EntryFacts) -> str:
    """What can be acted on and what lies on another floor, in a few words."""
    board, state = view.tower.board, view.state
    number = board.floor_number[entry.action.floor]
    there = view.tower.game.candidates(state) & board.floor_mask[number]
    costs = [view.tower.game.loss(state, i) for i in bits(there & board.monster_mask)]
    parts = []
    if costs:
        won = [cost for cost in costs if cost != UNWINNABLE]
        cheapest = f"cheapest {min(won)} HP" if won else "none can be won"
        parts.append(f"{words.counted(len(costs), 'fight')} ({cheapest})")
    doors = (there & board.door_mask).bit_count()
    items = len(view.facts.floor(number).left.items)
    parts += [words.counted(doors, "door")] if doors else []
    parts += [words.counted(items, "item")] if items else []
    if any(view.objects[i].kind.type == "shop" for i in bits(there)):
        parts.append("shop")
    return ", ".join(parts) or "nothing"


_PLAIN: Final[dict[int, Callable[[View, EntryFacts], str]]] = {
    FIGHT: _fight,
    OPEN: _open,
    COLLECT: _collect,
    CHOOSE: _choose,
    BUY: _buy,
    SELL: _sell,
    TRADE: _trade,
    TALK: _talk,
    CLIMB: _climb,
    BREAK: _break,
    BOMB: _bomb,
    FINISH: _finish,
    TRAVEL: _travel,
}
