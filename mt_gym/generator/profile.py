"""How hard a floor is, in integers that the solver and seeded play measure.

A decision is what an environment with all assists asks; nothing here depends on
time, so equal towers have equal profiles everywhere.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from mt_gym.analysis.options import Options
from mt_gym.engine.board import FIGHT, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import legal_actions
from mt_gym.play.episode import Moment, advance, begin
from mt_gym.play.settings import PlaySettings
from mt_gym.solver import state_value

PLAYERS: Final = 15
"""Random players that measure the depth of the loss; odd, so that there is a median."""

PLAYER_SEED: Final = 20250
"""Seed of those players; the same for every floor."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What makes a floor easy or hard.

    Attributes:
        gateways: monsters and doors, the boss included.
        decisions: decisions of the greedy player's episode.
        first_moves: choices at the first decision; `winning_first_moves`: those
            after which the goal can still be reached.
        slack: optimum over start HP, in thousandths.
        greedy: final HP of the greedy player, 0 if he does not win.
        gap: what the greedy player leaves of the optimum, in thousandths.
        loss_depth: the decision with which more than half of the random players
            have lost the goal; 0 if most of them never lose it.
    """

    gateways: int
    decisions: int
    first_moves: int
    winning_first_moves: int
    slack: int
    greedy: int
    gap: int
    loss_depth: int

    def to_dict(self) -> dict[str, int]:
        """The figures by name."""
        return asdict(self)


def play_settings(tower: Tower) -> PlaySettings:
    """All assists and no override: what a profile is measured with."""
    return PlaySettings(Options.of(tower), overrides=())


def gateways(tower: Tower) -> int:
    """Monsters and doors of a tower."""
    board = tower.board
    return (board.monster_mask | board.door_mask).bit_count()


def slack(tower: Tower, optimum: int) -> int:
    """See `Profile.slack`."""
    return optimum * 1000 // tower.initial_state().hero.hp


def profile(tower: Tower, optimum: int, node_limit: int | None = None) -> Profile:
    """Measure a tower whose optimum is known.

    Args:
        tower: one that can be won.
        optimum: best final HP.
        node_limit: states that each search may expand.

    Raises:
        LimitReached: a value needs more states.
    """
    first, moves = _first_moves(tower)
    winning = sum(
        _value(tower, tower.step(first, move), node_limit) is not None for move in moves
    )
    return Profile(
        **outline(tower, optimum),
        winning_first_moves=winning,
        loss_depth=loss_depth(tower, node_limit),
    )


def outline(tower: Tower, best: int) -> dict[str, int]:
    """The figures of a profile that need no proof, by name.

    Args:
        tower: one that can be won, of any size.
        best: the best final HP known; slack and gap are of this.
    """
    greedy, decisions = play_greedily(tower)
    return {
        "gateways": gateways(tower),
        "decisions": decisions,
        "first_moves": len(_first_moves(tower)[1]),
        "slack": slack(tower, best),
        "greedy": greedy,
        "gap": (best - greedy) * 1000 // best,
    }


def _first_moves(tower: Tower) -> tuple[State, list[Action]]:
    """The state at the first decision and its choices."""
    settings = play_settings(tower)
    moment, _ = begin(tower, tower.initial_state(), settings)
    return moment.state, list(legal_actions(tower, moment.state, settings))


def play_greedily(tower: Tower) -> tuple[int, int]:
    """Final HP (0 without a win) and decisions of the greedy player.

    He wins as soon as he survives it, and otherwise takes what costs the least HP
    now, the first of the list among equals.
    """
    settings = play_settings(tower)
    moment, _ = begin(tower, tower.initial_state(), settings)
    decisions = 0
    while moment.outcome is None:
        choice = greedy_choice(tower, moment.state, settings)
        moment, _ = advance(tower, moment, choice, settings)
        decisions += 1
    return (moment.state.hero.hp if moment.outcome == "won" else 0), decisions


def greedy_choice(tower: Tower, state: State, settings: PlaySettings) -> Action:
    """The greedy player's choice in a state that has not ended."""

    def rank(action: Action) -> tuple[bool, bool, int, int]:
        loss = tower.game.loss(state, action.object) if action.code == FIGHT else 0
        lethal = tower.game.is_lethal(state, action)
        wins = not lethal and tower.board.goal_mask >> max(0, action.object) & 1
        return (lethal, not wins, loss, action.index)

    return min(legal_actions(tower, state, settings), key=rank)


def loss_depth(tower: Tower, node_limit: int | None = None) -> int:
    """See `Profile.loss_depth`."""
    rng = np.random.Generator(np.random.PCG64(PLAYER_SEED))
    settings = play_settings(tower)
    start, _ = begin(tower, tower.initial_state(), settings)
    lost = sorted(
        _lost_after(tower, start, settings, rng, node_limit) for _ in range(PLAYERS)
    )
    median = lost[PLAYERS // 2]
    return 0 if median == _NEVER else median


_NEVER: Final = 1 << 30


def _lost_after(
    tower: Tower,
    moment: Moment,
    settings: PlaySettings,
    rng: np.random.Generator,
    node_limit: int | None,
) -> int:
    """Number of the decision with which a random player loses the goal."""
    decisions = 0
    while moment.outcome is None:
        moves = [
            move
            for move in legal_actions(tower, moment.state, settings)
            if not tower.game.is_lethal(moment.state, move)
        ]
        move = moves[int(rng.integers(len(moves)))]
        moment, _ = advance(tower, moment, move, settings)
        decisions += 1
        if moment.outcome == "won":
            break
        if moment.outcome or _value(tower, moment.state, node_limit) is None:
            return decisions
    return _NEVER


def _value(tower: Tower, state: State, node_limit: int | None) -> int | None:
    """The state's value; after the end its HP if it is a win."""
    if tower.outcome(state) is not None:
        return state.hero.hp if state.won else None
    return state_value(tower, state, node_limit=node_limit)
