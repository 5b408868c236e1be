"""What is known about the worth of a state that no exact search can settle."""

from __future__ import annotations

from collections.abc import Mapping

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower.bound import upper_bound
from mt_gym.solver.tower.search import search_tower

OWNER = "solver.tower.interval"


def bounds(
    tower: Tower,
    state: State,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    seed: int = 0,
) -> tuple[int | None, int | None]:
    """A final HP that is reached from a state, and one that is not exceeded.

    The first is that of a completion that was found: by the certificate's route,
    where it passes through the state, or by a search, where a limit allows one.

    Args:
        tower: the tower.
        state: where to start.
        node_limit: macro transitions of a search; `time_limit` its seconds.
            Without both nothing is searched.
        seed: of the search.

    Returns:
        (lower, upper); lower None if no completion is known, upper None if the
        relaxation bounds nothing on this tower.  Both 0 if the hero is dead, both
        the final HP if he has won.

    Raises:
        StateMismatch: the state belongs to another tower.
    """
    tower.check(state)
    if state.won or state.hero.hp <= 0:
        hp = max(0, state.hero.hp)
        return hp, hp
    lower = witness_keys(tower).get(state.key)
    if node_limit is not None or time_limit is not None:
        try:
            found = search_tower(
                tower,
                state=state,
                node_limit=node_limit,
                time_limit=time_limit,
                seed=seed,
            ).hp
        except MtGymError:  # growing prices, choices, bombs
            found = None
        if found is not None:
            lower = found if lower is None else max(lower, found)
    try:
        upper: int | None = upper_bound(tower, state)
    except MtGymError:
        upper = None
    return lower, upper


def witness_keys(tower: Tower) -> Mapping[tuple[object, ...], int]:
    """The states that the certificate's route passes through, with its final HP."""
    kept = tower.caches
    if OWNER not in kept:
        kept[OWNER] = _witness_keys(tower)
    known: Mapping[tuple[object, ...], int] = kept[OWNER]
    return known


def _witness_keys(tower: Tower) -> dict[tuple[object, ...], int]:
    claim = tower.certificate
    if claim is None or not claim.route:
        return {}
    state = tower.initial_state()
    keys = [state.key]
    for text in claim.route:
        state = tower.step(state, tower.action(text))
        keys.append(state.key)
    return dict.fromkeys(keys, state.hero.hp) if state.won else {}
