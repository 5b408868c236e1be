"""The scoring network as a policy class of sb3-contrib."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from mt_gym.agents.rl.network import Shape
from mt_gym.lab.network import Scorer


class ScoringPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """Scores the rows of `features` observations, with shared weights or one floor's.

    Args:
        args, kwargs: as for every policy class; `shape`, a dict of the fields of
            `agents.rl.network.Shape`, says what the network looks like.
    """

    def __init__(
        self, *args: Any, shape: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        fields = dict(shape or {})
        if "columns" in fields:
            fields["columns"] = tuple(fields["columns"])
        self.shape = Shape(**fields)
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.network = Scorer(self.shape)
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        data: dict[str, Any] = super()._get_constructor_parameters()
        fields = self.shape
        data["shape"] = {
            "columns": list(fields.columns),
            "hero": fields.hero,
            "width": fields.width,
            "attention": fields.attention,
            "rows": fields.rows,
        }
        return data

    def _judge(
        self, obs: Any, action_masks: Any = None
    ) -> tuple[MaskableDistribution, Tensor]:
        scores, values = self.network(obs["hero"], obs["objects"])
        distribution = self.action_dist.proba_distribution(action_logits=scores)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, values

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log probabilities."""
        distribution, values = self._judge(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values[:, None], distribution.log_prob(actions)

    def get_distribution(
        self, obs: Any, action_masks: np.ndarray[Any, Any] | None = None
    ) -> MaskableDistribution:
        """Distribution over the actions."""
        return self._judge(obs, action_masks)[0]

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values, log probabilities and entropy."""
        distribution, values = self._judge(obs, action_masks)
        return values[:, None], distribution.log_prob(actions), distribution.entropy()

    def predict_values(self, obs: Any) -> Tensor:
        """Values of states."""
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            _, values = self.network(obs["hero"], obs["objects"])
        found: Tensor = values[:, None]
        return found
