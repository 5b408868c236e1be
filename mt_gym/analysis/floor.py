"""Facts about a whole floor: what is left, the DEF tip, the boss, the HP budget."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.costs import Gain, cost_with, free_at
from mt_gym.analysis.memory import memory
from mt_gym.analysis.stat_route import gain_of, healing_of
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class FloorLeft:
    """What is left on a floor, reachable or not.

    Attributes:
        present: mask of all objects that are there.
        monsters: how many; `monsters_ever`: with the defeated ones.
        items: their objects, in reading order.
        gain: attributes of all items; `healing`: their HP.
    """

    present: int
    monsters: int
    monsters_ever: int
    items: tuple[int, ...]
    gain: Gain
    healing: int


@dataclass(frozen=True, slots=True)
class DefTip:
    """The smallest gain of DEF that makes monsters of the floor free.

    Attributes:
        points: the gain; `left`: DEF points of all items on the floor.
        monsters: objects that become free; `saving`: their costs now.
    """

    points: int
    left: int
    monsters: tuple[int, ...]
    saving: int


@dataclass(frozen=True, slots=True)
class BossFacts:
    """The goal monster, fought now.

    Attributes:
        thing: its object.
        damage: HP it costs, None if it cannot be won.
        need_atk: smallest ATK that hurts it; None if no ATK does more than now.
    """

    thing: int
    damage: int | None
    need_atk: int | None


@dataclass(frozen=True, slots=True)
class HpBudget:
    """HP against the fights that block the way to the boss, at maximum attributes.

    Attributes:
        gain: attributes of all items left.
        available: HP in hand and in items; `healing`: in items alone.
        boss: the goal's object; `blockers`: monsters that each cut it off.
        needed: HP of blockers and boss; None if one of them cannot be won even then.
        impossible: those that cannot be won.
        others: how many other monsters there are; `others_cost`: HP of those that
            can be won; `others_impossible`: how many cannot.
    """

    gain: Gain
    available: int
    healing: int
    boss: int
    blockers: tuple[int, ...]
    needed: int | None
    impossible: tuple[int, ...]
    others: int
    others_cost: int
    others_impossible: int

    @property
    def margin(self) -> int | None:
        """Available minus needed."""
        return None if self.needed is None else self.available - self.needed


def floor_left(tower: Tower, state: State, floor: int) -> FloorLeft:
    """What is left on a floor."""
    board = tower.board
    world = state.world
    known = memory(tower, "opened")
    here = board.floor_mask[floor] & ~world.hidden
    present = here & ~world.gone
    key = (floor, present, here)
    found = known.recall(key)
    if found is None:
        items = tuple(bits(present & board.item_mask))
        gain, healing = Gain(), 0
        for index in items:
            gain = gain + gain_of(board.objects[index])
            healing += healing_of(board.objects[index])
        monsters = (present & board.monster_mask).bit_count()
        ever = (here & board.monster_mask).bit_count()
        found = known.keep(
            key, FloorLeft(present, monsters, ever, items, gain, healing)
        )
    return found  # type: ignore[no-any-return]


def def_tip(tower: Tower, state: State, left: FloorLeft) -> DefTip | None:
    """The tip, or None if no gain within the floor's DEF items frees a monster."""
    points_left = left.gain.defense
    if points_left < 1:
        return None
    own = state.hero.defense
    paying = []
    smallest = points_left + 1
    for index in bits(left.present & tower.board.monster_mask):
        cost = tower.game.loss(state, index)
        if cost <= 0:
            continue
        threshold = free_at(tower, state, index)
        if threshold is not None:
            paying.append((index, cost))
            smallest = min(smallest, threshold - own)
    if smallest > points_left:
        return None
    gain = Gain(defense=smallest)
    free = [
        (index, cost)
        for index, cost in paying
        if cost_with(tower, state, index, gain) == 0
    ]
    return DefTip(
        smallest,
        points_left,
        tuple(index for index, _ in free),
        sum(cost for _, cost in free),
    )


def boss_facts(tower: Tower, state: State, left: FloorLeft) -> BossFacts | None:
    """The first goal monster on a floor; None if there is none."""
    board = tower.board
    bosses = bits(left.present & board.goal_mask & board.monster_mask)
    if not bosses:
        return None
    boss = bosses[0]
    cost = tower.game.loss(state, boss)
    if cost != UNWINNABLE:
        return BossFacts(boss, cost, None)
    monster = board.objects[boss].monster
    mimic = board.monsters[monster].abilities.mimic
    hurdle = tower.game.stats(monster, state.world).defense
    return BossFacts(boss, None, (state.hero.defense if mimic else hurdle) + 1)


def blockers(tower: Tower, state: State, boss: int) -> int:
    """Monsters that cut the boss off although nothing else stands in the way.

    Every object that can go away is taken as gone but the one monster; what a hero
    can reach then does not depend on what he did, but for scripts and one-way stairs.
    """
    board, world = tower.board, state.world
    one_way = 0
    for thing in board.objects:
        if thing.placement.one_way:
            one_way |= 1 << thing.index
    known = memory(tower, "blockers")
    key = (boss, world.hidden, world.gone & one_way)
    found = known.recall(key)
    if found is None:
        passable = board.mask(
            lambda o: o.kind.type == "bars" or any(a.row.removes for a in o.actions)
        )
        passable &= ~(world.hidden | 1 << boss | (one_way & ~world.gone))
        mask, start = 0, state.hero.reach
        for index in bits(board.monster_mask & passable):
            gone = passable & ~(1 << index)
            reach = board.spread(start, start & gone, gone, world.hidden)
            if not reach >> boss & 1:
                mask |= 1 << index
        found = known.keep(key, (mask,))
    return found[0]  # type: ignore[no-any-return]


def hp_budget(tower: Tower, state: State, left: FloorLeft) -> HpBudget | None:
    """The budget of the floor of the boss; None for a floor without one."""
    facts = boss_facts(tower, state, left)
    if facts is None:
        return None
    boss = facts.thing
    monsters = left.present & tower.board.monster_mask & ~(1 << boss)
    blocking = monsters & blockers(tower, state, boss)
    needed, impossible = 0, []
    for index in (*bits(blocking), boss):
        cost = cost_with(tower, state, index, left.gain)
        if cost == UNWINNABLE:
            impossible.append(index)
        else:
            needed += cost
    others = [
        cost_with(tower, state, index, left.gain)
        for index in bits(monsters & ~blocking)
    ]
    won = [cost for cost in others if cost != UNWINNABLE]
    return HpBudget(
        gain=left.gain,
        available=state.hero.hp + left.healing,
        healing=left.healing,
        boss=boss,
        blockers=tuple(bits(blocking)),
        needed=None if impossible else needed,
        impossible=tuple(impossible),
        others=len(others),
        others_cost=sum(won),
        others_impossible=len(others) - len(won),
    )
