"""An upper bound on the final HP of any tower, by one stated relaxation.

Everything that gives HP is had, nothing costs any, all money buys HP.
"""

from __future__ import annotations

from mt_gym.engine.actions import SCALE, SET, Action
from mt_gym.engine.kinds import EXP, GOLD, HP
from mt_gym.engine.state import N_RESOURCES, State
from mt_gym.engine.tower import Tower


def ceiling(tower: Tower, state: State) -> int | None:
    """An upper bound on the final HP: everything that gives HP, nothing that costs.

    None if goods can be sold for what buys them, so that no simple bound holds.
    """
    board = tower.board
    supply = list(state.hero[:N_RESOURCES])
    repeated: list[Action] = []
    ratio: list[tuple[int, int]] = []
    for thing in board.objects:
        if state.world.gone >> thing.index & 1:
            continue
        if thing.monster >= 0:
            supply[GOLD] += max(stats.gold for stats in thing.kind.values)
            supply[EXP] += max(stats.exp for stats in thing.kind.values)
        for action in thing.actions:
            row = action.row
            scales = [e[2:] for e in row.effects if e[0] == SCALE and e[2] > e[3]]
            if row.removes or (row.without and any(e[0] == SET for e in row.effects)):
                ratio += [(num, den) for num, den in scales]
                for resource, amount in row.gain:
                    supply[resource] += max(0, amount)
            elif scales:
                return None
            else:
                repeated.append(action)
    for trigger in board.triggers:
        for resource, amount in trigger.gain:
            supply[resource] += max(0, amount)
        ratio += [
            (e[2], e[3]) for e in trigger.effects if e[0] == SCALE and e[2] > e[3]
        ]
    paid = {r for action in board.actions for r, _ in action.row.cost}
    return _with_purchases(repeated, supply, paid, ratio)


def _with_purchases(
    repeated: list[Action],
    supply: list[int],
    paid: set[int],
    ratio: list[tuple[int, int]],
) -> int | None:
    most = supply[HP]
    for action in repeated:
        row = action.row
        gain = dict(row.gain)
        if any(r in paid or r == row.doubles for r in gain if r != HP):
            return None
        if not gain.get(HP):
            continue
        counts = [supply[r] // amount for r, amount in row.cost if amount > 0]
        if not counts or HP in dict(row.cost):
            return None
        factor = 1 << supply[row.doubles] if row.doubles >= 0 else 1
        most += min(counts) * gain[HP] * factor
    if any(action.row.doubles >= 0 for action in repeated) and not most:
        return None
    for num, den in ratio:
        most = most * num // den
    return most
