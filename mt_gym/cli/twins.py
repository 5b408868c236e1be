"""Transformed floors as map files, for runs that ask whether a map was memorised."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mt_gym.engine.tower import Tower
from mt_gym.engine.transform import transformed

FOLDER = "maps"
"""Folder of the map files, beside the runs' folders."""


@contextmanager
def twin_of(tower: Tower, spec: str, run: Path | None) -> Iterator[tuple[Tower, str]]:
    """A transformed tower and the path of its map file.

    Args:
        tower: the floor.
        spec: see `engine.transform.transformed`.
        run: folder of the run; the file is kept beside it, or else removed.
    """
    twin = transformed(tower, spec)
    name = re.sub(r"[^\w.+-]", "-", twin.name) + ".toml"
    if run is not None:
        folder = run.resolve().parent / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        yield twin, _written(twin, folder / name)
        return
    with tempfile.TemporaryDirectory() as folder_name:
        yield twin, _written(twin, Path(folder_name) / name)


def _written(twin: Tower, file: Path) -> str:
    file.write_text(twin.to_toml(), encoding="utf-8")
    return str(file)
