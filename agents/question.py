"""A decision as a typed question: a closed list of options and where it is asked.

The question holds no truth about which option is best.  Whatever answers it, the
answer is checked against the list, and a distribution covers the enabled options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from mt_gym.agents.policy import Env
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import PolicyError
from mt_gym.play.overrides import mechanical_reason

SELECTIONS: Final = ("argmax", "sample")


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the list.

    Attributes:
        number: its number in the list, from 1.
        action: the action's index.
        token: the action's text, unlike every other.
        label: the name of its object, else the token.
        verb: what is done.
        enabled: whether it may be answered; an unwinnable fight is only shown.
    """

    number: int
    action: int
    token: str
    label: str
    verb: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A list of options, and the moment that they belong to.

    Attributes:
        options: in the order of the list.
        context: floor, turn and state identity, as JSON values.

    Raises:
        PolicyError: no option, or two with one token or number.
    """

    options: tuple[Option, ...]
    context: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.options:
            raise PolicyError("a question needs options")
        for what in ("token", "number"):
            seen = [getattr(option, what) for option in self.options]
            twice = [value for value in dict.fromkeys(seen) if seen.count(value) > 1]
            if twice:
                raise PolicyError(f"a question has two options of {what} {twice[0]!r}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the enabled options."""
        return tuple(option.number for option in self.options if option.enabled)

    @property
    def actions(self) -> tuple[int, ...]:
        """Action indices of the enabled options."""
        return tuple(option.action for option in self.options if option.enabled)

    def find(self, number: int) -> Option | None:
        """The option of a number, whether enabled or not; None if there is none."""
        for option in self.options:
            if option.number == number:
                return option
        return None

    def narrowed(self, numbers: Sequence[int]) -> Question:
        """A new question: the same list, and only some of the enabled ones enabled."""
        return replace(
            self,
            options=tuple(
                replace(option, enabled=option.enabled and option.number in numbers)
                for option in self.options
            ),
        )


def ask(env: Env, info: Mapping[str, Any]) -> Question:
    """The question that an environment poses now.

    Raises:
        PolicyError: `info` has no list of actions (it needs `info_level="full"`).
    """
    if not info.get("actions"):
        raise PolicyError(
            "there is no numbered list to ask about: the environment needs "
            'info_level="full", and an episode that has not ended'
        )
    tower: Tower = env.get_wrapper_attr("tower")
    state: State = env.get_wrapper_attr("state")
    board = tower.board
    floor = board.floor_ids[board.cell_floor[state.hero.position]]
    options = tuple(
        Option(
            number=int(entry["number"]),
            action=int(entry["action"]),
            token=str(entry["text"]),
            label=str(entry["name"] or entry["text"]),
            verb=str(entry["verb"]),
            enabled=bool(entry["enabled"]),
        )
        for entry in info["actions"]
    )
    turn = int(info["turn"]) + 1
    return Question(options, {"tower": tower.name, "floor": floor, "turn": turn})


def repair_of(question: Question, tower: Tower, state: State) -> Question:
    """The question that a repair asks: without what an override would replace.

    Where nothing else is left it is about the first door, as for the heuristic.
    """
    sound = [
        option.number
        for option in question.options
        if option.enabled and _makes_sense(tower, state, option)
    ]
    if not sound:
        doors = [
            option.number
            for option in question.options
            if option.enabled and option.verb == "open"
        ]
        sound = doors[:1] or list(question.numbers)
    return question.narrowed(sound)


def _makes_sense(tower: Tower, state: State, option: Option) -> bool:
    """Whether no override would replace an option; a duel's `pass` always does."""
    if option.action >= len(tower.actions):
        return True
    return mechanical_reason(tower, state, tower.actions[option.action]) is None


def covers(question: Question, distribution: Mapping[int, float]) -> None:
    """Check that a distribution is over exactly the enabled options.

    Args:
        question: whose options are meant.
        distribution: probability by action index.

    Raises:
        PolicyError: an option is missing or too much.
    """
    enabled = question.actions
    missing = [index for index in enabled if index not in distribution]
    extra = [index for index in distribution if index not in enabled]
    if missing or extra:
        raise PolicyError(
            f"a distribution must cover exactly the enabled actions {list(enabled)}; "
            f"missing {missing}, not enabled {extra}"
        )


def select(
    question: Question,
    distribution: Mapping[int, float],
    how: str,
    rng: np.random.Generator | None = None,
) -> int:
    """The action that a distribution chooses.

    Args:
        question: whose options are meant.
        distribution: probability by action index, over the enabled options.
        how: `argmax`, where the first of the list wins a tie, or `sample`.
        rng: draws the sample.

    Raises:
        PolicyError: another way, a sample without a generator, or a distribution
            over other options.
    """
    covers(question, distribution)
    shares = [distribution[index] for index in question.actions]
    if how == "argmax":
        return question.actions[int(np.argmax(shares))]
    if how != "sample":
        raise PolicyError(f"selection must be one of {SELECTIONS}, got {how!r}")
    if rng is None:
        raise PolicyError("to sample, a seeded generator is needed")
    weights = np.asarray(shares) / sum(shares)
    return question.actions[int(rng.choice(len(weights), p=weights))]
