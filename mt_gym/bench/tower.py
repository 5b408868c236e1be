"""Speed on the tower: transitions, environment steps, the text, the witness's replay.

A bench, not a test: it prints figures of this machine and judges nothing.  The states
in the middle of the tower are climbed to by a hero who cannot lose, who then gets the
numbers of an ordinary one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import gymnasium as gym
import numpy as np

from mt_gym.analysis.options import Options
from mt_gym.analysis.tower.way_up import WayUp
from mt_gym.bench.engine import Figure, Measurement, draws
from mt_gym.engine.actions import FIGHT, OPEN, TALK, Action
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.observation import render
from mt_gym.play.choices import choices
from mt_gym.play.episode import advance, begin
from mt_gym.play.settings import PlaySettings

TOWER: Final = "tower"

MIDDLE: Final = {
    "hp": 3000,
    "atk": 150,
    "defense": 100,
    "gold": 300,
    "exp": 300,
    "yellow": 4,
    "blue": 1,
    "red": 1,
}
"""The hero's numbers in the states whose text is timed."""

FLOORS_SEEN: Final = 14
LEAST_LISTED: Final = 35

_CLIMBER: Final = {
    "hp": 10**9,
    "atk": 10**5,
    "defense": 0,
    "gold": 0,
    "exp": 0,
    "yellow": 99,
    "blue": 99,
    "red": 99,
}
_ASSISTS: Final = frozenset(("stairs", "gates"))


def bench_tower(runs: int = 5, seconds: float = 1.0) -> Iterator[Figure]:
    """Measure everything, a line at a time.

    Args:
        runs: runs a line, at least 1; a shorter one before them warms the caches.
        seconds: time of a run.
    """
    for line in measurements():
        line.measure(seconds / 4)
        found = tuple(line.measure(seconds) for _ in range(runs))
        yield Figure(line.name, line.unit, found, line.goal, line.at_least)


def measurements() -> list[Measurement]:
    """What is measured; the replay only where the map has a witness."""
    found = [
        Measurement("tower transitions", "1/s", 50_000, True, tower_transitions),
        Measurement("tower steps, features", "1/s", 5_000, True, tower_steps),
        Measurement("tower search, macro transitions", "1/s", 300_000, True, searched),
        Measurement("tower-final, 14 floors", "s", 0.06, False, tower_texts),
    ]
    certificate = load(TOWER).certificate
    if certificate is not None and certificate.route:
        found.append(Measurement("witness replay", "s", 1.0, False, witness_replay))
    return found


def size() -> str:
    """Objects and actions of the tower, which every figure depends on."""
    board = load(TOWER).board
    return f"{board.n_objects} objects, {len(board.actions)} actions"


def climbed(tower: Tower, floors: int, numbers: dict[str, int]) -> State:
    """A state in which that many floors have been visited, as few things gone as can.

    Args:
        tower: where to climb.
        floors: visited floors, fewer if the way ends before.
        numbers: what the hero then has, by field of `engine.state.Hero`.
    """
    settings = PlaySettings(Options.of(tower), assists=_ASSISTS, overrides=())
    first = tower.initial_state()
    start = State(first.world, first.hero._replace(**_CLIMBER))
    moment, _ = begin(tower, start, settings)
    while moment.state.world.visited.bit_count() < floors and moment.outcome is None:
        action = _onward(tower, moment.state, settings)
        if action is None:
            break
        moment, _ = advance(tower, moment, action, settings)
    state = moment.state
    return State(state.world, state.hero._replace(**numbers))


def _onward(tower: Tower, state: State, settings: PlaySettings) -> Action | None:
    """What leads on: an obstacle of the way up, a talk, then anything but the goal."""
    goal = tower.board.goal_mask
    legal = [a for a in tower.legal_actions(state) if a.object >= 0]
    legal = [a for a in legal if not goal >> a.object & 1]
    way = WayUp(tower, state, settings.options).way
    ahead = () if way is None else way.things
    for group in (
        [a for a in legal if a.object in ahead],
        [a for a in legal if a.code == TALK and tower.step(state, a) != state],
        [a for a in legal if a.code in (OPEN, FIGHT)],
        [a for a in legal if a.row.removes and not a.row.cost],
    ):
        if group:
            return group[0]
    return None


def tower_transitions(seconds: float) -> float:
    """Transitions a second of random play, legal actions of each state included."""
    tower = load(TOWER)
    random = draws(0)
    legal_actions, step = tower.game.legal_actions, tower.game.step
    start = state = tower.initial_state()
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for draw in random[:4096]:
            legal = legal_actions(state)
            if legal:
                state = step(state, legal[draw % len(legal)])
                done += 1
            else:
                state = start
    return done / spent


def tower_steps(seconds: float) -> float:
    """Steps a second with `features`, from a state in which every floor was visited.

    Floors from which there is no way back are left out, and so are the columns of
    annotations.
    """
    env: gym.Env[Any, Any] = gym.make(
        f"MagicTower-{TOWER}-v0",
        observation="features",
        annotations=[],
        disable_env_checker=True,
    )
    tower: Tower = env.get_wrapper_attr("tower")
    one_way = sum(
        thing.placement.one_way
        for thing in tower.board.objects
        if thing.kind.type == "stairs"
    )
    state = climbed(tower, len(tower.floors) - one_way, MIDDLE)
    options = {"state": state}
    random = draws(1)
    _, info = env.reset(seed=0, options=options)
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for draw in random[:256]:
            legal = info["action_mask"].nonzero()[0]
            action = int(legal[draw % len(legal)])
            _, _, terminated, truncated, info = env.step(action)
            done += 1
            if terminated or truncated:
                _, info = env.reset(options=options)
    env.close()
    return done / spent


def tower_texts(seconds: float) -> float:
    """Median seconds of `tower-final` over decisions with many floors and entries.

    Decisions of random play from the middle of the tower, as long as at least
    `LEAST_LISTED` choices are listed; every text is rendered once.
    """
    tower = load(TOWER)
    settings = PlaySettings(Options.of(tower))
    start = climbed(tower, FLOORS_SEEN, MIDDLE)
    rng = np.random.default_rng(3)
    spent: list[float] = []
    began = time.process_time()
    while time.process_time() - began < seconds or not spent:
        moment, _ = begin(tower, start, settings)
        while moment.outcome is None:
            listed = choices(tower, moment.state, settings)
            if len(listed) < LEAST_LISTED and spent:
                break
            before = time.process_time()
            render(
                tower,
                moment.state,
                options=settings.options,
                kind="tower-final",
                turn=moment.turn,
                entries=listed,
            )
            spent.append(time.process_time() - before)
            able = [e.action for e in listed if e.enabled and not e.lethal]
            action = able[int(rng.integers(len(able)))]
            moment, _ = advance(tower, moment, action, settings)
    return float(np.median(spent))


def searched(seconds: float) -> float:
    """Macro transitions a second of the portfolio of beams, from the start."""
    from mt_gym.solver.tower.net import build  # imports numba
    from mt_gym.solver.tower.search import Portfolio

    tower = load(TOWER)
    portfolio = Portfolio(build(tower), tower.initial_state(), 0)
    began = time.process_time()
    portfolio.run_beams(None, max(1, int(300_000 * seconds)))
    return portfolio.transitions / (time.process_time() - began)


def witness_replay(seconds: float) -> float:
    """Seconds that the route of the certificate takes, turn by turn."""
    tower = load(TOWER)
    assert tower.certificate is not None
    began = time.process_time()
    state = tower.initial_state()
    for text in tower.certificate.route:
        state = tower.step(state, tower.action(text))
    return time.process_time() - began
