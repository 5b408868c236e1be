"""Whether a way can be passed in its order, coins spent before each paying fight.

Played by the engine on a copy of the state: exact for this way and this rule of
spending.  That it stops does not prove that no other order works.
"""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.tower.bundle import Bundle, best_bundle
from mt_gym.analysis.tower.offers import open_offers
from mt_gym.analysis.tower.way import (
    Way,
)
from mt_gym.engine.board import WON, Action
from mt_gym.engine.kinds import KEYS, RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a way can be passed.

    Attributes:
        passable: whether its end is reached.
        hp: HP left there, or where it stops; atk likewise.
        bought_atk: points bought on the way; bought_def likewise.
        stop: object where it stops; -1 if it does not.
        why: `cost`, `unwinnable`, `key` or `event`; empty if it does not stop.
        cost: HP that the fight where it stops costs.
        colour: of the key that is missing.
        state: the state at its end, or where it stops.
    """

    passable: bool
    hp: int
    atk: int
    bought_atk: int
    bought_def: int
    state: State
    stop: int = -1
    why: str = ""
    cost: int = 0
    colour: str = ""


def in_order(tower: Tower, state: State, way: Way) -> Verdict:
    """Walk a way to its end, or as far as it goes."""
    return _Walk(tower, state, tower.board.cell_floor[way.target]).along(way)


class _Walk:
    def __init__(self, tower: Tower, state: State, floor: int) -> None:
        self.tower, self.state = tower, state
        self.here = tower.board.floor_mask[floor]
        self.atk = self.defense = 0

    def along(self, way: Way) -> Verdict:
        board = self.tower.board
        for thing in way.things:
            if self.state.world.gone >> thing & 1:
                continue
            if board.monster_mask >> thing & 1:
                stop = self._fight(thing)
            else:
                stop = self._pass(thing)
            if stop is not None:
                return stop
            if self.state.world.flags & WON:
                break
            self._settle()
        return self._verdict()

    def _verdict(
        self, stop: int = -1, why: str = "", cost: int = 0, colour: str = ""
    ) -> Verdict:
        hero = self.state.hero
        return Verdict(
            not why,
            hero.hp,
            hero.atk,
            self.atk,
            self.defense,
            self.state,
            stop,
            why,
            cost,
            colour,
        )

    def _fight(self, thing: int) -> Verdict | None:
        """Spend, then fight; the verdict where it cannot be won or survived."""
        game, board = self.tower.game, self.tower.board
        action = board.objects[thing].actions[0]
        if not game.holds(self.state, action.row):
            return self._verdict(thing, "event")
        free = board.automatic_fights >> thing & 1
        if not (free and game.loss(self.state, thing) == 0):
            offers = open_offers(self.tower, self.state)
            bundle = best_bundle(self.tower, self.state, thing, offers)
            if bundle is not None:
                self._buy(bundle)
        cost = game.loss(self.state, thing)
        if cost == UNWINNABLE:
            return self._verdict(thing, "unwinnable")
        if cost >= self.state.hero.hp:
            return self._verdict(thing, "cost", cost)
        return self._do(action)

    def _buy(self, bundle: Bundle) -> None:
        self.atk += bundle.atk
        self.defense += bundle.defense
        for offer in bundle.offers:
            self.state = self.tower.step(self.state, offer.action)

    def _pass(self, thing: int) -> Verdict | None:
        """Open a door, take what lies in the way, or talk to who then leaves."""
        game, board = self.tower.game, self.tower.board
        own = board.objects[thing]
        for action in own.actions:
            if action.row.removes >> thing & 1 and game.payable(self.state, action):
                return self._do(action)
        if own.kind.type == "door" and game.holds(self.state, own.actions[0].row):
            for slot, amount in own.actions[0].row.cost:
                if RESOURCES[slot] in KEYS and self.state.hero[slot] < amount:
                    return self._verdict(thing, "key", colour=RESOURCES[slot])
        return self._verdict(thing, "event")

    def _do(self, action: Action) -> Verdict | None:
        if not self.tower.game.is_legal(self.state, action):
            return self._verdict(action.object, "event")
        self.state = self.tower.step(self.state, action)
        return None

    def _settle(self) -> None:
        """What the assists do on this floor: items, then gates, then free fights."""
        game, board = self.tower.game, self.tower.board
        neutral = ~(board.scripted_mask | board.goal_mask)
        while not self.state.world.flags & WON:
            there = game.candidates(self.state) & self.here
            things = there & board.automatic_items
            things = things or there & board.gate_mask & board.free_mask & neutral
            fights = there & board.automatic_fights & game.winnable(self.state)
            while not things and fights:
                low = fights & -fights
                fights ^= low
                if game.loss(self.state, low.bit_length() - 1) == 0:
                    things = low
            if not things:
                return
            first = (things & -things).bit_length() - 1
            action = board.objects[first].actions[0]
            self.state = self.tower.step(self.state, action)
