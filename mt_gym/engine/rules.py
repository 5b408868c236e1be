"""The arithmetic of the game: integers in, integers out.

Every function here takes plain integers, so that numba compiles the same source
for the solver and the batch environment.  Sources: the order of the abilities and
the formula of a fight are stated once, in `fight_loss`.
"""

from __future__ import annotations

UNWINNABLE = -1
"""Returned by `fight_loss` when the hero's strikes do no damage."""

MIMIC = 1
SOLID = 2
MAGIC = 4
FIRST_STRIKE = 8


def fight_loss(
    atk: int,
    defense: int,
    mdef: int,
    hp: int,
    m_hp: int,
    m_atk: int,
    m_defense: int,
    flags: int,
    hits: int,
    vampire_num: int,
    vampire_den: int,
    counter_num: int,
    counter_den: int,
    break_num: int,
    break_den: int,
    purify: int,
    fixed: int,
) -> int:
    """HP that a hero loses in a won fight, or `UNWINNABLE`.

    The hero strikes first and the killing blow is not answered, so a fight of T
    strikes brings T - 1 rounds of damage.  Abilities act in this order: mimic,
    solid, vampire, magic attack, multi-hit, counter, first strike, armour break,
    purify, shield (MDEF, clamped at 0), fixed damage.

    Args:
        atk: hero's ATK; `defense`, `mdef`, `hp` likewise (`hp` before the fight).
        m_hp: monster's HP (positive); `m_atk`, `m_defense` likewise.
        flags: bits `MIMIC`, `SOLID`, `MAGIC`, `FIRST_STRIKE`.
        hits: monster's strikes per round, at least 1.
        vampire_num: share of the hero's HP taken before the fight, as
            `vampire_num / vampire_den`; 0 for none.  `counter_*` is the share of
            the hero's ATK paid for each strike, `break_*` the share of his DEF
            paid once.  Denominators are positive even where unused.
        purify: multiple of MDEF paid once.
        fixed: damage that nothing reduces.

    The loss may exceed `hp`: the fight is then lethal, not unwinnable.
    """
    if flags & 1:
        m_atk = atk
        m_defense = defense
    if flags & 2 and m_defense < atk - 1:
        m_defense = atk - 1
    strike = atk - m_defense
    if strike <= 0:
        return -1
    strikes = (m_hp - 1) // strike + 1
    per_round = m_atk if flags & 4 else m_atk - defense
    if per_round < 0:
        per_round = 0
    per_round *= hits
    loss = hp * vampire_num // vampire_den + (strikes - 1) * per_round
    loss += strikes * (atk * counter_num // counter_den)
    if flags & 8:
        loss += per_round
    loss += defense * break_num // break_den + purify * mdef - mdef
    if loss < 0:
        loss = 0
    return loss + fixed


def price(start: int, growth: int, bought: int) -> int:
    """Price of the next purchase after `bought` purchases at a shop."""
    return start + growth * bought


def scaled(value: int, num: int, den: int) -> int:
    """An attribute multiplied by a ratio and floored (Holy Water, Cross)."""
    return value * num // den
