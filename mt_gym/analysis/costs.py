"""What fights cost, now and at other attributes, and the attributes that change it."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.memory import memory
from mt_gym.engine.kinds import Abilities
from mt_gym.engine.rules import MAGIC, MIMIC, UNWINNABLE, fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

SAFE_PERCENT, MODERATE_PERCENT = 15, 30
MIN_SAVING = 10
"""Least saving at maximum attributes that is worth a word."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Points of the attributes that decide fights."""

    atk: int = 0
    defense: int = 0
    mdef: int = 0

    def __bool__(self) -> bool:
        return bool(self.atk or self.defense or self.mdef)

    def __add__(self, other: Gain) -> Gain:
        return Gain(
            self.atk + other.atk,
            self.defense + other.defense,
            self.mdef + other.mdef,
        )


@dataclass(frozen=True, slots=True)
class MinCost:
    """A fight after every attribute item left on the floor.

    Attributes:
        cost: HP it costs then; `saving`: how much less than now.
    """

    cost: int
    saving: int


def cost_with(tower: Tower, state: State, thing: int, gain: Gain) -> int:
    """HP a fight costs after a gain of attributes, or `UNWINNABLE`."""
    hero = state.hero
    return tower.game.loss_at(
        tower.board.objects[thing].monster,
        state.world,
        hero.atk + gain.atk,
        hero.defense + gain.defense,
        hero.mdef + gain.mdef,
        hero.hp,
    )


def risk(damage: int | None, hp: int) -> str:
    """The class of a fight by the share of HP that it takes.

    `safe` up to 15 %, `moderate` up to 30 %, `risky` above; `lethal` if it cannot be
    won (`damage` None) or survived.
    """
    if damage is None or damage >= hp:
        return "lethal"
    if 100 * damage <= SAFE_PERCENT * hp:
        return "safe"
    return "moderate" if 100 * damage <= MODERATE_PERCENT * hp else "risky"


def min_cost(
    tower: Tower, state: State, thing: int, damage: int | None, left: Gain
) -> MinCost | None:
    """The cost at maximum attributes, where it is at least `MIN_SAVING` below now.

    None for magic attackers and fights that cannot be won.
    """
    if damage is None or tower.board.objects[thing].kind.abilities.magic:
        return None
    then = cost_with(tower, state, thing, left)
    if then == UNWINNABLE or damage - then < MIN_SAVING:
        return None
    return MinCost(then, damage - then)


def free_at(tower: Tower, state: State, thing: int) -> int | None:
    """The smallest DEF from the hero's own on at which a fight costs nothing.

    None if there is none, the fight cannot be won now, the monster attacks with
    magic (DEF does not matter), or it takes a share of HP.
    """
    monster = tower.board.objects[thing].monster
    hero = state.hero
    able = tower.board.monsters[monster].abilities
    if able.magic or able.vampire is not None:
        return None
    epoch = tower.game.epoch(monster, state.world)
    key = (monster, epoch, hero.atk, hero.defense, hero.mdef)
    known = memory(tower, "thresholds")
    found = known.recall(key)
    if found is None:
        args = tower.game.fighters[monster][epoch]
        value = _free_at(args, able, hero.atk, hero.defense, hero.mdef)
        found = known.keep(key, (value,))
    return found[0]  # type: ignore[no-any-return]


def _free_at(
    args: tuple[int, ...], able: Abilities, atk: int, defense: int, mdef: int
) -> int | None:
    """Source: a loss falls with DEF up to the monster's ATK, where no round hurts.

    A mimic takes over the hero's attributes and armour break may grow faster than
    the rounds shrink: their losses are looked at one by one.
    """

    def loss(value: int) -> int:
        return fight_loss(atk, value, mdef, 1, *args)

    now = loss(defense)
    if now == UNWINNABLE:
        return None
    if now == 0:
        return defense
    top = max(defense, atk if able.mimic else args[1])
    broken = able.armour_break
    if able.mimic or (broken is not None and broken[0] > broken[1]):
        return next((d for d in range(defense, top + 1) if loss(d) == 0), None)
    if loss(top) != 0:
        return None
    low = defense
    while top - low > 1:
        middle = (low + top) // 2
        low, top = (low, middle) if loss(middle) == 0 else (middle, top)
    return top


def winnable_at(tower: Tower, state: State, thing: int) -> int | None:
    """The smallest ATK above the hero's own at which a fight is survived now.

    None if there is none.
    """
    monster = tower.board.objects[thing].monster
    hero = state.hero
    epoch = tower.game.epoch(monster, state.world)
    key = (monster, epoch, hero.atk, hero.defense, hero.mdef, hero.hp)
    known = memory(tower, "thresholds")
    found = known.recall(key)
    if found is None:
        args = tower.game.fighters[monster][epoch]
        able = tower.board.monsters[monster].abilities
        found = known.keep(key, (_winnable_at(args, able, *hero[1:4], hero.hp),))
    return found[0]  # type: ignore[no-any-return]


def _winnable_at(
    args: tuple[int, ...], able: Abilities, atk: int, defense: int, mdef: int, hp: int
) -> int | None:
    """Source: among the ATK values of one number of strikes the smallest costs least.

    So one candidate for each number of strikes is enough, and what a round costs never
    falls with ATK: numbers of strikes that no hero of these HP could pay are skipped.
    """
    m_hp = args[0]
    m_defense = defense if able.mimic else args[2]
    candidate = max(atk, m_defense) + 1
    while True:
        loss = fight_loss(candidate, defense, mdef, hp, *args)
        if loss != UNWINNABLE and loss < hp:
            return candidate
        strikes = (m_hp - 1) // (candidate - m_defense) + 1
        if strikes == 1 or able.solid:
            return None
        unit, rest = _loss_parts(args, candidate, defense, mdef, hp)
        if unit == 0 or rest >= hp:
            return None
        fewer = min(strikes - 1, (hp - 1 - rest) // unit + 1)
        candidate = m_defense + (m_hp - 1) // fewer + 1


def _loss_parts(
    args: tuple[int, ...], atk: int, defense: int, mdef: int, hp: int
) -> tuple[int, int]:
    """What each strike but the last costs, and what is paid whatever their number.

    A fight costs at least `(strikes - 1) * unit + rest`; the unit never falls with ATK.
    """
    _, m_atk, _, flags, hits, v_num, v_den, c_num, c_den, b_num, b_den = args[:11]
    purify, fixed = args[11:]
    m_atk = atk if flags & MIMIC else m_atk
    per_round = m_atk if flags & MAGIC else max(0, m_atk - defense)
    unit = per_round * hits + atk * c_num // c_den
    rest = hp * v_num // v_den + defense * b_num // b_den + (purify - 1) * mdef
    return unit, rest + fixed
