"""Long texts of a run, stored once by their hash, compressed.

A text is a line `{"text": HASH, "z": ZLIB IN BASE64}` of one append-only file.  In the
rows it is an object with the single key `$text`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from mt_gym.errors import MtGymError, PolicyError

TEXTS_FILE: Final = "texts.jsonl"
MARK: Final = "$text"
LONG: Final = 200
"""Characters from which on a text is stored apart."""


class TextWriter:
    """Appends the texts that a run has not stored yet.

    Args:
        path: the file; what an interrupted write left at its end is removed.
    """

    def __init__(self, path: Path) -> None:
        known = read_texts(path, mend=True) if path.exists() else {}
        self._known = dict.fromkeys(known)
        self._file: BinaryIO = path.open("ab", buffering=0)

    def close(self) -> None:
        """Close the file; may be called again."""
        self._file.close()

    def packed(self, value: Any) -> Any:
        """The same JSON value with every long text replaced by its hash.

        Raises:
            PolicyError: a key that only replaced texts have.
        """
        if isinstance(value, str):
            return value if len(value) < LONG else {MARK: self._store(value)}
        if isinstance(value, Mapping):
            if MARK in value:
                raise PolicyError(f"Decision.trace must not use the key {MARK!r}")
            return {key: self.packed(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.packed(part) for part in value]
        return value

    def _store(self, text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        name = text_hash(data)
        if name not in self._known:
            coded = base64.b64encode(zlib.compress(data)).decode("ascii")
            write_all(self._file, f'{{"text": "{name}", "z": "{coded}"}}\n'.encode())
            self._known[name] = None
        return name


def unpacked(value: Any, texts: Mapping[str, str]) -> Any:
    """The JSON value that `packed` replaced the texts of.

    Raises:
        MtGymError: a text is missing.
    """
    if isinstance(value, dict):
        if MARK in value:
            if value[MARK] not in texts:
                raise MtGymError(f"the text {value[MARK]!r} is not in {TEXTS_FILE}")
            return texts[value[MARK]]
        return {key: unpacked(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [unpacked(part, texts) for part in value]
    return value


def read_texts(path: Path, mend: bool = False) -> dict[str, str]:
    """Every stored text by its hash.

    A last line without its end belongs to a write that was cut short, and no finished
    episode needs it: it is left out, and removed with `mend`.

    Raises:
        MtGymError: a line that is none, or a text that has another hash.
    """
    data = path.read_bytes()
    whole, newline, torn = data.rpartition(b"\n")
    if torn and mend:
        with path.open("r+b") as file:
            file.truncate(len(whole) + len(newline))
    texts: dict[str, str] = {}
    for number, line in enumerate(whole.split(b"\n") if newline else (), start=1):
        try:
            entry = json.loads(line)
            text = zlib.decompress(base64.b64decode(entry["z"], validate=True))
            name = entry["text"]
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise MtGymError(
                f"{path}: line {number}: no stored text: {error}"
            ) from None
        if text_hash(text) != name:
            raise MtGymError(f"{path}: line {number}: the text was changed")
        texts[name] = text.decode("utf-8", "surrogatepass")
    return texts


def text_hash(data: bytes | str) -> str:
    """The hash that a text is stored by."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write everything to an unbuffered file.

    Raises:
        OSError: it cannot be written.
    """
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
