"""A word on stderr while an answer is long in coming.

On a terminal it is one line that counts the seconds and goes away; elsewhere it is a
line after ten seconds, twenty, forty, and so on.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Final, TextIO

PATIENCE: Final = 10.0
"""Seconds before the first line where stderr is no terminal."""

_CLEAR: Final = "\r\x1b[K"


class Waiting:
    """Says what is waited for; `begin` and `end` are called around each wait.

    Args:
        patience: seconds before the first word.
        out: where it is said; stderr by default.
    """

    def __init__(self, patience: float = PATIENCE, out: TextIO | None = None) -> None:
        self._out = sys.stderr if out is None else out
        self._live = self._out.isatty()
        self._patience = min(patience, 1.0) if self._live else patience
        self._changed = threading.Condition()
        self._what = ""
        self._since = self._next = 0.0
        self._over = False
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Begin to watch the time."""
        self._thread.start()

    def stop(self) -> None:
        """Take the line away; may be called once."""
        self.end()
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join()

    def begin(self, what: str) -> None:
        """Wait for something from now on."""
        with self._changed:
            self._what, self._since = what, time.monotonic()
            self._next = self._patience
            self._changed.notify()

    def end(self) -> None:
        """It is here: nothing is waited for."""
        with self._changed:
            if self._live and self._what and self._next > self._patience:
                self._write(_CLEAR)
            self._what = ""

    def _watch(self) -> None:
        with self._changed:
            while not self._over:
                waited = time.monotonic() - self._since
                if not self._what:
                    self._changed.wait()
                elif waited < self._next:
                    self._changed.wait(self._next - waited)
                else:
                    self._say(waited)

    def _say(self, waited: float) -> None:
        if self._live:
            self._write(f"{_CLEAR}{self._what}, {waited:.0f} s")
            self._next += 1
        else:
            self._write(f"{self._what}, {waited:.0f} s so far\n")
            self._next *= 2

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
