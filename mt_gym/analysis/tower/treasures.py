"""Treasures of the visited floors: what is worth a detour, with the way there."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.tower.cells import (
    floors_in_reach,
)
from mt_gym.analysis.tower.events import Access, access
from mt_gym.analysis.tower.in_order import Verdict, in_order
from mt_gym.analysis.tower.way import (
    Way,
)
from mt_gym.engine.actions import SCALE, TALK, TRADE, Action
from mt_gym.engine.kinds import KEYS, RESOURCES
from mt_gym.engine.rules import scaled
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower

CATEGORIES = ("sword", "shield", "feather", "key_box", "quest", "holy_water")
"""Items that are treasures, by what the tower file says they are for."""

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Treasure:
    """An item, a gift or a trade that has not been taken.

    Attributes:
        thing: its object; action: what takes it.
        access: the way to it.
        verdict: the way in path order; None where none is needed or known.
        price: what a trade asks, as pairs (resource, amount); () for others.
    """

    thing: int
    action: Action
    access: Access
    verdict: Verdict | None
    price: tuple[tuple[int, int], ...]

    @property
    def way(self) -> Way | None:
        """The way to it."""
        return self.access.way


@dataclass(frozen=True, slots=True)
class Blessing:
    """What handing a carried thing in multiplies, in a state.

    Attributes:
        flag: name of the thing; action: the talk that takes it.
        gains: triples (resource, points, ratio).
    """

    flag: str
    action: Action
    gains: tuple[tuple[int, int, tuple[int, int]], ...]


def treasures(tower: Tower, state: State) -> tuple[Treasure, ...]:
    """Treasures by HP lost on the way if it is passable, then trades, then others."""
    board, world, hero = tower.board, state.world, state.hero
    floors = floors_in_reach(tower, state)
    found = []
    for thing, action in _candidates(tower):
        own = board.objects[thing]
        away = (world.gone | world.hidden) >> thing & 1
        told = action.row.without & world.flags
        if away or told or not floors >> own.floor & 1:
            continue
        if action.code == TALK and not tower.game.holds(state, action.row):
            continue
        way = access(tower, state, thing)
        verdict = None if way.way is None else in_order(tower, state, way.way)
        price = tower.game.cost(state, action.row) if action.code == TRADE else ()
        found.append(Treasure(thing, action, way, verdict, price))

    def rank(one: Treasure) -> tuple[int, int, int]:
        if one.price:
            return 1, 0, one.thing
        if one.access.reachable:
            return 0, 0, one.thing
        if one.verdict is not None and one.verdict.passable:
            return 0, hero.hp - one.verdict.hp, one.thing
        return 2, 0, one.thing

    return tuple(sorted(found, key=rank))


def _candidates(tower: Tower) -> tuple[tuple[int, Action], ...]:
    """Every treasure that may ever exist, with the action that takes it."""
    known = tower.caches.get("treasures")
    if known is None:
        known = tower.caches["treasures"] = tuple(
            (thing.index, action)
            for thing in tower.board.objects
            for action in thing.actions
            if thing.kind.category in CATEGORIES
            or action.code == TRADE
            or (action.code == TALK and _is_gift(action))
        )
    return known


def _is_gift(action: Action) -> bool:
    """Whether a talk hands over attributes or keys for nothing but itself."""
    given = [RESOURCES[slot] for slot, _ in action.row.gain]
    return not action.row.cost and any(
        name in ("atk", "def", "mdef") or name in KEYS for name in given
    )


def blessings(tower: Tower, state: State) -> tuple[Blessing, ...]:
    """Talks of visited floors that take a carried thing and multiply numbers."""
    board, world, hero = tower.board, state.world, state.hero
    away, floors = world.gone | world.hidden, floors_in_reach(tower, state)
    return tuple(
        Blessing(
            flag,
            action,
            tuple(
                (slot, scaled(hero[slot], num, den) - hero[slot], (num, den))
                for code, slot, num, den in action.row.effects
                if code == SCALE
            ),
        )
        for flag, action in _hand_ins(tower)
        if not away >> action.object & 1
        and not action.row.without & world.flags
        and floors >> board.objects[action.object].floor & 1
    )


def _hand_ins(tower: Tower) -> tuple[tuple[str, Action], ...]:
    """Talks that multiply numbers for a carried thing, with its name."""
    known = tower.caches.get("hand-ins")
    if known is None:
        names = tower.board.flag_names
        carried = {kind.name for kind in tower.data.kinds if kind.carried}
        known = tower.caches["hand-ins"] = tuple(
            (names[bit], action)
            for action in tower.actions
            if action.code == TALK and any(e[0] == SCALE for e in action.row.effects)
            for bit in bits(action.row.flags)
            if names[bit] in carried
        )
    return known
