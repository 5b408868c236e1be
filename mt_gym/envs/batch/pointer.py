"""Arrays as bare pointers, for compiled functions that call each other.

A pointer is one machine word where an array is seven, and its items are read without
a test for negative places: many times faster for small functions.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic


def _pointer(typing_context: object, array: Any) -> Any:
    result: Any = types.CPointer(array.dtype)  # type: ignore[no-untyped-call]

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        made = context.make_array(kind)(context, builder, args[0])
        return made.data

    return result(array), build


pointer: Final[Any] = intrinsic(_pointer)
"""`pointer(array)`: to the first item of a contiguous array."""


def _eight(typing_context: object, at: Any, index: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        wide = builder.bitcast(place, ir.IntType(64).as_pointer())
        builder.store(args[2], wide, align=1)
        return context.get_dummy_value()

    return types.none(at, types.int64, types.int64), build


write_eight: Final[Any] = intrinsic(_eight)
"""`write_eight(bytes, at, word)`: the eight bytes of an int64, the lowest first."""


class Integers(Protocol):
    """A pointer to integers, as compiled functions see it."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...


class Reals(Protocol):
    """A pointer to 32-bit floats."""

    def __getitem__(self, at: int, /) -> Any: ...
    def __setitem__(self, at: int, value: Any, /) -> None: ...
