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


def compiled(function: Function) -> Function:
    """Compile a function on its first call, from the disk cache if possible."""
    try:
        found: Any = numba.njit(cache=True)(function)
    except RuntimeError as error:
        if "cache" not in str(error):
            raise
        _say("no folder for compiled code can be written; compiling in every process")
        found = numba.njit(function)
    else:
        folder = Path(function.__code__.co_filename).parent
        if folder not in _stamps:
            _stamps[folder] = _stamp(folder)
        found._cache._cache_file._source_stamp = _stamps[folder]
    return cast(Function, found)


_PARTS = {
    "mt_gym.envs.batch": "the batch environment",
    "mt_gym.solver.tower": "the search of towers",
}
"""What is compiled, by the package of the function that is called first."""


class _Announce(event.Listener):
    """Says that something is being compiled, before it takes its seconds."""

    def on_start(self, event: Any) -> None:
        module = str(event.data["dispatcher"].py_func.__module__)
        if module.startswith("mt_gym."):
            room = module.rpartition(".")[0]
            what = _PARTS.get(room, "the solver")
            _say(f"compiling {what} for this machine; that takes some seconds")

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


lowest = cast(Callable[[int], int], intrinsic(_lowest))
"""Number of the lowest set bit of an int64 that is not 0; in compiled code only."""

popcount = cast(Callable[[int], int], intrinsic(_popcount))
"""How many bits of an int64 are set; in compiled code only."""
