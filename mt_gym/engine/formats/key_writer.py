"""Writes actions as a key route of the `.mt` game, with the walks between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mt_gym.engine.actions import Action
from mt_gym.engine.formats.keys import CHOICES, MOVES, TOOLS, WALKED_INTO, Walker
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError

TOOL_KEY: Final = {verb: key for key, (verb, _) in TOOLS.items()}
LETTER: Final = {resource: key for key, resource in CHOICES.items()}


def write_keys(tower: Tower, actions: Iterable[Action]) -> str:
    """The keys that walk to each action's object and do it, from the first state.

    `replay_keys` gives the same actions back, and so does the foreign program.

    Raises:
        IllegalAction: an action that its state does not allow.
        MtGymError: an action that no key does (stairs, trades, talks).
    """
    walker = Walker(tower)
    keys: list[str] = []
    for action in actions:
        if not tower.game.is_legal(walker.state, action):
            raise IllegalAction(tower.game.why_illegal(walker.state, action))
        done = len(walker.actions)
        for key in _keys(walker, action):
            walker.press(key, len(keys))
            keys.append(key)
        if walker.actions[done:] != [action]:
            raise MtGymError(f"no key does {action.text!r} here (a lethal fight?)")
    return "".join(keys)


def _keys(walker: Walker, action: Action) -> list[str]:
    """The keys of one action."""
    if action.verb == "buy" and action.position is None:
        return [*([] if walker.waiting == "s" else ["s"]), _letter(action)]
    target = walker.board.objects[action.object].cell if action.object >= 0 else -1
    walk = _walk(walker, target)
    if action.verb == "choose":
        return [*walk, _letter(action)]
    if action.verb in TOOL_KEY:
        return [*walk[:-1], TOOL_KEY[action.verb], walk[-1]]
    if action.verb not in WALKED_INTO:
        raise MtGymError(f"no key does {action.text!r}")
    return walk


def _letter(action: Action) -> str:
    """The letter of the attribute that a purchase or a choice raises."""
    for index, _ in action.row.gain:
        if RESOURCES[index] in LETTER:
            return LETTER[RESOURCES[index]]
    raise MtGymError(f"no key does {action.text!r}")


def _walk(walker: Walker, target: int) -> list[str]:
    """Keys of a shortest walk; the last one steps onto the target."""
    known: dict[int, list[str]] = {walker.cell: []}
    queue = [walker.cell]
    for cell in queue:
        for key, other in _steps(walker, cell):
            if other == target:
                return [*known[cell], key]
        for key, other in _open_steps(walker, cell):
            if other not in known:
                known[other] = [*known[cell], key]
                queue.append(other)
    raise MtGymError(f"no walk leads to {walker.board.spots[target]}")


def _steps(walker: Walker, cell: int) -> Iterator[tuple[str, int]]:
    """Keys and where they lead."""
    for key in MOVES:
        other = walker.neighbour(cell, key)
        if other is not None:
            yield key, other
    if cell in walker.portals:
        yield "g", walker.portals[cell]


def _open_steps(walker: Walker, cell: int) -> Iterator[tuple[str, int]]:
    world = walker.state.world
    for key, other in _steps(walker, cell):
        if walker.board.is_open(other, world.gone, world.hidden):
            yield key, other
