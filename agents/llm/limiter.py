"""How many requests are under way, and when the next one may go out.

One limiter an event loop: a 429 stops all of its requests for as long as the server
asks and halves how many run at a time; every success lets one more run again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """At most `limit` requests at a time, fewer after the server asked for less.

    Attributes:
        allowed: requests that may run at the same time now.
    """

    def __init__(self, limit: int) -> None:
        self._most = limit
        self.allowed = limit
        self._places = asyncio.Semaphore(limit)
        self._owed = 0  # places that are taken away as soon as they become free
        self._until = 0.0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place and for the end of a hold; keep the place meanwhile."""
        await self._places.acquire()
        while self._owed:  # this place is one of those taken away
            self._owed -= 1
            await self._places.acquire()
        try:
            while (wait := self._until - _now()) > 0:
                await asyncio.sleep(wait)
            yield
        finally:
            self._give_back()

    def hold(self, seconds: float) -> None:
        """The server asked for less: nothing goes out for so many seconds."""
        self._until = max(self._until, _now() + seconds)
        fewer = max(1, self.allowed // 2)
        self._owed += self.allowed - fewer
        self.allowed = fewer

    def ease(self) -> None:
        """A request got through: one more may run, up to the limit."""
        if self.allowed < self._most:
            self.allowed += 1
            self._give_back()

    def _give_back(self) -> None:
        if self._owed:
            self._owed -= 1
        else:
            self._places.release()


def _now() -> float:
    return asyncio.get_running_loop().time()
