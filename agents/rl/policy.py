"""A trained network as a policy; it needs numpy alone."""

from __future__ import annotations

import importlib.resources
import math
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

LEAST: Final = 1e-6
"""Temperature below which scores would leave the range of their type."""


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
        temperature: of the probabilities, from `LEAST` on.
    """

    observation = None

    def __init__(
        self,
        *,
        weights: str | Path = DEFAULT,
        sample: bool = False,
        temperature: float = 1.0,
    ) -> None:
        if not isinstance(weights, str | Path):
            raise PolicyError(f"weights must be a name or a path, got {weights!r}")
        weights = str(weights)
        if not isinstance(sample, bool):
            raise PolicyError(f"sample must be true or false, got {sample!r}")
        number = isinstance(temperature, int | float)
        if not number or not LEAST <= temperature < math.inf or temperature is True:
            raise PolicyError(
                f"temperature must be a finite number from {LEAST} on (above 0), got "
                f"{temperature!r}"
            )
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
        """The network's choice, with the probabilities of all legal actions.

        An index above the tower's actions (`pass`, with two heroes) has no score: it
        is chosen where nothing else can be.
        """
        state = self.env.get_wrapper_attr("state")
        turn = self.env.get_wrapper_attr("turn")
        limit = self.env.get_wrapper_attr("settings").options.max_turns
        shown = self.table.features(state, turn / limit, False)
        mask = np.asarray(info["action_mask"])
        legal = np.flatnonzero(mask)
        rows = self.table.rows
        share = np.zeros(len(mask))
        if mask[:rows].any():
            network = self.policy.network
            scores = network.scores(shown["hero"][None], shown["objects"][None])[0]
            share[:rows] = chances(scores, mask[:rows], self.policy.temperature)
        else:
            share[legal] = 1.0
        share /= share.sum()
        if self.policy.sample:
            action = int(self.rng.choice(legal, p=share[legal]))
        else:
            action = int(legal[share[legal].argmax()])
        return Decision(action, distribution={int(i): float(share[i]) for i in legal})
