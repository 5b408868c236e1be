"""The rules of thumb of the heuristic, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mt_gym.analysis.costs import cost_with
from mt_gym.analysis.decision import EntryFacts, facts
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.options import Options
from mt_gym.analysis.order import fight_order
from mt_gym.engine.board import (
    BOMB,
    BREAK,
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
    Action,
)
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.offers import (
    best_crystal,
    best_purchase,
    converts,
    hp_purchase,
    key_purchase,
    spare_key_sale,
)
from mt_gym.play.spending import tower_purchase
from mt_gym.play.worth import makes_progress, price, way_price


class Choice(NamedTuple):
    """An action and why it is taken, in a sentence."""

    action: Action
    reason: str


class Judge:
    """The rules on one state, in their order.

    Args:
        tower: where the state belongs.
        state: one that has not ended.
        options: the depth of the lookahead and the rule-4 share.
        listed: the action list.
        able: its entries that the hero survives.
    """

    def __init__(
        self,
        tower: Tower,
        state: State,
        options: Options,
        listed: tuple[Entry, ...],
        able: Sequence[Entry],
    ) -> None:
        self.tower, self.state, self.options = tower, state, options
        self.listed, self.able = listed, able
        self.goals = [entry for entry in able if self._ends(entry.action)]
        self.facts = facts(tower, state, options, listed)
        self.progress = [
            found
            for found in self.facts.entries
            if found.entry in able
            and found.action.code in (FIGHT, OPEN, BREAK)
            and found.entry not in self.goals
            and makes_progress(found)
        ]

    def _ends(self, action: Action) -> bool:
        thing = action.object
        goal = thing >= 0 and self.tower.board.goal_mask >> thing & 1
        return action.code == FINISH or bool(goal and action.code != BOMB)

    def choose(self) -> Choice:
        """What the first rule that has an answer says."""
        for rule in (
            self._free,
            self._stairs,
            self._purchase,
            self._goal,
            self._best_progress,
            self._late_gain,
            self._key_or_tool,
            self._above_the_share,
            self._goal_at_last,
            self._one_way,
            self._anything,
        ):
            found = rule()
            if found is not None:
                return found
        return Choice(self.able[0].action, "Nothing else is left.")

    # -- what costs nothing ------------------------------------------------------

    def _free(self) -> Choice | None:
        for entry in self.able:
            action = entry.action
            if entry in self.goals or action.row.cost or converts(action):
                continue
            name = self._name(action)
            if action.code == COLLECT and self._gains(action):
                return Choice(action, f"{name} costs nothing to take.")
            if action.code == CHOOSE:
                return self._crystal(action)
            if action.code == OPEN:
                return Choice(action, f"{name} needs no key.")
            if action.code == FIGHT and entry.damage == 0:
                return Choice(action, f"{name} costs 0 HP.")
            if action.code in (TALK, TRADE) and self._changes(action):
                return Choice(action, f"{name} asks nothing.")
        return None

    def _gains(self, action: Action) -> bool:
        """Whether an item gives at once; what the tower calls manual waits."""
        return not self.tower.board.objects[action.object].kind.manual

    def _crystal(self, action: Action) -> Choice:
        offers = self.tower.board.objects[action.object].actions
        best = best_crystal(self.tower, self.state, offers)
        return Choice(best, f"{self._name(best)}: this wish helps most.")

    def _changes(self, action: Action) -> bool:
        return self.tower.step(self.state, action) != self.state

    def _stairs(self) -> Choice | None:
        board = self.tower.board
        for entry in self.able:
            thing = board.objects[entry.action.object]
            if entry.action.code == CLIMB and not thing.placement.one_way:
                floor = board.cell_floor[thing.landing]
                if not self.state.world.visited >> floor & 1:
                    return Choice(
                        entry.action,
                        f"{board.floor_ids[floor]} has not been visited yet.",
                    )
        return None

    # -- shops ---------------------------------------------------------------------

    def _purchase(self) -> Choice | None:
        if len(self.tower.floors) > 1:
            best = tower_purchase(self.facts, self.able)
        else:
            best = best_purchase(self.tower, self.state, self.listed, self.able)
        if best is not None:
            return Choice(
                best,
                "Attributes are bought before the fights they make cheaper: "
                f"{self._name(best)} helps most for its price.",
            )
        sale = spare_key_sale(self.tower, self.state, self.able)
        if sale is not None:
            return Choice(sale, "No closed door is left for this key.")
        return None

    # -- the goal ------------------------------------------------------------------

    def _goal(self) -> Choice | None:
        """The goal, unless something listed still pays for itself first."""
        if not self.goals:
            return None
        goal = min(self.goals, key=lambda e: (e.damage or 0, e.action.index))
        best, gain = None, 0
        for behind in self.progress:
            cost = way_price(behind)
            if cost is None or cost >= self.state.hero.hp:
                continue
            net = behind.potions + self._saves(goal, behind) - cost
            if net > gain:
                best, gain = behind, net
        late = self._late_gain() or self._last_coins()
        if best is None and late is None:
            return Choice(
                goal.action,
                f"{self._name(goal.action)} can be reached alive and nothing listed "
                "would leave more HP.",
            )
        if best is None:
            return late
        return Choice(
            best.entry.action,
            f"Before the goal: {self._name(best.entry.action)} leaves {gain} HP more.",
        )

    def _saves(self, goal: Entry, behind: EntryFacts) -> int:
        """HP that the stat items behind an action save on the goal's fight."""
        if goal.action.code != FIGHT:
            return 0
        then = cost_with(self.tower, self.state, goal.action.object, behind.gain)
        return 0 if then == UNWINNABLE else (goal.damage or 0) - then

    # -- what costs HP or keys -------------------------------------------------------

    def _best_progress(self) -> Choice | None:
        hp = self.state.hero.hp
        within = [p for p in self.progress if self.options.allows(p.damage or 0, hp)]
        return self._cheapest(within, "within the rule-4 share of HP")

    def _above_the_share(self) -> Choice | None:
        return self._cheapest(self.progress, "and nothing cheaper makes progress")

    def _cheapest(self, among: Sequence[EntryFacts], where: str) -> Choice | None:
        if not among:
            return None
        best = min(among, key=lambda found: (*price(found), found.number))
        first = self._first_for(best)
        if first is not None:
            return first
        rank, least = price(best)
        words = "effective cost" if rank == 0 else "cost with its gateways"
        return Choice(
            best.action,
            f"{self._name(best.action)} has the lowest {words} ({least}) of "
            f"{len(among)} that make progress, {where}.",
        )

    def _first_for(self, fight: EntryFacts) -> Choice | None:
        """The route to stat items that should come before a fight, if there is one.

        Among several the one whose wrong order would waste most.
        """
        if not fight.is_fight:
            return None
        hp = self.state.hero.hp
        found: tuple[int, EntryFacts] | None = None
        for other in self.progress:
            pair = fight_order(self.tower, self.state, self.options, fight, [other])
            if pair is None or pair.take_first or (other.route_price or 0) >= hp:
                continue
            if found is None or pair.difference > found[0]:
                found = (pair.difference, other)
        if found is None:
            return None
        saved, other = found
        return Choice(
            other.action,
            f"Stat items behind {self._name(other.action)} come before "
            f"{self._name(fight.action)}: that order saves {saved} HP.",
        )

    # -- what is left ------------------------------------------------------------------

    def _late_gain(self) -> Choice | None:
        """What multiplies the hero's numbers is taken when they are high."""
        for entry in self.able:
            action = entry.action
            if entry in self.goals or action.code not in (COLLECT, TALK, TRADE):
                continue
            waits = converts(action) or action.code == COLLECT
            if waits and not action.row.cost and self._changes(action):
                return Choice(
                    action, f"{self._name(action)} was kept until nothing else pays."
                )
        return None

    def _key_or_tool(self) -> Choice | None:
        """A key for a door that leads on, or a bomb for the most expensive monster."""
        key = key_purchase(self.tower, self.state, self.able, dead_ends=False)
        if key is not None:
            return Choice(key, "A door in reach that leads on needs this key.")
        bombs = [e for e in self.able if e.action.code == BOMB]
        if not bombs:
            return None
        best = max(bombs, key=lambda e: (self._spared(e.action), -e.action.index))
        return Choice(
            best.action, f"A bomb saves the fight with {self._name(best.action)}."
        )

    def _spared(self, action: Action) -> int:
        loss = self.tower.game.loss(self.state, action.object)
        return self.state.hero.hp if loss == UNWINNABLE else loss

    def _last_coins(self) -> Choice | None:
        """HP for coins that will be worth nothing."""
        found = hp_purchase(self.tower, self.state, self.able)
        if found is None:
            return None
        return Choice(found, "Coins are worth nothing later on: HP for them.")

    def _goal_at_last(self) -> Choice | None:
        if not self.goals:
            return None
        return Choice(self.goals[0].action, "Nothing is left but the goal.")

    def _one_way(self) -> Choice | None:
        for entry in self.able:
            if entry.action.code == CLIMB:
                last = self._last_coins()
                return last or Choice(entry.action, "Only the stairs are left here.")
        return None

    def _anything(self) -> Choice | None:
        """Fights that open nothing, then doors, then whatever changes the state."""
        fights = [e for e in self.able if e.action.code == FIGHT]
        if fights:
            cheapest = min(fights, key=lambda e: (e.damage or 0, e.action.index))
            return Choice(
                cheapest.action,
                f"Nothing makes progress; {self._name(cheapest.action)} costs least.",
            )
        for entry in self.able:
            if entry.action.code == OPEN:
                return Choice(entry.action, "Only doors are left: the first one.")
        key = key_purchase(self.tower, self.state, self.able, dead_ends=True)
        if key is not None:
            return Choice(key, "A closed door in reach needs this key.")
        for entry in self.able:
            if entry.action.code not in (SELL, TRAVEL) and self._changes(entry.action):
                return Choice(entry.action, "Nothing else changes anything.")
        return None

    def _name(self, action: Action) -> str:
        if action.object < 0:
            return action.text
        thing = self.tower.board.objects[action.object]
        if thing.spot is None:
            return thing.name
        return f"{thing.name} at ({thing.spot.x},{thing.spot.y})"
