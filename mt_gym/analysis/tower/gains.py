"""What a gain of attributes is worth on all visited floors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mt_gym.analysis.costs import Gain, cost_with
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.options import Options
from mt_gym.analysis.tower.thresholds import atk_for, falls
from mt_gym.engine.board import FIGHT
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

MOST_PURCHASES = 99
"""Purchases that are counted before it is said that no number is enough."""

KINDS_COUNTED = 5


@dataclass(frozen=True, slots=True)
class TowerValue:
    """What a gain does to the fights listed on all floors, the own one left out.

    Attributes:
        gain: the points.
        winnable: objects that cannot be won now and can then.
        survivable: that are lethal now and not then; free: that cost HP now and
            nothing then.
        saving: HP saved on fights that are survived now.
        cheaper: how many of these become cheaper; listed: fights looked at.
    """

    gain: Gain
    winnable: tuple[int, ...]
    survivable: tuple[int, ...]
    free: tuple[int, ...]
    saving: int
    cheaper: int
    listed: int

    def __bool__(self) -> bool:
        return bool(self.winnable or self.survivable or self.free or self.saving)


class Gains:
    """The listed fights of a state, at any gain.

    Args:
        tower: where the state belongs.
        state: the present one.
        listed: the action list.
    """

    def __init__(self, tower: Tower, state: State, listed: Iterable[Entry]) -> None:
        self.tower, self.state = tower, state
        self.fights = [entry for entry in listed if entry.action.code == FIGHT]
        self._costs: dict[tuple[Gain, int], int] = {}

    def value(self, gain: Gain, own: int) -> TowerValue:
        """What a gain does to every fight but that with the object `own`."""
        hp, objects = self.state.hero.hp, self.tower.board.objects
        winnable, survivable, free = [], [], []
        saving = cheaper = listed = 0
        for entry in self.fights:
            thing = entry.action.object
            if thing == own:
                continue
            listed += 1
            then = self._cost(thing, gain)
            if then == UNWINNABLE:
                continue
            now = entry.damage
            if now is None:
                winnable.append(thing)
                continue
            vampire = objects[thing].kind.abilities.vampire is not None
            if now > 0 and then == 0 and not vampire:
                free.append(thing)
            elif now >= hp > then:
                survivable.append(thing)
            if now < hp:
                saving += now - then
                cheaper += then < now
        return TowerValue(
            gain,
            tuple(winnable),
            tuple(survivable),
            tuple(free),
            saving,
            cheaper,
            listed,
        )

    def _cost(self, thing: int, gain: Gain) -> int:
        key = (gain, self.tower.board.objects[thing].monster)
        found = self._costs.get(key)
        if found is None:
            found = cost_with(self.tower, self.state, thing, gain)
            self._costs[key] = found
        return found


@dataclass(frozen=True, slots=True)
class AtkCount:
    """How many purchases of ATK a monster kind takes.

    Attributes:
        monster: the kind.
        winnable: purchases until it can be won; 0 if it can be now.
        within: purchases until it costs at most the rule-4 share.  Both None if
            `MOST_PURCHASES` are not enough.
    """

    monster: int
    winnable: int | None
    within: int | None


def atk_counts(
    tower: Tower,
    state: State,
    options: Options,
    points: int,
    way: Sequence[int],
    fights: Sequence[int],
) -> tuple[AtkCount, ...]:
    """Counts for the kinds that cannot be won, or cost more than the share.

    Those of the way up first, then by purchases, then by name; five at the most.

    Args:
        tower: where the state belongs.
        state: the present one.
        options: the rule-4 share.
        points: what one purchase gives.
        way: objects of the fights on the way up; `fights`: those listed.
    """
    num, den = options.rule4_share
    limit = state.hero.hp * num // den
    objects = tower.board.objects
    ahead = {objects[thing].monster for thing in way}
    found = []
    for kind in dict.fromkeys(objects[thing].monster for thing in (*way, *fights)):
        hero = state.hero
        loss = tower.game.loss_at(kind, state.world, *hero[1:4], hero.hp)
        if loss != UNWINNABLE and loss <= limit:
            continue
        winnable: int | None = 0
        if loss == UNWINNABLE:
            winnable = _purchases(tower, state, kind, points, None)
        within = _purchases(tower, state, kind, points, limit)
        found.append(AtkCount(kind, winnable, within))
    names = tower.board.monsters
    found.sort(
        key=lambda one: (
            one.monster not in ahead,
            MOST_PURCHASES + 1 if one.within is None else one.within,
            names[one.monster].name,
        )
    )
    return tuple(found[:KINDS_COUNTED])


def _purchases(
    tower: Tower, state: State, kind: int, points: int, limit: int | None
) -> int | None:
    """Smallest number of purchases that brings a fight within a limit, or wins it."""
    own = state.hero.atk
    if falls(tower.board.monsters[kind].abilities, atk=True):
        if limit is None:
            needed: int | None = tower.game.stats(kind, state.world).defense + 1
        else:
            needed = atk_for(tower, state, [kind], limit)
        if needed is None:
            return None
        count = max(0, -((own - needed) // points))
        return count if count <= MOST_PURCHASES else None
    hero, game = state.hero, tower.game
    args = game.fighters[kind][game.epoch(kind, state.world)]
    for count in range(1, MOST_PURCHASES + 1):
        atk = own + count * points
        loss = fight_loss(atk, hero.defense, hero.mdef, hero.hp, *args)
        if loss != UNWINNABLE and (limit is None or loss <= limit):
            return count
    return None
