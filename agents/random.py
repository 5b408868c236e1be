"""The policy that knows nothing: any legal action, all equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mt_gym.agents.policy import Decision, Env


class RandomPolicy:
    """Draws among the legal actions, each with the same probability."""

    name = "random"
    observation = None

    def new_episode(self, env: Env, seed: int) -> RandomPlayer:
        """A player whose draws follow from `seed`."""
        return RandomPlayer(np.random.default_rng(seed))


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """One episode of the random policy."""

    rng: np.random.Generator

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """A random legal action; the distribution is uniform."""
        legal = [int(index) for index in np.flatnonzero(info["action_mask"])]
        share = 1 / len(legal)
        chosen = legal[int(self.rng.integers(len(legal)))]
        return Decision(chosen, distribution=dict.fromkeys(legal, share))
