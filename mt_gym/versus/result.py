"""What a match gave, in Python and as tables; a stored match from its logs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mt_gym.bench.log import finished_episodes
from mt_gym.bench.read import Run
from mt_gym.errors import MtGymError
from mt_gym.versus.game import GameResult
from mt_gym.versus.ratings import Cell, Rating, bradley_terry, win_matrix


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match gave.

    Attributes:
        mode: a name out of `MODES`; tower: the map's name.
        labels: the players, in the order given.
        games: every game, in order.
        notes: what has to be known about the figures.
        folder: where the games are stored, None if nowhere.
    """

    mode: str
    tower: str
    labels: tuple[str, ...]
    games: tuple[GameResult, ...]
    notes: tuple[str, ...] = ()
    folder: Path | None = None

    def matrix(self) -> list[list[Cell | None]]:
        """Row against column; see `ratings.win_matrix`."""
        return win_matrix(self.labels, self.games)

    def ratings(self) -> tuple[Rating, ...]:
        """Bradley-Terry ratings, best first."""
        return bradley_terry(self.labels, self.games)

    def figures(self) -> dict[str, Any]:
        """Matrix and ratings as JSON values."""
        pairs = {
            row: {
                column: {"won": cell.won, "drawn": cell.drawn, "lost": cell.lost}
                for column, cell in zip(self.labels, cells, strict=True)
                if cell is not None
            }
            for row, cells in zip(self.labels, self.matrix(), strict=True)
        }
        ratings = {one.label: [one.points, one.margin] for one in self.ratings()}
        return {"games": len(self.games), "pairs": pairs, "ratings": ratings}

    def table(self) -> str:
        """Matrix, ratings and means as text."""
        count = len(self.games)
        lines = [
            f"{self.mode} on {self.tower}, {count} game{'' if count == 1 else 's'}"
        ]
        if len(self.labels) > 1:
            lines += ["", "games won of the row against the column (drawn, lost)"]
            lines.append("with the 95 % interval of the share won")
            lines += ["", *self._matrix_lines(), "", *self._rating_lines()]
        lines += ["", *self._mean_lines()]
        if self.notes:
            lines += ["", *(f"Note: {note}." for note in self.notes)]
        if self.folder is not None:
            lines += ["", f"stored in {self.folder}"]
        return "\n".join(lines)

    def _matrix_lines(self) -> list[str]:
        cells = [[_cell_text(cell) for cell in row] for row in self.matrix()]
        first = max(len(label) for label in self.labels)
        widths = [
            max(len(label), *(len(row[i]) for row in cells))
            for i, label in enumerate(self.labels)
        ]
        head = "  ".join(f"{x:>{w}}" for x, w in zip(self.labels, widths, strict=True))
        rows = [
            f"{label:<{first}}  "
            + "  ".join(f"{x:>{w}}" for x, w in zip(row, widths, strict=True))
            for label, row in zip(self.labels, cells, strict=True)
        ]
        return [f"{'':<{first}}  {head}", *(row.rstrip() for row in rows)]

    def _rating_lines(self) -> list[str]:
        width = max(len(label) for label in self.labels)
        return [
            "Bradley-Terry rating (400 points are odds of 10 to 1), 95 % interval",
            "",
            *(
                f"{one.label:<{width}}  {one.points:+6.0f} ± {one.margin:.0f}"
                for one in self.ratings()
            ),
        ]

    def _mean_lines(self) -> list[str]:
        width = max(len(label) for label in self.labels)
        found = [f"{'':<{width}}  goal score  final HP  turns  (means)"]
        for label in self.labels:
            own = [
                (game.goal_score[seat], game.hp[seat], game.turns[seat])
                for game in self.games
                for seat, player in enumerate(game.players)
                if player == label
            ]
            score, hp, turns = (sum(part) / len(own) for part in zip(*own, strict=True))
            found.append(f"{label:<{width}}  {score:>10.3f}  {hp:>8.1f}  {turns:>5.1f}")
        return found


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    if not cell.games:
        return "none"
    low, high = cell.interval
    return (
        f"{cell.won} ({cell.drawn}, {cell.lost}) "
        f"{100 * cell.won / cell.games:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
    )


def read_match(path: str | Path) -> MatchResult:
    """The result of a stored match, from its logs alone.

    Raises:
        MtGymError: the folder holds no match, or a log that is cut or changed.
    """
    run = Run.of(path, match=True)
    if "game" not in run.about:
        raise MtGymError(f"{str(path)!r} holds the run of one policy, no match")
    rows = [run.rows(file)[-1] for file in finished_episodes(run.path).values()]
    return MatchResult(
        run.about["game"],
        run.tower.name,
        tuple(run.about["players"]),
        tuple(GameResult.of(row) for row in rows),
        tuple(run.about["notes"]),
        run.path,
    )
