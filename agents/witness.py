"""The policy that plays the route of a tower's certificate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mt_gym.agents.policy import Decision, Env, certain
from mt_gym.analysis.judgement import is_dead_end
from mt_gym.engine.board import OPEN, Action
from mt_gym.engine.tower import Tower
from mt_gym.errors import PolicyError


class WitnessPolicy:
    """Plays a tower's witness: the route that proves its certificate's HP.

    What the environment does by itself in between (assists) is skipped in the route,
    in whatever order it happens.  A door that the mechanical override would not open
    yet, as nothing can be reached behind it so far, waits until something can.
    """

    name = "witness"
    observation = None

    def new_episode(self, env: Env, seed: int) -> WitnessPlayer:
        """A player of the tower's route.

        Raises:
            PolicyError: the tower's map file states no route.
        """
        tower: Tower = env.get_wrapper_attr("tower")
        certificate = tower.certificate
        if certificate is None or not certificate.route:
            raise PolicyError(
                f"the policy 'witness' plays a certificate's route, and {tower.name!r} "
                "has none; take the policy 'solver' or 'heuristic'"
            )
        return WitnessPlayer(env, [tower.action(text) for text in certificate.route])


class WitnessPlayer:
    """One episode along a fixed route."""

    def __init__(self, env: Env, route: Sequence[Action]) -> None:
        self._env = env
        self._left = list(route)

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The next action of the route that has not been executed yet.

        Raises:
            PolicyError: the route is left and cannot be followed any more.
        """
        for done in info["executed"]:
            action = self._action(done["action"])
            if action in self._left:
                self._left.remove(action)
        if not self._left:
            raise PolicyError("the witness route is over but the episode is not")
        step = self._next()
        if not info["action_mask"][step.index]:
            raise PolicyError(
                f"the witness route asks for {str(step)!r}, which is not legal at turn "
                f"{info['turn'] + 1}"
            )
        trace = {"reason": "next on the certificate's route"}
        shares = certain(step.index, info)
        return Decision(step.index, distribution=shares, trace=trace)

    def _next(self) -> Action:
        """The first step of the route that is carried out as it is chosen."""
        tower: Tower = self._env.get_wrapper_attr("tower")
        if "mechanical" in self._env.get_wrapper_attr("settings").overrides:
            state = self._env.get_wrapper_attr("state")
            for step in self._left:
                if step.code != OPEN or not is_dead_end(tower, state, step):
                    return step
        return self._left[0]

    def _action(self, index: int | None) -> Action | None:
        if index is None:
            return None
        tower: Tower = self._env.get_wrapper_attr("tower")
        return tower.actions[index]
