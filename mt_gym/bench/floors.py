"""Generated floors by the hundred: each verified, with the figures of its profile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from statistics import median

from mt_gym.errors import MtGymError
from mt_gym.generator.certify import check_certificate
from mt_gym.generator.generate import NODE_LIMIT, generate
from mt_gym.generator.levels import LEVELS, level_of
from mt_gym.generator.profile import Profile

FIGURES = tuple(one.name for one in fields(Profile))


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """What was measured of the floors of one level.

    Attributes:
        level: its number; profiles: of its floors.
        optima: of its floors, replayed and, where it was asked for, proved again.
        seconds: processor time of each floor's making.
    """

    level: int
    profiles: tuple[Profile, ...]
    optima: tuple[int, ...]
    seconds: tuple[float, ...]

    def middle(self, name: str) -> float:
        """Median of a figure of the profiles."""
        return float(median(getattr(one, name) for one in self.profiles))


def bench_floors(
    count: int,
    levels: Sequence[int] | None = None,
    *,
    floors: str = "train",
    prove: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[LevelFigures]:
    """Generate and verify floors, a level at a time.

    Args:
        count: floors in all, as equally over the levels as can be, the first ones
            getting one more.
        levels: numbers; all by default.
        floors: the set they are of.
        prove: also prove each optimum again.
        progress: called with floors done and wanted.

    Raises:
        MtGymError: a count below the number of levels, or a floor that does not hold
            what its certificate says.
    """
    chosen = [level_of(number).number for number in levels or LEVELS]
    if count < len(chosen):
        raise MtGymError(f"count must be at least {len(chosen)}, one floor a level")
    done = 0
    for place, level in enumerate(chosen):
        share = count // len(chosen) + (place < count % len(chosen))
        profiles, optima, seconds = [], [], []
        for index in range(share):
            began = time.process_time()
            tower = generate(level, floors=floors, index=index)
            seconds.append(time.process_time() - began)
            limit = 10 * NODE_LIMIT
            optima.append(check_certificate(tower, prove=prove, node_limit=limit))
            assert tower.certificate is not None
            profiles.append(Profile(**dict(tower.certificate.profile)))
            done += 1
            if progress is not None:
                progress(done, count)
        yield LevelFigures(level, tuple(profiles), tuple(optima), tuple(seconds))
