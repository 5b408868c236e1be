"""Turns that need no judgement: assists and only choices, one step at a time.

An assist takes only what is free and never the goal, a script, a choice, Holy
Water, or anything that costs or converts.  Source: section 5.6 of the thesis
chapter; the order of several floors is that of the tower observation.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mt_gym.engine.board import NO_CELL, WON, Action, Board
from mt_gym.engine.state import POSITION, State, bits
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices, legal_actions, on_floor
from mt_gym.play.settings import PlaySettings

REASONS: Final = {
    "collect": "collects what lies in reach",
    "free_fights": "this fight costs 0 HP",
    "gates": "the gate needs no key",
    "stairs": "the floor above has not been visited",
    "only_choice": "nothing else can be chosen",
}
"""Reason of an assisted turn, by the name of the assist."""


class Step(NamedTuple):
    """What is executed without asking the policy.

    Attributes:
        action: a legal action; source: `assist` or `only_choice`.
        reason: why, in a few words.
    """

    action: Action
    source: str
    reason: str


class Settled(NamedTuple):
    """A step and the state after it."""

    step: Step
    state: State


def next_step(tower: Tower, state: State, settings: PlaySettings) -> Step | None:
    """The step that is taken without asking, or None where the policy decides.

    Asked in the order collect, free fights, gates, stairs, only choice; also None
    after the end and where nothing but lethal and unwinnable fights is left.
    """
    if state[0][2] & WON or state[1][0] <= 0:
        return None
    assists = settings.assists
    if not assists:
        return None
    there = tower.game.candidates(state)
    if settings.one_floor:
        there &= on_floor(tower, state)
    for name, finder in _FINDERS:
        if name in assists:
            thing = finder(tower, state, there)
            if thing >= 0:
                action = tower.board.objects[thing].actions[0]
                return Step(action, "assist", REASONS[name])
    if "only_choice" in assists:
        return _only_choice(tower, state, settings)
    return None


def settle(
    tower: Tower,
    state: State,
    settings: PlaySettings,
    turn: int = 0,
    keep_open: bool = False,
) -> list[Settled]:
    """Every step that is taken before the policy is asked (again).

    Args:
        tower: where the state belongs.
        state: after `turn` completed turns.
        settings: the assists and the turn limit.
        turn: completed turns; at the limit nothing more is done.
        keep_open: stop before a step that would end the episode (for `reset`).
    """
    done: list[Settled] = []
    limit = settings.options.max_turns
    while turn < limit:
        step = next_step(tower, state, settings)
        if step is None:
            break
        after = tower.step(state, step.action)
        turn += 1
        if keep_open and (turn >= limit or tower.outcome(after) is not None):
            break
        done.append(Settled(step, after))
        state = after
    return done


def _only_choice(tower: Tower, state: State, settings: PlaySettings) -> Step | None:
    if len(legal_actions(tower, state, settings)) != 1:
        return None
    listed = choices(tower, state, settings)
    if len(listed) != 1 or listed[0].lethal:
        return None
    return Step(listed[0].action, "only_choice", REASONS["only_choice"])


def _collectable(tower: Tower, state: State, there: int) -> int:
    return nearest(tower, state, there & tower.board.automatic_items)


def _free_fight(tower: Tower, state: State, there: int) -> int:
    found = 0
    fights = there & tower.board.automatic_fights & tower.game.winnable(state)
    while fights:
        low = fights & -fights
        fights ^= low
        if tower.game.loss(state, low.bit_length() - 1) == 0:
            found |= low
    return nearest(tower, state, found)


def _gate(tower: Tower, state: State, there: int) -> int:
    board = tower.board
    gates = there & board.gate_mask & board.free_mask
    return nearest(tower, state, gates & ~board.scripted_mask & ~board.goal_mask)


def _stairs(tower: Tower, state: State, there: int) -> int:
    """Stairs up to a floor never visited, from which there is a way back."""
    board = tower.board
    if len(board.floor_ids) == 1:
        return -1
    visited = state.world.visited
    plain = there & board.free_mask & ~(board.item_mask | board.gate_mask)
    new = 0
    for index in bits(plain & ~(board.scripted_mask | board.goal_mask)):
        thing = board.objects[index]
        place = thing.placement
        up = thing.landing != NO_CELL and place.direction != "down"
        if up and not place.one_way:
            if not visited >> board.cell_floor[thing.landing] & 1:
                new |= 1 << index
    return nearest(tower, state, new)


_FINDERS: Final = (
    ("collect", _collectable),
    ("free_fights", _free_fight),
    ("gates", _gate),
    ("stairs", _stairs),
)


def nearest(tower: Tower, state: State, things: int) -> int:
    """The nearest of some objects, by walking distance; -1 if there is none.

    First those of the hero's floor, then those of the other floors from the last
    one down, each from where the hero would arrive.  Ties by the order of the
    search (up, left, right, down); what no walk on its floor reaches comes last.
    """
    if not things & (things - 1):
        return things.bit_length() - 1
    board = tower.board
    here = board.cell_floor[state[1][POSITION]]
    floors = [here, *(n for n in reversed(range(len(board.floor_ids))) if n != here)]
    for floor in floors:
        found = things & board.floor_mask[floor]
        if not found:
            continue
        if not found & (found - 1):
            return found.bit_length() - 1
        start = state[1][POSITION]
        if floor != here:
            start = board.arrival(floor, state.world.gone)
        return _first_met(board, state, start, found)
    return (things & -things).bit_length() - 1


def _first_met(board: Board, state: State, start: int, things: int) -> int:
    cells = {board.objects[index].cell: index for index in bits(things)}
    for cell in board.distances(start, state[0][0], state[0][1]):
        if cell in cells:
            return cells[cell]
    return (things & -things).bit_length() - 1
