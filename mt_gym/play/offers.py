"""Which offer, trade or crystal the heuristic prefers, and which keys it can spare.

Offers are compared by what they do to the fights in sight and to the goal's: first
how much ATK is missing before they can be won, then what they cost together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mt_gym.analysis.costs import Gain, cost_with
from mt_gym.analysis.judgement import is_dead_end
from mt_gym.analysis.listing import Entry
from mt_gym.engine.board import BUY, SCALE, SELL, TRADE, Action
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, KEYS, MDEF, RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower

_COINS = (GOLD, EXP)
_POINTS = (ATK, DEF, MDEF)


def converts(action: Action) -> bool:
    """Whether an action multiplies one of the hero's numbers."""
    return any(effect[0] == SCALE for effect in action.row.effects)


def best_crystal(tower: Tower, state: State, choices: Sequence[Action]) -> Action:
    """The wish that helps most, the first one if none helps."""
    fights = _fights(tower, state, ())
    return max(
        choices,
        key=lambda a: (
            *_effect(tower, state, fights, _gain(tower, state, a)),
            -a.index,
        ),
    )


def best_purchase(
    tower: Tower, state: State, listed: Sequence[Entry], able: Sequence[Entry]
) -> Action | None:
    """The offer of points of one attribute that helps most for its price.

    None if no offer changes a fight.  Never HP, levels or keys.
    """
    fights = _fights(tower, state, listed)
    best: tuple[tuple[int, int, int], Action] | None = None
    for entry in able:
        action = entry.action
        paid = _paid(tower, state, action)
        if not paid:
            continue
        atk, saved = _effect(tower, state, fights, _gain(tower, state, action))
        key = (1000 * atk // paid, 1000 * saved // paid, -action.index)
        if (atk > 0 or (atk == 0 and saved > 0)) and (best is None or key > best[0]):
            best = (key, action)
    return None if best is None else best[1]


def hp_purchase(tower: Tower, state: State, able: Iterable[Entry]) -> Action | None:
    """The offer of HP for coins, alone or with attributes, that gives most for them."""
    best: tuple[tuple[int, int], Action] | None = None
    for entry in able:
        action = entry.action
        cost = tower.game.cost(state, action.row)
        healing = dict(tower.game.gain(state, action.row)).get(HP, 0)
        if action.code not in (BUY, TRADE) or not healing or not cost:
            continue
        if all(slot in _COINS for slot, _ in cost):
            paid = sum(amount for _, amount in cost)
            key = (1000 * healing // paid, -action.index)
            if best is None or key > best[0]:
                best = (key, action)
    return None if best is None else best[1]


def spare_key_sale(tower: Tower, state: State, able: Iterable[Entry]) -> Action | None:
    """A sale of a key of which there are more than closed doors."""
    for entry in able:
        action = entry.action
        if action.code != SELL or not action.row.cost:
            continue
        slot = action.row.cost[0][0]
        is_key = RESOURCES[slot] in KEYS
        if is_key and state.hero[slot] > closed_doors(tower, state, slot):
            return action
    return None


def key_purchase(
    tower: Tower, state: State, able: Iterable[Entry], dead_ends: bool
) -> Action | None:
    """An offer of a key that opens a door in reach.

    Args:
        tower: where the state belongs.
        state: the present one.
        able: what can be chosen.
        dead_ends: whether a door behind which nothing new can be reached counts.
    """
    board = tower.board
    doors = [
        board.objects[i] for i in bits(tower.game.candidates(state) & board.door_mask)
    ]
    for entry in able:
        action = entry.action
        if action.code not in (BUY, TRADE) or len(action.row.gain) != 1:
            continue
        slot = action.row.gain[0][0]
        if RESOURCES[slot] not in KEYS or state.hero[slot]:
            continue
        after = tower.step(state, action)
        for door in doors:
            opening = door.actions[0]
            if slot in dict(opening.row.cost):
                if dead_ends or not is_dead_end(tower, after, opening):
                    return action
    return None


def closed_doors(tower: Tower, state: State, slot: int) -> int:
    """Closed doors of the tower that take a key of a colour."""
    objects = tower.board.objects
    return sum(
        slot in dict(objects[index].actions[0].row.cost)
        for index in bits(tower.board.door_mask & ~state.world.gone)
        if objects[index].actions
    )


def _fights(tower: Tower, state: State, listed: Sequence[Entry]) -> list[int]:
    """Monsters in reach and those that are the goal."""
    board = tower.board
    there = tower.game.candidates(state) & board.monster_mask
    if listed:
        own = {e.action.object for e in listed}
        there = sum(1 << i for i in bits(there) if i in own)
    goals = board.goal_mask & board.monster_mask & ~state.world.gone
    return bits(there | goals)


def _gain(tower: Tower, state: State, action: Action) -> Gain:
    points = dict(tower.game.gain(state, action.row))
    return Gain(*(points.get(slot, 0) for slot in _POINTS))


def _paid(tower: Tower, state: State, action: Action) -> int:
    """Coins for an offer of one attribute; 0 for any other action."""
    if action.code not in (BUY, TRADE) or converts(action):
        return 0
    gain = tower.game.gain(state, action.row)
    cost = tower.game.cost(state, action.row)
    if len(gain) != 1 or gain[0][0] not in _POINTS:
        return 0
    if any(slot not in _COINS for slot, _ in cost):
        return 0
    return sum(amount for _, amount in cost)


def _effect(
    tower: Tower, state: State, fights: Sequence[int], gain: Gain
) -> tuple[int, int]:
    """Missing ATK that a gain brings, and HP that it saves on winnable fights."""
    game, hero = tower.game, state.hero
    missing = saved = 0
    for index in fights:
        now = game.loss(state, index)
        then = cost_with(tower, state, index, gain)
        if now == UNWINNABLE:
            stats = game.stats(tower.board.objects[index].monster, state.world)
            missing += min(gain.atk, max(0, stats.defense + 1 - hero.atk))
        elif then != UNWINNABLE:
            saved += now - then
    return missing, saved
