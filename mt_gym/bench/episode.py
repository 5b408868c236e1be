"""One episode as a stream of rows: start, questions, decisions, turns, steps, end.

The rows are JSON values.  They are the log, what is shown while it is played, and
what a replay shows again; nothing about an episode is known elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gymnasium import spaces

from mt_gym.agents.policy import AsyncPlayer, Decision, Env, Player, Policy
from mt_gym.bench.question import (
    Row,
    action_text,
    decision_row,
    question_row,
    state_id,
)
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.rewards import goal_score
from mt_gym.errors import (
    BudgetReached,
    EndpointError,
    MtGymError,
    NoAnswer,
    PolicyError,
)
from mt_gym.generator.certify import refuse_beyond

LOG_FORMAT: Final = 1
"""Raised when rows change their meaning."""

EXCLUDED: Final = ("infra_error", "budget")
"""Outcomes that say nothing about the policy: no part of rates, listed apart."""

OUTCOMES: Final = ("won", "died", "stuck", "turn_limit", "no_answer", *EXCLUDED)
"""How an episode can end: four by the game, one by the policy, two by neither."""

_Ending = type[NoAnswer] | type[EndpointError] | type[BudgetReached]
ENDING: Final[dict[_Ending, str]] = {
    NoAnswer: "no_answer",
    EndpointError: "infra_error",
    BudgetReached: "budget",
}
"""What a player may raise to end its episode, and the outcome that it gives."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a script of rows yields where it needs a decision."""

    observation: Any
    info: dict[str, Any]


Script = Generator[Row | Ask, Decision | None, None]


def script(env: Env, policy: str, episode: int, seed: int) -> Script:
    """An episode without its player: whoever drives it sends the decisions.

    Args:
        env: an environment of this package with `info_level="full"`, wrapped or not.
        policy: the policy's name.
        episode: number for the rows.
        seed: of the reset.

    Yields:
        `start`; the `turn`s of the reset; then for each decision a `question`, an
        `Ask` that takes the decision (or an exception out of `ENDING`), the
        `decision`, its `turn`s and the `step` that sums them up; then `end`.
    """
    observation, info = env.reset(seed=seed)
    tower: Tower = env.get_wrapper_attr("tower")
    began = _began(env)
    yield _start(env, tower, policy, episode, seed)
    yield from _turns(env, tower, info, None)
    decisions, total = 0, 0.0
    ending, problem = "", ""
    while not ending:
        yield question_row(env, observation, info)
        turn = info["turn"] + 1
        try:
            decision = yield Ask(observation, info)
        except tuple(ENDING) as error:
            ending, problem = _outcome_of(error), str(error)
            decisions += isinstance(error, NoAnswer)
            if isinstance(error, NoAnswer) or error.trace:
                yield _no_decision(error.trace, turn)
            break
        assert decision is not None
        decisions += 1
        yield decision_row(tower, decision, turn)
        observation, reward, ended, cut, info = env.step(_step(env, decision, turn))
        total += float(reward)
        yield from _turns(env, tower, info, decision)
        state: State = env.get_wrapper_attr("state")
        yield {
            "row": "step",
            "turn": info["turn"],
            "reward": float(reward),
            "state": state_id(state),
        }
        if ended or cut:
            ending = _ending(info, cut)
    state = env.get_wrapper_attr("state")
    score = None
    if ending not in EXCLUDED:
        refuse_beyond(tower, began, state)
        score = goal_score(tower, state, None, state, ending)
    yield {
        "row": "end",
        "episode": episode,
        "seed": seed,
        "outcome": ending,
        "error": problem,
        "hp": state.hero.hp,
        "hero": hero_row(state),
        "highest_floor": highest_floor(tower, state),
        "turns": info["turn"],
        "decisions": decisions,
        "goal_score": score,
        "reward": total,
    }


def play(
    env: Env, policy: Policy, episode: int, seed: int, player: Player | None = None
) -> Iterator[Row]:
    """Play one episode with a player that answers at once.

    Args:
        env: see `script`.
        policy: makes the player, and is named in the rows.
        episode: number for the rows.
        seed: of the reset and of the player.
        player: made already, for this episode.

    Raises:
        PolicyError: the player's answer breaks the contract.
    """
    player = new_player(policy, env, seed) if player is None else player
    steps = script(env, policy.name, episode, seed)
    item = next(steps, None)
    while item is not None:
        if isinstance(item, Ask):
            try:
                decision = answer(player, item.observation, item.info)
            except tuple(ENDING) as error:
                item = steps.throw(error)
            else:
                item = steps.send(decision)
        else:
            yield item
            item = next(steps, None)


async def play_async(
    env: Env, policy: Policy, episode: int, seed: int, player: AsyncPlayer
) -> AsyncIterator[Row]:
    """As `play`, with a player that others may run beside."""
    steps = script(env, policy.name, episode, seed)
    item = next(steps, None)
    while item is not None:
        if isinstance(item, Ask):
            try:
                given = await player.act_async(item.observation, dict(item.info))
                decision = checked(given, item.info)
            except tuple(ENDING) as error:
                item = steps.throw(error)
            else:
                item = steps.send(decision)
        else:
            yield item
            item = next(steps, None)


def new_player(policy: Policy, env: Env, seed: int) -> Player:
    """A policy's player for one episode.

    Raises:
        PolicyError: it is no player.
    """
    player = policy.new_episode(env, seed)
    answers = (getattr(player, name, None) for name in ("act", "act_async"))
    if not any(callable(method) for method in answers):
        raise PolicyError(
            f"{policy.name!r}: new_episode must return a player with a method "
            f"'act(observation, info)'; got {player!r}"
        )
    return player


def answer(player: Player, observation: Any, info: dict[str, Any]) -> Decision:
    """A player's decision, checked.

    Raises:
        PolicyError: it is no decision, or one that breaks its contract.
    """
    return checked(player.act(observation, dict(info)), info)


def checked(decision: Decision, info: dict[str, Any]) -> Decision:
    """The same decision, known to be one about these options.

    Raises:
        PolicyError: it is no decision, or one that breaks its contract.
    """
    if not isinstance(decision, Decision):
        raise PolicyError(
            f"turn {info['turn'] + 1}: act must return a mt_gym.agents.Decision, "
            f"got {decision!r}"
        )
    decision.check(info)
    return decision


def hero_row(state: State) -> dict[str, int]:
    """The hero's numbers: HP and attributes, and what else he has."""
    numbers = zip(RESOURCES, state.hero, strict=False)
    return {name: n for i, (name, n) in enumerate(numbers) if n or i < 4}


def highest_floor(tower: Tower, state: State) -> str:
    """Id of the last floor, in the tower's order, that the hero has stood on."""
    return tower.board.floor_ids[state.world.visited.bit_length() - 1]


def _began(env: Env) -> State:
    """The state in which the episode of a reset began, before its assists."""
    played = env.get_wrapper_attr("played")
    state: State = played[0].before if played else env.get_wrapper_attr("state")
    return state


def _start(env: Env, tower: Tower, policy: str, episode: int, seed: int) -> Row:
    state = _began(env)
    reference_hp, reference = env.get_wrapper_attr("reference_hp")
    if state != tower.initial_state():
        reference = "scale"  # a certificate is about the map's own start
    return {
        "row": "start",
        "format": LOG_FORMAT,
        "episode": episode,
        "seed": seed,
        "policy": policy,
        "tower": tower.name,
        "digest": tower.digest,
        "hp": state.hero.hp,
        "hero": hero_row(state),
        "state": json.loads(state.to_json()),
        "reference_hp": reference_hp,
        "reference": reference,
    }


def _turns(
    env: Env, tower: Tower, info: dict[str, Any], decision: Decision | None
) -> Iterator[Row]:
    """Rows of the executed turns; a decision adds its own source and reason."""
    executed = info["executed"]
    played = env.get_wrapper_attr("played")
    after = [turn.after for turn in played[len(played) - len(executed) :]]
    for entry, state in zip(executed, after, strict=True):
        row = {"row": "turn", **entry}
        replaced = row["replaces"]
        if isinstance(replaced, int):
            row["replaces"] = action_text(tower, replaced)
        if decision is not None and row["source"] == "policy":
            row["source"] = decision.source
            row["reason"] = row["reason"] or decision.trace.get("reason", "")
        yield {**row, "hero": hero_row(state), "state": state_id(state)}


def _step(env: Env, decision: Decision, turn: int) -> Any:
    """What `env.step` takes: an index, or a vector where plans are executed.

    Raises:
        PolicyError: the plan is longer than the environment executes.
    """
    space = env.action_space
    if not isinstance(space, spaces.MultiDiscrete):
        return decision.action
    entries = (decision.action, *decision.plan)
    if len(entries) > len(space.nvec):
        raise PolicyError(
            f"turn {turn}: Decision.plan has {len(decision.plan)} entries; the "
            f"environment executes at most {len(space.nvec) - 1} after the choice"
        )
    nothing = int(space.nvec[0])
    return (*entries, *[nothing] * (len(space.nvec) - len(entries)))


def _ending(info: dict[str, Any], cut: bool) -> str:
    """The outcome of an episode that is over.

    A wrapper that cuts it short, such as gymnasium's `TimeLimit`, says none: the turns
    have run out.

    Raises:
        MtGymError: it ended, but not by the game.
    """
    outcome = info.get("outcome", "turn_limit" if cut else None)
    if outcome not in OUTCOMES:
        raise MtGymError(
            f"turn {info['turn']}: the environment ended the episode with the outcome "
            f"{outcome!r} (there are {', '.join(OUTCOMES)})"
        )
    return str(outcome)


def _outcome_of(error: Exception) -> str:
    return next(name for kind, name in ENDING.items() if isinstance(error, kind))


def _no_decision(trace: Mapping[str, Any], turn: int) -> Row:
    return {
        "row": "decision",
        "turn": turn,
        "action": None,
        "text": None,
        "plan": [],
        "distribution": None,
        "source": "none",
        "trace": dict(trace),
    }
