"""Wrappers that change what an environment shows or takes."""

from mt_gym.wrappers.annotate import Annotate
from mt_gym.wrappers.assist import Assist
from mt_gym.wrappers.commit_plan import CommitPlan
from mt_gym.wrappers.exploring_starts import ExploringStarts
from mt_gym.wrappers.features import Features
from mt_gym.wrappers.oracle import Oracle
from mt_gym.wrappers.override import Override
from mt_gym.wrappers.shape_reward import ShapeReward
from mt_gym.wrappers.spare_hp import SpareHP

__all__ = [
    "Annotate",
    "Assist",
    "CommitPlan",
    "ExploringStarts",
    "Features",
    "Oracle",
    "Override",
    "ShapeReward",
    "SpareHP",
]
