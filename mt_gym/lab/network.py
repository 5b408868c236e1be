"""The network of `agents.rl.network` in torch, to be trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mt_gym.agents.rl.network import (
    PRESENT,
    Network,
    Shape,
    places,
)

CLOSED = -1e9
"""Score of what is not legal."""


class Scorer(nn.Module):  # type: ignore[misc]
    """Scores every row with the same weights, and values the state.

    Args:
        shape: of the network.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.layers = nn.ModuleDict(
            {
                name.replace(".", "_"): nn.Linear(inputs, outputs)
                for name, (inputs, outputs) in shape.layers().items()
            }
        )
        columns = places(shape.columns)
        self.register_buffer("columns", torch.tensor(columns), persistent=False)
        with torch.no_grad():
            last = ("flat_2", "value_2") if shape.rows else ("score_1", "value_1")
            for name in last:
                self.layers[name].weight.mul_(0.1)
                self.layers[name].bias.zero_()

    def forward(self, hero: Tensor, objects: Tensor) -> tuple[Tensor, Tensor]:
        """Scores (batch, rows) and values (batch,)."""
        layer = self.layers
        present = objects[:, :, PRESENT] > 0
        rows = objects.index_select(2, self.columns)
        if self.shape.rows:
            x = torch.cat([hero, rows.flatten(1)], 1)
            h = torch.relu(layer["flat_1"](torch.relu(layer["flat_0"](x))))
            v = torch.relu(layer["value_1"](torch.relu(layer["value_0"](x))))
            return layer["flat_2"](h), layer["value_2"](v)[:, 0]
        same = hero[:, None, :].expand(-1, rows.shape[1], -1)
        h = torch.relu(layer["row_0"](torch.cat([rows, same], 2)))
        h = torch.relu(layer["row_1"](h))
        for block in range(self.shape.attention):
            h = self._look(f"look_{block}", h, present)
        here = present[:, :, None].to(h.dtype)
        mean = (h * here).sum(1) / here.sum(1).clamp(min=1.0)
        most = torch.where(present[:, :, None], h, 0.0).amax(1)
        floor = torch.relu(layer["floor"](torch.cat([mean, most, hero], 1)))
        both = floor[:, None, :].expand_as(h)
        z = torch.relu(layer["score_0"](torch.cat([h, both], 2)))
        value = layer["value_1"](torch.relu(layer["value_0"](floor)))
        return layer["score_1"](z)[:, :, 0], value[:, 0]

    def _look(self, name: str, h: Tensor, present: Tensor) -> Tensor:
        layer = self.layers
        query, key = layer[f"{name}_query"](h), layer[f"{name}_key"](h)
        match = query @ key.transpose(1, 2) / np.sqrt(h.shape[2])
        match = match.masked_fill(~present[:, None, :], CLOSED)
        h = h + torch.softmax(match, 2) @ layer[f"{name}_value"](h)
        return h + layer[f"{name}_1"](torch.relu(layer[f"{name}_0"](h)))

    def exported(self, about: dict[str, Any]) -> Network:
        """The network as plain arrays."""
        weights = {}
        for name in self.shape.layers():
            layer = self.layers[name.replace(".", "_")]
            weights[f"{name}.weight"] = layer.weight.detach().cpu().numpy().copy()
            weights[f"{name}.bias"] = layer.bias.detach().cpu().numpy().copy()
        return Network(self.shape, weights, about)

    @classmethod
    def imported(cls, network: Network) -> Scorer:
        """A network as it was saved."""
        scorer = cls(network.shape)
        with torch.no_grad():
            for name in network.shape.layers():
                layer = scorer.layers[name.replace(".", "_")]
                layer.weight.copy_(torch.from_numpy(network.weights[f"{name}.weight"]))
                layer.bias.copy_(torch.from_numpy(network.weights[f"{name}.bias"]))
        return scorer

    def scores(self, hero: Any, objects: Any) -> Any:
        """Scores as numpy arrays, without a gradient."""
        with torch.no_grad():
            found, _ = self(torch.from_numpy(hero), torch.from_numpy(objects))
        return found.numpy()
