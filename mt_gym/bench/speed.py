"""Speed of the episode loop: what it adds to a policy, with full logs.

In processor time, so that other programs disturb the figures little.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.policy import Env, Player, Policy
from mt_gym.agents.registry import make_policy
from mt_gym.bench.engine import FLOOR, Figure, Measurement
from mt_gym.bench.loop import run
from mt_gym.bench.result import RunResult

ENV: Final = f"MagicTower-{FLOOR}-v0"
EPISODES: Final = 200
AT_A_TIME: Final = 64


def bench_loop(runs: int = 3) -> Iterator[Figure]:
    """Measure every line, `runs` times each."""
    for line in MEASUREMENTS:
        found = tuple(line.measure(0.0) for _ in range(runs))
        yield Figure(line.name, line.unit, found, line.goal, line.at_least)


class _Timed:
    """A policy whose own time is known."""

    def __init__(self, policy: Policy) -> None:
        self.name, self.observation = policy.name, policy.observation
        self._policy = policy
        self.seconds = 0.0

    def new_episode(self, env: Env, seed: int) -> Player:
        player = self._policy.new_episode(env, seed)
        timed = self

        class TimedPlayer:
            def act(self, observation: Any, info: dict[str, Any]) -> Any:
                begun = time.process_time()
                decision = player.act(observation, info)
                timed.seconds += time.process_time() - begun
                return decision

        return TimedPlayer()


def overhead(seconds: float) -> float:
    """Milliseconds a decision takes besides the policy, observation included.

    Random play, so that few states are met twice.
    """
    policy = _Timed(make_policy("random"))
    used, result = _run(policy, EPISODES // 2)
    decisions = sum(one.decisions for one in result.episodes)
    return 1000 * (used - policy.seconds) / decisions


def heuristic_run(seconds: float) -> float:
    """Seconds of a run of 200 heuristic episodes with full logs."""
    used, _ = _run(make_policy("heuristic"), EPISODES)
    return used


def busy_share(seconds: float) -> float:
    """Cores that 64 episodes at a time keep busy, client and stand-in server.

    Time in which a core was used, or waited for because other programs had it, over
    the time on the clock.
    """
    from mt_gym.agents.llm.server import serving

    with serving(make_policy("random")) as server:
        policy = make_policy(
            "llm", base_url=server.base_url, model="random", concurrency=AT_A_TIME
        )
        begun, used = time.perf_counter(), _wanted()
        _run(policy, AT_A_TIME, concurrency=AT_A_TIME)
        return (_wanted() - used) / (time.perf_counter() - begun)


def _wanted() -> float:
    """Seconds in which this process used a core or, where Linux says so, waited."""
    found = sorted(Path("/proc/self/task").glob("*/schedstat"))
    if not found:
        return time.process_time()
    spent = [file.read_text().split()[:2] for file in found]
    return sum(int(used) + int(waited) for used, waited in spent) / 1e9


def _run(policy: Policy, episodes: int, **options: Any) -> tuple[float, RunResult]:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        out = Path(folder) / "run"
        result = run(ENV, policy, episodes=episodes, out=out, **options)
        return time.process_time() - begun, result


MEASUREMENTS: Final = (
    Measurement("loop, besides the policy", "ms a decision", 2.0, False, overhead),
    Measurement("200 heuristic episodes", "s", 20.0, False, heuristic_run),
    Measurement("64 episodes at a time", "cores busy", 0.9, True, busy_share),
)
"""What `bench_loop` measures, in its order, with what is wanted."""
