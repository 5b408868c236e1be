"""Speed of the solver: time, states and memory on shipped and on random floors.

A bench, not a test: it prints figures of this machine.  Compilation is done before
the clock starts.  A foreign solver of the text format can run on the same maps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from mt_gym.bench.foreign import Foreign, run_foreign
from mt_gym.engine.generate import SHAPES, Recipe, random_tower
from mt_gym.engine.load import load, shipped
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver import solve

SIZES: Final = (20, 40, 60)
REPEATS: Final = 5
"""Searches of a floor below `QUICK` seconds; the fastest one counts."""
QUICK: Final = 0.05


@dataclass(frozen=True, slots=True)
class SolverRow:
    """One floor, searched.

    Attributes:
        group: `shipped`, `file`, or shape and gateways of random floors.
        name: of the floor; for random ones with their seed.
        gateways: monsters and doors of the map.
        status, hp, bound: as in `mt_gym.solver.Solution`.
        expanded, stored: states; memory: bytes of the tables.
        seconds: processor time of the search.
        foreign: what a foreign solver did with the map, None if there is none.
    """

    group: str
    name: str
    gateways: int
    status: str
    hp: int | None
    bound: int | None
    expanded: int
    stored: int
    memory: int
    seconds: float
    foreign: Foreign | None = None

    @property
    def ratio(self) -> float | None:
        """How many times longer the foreign solver took, if it answered."""
        if self.foreign is None or self.foreign.seconds is None:
            return None
        return self.foreign.seconds / self.seconds


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """Figures of one group of rows; times in seconds."""

    group: str
    floors: int
    proved: int
    solvable: int
    median: float
    p90: float
    worst: float
    most_states: int
    most_memory: int


def bench_solver(
    *,
    sizes: Sequence[int] = SIZES,
    shapes: Sequence[str] = tuple(SHAPES),
    seeds: int = 100,
    files: Iterable[Path] = (),
    time_limit: float | None = 60.0,
    against: Path | None = None,
    shipped_floors: bool = True,
) -> Iterator[SolverRow]:
    """Search floor by floor, yielding a row as soon as it is there.

    Args:
        sizes: gateways of the random floors; `shapes`: their classes.
        seeds: random floors of each class and size, from seed 0 on.
        files: further maps.
        time_limit: seconds a floor; None for none.
        against: a program that takes a map in the text format as its argument; see
            `mt_gym.bench.foreign`.
        shipped_floors: whether those are searched too.

    Raises:
        MtGymError: the foreign program cannot be run, or a map is defective.
    """
    if against is not None:
        if not against.is_file():
            raise MtGymError(f"--against: there is no program {str(against)!r}")
        if not os.access(against, os.X_OK):
            raise MtGymError(f"--against: {str(against)!r} is not executable")
    warm_up()
    for name in shipped() if shipped_floors else ():
        yield measure(load(name), "shipped", name, time_limit, against)
    for path in files:
        yield measure(load(path), "file", path.name, time_limit, against)
    for shape in shapes:
        for size in sizes:
            for seed in range(seeds):
                rng = np.random.default_rng([seed, size])
                tower = random_tower(rng, Recipe(size, shape))
                group = f"{shape} {size}"
                yield measure(tower, group, f"{group} #{seed}", time_limit, against)


def warm_up() -> None:
    """Compile every search before the clock starts."""
    for name in ("simple", "complex", "hand07"):
        solve(load(name))
    big = random_tower(np.random.default_rng(0), Recipe(70, "open", floors=2))
    solve(big, node_limit=5000)


def measure(
    tower: Tower,
    group: str,
    name: str,
    time_limit: float | None = None,
    against: Path | None = None,
) -> SolverRow:
    """Search one tower; quick searches are repeated and the fastest one counts."""
    tower.board  # noqa: B018 - compiled before the clock starts
    best = float("inf")
    for _ in range(REPEATS):
        before = time.process_time()
        solution = solve(tower, time_limit=time_limit)
        best = min(best, time.process_time() - before)
        if best > QUICK:
            break
    board = tower.board
    return SolverRow(
        group=group,
        name=name,
        gateways=(board.monster_mask | board.door_mask).bit_count(),
        status=solution.status,
        hp=solution.hp,
        bound=solution.bound,
        expanded=solution.expanded,
        stored=solution.stored,
        memory=solution.memory,
        seconds=best,
        foreign=None if against is None else run_foreign(against, tower, time_limit),
    )


def summarise(rows: Iterable[SolverRow]) -> list[GroupSummary]:
    """Median, 90th percentile and worst of each group, in order of appearance."""
    groups: dict[str, list[SolverRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    found = []
    for group, own in groups.items():
        times = [row.seconds for row in own]
        found.append(
            GroupSummary(
                group=group,
                floors=len(own),
                proved=sum(row.status != "bounded" for row in own),
                solvable=sum(row.hp is not None for row in own),
                median=float(np.median(times)),
                p90=float(np.quantile(times, 0.9)),
                worst=max(times),
                most_states=max(row.stored for row in own),
                most_memory=max(row.memory for row in own),
            )
        )
    return found
