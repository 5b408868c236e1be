"""Networks beside simple policies on generated floors that none of them has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.agents.policy import Policy
from mt_gym.agents.registry import make_policy
from mt_gym.agents.rl.network import annotations_of
from mt_gym.agents.rl.policy import load_network
from mt_gym.bench.episode import answer, new_player
from mt_gym.bench.setup import make_environment
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.registration import GENERATED
from mt_gym.generator.generate import generate
from mt_gym.lab.measure import Measured, measured, play

SET: Final = "test"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One policy on the floors.

    Attributes:
        name: of it, and how it chose.
        found: per level: its number, and what was measured.
    """

    name: str
    found: tuple[tuple[int, Measured], ...]

    @property
    def success(self) -> float:
        """Share of floors that were won, by some episode where there are several."""
        return float(np.mean([one.best_success for _, one in self.found]))

    @property
    def score(self) -> float:
        """Mean of min(1, HP over the optimum) of the best episode, a loss being 0."""
        return float(np.mean([_best(one).mean() for _, one in self.found]))


def _best(found: Measured) -> NDArray[np.float64]:
    """Per floor: min(1, HP over the optimum) of the best episode."""
    share = found.hp.max(axis=1) / np.maximum(1, found.optimum)
    best: NDArray[np.float64] = np.minimum(1.0, share)
    return best


def bench_transfer(
    weights: Sequence[str],
    levels: Sequence[int],
    count: int,
    samples: int,
    progress: Progress = lambda done, wanted: None,
) -> Iterator[Row]:
    """Play test floors with random choices, the heuristic, and networks.

    All play without overrides, so that every choice is the policy's own.

    Args:
        weights: of the networks, shipped names or files.
        levels: of the floors; count: of each level.
        samples: episodes of which the best counts, where actions are drawn.
        progress: told of floors made and wanted.
    """
    floors: dict[int, list[Tower]] = {}
    for number, level in enumerate(levels):
        floors[level] = []
        for index in range(count):
            floors[level].append(generate(level, floors=SET, index=index))
            progress(number * count + index + 1, len(levels) * count)

    def row(name: str, of: Callable[[int], Measured]) -> Row:
        return Row(name, tuple((level, of(level)) for level in levels))

    rng = np.random.default_rng(0)
    yield row("random", lambda level: play(floors[level], None, rng=rng))
    if samples > 1:
        name = f"random, best of {samples}"
        yield row(
            name, lambda level: play(floors[level], None, episodes=samples, rng=rng)
        )
    heuristic = make_policy("heuristic")
    yield row("heuristic", lambda level: played(heuristic, level, floors[level]))
    for file in weights:
        network = load_network(file)
        shown = annotations_of(network.shape.columns)
        yield row(
            f"rl:{file}",
            lambda level, n=network, s=shown: play(  # type: ignore[misc]
                floors[level], n.scores, annotations=s
            ),
        )
        if samples > 1:
            yield row(
                f"rl:{file}, best of {samples}",
                lambda level, n=network, s=shown: play(  # type: ignore[misc]
                    floors[level], n.scores, episodes=samples, rng=rng, annotations=s
                ),
            )


def played(policy: Policy, level: int, floors: Sequence[Tower]) -> Measured:
    """One episode of a policy on the first test floors of a level."""
    settings = {"level": level, "floors": SET, "overrides": []}
    env = make_environment(GENERATED, policy, settings)
    won, hp = [], []
    for number, floor in enumerate(floors):
        observation, info = env.reset(seed=number)
        assert env.get_wrapper_attr("tower") == floor
        player = new_player(policy, env, number)
        while "outcome" not in info:
            choice = answer(player, observation, info).action
            observation, _, _, _, info = env.step(choice)
        state: State = env.get_wrapper_attr("state")
        won.append([info["outcome"] == "won"])
        hp.append([state.hero.hp if won[-1][0] else 0])
    env.close()
    return measured(floors, np.array(won, np.bool_), np.array(hp, np.int64))


def table(rows: Sequence[Row], markdown: bool = False) -> str:
    """Success by level and in all, and HP over the optimum, as a text."""
    levels = [str(level) for level, _ in rows[0].found]
    head = ["policy", *(f"level {level}" for level in levels), "won", "HP/optimum"]
    lines = [
        [
            row.name,
            *(f"{one.best_success:.2f}" for _, one in row.found),
            f"{row.success:.3f}",
            f"{row.score:.3f}",
        ]
        for row in rows
    ]
    if markdown:
        rule = ["---", *["--:"] * (len(head) - 1)]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *lines))
    widths = [max(len(line[i]) for line in (head, *lines)) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (head, *lines)
    )
