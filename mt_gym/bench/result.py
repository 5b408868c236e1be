"""What a run gave, in Python and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from mt_gym.bench.measures import EpisodeResult, figures


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run gave.

    Attributes:
        policy: its name; `tower`: likewise.
        optimum: the certificate's final HP, None if the map has none.
        proved: whether that is proved to be the best; else it is the best known.
        episodes: every episode that was played, in order.
        folder: where they are stored, None if nowhere.
        wanted: episodes that the run is to have.
        floors: of the tower.
    """

    policy: str
    tower: str
    optimum: int | None
    episodes: tuple[EpisodeResult, ...]
    folder: Path | None = None
    wanted: int = 0
    floors: int = 1
    proved: bool = True

    @property
    def won(self) -> tuple[EpisodeResult, ...]:
        """The episodes that reached the goal."""
        return tuple(one for one in self.episodes if one.outcome == "won")

    @property
    def unfinished(self) -> int:
        """Episodes that are missing, or that a server or a budget ended."""
        counted = sum(one.counted for one in self.episodes)
        return max(self.wanted, len(self.episodes)) - counted

    def figures(self) -> dict[str, Any]:
        """The figures as JSON values; see `measures.figures`."""
        return figures(self.episodes)

    def summary(self) -> list[tuple[str, str]]:
        """The figures of the run: what, and how much, in words."""
        found = self.figures()
        low, high = found["interval"]
        outcomes = [f"{name} {count}" for name, count in found["outcomes"].items()]
        rows = [
            ("policy", self.policy),
            ("floor", self.tower),
            ("won", f"{found['won']}/{found['episodes']}"),
            ("95 % interval", f"{100 * low:.1f} % to {100 * high:.1f} %"),
            ("outcomes", ", ".join(outcomes)),
        ]
        if self.unfinished:
            rows.append(("not finished", f"{self.unfinished} (in no rate above)"))
        if found["final_hp"] is not None:
            claim = "optimum" if self.proved else "best known"
            best = "" if self.optimum is None else f" ({claim} {self.optimum})"
            rows.append(("final HP of wins, mean", f"{found['final_hp']:.1f}{best}"))
        if len(found["highest_floors"]) > 1 or self.floors > 1:
            floors = [
                f"{name} {count}" for name, count in found["highest_floors"].items()
            ]
            rows.append(("highest floors", ", ".join(floors)))
            rows.append(("alive at the end", str(found["alive"])))
            rows.append(("final HP, ATK, DEF, mean", final_words(self.episodes)))
            rows.append(("gateways removed, mean", f"{found['gateways']:.1f}"))
        if found["goal_score"] is not None:
            turns = f"{found['turns']:.1f} ({found['decisions']:.1f} decided)"
            rows.append(("goal score, mean", f"{found['goal_score']:.3f}"))
            rows.append(("turns, mean", turns))
        rows += _calls(found)
        if self.folder is not None:
            rows.append(("stored in", str(self.folder)))
        return rows

    def table(self) -> str:
        """The summary as a text of two columns."""
        rows = self.summary()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def final_words(episodes: Iterable[EpisodeResult]) -> str:
    """Mean HP, ATK and DEF at the end of the counted episodes, lost ones included."""
    ends = [{**one.hero, "hp": one.hp} for one in episodes if one.counted]
    return ", ".join(
        f"{fmean(end[key] for end in ends):.1f}" for key in ("hp", "atk", "def")
    )


def _calls(found: dict[str, Any]) -> list[tuple[str, str]]:
    """What a model took and what it got wrong; nothing for other policies."""
    rows = []
    if found["calls"] or found["replayed"]:
        stored = f" ({found['replayed']} more from the store)"
        rows.append(("calls", f"{found['calls']}{stored if found['replayed'] else ''}"))
        tokens = [f"{kind} {count:,}" for kind, count in found["tokens"].items()]
        rows.append(("tokens", ", ".join(tokens)))
    for name in ("format_errors", "repairs", "fallbacks", "overrides"):
        if found[name]:
            rows.append((name.replace("_", " "), str(found[name])))
    return rows
