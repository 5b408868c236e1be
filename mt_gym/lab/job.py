"""One training from its options to the runs in its folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.rl.network import Network
from mt_gym.agents.rl.policy import load_network
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.lab.clone import LessonPlan, clone
from mt_gym.lab.floors import is_set, levels_of, one_floor, set_floors
from mt_gym.lab.folder import BEST, FINAL, TrainFolder
from mt_gym.lab.plans import Options, fitting, ppo_plan, shape_for
from mt_gym.lab.ppo import Plan, train
from mt_gym.lab.runs import play_floor, play_set

PPO: Final = "maskable-ppo"
CLONE: Final = "clone"
ALGORITHMS: Final = (PPO, CLONE)

TIMES: Final = 32
"""Times that cloning plays a single floor in a round."""

Say = Callable[[str], None]
Count = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Shows how many of what are done, as `cli.progress.counting`."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained, and where.

    Attributes:
        name: of the floor, set or pool; algo: out of `ALGORITHMS`.
        levels, floors: of a set.
        rounds: of DAgger; start: weights to begin with, a shipped name or a file.
        options: all others.
    """

    name: str
    algo: str
    levels: str
    floors: int
    rounds: int
    start: str | None
    options: Options

    def run(
        self,
        folder: Path,
        *,
        resume: bool,
        tensorboard: Path | None,
        say: Say,
        count: Count,
    ) -> None:
        """Train, and play the real floors with the final and the best network.

        Args:
            folder: takes everything; `resume`: go on with what it holds.
            tensorboard: folder for curves; None for none.
            say: told what happens; count: shows progress.

        Raises:
            MtGymError: something is wrong with the options or the folder.
            KeyboardInterrupt: as it came, after a checkpoint.
        """
        if self.algo == CLONE and tensorboard is not None:
            raise MtGymError(
                f"--tensorboard is for {PPO}; train.json has the figures of each round"
            )
        several = is_set(self.name)
        towers, looked, told = self._floors(several, count)
        begin = None if self.start is None else load_network(self.start)
        settings = told | {"algo": self.algo, "start": self.start}
        settings |= {"rounds": self.rounds, **asdict(self.options)}
        learn = self._prepared(towers, looked, several, begin)
        kept = TrainFolder(folder, settings, resume)
        try:
            learn(kept, tensorboard, say, count)
        except KeyboardInterrupt:
            kept.write()
            raise
        for network in (FINAL, BEST):
            lines = (
                play_set(folder, network, looked)
                if several
                else play_floor(folder, network, self.name)
            )
            for line in lines:
                say(line)
        say(f"Weights: {folder / 'final.npz'} and {folder / 'best.npz'}")

    def _floors(
        self, several: bool, count: Count
    ) -> tuple[list[Tower], list[Tower], dict[str, Any]]:
        """Floors to learn from, floors to look at, and what says which they are."""
        if not several:
            tower = one_floor(self.name)
            return [tower], [tower], {"floor": self.name, "digest": tower.digest}
        with count("floors") as progress:
            towers, looked = set_floors(
                self.name, levels_of(self.levels), self.floors, progress
            )
        told = {"floor": self.name, "levels": self.levels, "floors": len(towers)}
        return towers, looked, told

    def _prepared(
        self,
        towers: list[Tower],
        looked: list[Tower],
        several: bool,
        begin: Network | None,
    ) -> Callable[[TrainFolder, Path | None, Say, Count], None]:
        """The training, after its options were checked."""
        if self.algo == PPO:
            plan = ppo_plan(towers, self.options, several, begin)
            return _Reinforced(towers, looked, plan, begin)
        shape = shape_for(towers, self.options, several)
        if begin is not None:
            shape = fitting(begin.shape, towers, self.options)
        lessons = LessonPlan(
            seed=self.options.seed,
            rounds=self.rounds,
            repeats=1 if several else TIMES,
            shape=shape,
        )
        return _Cloned(towers, looked, lessons, begin)


@dataclass(frozen=True, slots=True)
class _Reinforced:
    """PPO on floors."""

    towers: list[Tower]
    looked: list[Tower]
    plan: Plan
    begin: Network | None

    def __call__(
        self, folder: TrainFolder, tensorboard: Path | None, say: Say, count: Count
    ) -> None:
        with count("frames") as progress:
            _, watch = train(
                self.towers,
                self.plan,
                real=self.looked,
                folder=folder,
                tensorboard=tensorboard,
                say=say,
                progress=progress,
                start=self.begin,
            )
        speed = watch.speed()
        if speed is not None:
            frames, share = speed
            say(
                f"{frames:,.0f} frames/s of processor time, {100 * share:.1f} % of it "
                "in the environment"
            )


@dataclass(frozen=True, slots=True)
class _Cloned:
    """Cloning on floors."""

    towers: list[Tower]
    looked: list[Tower]
    plan: LessonPlan
    begin: Network | None

    def __call__(
        self, folder: TrainFolder, tensorboard: Path | None, say: Say, count: Count
    ) -> None:
        with count("lessons") as progress:
            clone(
                self.towers,
                self.plan,
                real=self.looked,
                folder=folder,
                say=say,
                progress=progress,
                start=self.begin,
            )
