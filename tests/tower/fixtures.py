"""The shipped tower, its files, and the states along its certificate."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mt_gym.engine.actions import Action
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "floors" / "tower"


@cache
def tower() -> Tower:
    """The shipped tower."""
    return load("tower")


@cache
def witness() -> tuple[Action, ...]:
    """The actions of the certificate."""
    certificate = tower().certificate
    assert certificate is not None
    return tuple(tower().action(text) for text in certificate.route)


@cache
def states() -> tuple[State, ...]:
    """The states along the witness, the first and the last included."""
    found = [tower().initial_state()]
    for action in witness():
        found.append(tower().step(found[-1], action))
    return tuple(found)


def around(name: str, verb: str, choice: int = 0) -> tuple[State, State]:
    """The states before and after the witness does something with an object."""
    board = tower().board
    for number, action in enumerate(witness()):
        if action.verb == verb and action.choice == choice:
            if board.objects[action.object].name == name:
                return states()[number], states()[number + 1]
    raise AssertionError(f"the witness does not {verb} {name}")
