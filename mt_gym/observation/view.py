"""Facts on their way to text: the switches, and what monsters print again and again."""

from __future__ import annotations

from mt_gym.analysis.costs import free_at
from mt_gym.analysis.decision import EntryFacts, Facts
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.observation.annotations import shown_in
from mt_gym.observation.names import Label, action_name, labels
from mt_gym.observation.specials import short_tags
from mt_gym.observation.words import percents, tenths


class View:
    """What is to be rendered.

    Attributes:
        facts: of the state; `annotations`: those that are shown.
        state: the state itself; facts do not depend on where the hero stands.
        kind: name of the observation.
        used: mask of the shops at which something has been bought or sold.
        labels: of every object.
        several: whether the tower has more than one floor.
    """

    def __init__(
        self,
        facts: Facts,
        annotations: frozenset[str],
        state: State,
        kind: str = "annotated",
        used: int = 0,
    ) -> None:
        self.facts = facts
        self.annotations = shown_in(kind, annotations)
        self.kind, self.used = kind, used
        self.several = len(facts.tower.floors) > 1
        self.tower = facts.tower
        self.state = state
        self.labels: tuple[Label, ...] = labels(facts.tower)
        self.objects = facts.tower.board.objects
        self.monster_mask = facts.tower.board.monster_mask
        self._gateways: dict[int, str] = {}
        self._fights: dict[int, str] = {}
        self._names: dict[int, str] = {}

    def name(self, entry: EntryFacts) -> str:
        """Name of a listed action inside its block."""
        found = self._names.get(entry.number)
        if found is None:
            found = action_name(self.tower, self.state, entry.action, inside=True)
            self._names[entry.number] = found
        return found

    def gateway(self, index: int) -> str:
        """A gateway with its cost: `Bat@(3,5) [dmg=182 (39%), FREE if DEF≥17 ...]`."""
        here = self.labels[index].here
        if not self.monster_mask >> index & 1:
            return here
        monster = self.objects[index].monster
        known = self._gateways.get(monster)
        if known is None:
            cost, hp = self.tower.game.loss(self.state, index), self.state.hero.hp
            known = f"[dmg={cost} ({percents(cost, hp)}%)"
            known += " LETHAL" if cost >= hp else ""
            known += self._threshold(index, "FREE if DEF≥{0} (+{1} needed)") + "]"
            self._gateways[monster] = known
        return f"{here} {known}"

    def fight_ahead(self, index: int) -> str:
        """A fight that comes next: `⚔ Bat@(3,5) dmg=182(38.7%), FREE@DEF≥17(+13)`."""
        monster = self.objects[index].monster
        known = self._fights.get(monster)
        if known is None:
            cost, hp = self.tower.game.loss(self.state, index), self.state.hero.hp
            if cost == UNWINNABLE:
                known = "UNWINNABLE"
            else:
                known = f"dmg={cost}({tenths(cost, hp)}%)"
                known += " LETHAL" if cost >= hp else ""
                known += self._threshold(index, "FREE@DEF≥{0}(+{1})")
            self._fights[monster] = known
        return f"⚔ {self.labels[index].here} {known}"

    def _threshold(self, index: int, phrase: str) -> str:
        """When a fight becomes free, or what prevents it, after a comma."""
        own = self.state.hero.defense
        at = free_at(self.tower, self.state, index)
        if at is None:
            able = self.objects[index].kind.abilities
            return "".join(f", {tag}" for tag in short_tags(able, self.annotations))
        if "free_at" not in self.annotations:
            return ""
        return ", FREE" if at == own else ", " + phrase.format(at, at - own)

    def unlocks(self, things: list[int]) -> list[str]:
        """Objects as entries of the tree; equal ones merged, `×n`."""
        merged: dict[str, int] = {}
        for index in things:
            text = self.labels[index].unlock
            merged[text] = merged.get(text, 0) + 1
        return [text if n == 1 else f"{text} ×{n}" for text, n in merged.items()]
