"""One process at a time: a lock on a file, which the system frees with the process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from mt_gym.errors import MtGymError

if sys.platform == "win32":
    import msvcrt

    def _take(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of a file; its content does not matter.

    Args:
        path: the file, made if it is not there.
        what: is locked, for the error.

    Raises:
        MtGymError: another process, or another part of this one, holds it.
    """
    with path.open("ab") as file:
        try:
            _take(file)
        except OSError as error:
            raise MtGymError(
                f"{what} is in use by another run; wait for its end or take another "
                "label"
            ) from error
        yield
