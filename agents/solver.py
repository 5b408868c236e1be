"""The policy that always plays an action of the exact solver's best value."""

from __future__ import annotations

from typing import Any

from mt_gym.agents.policy import Decision, Env
from mt_gym.engine.board import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached
from mt_gym.play.episode import Moment, advance
from mt_gym.play.settings import PlaySettings


class SolverPolicy:
    """Plays an optimal action; the one of lowest index among equals.

    Args:
        limits: `node_limit`, `time_limit`, `memory_limit` of each search.
    """

    name = "solver"
    observation = None

    def __init__(
        self,
        *,
        node_limit: int | None = None,
        time_limit: float | None = None,
        memory_limit: str | int | None = None,
    ) -> None:
        limits = {
            "node_limit": node_limit,
            "time_limit": time_limit,
            "memory_limit": memory_limit,
        }
        self._limits = {
            key: value for key, value in limits.items() if value is not None
        }

    def new_episode(self, env: Env, seed: int) -> SolverPlayer:
        """A player of the environment's state, whatever the seed."""
        return SolverPlayer(env, self._limits)


class SolverPlayer:
    """One episode of optimal play."""

    def __init__(self, env: Env, limits: dict[str, Any]) -> None:
        self._env = env
        self._limits = limits

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """An optimal action.

        Where the goal is lost the lowest legal index is played.

        Raises:
            LimitReached: a limit ended the search before a value was exact.
        """
        from mt_gym.solver import values

        tower: Tower = self._env.get_wrapper_attr("tower")
        state: State = self._env.get_wrapper_attr("state")
        found = values(tower, state, **self._limits)
        open_ones = [str(a) for a, value in found.items() if value.status == "bounded"]
        if open_ones:
            raise LimitReached(
                f"turn {info['turn'] + 1}: a limit ended the search before the value of"
                f" {', '.join(open_ones)} was exact; raise the solver's limits"
            )
        free = {action: value.hp for action, value in found.items()}
        best, hp = self._best_kept(free)
        reason = "the goal is lost" if hp is None else f"best final HP {hp}"
        return Decision(best.index, trace={"reason": reason, "value": hp})

    def _best_kept(self, free: dict[Action, int | None]) -> tuple[Action, int | None]:
        """The action after which most is left, whatever the environment adds to it.

        The free game's values bound what is left, so few actions need a search.
        """
        kept: dict[Action, int | None] = {}
        for action in sorted(free, key=lambda one: (-(free[one] or 0), one.index)):
            if kept and (free[action] or 0) <= max(hp or 0 for hp in kept.values()):
                break
            kept[action] = kept_value(self._env, action, self._limits)
        best = best_action(kept)
        return best, kept[best]


def kept_value(env: Env, action: Action, limits: dict[str, Any]) -> int | None:
    """Best final HP after an action, its override and the assists that follow.

    Assists drink before a vampire bites, and an override may replace the choice.
    """
    from mt_gym.solver import state_value

    tower: Tower = env.get_wrapper_attr("tower")
    settings: PlaySettings = env.get_wrapper_attr("settings")
    moment: Moment = env.get_wrapper_attr("moment")
    after, _ = advance(tower, moment, action, settings)
    if after.outcome is not None:
        return after.state.hero.hp if after.outcome == "won" else None
    return state_value(tower, after.state, **limits)


def best_action(worth: dict[Action, int | None]) -> Action:
    """The action of the highest final HP, None being the lowest; ties by index."""

    def rank(action: Action) -> tuple[int, int]:
        hp = worth[action]
        return (1 if hp is None else -hp, action.index)

    return min(worth, key=rank)
