"""The smallest attributes at which fights cost no more than a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mt_gym.analysis.memory import memory
from mt_gym.engine.kinds import Abilities
from mt_gym.engine.rules import UNWINNABLE, fight_loss
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

MANY = 4096
"""Values that are tried one by one where a loss may rise again."""


def atk_for(
    tower: Tower, state: State, monsters: Sequence[int], limit: int
) -> int | None:
    """The smallest ATK, from the hero's own on, for monster kinds at his DEF.

    Each fight alone then costs at most `limit` HP.  None if there is none.
    """
    return _for_all(tower, state, monsters, limit, atk=True)


def def_for(
    tower: Tower, state: State, monsters: Sequence[int], limit: int
) -> int | None:
    """The smallest DEF, from the hero's own on, for monster kinds at his ATK."""
    return _for_all(tower, state, monsters, limit, atk=False)


def _for_all(
    tower: Tower, state: State, monsters: Sequence[int], limit: int, *, atk: bool
) -> int | None:
    """Where losses only fall, the largest of the single answers; else a search."""
    kinds = list(dict.fromkeys(monsters))
    least = state.hero.atk if atk else state.hero.defense
    for kind in kinds:
        found = _single(tower, state, kind, limit, atk)
        if found is None:
            return None
        least = max(least, found)
    fits = [_fits(tower, state, kind, limit, atk) for kind in kinds]
    bumpy = any(
        not falls(tower.board.monsters[kind].abilities, atk=atk) for kind in kinds
    )
    for value in range(least, least + (MANY if bumpy else 1)):
        if all(fit(value) for fit in fits):
            return value
    return None


def _single(tower: Tower, state: State, kind: int, limit: int, atk: bool) -> int | None:
    hero = state.hero
    epoch = tower.game.epoch(kind, state.world)
    able = tower.board.monsters[kind].abilities
    hp = hero.hp if able.vampire is not None else 0
    key = (atk, kind, epoch, limit, hero.atk, hero.defense, hero.mdef, hp)
    known = memory(tower, "limits")
    found = known.recall(key)
    if found is None:
        fits = _fits(tower, state, kind, limit, atk)
        args = tower.game.fighters[kind][epoch]
        if atk:
            low = max(hero.atk, args[2] + 1 if not able.mimic else 0)
            high = max(low, args[2] + args[0])
        else:
            low, high = hero.defense, max(hero.defense, args[1])
        smooth = falls(able, atk=atk)
        found = known.keep(key, (_first(fits, low, high, smooth),))
    return found[0]  # type: ignore[no-any-return]


def _fits(
    tower: Tower, state: State, kind: int, limit: int, atk: bool
) -> Callable[[int], bool]:
    hero = state.hero
    args = tower.game.fighters[kind][tower.game.epoch(kind, state.world)]

    def fits(value: int) -> bool:
        one, two = (value, hero.defense) if atk else (hero.atk, value)
        loss = fight_loss(one, two, hero.mdef, hero.hp, *args)
        return loss != UNWINNABLE and loss <= limit

    return fits


def falls(able: Abilities, *, atk: bool) -> bool:
    """Whether more of an attribute never makes a fight dearer."""
    if able.mimic:
        return False
    if atk:
        return able.counter is None
    return able.armour_break is None


def _first(
    fits: Callable[[int], bool], low: int, high: int, smooth: bool
) -> int | None:
    """The smallest value from `low` to `high` that fits."""
    if fits(low):
        return low
    if not smooth:
        last = min(high, low + MANY)
        return next((v for v in range(low + 1, last + 1) if fits(v)), None)
    if not fits(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
