"""What the heuristic buys in a tower: what the way up and the fights in sight need.

Never HP, levels or keys.  While a fight of the way up is beyond the rule-4 share, the
purchases that make the first such fight cheapest; then, exp before gold, what saves
most HP for its price, and DEF before ATK where both save as much.
"""

from __future__ import annotations

from collections.abc import Sequence

from mt_gym.analysis.costs import Gain
from mt_gym.analysis.decision import Facts
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.tower.bundle import best_bundle
from mt_gym.analysis.tower.gains import Gains
from mt_gym.analysis.tower.offers import COINS, Offer
from mt_gym.engine.board import Action
from mt_gym.engine.kinds import ATK, DEF
from mt_gym.engine.rules import UNWINNABLE


def tower_purchase(facts: Facts, able: Sequence[Entry]) -> Action | None:
    """The offer to take next among those that can be paid, None to keep the coins."""
    payable = {entry.action.index for entry in able}
    offers = [o for o in facts.whole.offers if o.action.index in payable]
    if not offers:
        return None
    return _for_the_way(facts, offers) or _for_the_list(facts, offers)


def _for_the_way(facts: Facts, offers: Sequence[Offer]) -> Action | None:
    """The first purchase towards the first fight of the way up beyond the share."""
    way_up = facts.whole.way_up
    for one in way_up.fights:
        if one.cost is not None and one.cost <= way_up.limit:
            continue
        bundle = best_bundle(facts.tower, facts.state, one.thing, offers)
        if bundle is None or bundle.cost is None:
            return None
        return bundle.offers[0].action
    return None


def _for_the_list(facts: Facts, offers: Sequence[Offer]) -> Action | None:
    """The purchase that saves most on the fights in sight that lead on."""
    state, game = facts.state, facts.tower.game
    ahead = [
        found.entry
        for found in facts.entries
        if found.is_fight and not found.optional and found.damage
    ]
    gains = Gains(facts.tower, state, ahead)
    best: tuple[tuple[int, int, int, int], Action] | None = None
    for offer in offers:
        if offer.attribute not in (ATK, DEF):
            continue
        gain = Gain(offer.points, 0)
        if offer.attribute == DEF:
            gain = Gain(0, offer.points)
        saved = gains.value(gain, -1).saving
        for one in facts.whole.way_up.fights:
            then = game.loss_at(
                facts.tower.board.objects[one.thing].monster,
                state.world,
                state.hero.atk + gain.atk,
                state.hero.defense + gain.defense,
                state.hero.mdef,
                state.hero.hp,
            )
            if one.cost is not None and then != UNWINNABLE:
                saved += one.cost - then
        if saved <= 0:
            continue
        key = (
            -COINS.index(offer.currency),
            1000 * saved // offer.price,
            int(offer.attribute == DEF),
            -offer.action.index,
        )
        if best is None or key > best[0]:
            best = (key, offer.action)
    return None if best is None else best[1]
