"""`serve-policy` and `serve-model`: endpoints for language-model clients."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from mt_gym.agents.registry import make_policy
from mt_gym.cli.words import console
from mt_gym.errors import MtGymError

Host = Annotated[str, typer.Option("--host", help="The address to listen at.")]
Port = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="0 for a free one.")
]


def serve_policy(
    policy: Annotated[
        str,
        typer.Argument(metavar="POLICY", help="As for run --policy, but no model."),
    ],
    port: Port = 0,
    host: Host = "127.0.0.1",
    misbehave: Annotated[
        str | None,
        typer.Option(
            "--misbehave",
            metavar="KIND,KIND,...",
            help="What happens to each request in turn; `list` names every kind.",
        ),
    ] = None,
    cycle: Annotated[
        bool, typer.Option("--cycle", help="Begin the list again after its end.")
    ] = False,
    retry_after: Annotated[
        float, typer.Option("--retry-after", min=0, help="Seconds a 429 asks for.")
    ] = 1.0,
    delay: Annotated[
        float, typer.Option("--delay", min=0, help="Seconds a slow answer is late.")
    ] = 1.0,
) -> None:
    """Serve a policy as an OpenAI-compatible model, to try `run --policy llm` on."""
    from mt_gym.agents.llm.misbehave import MISBEHAVIOURS, Script
    from mt_gym.agents.llm.server import PolicyServer

    out = console()
    if misbehave == "list":
        for name, about in MISBEHAVIOURS.items():
            out.print(f"{name:<16} {about}")
        return
    if policy.partition(":")[0] in ("llm", "person"):
        raise MtGymError(f"{policy!r} cannot be served: take a policy without waiting")
    kinds = [] if misbehave is None else misbehave.split(",")
    server = PolicyServer(
        make_policy(policy),
        host=host,
        port=port,
        script=Script(kinds, cycle),
        retry_after=retry_after,
        delay=delay,
    )

    async def serve() -> None:
        try:
            await server.start()
            out.print(
                f"{policy} at {server.base_url}; stop with Ctrl-C.\nTry it: mt-gym run "
                f"simple --policy llm --base-url {server.base_url} --model {policy}"
            )
            await server.forever()
        finally:
            await server.close()

    _until_interrupted(serve)


def serve_model(
    gguf: Annotated[
        Path | None,
        typer.Argument(metavar="[GGUF]", help="A model's file; else the embedded one."),
    ] = None,
    port: Port = 0,
    host: Host = "127.0.0.1",
    context: Annotated[
        int, typer.Option("--context", min=256, help="Tokens of a request and answer.")
    ] = 8192,
    parallel: Annotated[
        int, typer.Option("--parallel", min=1, help="Requests at a time.")
    ] = 1,
) -> None:
    """Serve a small model from its file, on the CPU, as an OpenAI-compatible one."""
    from mt_gym.agents.llm.models import serve_model as serve

    served = serve(gguf, port=port, host=host, context=context, parallel=parallel)
    console().print(
        f"{served.name} at {served.base_url}; stop with Ctrl-C.\nTry it: mt-gym run "
        f"simple --policy llm --base-url {served.base_url} --model {served.name}"
    )

    async def wait() -> None:
        await asyncio.Event().wait()

    _until_interrupted(wait)


def _until_interrupted(job: Callable[[], Awaitable[None]]) -> None:
    """Run a coroutine function until Ctrl-C or a request to terminate."""

    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        with contextlib.suppress(NotImplementedError):  # no signals on this platform
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await job()

    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(main())
