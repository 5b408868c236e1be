"""Contract checks by play, for your own towers and policies.

`check_tower` raises `AssertionError`, `check_policy` raises `PolicyError`; either
says what was expected, where, and what was found instead.
"""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np

from mt_gym.agents.policy import Decision, Env, Player, Policy, checked_policy
from mt_gym.bench.episode import checked, new_player
from mt_gym.bench.loop import make_environment
from mt_gym.engine.board import TRAVEL, Action
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, PolicyError, StateMismatch

__all__ = ["check_policy", "check_tower"]

MAX_TURNS: Final = 2_000
"""Turns after which a random episode is left."""


def check_tower(
    tower: Tower | str | Path, *, episodes: int = 10, seed: int = 0
) -> None:
    """Check the contract of a tower by random play.

    Checked are the map (no defects, its text form, the certificate's route), the
    action table, in every state met: legality against `step`, pure transitions, the
    state's text form, endings; and that the environment agrees with all of it.

    Args:
        tower: a tower, a shipped name, or the path of a map file.
        episodes: random episodes of the engine; a third of them, at least one, are
            also played in the environment.
        seed: of the random play.

    Raises:
        AssertionError: the first thing that does not hold.
        MapError, UnknownFloor: there is no such map.
    """
    if not isinstance(tower, Tower):
        tower = load(tower)
    defects = tower.problems()
    _expect(not defects, f"{tower.name!r} has no defects, but: {'; '.join(defects)}")
    written = loads(tower.to_toml())
    _expect(written == tower, f"{tower.name!r} reads back from to_toml() as it was")
    _check_actions(tower)
    _check_certificate(tower)
    rng = np.random.default_rng(seed)
    for number in range(episodes):
        _random_episode(tower, rng, f"random episode {number + 1} of {tower.name!r}")
    _check_environment(tower, max(1, episodes // 3), rng)


def _expect(holds: bool, rule: str) -> None:
    if not holds:
        raise AssertionError(f"this does not hold: {rule}")


def _check_actions(tower: Tower) -> None:
    for index, action in enumerate(tower.actions):
        _expect(action.index == index, f"action {index} of the table has that index")
        _expect(
            tower.action(str(action)) == action,
            f"the text {str(action)!r} means action {index} and no other",
        )


def _check_certificate(tower: Tower) -> None:
    certificate = tower.certificate
    if certificate is None or not certificate.route:
        return
    state = tower.initial_state()
    for turn, text in enumerate(certificate.route, start=1):
        try:
            state = tower.step(state, tower.action(text))
        except IllegalAction as error:
            raise AssertionError(
                f"the certificate's route can be played, but turn {turn}: {error}"
            ) from error
    _expect(
        tower.outcome(state) == "won" and state.hero.hp == certificate.optimum,
        f"the certificate's route wins with {certificate.optimum} HP, but it ends with "
        f"{state.hero.hp} HP, outcome {tower.outcome(state)}",
    )


def _random_episode(tower: Tower, rng: np.random.Generator, where: str) -> None:
    state = tower.initial_state()
    for turn in range(1, MAX_TURNS + 1):
        at = f"{where}, before turn {turn}"
        _check_state(tower, state, at)
        legal = tower.legal_actions(state)
        if not legal:
            return
        action = legal[int(rng.integers(len(legal)))]
        state = _check_step(tower, state, action, f"{where}, turn {turn} ({action})")


def _check_state(tower: Tower, state: State, at: str) -> None:
    try:
        tower.check(state)
    except StateMismatch as error:
        raise AssertionError(f"{at}: the state is sound, but {error}") from error
    copied = State.from_json(state.to_json())
    _expect(
        (tuple(copied.world), tuple(copied.hero))
        == (tuple(state.world), tuple(state.hero)),
        f"{at}: the state reads back from to_json() as it was",
    )
    legal = tower.legal_actions(state)
    indices = [action.index for action in legal]
    _expect(indices == sorted(set(indices)), f"{at}: legal actions come once, by index")
    outcome = tower.outcome(state)
    _expect(
        bool(legal) or outcome is not None,
        f"{at}: where nothing is legal the game has ended",
    )
    if outcome in ("won", "died"):
        _expect(not legal, f"{at}: nothing is legal after the end ({outcome})")
    for action in tower.actions:
        if action.code != TRAVEL and action.index not in indices:
            _expect(
                _refused(tower, state, action),
                f"{at}: step refuses {str(action)!r}, which is not legal",
            )


def _refused(tower: Tower, state: State, action: Action) -> bool:
    try:
        tower.step(state, action)
    except IllegalAction:
        return True
    return False


def _check_step(tower: Tower, state: State, action: Action, at: str) -> State:
    before = state.to_json()
    after = tower.step(state, action)
    again = tower.step(state, action)
    _expect(state.to_json() == before, f"{at}: a transition leaves its state alone")
    _expect(after.to_json() == again.to_json(), f"{at}: equal steps give equal states")
    _expect(
        state.world.gone & ~after.world.gone == 0,
        f"{at}: what is gone never comes back",
    )
    _expect(after.hero.hp >= 0, f"{at}: HP are never negative")
    return after


def _check_environment(tower: Tower, episodes: int, rng: np.random.Generator) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{tower.name}.toml"
        file.write_text(tower.to_toml(), encoding="utf-8")
        env = gym.make("MagicTower-v0", tower=str(file), info_level="full")
        try:
            for number in range(episodes):
                where = f"episode {number + 1} in the environment of {tower.name!r}"
                _play_environment(tower, env, rng, where)
        finally:
            env.close()


def _play_environment(
    tower: Tower, env: Env, rng: np.random.Generator, where: str
) -> None:
    observation, info = env.reset(seed=int(rng.integers(1 << 30)))
    over = False
    while not over:
        at = f"{where}, before turn {info['turn'] + 1}"
        _check_offer(tower, env, observation, info, at)
        legal = np.flatnonzero(info["action_mask"])
        action = int(legal[int(rng.integers(len(legal)))])
        observation, _, ended, cut, info = env.step(action)
        over = ended or cut
    _expect(
        not info["action_mask"].any(), f"{where}: the mask is all zero after the end"
    )
    _expect(info["outcome"] is not None, f"{where}: info says the outcome at the end")


def _check_offer(
    tower: Tower, env: Env, observation: Any, info: dict[str, Any], at: str
) -> None:
    state: State = env.get_wrapper_attr("state")
    mask = info["action_mask"]
    _expect(
        env.observation_space.contains(observation),
        f"{at}: the observation is in the observation space",
    )
    _expect(
        np.array_equal(mask, np.asarray(env.get_wrapper_attr("action_masks")())),
        f"{at}: info['action_mask'] equals action_masks()",
    )
    masked = [int(index) for index in np.flatnonzero(mask)]
    legal = [action.index for action in tower.legal_actions(state)]
    travel = [i for i in masked if tower.actions[i].code == TRAVEL]
    _expect(
        masked == legal or bool(travel),
        f"{at}: the mask allows what is legal ({legal}), but it allows {masked}",
    )
    listed = sorted(e["action"] for e in info["actions"] if e["enabled"])
    _expect(
        listed == masked,
        f"{at}: the enabled entries of info['actions'] are those of the mask "
        f"({masked}), but they are {listed}",
    )


def check_policy(
    policy: Policy,
    *,
    spec: str = "MagicTower-simple-v0",
    episodes: int = 2,
    seed: int = 0,
) -> None:
    """Check the contract of a policy by letting it play.

    Checked are its attributes, every decision (its parts, a legal action, a
    distribution over exactly the enabled options), that it changes neither the
    environment nor `info`, that equal seeds give equal decisions, and that two of
    its players do not disturb each other.

    Args:
        policy: the policy; it plays each episode three times.
        spec: the environment to play.
        episodes: how many seeds are tried.
        seed: of the first.

    Raises:
        PolicyError: the first thing that does not hold.
    """
    checked_policy(policy, "the given object")
    for number in range(seed, seed + episodes):
        one, two = (make_environment(spec, policy, {}) for _ in range(2))
        try:
            alone = _decisions([(policy, one, number)])[0]
            both = _decisions([(policy, one, number), (policy, two, number)])
        finally:
            one.close()
            two.close()
        for again in both:
            if again != alone:
                turn = _first_difference(alone, again)
                raise PolicyError(
                    f"seed {number}: equal seeds give equal decisions, whoever else "
                    f"plays; decision {turn + 1} was {_at(alone, turn)}, and then "
                    f"{_at(again, turn)}"
                )


_Said = tuple[int, tuple[int, ...], tuple[tuple[int, float], ...] | None, str]


def _decisions(games: list[tuple[Policy, Env, int]]) -> list[list[_Said]]:
    """Play episodes in turns, one decision each; what each player said."""
    said: list[list[_Said]] = [[] for _ in games]
    tables: list[tuple[int, Player, Env, Any, dict[str, Any]]] = []
    for seat, (policy, env, seed) in enumerate(games):
        player = new_player(policy, env, seed)
        tables.append((seat, player, env, *env.reset(seed=seed)))
    while tables:
        seat, player, env, observation, info = tables.pop(0)
        decision = _checked_answer(player, env, observation, info)
        shares = decision.distribution
        spread = None if shares is None else tuple(sorted(shares.items()))
        said[seat].append((decision.action, decision.plan, spread, decision.source))
        observation, _, ended, cut, info = env.step(decision.action)
        if not (ended or cut):
            tables.append((seat, player, env, observation, info))
    return said


def _checked_answer(
    player: Player, env: Env, observation: Any, info: dict[str, Any]
) -> Decision:
    turn = info["turn"] + 1
    state: State = env.get_wrapper_attr("state")
    shown = copy.deepcopy(info)
    decision = checked(player.act(observation, info), shown)
    if not info["action_mask"][decision.action]:
        legal = [int(index) for index in np.flatnonzero(info["action_mask"])]
        raise PolicyError(
            f"turn {turn}: action {decision.action} is not legal; legal are {legal}"
        )
    if env.get_wrapper_attr("state") is not state:
        raise PolicyError(f"turn {turn}: the player changed the environment")
    if repr(info) != repr(shown):
        raise PolicyError(f"turn {turn}: the player changed the info it was shown")
    return decision


def _first_difference(one: list[_Said], two: list[_Said]) -> int:
    pairs = zip(one, two, strict=False)
    return next(
        (i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(two))
    )


def _at(said: list[_Said], turn: int) -> str:
    if turn >= len(said):
        return "none, the episode was over"
    action, plan, shares, source = said[turn]
    return f"action {action}, plan {plan}, distribution {shares}, source {source}"
