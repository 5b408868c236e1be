"""Policies asked the decisions of a bank, each once: accuracy, regret, calibration."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from mt_gym.agents.policy import AsyncPlayer, Decision, Env, Policy, checked_policy
from mt_gym.bench.episode import answer, checked, new_player
from mt_gym.bench.setup import make_environment
from mt_gym.errors import NoAnswer
from mt_gym.generator.bank import STRATA, BankDecision

BINS: Final = 10
"""Ranges of confidence in the calibration error."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a policy said to one decision.

    Attributes:
        asked: the decision.
        index: the chosen action; None without an answer.
        distribution: probability by action index, if there is one.
    """

    asked: BankDecision
    index: int | None
    distribution: Mapping[int, float] | None = None

    @property
    def legal(self) -> bool:
        """Whether the state allows the choice."""
        return self.index in self.asked.values

    @property
    def correct(self) -> bool:
        """Whether it gives up nothing."""
        return self.index in self.asked.optimal

    @property
    def regret(self) -> float:
        """Share of the state's value that is given up; all of it without a choice."""
        if self.index is None or not self.legal:
            return 1.0
        return self.asked.regret(self.index) / self.asked.value

    @property
    def expected_regret(self) -> float | None:
        """The same under the distribution."""
        if self.distribution is None:
            return None
        values = self.asked.values
        given = {i: p for i, p in self.distribution.items() if i in values}
        lost = sum(p * self.asked.regret(i) for i, p in given.items())
        return lost / self.asked.value + 1.0 - sum(given.values())


@dataclass(frozen=True, slots=True)
class Score:
    """The answers of a policy to a bank."""

    policy: str
    answers: tuple[Answer, ...]

    def figures(self) -> dict[str, Any]:
        """All figures as JSON values; None where there is nothing to measure.

        `accuracy`: answers that give up nothing; `chance`: the same for a blind
        choice; `regret`: mean share of the value given up; `illegal` and
        `no_answer`: shares; `calibration_error`: mean gap between the confidence in
        the likeliest action and how often it is right; by stratum likewise.
        """
        return {
            "policy": self.policy,
            **_figures(self.answers),
            "strata": {
                name: _figures([a for a in self.answers if a.asked.stratum == name])
                for name in STRATA
            },
        }

    def table(self) -> str:
        """The figures as a text."""
        found = self.figures()
        lines = [
            f"{'stake':<10}{'decisions':>10}{'accuracy':>10}{'chance':>10}{'regret':>10}"
        ]
        for name, row in [*found["strata"].items(), ("all", found)]:
            cells = (row["accuracy"], row["chance"], row["regret"])
            shown = "".join(f"{_share(cell):>10}" for cell in cells)
            lines.append(f"{name:<10}{row['decisions']:>10}{shown}")
        for key in ("illegal", "no_answer", "expected_regret", "calibration_error"):
            if found[key]:
                lines.append(f"{key.replace('_', ' ')}: {_share(found[key])}")
        return "\n".join(lines)


def score_bank(
    bank: Sequence[BankDecision],
    policy: Policy,
    *,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
    see: Callable[[Answer], None] | None = None,
) -> Score:
    """Ask a policy every decision once, each in an episode of its own.

    Args:
        bank: the decisions.
        policy: is asked; its observation is what it wants.
        settings: keywords of the environment.
        progress: called with decisions done and to be done.
        see: called with each answer, so that none is lost if the asking ends early.

    Raises:
        PolicyError: the policy breaks its contract.
        EndpointError: a model's server fails.
    """
    checked_policy(policy, "the given object")

    async def ask_all() -> tuple[Answer, ...]:
        with tempfile.TemporaryDirectory() as folder:
            asker = _Asker(policy, Path(folder), settings or {})
            answers = []
            try:
                for number, one in enumerate(bank, start=1):
                    answers.append(await asker.ask(one, number))
                    if see is not None:
                        see(answers[-1])
                    if progress is not None:
                        progress(number, len(bank))
            finally:
                asker.close()
                close = getattr(policy, "aclose", None)
                if close is not None:
                    await close()
            return tuple(answers)

    return Score(policy.name, asyncio.run(ask_all()))


class _Asker:
    """One environment a floor."""

    def __init__(
        self, policy: Policy, folder: Path, settings: Mapping[str, Any]
    ) -> None:
        self._policy, self._folder, self._settings = policy, folder, settings
        self._envs: dict[str, Env] = {}

    def close(self) -> None:
        for env in self._envs.values():
            env.close()

    def _env(self, asked: BankDecision) -> Env:
        digest = asked.tower.digest
        if digest not in self._envs:
            file = self._folder / f"{digest}.toml"
            file.write_text(asked.tower.to_toml(), encoding="utf-8")
            keywords = {"tower": str(file), **self._settings}
            self._envs[digest] = make_environment(
                "MagicTower-v0", self._policy, keywords
            )
        return self._envs[digest]

    async def ask(self, asked: BankDecision, number: int) -> Answer:
        env = self._env(asked)
        observation, info = env.reset(seed=number, options={"state": asked.state})
        player: Any = new_player(self._policy, env, number)
        try:
            if isinstance(player, AsyncPlayer):
                decision = checked(await player.act_async(observation, info), info)
            else:
                decision = answer(player, observation, info)
        except NoAnswer:
            return Answer(asked, None)
        return _answer(asked, decision)


def _answer(asked: BankDecision, decision: Decision) -> Answer:
    return Answer(asked, decision.action, decision.distribution)


def _figures(answers: Sequence[Answer]) -> dict[str, Any]:
    count = len(answers)
    expected = [a.expected_regret for a in answers if a.expected_regret is not None]
    return {
        "decisions": count,
        "accuracy": _mean([a.correct for a in answers]),
        "chance": _mean([len(a.asked.optimal) / len(a.asked.values) for a in answers]),
        "regret": _mean([a.regret for a in answers]),
        "illegal": _mean([a.index is not None and not a.legal for a in answers]),
        "no_answer": _mean([a.index is None for a in answers]),
        "expected_regret": _mean(expected),
        "calibration_error": calibration_error(answers),
    }


def calibration_error(answers: Sequence[Answer]) -> float | None:
    """Expected calibration error of the likeliest action, over equal ranges."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for one in answers:
        if one.distribution:
            best = max(one.distribution, key=lambda i: (one.distribution[i], -i))  # type: ignore[index]
            confidence = one.distribution[best]
            right = best in one.asked.optimal
            bins[min(BINS - 1, int(confidence * BINS))].append((confidence, right))
    total = sum(len(found) for found in bins)
    if not total:
        return None
    return sum(
        abs(fmean(c for c, _ in found) - fmean(r for _, r in found))
        * len(found)
        / total
        for found in bins
        if found
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return fmean(numbers) if numbers else None


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
