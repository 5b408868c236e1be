"""Runs: a policy on an environment, episode after episode, into a folder.

Players that can wait (`act_async`) play many episodes at a time, others one after
the other; the rows and the order of the results are the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import EnvSpec

from mt_gym.agents.llm.seams import CallStore
from mt_gym.agents.policy import AsyncPlayer, Env, Player, Policy, checked_policy
from mt_gym.bench.budget import Budget
from mt_gym.bench.episode import new_player, play, play_async
from mt_gym.bench.log import RunFolder
from mt_gym.bench.measures import EpisodeResult
from mt_gym.bench.question import Row
from mt_gym.bench.read import read_episode
from mt_gym.bench.result import RunResult
from mt_gym.bench.setup import (
    commitment_of,
    describe_run,
    make_environment,
    refuse_changing,
)
from mt_gym.engine.tower import Tower
from mt_gym.errors import EndpointError, MtGymError, PolicyError

__all__ = ["make_environment", "run"]

AT_A_TIME = 8
"""Episodes that are played at the same time, if their players can wait."""


def run(
    spec: str | EnvSpec,
    policy: Policy,
    *,
    episodes: int = 1,
    seed: int = 0,
    out: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    watch: Callable[[Row], None] | None = None,
    resume: bool = False,
    commit: int | None = None,
    concurrency: int = AT_A_TIME,
    budget: Budget | None = None,
    calls: CallStore | None = None,
    labels: Mapping[str, Any] | None = None,
) -> RunResult:
    """Let a policy play.

    Args:
        spec: an environment's id or spec.
        policy: plays; the observation it wants is asked for, unless `spec` or
            `settings` name one.
        episodes: how many, numbered from 1.
        seed: of the first episode; the others follow one by one.
        out: folder for the logs; nothing is stored by default.
        settings: keywords of the environment.
        watch: called with each row as it happens.
        resume: go on with the run in `out`: finished episodes stay, missing ones and
            those that a server or a budget ended are played.
        commit: actions that one decision may decide; the policy's `commitment` by
            default.  Above 1, `CommitPlan` executes `Decision.plan`.
        concurrency: episodes at a time, where players can wait.
        budget: hard limits of what a model may use in this call of `run`.
        calls: answers that need no network again.
        labels: further entries of `run.json`, such as `condition`.

    >>> from mt_gym.agents import make_policy
    >>> run("MagicTower-simple-v0", make_policy("witness")).episodes[0].hp
    13

    Raises:
        MtGymError: a wrong number, keyword or value, or a folder in use.
        PolicyError: the policy breaks its contract; finished episodes are stored.
        EndpointError: a model's server refused the very first requests.
    """
    checked_policy(policy, "the given object")
    for name, value, least in (
        ("episodes", episodes, 1),
        ("seed", seed, 0),
        ("concurrency", concurrency, 1),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise MtGymError(f"{name} must be an integer >= {least}, got {value!r}")
    if resume and out is None:
        raise MtGymError("there is nothing to resume without a folder: give out=")
    _attach(policy, budget, calls)

    def make() -> Env:
        return make_environment(
            spec, policy, settings or {}, commit=commitment_of(policy, commit)
        )

    with ExitStack() as stack:
        env = stack.enter_context(closing(make()))
        refuse_changing(env)
        tower: Tower = env.get_wrapper_attr("tower")
        folder = None
        if out is not None:
            about = describe_run(env, policy, episodes, seed)
            about |= dict(labels or {})
            opened = RunFolder.opened(Path(out), about, resume)
            folder = stack.enter_context(opened)
        job = _Job(policy, make, seed, folder, watch)
        if folder is not None:
            job.take_finished(range(1, episodes + 1))
        job.play(env, episodes, concurrency)
        certificate = tower.certificate
        result = RunResult(
            policy.name,
            tower.name,
            None if certificate is None else certificate.optimum,
            tuple(one for _, one in sorted(job.results.items())),
            None if folder is None else folder.path,
            wanted=episodes,
            floors=len(tower.floors),
            proved=certificate is None or certificate.status == "optimal",
        )
        if folder is not None:
            folder.write_table(result.figures())
    job.raise_refusal()
    return result


def _attach(policy: Policy, budget: Budget | None, calls: CallStore | None) -> None:
    attach = getattr(policy, "attach", None)
    if attach is not None:
        attach(store=calls, meter=budget)
    elif budget is not None or calls is not None:
        raise MtGymError(
            f"the policy {policy.name!r} asks no model: it takes no budget and no "
            "stored calls"
        )


@dataclass
class _Job:
    """The episodes of a run that are still to be played, and the results.

    Attributes:
        results: by episode number.
        refusal: what a server said that answered nothing at all.
    """

    policy: Policy
    make: Callable[[], Env]
    seed: int
    folder: RunFolder | None
    watch: Callable[[Row], None] | None
    results: dict[int, EpisodeResult] = field(default_factory=dict)
    answered: bool = False
    stopped: bool = False
    refusal: str = ""

    def take_finished(self, numbers: range) -> None:
        """Take the episodes that the folder holds already."""
        assert self.folder is not None
        for number, file in self.folder.finished().items():
            if number in numbers:
                self.results[number] = EpisodeResult.of(read_episode(file))

    def play(self, env: Env, episodes: int, concurrency: int) -> None:
        """Play every episode that has no result yet."""
        done = frozenset(self.results)
        numbers = (n for n in range(1, episodes + 1) if n not in done)
        first = next(numbers, None)
        if first is None:
            return
        player = self._player(env, first)
        if isinstance(player, AsyncPlayer):
            count = min(concurrency, episodes - len(done))
            many = self._many(env, first, player, numbers, count)
            _run_loop(many)
            return
        self._one(env, first, player)
        for number in self._open(numbers):
            self._one(env, number, self._player(env, number))

    def raise_refusal(self) -> None:
        """Raise what a server said, if no request was ever answered."""
        if self.refusal and not self.answered:
            raise EndpointError(self.refusal)

    def _open(self, numbers: Iterator[int]) -> Iterator[int]:
        """The numbers, until the run is stopped."""
        while not self.stopped and (number := next(numbers, None)) is not None:
            yield number

    def _player(self, env: Env, number: int) -> Player:
        try:
            return new_player(self.policy, env, self.seed + number - 1)
        except PolicyError as error:
            raise _numbered(error, number) from error

    def _one(self, env: Env, number: int, player: Player) -> None:
        seed = self.seed + number - 1
        with _Recorder(self, number) as recorder:
            for row in play(env, self.policy, number, seed, player):
                recorder.add(row)

    async def _many(
        self,
        env: Env,
        first: int,
        player: AsyncPlayer,
        numbers: Iterator[int],
        count: int,
    ) -> None:
        """Play on `count` environments at a time."""

        async def worker(own: Env, number: int | None, player: Any) -> None:
            if number is not None:
                await self._one_async(own, number, player)
            for number in self._open(numbers):
                await self._one_async(own, number, self._player(own, number))

        with ExitStack() as stack:
            envs = [stack.enter_context(closing(self.make())) for _ in range(count - 1)]
            jobs = [worker(env, first, player)]
            jobs += [worker(own, None, None) for own in envs]
            tasks = [asyncio.ensure_future(job) for job in jobs]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                close = getattr(self.policy, "aclose", None)
                if close is not None:
                    await close()

    async def _one_async(self, env: Env, number: int, player: Any) -> None:
        seed = self.seed + number - 1
        with _Recorder(self, number) as recorder:
            async for row in play_async(env, self.policy, number, seed, player):
                recorder.add(row)

    def finish(self, rows: list[Row]) -> None:
        """Take the result of an episode, and stop the run where it cannot go on."""
        result = EpisodeResult.of(rows)
        self.results[result.episode] = result
        if result.outcome == "budget":
            self.stopped = True
        elif result.outcome != "infra_error" or result.decisions or result.calls:
            self.answered = True
        elif not self.answered:
            self.stopped = True
            self.refusal = self.refusal or result.error


class _Recorder:
    """Passes the rows of one episode on: to its log, to who watches, to the job."""

    def __init__(self, job: _Job, number: int) -> None:
        self._job, self._number = job, number
        self._rows: list[Row] = []
        self._log = None if job.folder is None else job.folder.episode(number)

    def add(self, row: Row) -> None:
        """Take a row."""
        self._rows.append(row)
        if self._log is not None:
            self._log.add(row)
        if self._job.watch is not None:
            self._job.watch(row)
        if row["row"] == "end":
            self._job.finish(self._rows)

    def __enter__(self) -> _Recorder:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if self._log is not None:
            self._log.close()
        if isinstance(error, PolicyError) and not str(error).startswith("episode "):
            raise _numbered(error, self._number) from error


def _numbered(error: PolicyError, number: int) -> PolicyError:
    return PolicyError(f"episode {number}: {error}")


def _run_loop(job: Any) -> None:
    """Run a coroutine to its end, also where an event loop runs already."""
    if not _loop_runs():
        asyncio.run(job)
        return
    # A notebook has a loop of its own, in which nothing can be waited for here.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, job).result()


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
