"""Compiled: one step of one copy, and what it is paid."""

from __future__ import annotations

from mt_gym.envs.batch.access import (
    action_at,
)
from mt_gym.envs.batch.assist import settle
from mt_gym.envs.batch.facts import (
    is_legal,
    note_legal,
    outcome_of,
)
from mt_gym.envs.batch.layout import (
    DIED,
    M_MONSTER,
    NONE,
    S_OUTCOME,
    S_SETS,
    S_SPARE,
    S_TURN,
    T_MASK_AT,
    T_MAX_TURNS,
    T_MONSTERS,
    T_REFERENCE,
    TURN_LIMIT,
    WON,
    Z_WORDS,
)
from mt_gym.envs.batch.moves import apply
from mt_gym.envs.batch.pointer import Integers
from mt_gym.solver.compile import compiled, popcount


@compiled
def _defeated(z: Integers, data: Integers, b: int, rows: Integers, x: int) -> int:
    """Monsters that are gone."""
    count = 0
    mask = b + data[b + T_MASK_AT] + M_MONSTER * z[Z_WORDS]
    for w in range(z[Z_WORDS]):
        count += popcount(rows[x + S_SETS + w] & data[mask + w])
    return count


@compiled
def reward_of(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    reward: int,
    before: int,
) -> float:
    """The reward of a step by `envs.rewards`: 0 goal score, 1 HP difference, 2 sparse.

    Spare HP (`S_SPARE`) is taken off the final HP.
    """
    outcome = rows[x + S_OUTCOME]
    if reward == 1:
        return float(rows[x] - before)
    if outcome == NONE:
        return 0.0
    if reward == 2:
        return 1.0 if outcome == WON else 0.0
    if outcome == WON:
        share = (rows[x] - rows[x + S_SPARE]) / data[b + T_REFERENCE]
        return 0.5 + 0.5 * max(-1.0, min(1.0, share))
    share = 0.0
    if data[b + T_MONSTERS]:
        share = _defeated(z, data, b, rows, x) / data[b + T_MONSTERS]
    return (0.15 if outcome == DIED else 0.35) * share


@compiled
def step_row(
    z: Integers,
    data: Integers,
    b: int,
    rows: Integers,
    x: int,
    work: Integers,
    memo: Integers,
    action: int,
    assists: bool,
) -> bool:
    """One step of one copy; whether its choice was legal.

    Args:
        action: an index of the tower's table, or -1 for one that names no action.
    """
    legal = False
    if action >= 0:
        a = action_at(data, b, action)
        legal = is_legal(z, data, b, rows, x, a)
        if legal:
            apply(z, data, b, rows, x, work, a)
    rows[x + S_TURN] += 1
    noted = not legal and not assists
    if assists:
        noted = settle(z, data, b, rows, x, work, memo, -1)
    if not noted:
        note_legal(z, data, b, rows, x)
    outcome = outcome_of(z, data, b, rows, x)
    if outcome == NONE and rows[x + S_TURN] >= data[b + T_MAX_TURNS]:
        outcome = TURN_LIMIT
    rows[x + S_OUTCOME] = outcome
    return legal
