"""Towers and states that the tests of the analysis look at."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np

from mt_gym.analysis import EntryFacts, Facts, Options, facts
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.oracles.cellsim import Cell


@functools.cache
def simple() -> Tower:
    """The shipped floor."""
    return load("simple")


def collected(tower: Tower, state: State) -> State:
    """The state after every item in reach has been taken."""
    while True:
        items = [a for a in tower.legal_actions(state) if a.verb == "collect"]
        if not items:
            return state
        state = tower.step(state, items[0])


def after(tower: Tower, *actions: str) -> State:
    """The state after actions, with every item in reach taken in between."""
    state = collected(tower, tower.initial_state())
    for text in actions:
        state = collected(tower, tower.step(state, tower.action(text)))
    return state


TURN_4 = ("fight 6,4", "fight 5,6")
TURN_9 = (*TURN_4, "open 4,7", "fight 3,7")


def facts_after(tower: Tower, *actions: str) -> Facts:
    """Facts of the state after actions."""
    return facts(tower, after(tower, *actions), Options.of(tower))


def by_text(known: Facts) -> dict[str, EntryFacts]:
    """Facts of every listed action, by its text."""
    return {str(entry.action): entry for entry in known.entries}


def cell_of(tower: Tower, index: int) -> Cell:
    """The cell of an object."""
    spot = tower.board.objects[index].spot
    assert spot is not None
    return spot.x, spot.y


def played(
    tower: Tower, rng: np.random.Generator, collect: bool, most: int = 12
) -> Iterator[State]:
    """The states of one random game, with or without automatic collection."""
    state = tower.initial_state()
    for _ in range(most):
        if collect:
            state = collected(tower, state)
        if tower.outcome(state) is not None:
            return
        yield state
        legal = [
            action
            for action in tower.legal_actions(state)
            if action.verb != "fight"
            or tower.game.loss(state, action.object) < state.hero.hp
        ]
        if not legal:
            return
        state = tower.step(state, legal[int(rng.integers(len(legal)))])


def one_monster(abilities: str, hero: str = "atk = 9\ndef = 4") -> Tower:
    """A corridor: hero, a monster M with given numbers, the boss, both reachable."""
    return loads(
        f'name = "one"\n[hero]\nhp = 100\n{hero}\n[goal]\ndefeat = "Z"\n[monsters]\n'
        f"M = {{ {abilities} }}\nZ = {{ hp = 1, atk = 1, def = 0, boss = true }}\n"
        '[[floors]]\nid = "one"\nmap = """\nM@Z\n"""\n'
        '[floors.legend]\nM = "M"\nZ = "Z"\n'
    )
