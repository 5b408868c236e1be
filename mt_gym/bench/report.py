"""Reports: what runs measured, one row a run, for terminals, files and pictures."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from mt_gym.bench.analyse import Analysis, analyse
from mt_gym.bench.measures import figures
from mt_gym.bench.result import final_words
from mt_gym.bench.suites import runs_in
from mt_gym.bench.twins import TwinTable, twin_table
from mt_gym.errors import MtGymError

Value = str | int | float | None

COLUMNS: Final = (
    "run",
    "policy",
    "floor",
    "twin_of",
    "transform",
    "attribution",
    "episodes",
    "won",
    "rate",
    "low",
    "high",
    "not_counted",
    "hp_share",
    "final_hp",
    "final_atk",
    "final_def",
    "alive",
    "highest_floors",
    "gateways",
    "regret_share",
    "regret_interval",
    "goal_score",
    "optimal_decisions",
    "expected_regret",
    "turns",
    "decisions",
    "calls",
    "replayed_calls",
    "seconds_per_call",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "reasoning_tokens",
    "format_errors",
    "repairs",
    "fallbacks",
    "overrides",
    "strategic_overrides",
    "plans",
    "clean_plans",
    "new_per_plan",
    "broken_steps",
)
"""Columns of the CSV file; None where a measure does not apply or is not known."""

SHORT: Final[dict[str, str]] = {
    "run": "run",
    "policy": "policy",
    "floor": "floor",
    "attribution": "attribution",
    "success": "won",
    "interval": "95 % interval",
    "hp_share": "HP/optimum",
    "regret_share": "regret",
    "goal_score": "goal score",
    "optimal_decisions": "optimal",
    "calls": "calls",
    "assisted": "repairs/fallbacks/overrides",
    "not_counted": "not counted",
}
"""Columns of the short table, and how they are headed."""

TWINS: Final = "Twins side by side: goal score (won/episodes); gap: floor minus twins"
"""Heading of the table of floors and their transformed twins."""


@dataclass(frozen=True)
class Report:
    """Runs side by side.

    Attributes:
        analyses: of the runs, in the order in which they were named.
    """

    analyses: tuple[Analysis, ...]

    def rows(self) -> list[dict[str, Value]]:
        """One row a run, with the keys of `COLUMNS`."""
        return [row_of(one) for one in self.analyses]

    def table(self) -> str:
        """The short table as text, with notes and twins side by side below it."""
        lines = [*_aligned([list(SHORT.values()), *self._cells()]), *self.notes()]
        twins = self.twins.cells()
        if twins:
            lines += ["", TWINS, *_aligned(twins), *self.twins.notes]
        return "\n".join(lines)

    def markdown(self) -> str:
        """The short table in Markdown."""
        lines = _marked([list(SHORT.values()), *self._cells()])
        notes = [f"- {note}" for note in self.notes()]
        lines += ["", *notes] if notes else []
        twins = self.twins.cells()
        if twins:
            lines += ["", TWINS, "", *_marked(twins)]
            notes = [f"- {note}" for note in self.twins.notes]
            lines += ["", *notes] if notes else []
        return "\n".join(lines) + "\n"

    @cached_property
    def twins(self) -> TwinTable:
        """Floors and their transformed twins side by side."""
        return twin_table(
            [(one.run, [each.result for each in one.counted]) for one in self.analyses]
        )

    def csv(self) -> str:
        """All columns, one line a run."""
        file = io.StringIO()
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return file.getvalue()

    def notes(self) -> list[str]:
        """How far towers were climbed, where HP was given up, what lost the goal."""
        found = []
        for one in self.analyses:
            if len(one.run.tower.floors) > 1 and one.counted:
                found.append(f"{one.run.name}: {_climbed(one)}")
            if one.by_source:
                shares = ", ".join(f"{k} {v}" for k, v in one.by_source.items())
                found.append(f"{one.run.name}: HP given up in all, by source: {shares}")
            lost = one.lost_by().most_common(3)
            if lost:
                acts = ", ".join(f"{text} {count}x" for text, count in lost)
                found.append(f"{one.run.name}: the goal was lost by: {acts}")
        return found

    def write(self, folder: str | Path) -> list[Path]:
        """Write `report.md`, `report.csv` and the pictures into a folder.

        Raises:
            MtGymError: it cannot be written, or matplotlib is missing.
        """
        from mt_gym.bench.plots import success_plot, value_plot

        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
            texts = {"report.md": self.markdown(), "report.csv": self.csv()}
            for name, text in texts.items():
                (path / name).write_text(text, encoding="utf-8")
            success_plot(self.analyses, path / "success.png")
            written = [*(path / name for name in texts), path / "success.png"]
            if any(one.ledger for run in self.analyses for one in run.episodes):
                value_plot(self.analyses, path / "state-value.png")
                written.append(path / "state-value.png")
        except OSError as error:
            raise MtGymError(f"the report cannot be written: {error}") from error
        return written

    def _cells(self) -> list[list[str]]:
        return [
            [_shown(name, {**row, **_combined(row)}[name]) for name in SHORT]
            for row in self.rows()
        ]


def report(
    *paths: str | Path,
    solver: bool = True,
    node_limit: int | None = None,
    seconds: float | None = None,
) -> Report:
    """Measure stored runs.

    Args:
        paths: folders of runs, or folders of such folders.
        solver: whether to ask the exact solver; without it there are no regrets.
        node_limit: states that each search may expand.
        seconds: of all searches of a run together.

    Raises:
        MtGymError: no run, a damaged file, another version or tower.
    """
    if not paths:
        raise MtGymError("a report needs at least one run")
    runs = [run for path in paths for run in runs_in(path)]
    return Report(
        tuple(
            analyse(run, solver=solver, node_limit=node_limit, seconds=seconds)
            for run in runs
        )
    )


def row_of(one: Analysis) -> dict[str, Value]:
    """The row of a run."""
    found = figures(one.results)
    outcomes = found["outcomes"]
    count = found["episodes"]
    low, high = found["interval"]
    skipped = [f"{k} {outcomes[k]}" for k in ("infra_error", "budget") if k in outcomes]
    missing = int(one.run.about["episodes"]) - len(one.results)
    if missing:
        skipped.append(f"missing {missing}")
    fresh = found["calls"]
    seconds = sum(result.seconds for result in one.results)
    plans = one.plan_figures() or (None, None, None, None)
    return {
        "run": one.run.name,
        "policy": one.run.about["policy"],
        "floor": Path(one.run.about["tower"]).stem,
        "twin_of": one.run.about.get("twin_of"),
        "transform": one.run.about.get("transform"),
        "attribution": one.attribution,
        "episodes": count,
        "won": found["won"],
        "rate": found["won"] / count if count else None,
        "low": low,
        "high": high,
        "not_counted": ", ".join(skipped),
        "hp_share": found["hp_share"],
        **{key: found[key] for key in ("final_hp", "final_atk", "final_def", "alive")},
        "highest_floors": " ".join(
            f"{name}:{count}" for name, count in found["highest_floors"].items()
        ),
        "gateways": found["gateways"],
        "regret_share": one.regret_share(),
        "regret_interval": _interval(one.regret_bounds()),
        "goal_score": found["goal_score"],
        "optimal_decisions": one.optimal_share(),
        "expected_regret": one.expected_regret(),
        "turns": found["turns"],
        "decisions": found["decisions"],
        "calls": fresh,
        "replayed_calls": found["replayed"],
        "seconds_per_call": seconds / fresh if fresh else None,
        **{f"{kind}_tokens": count for kind, count in found["tokens"].items()},
        "format_errors": found["format_errors"],
        "repairs": found["repairs"],
        "fallbacks": found["fallbacks"],
        "overrides": found["overrides"],
        "strategic_overrides": sum(episode.strategic for episode in one.episodes),
        "plans": plans[0],
        "clean_plans": plans[1],
        "new_per_plan": plans[2],
        "broken_steps": plans[3],
    }


def _climbed(one: Analysis) -> str:
    """How far the episodes of a run on several floors came, in words."""
    told = figures(one.results)
    floors = [f"{name} {count}x" for name, count in told["highest_floors"].items()]
    return (
        f"highest floor {', '.join(floors)}; alive {told['alive']}/{told['episodes']}; "
        f"at the end HP, ATK, DEF {final_words(one.results)}; "
        f"gateways removed {told['gateways']:.1f}"
    )


def _combined(row: dict[str, Value]) -> dict[str, Value]:
    """Cells of the short table that are made of several columns."""
    regret = row["regret_share"]
    assisted = (row[name] for name in ("repairs", "fallbacks", "overrides"))
    return {
        "success": f"{row['won']}/{row['episodes']}",
        "interval": f"{_percent(row['low'])} to {_percent(row['high'])}",
        "regret_share": row["regret_interval"] if regret is None else regret,
        "assisted": "/".join(str(count) for count in assisted),
    }


def _interval(bounds: tuple[float, float | None] | None) -> str | None:
    """Least and greatest regret share in words; None where a point says it, or none."""
    if bounds is None or bounds[0] == bounds[1]:
        return None
    low, high = bounds
    return f"{low:.4f}+" if high is None else f"{low:.4f} to {high:.4f}"


def _percent(value: Any) -> str:
    return f"{100 * float(value):.0f}"


_FORMATS: Final[dict[str, Callable[[Any], str]]] = {
    "hp_share": lambda value: f"{value:.3f}",
    "regret_share": lambda value: value if isinstance(value, str) else f"{value:.4f}",
    "goal_score": lambda value: f"{value:.3f}",
    "optimal_decisions": lambda value: f"{100 * value:.1f} %",
}


def _shown(name: str, value: Value) -> str:
    if value is None:
        return "-"
    return _FORMATS.get(name, str)(value)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, every column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _marked(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as a Markdown table; the first is its heading."""
    whole = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return ["| " + " | ".join(map(_escaped, row)) + " |" for row in whole]


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


__all__: Sequence[str] = ["COLUMNS", "Report", "report", "row_of"]
