"""Rewards: functions of one turn, chosen when the environment is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from mt_gym.engine.board import Action
from mt_gym.engine.kinds import HP
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

ILLEGAL: Final = -0.01
"""Reward of a turn in which an illegal choice did nothing."""

Reward = Callable[[Tower, State, Action | None, State, str | None], float]
"""(tower, state, action, next state, outcome) to a number.

`action` is None for a turn that did nothing; `outcome` is None but for the last turn
of an episode, where it is one of `play.episode.ENDINGS`.
"""


class ReferenceHP(NamedTuple):
    """The final HP that counts as full marks.

    Attributes:
        hp: the number.
        source: `optimum` and `witness` are those of the certificate; `scale` is
            start HP plus all potions, which bounds nothing.
    """

    hp: int
    source: str


def reference_hp(tower: Tower) -> ReferenceHP:
    """The HP by which final HP is divided in a tower's goal score."""
    certificate = tower.certificate
    if certificate is not None:
        proved = certificate.status == "optimal"
        return ReferenceHP(certificate.optimum, "optimum" if proved else "witness")
    total = dict(tower.data.hero).get("hp", 0)
    for thing in tower.board.objects:
        if thing.kind.type == "item" and thing.actions:
            total += max(0, dict(thing.actions[0].row.gain).get(HP, 0))
    return ReferenceHP(total, "scale")


def defeated_share(tower: Tower, state: State) -> float:
    """Share of the tower's monsters that are gone; 0 where there are none."""
    monsters = tower.board.monster_mask
    if not monsters:
        return 0.0
    return (monsters & state.world.gone).bit_count() / monsters.bit_count()


def goal_score(
    tower: Tower,
    state: State,
    action: Action | None,
    next_state: State,
    outcome: str | None,
) -> float:
    """One number for an episode, paid at its end; 0 before.

    A win is worth 0.5 to 1 by final HP over `reference_hp`; a failure with the hero
    alive 0.35, a death 0.15, each times the share of monsters defeated.  HP below 0,
    which only `SpareHP` brings here, takes from the 0.5.  Source: section 5.9.3 of
    the thesis chapter.
    """
    if outcome is None:
        return 0.0
    if outcome == "won":
        share = next_state.hero.hp / reference_hp(tower).hp
        return 0.5 + 0.5 * max(-1.0, min(1.0, share))
    defeated = defeated_share(tower, next_state)
    return (0.15 if outcome == "died" else 0.35) * defeated


def hp_difference(
    tower: Tower,
    state: State,
    action: Action | None,
    next_state: State,
    outcome: str | None,
) -> float:
    """HP after the turn minus HP before it."""
    return float(next_state.hero.hp - state.hero.hp)


def sparse(
    tower: Tower,
    state: State,
    action: Action | None,
    next_state: State,
    outcome: str | None,
) -> float:
    """1 when the goal is reached, else 0."""
    return 1.0 if outcome == "won" else 0.0


REWARDS: Final[dict[str, Reward]] = {
    "goal_score": goal_score,
    "hp_difference": hp_difference,
    "sparse": sparse,
}
"""Rewards by the names of the keyword."""
