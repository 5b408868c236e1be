"""The checkpoint with which a training by PPO goes on."""

from __future__ import annotations

import zipfile
from typing import Final

from sb3_contrib import MaskablePPO

from mt_gym.errors import MtGymError
from mt_gym.lab.folder import TrainFolder

MODEL: Final = "model.zip"
_BROKEN: Final = (
    OSError,
    zipfile.BadZipFile,
    ValueError,
    LookupError,
    RuntimeError,
    AssertionError,  # of sb3: nothing in the archive
)


def checkpoint(folder: TrainFolder) -> MaskablePPO | None:
    """The model that a folder's training goes on with; None if it is to begin.

    Args:
        folder: of the training.

    Raises:
        MtGymError: the checkpoint is missing or damaged.
    """
    file = folder.file(MODEL)
    if file is None or not folder.resumed:
        return None
    if not file.is_file():
        if folder.looks:
            raise MtGymError(f"there is no {str(file)!r}, with which to go on")
        return None
    try:
        with zipfile.ZipFile(file) as archive:
            damaged = archive.testzip() is not None
        model = None if damaged else MaskablePPO.load(file, device="cpu")
    except _BROKEN as error:
        raise MtGymError(f"{str(file)!r} is no checkpoint: {error}") from error
    if model is None:
        raise MtGymError(f"{str(file)!r} is no checkpoint: it is damaged")
    return model
