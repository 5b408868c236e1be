"""`generate`: one certified floor as a file, or a pool of them as a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mt_gym.cli.progress import counting
from mt_gym.cli.words import Interrupted, console, counted
from mt_gym.errors import MtGymError


def generate(
    level: Annotated[int, typer.Option("--level", help="1 to 10.")] = 1,
    size: Annotated[
        int | None, typer.Option("--size", help="Gateways; the level's by default.")
    ] = None,
    floors: Annotated[
        str, typer.Option("--set", help="train, validation or test.")
    ] = "train",
    index: Annotated[
        int | None, typer.Option("--index", help="Number of the floor in its set.")
    ] = None,
    count: Annotated[
        int | None, typer.Option("--count", help="Floors of a pool, from number 0.")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="A pool of the whole set.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The file, or a pool's folder; else stdout."),
    ] = None,
    apart_from: Annotated[
        list[Path] | None,
        typer.Option("--apart-from", metavar="POOL", help="Must hold no twin of them."),
    ] = None,
) -> None:
    """Draw floors that are proved to be winnable and to fit their level."""
    from mt_gym.generator.generate import generate as drawn
    from mt_gym.generator.pools import read_pool, unfinished, write_pool

    pool = count is not None or whole
    if not pool:
        if apart_from:
            raise MtGymError("--apart-from goes with --count or --all")
        text = drawn(level, size, floors=floors, index=index or 0).to_toml()
        if out is None:
            sys.stdout.write(text)
        else:
            out.write_text(text, encoding="utf-8")
            console().print(f"Written: {out}")
        return
    if out is None or index is not None or (whole and count is not None):
        raise MtGymError(
            "a pool needs --out FOLDER and one of --count N and --all, and no --index"
        )
    others = [read_pool(folder) for folder in apart_from or []]
    try:
        with counting("floors") as progress:
            made = write_pool(
                out,
                level=level,
                size=size,
                floors=floors,
                count=count,
                apart_from=others,
                progress=progress,
            )
    except KeyboardInterrupt as error:
        raise Interrupted(
            f"interrupted; {counted(unfinished(out), 'floor')} kept in {out}: the same "
            "command goes on"
        ) from error
    console().print(
        f"{out}: {counted(len(made), 'floor')} of level {made.level} with {made.size} "
        f"gateways, set {made.floors}"
    )
