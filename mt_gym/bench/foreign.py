"""A foreign solver of the text map format, run on the same maps.

It is called as `PROGRAM MAP`.  It has solved a map if it ends with exit code 0 within
the time limit and prints a whole number: the last one is its final HP, one below 1
says that the goal cannot be reached.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mt_gym.engine.formats.text_write import dumps
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

ANSWERED, NOT_SAYABLE, FAILED = "answered", "not in the format", "failed"
TOO_SLOW, NO_ANSWER = "too slow", "no answer"
_NUMBER: Final = re.compile(rb"(?<![\w.])[-+]?\d{1,18}(?![\w.]*\d)")


@dataclass(frozen=True, slots=True)
class Foreign:
    """What a foreign solver did with one map.

    Attributes:
        outcome: `answered`, `not in the format` (the map cannot be written in it; the
            program did not run), `failed` (exit code, or it could not be started),
            `too slow`, or `no answer` (no whole number in its output).
        seconds: wall time, the start of the program included; only of an answer.
        hp: the final HP that it claims, None if it says that there is no way.
    """

    outcome: str
    seconds: float | None = None
    hp: int | None = None


def run_foreign(
    program: Path, tower: Tower, time_limit: float | None = None
) -> Foreign:
    """Let a foreign solver search a tower."""
    data = tower.data
    placed = {place.kind for floor in data.floors for _, place in floor.legend}
    kinds = tuple(kind for kind in data.kinds if kind.name in placed)
    try:
        text = dumps(replace(data, kinds=kinds, about=""))
    except MtGymError:
        return Foreign(NOT_SAYABLE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.txt"
        path.write_text(text, encoding="utf-8")
        start = time.perf_counter()
        try:
            done = subprocess.run(
                [str(program.resolve()), str(path)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=time_limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Foreign(TOO_SLOW)
        except OSError:
            return Foreign(FAILED)
        seconds = time.perf_counter() - start
    if done.returncode:
        return Foreign(FAILED)
    numbers = _NUMBER.findall(done.stdout)
    if not numbers:
        return Foreign(NO_ANSWER)
    hp = int(numbers[-1])
    return Foreign(ANSWERED, seconds, hp if hp > 0 else None)
