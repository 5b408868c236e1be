"""Train MaskablePPO on one floor, from top to bottom.

    python examples/train_maskable_ppo.py [FLOOR] [FRAMES] [SEED]

The game is never changed: masks keep illegal actions away, a potential and spare HP
help at first, and every look is at the real floor.  `overrides` are off, as the
batch environment has none: else PPO would be credited with the heuristic's actions.
"""

import sys

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import mt_gym
from mt_gym.lab.arena import Arena, Help
from mt_gym.lab.measure import play
from mt_gym.lab.ppo import flat_shape
from mt_gym.lab.sb3_policy import ScoringPolicy
from mt_gym.lab.vec_env import ArenaVecEnv

FLOOR = sys.argv[1] if len(sys.argv) > 1 else "simple"
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 0

torch.set_num_threads(1)
tower = mt_gym.load(FLOOR)
hp = tower.initial_state().hero.hp

# 1. The environment: 256 copies, with three kinds of help.
#    - The potential (prices of the observation) adds P(next) - P(now) to each reward.
#    - Spare HP: at first up to 90 % more, less and less; it earns nothing, as the
#      final HP is counted from that much lower, on wins and on losses.
#    - Half of the episodes begin after one to four random harmless choices.
aid = Help(weight=20.0, spare=round(0.9 * hp), explore=0.5)
arena = Arena([tower], 256, np.random.default_rng(SEED), aid)
env = ArenaVecEnv(arena)


class Watch(BaseCallback):
    """Takes the help away, and looks at the real floor."""

    def __init__(self) -> None:
        super().__init__()
        self.next = 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        done = min(1.0, self.num_timesteps / (0.6 * FRAMES))
        arena.spare = round(hp * (0.9 + done * (0.13 - 0.9)))
        self.model.ent_coef = 0.02 * max(0.1, 1 - self.num_timesteps / FRAMES)
        if self.num_timesteps >= self.next:
            self.next += max(1, FRAMES // 10)
            self.look()

    def look(self) -> None:
        scores = self.model.policy.network.scores
        best = play([tower], scores)
        drawn = play([tower], scores, episodes=200, rng=np.random.default_rng(7))
        print(
            f"{self.num_timesteps:>9} frames: {best.hp[0, 0]} HP of "
            f"{best.optimum[0]}; sampled success {drawn.success:.2f}"
        )


# 2. The policy: two layers over the rows of the floor's actions.
shape = flat_shape(tower)
fields = {
    "columns": list(shape.columns),
    "width": shape.width,
    "attention": shape.attention,
    "rows": shape.rows,
}

# 3. MaskablePPO; the masks come from `env.action_masks()`.
model = MaskablePPO(
    ScoringPolicy,
    env,
    learning_rate=5e-4,
    n_steps=32,
    batch_size=2048,
    n_epochs=3,
    gamma=1.0,
    gae_lambda=0.95,
    ent_coef=0.02,
    policy_kwargs={"shape": fields},
    seed=SEED,
    device="cpu",
)
watch = Watch()
model.learn(FRAMES, callback=watch)

# 4. What it reached, and the weights for `mt-gym run FLOOR --policy rl:FILE`.
watch.look()
network = model.policy.network.exported({"floor": FLOOR, "seed": SEED})
network.save(f"{tower.name}-ppo.npz")
print(f"written: {tower.name}-ppo.npz")
