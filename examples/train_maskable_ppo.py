"""Train MaskablePPO of sb3-contrib on one floor, from top to bottom.

    python examples/train_maskable_ppo.py [FLOOR] [FRAMES] [SEED]

Nothing but Gymnasium environments, wrappers and sb3-contrib.  `mt-gym train` does the
same on the compiled batch environment, several times as fast.  `overrides` are off:
else PPO would be credited with what the heuristic does in its place.
"""

import sys

import gymnasium as gym
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import mt_gym  # registers the environments
from mt_gym.wrappers import ExploringStarts, ShapeReward, SpareHP

FLOOR = sys.argv[1] if len(sys.argv) > 1 else "hand03"
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 0
COPIES = 16
SPARE = mt_gym.load(FLOOR).initial_state().hero.hp // 3

torch.set_num_threads(1)


# 1. The floor as it is: numbers instead of text, a mask, the score at the end.
def real_floor() -> Monitor:
    env = gym.make(
        f"MagicTower-{FLOOR}-v0",
        observation="features",
        annotations=[],
        overrides=[],
        disable_env_checker=True,
    )
    return Monitor(env)


# 2. The same with help, that leaves what is best as it is:
#    - half of the episodes begin after one to four random harmless choices;
#    - the hero begins with up to SPARE more HP, less and less;
#    - the difference of a potential (the prices of the observation) is added to each
#      reward: over an episode that is the same number, whatever is done.
def helped_floor() -> Monitor:
    env = ExploringStarts(real_floor(), probability=0.5)
    env = SpareHP(env, 0, SPARE, par_shift=False)
    return Monitor(ShapeReward(env))


class TakeAway(BaseCallback):
    """Takes the spare HP away over the first half of the training."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        left = max(0.0, 1 - self.num_timesteps / (0.5 * FRAMES))
        for one in self.training_env.envs:
            env = one
            while not isinstance(env, SpareHP):
                env = env.env
            env.high = round(SPARE * left)


# 3. MaskablePPO asks every environment for its `action_masks()`.  Undiscounted, as
#    the score comes at the end, and as the potential is.
venv = DummyVecEnv([helped_floor] * COPIES)
model = MaskablePPO(
    "MultiInputPolicy",
    venv,
    n_steps=128,
    batch_size=512,
    n_epochs=4,
    learning_rate=5e-4,
    gamma=1.0,
    ent_coef=0.02,
    policy_kwargs={"net_arch": [128, 128]},
    seed=SEED,
    device="cpu",
)

# 4. Looks at the real floor.  The likeliest action always plays the same episode, so
#    one is enough; how sure the policy is, sampled episodes tell.
looks = MaskableEvalCallback(
    Monitor(real_floor()),
    n_eval_episodes=1,
    eval_freq=max(1, FRAMES // 10 // COPIES),
    deterministic=True,
    verbose=0,
)
model.learn(FRAMES, callback=[TakeAway(), looks])

best, _ = evaluate_policy(model, real_floor(), n_eval_episodes=1, deterministic=True)
drawn, _ = evaluate_policy(model, real_floor(), n_eval_episodes=50, deterministic=False)
print(f"{FLOOR}, seed {SEED}, {model.num_timesteps:,} frames")
print(f"score of the likeliest actions: {best:.3f} (1 is the optimum, a win 0.5)")
print(f"mean score of 50 sampled episodes: {drawn:.3f}")
print(f"best look during the training: {looks.best_mean_reward:.3f}")
model.save(f"{FLOOR}-ppo")
