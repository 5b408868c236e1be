"""A run judged by the exact solver: ledgers, decisions, plans, attribution.

Everything follows from the logs; the loop that wrote them never asked the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

from mt_gym.bench.ledger import Interval, Ledger, Worths, ledger
from mt_gym.bench.log import failed_episodes, finished_episodes
from mt_gym.bench.measures import EpisodeResult, hp_scale
from mt_gym.bench.plans import PlanCheck, check_plans
from mt_gym.bench.question import Row
from mt_gym.bench.read import Run
from mt_gym.bench.replay import walk
from mt_gym.bench.truth import Judged, Truths, judge
from mt_gym.engine.tower import Tower
from mt_gym.play.overrides import mechanical_reason
from mt_gym.play.settings import PlaySettings


@dataclass(frozen=True, slots=True)
class Analysed:
    """One episode with everything that can be said about it.

    Attributes:
        result: counts of its rows.
        ledger: its regrets; None if no solver was asked.
        judged: its decisions; () likewise.
        plans: its plans, checked.
        strategic: overrides that were not mechanical.
    """

    result: EpisodeResult
    ledger: Ledger | None
    judged: tuple[Judged, ...]
    plans: tuple[PlanCheck, ...]
    strategic: int


@dataclass(frozen=True)
class Analysis:
    """A run with everything that can be said about it.

    Attributes:
        run: the stored run.
        episodes: finished ones and the last logs of failed ones, by number.
        enforced: whether rule 4 was enforced on several floors, by an override that
            the policy could meet at every decision.
    """

    run: Run
    episodes: tuple[Analysed, ...]
    enforced: bool = False

    @property
    def results(self) -> list[EpisodeResult]:
        """The episodes, counted."""
        return [one.result for one in self.episodes]

    @property
    def counted(self) -> list[Analysed]:
        """The episodes that are part of rates."""
        return [one for one in self.episodes if one.result.counted]

    @property
    def attribution(self) -> str:
        """Whose result it is: `route`, `engine-assisted` or `model`."""
        about = self.run.about.get("about")
        compiled = isinstance(about, Mapping) and about.get("compiled")
        if compiled or self.run.about.get("condition") == "route":
            return "route"
        if self.enforced or any(one.strategic for one in self.episodes):
            return "engine-assisted"
        return "model"

    @cached_property
    def by_source(self) -> dict[str, Interval]:
        """Regrets of the counted episodes, summed by who decided."""
        sums: dict[str, Interval] = {}
        for one in self.counted:
            if one.ledger is not None:
                for source, regret in one.ledger.by_source().items():
                    sums[source] = sums.get(source, Interval(0, 0)) + regret
        return sums

    def regret_share(self) -> float | None:
        """Mean regret over (start HP + potions); None if not exact or not solved."""
        bounds = self.regret_bounds()
        if bounds is None or bounds[0] != bounds[1]:
            return None
        return bounds[0]

    def regret_bounds(self) -> tuple[float, float | None] | None:
        """Least and greatest mean regret share; the second None without a bound.

        None if no solver was asked or no episode counts.
        """
        lows: list[float] = []
        highs: list[float | None] = []
        for one in self.counted:
            if one.ledger is None:
                return None
            scale = hp_scale(self.run.tower, one.result.start_hp)
            total = one.ledger.total
            lows.append(total.low / scale)
            highs.append(None if total.high is None else total.high / scale)
        if not lows:
            return None
        known = [high for high in highs if high is not None]
        return fmean(lows), fmean(known) if len(known) == len(highs) else None

    def optimal_share(self) -> float | None:
        """Share of the decisions that gave up nothing; None if there are none.

        Counted are those with a known regret, as long as there was something to lose.
        """
        known = [
            judged.regret == 0
            for one in self.counted
            for judged in one.judged
            if judged.regret is not None and judged.truth.value is not None
        ]
        return fmean(known) if known else None

    def expected_regret(self) -> float | None:
        """Mean expected regret of the distributions; None if there are none."""
        found = [
            judged.expected_regret
            for one in self.counted
            for judged in one.judged
            if judged.expected_regret is not None
        ]
        return fmean(found) if found else None

    def lost_by(self) -> Counter[str]:
        """How often the goal was lost by which action of which source."""
        found: Counter[str] = Counter()
        for one in self.counted:
            line = None if one.ledger is None else one.ledger.lost_by()
            if line is not None:
                found[f"{line.text} ({line.source})"] += 1
        return found

    def plan_figures(self) -> tuple[int, int, float, int] | None:
        """Plans, clean plans, new decisions per plan, broken steps."""
        plans = [plan for one in self.counted for plan in one.plans]
        if not plans:
            return None
        clean = sum(plan.clean for plan in plans)
        broken = sum(plan.broken for plan in plans)
        return len(plans), clean, fmean(plan.new for plan in plans), broken


def analyse(
    path: str | Path | Run,
    *,
    solver: bool = True,
    node_limit: int | None = None,
    seconds: float | None = None,
) -> Analysis:
    """Judge a stored run.

    Args:
        path: its folder, or the run itself.
        solver: whether to ask the solver; without it there are no regrets.
        node_limit: states that each search may expand.
        seconds: of all searches together; what is left is unknown.

    Raises:
        MtGymError: no run, a damaged file, another version.
        StateMismatch: another tower, or a log that its engine does not confirm.
    """
    run = path if isinstance(path, Run) else Run.of(path)
    finished = finished_episodes(run.path)
    files = {**failed_episodes(run.path), **finished}
    worths = Worths(run.tower, node_limit, seconds) if solver else None
    with closing(run.environment()) as env:
        settings: PlaySettings = env.get_wrapper_attr("settings")
    truths: Truths = {}
    episodes = [
        _analysed(run.tower, settings, run.rows(file), worths, truths)
        for _, file in sorted(files.items())
    ]
    enforced = "rule4" in settings.overrides and len(run.tower.floors) > 1
    return Analysis(run, tuple(episodes), enforced)


def _analysed(
    tower: Tower,
    settings: PlaySettings,
    rows: Sequence[Row],
    worths: Worths | None,
    truths: Truths,
) -> Analysed:
    return Analysed(
        EpisodeResult.of(rows),
        None if worths is None else ledger(tower, rows, worths),
        () if worths is None else tuple(judge(tower, rows, worths, truths)),
        tuple(check_plans(tower, settings, rows)),
        strategic_overrides(tower, rows),
    )


def strategic_overrides(tower: Tower, rows: Sequence[Row]) -> int:
    """Choices that were replaced although nothing mechanical spoke against them."""
    count = 0
    for step in walk(tower, rows):
        row = step.row
        if row["row"] == "turn" and row["source"] == "override":
            chosen = tower.action(row["replaces"])
            count += mechanical_reason(tower, step.before, chosen) is None
    return count
