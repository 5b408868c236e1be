"""When something may be done at once without losing the optimum, on any tower.

A state that has removed more, with no less of anything, is never worse unless a
fight gets dearer with what the hero has, or a script watches.
"""

from __future__ import annotations

from mt_gym.engine.actions import CLIMB, Action, CompiledRow
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, MDEF, Abilities
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower


def rising(abilities: Abilities) -> frozenset[int]:
    """Attributes whose growth can make a fight dearer."""
    found: set[int] = set()
    if abilities.mimic:
        found |= {ATK, DEF}
    if abilities.counter:
        found.add(ATK)
    if abilities.armour_break:
        found.add(DEF)
    if abilities.purify > 1:
        found.add(MDEF)
    return frozenset(found)


def risky_resources(board: Board) -> frozenset[int]:
    """Resources of which more can make a fight dearer."""
    found: set[int] = set()
    for kind in board.monsters:
        found |= rising(kind.abilities)
        if kind.abilities.vampire is not None:
            found.add(HP)
    return frozenset(found)


class Automatic:
    """What may be taken at once in a tower without losing the optimum.

    Nothing where triggers watch.  Otherwise free gates and two-way stairs, fights
    that cost nothing, and items that no fight punishes and no condition forbids.
    """

    def __init__(self, tower: Tower, wanted: bool) -> None:
        board = self.board = tower.board
        self.game = tower.game
        self.items = self.fights = self.ways = 0
        if not wanted or board.triggers:
            return
        forbidden = 0
        for action in board.actions:
            forbidden |= action.row.without
        risky = risky_resources(board)
        for thing in board.objects:
            bit = 1 << thing.index
            if bit & board.automatic_fights:
                self.fights |= bit
            if not bit & board.free_mask or thing.goal:
                continue
            row = thing.actions[0].row
            if (thing.actions[0].code == CLIMB and not thing.placement.one_way) or (
                bit & board.gate_mask and not thing.scripted and not row.gain
            ):
                self.ways |= bit
            elif bit & board.automatic_items:
                flags = sum(effect[1] for effect in row.effects)
                if not flags & forbidden and not risky & {r for r, _ in row.gain}:
                    self.items |= bit

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the reductions in use."""
        return ("items", "free") if self.items | self.fights | self.ways else ()

    def next(self, state: State) -> Action | None:
        """Something to be taken at once."""
        there = self.game.candidates(state)
        some = there & (self.items | self.ways)
        if some:
            return self.board.first[(some & -some).bit_length() - 1]
        some = there & self.fights
        while some:
            low = some & -some
            some ^= low
            if self.game.loss(state, low.bit_length() - 1) == 0:
                return self.board.first[low.bit_length() - 1]
        return None


class Purchases:
    """Where money is spent as soon as it suffices, so that only on what is chosen.

    That loses nothing if everything that the currency can ever buy is in reach now,
    for one constant price, and helps at any time: no later purchase can then be
    better than the same one made earlier.
    """

    def __init__(self, tower: Tower, wanted: bool) -> None:
        self.game = tower.game
        self.offers: list[tuple[int, int, int, tuple[Action, ...]]] = []
        board = tower.board
        if not wanted or board.triggers:
            return
        risky = risky_resources(board)
        asked = {r for action in board.actions for r, _ in action.row.needs}
        gained = {r for action in board.actions for r, _ in action.row.gain}
        for currency in (GOLD, EXP):
            rows = tuple(
                action
                for action in board.actions
                if any(r == currency for r, _ in action.row.cost)
            )
            prices = {action.row.cost for action in rows}
            if len(prices) == 1 and currency not in asked | risky:
                if all(_always_helps(a.row, risky, gained) for a in rows):
                    objects = 0
                    for action in rows:
                        objects |= 1 << action.object
                    price = rows[0].row.cost[0][1]
                    self.offers.append((currency, price, objects, rows))

    def forced(self, state: State) -> tuple[Action, ...]:
        """Purchases of which one is made now; () if anything else may be better."""
        for currency, price, objects, rows in self.offers:
            if state.hero[currency] >= price:
                if not objects & ~self.game.candidates(state):
                    return rows
        return ()


def _always_helps(row: CompiledRow, risky: frozenset[int], gained: set[int]) -> bool:
    """Whether a purchase is as good now as later.

    Its price and what it gives never change; `gained` is what any action gives.
    """
    return (
        not row.conditional
        and not row.effects
        and not row.removes
        and row.growth == 0
        and row.doubles not in gained
        and len(row.cost) == 1
        and row.cost[0][1] > 0
        and all(
            r in (HP, ATK, DEF, MDEF) and amount > 0 and r not in risky
            for r, amount in row.gain
        )
    )
