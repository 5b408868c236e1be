"""Registers the environments: an id for every shipped map, and one for any map."""

from __future__ import annotations

from typing import Final

import gymnasium as gym

from mt_gym.engine.load import shipped

ENTRY_POINT: Final = "mt_gym.envs.env:MagicTowerEnv"
BATCH_ENTRY_POINT: Final = "mt_gym.envs.batch.vector:BatchEnv"
ANY_TOWER: Final = "MagicTower-v0"
GENERATED: Final = "MagicTower-generated-v0"
GENERATED_ENTRY_POINT: Final = "mt_gym.envs.generated:GeneratedTowerEnv"


def env_id(name: str) -> str:
    """The id of a shipped map."""
    return f"MagicTower-{name}-v0"


def register_envs() -> tuple[str, ...]:
    """Register every id that is not registered yet; returns all of them."""
    ids = [ANY_TOWER, GENERATED]
    if ANY_TOWER not in gym.registry:
        gym.register(
            ANY_TOWER,
            entry_point=ENTRY_POINT,
            vector_entry_point=BATCH_ENTRY_POINT,
        )
    if GENERATED not in gym.registry:
        gym.register(GENERATED, entry_point=GENERATED_ENTRY_POINT)
    for name in shipped():
        ids.append(env_id(name))
        if env_id(name) not in gym.registry:
            gym.register(
                env_id(name),
                entry_point=ENTRY_POINT,
                vector_entry_point=BATCH_ENTRY_POINT,
                kwargs={"shipped": name},
            )
    return tuple(ids)
