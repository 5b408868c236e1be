"""Action indices of a batch: compiled code reads them without looking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mt_gym.errors import IllegalAction


def action_indices(actions: Any, copies: int, width: int) -> NDArray[np.int64]:
    """An action index for every copy.

    Args:
        actions: (copies,) integers from 0 to `width` - 1.

    Raises:
        IllegalAction: they are something else.
    """
    try:
        chosen = np.asarray(actions)
    except ValueError:  # lists of unequal lengths
        chosen = np.empty(0)
    if chosen.shape != (copies,) or chosen.dtype.kind not in "iu":
        raise IllegalAction(f"{copies} action indices are expected, got {actions!r}")
    outside = (chosen < 0) | (chosen >= width)
    if outside.any():
        raise IllegalAction(
            f"{int(chosen[outside][0])} is no action index: an integer from 0 to "
            f"{width - 1} is expected"
        )
    return chosen.astype(np.int64)
