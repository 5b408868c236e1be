"""One game as a stream of rows: start, questions, decisions, turns, steps, end.

The rows are those of the bench's log, each with its player; `start` and `end` are of
the whole game and list what each player has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.agents.policy import Decision, Policy
from mt_gym.bench.episode import LOG_FORMAT, answer, hero_row, new_player
from mt_gym.bench.question import Row, decision_row, question_row, state_id
from mt_gym.engine.tower import Tower
from mt_gym.envs.info import executed_info
from mt_gym.envs.keywords import Config
from mt_gym.envs.view import features_of
from mt_gym.errors import IllegalAction, NoAnswer, PolicyError
from mt_gym.generator.certify import refuse_beyond
from mt_gym.observation.features import feature_table
from mt_gym.play.episode import Moment, Played
from mt_gym.versus.duel import DuelEnv, outcome_of
from mt_gym.versus.race import RaceEnv
from mt_gym.versus.rules import PASS, REASONS, name, score

ALONE: Final = (
    "the solver plays the optimum of a hero who is alone: it does not reckon with the "
    "other one"
)
"""What a duel says of the policy `solver`."""

NO_ANSWER: Final = "no_answer"
"""Why a duel ended that a player lost by giving no answer."""

DUEL_ENDINGS: Final = (*REASONS, NO_ANSWER)


@dataclass(frozen=True, slots=True)
class Seated:
    """A policy in its seat.

    Attributes:
        label: its name in tables, unlike every other.
        policy: makes the player.
        seed: of the player.
    """

    label: str
    policy: Policy
    seed: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended: its last row as an object; lists are by seat.

    Attributes:
        episode: number of the game, from 1; seed: of the reset.
        players: labels.
        outcome: a key of `DUEL_ENDINGS`, or `over` for a race.
        outcomes: how each player's own game ended.
        ranks: 1 for the best; equal ones share the better rank.
        hp, turns, decisions, goal_score, reward: of each player.
    """

    episode: int
    seed: int
    players: tuple[str, ...]
    outcome: str
    outcomes: tuple[str, ...]
    ranks: tuple[int, ...]
    hp: tuple[int, ...]
    turns: tuple[int, ...]
    decisions: tuple[int, ...]
    goal_score: tuple[float, ...]
    reward: tuple[float, ...]

    @classmethod
    def of(cls, row: Row) -> GameResult:
        """The result in an `end` row."""
        values = {key: row[key] for key in cls.__slots__}
        lists = {k: tuple(v) for k, v in values.items() if isinstance(v, list)}
        return cls(**{**values, **lists})


def play_duel(
    game: DuelEnv, seated: Sequence[Seated], episode: int, seed: int
) -> Iterator[Row]:
    """Play a duel; the first of `seated` moves first.

    Raises:
        PolicyError: a player's answer breaks the contract.
    """
    game.reset(seed=seed)
    players = [
        new_player(s.policy, game.seats[i], s.seed) for i, s in enumerate(seated)
    ]
    yield _start(game, "duel", seated, episode, seed)
    decisions, rewards = [0, 0], [0.0, 0.0]
    reason, winner = "", None
    while not reason:
        player = game.duel.mover
        seat = game.seats[player]
        info = game.infos[name(player)]
        text = game.observe(name(player))["text"]
        seen = observation_for(seated[player].policy, seat, text)
        yield _of(player, question_row(seat, seen, info))
        decisions[player] += 1
        try:
            decision = answer(players[player], seen, info)
        except NoAnswer:
            reason, winner = NO_ANSWER, 1 - player
            break
        yield _of(player, _decided(game.tower, decision, info["turn"] + 1))
        known = len(seat.played)
        try:
            game.step(decision.action)
        except IllegalAction as error:
            raise PolicyError(f"{seated[player].label}: {error}") from error
        yield from _turns(game.tower, player, seat.played, known, decision)
        reward = game.rewards[name(player)]
        yield _of(player, _step(seat.moment, reward))
        for number in (0, 1):
            rewards[number] += game.rewards[name(number)]
        result = game.duel.result
        if result is not None:
            reason, winner = result.reason, result.winner
    states = [game.duel.state(player) for player in (0, 1)]
    yield {
        "row": "end",
        "episode": episode,
        "seed": seed,
        "players": [one.label for one in seated],
        "outcome": reason,
        "outcomes": [_outcome(game, winner, player) for player in (0, 1)],
        "ranks": [1 if winner in (None, player) else 2 for player in (0, 1)],
        "hp": [state.hero.hp for state in states],
        "turns": [side.turn for side in game.duel.sides],
        "decisions": decisions,
        "goal_score": [score(game.tower, game.duel, player) for player in (0, 1)],
        "reward": rewards,
    }


def _outcome(game: DuelEnv, winner: int | None, player: int) -> str:
    result = game.duel.result
    if result is not None:
        return outcome_of(result, player)
    return "won" if winner == player else "lost"


def play_race(
    game: RaceEnv, seated: Sequence[Seated], episode: int, seed: int
) -> Iterator[Row]:
    """Play a race.

    Raises:
        PolicyError: a player's answer breaks the contract, or there is none.
        MtGymError: somebody ends with more than a proved optimum.
    """
    seen, infos = game.reset(seed=seed)
    players = [new_player(s.policy, game.envs[i], s.seed) for i, s in enumerate(seated)]
    yield _start(game, "race", seated, episode, seed)
    for player, env in enumerate(game.envs):
        yield from _turns(game.tower, player, env.played, 0, None)
    decisions = [0] * len(seated)
    rewards = [0.0] * len(seated)
    while game.agents:
        chosen: dict[str, Decision | None] = {}
        for agent in game.agents:
            player = game.possible_agents.index(agent)
            env, info = game.envs[player], infos[agent]
            if env.moment.outcome is not None:
                chosen[agent] = None
                continue
            text = seen[agent]["text"]
            own = observation_for(seated[player].policy, env, text)
            yield _of(player, question_row(env, own, info))
            decision = answer(players[player], own, info)
            decisions[player] += 1
            yield _of(player, _decided(game.tower, decision, info["turn"] + 1))
            chosen[agent] = decision
        known = [len(env.played) for env in game.envs]
        actions = {
            agent: game.pass_index if decision is None else decision.action
            for agent, decision in chosen.items()
        }
        seen, paid, _, _, infos = game.step(actions)
        for agent, made in chosen.items():
            player = game.possible_agents.index(agent)
            rewards[player] += paid[agent]
            if made is None:
                continue
            env = game.envs[player]
            yield from _turns(game.tower, player, env.played, known[player], made)
            yield _of(player, _step(env.moment, paid[agent]))
    for env in game.envs:
        refuse_beyond(game.tower, game.tower.initial_state(), env.state)
    scores = [game.score_of(player) for player in range(len(seated))]
    yield {
        "row": "end",
        "episode": episode,
        "seed": seed,
        "players": [one.label for one in seated],
        "outcome": "over",
        "outcomes": [str(env.moment.outcome) for env in game.envs],
        "ranks": [1 + sum(other > own for other in scores) for own in scores],
        "hp": [env.state.hero.hp for env in game.envs],
        "turns": [env.turn for env in game.envs],
        "decisions": decisions,
        "goal_score": scores,
        "reward": rewards,
    }


def observation_for(policy: Policy, seat: Any, text: str) -> Any:
    """What a policy is shown: the game's text, or the features of its own hero."""
    if policy.observation != "features":
        return text
    config: Config = seat.config
    table = feature_table(seat.tower, config.rows)
    return features_of(table, seat.moment, config.settings.options.max_turns)


def _start(
    game: DuelEnv | RaceEnv,
    mode: str,
    seated: Sequence[Seated],
    episode: int,
    seed: int,
) -> Row:
    state = game.tower.initial_state()
    reference_hp, reference = (
        game.seats[0] if isinstance(game, DuelEnv) else game.envs[0]
    ).reference_hp
    return {
        "row": "start",
        "format": LOG_FORMAT,
        "game": mode,
        "episode": episode,
        "seed": seed,
        "policy": " - ".join(one.label for one in seated),
        "players": [one.label for one in seated],
        "player_seeds": [one.seed for one in seated],
        "observations": [config.observation for config in game.configs],
        "tower": game.tower.name,
        "digest": game.tower.digest,
        "hp": state.hero.hp,
        "hero": hero_row(state),
        "state": json.loads(state.to_json()),
        "reference_hp": reference_hp,
        "reference": reference,
    }


def _of(player: int, row: Row) -> Row:
    return {"row": row["row"], "player": name(player), **row}


def _decided(tower: Tower, decision: Decision, turn: int) -> Row:
    """The bench's row, in which the index above the tower's is `pass`."""
    row = decision_row(tower, decision, turn)
    index = f"index {len(tower.actions)}"
    if row["text"] == index:
        row["text"] = PASS
    if row["distribution"] is not None:
        row["distribution"] = {
            PASS if text == index else text: share
            for text, share in row["distribution"].items()
        }
    return row


def _turns(
    tower: Tower,
    player: int,
    played: Sequence[Played],
    known: int,
    decision: Decision | None,
) -> Iterator[Row]:
    """Rows of the turns after the first `known`; a decision adds source and reason."""
    for number, turn in enumerate(played[known:], known + 1):
        row: Row = {"row": "turn", **executed_info(turn.executed(number))}
        if turn.replaces is not None:
            row["replaces"] = str(turn.replaces)
        if decision is not None and row["source"] == "policy":
            row["source"] = decision.source
            row["reason"] = row["reason"] or decision.trace.get("reason", "")
        row["hero"] = hero_row(turn.after)
        row["state"] = state_id(turn.after)
        yield _of(player, row)


def _step(moment: Moment, reward: float) -> Row:
    return {
        "row": "step",
        "turn": moment.turn,
        "reward": float(reward),
        "state": state_id(moment.state),
    }


def check_seat(policy: Policy, keywords: Mapping[str, Any]) -> None:
    """Refuse a policy that asks for rules of its own.

    Raises:
        PolicyError: a keyword of the environment that it needs is not set so.
    """
    wanted = dict(getattr(policy, "environment", {}))
    for key, value in wanted.items():
        if keywords.get(key) != value:
            raise PolicyError(
                f"the policy {policy.name!r} is asked under {key}={value!r}, and all "
                f"players of a game play by the same: set {key} for the game"
            )


__all__ = [
    "ALONE",
    "GameResult",
    "Seated",
    "check_seat",
    "observation_for",
    "play_duel",
    "play_race",
]
