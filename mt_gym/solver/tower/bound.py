"""An upper bound on the final HP, from one stated relaxation.

No fight costs HP and no door a key; the hero gets everything that is left; all he
owns is turned into HP at the best price of any shop; every boost comes last.  Only
vampires behind stairs of no return are paid, if nothing there gives HP.
"""

from __future__ import annotations

from fractions import Fraction

from mt_gym.engine.actions import FIGHT, SCALE, CompiledRow, MapObject
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import EXP, GOLD, HP, RESOURCES
from mt_gym.engine.state import N_RESOURCES, State, bits
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower.mandatory import wins_for_free

OWNER = "solver.tower.bound"
_ROUNDS = 64


def upper_bound(tower: Tower, state: State | None = None) -> int:
    """HP that no play from a state can end above.

    Args:
        tower: a tower whose shops have constant prices.
        state: where to start; None for the start.

    Raises:
        MtGymError: prices or gains change with purchases, or goods circulate at a
            profit, so that this relaxation bounds nothing.
        StateMismatch: the state belongs to another tower.
    """
    if state is None:
        state = tower.initial_state()
    tower.check(state)
    board = tower.board
    worth = _worth(tower, state)
    total = sum(
        (Fraction(state.hero[i]) * worth[i] for i in range(N_RESOURCES)), Fraction(0)
    )
    ratio = Fraction(1)
    gains, talks = _fixed_gains(tower, worth)
    left = ~state.world.gone & board.object_mask
    total += sum((gains[i] for i in bits(left) if gains[i]), Fraction(0))
    for index in talks:
        if left >> index & 1:
            thing = board.objects[index]
            total += _gain(tower, state, thing, worth)
            for row in _once(state, thing):
                ratio *= _boost(row)
    for script in board.triggers:
        if not script.without & state.world.flags:
            total += _valued(script.gain, worth)
            ratio *= _boost(script)
    hp = int(total * ratio)
    for share in _last_vampires(tower, state):
        hp -= hp * share[0] // share[1]
    return hp


def _fixed_gains(
    tower: Tower, worth: list[Fraction]
) -> tuple[list[Fraction], list[int]]:
    """What each object gives, if no state changes it; and the objects that it may.

    Kept with the tower for the last `worth`: it is the same for nearly all states.
    """
    kept = tower.caches.get(OWNER)
    if kept is None or kept[0] != worth:
        start = tower.initial_state()
        gains = [Fraction(0)] * len(tower.board.objects)
        talks = []
        for thing in tower.board.objects:
            rows = [action.row for action in thing.actions]
            if any(row.source.once or _boost(row) > 1 for row in rows):
                talks.append(thing.index)
            else:
                gains[thing.index] = _gain(tower, start, thing, worth)
        kept = tower.caches[OWNER] = (list(worth), gains, talks)
    found: tuple[list[Fraction], list[Fraction], list[int]] = kept
    return found[1:]


def _once(state: State, thing: MapObject) -> list[CompiledRow]:
    """Rows of an object that can be executed once more, and not twice."""
    rows = [action.row for action in thing.actions if not _repeats(action.row)]
    done = state.world.flags
    return [row for row in rows if not (row.source.once and row.without & done)]


def _repeats(row: CompiledRow) -> bool:
    return not row.source.consumes and not row.source.once


def _boost(row: CompiledRow) -> Fraction:
    """How much a row multiplies HP; never less than 1."""
    ratio = Fraction(1)
    for code, resource, num, den in row.effects:
        if code == SCALE and resource == HP:
            ratio *= Fraction(num, den)
    return max(ratio, Fraction(1))


def _valued(amounts: tuple[tuple[int, int], ...], worth: list[Fraction]) -> Fraction:
    return sum((amount * worth[resource] for resource, amount in amounts), Fraction(0))


def _gain(
    tower: Tower, state: State, thing: MapObject, worth: list[Fraction]
) -> Fraction:
    """Most that an object can still give, in HP."""
    total = sum((_valued(row.gain, worth) for row in _once(state, thing)), Fraction(0))
    if thing.monster >= 0 and any(action.code == FIGHT for action in thing.actions):
        values = tower.board.monsters[thing.monster].values
        total += max(v.gold * worth[GOLD] + v.exp * worth[EXP] for v in values)
    return total


def _worth(tower: Tower, state: State) -> list[Fraction]:
    """Most HP that one unit of each resource can be turned into."""
    worth = [Fraction(0)] * N_RESOURCES
    worth[HP] = Fraction(1)
    rows = [
        action.row
        for thing in tower.board.objects
        if not state.world.gone >> thing.index & 1
        for action in thing.actions
        if _repeats(action.row)
    ]
    for row in rows:
        if row.counter >= 0 or row.doubles >= 0 or len(row.cost) != 1:
            raise MtGymError(
                f"{tower.name!r}: no bound for prices that change or name several "
                "resources"
            )
    for _ in range(_ROUNDS):
        changed = False
        for row in rows:
            ((currency, price),) = row.cost
            value = _valued(row.gain, worth) / price
            if value > worth[currency]:
                worth[currency] = value
                changed = True
        if not changed:
            return worth
    names = ", ".join(RESOURCES[i] for i, value in enumerate(worth) if value > 1)
    raise MtGymError(f"{tower.name!r}: shops turn {names} into ever more of it")


def _last_vampires(tower: Tower, state: State) -> list[tuple[int, int]]:
    """Shares of the vampires that the hero must fight after his last gain of HP."""
    board = tower.board
    if state.world.visited >> (len(board.floor_ids) - 1) & 1:
        return []
    behind = 0
    for thing in board.objects:
        if thing.placement.one_way:
            behind = _everything_from(board, board.near_cell(thing.landing))
    if not behind & board.goal_mask:
        return []
    shares = []
    for index in bits(behind & board.object_mask):
        thing = board.objects[index]
        for action in thing.actions:
            gives = any(resource == HP for resource, _ in action.row.gain)
            if gives or _boost(action.row) > 1 or thing.kind.type == "shop":
                return []
        share = thing.kind.abilities.vampire
        if share is not None and not wins_for_free(board, index):
            shares.append(share)
    return shares


def _everything_from(board: Board, reach: int) -> int:
    """Every node that is reached when every object goes away."""
    return board.spread(reach, reach & board.object_mask, board.object_mask, 0)
