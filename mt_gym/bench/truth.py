"""The truth about the questions of a log: which options give up how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mt_gym.bench.ledger import Worths
from mt_gym.bench.question import Question, Row, decision_of, question_of
from mt_gym.bench.replay import walk
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class Truth:
    """What the exact solver says about a question.

    Attributes:
        value: best final HP still reachable; None if the goal is lost, or unknown.
        regrets: final HP that each enabled option gives up, by action index; None
            where a limit ended the search, or the tower is too big for one.
    """

    value: int | None
    regrets: Mapping[int, int | None]

    @property
    def known(self) -> bool:
        """Whether every option's regret was proved."""
        return None not in self.regrets.values()

    @property
    def optimal(self) -> tuple[int, ...]:
        """Action indices that give up nothing, as far as it is known."""
        return tuple(i for i, regret in self.regrets.items() if regret == 0)

    def expected_regret(self, distribution: Mapping[int, float]) -> float | None:
        """Mean regret under a distribution; None where a regret it needs is unknown."""
        total = 0.0
        for index, share in distribution.items():
            if share > 0:
                regret = self.regrets.get(index, 0)
                if regret is None:
                    return None
                total += share * regret
        return total


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision with the truth about it.

    Attributes:
        turn: of the decision; `text`: the chosen action, None without an answer.
        truth: what the solver says about the options.
        regret: of the chosen action, whatever was executed; None if unknown, or
            without an answer: what was left then is the ledger's own line.
        expected_regret: of the distribution; None without one, or if unknown.
    """

    turn: int
    text: str | None
    truth: Truth
    regret: int | None
    expected_regret: float | None


Truths = dict[tuple[object, ...], Truth]
"""Truths by state and enabled options."""


def truth(tower: Tower, state: State, question: Question, worths: Worths) -> Truth:
    """The truth about a question, from the worths of what its options lead to.

    Args:
        tower, state: where and when it was asked.
        question: its enabled options are judged.
        worths: asks the solver.
    """
    if worths.bounded_only:
        return Truth(None, dict.fromkeys(question.actions))
    legal = {action.index: action for action in tower.legal_actions(state)}
    after = {
        index: worths.of(tower.step(state, legal[index]))
        for index in question.actions
        if index in legal
    }
    here = worths.of(state)
    best = max((worth.low for worth in after.values()), default=0)
    value = max(best, here.low) if here.exact else None
    regrets: dict[int, int | None] = {}
    for index in question.actions:
        worth = after.get(index)
        if worth is None:
            regrets[index] = 0  # an option that does nothing gives up nothing
        elif value is None or not worth.exact:
            regrets[index] = None
        else:
            regrets[index] = value - worth.low
    return Truth(value or None, regrets)


def judge(
    tower: Tower, rows: Sequence[Row], worths: Worths, truths: Truths | None = None
) -> Iterator[Judged]:
    """The truth about each decision of an episode, in order.

    Args:
        tower: that was played.
        rows: of the episode.
        worths: asks the solver.
        truths: of questions met before; new ones are added.
    """
    known: Truths = {} if truths is None else truths
    question: Question | None = None
    for step in walk(tower, rows):
        row = step.row
        if row["row"] == "question":
            question = question_of(row)
        elif row["row"] == "decision" and question is not None:
            key = (step.before.key, question.actions)
            if key not in known:
                known[key] = truth(tower, step.before, question, worths)
            yield _judged(tower, row, known[key])


def _judged(tower: Tower, row: Row, truth: Truth) -> Judged:
    if row["action"] is None:
        return Judged(row["turn"], None, truth, None, None)
    decision = decision_of(tower, row)
    expected = None
    if decision.distribution is not None:
        expected = truth.expected_regret(decision.distribution)
    regret = truth.regrets.get(decision.action, 0)
    return Judged(row["turn"], row["text"], truth, regret, expected)
