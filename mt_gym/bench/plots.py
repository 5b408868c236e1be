"""Pictures of runs: success with intervals, and state value along episodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mt_gym.bench.analyse import Analysis
from mt_gym.bench.measures import figures
from mt_gym.errors import MtGymError


def _figure(width: float, height: float) -> Any:
    """A figure that no window and no global state belongs to."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MtGymError(
            "pictures need matplotlib: pip install 'mt-gym[render]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")


def success_plot(analyses: Sequence[Analysis], path: str | Path) -> None:
    """Draw the success rate of each run with its Wilson interval.

    Raises:
        MtGymError: matplotlib is missing.
    """
    figure = _figure(6.4, 1.2 + 0.4 * len(analyses))
    axes = figure.subplots()
    names = []
    for place, one in enumerate(analyses):
        found = figures(one.results)
        count, won = found["episodes"], found["won"]
        low, high = found["interval"]
        floor = Path(one.run.about["tower"]).stem
        names.append(f"{one.run.about['policy']} on {floor} ({one.run.name})")
        axes.plot([low, high], [place, place], color="tab:blue", linewidth=2)
        if count:
            axes.plot([won / count], [place], "o", color="tab:blue")
        axes.annotate(
            f"{won}/{count}", (high, place), (6, -3), textcoords="offset points"
        )
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(-0.02, 1.2)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("success rate, 95 % Wilson interval")
    figure.savefig(path, dpi=120)


def value_plot(analyses: Sequence[Analysis], path: str | Path) -> None:
    """Draw the best final HP that is still reachable, along each episode.

    Where a value is only bounded the area between its bounds is drawn.

    Raises:
        MtGymError: matplotlib is missing.
    """
    figure = _figure(6.4, 4.0)
    axes = figure.subplots()
    for number, one in enumerate(analyses):
        colour = f"C{number % 10}"
        label: str | None = f"{one.run.about['policy']} ({one.run.name})"
        for episode in one.episodes:
            if episode.ledger is None:
                continue
            curve = episode.ledger.curve
            lows = [worth.low for worth in curve]
            turns = range(len(lows))
            alpha = max(0.15, 1 / len(one.episodes) ** 0.5)
            axes.step(turns, lows, where="post", color=colour, alpha=alpha, label=label)
            if not episode.ledger.exact:
                highs = [float("nan") if w.high is None else w.high for w in curve]
                axes.fill_between(turns, lows, highs, color=colour, alpha=0.15)
            label = None
    axes.set_xlabel("completed turns")
    axes.set_ylabel("best final HP still reachable (0: the goal is lost)")
    axes.legend(loc="best", fontsize="small")
    figure.savefig(path, dpi=120)
