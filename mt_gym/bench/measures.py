"""What an episode's rows say about it: pure functions of the log.

An `EpisodeResult` counts what is in the rows; the figures of a run are sums and means
over them.  Measures that need the solver are in `ledger` and `analyse`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

from mt_gym.bench.budget import TOKENS
from mt_gym.bench.episode import EXCLUDED, OUTCOMES
from mt_gym.bench.question import Row
from mt_gym.bench.stats import wilson
from mt_gym.engine.kinds import HP
from mt_gym.engine.tower import Tower
from mt_gym.play.record import SOURCES


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """How an episode ended and what it took: its rows, counted.

    Attributes:
        episode: number in its run, from 1.
        seed: of the reset and of the player.
        outcome: one of `bench.episode.OUTCOMES`.
        hp: the hero's HP at the end; `hero`: his numbers then.
        highest_floor: the last floor, in the tower's order, that he has stood on.
        turns: executed turns, assists included; `decisions`: answers of the player.
        goal_score: 0 to 1; None where the outcome says nothing about the policy.
        reward: sum of the environment's rewards.
        start_hp: HP at the start; `reference_hp`: what counts as full marks, of the
            kind `reference` (`optimum`, `witness` or `scale`).
        error: why there was no answer; empty if there was one.
        sources: turns by who decided them.
        calls: answers that came from a server; `replayed`: those from a call store.
        format_errors: answers without a valid number; `repairs`, `fallbacks`:
            decisions that were repaired, or left to the heuristic.
        tokens: by kind, as far as servers stated them.
        seconds: all calls together.
        gateways: monsters defeated, doors and gates opened.
    """

    episode: int
    seed: int
    outcome: str
    hp: int
    hero: Mapping[str, int]
    highest_floor: str
    turns: int
    decisions: int
    goal_score: float | None
    reward: float
    start_hp: int
    reference_hp: int
    reference: str
    error: str
    sources: Mapping[str, int]
    calls: int
    replayed: int
    format_errors: int
    repairs: int
    fallbacks: int
    tokens: Mapping[str, int]
    seconds: float
    gateways: int = 0

    @property
    def counted(self) -> bool:
        """Whether the episode is part of rates."""
        return self.outcome not in EXCLUDED

    @property
    def overrides(self) -> int:
        """Turns in which another action was executed than the chosen one."""
        return self.sources.get("override", 0)

    @classmethod
    def of(cls, rows: Sequence[Row]) -> EpisodeResult:
        """The result of an episode's rows."""
        start, end = rows[0], rows[-1]
        known = {field.name for field in fields(cls)}
        taken = {key: value for key, value in end.items() if key in known}
        sources = Counter(row["source"] for row in rows if row["row"] == "turn")
        decided = [row for row in rows if row["row"] == "decision"]
        attempts = [one for row in decided for one in attempts_of(row)]
        fresh = [one for one in attempts if not one.get("replayed")]
        return cls(
            **{"error": "", **taken},
            start_hp=start["hp"],
            reference_hp=start["reference_hp"],
            reference=start["reference"],
            sources={name: sources[name] for name in SOURCES if name in sources},
            calls=len(fresh),
            replayed=len(attempts) - len(fresh),
            format_errors=sum(
                one["outcome"] != "ok" for one in attempts if "outcome" in one
            ),
            repairs=sum(row["source"] == "repair" for row in decided),
            fallbacks=sum(row["source"] == "fallback" for row in decided),
            tokens={
                kind: int(sum(_number(one.get("usage"), kind) for one in attempts))
                for kind in TOKENS
            },
            seconds=sum(_number(one, "seconds") for one in fresh),
            gateways=sum(_passes(row) for row in rows if row["row"] == "turn"),
        )


def _passes(turn: Row) -> bool:
    """Whether a turn removed a monster, a door or a gate; a lethal fight does not."""
    words = (turn["text"] or "").rpartition(":")[2].split()
    return (
        bool(words) and words[0] in ("fight", "open", "bomb") and turn["hp_after"] > 0
    )


def attempts_of(decision: Row) -> list[Mapping[str, Any]]:
    """The requests that a decision's trace tells of; [] for a policy without any."""
    found = decision["trace"].get("attempts", [])
    if not isinstance(found, list):
        return []
    return [one for one in found if isinstance(one, Mapping)]


def _number(found: Any, key: str) -> float:
    """What is counted under a key; 0 where a trace of another kind has none."""
    value = found.get(key) if isinstance(found, Mapping) else None
    return value if isinstance(value, int | float) else 0


def hp_scale(tower: Tower, start_hp: int) -> int:
    """Start HP plus all potions: what regrets are divided by."""
    total = start_hp
    for thing in tower.board.objects:
        if thing.kind.type == "item" and thing.actions:
            total += max(0, dict(thing.actions[0].row.gain).get(HP, 0))
    return total


def figures(results: Iterable[EpisodeResult]) -> dict[str, Any]:
    """The figures of a run, as JSON values; they follow from its logs alone.

    Rates and means are over the counted episodes; `episodes` says how many there are.
    """
    everything = sorted(results, key=lambda one: one.episode)
    counted = [one for one in everything if one.counted]
    won = [one for one in counted if one.outcome == "won"]
    low, high = wilson(len(won), len(counted))
    optima = [one for one in won if one.reference == "optimum"]
    sources: Counter[str] = Counter()
    for one in everything:
        sources.update(one.sources)

    def total(name: str) -> int:
        return sum(getattr(one, name) for one in everything)

    return {
        "episodes": len(counted),
        "won": len(won),
        "interval": [round(low, 6), round(high, 6)],
        "outcomes": _counted(one.outcome for one in everything),
        "hp_share": _mean(one.hp / one.reference_hp for one in optima),
        "final_hp": _mean(one.hp for one in won),
        "final_atk": _mean(one.hero["atk"] for one in counted),
        "final_def": _mean(one.hero["def"] for one in counted),
        "alive": sum(one.hp > 0 for one in counted),
        "highest_floors": dict(
            sorted(Counter(o.highest_floor for o in counted).items())
        ),
        "gateways": _mean(one.gateways for one in counted),
        "goal_score": _mean(one.goal_score or 0.0 for one in counted),
        "turns": _mean(one.turns for one in counted),
        "decisions": _mean(one.decisions for one in counted),
        "calls": total("calls"),
        "replayed": total("replayed"),
        "tokens": {k: sum(one.tokens[k] for one in everything) for k in TOKENS},
        "format_errors": total("format_errors"),
        "repairs": total("repairs"),
        "fallbacks": total("fallbacks"),
        "overrides": total("overrides"),
        "sources": {name: sources[name] for name in SOURCES if name in sources},
        "results": {str(one.episode): [one.outcome, one.hp] for one in everything},
    }


def _counted(outcomes: Iterable[str]) -> dict[str, int]:
    found = Counter(outcomes)
    return {name: found[name] for name in OUTCOMES if name in found}


def _mean(numbers: Iterable[float]) -> float | None:
    found = list(numbers)
    return round(fmean(found), 9) if found else None
