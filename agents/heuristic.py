"""The rule-based policy: a shell around `mt_gym.play.heuristic.choose`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mt_gym.agents.policy import Decision, Env, certain
from mt_gym.analysis.options import Options
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.heuristic import choose


class HeuristicPolicy:
    """Rules of thumb: stat items first, cheap fights that lead on, keys kept.

    Args:
        lookahead_depth: how far it looks; None for what the environment uses.
        rule4_share: largest share of HP for one fight, as a ratio; None likewise.
    """

    name = "heuristic"
    observation = None

    def __init__(
        self,
        *,
        lookahead_depth: int | None = None,
        rule4_share: tuple[int, int] | list[int] | None = None,
    ) -> None:
        self._lookahead_depth = lookahead_depth
        self._rule4_share = rule4_share

    def new_episode(self, env: Env, seed: int) -> HeuristicPlayer:
        """A player of the environment's state, whatever the seed."""
        tower: Tower = env.get_wrapper_attr("tower")
        own: Options = env.get_wrapper_attr("settings").options
        depth, share = self._lookahead_depth, self._rule4_share
        options = Options.of(
            tower,
            own.lookahead_depth if depth is None else depth,
            own.rule4_share if share is None else share,
            own.max_turns,
        )
        return HeuristicPlayer(env, options)


@dataclass(frozen=True, slots=True)
class HeuristicPlayer:
    """One episode of the heuristic."""

    env: Env
    options: Options

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The heuristic's choice with its reason in the trace."""
        tower: Tower = self.env.get_wrapper_attr("tower")
        state: State = self.env.get_wrapper_attr("state")
        listed = self.env.get_wrapper_attr("listed")
        choice = choose(tower, state, self.options, listed or None)
        index, trace = choice.action.index, {"reason": choice.reason}
        return Decision(index, distribution=certain(index, info), trace=trace)
