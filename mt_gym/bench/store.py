"""The call store: answers of models by the hash of what was asked, in one file.

A study that was run with a store runs again without a network; the answers that come
from it are marked, and counted apart.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from mt_gym.errors import EndpointError, MtGymError

STORE_FORMAT: Final = 1


class SqliteCallStore:
    """Calls in an sqlite file, which several processes may use at a time.

    Args:
        path: the file, made if it is not there.
        offline: whether a call that is not stored is an error, and no request.

    Raises:
        MtGymError: the file cannot be opened, or is something else.
    """

    def __init__(self, path: str | Path, *, offline: bool = False) -> None:
        self.path = Path(path)
        self.offline = offline
        if offline and not self.path.is_file():
            raise MtGymError(f"there is no call store {str(self.path)!r}")
        with self._guarded():
            # The loop may run in another thread than the one that made the store.
            self._base = sqlite3.connect(
                self.path, check_same_thread=False, isolation_level=None
            )
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._prepare()

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The stored call of a key, None if there is none.

        Raises:
            EndpointError: there is none, and the store is offline.
            MtGymError: the file cannot be read.
        """
        with self._guarded():
            row = self._base.execute(
                "SELECT call FROM calls WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            if self.offline:
                raise EndpointError(
                    f"the call store {str(self.path)!r} holds no answer to this "
                    "request, and no other is asked (offline)"
                )
            return None
        try:
            call = json.loads(zlib.decompress(row[0]))
        except (zlib.error, ValueError) as error:
            raise MtGymError(
                f"the call store {str(self.path)!r} is damaged at {key}: {error}"
            ) from error
        if not isinstance(call, dict):
            raise MtGymError(f"the call store {str(self.path)!r} is damaged at {key}")
        return call

    def put(self, key: str, call: Mapping[str, Any]) -> None:
        """Store a call; the first one of a key stays.

        Raises:
            MtGymError: the file cannot be written.
        """
        data = zlib.compress(json.dumps(call, sort_keys=True).encode())
        with self._guarded():
            self._base.execute(
                "INSERT OR IGNORE INTO calls (key, call) VALUES (?, ?)", (key, data)
            )

    def __len__(self) -> int:
        with self._guarded():
            (count,) = self._base.execute("SELECT count(*) FROM calls").fetchone()
        return int(count)

    def close(self) -> None:
        """Close the file; may be called again."""
        self._base.close()

    def __enter__(self) -> SqliteCallStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _prepare(self) -> None:
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS calls "
                "(key TEXT PRIMARY KEY, call BLOB NOT NULL) WITHOUT ROWID"
            )
            self._base.execute(f"PRAGMA user_version = {STORE_FORMAT}")
        elif version != STORE_FORMAT:
            self._base.close()
            raise MtGymError(
                f"{str(self.path)!r} is no call store of this version (its format is "
                f"{version}, this version reads {STORE_FORMAT})"
            )

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise MtGymError(
                f"the call store {str(self.path)!r} cannot be used: {error}"
            ) from error
