"""All facts about a state that look beyond one floor, each computed when asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mt_gym.analysis.costs import Gain
from mt_gym.analysis.keys import KeyBudget
from mt_gym.analysis.tower.bundle import Bundle, best_bundle, free_by_def
from mt_gym.analysis.tower.events import EventFacts, Seal, event_facts, events, seals
from mt_gym.analysis.tower.gains import AtkCount, Gains, TowerValue, atk_counts
from mt_gym.analysis.tower.keys import (
    FreeBehind,
    KeyReserve,
    Seller,
    closed_red_doors,
    free_behind,
    key_reserve,
    red_key_seller,
    tower_budgets,
)
from mt_gym.analysis.tower.offers import Offer, open_offers
from mt_gym.analysis.tower.scripts import scripts
from mt_gym.analysis.tower.shops import ShopAhead, cheaper, shops_ahead
from mt_gym.analysis.tower.treasures import Blessing, Treasure, blessings, treasures
from mt_gym.analysis.tower.way_up import WayUp
from mt_gym.engine.board import BUY, CLIMB, FIGHT, SELL, TALK, TRADE, TRAVEL, Action
from mt_gym.engine.kinds import ATK, DEF, MDEF

if TYPE_CHECKING:
    from mt_gym.analysis.decision import EntryFacts, Facts

_POINTS = (ATK, DEF, MDEF)


class TowerFacts:
    """Everything that the annotations of a tower know about a state.

    Args:
        facts: of the listed actions of the same state.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.tower, self.state = facts.tower, facts.state
        self.options = facts.options

    # -- the state ---------------------------------------------------------------

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Offers of attributes at open shops."""
        return open_offers(self.tower, self.state)

    @cached_property
    def way_up(self) -> WayUp:
        """The way up from the highest visited floor."""
        return WayUp(self.tower, self.state, self.options)

    @cached_property
    def key_budgets(self) -> tuple[KeyBudget, ...]:
        """Keys and doors of all visited floors."""
        return tower_budgets(self.tower, self.state)

    @cached_property
    def shops_ahead(self) -> tuple[ShopAhead, ...]:
        """Shops that have been seen but not reached."""
        return shops_ahead(self.tower, self.state)

    @cached_property
    def all_events(self) -> tuple[EventFacts, ...]:
        """Events to come of objects on visited floors."""
        return events(self.tower, self.state)

    @cached_property
    def events(self) -> tuple[EventFacts, ...]:
        """Events to come of objects on visited floors whose action is not listed."""
        listed = {entry.action.index for entry in self._facts.entries}
        return tuple(
            found
            for found in self.all_events
            if found.event.action is None or found.event.action.index not in listed
        )

    @cached_property
    def seals(self) -> tuple[Seal, ...]:
        """Closed seals of visited floors."""
        return seals(self.tower, self.state)

    @cached_property
    def treasures(self) -> tuple[Treasure, ...]:
        """Treasures of visited floors, the best first."""
        return treasures(self.tower, self.state)

    @cached_property
    def blessings(self) -> tuple[Blessing, ...]:
        """What carried things would give if they were handed in now."""
        return blessings(self.tower, self.state)

    @cached_property
    def red_key_seller(self) -> Seller | None:
        """The open shop that sells red keys."""
        return red_key_seller(self.tower, self.state)

    def closed_red_doors(self, floor: int) -> list[int]:
        """Red doors in reach on a floor, if no red key is in hand."""
        return closed_red_doors(self.tower, self.state, floor)

    @cached_property
    def gains(self) -> Gains:
        """The listed fights at any gain."""
        return Gains(
            self.tower, self.state, [entry.entry for entry in self._facts.entries]
        )

    # -- an action ---------------------------------------------------------------

    def gain_of(self, entry: EntryFacts) -> Gain:
        """Attributes that an action gives or has behind it."""
        row = entry.action.row
        points = dict(self.tower.game.gain(self.state, row))
        own = Gain(*(max(0, points.get(slot, 0)) for slot in _POINTS))
        if entry.action.code in (BUY, TRADE, SELL):
            return own
        if entry.action.code in (TRAVEL, CLIMB):
            return Gain()
        return own + entry.gain

    def value(self, entry: EntryFacts) -> TowerValue | None:
        """What an action's gain is worth on all floors; None without a gain."""
        gain = self.gain_of(entry)
        if not gain:
            return None
        own = entry.action.object if entry.action.code == FIGHT else -1
        return self.gains.value(gain, own)

    def offer(self, action: Action) -> Offer | None:
        """The offer of attributes that an action buys; None if it buys none."""
        for offer in self.offers:
            if offer.action.index == action.index:
                return offer
        return None

    def counts(self, offer: Offer) -> tuple[AtkCount, ...]:
        """How many purchases of an ATK offer the expensive fights take."""
        return atk_counts(
            self.tower,
            self.state,
            self.options,
            offer.points,
            [one.thing for one in self.way_up.fights],
            [entry.action.object for entry in self.gains.fights],
        )

    def cheaper(self, offer: Offer) -> Offer | None:
        """A cheaper offer of another open shop."""
        return cheaper(self.offers, offer)

    def purchases(self, entry: EntryFacts) -> Bundle | None:
        """What affordable purchases do to a fight: free by DEF, else the cheapest."""
        if not entry.is_fight or entry.damage == 0 or not self.offers:
            return None
        thing = entry.action.object
        free = free_by_def(self.tower, self.state, thing, self.offers)
        return free or best_bundle(self.tower, self.state, thing, self.offers)

    def shops_behind(self, entry: EntryFacts) -> list[ShopAhead]:
        """Unopened shops whose first obstacle is the action's object."""
        thing = entry.action.object
        return [shop for shop in self.shops_ahead if 0 <= thing == shop.first]

    def reserve(self, entry: EntryFacts) -> KeyReserve | None:
        """Keys that the action takes from the way up, if it is not on it."""
        action, way_up = entry.action, self.way_up
        if action.code == SELL:
            return key_reserve(self.tower, self.state, action, None, way_up.way)
        away = self.tower.board.door_mask & ~way_up.mask
        if action.object < 0 or not away >> action.object & 1:
            return None
        return key_reserve(self.tower, self.state, action, entry.tree, way_up.way)

    def free_behind(self, entry: EntryFacts) -> FreeBehind | None:
        """Fights for nothing that the action makes reachable."""
        return free_behind(self.tower, self.state, entry.action)

    def event_of(self, entry: EntryFacts) -> EventFacts | None:
        """The event that an action runs."""
        for event in scripts(self.tower).events:
            if event.action is not None and event.action.index == entry.action.index:
                return event_facts(self.tower, self.state, event)
        return None

    def blessing_of(self, entry: EntryFacts) -> Blessing | None:
        """What a talk multiplies."""
        if entry.action.code != TALK:
            return None
        for blessing in self.blessings:
            if blessing.action.index == entry.action.index:
                return blessing
        return None
