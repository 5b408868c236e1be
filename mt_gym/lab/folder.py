"""The folder of a training: settings, looks, checkpoints.

`train.json` holds the settings with the seed, and what every look measured;
`final.npz` and `best.npz` are the networks, apart from each other, because the best
of many looks is chosen by what it is measured on.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.rl.network import Network
from mt_gym.errors import MtGymError

FORMAT: Final = 1
FINAL, BEST = "final", "best"
LONGER: Final = {"frames": "frames", "rounds": "round"}
"""Settings that may be another number when a training goes on, but none that it has
passed; and what a look calls that."""


class TrainFolder:
    """What a training leaves behind, written at every look.

    Args:
        path: of the folder; None to keep nothing.
        settings: JSON values that decide the training, the seed among them.
        resume: go on with what the folder holds.

    Raises:
        MtGymError: the folder holds a training and `resume` is not set, holds none
            and it is, or one with other settings.

    Attributes:
        looks: figures of every look so far, oldest first.
        best: of them, the one whose network is kept; None before the first.
    """

    def __init__(
        self, path: Path | None, settings: Mapping[str, Any], resume: bool = False
    ) -> None:
        self.path = path
        self.settings = dict(settings)
        self.looks: list[dict[str, Any]] = []
        self.best: dict[str, Any] | None = None
        self.resumed = resume
        self._before = 0.0
        self._began = time.process_time()
        if path is None:
            return
        file = path / "train.json"
        if resume:
            self._take(file)
        elif file.exists():
            raise MtGymError(
                f"{str(path)!r} holds a training already: go on with it (--resume), "
                "or name another folder (--out)"
            )
        path.mkdir(parents=True, exist_ok=True)
        self.write()

    def _take(self, file: Path) -> None:
        """Go on with what the folder holds."""
        try:
            stored: Any = json.loads(file.read_text(encoding="utf-8"))
            own = dict(stored["settings"])
            self.looks = list(stored["looks"])
            self.best = stored["best"]
            self._before = float(stored["seconds"])
        except FileNotFoundError as error:
            raise MtGymError(
                f"{str(file.parent)!r} holds no training that could go on"
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MtGymError(f"{str(file)!r} cannot be read: {error!r}") from error
        wanted = json.loads(json.dumps(self.settings))
        other = [
            f"{key} is {own.get(key)!r} and not {wanted.get(key)!r}"
            for key in sorted({*own, *wanted})
            if key not in LONGER and own.get(key) != wanted.get(key)
        ]
        for key, passed in LONGER.items():
            done = self.looks[-1].get(passed, 0) if self.looks else 0
            if wanted.get(key, done) < min(done, own.get(key, done)):
                raise MtGymError(
                    f"{str(file.parent)!r}: --{key} {wanted[key]} is less than the "
                    f"{done} that the training has already"
                )
        if other:
            raise MtGymError(
                f"{str(file.parent)!r} holds another training: {'; '.join(other)}; "
                "give --resume with the same options"
            )

    @property
    def seconds(self) -> float:
        """Processor time so far, that of resumed parts included."""
        return self._before + time.process_time() - self._began

    def file(self, name: str) -> Path | None:
        """Path of a file in the folder; None where nothing is kept."""
        return None if self.path is None else self.path / name

    def looked(self, row: dict[str, Any], network: Network) -> bool:
        """Note a look, and keep its network if it is the best so far.

        Returns:
            Whether it is.
        """
        row["seconds"] = round(self.seconds, 1)
        self.looks.append(row)
        better = self.best is None or _rank(row) > _rank(self.best)
        if better:
            self.best = row
            self.save(BEST, network)
        self.write()
        return better

    def save(self, name: str, network: Network) -> None:
        """Write a network into the folder, if there is one."""
        if self.path is not None:
            part = self.path / f"{name}.part.npz"
            network.save(part)
            os.replace(part, self.path / f"{name}.npz")

    def write(self) -> None:
        """Write `train.json`."""
        if self.path is None:
            return
        about = {
            "format": FORMAT,
            "versions": {name: version(name) for name in ("mt-gym", "numpy", "torch")},
            "settings": self.settings,
            "seconds": round(self.seconds, 1),
            FINAL: self.looks[-1] if self.looks else None,
            BEST: self.best,
            "looks": self.looks,
        }
        part = self.path / "train.json.part"
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        os.replace(part, self.path / "train.json")


def _rank(row: Mapping[str, Any]) -> tuple[float, float]:
    """HP over the optimum by the likeliest action, then success of sampling."""
    return row["argmax"]["hp_over_optimum"], row["sampled"]["success"]
