"""numba, with its disk cache where there is one.

Importing this module imports numba; `mt_gym.solver` does it on the first search.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import event, types
from numba.extending import intrinsic

from mt_gym.engine import rules

Function = TypeVar("Function", bound=Callable[..., Any])
_said: set[str] = set()


def _say(text: str) -> None:
    """One line on stderr, once a process."""
    if text not in _said:
        _said.add(text)
        print(f"mt-gym: {text}", file=sys.stderr, flush=True)


def _stamp(folder: Path) -> str:
    """What compiled code depends on: the rules and the sources of its package.

    numba itself looks only at the file of the function and would go on using code
    compiled with the old version of a function that it calls.
    """
    here = Path(__file__).parent
    files = [Path(str(rules.__file__)), *sorted(here.glob("*.py"))]
    if folder != here:
        files += sorted(folder.glob("*.py"))
    text = [
        f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files
    ]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


_stamps: dict[Path, str] = {}


def compiled(function: Function, **options: Any) -> Function:
    """Compile a function on its first call, from the disk cache if possible.

    Args:
        function: what to compile.
        options: of `numba.njit`.  `error_model="numpy"` leaves divisions unchecked,
            so that loops of them can use vector instructions.
    """
    try:
        found: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError as error:
        if "cache" not in str(error):
            raise
        _say("no folder for compiled code can be written; compiling in every process")
        found = numba.njit(**options)(function)
    else:
        folder = Path(function.__code__.co_filename).parent
        if folder not in _stamps:
            _stamps[folder] = _stamp(folder)
        found._cache._cache_file._source_stamp = _stamps[folder]
    return cast(Function, found)


def inlined(function: Function) -> Function:
    """`compiled`, and copied into every caller: no call hands over many arrays."""
    return compiled(function, forceinline=True)


_PARTS = (
    ("mt_gym.envs.batch.", "the batch environment"),
    ("mt_gym.solver.tower.", "the search of towers"),
    ("mt_gym.solver.", "the solver"),
)
"""What is compiled, by where its functions are; the rules are part of each."""


class _Announce(event.Listener):
    """Says that something is being compiled, before it takes its seconds."""

    def on_start(self, event: Any) -> None:
        module = str(event.data["dispatcher"].py_func.__module__)
        for room, what in _PARTS:
            if module.startswith(room):
                _say(f"compiling {what} for this machine; that takes some seconds")
                return

    def on_end(self, event: Any) -> None:
        return


event.register("numba:compile", _Announce())  # type: ignore[no-untyped-call]


def _lowest(typing_context: object, word: Any) -> Any:
    def build(context: object, builder: Any, signature: object, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


def _popcount(typing_context: object, word: Any) -> Any:
    def build(context: object, builder: Any, signature: object, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


def _borrowed(typing_context: object, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def borrow(of: Any, what: Any) -> Any:
            if isinstance(of, types.BaseTuple):
                for place, item in enumerate(cast(Any, of)):
                    field = builder.extract_value(what, place)
                    field = borrow(item, field)
                    what = builder.insert_value(what, field, place)
                return what
            if not isinstance(of, types.Array):
                return what
            array = context.make_array(of)(context, builder, what)
            array.meminfo = array.meminfo.type(None)
            return array._getvalue()

        return borrow(signature.args[0], args[0])

    return value(value), build


borrowed = cast(Callable[[Any], Any], intrinsic(_borrowed))
"""An array, or a tuple of arrays, whose owners are not counted; in compiled code only.

Counting costs an atomic instruction at each use.  Whoever called must keep the arrays.
"""

lowest = cast(Callable[[int], int], intrinsic(_lowest))
"""Number of the lowest set bit of an int64 that is not 0; in compiled code only."""

popcount = cast(Callable[[int], int], intrinsic(_popcount))
"""How many bits of an int64 are set; in compiled code only."""
