"""The small towers of `tests/data`, and small helpers to play them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

DATA = Path(__file__).parents[1] / "data"
NAMES = tuple(sorted(path.stem for path in DATA.glob("*.toml")))


def tower(name: str) -> Tower:
    return load(DATA / f"{name}.toml")


def play(tower: Tower, *texts: str, state: State | None = None) -> State:
    state = tower.initial_state() if state is None else state
    for text in texts:
        state = tower.step(state, tower.action(text))
    return state


def legal(tower: Tower, state: State) -> list[str]:
    return [str(action) for action in tower.legal_actions(state)]


def states(tower: Tower, limit: int = 1500) -> Iterator[State]:
    """States in the order of a breadth-first search."""
    queue = [tower.initial_state()]
    seen = set(queue)
    for state in queue:
        yield state
        for action in tower.legal_actions(state):
            after = tower.step(state, action)
            if after not in seen and len(seen) < limit:
                seen.add(after)
                queue.append(after)
