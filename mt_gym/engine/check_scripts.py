"""Defects of the goal, of conditions and of scripted effects."""

from __future__ import annotations

from collections import Counter

from mt_gym.engine.check_kinds import obtainable
from mt_gym.engine.check_map import reachable
from mt_gym.engine.formats.fields import did_you_mean, listed
from mt_gym.engine.kinds import Effect, Goal
from mt_gym.engine.survey import Owned, Placed, Survey

GOAL_TYPES = {"defeat": "monster", "reach": "goal", "take": "item", "script": ""}
"""Types of goals, and the type of the object that is the goal."""


def check_goal(survey: Survey) -> None:
    """The goal exists, once, and can be reached."""
    goal = survey.data.goal
    if goal.type not in GOAL_TYPES:
        survey.report(
            "goal-type", f"unknown goal {goal.type!r} (allowed: {listed(GOAL_TYPES)})"
        )
        return
    if goal.type == "script":
        if not any(e.op == "win" for owned in survey.rows for e in owned.row.effects):
            survey.report("goal-absent", "the goal is a script, but no row wins")
        return
    kind = survey.kinds.get(goal.name)
    expected = GOAL_TYPES[goal.type]
    if goal.name and kind is None:
        hint = did_you_mean(goal.name, survey.kinds)
        survey.report("kind-unknown", f"the goal: unknown kind {goal.name!r}{hint}")
        return
    if (kind is not None and kind.type != expected) or (
        kind is None and goal.type != "reach"
    ):
        survey.report(
            "goal-type", f"{goal.type} {goal.name!r}: the goal must be a {expected}"
        )
        return
    _check_goal_objects(survey, goal, _goal_objects(survey, goal))


def _goal_objects(survey: Survey, goal: Goal) -> list[Placed]:
    return [
        thing
        for thing in survey.objects
        if thing.spot is not None
        and (
            thing.kind.name == goal.name
            if goal.name
            else thing.kind.type == GOAL_TYPES[goal.type]
        )
        and goal.at in (None, thing.spot)
    ]


def _check_goal_objects(survey: Survey, goal: Goal, found: list[Placed]) -> None:
    name = f"{goal.type} {goal.name!r}" if goal.name else goal.type
    if not found:
        place = f" at {goal.at}" if goal.at is not None else " on any floor"
        survey.report("goal-absent", f"{name}: there is no such object{place}")
    elif len(found) > 1:
        places = ", ".join(str(thing.spot) for thing in found)
        survey.report("goal-several", f"{name}: name one of {places} with 'at'")
    elif len(survey.starts) == 1 and found[0].spot not in reachable(survey):
        survey.report(
            "goal-unreachable", f"{found[0]}: out of reach, whatever is opened"
        )


# -- conditions --------------------------------------------------------------------


def check_conditions(survey: Survey) -> None:
    """Conditions that name what does not exist, or that can never hold."""
    flags = {kind.name for kind in survey.data.kinds if kind.carried}
    reserved = _reserved_flags(survey)
    for owned in survey.rows:
        flags |= {e.name for e in owned.row.effects if e.op == "set"}
    for owned in survey.rows:
        for effect in owned.row.effects:
            if effect.op in ("set", "clear") and effect.name in reserved:
                survey.report(
                    "flag-reserved", f"{owned.where}: the game uses {effect.name!r}"
                )
            if effect.op == "clear":
                _check_flag(survey, owned, effect.name, flags)
    have = obtainable(survey)
    for owned in survey.rows:
        condition, where = owned.row.condition, owned.where
        for name in (*condition.flags, *condition.without):
            _check_flag(survey, owned, name, flags)
        for name in condition.flags:
            if name in condition.without:
                survey.report(
                    "condition-never", f"{where}: flag {name!r} is needed and excluded"
                )
        for spot in condition.gone:
            things = survey.at.get(spot)
            if not things:
                survey.report("script-spot", f"{where}: no object stands at {spot}")
            elif things[0].kind.blocks and not survey.can_go(things[0]):
                survey.report("condition-never", f"{where}: {things[0]} never goes")
        if not 0 <= condition.count <= len(set(condition.gone)):
            survey.report(
                "condition-never",
                f"{where}: count is {condition.count} of {len(set(condition.gone))}",
            )
        for name, amount in condition.holds:
            if amount > 0 and name not in have:
                survey.report("condition-never", f"{where}: nothing ever gives {name}")


def _reserved_flags(survey: Survey) -> set[str]:
    """Names of the flags that the board sets by itself."""
    names = {"won"}
    names |= {f"script {i + 1}" for i in range(len(survey.data.scripts))}
    names |= {
        f"{kind.name}: talk {number + 1}"
        for kind in survey.data.kinds
        for number, row in enumerate(kind.rows)
        if row.once
    }
    return names


def _check_flag(survey: Survey, owned: Owned, name: str, flags: set[str]) -> None:
    if name not in flags:
        hint = did_you_mean(name, flags)
        survey.report("flag-unknown", f"{owned.where}: nothing sets {name!r}{hint}")


# -- scripts and hidden objects ------------------------------------------------------


def check_scripts(survey: Survey) -> None:
    """Scripts that name what does not exist, or that cannot run."""
    for owned in survey.rows:
        if owned.script:
            _check_script(survey, owned)
        for effect in owned.row.effects:
            _check_effect(survey, owned, effect)
    for spot, things in survey.at.items():
        rows = [o.row for o in survey.rows if o.script and o.spots == (spot,)]
        rows += things[0].kind.rows[:1]
        counted = [row for row in rows if row.condition.gone]
        if len(counted) > 1 and any(row.condition.count for row in counted):
            survey.report(
                "condition-merged",
                f"{things[0]}: only one of the conditions of its action may count "
                "what is gone",
            )


def _check_script(survey: Survey, owned: Owned) -> None:
    row, where = owned.row, owned.where
    if row.growth or row.doubles_with or row.once:
        survey.report(
            "script-ignored", f"{where}: a script has no growth, doubling or once"
        )
    if owned.trigger:
        condition = row.condition
        if not (
            condition.holds or condition.flags or condition.without or condition.gone
        ):
            survey.report("trigger-always", f"{where}: it has neither 'at' nor 'needs'")
        if row.cost:
            survey.report("script-ignored", f"{where}: a trigger has no price")
        return
    (spot,) = owned.spots
    things = survey.at.get(spot)
    if not things:
        survey.report("script-spot", f"{where}: no object stands at {spot}")
    elif not things[0].kind.rows and things[0].kind.type != "monster":
        survey.report("script-never", f"{where}: nothing can be done with {things[0]}")


def _check_effect(survey: Survey, owned: Owned, effect: Effect) -> None:
    where = owned.where
    if effect.op == "strengthen":
        kind = survey.kinds.get(effect.name)
        if kind is None or kind.type != "monster":
            survey.report(
                "script-strengthens", f"{where}: {effect.name!r} is no kind of monster"
            )
        elif len(kind.values) < 2:
            survey.report(
                "script-strengthens", f"{where}: {effect.name!r} has no further values"
            )
    if effect.op not in ("remove", "reveal") or effect.spot is None:
        return
    things = survey.at.get(effect.spot)
    if not things:
        survey.report("script-spot", f"{where}: no object stands at {effect.spot}")
    elif effect.op == "remove" and things[0].kind.type == "stairs":
        survey.report("script-spot", f"{where}: {things[0]} cannot be removed")
    elif effect.op == "reveal":
        if not things[-1].hidden:
            survey.report("script-spot", f"{where}: {things[0]} is not hidden")
        elif not things[0].hidden and not _own_action(owned, effect, things[0]):
            survey.report(
                "reveal-cuts",
                f"{where}: {things[-1]} stands on {things[0].kind.name!r}, so only "
                "the action that takes that away may reveal it",
            )


def _own_action(owned: Owned, effect: Effect, under: Placed) -> bool:
    """Whether only the action that takes `under` away runs the row."""
    if owned.spots != (effect.spot,):
        return False
    if not owned.script:
        return owned.row.consumes
    rows = under.kind.rows
    return under.kind.type == "monster" or bool(rows and rows[0].consumes)


def check_hidden(survey: Survey) -> None:
    """Hidden objects on walls or under other objects, each revealed by something."""
    revealed = {
        effect.spot
        for owned in survey.rows
        for effect in owned.row.effects
        if effect.op in ("reveal", "remove")
    }
    hidden = [thing for thing in survey.objects if thing.hidden]
    for spot, times in Counter(thing.spot for thing in hidden).items():
        if times > 1:
            survey.report("hidden-place", f"{spot}: {times} hidden objects")
    for thing in hidden:
        assert thing.spot is not None
        if thing.spot not in revealed:
            survey.report("hidden-never", f"{thing}: nothing reveals it")
        under = [other for other in survey.at[thing.spot] if not other.hidden]
        if not under and survey.is_floor(thing.spot):
            survey.report(
                "hidden-place",
                f"{thing}: it would cut the floor; it may stand on a wall or under "
                "another object",
            )
        elif under and not under[0].kind.rows and under[0].kind.type != "monster":
            survey.report("hidden-place", f"{thing}: {under[0].kind.name!r} never goes")
