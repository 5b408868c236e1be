"""A trained network as a policy; it needs numpy alone."""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from mt_gym.agents.policy import Decision, Env
from mt_gym.agents.rl.network import Network, annotations_of, chances
from mt_gym.engine.tower import Tower
from mt_gym.errors import PolicyError
from mt_gym.observation.features import FeatureTable, feature_table

DEFAULT: Final = "transfer"
"""Shipped weights that are used if none are named."""


def shipped_weights() -> tuple[str, ...]:
    """Names of the shipped weights."""
    folder = importlib.resources.files("mt_gym.agents.rl").joinpath("weights")
    if not folder.is_dir():
        return ()
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(n.removesuffix(".npz") for n in names if n.endswith(".npz")))


def load_network(file: str) -> Network:
    """The network of a shipped name or of a file.

    Raises:
        PolicyError: there is neither.
    """
    if file in shipped_weights():
        folder = importlib.resources.files("mt_gym.agents.rl").joinpath("weights")
        with importlib.resources.as_file(folder.joinpath(f"{file}.npz")) as path:
            return Network.load(path)
    if not Path(file).is_file():
        known = ", ".join(shipped_weights()) or "none"
        raise PolicyError(f"no weights and no file {file!r} (shipped: {known})")
    return Network.load(file)


class RLPolicy:
    """Plays by a trained network.

    Args:
        weights: a shipped name, or a file that `mt-gym train` wrote.
        sample: draw the action by its probability instead of taking the likeliest.
        temperature: of the probabilities, above 0.
    """

    observation = None

    def __init__(
        self, *, weights: str = DEFAULT, sample: bool = False, temperature: float = 1.0
    ) -> None:
        if not temperature > 0:
            raise PolicyError(f"temperature must be above 0, got {temperature!r}")
        self.name = "rl" if weights == DEFAULT else f"rl:{Path(weights).stem}"
        self.network = load_network(weights)
        self.sample, self.temperature = sample, float(temperature)

    def describe(self) -> dict[str, Any]:
        """How the network was trained, and how it plays."""
        about = {"network": self.network.about, "weights": self.network.digest()}
        return about | {"sample": self.sample, "temperature": self.temperature}

    def new_episode(self, env: Env, seed: int) -> RLPlayer:
        """A player of the environment's state; the seed decides what is drawn."""
        tower: Tower = env.get_wrapper_attr("tower")
        shown = annotations_of(self.network.shape.columns)
        options = env.get_wrapper_attr("settings").options
        table = feature_table(tower, len(tower.actions), shown, options)
        return RLPlayer(self, env, table, np.random.default_rng(seed))


@dataclass(frozen=True, slots=True)
class RLPlayer:
    """One episode of a network."""

    policy: RLPolicy
    env: Env
    table: FeatureTable
    rng: np.random.Generator

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The network's choice, with the probabilities of all legal actions."""
        state = self.env.get_wrapper_attr("state")
        turn = self.env.get_wrapper_attr("turn")
        limit = self.env.get_wrapper_attr("settings").options.max_turns
        shown = self.table.features(state, turn / limit, False)
        mask = np.asarray(info["action_mask"])[: self.table.rows]
        network = self.policy.network
        scores = network.scores(shown["hero"][None], shown["objects"][None])[0]
        share = chances(scores, mask, self.policy.temperature).astype(np.float64)
        share /= share.sum()
        legal = np.flatnonzero(mask)
        if self.policy.sample:
            action = int(self.rng.choice(legal, p=share[legal]))
        else:
            action = int(legal[share[legal].argmax()])
        return Decision(action, distribution={int(i): float(share[i]) for i in legal})
