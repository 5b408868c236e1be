"""What a policy is: it makes one player an episode, and players answer decisions.

Nothing needs to be inherited: any object with the attributes of `Policy` is one.
A `Decision` is checked twice, for itself when it is made and against what could be
chosen by `Decision.check`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, SupportsIndex, runtime_checkable

import gymnasium as gym

from mt_gym.errors import PolicyError
from mt_gym.play.record import SOURCES

Env = gym.Env[Any, Any]

DECISION_SOURCES: Final = SOURCES[:4]
"""What a policy may say about who chose: itself, or what stood in for it."""

REPEATED: Final = ("buy", "sell")
"""Verbs that a quantity repeats: it is a plan of equal actions."""

MAX_QUANTITY: Final = 10
"""Equal actions that one choice, or one entry of a plan, may stand for."""

_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's answer to one decision.

    Attributes:
        action: action index, the argument of `env.step`.
        plan: indices of the actions that are to follow; the environment alone
            executes none of them, `CommitPlan` does.
        distribution: probability by action index, over exactly the enabled options;
            None if the policy has none.
        source: who chose, one of `policy, repair, fallback, heuristic`.
        trace: anything for the log, as JSON values; `reason` is shown to people.

    Raises:
        PolicyError: a part is of another type or out of its range.

    >>> Decision(3, distribution={3: 0.75, 5: 0.25}).action
    3
    """

    action: int
    plan: tuple[int, ...] = ()
    distribution: Mapping[int, float] | None = None
    source: str = "policy"
    trace: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "action", _index(self.action, "action"))
        if isinstance(self.plan, str) or not isinstance(self.plan, tuple | list):
            raise PolicyError(
                f"Decision.plan must be a tuple of action indices, got {self.plan!r}"
            )
        plan = tuple(_index(step, f"plan[{i}]") for i, step in enumerate(self.plan))
        object.__setattr__(self, "plan", plan)
        if self.source not in DECISION_SOURCES:
            raise PolicyError(
                f"Decision.source must be one of {', '.join(DECISION_SOURCES)}; "
                f"got {self.source!r}"
            )
        if not isinstance(self.trace, Mapping):
            raise PolicyError(f"Decision.trace must be a dict, got {self.trace!r}")
        reason = self.trace.get("reason", "")
        if not isinstance(reason, str):
            raise PolicyError(
                f"Decision.trace['reason'] must be a text for people, got {reason!r}"
            )
        if self.distribution is not None:
            checked = _distribution(self.distribution)
            object.__setattr__(self, "distribution", checked)

    def check(self, info: Mapping[str, Any]) -> None:
        """Check the decision against the options that `info` offered.

        Args:
            info: of the step or reset after which the decision was made.

        Raises:
            PolicyError: an index that no action has, or a distribution that does not
                cover exactly the enabled options.  An action that is not legal now is
                no error: overrides and `on_illegal` of the environment decide on it.
        """
        mask = info["action_mask"]
        for where, index in (("action", self.action), *_named(self.plan)):
            if index >= len(mask):
                raise PolicyError(
                    f"Decision.{where} is {index}; the actions of this tower are "
                    f"0 to {len(mask) - 1}"
                )
        if self.distribution is None:
            return
        enabled = [index for index, bit in enumerate(mask) if bit]
        missing = [index for index in enabled if index not in self.distribution]
        extra = [index for index in self.distribution if index not in enabled]
        if missing or extra:
            raise PolicyError(
                "Decision.distribution must cover exactly the enabled actions "
                f"{enabled}; missing {missing}, not enabled {extra}"
            )


def certain(action: int, info: Mapping[str, Any]) -> dict[int, float] | None:
    """The distribution of a rule: everything on its choice.

    Args:
        action: index of the choice.
        info: that offered the options.

    Returns:
        Probability by action index, over exactly the enabled options; None if the
        choice is none of them.

    >>> certain(2, {"action_mask": [1, 0, 1]})
    {0: 0.0, 2: 1.0}
    """
    enabled = [index for index, bit in enumerate(info["action_mask"]) if bit]
    if action not in enabled:
        return None
    return {index: float(index == action) for index in enabled}


@runtime_checkable
class Player(Protocol):
    """A policy's side of one episode."""

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """Answer one decision.

        Args:
            observation: what the environment returned last.
            info: what it returned with it; `info["actions"]` are the options.
        """
        ...


@runtime_checkable
class AsyncPlayer(Protocol):
    """A player that can wait without holding up others."""

    async def act_async(self, observation: Any, info: dict[str, Any]) -> Decision:
        """Answer one decision, as `Player.act`."""
        ...


@runtime_checkable
class Policy(Protocol):
    """Something that plays: two attributes and a method.

    `observation` is a value of the environment's keyword of that name.
    """

    @property
    def name(self) -> str:
        """For tables and logs."""
        ...

    @property
    def observation(self) -> str | None:
        """The observation it wants, None if it does not read it."""
        ...

    def new_episode(self, env: Env, seed: int) -> Player:
        """A player for one episode.

        Args:
            env: the environment that will be played, before or after its reset.
            seed: decides everything random; equal seeds give equal play.

        Raises:
            PolicyError: the policy cannot play this environment.
        """
        ...


def checked_policy(policy: object, what: str) -> Policy:
    """The same object, known to be a policy.

    Raises:
        PolicyError: an attribute of `Policy` is missing or of another type.
    """
    problems = []
    if not isinstance(getattr(policy, "name", None), str):
        problems.append("'name' must be a str")
    if not isinstance(getattr(policy, "observation", 0), str | None):
        problems.append("'observation' must be a str or None")
    if not callable(getattr(policy, "new_episode", None)):
        problems.append("'new_episode(env, seed)' must be a method")
    if problems or isinstance(policy, type) or not isinstance(policy, Policy):
        problems = problems or ["it is a class, not an object"]
        raise PolicyError(f"{what} is no policy: " + "; ".join(problems))
    return policy


def _index(value: SupportsIndex, where: str) -> int:
    try:
        index = operator.index(value)
    except TypeError:
        index = -1
    if index < 0 or isinstance(value, bool):
        raise PolicyError(
            f"Decision.{where} must be an action index, an integer >= 0; got {value!r}"
        )
    return index


def _named(plan: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((f"plan[{i}]", index) for i, index in enumerate(plan))


def _distribution(given: Mapping[int, float]) -> dict[int, float]:
    if not isinstance(given, Mapping):
        raise PolicyError(
            "Decision.distribution must be a dict of probabilities by action index, "
            f"got {given!r}"
        )
    found = {}
    for key, value in given.items():
        index = _index(key, "distribution key")
        if not isinstance(value, (int, float)) and not hasattr(value, "__float__"):
            raise PolicyError(f"Decision.distribution[{index}] is no number: {value!r}")
        share = float(value)
        if not math.isfinite(share) or share < 0:
            raise PolicyError(
                f"Decision.distribution[{index}] must be a probability, got {value!r}"
            )
        found[index] = share
    total = math.fsum(found.values())
    if abs(total - 1) > _TOLERANCE:
        raise PolicyError(f"Decision.distribution sums to {total:.6g}, not to 1")
    return found
