"""Limits of a search: states, seconds, bytes, and Ctrl-C."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field
from typing import Final

from mt_gym.errors import MtGymError
from mt_gym.solver.solution import Progress, Report

_UNITS = {"": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}
_MEMORY = re.compile(r"(\d+)\s*(|[KMGT]iB)", re.IGNORECASE)
LEAST_MEMORY: Final = 1 << 20
MOST_MEMORY: Final = 64 << 40
_REPORT_SECONDS = 0.25


def parse_memory(limit: int | str) -> int:
    """Bytes of a limit such as `"4GiB"`, `"500 MiB"` or a number.

    Raises:
        MtGymError: it is no amount of memory from 1 MiB to 64 TiB.
    """
    shown = repr(limit)[:50] if isinstance(limit, str) else ""
    if isinstance(limit, int) and not isinstance(limit, bool):
        size = limit
        shown = str(size) if abs(size) < 10**30 else "a number of over 30 digits"
        unit = " bytes"
    else:
        match = _MEMORY.fullmatch(limit.strip()) if isinstance(limit, str) else None
        if match is None:
            raise MtGymError(
                "memory_limit must be a whole number of bytes, or a text with a unit "
                "(KiB, MiB, GiB or TiB) such as '500MiB' or '4GiB'; got "
                f"{shown or repr(limit)}"
            )
        size = int(match[1][:30]) * _UNITS[match[2].upper()]
        unit = "" if match[2] else " (bytes: no unit is given)"
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise MtGymError(
            "memory_limit must be from 1MiB to 64TiB (4GiB by default); got "
            f"{shown}{unit}"
        )
    return size


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
            or not 0 < time_limit < math.inf
        ):
            raise MtGymError(
                "time_limit must be None or a finite number of seconds above 0, got "
                f"{time_limit!r}"
            )
        return cls(node_limit, time_limit, parse_memory(memory_limit), progress)

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.started

    def part(self, parts: int) -> Budget:
        """A budget with one of so many equal parts of what is left."""
        nodes, seconds = self.nodes, self.seconds
        if nodes is not None:
            nodes = max(0, nodes - self.expanded) // parts
        if seconds is not None:
            seconds = max(0.0, seconds - self.elapsed) / parts
        return Budget(nodes, seconds, self.memory, self.report)

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
