"""The network that scores actions, in plain numpy.

Every row of the features goes through the same weights, so that the order and the
number of a floor's actions do not matter.  `mt_gym.lab` trains the same network.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mt_gym.errors import PolicyError
from mt_gym.observation.columns import ANNOTATION_COLUMNS
from mt_gym.observation.features import (
    FEATURE_COLUMNS,
    HERO_COLUMNS,
    feature_columns,
)

Array = NDArray[np.float32]

FORMAT: Final = 1
_CLOSED: Final = np.float32(-1e9)
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError)
"""What a damaged archive raises, beside errors of values."""

_BASE: Final = tuple(column.name for column in FEATURE_COLUMNS)
PRESENT: Final = _BASE.index("present")
COLUMNS: Final = (*_BASE, *(column.name for column in ANNOTATION_COLUMNS))
"""Columns that a network can read: the base columns and those of annotations."""


def annotations_of(columns: Sequence[str]) -> frozenset[str]:
    """The annotations whose columns a network needs."""
    return frozenset(
        column.annotations[0] for column in ANNOTATION_COLUMNS if column.name in columns
    )


def places(columns: Sequence[str]) -> list[int]:
    """Where a network's columns are in features with its annotations."""
    shown = [column.name for column in feature_columns(annotations_of(columns))]
    return [shown.index(name) for name in columns]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a network looks like.

    Attributes:
        columns: names of the columns of `objects` that it reads.
        hero: how many numbers of the hero it reads.
        width: of its layers.
        attention: blocks in which every object looks at every other.
        rows: 0 for the same weights on every row, which fits any floor; else the
            number of rows of the one floor whose actions it knows by their index.
    """

    columns: tuple[str, ...] = COLUMNS
    hero: int = len(HERO_COLUMNS)
    width: int = 64
    attention: int = 1
    rows: int = 0

    def layers(self) -> dict[str, tuple[int, int]]:
        """Inputs and outputs of every linear layer, by name."""
        w = self.width
        if self.rows:
            inputs = self.rows * len(self.columns) + self.hero
            return {
                "flat.0": (inputs, w),
                "flat.1": (w, w),
                "flat.2": (w, self.rows),
                "value.0": (inputs, w),
                "value.1": (w, w),
                "value.2": (w, 1),
            }
        found = {"row.0": (len(self.columns) + self.hero, w), "row.1": (w, w)}
        for block in range(self.attention):
            found |= {
                f"look.{block}.query": (w, w),
                f"look.{block}.key": (w, w),
                f"look.{block}.value": (w, w),
                f"look.{block}.0": (w, 2 * w),
                f"look.{block}.1": (2 * w, w),
            }
        return found | {
            "floor": (2 * w + self.hero, w),
            "score.0": (2 * w, w),
            "score.1": (w, 1),
            "value.0": (w, w),
            "value.1": (w, 1),
        }


class Network:
    """A trained network.

    Args:
        shape: its layers; weights: per layer `NAME.weight` (outputs, inputs) and
            `NAME.bias` (outputs,).
        about: how it was trained, for people.
    """

    def __init__(
        self, shape: Shape, weights: dict[str, Array], about: dict[str, Any]
    ) -> None:
        self.shape, self.about = shape, about
        for name, (inputs, outputs) in shape.layers().items():
            for part, size in (("weight", (outputs, inputs)), ("bias", (outputs,))):
                found = weights.get(f"{name}.{part}")
                if found is None or found.shape != size:
                    what = "missing" if found is None else f"of shape {found.shape}"
                    raise PolicyError(
                        f"the network's {name}.{part} is {what}; {size} is expected"
                    )
                if found.dtype.kind != "f" or not np.isfinite(found).all():
                    raise PolicyError(
                        f"the network's {name}.{part} holds what is no finite number"
                    )
        self.weights = {key: np.asarray(w, np.float32) for key, w in weights.items()}
        self._columns = places(shape.columns)

    def scores(self, hero: Array, objects: Array) -> Array:
        """Score of every action, (batch, rows).

        Args:
            hero: (batch, numbers); objects: (batch, rows, columns), as the features.
        """
        present = objects[:, :, PRESENT] > 0
        rows = objects[:, :, self._columns]
        batch, count, _ = rows.shape
        if self.shape.rows:
            return self._flat(hero, rows)
        same = np.broadcast_to(hero[:, None, :], (batch, count, hero.shape[1]))
        h = _relu(self._linear("row.0", np.concatenate([rows, same], axis=2)))
        h = _relu(self._linear("row.1", h))
        for block in range(self.shape.attention):
            h = self._look(f"look.{block}", h, present)
        here = present[:, :, None]
        number = np.maximum(1, present.sum(axis=1))[:, None]
        mean = (h * here).sum(axis=1) / number.astype(np.float32)
        most = np.where(here, h, 0).max(axis=1)
        floor = np.concatenate([mean, most, hero], axis=1)
        floor = _relu(self._linear("floor", floor))
        both = np.broadcast_to(floor[:, None, :], h.shape)
        z = _relu(self._linear("score.0", np.concatenate([h, both], axis=2)))
        found: Array = self._linear("score.1", z)[:, :, 0]
        return found

    def _flat(self, hero: Array, rows: Array) -> Array:
        batch, count, _ = rows.shape
        if count != self.shape.rows:
            raise PolicyError(
                f"this network knows a floor of {self.shape.rows} actions, not of "
                f"{count}"
            )
        h = np.concatenate([hero, rows.reshape(batch, -1)], axis=1)
        h = _relu(self._linear("flat.0", h))
        h = _relu(self._linear("flat.1", h))
        return self._linear("flat.2", h)

    def _linear(self, name: str, x: Array) -> Array:
        found: Array = x @ self.weights[f"{name}.weight"].T
        found += self.weights[f"{name}.bias"]
        return found

    def _look(self, name: str, h: Array, present: NDArray[np.bool_]) -> Array:
        query = self._linear(f"{name}.query", h)
        key = self._linear(f"{name}.key", h)
        match = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(h.shape[2]))
        match = np.where(present[:, None, :], match, _CLOSED)
        match = np.exp(match - match.max(axis=2, keepdims=True))
        share = match / match.sum(axis=2, keepdims=True)
        h = h + share @ self._linear(f"{name}.value", h)
        inner = _relu(self._linear(f"{name}.0", h))
        found: Array = h + self._linear(f"{name}.1", inner)
        return found

    def digest(self) -> str:
        """Hash of shape and weights, by which runs tell networks apart."""
        found = hashlib.sha256(json.dumps(asdict(self.shape)).encode())
        for name in sorted(self.weights):
            found.update(self.weights[name].astype("<f4").tobytes())
        return found.hexdigest()[:16]

    # -- files ---------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the network, its shape and what is known about it (`.npz`)."""
        head = {"format": FORMAT, "shape": asdict(self.shape), "about": self.about}
        arrays: dict[str, Any] = {k: self.weights[k] for k in sorted(self.weights)}
        np.savez_compressed(path, head=np.array(json.dumps(head)), **arrays)

    @classmethod
    def load(cls, path: str | Path) -> Network:
        """The network in a file.

        Raises:
            PolicyError: there is no such file, or it holds something else.
        """
        try:
            with open(path, "rb") as opened, np.load(opened) as file:
                weights = {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, TypeError, *_BROKEN) as error:
            raise PolicyError(f"{path}: no file with a network: {error}") from error
        try:
            head = json.loads(str(weights.pop("head")))
            shape = dict(head["shape"])
            shape["columns"] = tuple(shape["columns"])
            unknown = [name for name in shape["columns"] if name not in COLUMNS]
            if head["format"] != FORMAT or unknown:
                raise PolicyError(
                    f"a network of format {head['format']!r} that reads "
                    f"{unknown or 'known columns'}; format {FORMAT} is expected"
                )
            return cls(Shape(**shape), weights, dict(head["about"]))
        except PolicyError as error:
            raise PolicyError(f"{path}: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise PolicyError(f"{path}: no network: {error!r}") from error


def _relu(x: Array) -> Array:
    return np.maximum(x, 0, out=x)


def chances(scores: Array, mask: NDArray[np.int8], temperature: float = 1.0) -> Array:
    """Probabilities of the legal actions by their scores, along the last axis."""
    open_ = np.where(mask != 0, scores / np.float32(temperature), _CLOSED)
    open_ = np.exp(open_ - open_.max(axis=-1, keepdims=True)) * (mask != 0)
    found: Array = open_ / open_.sum(axis=-1, keepdims=True)
    return found
