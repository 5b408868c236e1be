"""What the heuristic adds to the facts of a listed action: a price to compare."""

from __future__ import annotations

from mt_gym.analysis.costs import Gain
from mt_gym.analysis.decision import EntryFacts
from mt_gym.analysis.stat_route import gain_of, healing_of, route_price
from mt_gym.analysis.tree import KEY_SLOTS
from mt_gym.analysis.weights import KEY
from mt_gym.engine.kinds import KEYS
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.offers import closed_doors


def makes_progress(facts: EntryFacts) -> bool:
    """Whether an action opens anything that may be needed."""
    return not (facts.optional or facts.dead_end)


def price(facts: EntryFacts) -> tuple[int, int]:
    """What the heuristic minimises, over actions that make progress.

    The effective cost where there is one; a door's is the price of its key minus
    its value.  What has none (worth nothing behind paid gateways) comes after all
    others, by its cost and that of its gateways minus what they are worth.
    """
    value = facts.value
    key = key_price(facts.tower, facts.state, facts)
    if value.effective_cost is None:
        return (1, (facts.damage or 0) + key + value.gateways - value.raw)
    return (0, key + value.effective_cost)


def key_price(tower: Tower, state: State, facts: EntryFacts) -> int:
    """Hand-set price of the keys an action uses.

    0 for a colour of which every closed door of the tower has its key in hand.
    """
    total = 0
    for slot, amount in facts.action.row.cost:
        if slot not in KEY_SLOTS:
            continue
        if state.hero[slot] < closed_doors(tower, state, slot):
            total += amount * KEY[KEYS[KEY_SLOTS.index(slot)]]
    return total


def way_price(facts: EntryFacts) -> int | None:
    """HP of an action and of every gateway in front of a potion or stat item.

    None if one of the fights cannot be won.
    """
    objects = facts.tower.board.objects
    gateways: dict[int, None] = {}
    for node in facts.tree.nodes:
        items = (objects[index] for index in node.items)
        if any(gain_of(item) or healing_of(item) for item in items):
            gateways |= dict.fromkeys(node.path)
    return route_price(facts.tower, facts.state, facts.entry, gateways, Gain())
