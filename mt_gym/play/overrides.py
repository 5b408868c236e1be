"""When another action is executed than the one that was chosen, and which.

Mechanical: dead-end doors, fights that cannot be won, and lethal fights while
something else is left.  Strategic, and labelled so: the rule-4 share of HP.
"""

from __future__ import annotations

from typing import NamedTuple

from mt_gym.analysis.judgement import is_dead_end, is_optional
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.options import Options
from mt_gym.analysis.tree import lookahead_tree
from mt_gym.engine.board import FIGHT, OPEN, Action
from mt_gym.engine.kinds import ATK, DEF, MDEF
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices, legal_actions
from mt_gym.play.heuristic import choose
from mt_gym.play.settings import PlaySettings

Memory = frozenset[tuple[int, int, int, int]]
"""What rule 4 has replaced in this episode: action index, ATK, DEF, MDEF."""


class Replacement(NamedTuple):
    """What is executed instead of a choice.

    Attributes:
        action: a legal action.
        reason: why the choice is replaced, and why by this action.
        rule: the override that replaced it.
    """

    action: Action
    reason: str
    rule: str


def replaced_by(
    tower: Tower,
    state: State,
    action: Action,
    settings: PlaySettings,
    memory: Memory = frozenset(),
) -> Replacement | None:
    """What is executed instead of a choice, or None if the choice stands.

    Args:
        tower: where the state belongs.
        state: one in which the policy has to choose.
        action: its choice.
        settings: which overrides are on, and the share of rule 4.
        memory: `remembered` of every choice that rule 4 has replaced before; the
            caller keeps it, as it is part of the episode and not of the state.
    """
    for rule in settings.overrides:
        if rule == "mechanical":
            found = _mechanical(tower, state, action, settings)
        else:
            found = _rule4(tower, state, action, settings, memory)
        if found is not None:
            return found
    return None


def remembered(state: State, action: Action) -> tuple[int, int, int, int]:
    """The entry of rule 4's memory for a choice."""
    hero = state.hero
    return (action.index, hero.atk, hero.defense, hero.mdef)


def mechanical_reason(tower: Tower, state: State, action: Action) -> str | None:
    """Why a choice makes no sense whatever the strategy, or None.

    Only for what is listed: anything else is illegal, not replaced.
    """
    if action.code not in (OPEN, FIGHT):
        return None
    bit = 1 << action.object
    if not tower.game.candidates(state) & bit:
        return None
    name = tower.board.objects[action.object].name
    if action.code == OPEN:
        if not bit & tower.board.door_mask or not tower.game.is_legal(state, action):
            return None
        if is_dead_end(tower, state, action):
            return f"dead end: nothing new can be reached behind the {name}"
        return None
    if not tower.game.holds(state, action.row):
        return None
    loss = tower.game.loss(state, action.object)
    if loss == UNWINNABLE:
        return f"unwinnable: ATK {state.hero.atk} does no damage to the {name}"
    if loss >= state.hero.hp:
        return f"lethal: the {name} costs {loss} of {state.hero.hp} HP"
    return None


def _mechanical(
    tower: Tower, state: State, action: Action, settings: PlaySettings
) -> Replacement | None:
    reason = mechanical_reason(tower, state, action)
    if reason is None:
        return None
    listed = choices(tower, state, settings)
    if all(entry.action != action for entry in listed):
        return None
    if not any(entry.enabled and not entry.lethal for entry in listed):
        return None
    choice = choose(tower, state, settings.options, listed)
    if choice.action == action:
        return None
    return Replacement(choice.action, f"{reason}; {choice.reason}", "mechanical")


def _rule4(
    tower: Tower, state: State, action: Action, settings: PlaySettings, memory: Memory
) -> Replacement | None:
    options = settings.options
    if action.code != FIGHT or action not in legal_actions(tower, state, settings):
        return None
    cost = tower.game.loss(state, action.object)
    if options.allows(cost, state.hero.hp) or remembered(state, action) in memory:
        return None
    listed = choices(tower, state, settings)
    if _opens_a_fight(tower, state, action, options, listed):
        return None
    found: Entry | None = None
    least = 0
    for entry in listed:
        price = _alternative(tower, state, entry, options)
        if entry.action != action and price is not None:
            if found is None or price < least:
                found, least = entry, price
    if found is None:
        return None
    num, den = options.rule4_share
    reason = (
        f"{action.text} costs {cost} of {state.hero.hp} HP, more than {num}/{den} of "
        f"it; {found.action.text} makes progress for {least} HP"
    )
    return Replacement(found.action, reason, "rule4")


def _alternative(
    tower: Tower, state: State, entry: Entry, options: Options
) -> int | None:
    """HP cost of a fight or door that makes progress within the share, or None."""
    action = entry.action
    if not entry.enabled or action.code not in (FIGHT, OPEN):
        return None
    if action.code == FIGHT:
        cost = entry.damage
        if cost is None or not options.allows(cost, state.hero.hp):
            return None
        return None if is_optional(tower, state, action) else cost
    is_door = tower.board.door_mask >> action.object & 1
    return 0 if is_door and not is_dead_end(tower, state, action) else None


def _opens_a_fight(
    tower: Tower,
    state: State,
    action: Action,
    options: Options,
    listed: tuple[Entry, ...],
) -> bool:
    """Whether the stat items of a fight's tree make an unwinnable fight winnable."""
    tree = lookahead_tree(tower, state, action, options.lookahead_depth)
    stats = [state.hero[ATK], state.hero[DEF], state.hero[MDEF]]
    for index in tree.all_items():
        for slot, amount in tower.board.objects[index].actions[0].row.gain:
            if slot in (ATK, DEF, MDEF):
                stats[slot - ATK] += amount
    atk, defense, mdef = stats
    for entry in listed:
        if entry.enabled or entry.action == action:
            continue
        monster = tower.board.objects[entry.action.object].monster
        loss = tower.game.loss_at(
            monster, state.world, atk, defense, mdef, state.hero.hp
        )
        if loss != UNWINNABLE:
            return True
    return False
