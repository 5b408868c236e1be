"""A run's figures as scalars for TensorBoard, one step an episode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mt_gym.bench.result import RunResult
from mt_gym.errors import MtGymError


def writer_class() -> Any:
    """What writes event files; to be asked for before a long run.

    Raises:
        MtGymError: tensorboard is missing.
    """
    try:
        from tensorboard.summary import Writer
    except ImportError as error:
        raise MtGymError(
            "scalars for TensorBoard need tensorboard: pip install tensorboard"
        ) from error
    return Writer


def write_scalars(result: RunResult, folder: str | Path) -> None:
    """Write the episodes of a run for TensorBoard.

    Args:
        result: of the run.
        folder: takes the event file.

    Raises:
        MtGymError: tensorboard is missing, or the folder cannot be written.
    """
    made = writer_class()
    try:
        writer = made(str(folder))
    except OSError as error:
        raise MtGymError(f"{str(folder)!r} cannot be written: {error}") from error
    counted = won = 0
    for one in result.episodes:
        scalars: dict[str, float] = {
            "turns": one.turns,
            "decisions": one.decisions,
            "calls": one.calls,
            "overrides": one.overrides,
        }
        if one.counted:
            counted += 1
            won += one.outcome == "won"
            scalars["success rate"] = won / counted
            scalars["goal score"] = one.goal_score or 0.0
            scalars["reward"] = one.reward
            if one.outcome == "won":
                scalars["final HP"] = one.hp
        for name, value in scalars.items():
            writer.add_scalar(f"{result.policy}/{name}", float(value), one.episode)
    writer.close()
