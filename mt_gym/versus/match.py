"""Games between policies: who meets whom, how often, and the tables of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from mt_gym.agents.policy import Policy, checked_policy
from mt_gym.bench.log import RunFolder
from mt_gym.bench.question import Row
from mt_gym.bench.setup import source_of
from mt_gym.engine.load import load
from mt_gym.errors import MtGymError, PolicyError
from mt_gym.versus.duel import DuelEnv
from mt_gym.versus.game import (
    ALONE,
    GameResult,
    Seated,
    check_seat,
    play_duel,
    play_race,
)
from mt_gym.versus.race import MAX_PLAYERS, RaceEnv
from mt_gym.versus.result import MatchResult, read_match

__all__ = ["MODES", "MatchResult", "play_match", "read_match"]

MODES: Final = ("duel", "race")
"""Games, the default first."""


def play_match(
    tower: str,
    policies: Sequence[Policy],
    *,
    mode: str = "duel",
    games: int = 1,
    swap_sides: bool = False,
    seed: int = 0,
    out: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    watch: Callable[[Row], None] | None = None,
) -> MatchResult:
    """Let policies play against each other.

    Args:
        tower: a shipped map's name, or the path of a map file.
        policies: in a duel each meets each other one; a race has all of them at once.
        mode: a name out of `MODES`.
        games: of each pair, or races.
        swap_sides: the players of a pair move first in turn, both times with the same
            seeds; in a race the seats rotate.  `games` must then be a multiple of the
            number of seats.
        seed: of the first game.
        out: a new folder for the logs; None stores nothing.
        settings: keywords of the game.
        watch: called with each row as it happens.

    Raises:
        MtGymError: a wrong number, keyword or value, or a folder in use.
        PolicyError: a policy breaks its contract; finished games are stored.

    >>> from mt_gym.agents import make_policy
    >>> pair = [make_policy("heuristic"), make_policy("random")]
    >>> len(play_match("simple", pair, games=2, swap_sides=True).games)
    2
    """
    keywords = dict(settings or {})
    labels = _labels(policies)
    seats = _check(mode, policies, games, swap_sides, seed)
    for policy in policies:
        check_seat(policy, keywords)
    table = _Table(tower, mode, keywords)
    results: list[GameResult] = []
    with ExitStack() as stack:
        folder = None
        if out is not None:
            about = _about(tower, labels, policies, mode, games, swap_sides, seed)
            about["environment"] = {"game": mode, "keywords": keywords}
            folder = stack.enter_context(
                RunFolder.opened(Path(out), about, resume=False)
            )
        for number, (places, game_seed) in enumerate(
            _schedule(len(policies), seats, games, swap_sides, seed), start=1
        ):
            seated = [
                Seated(labels[p], policies[p], game_seed * len(policies) + p)
                for p in places
            ]
            rows = table.rows(seated, number, game_seed)
            results.append(_played(rows, number, folder, watch))
        result = MatchResult(
            mode,
            table.name,
            labels,
            tuple(results),
            _notes(mode, policies, swap_sides),
            None if folder is None else folder.path,
        )
        if folder is not None:
            folder.write_table(result.figures())
    return result


def _notes(mode: str, policies: Sequence[Policy], swap_sides: bool) -> tuple[str, ...]:
    """What has to be known about the figures of a match."""
    notes = []
    if mode == "duel" and any(policy.name == "solver" for policy in policies):
        notes.append(ALONE)
    if mode == "duel" and not swap_sides:
        notes.append("the first of a pair always moved first (no --swap-sides)")
    return tuple(notes)


def _check(
    mode: str, policies: Sequence[Policy], games: int, swap_sides: bool, seed: int
) -> int:
    """Players of a game; refuses what cannot be played."""
    if mode not in MODES:
        raise MtGymError(f"mode={mode!r} is unknown (allowed: {', '.join(MODES)})")
    for name, value, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise MtGymError(f"{name} must be an integer >= {least}, got {value!r}")
    count = len(policies)
    if mode == "duel" and count < 2:
        raise MtGymError(f"a duel needs two players or more, got {count}")
    if not 1 <= count <= MAX_PLAYERS and mode == "race":
        raise MtGymError(f"a race has 1 to {MAX_PLAYERS} players, got {count}")
    seats = 2 if mode == "duel" else count
    if swap_sides and games % seats:
        raise MtGymError(
            f"games={games}: to swap sides fairly, a multiple of {seats} is needed"
        )
    for policy in policies:
        checked_policy(policy, "the given object")
    return seats


def _labels(policies: Sequence[Policy]) -> tuple[str, ...]:
    """The policies' names, numbered where one is there several times."""
    names = [policy.name for policy in policies]
    return tuple(
        name if names.count(name) == 1 else f"{name}#{names[: i + 1].count(name)}"
        for i, name in enumerate(names)
    )


def _schedule(
    players: int, seats: int, games: int, swap_sides: bool, seed: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Which players sit where, and the seed, game by game."""
    for group in combinations(range(players), seats):
        for number in range(games):
            if not swap_sides:
                yield group, seed + number
                continue
            turn = number % seats
            yield group[turn:] + group[:turn], seed + number // seats


class _Table:
    """Makes the game environments of a match, each kind once."""

    def __init__(self, tower: str, mode: str, keywords: Mapping[str, Any]) -> None:
        self.name = load(tower).name
        self._tower, self._mode = tower, mode
        self._keywords = {**keywords, "info_level": "full"}
        self._made: dict[tuple[str | None, ...], DuelEnv | RaceEnv] = {}

    def rows(self, seated: Sequence[Seated], number: int, seed: int) -> Iterator[Row]:
        """The rows of a game."""
        wishes = tuple(
            None if one.policy.observation == "features" else one.policy.observation
            for one in seated
        )
        game = self._made.get(wishes)
        if game is None:
            game = self._made[wishes] = self._make(wishes)
        try:
            if isinstance(game, DuelEnv):
                yield from play_duel(game, seated, number, seed)
            else:
                yield from play_race(game, seated, number, seed)
        except PolicyError as error:
            raise PolicyError(f"game {number}: {error}") from error

    def _make(self, wishes: tuple[str | None, ...]) -> DuelEnv | RaceEnv:
        keywords = {"observation": list(wishes), **self._keywords}
        if self._mode == "duel":
            return DuelEnv(self._tower, **keywords)
        keywords.setdefault("on_illegal", "penalise")
        return RaceEnv(self._tower, len(wishes), **keywords)


def _played(
    rows: Iterator[Row],
    number: int,
    folder: RunFolder | None,
    watch: Callable[[Row], None] | None,
) -> GameResult:
    with ExitStack() as stack:
        log = None
        if folder is not None:
            log = folder.episode(number)
            stack.callback(log.close)
        for row in rows:
            if log is not None:
                log.add(row)
            if watch is not None:
                watch(row)
    return GameResult.of(row)


def _about(
    tower: str,
    labels: Sequence[str],
    policies: Sequence[Policy],
    mode: str,
    games: int,
    swap_sides: bool,
    seed: int,
) -> dict[str, Any]:
    """What `run.json` says of a match, besides its environment."""
    describe = [getattr(policy, "describe", None) for policy in policies]
    return {
        "game": mode,
        "policy": ", ".join(labels),
        "players": {
            label: about() if callable(about) else {}
            for label, about in zip(labels, describe, strict=True)
        },
        "tower": source_of(tower),
        "digest": load(tower).digest,
        "episodes": games,
        "seed": seed,
        "swap_sides": swap_sides,
        "notes": list(_notes(mode, policies, swap_sides)),
    }
