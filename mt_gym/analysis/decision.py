"""All facts about a state: lazily computed, remembered, and free of text.

`facts` is what the observation, the features and the heuristic read.  Each part is
computed when it is first asked for, so that a switched-off annotation costs nothing.
"""

from __future__ import annotations

from functools import cached_property

from mt_gym.analysis import floor as floors
from mt_gym.analysis.alternative import Alternative, alternative, direct_unlocks
from mt_gym.analysis.costs import (
    Gain,
    MinCost,
    free_at,
    min_cost,
    risk,
    winnable_at,
)
from mt_gym.analysis.judgement import is_dead_end, is_optional
from mt_gym.analysis.keys import KeyBudget, KeyFacts, key_budgets, key_facts
from mt_gym.analysis.listing import Entry, current_floor, entries
from mt_gym.analysis.memory import memory
from mt_gym.analysis.options import Options
from mt_gym.analysis.order import FightOrder, fight_order
from mt_gym.analysis.preview import next_fights
from mt_gym.analysis.stat_route import (
    StatRoute,
    gains,
    healing_of,
    route_price,
    saving,
    stat_gateways,
)
from mt_gym.analysis.tower.facts import TowerFacts
from mt_gym.analysis.tree import Tree, lookahead_tree
from mt_gym.analysis.value import LookaheadValue, lookahead_value
from mt_gym.engine.board import BUY, FIGHT, NO_CELL, SELL, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower


class EntryFacts:
    """Facts about one listed action; those that do not apply to its verb are None.

    Attributes:
        number: its place in the shown list, from 1.
        entry: the listed action.
    """

    def __init__(self, block: Block, number: int, entry: Entry) -> None:
        self.block = block
        self.number = number
        self.entry = entry
        self.tower, self.state = block.tower, block.state

    @property
    def action(self) -> Action:
        """The action itself."""
        return self.entry.action

    @property
    def damage(self) -> int | None:
        """HP the fight costs; None for other verbs and unwinnable fights."""
        return self.entry.damage

    @property
    def is_fight(self) -> bool:
        """Whether the verb is `fight`."""
        return self.entry.action.code == FIGHT

    @property
    def hp_after(self) -> int | None:
        """HP after a fight that can be won, 0 if it kills; else None."""
        damage = self.entry.damage
        return None if damage is None else max(0, self.state.hero.hp - damage)

    @property
    def risk(self) -> str | None:
        """`safe`, `moderate`, `risky` or `lethal`."""
        return risk(self.damage, self.state.hero.hp) if self.is_fight else None

    @cached_property
    def winnable_at(self) -> int | None:
        """For a lethal or unwinnable fight, the smallest ATK that survives it."""
        if not self.is_fight or not self.entry.lethal:
            return None
        return winnable_at(self.tower, self.state, self.action.object)

    @cached_property
    def free_at(self) -> int | None:
        """Smallest DEF from now on at which the fight costs nothing."""
        if not self.is_fight:
            return None
        return free_at(self.tower, self.state, self.action.object)

    @cached_property
    def min_cost(self) -> MinCost | None:
        """The fight at maximum attributes, if it saves enough."""
        if not self.is_fight:
            return None
        gain = self.block.left.gain
        return min_cost(self.tower, self.state, self.action.object, self.damage, gain)

    @cached_property
    def optional(self) -> bool:
        """Whether it is a fight that blocks nothing the goal could need."""
        return self.is_fight and is_optional(self.tower, self.state, self.action)

    @cached_property
    def dead_end(self) -> bool:
        """Whether it is a door that opens nothing new."""
        return is_dead_end(self.tower, self.state, self.action)

    @cached_property
    def tree(self) -> Tree:
        """Its lookahead tree."""
        depth = self.block.options.lookahead_depth
        return lookahead_tree(self.tower, self.state, self.action, depth)

    @cached_property
    def direct_unlocks(self) -> int:
        """Mask of what it exposes by itself."""
        return direct_unlocks(self.tree)

    @cached_property
    def value(self) -> LookaheadValue:
        """Lookahead value and effective cost."""
        return lookahead_value(self.tower, self.state, self.tree)

    @cached_property
    def potions(self) -> int:
        """HP of all items in the tree."""
        objects = self.tower.board.objects
        return sum(healing_of(objects[index]) for index in self.tree.all_items())

    @cached_property
    def next_fights(self) -> tuple[int, ...]:
        """Monsters it brings next, cheapest first."""
        return next_fights(self.tower, self.state, self.tree)

    @cached_property
    def gain(self) -> Gain:
        """Attributes of all items in the tree."""
        return gains(self.tower, self.tree.all_items())

    @cached_property
    def stat_gateways(self) -> tuple[int, ...]:
        """Gateways in front of attribute items."""
        return stat_gateways(self.tower, self.tree) if self.gain else ()

    @cached_property
    def route_price(self) -> int | None:
        """HP of the action and its `stat_gateways`; None if it cannot be won."""
        if self.is_fight and self.damage is None:
            return None
        gateways = self.stat_gateways
        return route_price(self.tower, self.state, self.entry, gateways, Gain())

    @cached_property
    def stat_route(self) -> StatRoute | None:
        """Price and saving of the attribute items in the tree, if there are any."""
        price = self.route_price if self.gain else None
        if price is None:
            return None
        fights = [other.entry for other in self.block.entries]
        saved = saving(self.tower, self.state, self.gain, fights, self.entry)
        return StatRoute(self.gain, price, saved)

    @cached_property
    def order(self) -> FightOrder | None:
        """The better order of this fight and another action's route."""
        if not self.is_fight:
            return None
        block = self.block
        return fight_order(self.tower, self.state, block.options, self, block.entries)

    @cached_property
    def alternative(self) -> Alternative | None:
        """Another listed action that opens the same or more."""
        return alternative(self, self.block.entries)

    @cached_property
    def keys(self) -> KeyFacts:
        """What it does to the keys."""
        return key_facts(self.tower, self.state, self.action, self.tree)


class Block:
    """One floor, as if it stood alone.

    Attributes:
        floor: number of the floor; None for purchases and journeys, which belong
            to no floor.
        entries: its listed actions.
    """

    def __init__(
        self, tower: Tower, state: State, options: Options, floor: int | None
    ) -> None:
        self.tower, self.state, self.options = tower, state, options
        self.floor = floor
        self.entries: list[EntryFacts] = []

    @cached_property
    def left(self) -> floors.FloorLeft:
        """What is left on the floor."""
        if self.floor is None:
            return floors.FloorLeft(0, 0, 0, (), Gain(), 0)
        return floors.floor_left(self.tower, self.state, self.floor)

    @cached_property
    def key_budgets(self) -> tuple[KeyBudget, ...]:
        """Per colour with a closed door."""
        return key_budgets(self.tower, self.state, self.left.present)

    @cached_property
    def def_tip(self) -> floors.DefTip | None:
        """The DEF gain that makes monsters free."""
        return floors.def_tip(self.tower, self.state, self.left)

    @cached_property
    def boss(self) -> floors.BossFacts | None:
        """The goal monster of the floor."""
        return floors.boss_facts(self.tower, self.state, self.left)

    @cached_property
    def hp_budget(self) -> floors.HpBudget | None:
        """HP against what blocks the way to the boss."""
        return floors.hp_budget(self.tower, self.state, self.left)


class Facts:
    """Everything the annotations know about a state.

    Attributes:
        entries: facts of every listed action, in the order of the list.
        blocks: floors with listed actions, in the order of the list.
        here: number of the floor where the hero stands.
    """

    def __init__(
        self,
        tower: Tower,
        state: State,
        options: Options,
        listed: tuple[Entry, ...],
    ) -> None:
        self.tower, self.state, self.options = tower, state, options
        self.here = current_floor(tower, state)
        self._floors: dict[int, Block] = {}
        self.entries: list[EntryFacts] = []
        self.blocks: list[Block] = []
        for number, entry in enumerate(listed, 1):
            floor = block_floor(tower, entry.action)
            if not self.blocks or self.blocks[-1].floor != floor:
                self.blocks.append(self._block(floor))
            own = EntryFacts(self.blocks[-1], number, entry)
            self.blocks[-1].entries.append(own)
            self.entries.append(own)

    @cached_property
    def whole(self) -> TowerFacts:
        """Facts that look at all visited floors together."""
        return TowerFacts(self)

    def _block(self, floor: int | None) -> Block:
        if floor is None:
            return Block(self.tower, self.state, self.options, None)
        return self.floor(floor)

    def floor(self, number: int) -> Block:
        """Facts of a floor, listed or not."""
        found = self._floors.get(number)
        if found is None:
            found = Block(self.tower, self.state, self.options, number)
            self._floors[number] = found
        return found

    def of(self, action: Action) -> EntryFacts | None:
        """Facts of a listed action; None if it is not listed."""
        for entry in self.entries:
            if entry.action.index == action.index:
                return entry
        return None


def block_floor(tower: Tower, action: Action) -> int | None:
    """The floor whose block an action stands in; None for those of no floor.

    On a map of one floor everything stands in its block.
    """
    if len(tower.board.floor_ids) == 1:
        return 0
    if action.object < 0 or action.code in (BUY, SELL):
        return None
    thing = tower.board.objects[action.object]
    return None if thing.cell == NO_CELL else thing.floor


def facts(
    tower: Tower,
    state: State,
    options: Options,
    listed: tuple[Entry, ...] | None = None,
) -> Facts:
    """The facts of a state, remembered on the tower's side.

    Args:
        tower: where the state belongs.
        state: after the assists, as the policy sees it.
        options: depth of the lookahead, rule-4 share.
        listed: the numbered list; None for `listing.entries`.
    """
    known = memory(tower, "facts")
    shown = None if listed is None else tuple(e.action.index for e in listed)
    key = (state.key, current_floor(tower, state), options, shown)
    found = known.recall(key)
    if found is None:
        if listed is None:
            listed = entries(tower, state)
        found = known.keep(key, Facts(tower, state, options, listed))
    return found  # type: ignore[no-any-return]
