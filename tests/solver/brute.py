"""Brute force: every state of the free game, stepped by the engine, nothing merged.

A state is the set of removed objects, the flags, counts and epochs, what is in
reach, and all numbers of the hero; items are picked up one by one and by choice.
"""

from __future__ import annotations

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

STATES = 400_000


class TooMany(Exception):
    """The tower has more states than a brute force should visit."""


def state_values(tower: Tower, start: State, most: int = STATES) -> dict[State, int]:
    """The best final HP of every state that can be reached; 0 if the goal is lost.

    Only states of the engine's own equality are the same; the graph has no cycles,
    because every action removes, sets, buys or talks, and is explored depth first.
    """
    values: dict[State, int] = {}
    stack: list[tuple[State, list[State] | None]] = [(start, None)]
    while stack:
        state, children = stack.pop()
        if children is not None:
            values[state] = max((values[child] for child in children), default=0)
            continue
        if state in values:
            continue
        if len(values) + len(stack) > most:
            raise TooMany
        if state.won or state.hero.hp <= 0:
            values[state] = max(0, state.hero.hp)
            continue
        found = [tower.step(state, action) for action in tower.legal_actions(state)]
        found = [child for child in found if child != state]
        stack.append((state, found))
        stack += [(child, None) for child in found if child not in values]
    return values


def best(tower: Tower, start: State, most: int = STATES) -> int | None:
    """The best final HP, None if the goal is lost."""
    return state_values(tower, start, most)[start] or None
