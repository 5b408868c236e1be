"""A space of texts that vector environments carry unharmed.

gymnasium's own Text space knows neither blanks nor arrows, and its shared memory
returns filler.  Texts travel here as UTF-8 with their length in front.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from multiprocessing.sharedctypes import SynchronizedArray
from typing import Any, Final, overload

import numpy as np
from gymnasium.spaces import Space
from gymnasium.vector.utils.shared_memory import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)
from numpy.typing import NDArray

from mt_gym.errors import MtGymError

_HEADER: Final = 4
"""Bytes of the length in front of each text."""

_SAMPLE: Final = "".join(chr(code) for code in range(32, 127)) + "\n→×≥–"
_SAMPLE_LENGTH: Final = 200


class TextSpace(Space[str]):
    """Every text of at most `max_length` characters.

    Args:
        max_length: characters, at least 1.
        seed: of `sample`, which returns short texts of printable characters.
    """

    def __init__(
        self, max_length: int, seed: int | np.random.Generator | None = None
    ) -> None:
        if max_length < 1:
            raise MtGymError(f"max_length must be at least 1, got {max_length}")
        self.max_length = int(max_length)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: a text has no fixed shape."""
        return False

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text that is short enough."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A random text; masks mean nothing here and are refused."""
        if mask is not None or probability is not None:
            raise MtGymError("a TextSpace samples without mask and probability")
        length = int(self.np_random.integers(min(self.max_length, _SAMPLE_LENGTH) + 1))
        picks = self.np_random.integers(len(_SAMPLE), size=length)
        return "".join(_SAMPLE[pick] for pick in picks)

    def __repr__(self) -> str:
        return f"TextSpace({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace) and self.max_length == other.max_length

    def __hash__(self) -> int:
        return hash(("TextSpace", self.max_length))

    @property
    def slot(self) -> int:
        """Bytes that one text of this space takes in shared memory."""
        return _HEADER + 4 * self.max_length


class SharedTexts(Sequence[str]):
    """The texts in a shared memory, decoded when they are asked for.

    A deep copy, which is what an `AsyncVectorEnv` hands out, is a tuple of str.
    """

    def __init__(self, data: NDArray[np.uint8], slot: int) -> None:
        self._data, self._slot = data, slot

    def __len__(self) -> int:
        return len(self._data) // self._slot

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        if not -len(self) <= index < len(self):
            raise IndexError(f"text {index} of {len(self)}")
        start = index % len(self) * self._slot
        head = self._data[start : start + _HEADER]
        size = int(head.view("<u4")[0])
        start += _HEADER
        return self._data[start : start + size].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SharedTexts | tuple | list):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"SharedTexts({tuple(self)!r})"

    def __deepcopy__(self, memo: object) -> tuple[str, ...]:
        return tuple(self)


def _create(
    space: TextSpace, n: int = 1, ctx: Any = multiprocessing
) -> SynchronizedArray[Any]:
    shared: SynchronizedArray[Any] = ctx.Array("B", n * space.slot)
    return shared


def _read(
    space: TextSpace, shared_memory: SynchronizedArray[Any], n: int = 1
) -> SharedTexts:
    return SharedTexts(_bytes_of(shared_memory), space.slot)


def _write(
    space: TextSpace, index: int, value: str, shared_memory: SynchronizedArray[Any]
) -> None:
    if value not in space:
        raise MtGymError(
            f"a text of {len(value)} characters does not fit {space!r} in shared memory"
        )
    data = value.encode("utf-8")
    cells = _bytes_of(shared_memory)
    start = index * space.slot
    cells[start : start + _HEADER].view("<u4")[0] = len(data)
    start += _HEADER
    cells[start : start + len(data)] = np.frombuffer(data, np.uint8)


def _bytes_of(shared: SynchronizedArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(shared.get_obj(), np.uint8)  # type: ignore[call-overload, no-any-return]


create_shared_memory.register(TextSpace, _create)
read_from_shared_memory.register(TextSpace, _read)  # type: ignore[arg-type]
write_to_shared_memory.register(TextSpace, _write)
