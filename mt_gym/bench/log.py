"""Writing a run's folder: `run.json`, texts, one file of JSON lines per episode.

An episode is written row by row to a `.part` file that gets its name when it has
ended.  Finished episodes are never overwritten; one that its server or its budget
ended keeps its log beside them, and is played again by a resumed run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from mt_gym.bench.episode import EXCLUDED, LOG_FORMAT
from mt_gym.bench.lock import locked
from mt_gym.bench.question import Row
from mt_gym.bench.read import FINISHED, read_run
from mt_gym.bench.texts import TEXTS_FILE, TextWriter, write_all
from mt_gym.errors import MtGymError, PolicyError

RUN_FILE: Final = "run.json"
TABLE_FILE: Final = "table.json"
LOCK_FILE: Final = ".lock"
_HARMLESS: Final = (LOCK_FILE, RUN_FILE + ".new")
"""Files that a run leaves behind that was stopped before it began."""


class RunFolder:
    """A folder that one process writes a run to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts: TextWriter | None = None

    @classmethod
    @contextmanager
    def opened(
        cls, path: Path, settings: Mapping[str, Any], resume: bool
    ) -> Iterator[RunFolder]:
        """Begin a run, or go on with one.

        Args:
            path: the folder; parents are made.
            settings: everything that the run depends on, for `run.json`.
            resume: whether a run of exactly these settings may be there already.

        Raises:
            MtGymError: the folder is in use, holds something else, or cannot be
                written.
        """
        folder = cls(path)
        about = json.loads(json.dumps({"format": LOG_FORMAT, **settings}))
        with ExitStack() as stack:
            with _writing(path):
                path.mkdir(parents=True, exist_ok=True)
                what = f"the run folder {str(path)!r}"
                stack.enter_context(locked(path / LOCK_FILE, what))
                folder._begin(about, resume)
                folder._texts = TextWriter(path / TEXTS_FILE)
                stack.callback(folder._texts.close)
            yield folder

    def _begin(self, about: dict[str, Any], resume: bool) -> None:
        held = sorted(p.name for p in self.path.iterdir() if p.name not in _HARMLESS)
        if RUN_FILE in held and resume:
            check_same(read_run(self.path), about, str(self.path))
            # It is about fewer episodes than there may be in a moment.
            (self.path / TABLE_FILE).unlink(missing_ok=True)
            self._keep_cut_episodes()
        elif held:
            raise MtGymError(
                f"the run folder {str(self.path)!r} is not empty and is never "
                "overwritten; take another label or folder"
                + (
                    ", or resume the run that it holds (--resume)"
                    if RUN_FILE in held and "game" not in about
                    else ""
                )
            )
        else:
            text = json.dumps(about, indent=2) + "\n"
            self._replace(RUN_FILE, text)

    def finished(self) -> dict[int, Path]:
        """The files of the finished episodes by number."""
        return finished_episodes(self.path)

    def episode(self, number: int) -> EpisodeLog:
        """The log of an episode that begins now.

        Raises:
            MtGymError: it cannot be written, or is there already.
        """
        assert self._texts is not None
        return EpisodeLog(self.path, number, self._texts)

    def write_table(self, table: Mapping[str, Any]) -> None:
        """Store the figures of the run; they follow from the logs."""
        with _writing(self.path):
            self._replace(TABLE_FILE, json.dumps(table, indent=2) + "\n")

    def _replace(self, name: str, text: str) -> None:
        new = self.path / f"{name}.new"
        new.write_text(text, encoding="utf-8")
        os.replace(new, self.path / name)

    def _keep_cut_episodes(self) -> None:
        """Name what an interruption left.

        It is neither lost nor taken for a finished episode.
        """
        for part in sorted(self.path.glob("episode-*.part")):
            number = part.stem.partition("-")[2]
            if not number.isdecimal():
                continue  # none that a run has written
            part.rename(_free_name(self.path, int(number), "cut"))


class EpisodeLog:
    """One episode's file while it is played.

    Args:
        folder: of the run.
        number: of the episode.
        texts: takes the long texts.
    """

    def __init__(self, folder: Path, number: int, texts: TextWriter) -> None:
        self._folder, self._number, self._texts = folder, number, texts
        self._final = folder / episode_file(number)
        if self._final.exists():
            raise MtGymError(f"{str(self._final)!r} exists and is not overwritten")
        self._part = self._final.with_suffix(".part")
        self._hash = hashlib.blake2b(digest_size=16)
        with _writing(folder):
            self._file: BinaryIO = self._part.open("xb", buffering=0)

    def add(self, row: Row) -> None:
        """Append a row; after the end the file has its name.

        Raises:
            PolicyError: a trace holds something that is no JSON value.
            MtGymError: it cannot be written.
        """
        ended = row["row"] == "end"
        if ended:
            row = {**row, "log": self._hash.hexdigest()}
        with _writing(self._folder):
            line = self._line(row)
            self._hash.update(line)
            write_all(self._file, line)
            if ended:
                self._file.close()
                self._part.rename(self._name_of(row["outcome"]))

    def _line(self, row: Row) -> bytes:
        try:
            packed = self._texts.packed(row)
            return json.dumps(packed, allow_nan=False).encode() + b"\n"
        except PolicyError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise PolicyError(
                f"episode {self._number} cannot be stored, Decision.trace takes JSON "
                f"values only: {error}"
            ) from error

    def _name_of(self, outcome: str) -> Path:
        if outcome in EXCLUDED:
            return _free_name(self._folder, self._number, "failed")
        return self._final

    def close(self) -> None:
        """Close the file, whether the episode has ended or not."""
        self._file.close()


def episode_file(episode: int) -> str:
    """Name of a finished episode's file."""
    return f"episode-{episode:05d}.jsonl"


def finished_episodes(path: Path) -> dict[int, Path]:
    """The files of the finished episodes in a run's folder, by number, in order."""
    found = ((FINISHED.fullmatch(file.name), file) for file in path.iterdir())
    numbered = {int(match[1]): file for match, file in found if match}
    return dict(sorted(numbered.items()))


def failed_episodes(path: Path) -> dict[int, Path]:
    """The last log of each episode that a server or a budget ended, by number."""
    pattern = re.compile(r"episode-(\d+)\.failed-(\d+)\.jsonl")
    found = [(pattern.fullmatch(file.name), file) for file in path.iterdir()]
    numbered = sorted((int(m[1]), int(m[2]), file) for m, file in found if m)
    return {number: file for number, _, file in numbered}


def check_same(stored: Mapping[str, Any], about: Mapping[str, Any], path: str) -> None:
    """Refuse to go on with a run under other settings.

    Raises:
        MtGymError: with the first setting that differs.
    """
    for where, before, now in _differences(dict(stored), dict(about), ""):
        raise MtGymError(
            f"the run in {path!r} cannot be resumed, {where} differs: it was begun "
            f"with {before!r}, now it is {now!r}"
        )


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn a failure to write into one clear error."""
    try:
        yield
    except OSError as error:
        raise MtGymError(
            f"the run folder cannot be written: {error.strerror or error} "
            f"({error.filename or path}); episodes that were finished are kept"
        ) from error


def _differences(one: Any, other: Any, where: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            place = f"{where}.{key}" if where else key
            yield from _differences(one.get(key), other.get(key), place)
    elif one != other:
        yield where, one, other


def _free_name(folder: Path, number: int, what: str) -> Path:
    stem = episode_file(number).removesuffix(".jsonl")
    attempt = 1
    while (name := folder / f"{stem}.{what}-{attempt}.jsonl").exists():
        attempt += 1
    return name
