"""Reading a run's folder: its settings, and its episodes as rows."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.policy import Env
from mt_gym.bench.episode import LOG_FORMAT
from mt_gym.bench.question import Row
from mt_gym.bench.rows import check_row
from mt_gym.bench.setup import stored_environment
from mt_gym.bench.texts import TEXTS_FILE, read_texts, unpacked
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError, StateMismatch

FINISHED: Final = re.compile(r"episode-(\d+)\.jsonl")

SETTINGS: Final[Mapping[str, type]] = {
    "tower": str,
    "digest": str,
    "policy": str,
    "episodes": int,
    "seed": int,
    "environment": dict,
}
"""What `run.json` must say."""


@dataclass(frozen=True)
class Run:
    """A stored run.

    Attributes:
        path: its folder.
        about: what `run.json` says.
    """

    path: Path
    about: Mapping[str, Any]

    @classmethod
    def of(cls, path: str | Path, *, match: bool = False) -> Run:
        """The run in a folder.

        Args:
            path: the folder.
            match: whether it may hold games of several players.

        Raises:
            MtGymError: see `read_run`; or the folder holds such games.
        """
        about = read_run(Path(path))
        if "game" in about and not match:
            raise MtGymError(
                f"{str(path)!r} holds games of several players: 'mt-gym replay' plays "
                "them again, and their table was printed by 'mt-gym versus'"
            )
        return cls(Path(path), about)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.resolve().name

    @cached_property
    def tower(self) -> Tower:
        """The tower that was played.

        Raises:
            StateMismatch: the map of that name has changed since.
        """
        tower = load(self.about["tower"])
        check_digest(tower, self.about["digest"], self.about["tower"])
        return tower

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every long text by its hash."""
        file = self.path / TEXTS_FILE
        return read_texts(file) if file.exists() else {}

    def environment(self) -> Env:
        """A new environment of the run's kind.

        Raises:
            MtGymError: see `stored_environment`.
            StateMismatch: its map has changed since.
        """
        where = str(self.path / "run.json")
        env = stored_environment(self.about["environment"], where)
        tower: Tower = env.get_wrapper_attr("tower")
        check_digest(tower, self.about["digest"], self.about["tower"])
        return env

    def rows(self, file: Path) -> list[Row]:
        """The rows of one of its episodes, with their texts."""
        return read_episode(file, self.texts)


def check_digest(tower: Tower, digest: str, name: str) -> None:
    """Refuse another tower of the same name.

    Raises:
        StateMismatch: the hashes differ.
    """
    if digest != tower.digest:
        raise StateMismatch(
            f"the log is of another tower {name!r} (hash {digest}) than the one here "
            f"(hash {tower.digest}): the map has changed since"
        )


def read_run(path: Path) -> dict[str, Any]:
    """What `run.json` of a folder says.

    Raises:
        MtGymError: no such folder, no run in it, or a run of another format.
    """
    if not path.is_dir():
        raise MtGymError(f"there is no run folder {str(path)!r}")
    file = path / "run.json"
    if not file.is_file():
        raise MtGymError(f"{str(path)!r} is no run folder: it has no run.json")
    settings = _object(_text(file), str(file))
    _check_format(settings, str(file))
    for key, kind in SETTINGS.items():
        value = settings.get(key)
        if isinstance(value, bool) or not isinstance(value, kind):
            raise MtGymError(
                f"{str(file)!r} does not say {key!r}, or not as {kind.__name__}"
            )
    return settings


def read_episode(file: Path, texts: Mapping[str, str] | None = None) -> list[Row]:
    """The rows of a stored episode.

    Args:
        file: one of a run's folder.
        texts: the run's; read from beside the file by default.

    Raises:
        MtGymError: the file cannot be read, is cut, or is of another format.
    """
    if texts is None:
        beside = file.parent / TEXTS_FILE
        texts = read_texts(beside) if beside.exists() else {}
    rows = [
        unpacked(_object(line, f"{file}: line {number}"), texts)
        for number, line in enumerate(_text(file).splitlines(), start=1)
    ]
    kinds = [row.get("row") for row in rows]
    if kinds[:1] != ["start"]:
        raise MtGymError(f"{file}: line 1: no start of an episode")
    if kinds[-1] != "end":
        raise MtGymError(f"{file}: the episode is cut: its last line is no end")
    _check_format(rows[0], f"{file}: line 1")
    for number, row in enumerate(rows, start=1):
        check_row(row, f"{file}: line {number}", game="game" in rows[0])
    return rows


def log_hash(file: Path) -> str:
    """The hash of all lines of an episode but its last, which states it."""
    lines = file.read_bytes().splitlines(keepends=True)
    return hashlib.blake2b(b"".join(lines[:-1]), digest_size=16).hexdigest()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MtGymError(f"{str(file)!r} cannot be read: {error}") from error


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits
        raise MtGymError(f"{where}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise MtGymError(f"{where}: a JSON object is expected")
    return found


def _check_format(found: Mapping[str, Any], where: str) -> None:
    if found.get("format") != LOG_FORMAT:
        raise MtGymError(
            f"{where}: log format {found.get('format')!r}; this version reads "
            f"{LOG_FORMAT}"
        )
