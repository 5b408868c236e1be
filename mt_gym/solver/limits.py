"""Limits of a search: states, seconds, bytes, and Ctrl-C."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

from mt_gym.errors import MtGymError
from mt_gym.solver.solution import Progress, Report

_UNITS = {"": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}
_MEMORY = re.compile(r"(\d+)\s*(|[KMG]iB)", re.IGNORECASE)
_REPORT_SECONDS = 0.25


def parse_memory(limit: int | str) -> int:
    """Bytes of a limit such as `"4GiB"`, `"500 MiB"` or a number.

    Raises:
        MtGymError: it is no amount of memory above 0.
    """
    match = _MEMORY.fullmatch(str(limit).strip())
    if isinstance(limit, bool) or match is None or int(match[1]) == 0:
        raise MtGymError(
            "memory_limit must be above 0: a number of bytes or a text such as "
            f"'500MiB' or '4GiB'; got {limit!r}"
        )
    return int(match[1]) * _UNITS[match[2].upper()]


@dataclass(slots=True)
class Budget:
    """What is left of the limits of one call; several searches may share it."""

    nodes: int | None
    seconds: float | None
    memory: int
    report: Report | None = None
    expanded: int = 0
    started: float = field(default_factory=time.perf_counter)
    reported: float = 0.0

    @classmethod
    def of(
        cls,
        node_limit: int | None,
        time_limit: float | None,
        memory_limit: int | str,
        progress: Report | None = None,
    ) -> Budget:
        """Check the limits.

        Raises:
            MtGymError: a limit that is not above 0.
        """
        if node_limit is not None and (
            isinstance(node_limit, bool)
            or not isinstance(node_limit, int)
            or node_limit < 1
        ):
            raise MtGymError(
                f"node_limit must be None or an integer >= 1, got {node_limit!r}"
            )
        if time_limit is not None and (
            isinstance(time_limit, bool)
            or not isinstance(time_limit, int | float)
            or not time_limit > 0
        ):
            raise MtGymError(
                f"time_limit must be None or seconds above 0, got {time_limit!r}"
            )
        return cls(node_limit, time_limit, parse_memory(memory_limit), progress)

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.started

    def slice(self, most: int) -> int:
        """States that may be expanded before the limits are looked at again."""
        if self.nodes is None:
            return most
        return max(0, min(most, self.nodes - self.expanded))

    def spent(self) -> bool:
        """Whether the node or the time limit is reached."""
        if self.nodes is not None and self.expanded >= self.nodes:
            return True
        return self.seconds is not None and self.elapsed >= self.seconds

    def wants_report(self) -> bool:
        """Whether somebody waits for a progress report."""
        return (
            self.report is not None and self.elapsed - self.reported > _REPORT_SECONDS
        )

    def tell(self, stored: int, bound: int | None, best: int | None) -> None:
        """Report progress."""
        if self.report is not None:
            self.reported = self.elapsed
            self.report(Progress(self.expanded, stored, bound, best, self.reported))
